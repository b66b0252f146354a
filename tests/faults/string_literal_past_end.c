// A read past the terminator of a string literal.
int main(void) {
    const char *s = "short";
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += s[i]; // FAULT out-of-bounds
    return sum;
}
