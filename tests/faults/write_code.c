// A function's code written to.
static int answer(void) { return 42; }

int main(void) {
    char *volatile p = (char *)(void *)answer;
    p[0] = 0; // FAULT write-to-constant
    return answer();
}
