// Integer division by zero.
static int mean(const int *v, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n; // FAULT division-by-zero
}

int main(void) {
    int v[] = {1, 2, 3};
    return mean(v, 3) + mean(v, 0);
}
