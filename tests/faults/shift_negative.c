// A right shift by a negative amount.
// checks: shift
int main(void) {
    volatile long x = -8;
    volatile int n = -1;
    return (int)(x >> n); // FAULT invalid-shift
}
