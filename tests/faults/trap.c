// __builtin_trap.
static void must(int condition) {
    if (!condition)
        __builtin_trap(); // FAULT trap
}

int main(void) {
    must(1);
    must(0);
    return 0;
}
