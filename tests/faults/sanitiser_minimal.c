// A handler of the minimal runtime, which gets no description of the defect.
// flags: -fsanitize=bounds -fsanitize-minimal-runtime -fno-sanitize-recover=all
int main(void) {
    int row[4] = {1, 2, 3, 4};
    volatile int i = 4;
    return row[i]; // FAULT array-index
}
