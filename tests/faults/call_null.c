// A call through a null function pointer.
#include <stddef.h>

typedef int (*handler)(int);
static int twice(int x) { return 2 * x; }
static handler handlers[3] = {twice, NULL, twice};

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += handlers[i](i); // FAULT bad-function-pointer
    return sum;
}
