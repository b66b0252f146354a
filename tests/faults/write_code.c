// A write to a function, which is not a data object.
static int answer(void) { return 42; }

int main(void) {
    char *volatile p = (char *)(void *)answer;
    p[0] = 0; // FAULT wild-pointer
    return answer();
}
