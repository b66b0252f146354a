// free of a local variable.
#include <stdlib.h>

int main(void) {
    int x = 1;
    void *volatile p = &x;
    free(p); // FAULT invalid-free
    return 0;
}
