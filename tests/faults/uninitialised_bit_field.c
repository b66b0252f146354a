// A bit-field beside one that was set.
int main(void) {
    struct {
        unsigned a : 3, b : 5;
    } s;
    s.a = 1;
    if (s.a != 1)
        return 1;
    if (s.b == 3) // FAULT uninitialised-read
        return 2;
    return 0;
}
