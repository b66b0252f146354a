// Search and dynamic programming: queens, sudoku, knapsack, longest common subsequence, permutations, life, sieve.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
    if (row == n)
        return 1;
    int count = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}
static int fits(const char *g, int at, char d) {
    int r = at / 9, c = at % 9;
    for (int i = 0; i < 9; i++)
        if (g[r * 9 + i] == d || g[i * 9 + c] == d || g[(r / 3 * 3 + i / 3) * 9 + c / 3 * 3 + i % 3] == d)
            return 0;
    return 1;
}
static int solve(char *g, int *steps) {
    ++*steps;
    char *hole = strchr(g, '.');
    if (!hole)
        return 1;
    for (char d = '1'; d <= '9'; d++)
        if (fits(g, (int)(hole - g), d)) {
            *hole = d;
            if (solve(g, steps))
                return 1;
            *hole = '.';
        }
    return 0;
}
static int lcs(const char *a, const char *b) {
    static int table[64][64];
    int n = (int)strlen(a), m = (int)strlen(b);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
    return table[n][m];
}
static int permutations(char *s, int n, unsigned *hash) {
    if (n == 1) {
        for (char *p = s; *p; p++)
            *hash = *hash * 31 + (unsigned)*p;
        return 1;
    }
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += permutations(s, n - 1, hash);
        char *x = n % 2 ? s : s + i, t = *x;
        *x = s[n - 1];
        s[n - 1] = t;
    }
    return count;
}

int main(void) {
    for (int n = 4; n < 9; n++)
        printf("%d ", queens(n, 0, 0, 0, 0));
    char grid[] = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    int steps = 0, solved = solve(grid, &steps);
    printf("\n%d %d %s\n", solved, steps, grid);
    printf("%d\n", lcs("the quick brown fox jumped", "a quirky browser fix jumps"));
    int weights[] = {12, 7, 11, 8, 9, 6, 14}, values[] = {24, 13, 23, 15, 16, 11, 28}, best[51] = {0};
    for (int i = 0; i < 7; i++)
        for (int w = 50; w >= weights[i]; w--)
            if (best[w - weights[i]] + values[i] > best[w])
                best[w] = best[w - weights[i]] + values[i];
    char letters[] = "abcdef";
    unsigned hash = 7;
    int count = permutations(letters, 6, &hash);
    printf("%d %d %u\n", best[50], count, hash);
    uint64_t world[32] = {0};
    world[10] = 0x0000000700000000u, world[11] = 0x0000000100000000u, world[12] = 0x0000000200000000u, world[20] = 0x00000000000000ffu;
    for (int generation = 0; generation < 40; generation++) {
        uint64_t next[32];
        for (int r = 0; r < 32; r++) {
            next[r] = 0;
            for (int c = 0; c < 64; c++) {
                int n = 0;
                for (int dr = -1; dr <= 1; dr++)
                    for (int dc = -1; dc <= 1; dc++)
                        if (dr || dc)
                            n += (int)(world[(r + dr + 32) % 32] >> ((c + dc + 64) % 64) & 1);
                next[r] |= (uint64_t)(n == 3 || (n == 2 && (world[r] >> c & 1))) << c;
            }
        }
        memcpy(world, next, sizeof world);
    }
    uint64_t mix = 0;
    for (int r = 0; r < 32; r++)
        mix = mix * 0x100000001b3u ^ world[r];
    static unsigned char composite[20000];
    int primes = 0;
    for (int i = 2; i < 20000; i++) {
        primes += !composite[i];
        for (int j = i * 2; j < 20000; j += i)
            composite[j] = 1;
    }
    printf("%016llx %d\n", (unsigned long long)mix, primes);
    return 0;
}
