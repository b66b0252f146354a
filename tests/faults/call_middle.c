// A call into the middle of a function.
static int answer(void) { return 42; }

int main(void) {
    char *volatile p = (char *)(void *)answer;
    int (*f)(void) = (int (*)(void))(void *)(p + 1);
    return f(); // FAULT bad-function-pointer
}
