// A null pointer for a parameter that is declared not to be null.
// checks: nonnull-attribute
__attribute__((nonnull, noinline)) static int first(const char *text) { return text != 0; }

int main(void) {
    const char *volatile text = 0;
    return first(text); // FAULT unexpected-null
}
