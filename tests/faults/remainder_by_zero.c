// Unsigned remainder by zero.
int main(void) {
    volatile unsigned long a = 10, b = 0;
    return (int)(a % b); // FAULT division-by-zero
}
