// Loops of every kind, goto into and out of loops, irreducible flow, short circuits, conditionals, comma, tail calls.
#include <stdint.h>
#include <stdio.h>

#define N __attribute__((noinline)) static
static int calls;
static int yes(int x) { calls++; return x; }

N int irreducible(int n, int enter) {
    int r = 0;
    if (enter)
        goto middle;
top:
    r += n;
    n--;
middle:
    r ^= 0x55;
    if (n > 0)
        goto top;
    return r;
}
N int find(int m[4][4], int v) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (m[i][j] == v)
                goto found;
    return -1;
found:
    return v * 2;
}
N unsigned collatz(unsigned n) {
    unsigned steps = 0;
    do {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    } while (n != 1);
    return steps;
}
N int is_odd(unsigned n);
N int is_even(unsigned n) {
    if (n == 0)
        return 1;
    __attribute__((musttail)) return is_odd(n - 1);
}
N int is_odd(unsigned n) {
    if (n == 0)
        return 0;
    __attribute__((musttail)) return is_even(n - 1);
}
N uint64_t ackermann(uint64_t m, uint64_t n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
N int hanoi(int n, int from, int to) { return n == 0 ? 0 : hanoi(n - 1, from, 6 - from - to) + 1 + hanoi(n - 1, 6 - from - to, to); }
N int logic(int a, int b, int c) { return (yes(a) && yes(b)) || (yes(c) && !yes(a)) ? yes(1) : (yes(0), yes(b) ?: 7); }
N const int *select_pointer(int c, const int *a, const int *b) { return c ? a : b; }
N double select_double(int c, double a, double b) { return c > 3 ? a : b; }

int main(void) {
    printf("%d %d\n", irreducible(9, 0), irreducible(9, 1));
    int m[4][4];
    for (int i = 0; i < 16; i++)
        m[i / 4][i % 4] = i * i;
    printf("%d %d\n", find(m, 49), find(m, 50));
    unsigned longest = 0, at = 0;
    for (unsigned i = 2; i < 3000; i++)
        if (collatz(i) > longest)
            longest = collatz(at = i);
    printf("%u %u\n", at, longest);
    printf("%d %d\n", is_even(100001), is_odd(100001));
    printf("%llu %d\n", (unsigned long long)ackermann(2, 9), hanoi(10, 1, 3));
    for (int i = 0; i < 8; i++)
        printf("%d:%d ", logic(i & 1, i & 2, i & 4), calls);
    int x = 3, y = 4, t = ({ int q = x * y; q + 1; });
    printf("\n%d %d %g\n", t, *select_pointer(t > 12, &x, &y), select_double(x, 1.5, 2.5));
    for (int i = 0, j = 10; i < j; i += 3, j--)
        x += i * j;
    while (1) {
        if (x % 7 == 0)
            break;
        x++;
        if (x & 1)
            continue;
        y--;
    }
    printf("%d %d\n", x, y);
    return x & 0x7f;
}
