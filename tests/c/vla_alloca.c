// Variable-length arrays of one and two dimensions, VLA types in parameters, alloca, stack reuse in loops.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static long trace(int n, int m[n][n]) {
    long t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}
__attribute__((noinline)) static long square(int n) {
    int m[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i * n + j;
    return trace(n, m) + (long)(sizeof m / sizeof m[0][0]);
}
__attribute__((noinline)) static int loop(int rounds) {
    int total = 0;
    for (int i = 1; i <= rounds; i++) {
        // Freed at the end of each round: the sum of all rounds would not fit the stack.
        char buffer[i * 1000];
        memset(buffer, i & 0x7f, sizeof buffer);
        total += buffer[i * 500] + (int)sizeof buffer % 7;
    }
    return total;
}
__attribute__((noinline)) static char *reverse(const char *s, char *out) {
    size_t n = strlen(s);
    char *t = alloca(n + 1);
    for (size_t i = 0; i < n; i++)
        t[i] = s[n - 1 - i];
    t[n] = 0;
    return strcpy(out, t);
}
__attribute__((noinline)) static int list(int n) {
    struct node { struct node *next; int v; } *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *fresh = __builtin_alloca(sizeof *fresh);
        fresh->next = head;
        fresh->v = i;
        head = fresh;
    }
    int sum = 0;
    for (; head; head = head->next)
        sum = sum * 3 + head->v;
    return sum;
}
__attribute__((noinline)) static int early(int n) {
    for (int i = 0; i < n; i++) {
        int a[i + 1];
        a[i] = i;
        if (a[i] == 5)
            goto out;
        if (i % 2)
            continue;
        a[0] = 1;
    }
    return -1;
out:
    return n;
}

int main(void) {
    for (int n = 1; n < 12; n += 2)
        printf("%ld %d %d\n", square(n), list(n), early(n));
    printf("%d\n", loop(300));
    char out[40];
    printf("%s\n", reverse("able was I", out));
    int n = 3;
    typedef int row[n];
    n = 10;
    row r;
    r[2] = 9;
    printf("%zu %d\n", sizeof(row) / sizeof(int), r[2]);
    return 0;
}
