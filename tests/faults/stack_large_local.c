// A local array of more than 8 MiB, the usual limit of a stack.
__attribute__((noinline)) static int use(int n) {
    volatile char a[9 << 20];
    a[n] = 1;
    return a[n];
}

int main(void) {
    return use(3); // FAULT stack-exhausted
}
