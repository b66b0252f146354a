// A struct keeps the address of a callee's array; other calls happen in between.
struct view { const int *data; int n; };

static struct view make(void) {
    int values[3] = {1, 2, 3};
    struct view v = {values, 3};
    return v;
}
static int other(int n) {
    int local[4] = {n, n, n, n};
    return local[n & 3];
}

int main(void) {
    struct view v = make();
    int sum = other(2);
    for (int i = 0; i < v.n; i++)
        sum += v.data[i]; // FAULT use-after-return
    return sum;
}
