/*
 * Options first, then input: the pattern of figure 2 in "Directed symbolic execution" (Ma et al.,
 * 2011). The fifth option 'b' is one too many. Once the options are read, the assertion is out of
 * reach, but most paths are behind them.
 */
#include <assert.h>
#include <klee/klee.h>

#define MOST_OPTIONS 16

static int other_options;

static void other_option(char option)
{
    if (option == 'v')
        other_options += 2;
    else
        other_options++;
}

int main(void)
{
    int count, used = 0, i;
    char options[MOST_OPTIONS], buffers[4] = {0, 0, 0, 0};
    klee_make_symbolic(&count, sizeof count, "count");
    klee_make_symbolic(options, sizeof options, "options");
    klee_assume(count >= 0 & count <= MOST_OPTIONS);

    for (i = 0; i < count; i++) {
        if (options[i] == 'b') {
            assert(used < 4);
            buffers[used++] = 1;
        } else {
            other_option(options[i]);
        }
    }
    for (;;) {
        char input;
        klee_make_symbolic(&input, 1, "input");
        if (input == 'q' && buffers[0])
            other_options++;
        else if (input == 0)
            other_options--;
    }
}
