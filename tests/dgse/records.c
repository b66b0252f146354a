// Two records are filled by the same function. Neither depends on the other, though a pointer to
// the one can, for all that the code says, point to the other.
// paths: 16
// exits: 16
// faults: none
#include <byway.h>

struct record {
    int x, y, sum;
};

static struct record records[2];

__attribute__((noinline)) static void mark(int *field)
{
    *field = 1;
}

__attribute__((noinline)) static void fill(struct record *record, const unsigned char *input)
{
    if (input[0] > 9)
        record->x = 1;
    if (input[1] > 9)
        mark(&record->y);
    record->sum = record->x + record->y;
}

int main(void)
{
    unsigned char input[4];
    int i;

    byway_make_symbolic(input, sizeof input, "input");
    for (i = 0; i < 2; i++)
        fill(&records[i], input + 2 * i);
    return 0;
}
