// A null pointer from a function that is declared not to return null.
// checks: returns-nonnull-attribute
__attribute__((returns_nonnull, noinline)) static const char *same(const char *text) {
    return text; // FAULT unexpected-null
}

int main(void) {
    const char *volatile text = 0;
    return same(text) != 0;
}
