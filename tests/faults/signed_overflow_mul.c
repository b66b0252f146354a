// long multiplication that overflows in a factorial.
// checks: signed-overflow
static long factorial(int n) {
    long r = 1;
    for (int i = 2; i <= n; i++)
        r = r * i; // FAULT signed-overflow
    return r;
}

int main(void) {
    return factorial(20) > factorial(21);
}
