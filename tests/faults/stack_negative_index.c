// A negative index into a local array, computed at run time.
static int find(const int *v, int n, int x) {
    for (int i = 0; i < n; i++)
        if (v[i] == x)
            return i;
    return -1;
}

int main(void) {
    int v[4] = {1, 2, 3, 4};
    int at = find(v, 4, 9);
    v[at] = 0; // FAULT out-of-bounds
    return v[0];
}
