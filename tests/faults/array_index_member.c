// An index past an array that is followed by another member of the same struct.
// checks: bounds
struct table { int row[4]; int next[4]; };

int main(void) {
    struct table table = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    volatile int i = 5;
    return table.row[i]; // FAULT array-index
}
