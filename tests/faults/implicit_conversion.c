// A conversion that changes the value, which C allows.
// checks: implicit-conversion
int main(void) {
    volatile int x = 300;
    signed char small = x; // FAULT implicit-conversion
    return small;
}
