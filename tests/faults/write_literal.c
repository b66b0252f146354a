// A string literal written to.
int main(void) {
    char *s = "constant";
    s[0] = 'C'; // FAULT write-to-constant
    return 0;
}
