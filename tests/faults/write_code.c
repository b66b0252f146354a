// A write to a function: code is no data object.
static int answer(void) { return 42; }

int main(void) {
    char *volatile p = (char *)(void *)answer;
    p[0] = 0; // FAULT wild-pointer
    return answer();
}
