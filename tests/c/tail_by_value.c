// Calls marked musttail with structs passed by value: changes of the caller to its
// copy are passed on, and the original is unchanged.
#include <stdio.h>

struct big {
    long a[6];
};

__attribute__((noinline)) static long last(int n, struct big b, struct big c) {
    long sum = n;
    for (int i = 0; i < 6; i++) sum = sum * 31 + b.a[i] - 7 * c.a[5 - i];
    b.a[0] = sum;
    return b.a[0];
}

__attribute__((noinline)) static long step(int n, struct big b, struct big c) {
    b.a[n % 6] += n;
    c.a[n % 5] ^= n << 3;
    if (n == 0) __attribute__((musttail)) return last(n, b, c);
    if (n % 3 == 0) __attribute__((musttail)) return step(n - 1, c, b);
    __attribute__((musttail)) return step(n - 1, b, c);
}

__attribute__((noinline)) static long other(int n, struct big b, struct big c) {
    struct big local = {{b.a[5], c.a[4], 1, 2, 3, n}};
    __attribute__((musttail)) return last(n, local, b);
}

// No tail call: one copy per call, in a loop and from the same object twice.
__attribute__((noinline)) static long change(struct big *same, struct big copy, struct big again) {
    same->a[0] += 1;
    copy.a[1] *= 3;
    return same->a[0] * 10000 + copy.a[0] * 100 + copy.a[1] + again.a[1];
}

int main(void) {
    struct big x = {{1, 2, 3, 4, 5, 6}}, y = {{-1, 10, -100, 1000, -10000, 100000}};
    printf("%ld\n", step(13, x, y));
    printf("%ld\n", other(4, y, x));
    for (int i = 0; i < 5; i++) printf("%ld\n", change(&x, x, x));
    for (int i = 0; i < 6; i++) printf("%ld %ld\n", x.a[i], y.a[i]);
    return 0;
}
