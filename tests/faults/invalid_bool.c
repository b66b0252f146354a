// A truth value that is neither 0 nor 1.
// checks: bool
int main(void) {
    volatile unsigned char byte = 7;
    return *(volatile _Bool *)&byte; // FAULT invalid-value
}
