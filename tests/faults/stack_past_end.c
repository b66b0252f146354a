// A loop that runs one element too far over a local array.
int main(void) {
    int a[8], sum = 0;
    for (int i = 0; i <= 8; i++)
        a[i] = i; // FAULT out-of-bounds
    for (int i = 0; i < 8; i++)
        sum += a[i];
    return sum;
}
