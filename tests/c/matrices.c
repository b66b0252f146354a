// Matrices: multiplication in ints and doubles, LU determinant, transposition, a stencil, fixed-point rotation.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 12 };
__attribute__((noinline)) static void multiply(int n, const double a[n][n], const double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
__attribute__((noinline)) static void multiply_mod(uint64_t c[2][2], uint64_t a[2][2], uint64_t b[2][2], uint64_t m) {
    uint64_t r[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            r[i][j] = (a[i][0] * b[0][j] + a[i][1] * b[1][j]) % m;
    memcpy(c, r, sizeof r);
}
__attribute__((noinline)) static uint64_t fibonacci(uint64_t n) {
    uint64_t r[2][2] = {{1, 0}, {0, 1}}, x[2][2] = {{1, 1}, {1, 0}};
    for (; n; n >>= 1) {
        if (n & 1)
            multiply_mod(r, r, x, 1000000007);
        multiply_mod(x, x, x, 1000000007);
    }
    return r[0][1];
}
__attribute__((noinline)) static double determinant(double m[N][N]) {
    double d = 1;
    for (int i = 0; i < N; i++) {
        int pivot = i;
        for (int r = i + 1; r < N; r++)
            if (__builtin_fabs(m[r][i]) > __builtin_fabs(m[pivot][i]))
                pivot = r;
        if (pivot != i) {
            double row[N];
            memcpy(row, m[i], sizeof row);
            memcpy(m[i], m[pivot], sizeof row);
            memcpy(m[pivot], row, sizeof row);
            d = -d;
        }
        d *= m[i][i];
        for (int r = i + 1; r < N; r++) {
            double f = m[r][i] / m[i][i];
            for (int c = i; c < N; c++)
                m[r][c] -= f * m[i][c];
        }
    }
    return d;
}

int main(void) {
    static double a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 3) % 11 - 5;
            b[i][j] = 1.0 / (i + j + 1);
        }
    multiply(N, a, b, c);
    printf("%.12g %.12g\n", c[3][4], c[11][0]);
    multiply(3, (const double (*)[3])a, (const double (*)[3])a, (double (*)[3])c);
    printf("%.12g\n", c[0][5]);
    for (int i = 0; i < N; i++)
        a[i][i] += 20;
    printf("%.10g\n", determinant(a));
    printf("%llu %llu\n", (unsigned long long)fibonacci(10), (unsigned long long)fibonacci(1000000000000ull));
    static float grid[20][20], next[20][20];
    grid[10][10] = 1000;
    for (int step = 0; step < 30; step++) {
        for (int i = 1; i < 19; i++)
            for (int j = 1; j < 19; j++)
                next[i][j] = (grid[i][j] * 4 + grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) / 8;
        memcpy(grid, next, sizeof grid);
    }
    printf("%a %a\n", (double)grid[10][10], (double)grid[3][17]);
    int32_t x = 1 << 16, y = 0;
    for (int i = 0; i < 1000; i++) {
        int32_t nx = (int32_t)(((int64_t)x * 65495 - (int64_t)y * 2287) >> 16);
        y = (int32_t)(((int64_t)x * 2287 + (int64_t)y * 65495) >> 16);
        x = nx;
    }
    printf("%d %d\n", x, y);
    return 0;
}
