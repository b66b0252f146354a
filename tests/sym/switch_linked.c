// Two dependent bytes: most targets of the switch are infeasible, and the others are
// all found.
// paths: 4
// exit-codes: 10 20 45 99
#include <byway.h>

int main(void)
{
    unsigned char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    byway_assume(a + b == 6);
    switch (a) {
    case 0: return 10;
    case 7: return 11;
    case 8: return 12;
    case 2: return 20;
    case 200:
    case 201: return 21;
    case 9: return 22;
    case 4:
    case 5:
    case 100: return 45;
    case 64: return 46;
    case 128: return 47;
    default: return 99;
    }
}
