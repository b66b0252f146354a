// The number of leading zeros of zero.
// checks: builtin
int main(void) {
    volatile unsigned zero = 0;
    return __builtin_clz(zero); // FAULT invalid-builtin
}
