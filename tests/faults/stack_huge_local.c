// A local array larger than the memory limit of a program.
__attribute__((noinline)) static int use(unsigned long n) {
    char a[n]; // FAULT stack-exhausted
    a[n / 2] = 1;
    return a[n / 2];
}

int main(void) {
    volatile unsigned long n = 1ul << 40;
    return use(n);
}
