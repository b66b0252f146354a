// A read past the end of an array that was never set: the bounds come first.
int main(int argc, char **argv) {
    int v[3];
    return v[argc + 2] == 7; // FAULT out-of-bounds
}
