// Infinite recursion.
static int depth(int n) {
    volatile int here = n;
    return depth(here + 1) + 1; // FAULT stack-exhausted
}

int main(void) {
    return depth(0);
}
