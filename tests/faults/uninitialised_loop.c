// A variable of a loop's body, which is set in the first iteration only.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int y;
        if (i == 0)
            y = 5;
        if (y == 5) // FAULT uninitialised-read
            sum++;
    }
    return sum;
}
