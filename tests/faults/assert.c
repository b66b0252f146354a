// A failed assertion.
#include <assert.h>

static int root(int x) {
    assert(x >= 0); // FAULT assert
    int r = 0;
    while ((r + 1) * (r + 1) <= x)
        r++;
    return r;
}

int main(void) {
    return root(50) + root(-1);
}
