// A variable-length array of no element.
// checks: vla-bound
int main(void) {
    volatile int n = 0;
    volatile char bytes[n]; // FAULT vla-bound
    bytes[0] = 1;
    return bytes[0];
}
