// A call through a pointer to another type of function.
// checks: function
static long widen(long x) { return x; }

int main(void) {
    int (*volatile call)(int) = (int (*)(int))widen;
    return call(1); // FAULT function-type
}
