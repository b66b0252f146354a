// A recursion of 200 calls whose frames exceed 8 MiB together.
static int depth(int n) {
    volatile char here[50000];
    here[n] = n;
    return n ? depth(n - 1) + here[n] : 0; // FAULT stack-exhausted
}

int main(void) {
    return depth(200) == 0;
}
