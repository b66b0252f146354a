// Arguments after the first.
// input: 1
#include <byway.h>
#include <stdarg.h>

static int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int total = 0;
    for (int i = 0; i < count; i++) {
        int next = va_arg(list, int);
        if (i == 2 && next == 30)
            total += 100; // TARGET reached
        if (i == 3)
            total += 1000; // TARGET unreachable
        total += next;
    }
    va_end(list);
    return total;
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int total = sum(x & 3, 10, 20, 30);
    if (total == 60)
        return 1; // TARGET unreachable
    if (total == 160)
        return 2; // TARGET reached
    return 0;
}
