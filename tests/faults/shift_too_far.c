// A shift by the width of the type.
// checks: shift
int main(void) {
    volatile unsigned x = 1;
    volatile int n = 31;
    unsigned fine = x << n;
    n = 32;
    return (int)(fine ^ x << n); // FAULT invalid-shift
}
