// 128-bit division by zero.
int main(void) {
    volatile __int128 a = 10, b = 0;
    return (int)(a / b); // FAULT division-by-zero
}
