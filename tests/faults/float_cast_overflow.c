// A conversion of a number that does not fit the integer type.
// checks: float-cast-overflow
int main(void) {
    volatile double large = 1e10;
    return (int)large; // FAULT float-cast-overflow
}
