// Objects at fixed addresses, object sizes, and checks of readability.
// paths: 3
// exit-codes: 0
// faults: out-of-bounds@28, out-of-bounds@30
// replay: no
#include <klee/klee.h>
#include <stdlib.h>

int main(void)
{
    volatile char *device = (volatile char *)0x4000;
    char *block = malloc(10);
    int local[3];
    unsigned char c;
    klee_make_symbolic(&c, sizeof c, "c");
    klee_define_fixed_object((void *)0x4000, 64);
    device[0] = 1;
    device[63] = 2;
    if (device[0] + device[63] + device[5] != 3)
        return 9;
    if (klee_get_obj_size(block) != 10 || klee_get_obj_size(block + 4) != 10)
        return 9;
    if (klee_get_obj_size(local) != sizeof local)
        return 9;
    klee_check_memory_access(block, 10);
    klee_check_memory_access(block + 3, 7);
    if (c == 1)
        klee_check_memory_access(block, 11);
    if (c == 2)
        klee_check_memory_access(local + 3, 1);
    return 0;
}
