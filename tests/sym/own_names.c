// The functions of byway.h, Byway's own interface.
// paths: 5
// exit-codes: 0 1 2
// faults: reported@27, out-of-bounds@31
// excluded: 1
// inputs: n way letter
#include <byway.h>

int main(void)
{
    int n = byway_range(0, 100, "n");
    size_t way = byway_choose(5, "way");
    char letter;
    byway_make_symbolic(&letter, sizeof letter, "letter");
    byway_prefer(letter == 'x');
    if (!byway_is_replay()) {
        if (!byway_is_symbolic(n) || byway_is_symbolic(byway_value(n)))
            return 9;
        if (byway_object_size(&letter) != 1)
            return 9;
    }
    byway_say("on the way");
    byway_print_term("n + 1", n + 1);
    byway_print_range("n", n);
    switch (way) {
    case 0:
        byway_report("found");
    case 1:
        byway_exclude();
    case 2:
        byway_check_access(&letter, 2);
        return 9;
    case 3:
        return n < 100 ? 1 : 9;
    }
    if (n == 50)
        return 2;
    return 0;
}
