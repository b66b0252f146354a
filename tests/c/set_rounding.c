// Sets the rounding mode that is already set, to nearest.
#include <stdio.h>

int main(void) {
    volatile double one = 1, three = 3;
    __builtin_set_flt_rounds(1);
    printf("%d %a\n", __builtin_flt_rounds(), one / three);
    return 0;
}
