// A divisor that was never set.
static int divide(int a, const int *b) {
    return a / *b; // FAULT uninitialised-read
}

int main(int argc, char **argv) {
    int b;
    if (argc > 1)
        b = argc;
    return divide(7, &b);
}
