// A call through a pointer to a function that takes one argument more.
static int sum(int a, int b) {
    return a + b;
}

int main(void) {
    int (*volatile call)(int) = (int (*)(int))sum;
    return call(1); // FAULT bad-function-pointer
}
