// A call that uses the result of a function that returns none.
static int seen;

static void note(int a) {
    seen = a;
}

int main(void) {
    int (*volatile call)(int) = (int (*)(int))note;
    call(1);
    return call(2) + seen; // FAULT bad-function-pointer
}
