// A shift that clang folds unless it checks it.
// checks: shift
// flags: -w
int main(void) {
    return 1 << 32; // FAULT invalid-shift
}
