// klee_get_value* returns a possible value and adds no constraint.
// paths: 3
// exit-codes: 0 1 2
// faults: none
// replay: no
// diverged: 1
#include <klee/klee.h>

int main(void)
{
    int n = klee_int("n");
    double d;
    float f;
    klee_make_symbolic(&d, sizeof d, "d");
    klee_make_symbolic(&f, sizeof f, "f");
    if (!klee_is_symbolic(n) || klee_is_symbolic(5) || klee_is_replay())
        return 9;
    int one = klee_get_value_i32(n);
    long wide = klee_get_valuel(n);
    if (klee_is_symbolic(one) || klee_is_symbolic(wide) || wide != (int)wide)
        return 9;
    if (klee_get_value_i64(-7) != -7 || klee_get_valuell(1ll << 40) != 1ll << 40)
        return 9;
    if (klee_get_valuef(1.5f) != 1.5f || klee_get_valued(-2.5) != -2.5)
        return 9;
    double some = klee_get_valued(d);
    float any = klee_get_valuef(f);
    if (klee_is_symbolic(some > 1) || klee_is_symbolic(any > 1))
        return 9;
    if (n != one)
        return 1; // it can still be another
    klee_assume(n == one);
    if (n != one)
        return 9;
    if (d == 4.25)
        return 2;
    return 0;
}
