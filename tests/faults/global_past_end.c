// A read past the end of a global array; it must not read an adjacent object.
static int before[4], table[4] = {1, 2, 3, 4}, after[4];

static int get(int i) {
    return table[i]; // FAULT out-of-bounds
}

int main(void) {
    before[3] = after[0] = 7;
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += get(i);
    return sum;
}
