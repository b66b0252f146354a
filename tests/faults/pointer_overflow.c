// An offset from a null pointer.
// checks: pointer-overflow
int main(void) {
    char *volatile null = 0;
    volatile long n = 8;
    return (long)(null + n) == 8; // FAULT pointer-overflow
}
