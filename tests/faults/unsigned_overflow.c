// Unsigned arithmetic that wraps around, which C allows.
// checks: unsigned-integer-overflow
int main(void) {
    volatile unsigned x = 0;
    return x - 1 == 5; // FAULT unsigned-overflow
}
