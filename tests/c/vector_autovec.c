// Plain loops that the optimiser vectorises: sums, dot products, conversions, min/max, saturation, strided access.
#include <stdint.h>
#include <stdio.h>

enum { N = 203 };
static int32_t a[N], b[N], c[N];
static uint8_t p[N], q[N];
static int16_t s[N];
static float f[N];
static double d[N];

__attribute__((noinline)) static int sum(const int32_t *x, int n) {
    int r = 0;
    for (int i = 0; i < n; i++)
        r += x[i];
    return r;
}
__attribute__((noinline)) static int64_t dot(const int32_t *x, const int32_t *y, int n) {
    int64_t r = 0;
    for (int i = 0; i < n; i++)
        r += (int64_t)x[i] * y[i];
    return r;
}
__attribute__((noinline)) static int dot16(const int16_t *x, const int16_t *y, int n) {
    int r = 0;
    for (int i = 0; i < n; i++)
        r += x[i] * y[i];
    return r;
}
__attribute__((noinline)) static unsigned distance(const uint8_t *x, const uint8_t *y, int n) {
    unsigned r = 0;
    for (int i = 0; i < n; i++)
        r += (unsigned)(x[i] > y[i] ? x[i] - y[i] : y[i] - x[i]);
    return r;
}
__attribute__((noinline)) static void saturate(uint8_t *x, const uint8_t *y, int n) {
    for (int i = 0; i < n; i++) {
        int v = x[i] + y[i];
        x[i] = (uint8_t)(v > 255 ? 255 : v);
    }
}
__attribute__((noinline)) static void average(uint8_t *x, const uint8_t *y, int n) {
    for (int i = 0; i < n; i++)
        x[i] = (uint8_t)((x[i] + y[i] + 1) >> 1);
}
__attribute__((noinline)) static int largest(const int32_t *x, int n) {
    int m = x[0];
    for (int i = 1; i < n; i++)
        m = x[i] > m ? x[i] : m;
    return m;
}
__attribute__((noinline)) static void convert(float *x, double *y, const int32_t *z, int n) {
    for (int i = 0; i < n; i++) {
        x[i] = (float)z[i] * 0.5f;
        y[i] = x[i] / 3.0;
    }
}
__attribute__((noinline)) static void pick(int32_t *x, const int32_t *y, const int32_t *z, int n) {
    for (int i = 0; i < n; i++)
        x[i] = y[i] > z[i] ? y[i] * 3 : z[i] >> 2;
}
__attribute__((noinline)) static int bits(const int32_t *x, int n) {
    int r = 0;
    for (int i = 0; i < n; i++)
        r += __builtin_popcount((unsigned)x[i]) + __builtin_clz((unsigned)x[i] | 1);
    return r;
}
__attribute__((noinline)) static int strided(const int32_t *x, int n) {
    int r = 0;
    for (int i = 0; i + 2 < n; i += 3)
        r += x[i] - 2 * x[i + 1] + 3 * x[i + 2];
    return r;
}
__attribute__((noinline)) static int high(const int16_t *x, int16_t *y, int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        y[i] = (int16_t)((x[i] * x[n - 1 - i]) >> 16);
        r ^= y[i];
    }
    return r;
}
__attribute__((noinline)) static int find(const uint8_t *x, int n, uint8_t v) {
    for (int i = 0; i < n; i++)
        if (x[i] == v)
            return i;
    return -1;
}

int main(void) {
    uint32_t r = 12345;
    for (int i = 0; i < N; i++) {
        r = r * 1664525 + 1013904223;
        a[i] = (int32_t)(r >> 12) - 300000;
        b[i] = (int32_t)(r & 0xffff) - 20000;
        p[i] = (uint8_t)(r >> 24);
        q[i] = (uint8_t)(r >> 16);
        s[i] = (int16_t)((int16_t)(r >> 9) / 16);
    }
    static int16_t t[N];
    for (int n = N - 9; n <= N; n++) {
        printf("%d %lld %d %u %d %d %d %d\n", sum(a, n), (long long)dot(a, b, n), dot16(s, s + 0, n / 8), distance(p, q, n),
               largest(b, n), bits(a, n), strided(b, n), high(s, t, n));
        saturate(p, q, n / 2);
        average(q, p, n);
        pick(c, a, b, n);
        convert(f, d, c, n);
        double total = 0;
        for (int i = 0; i < n; i++)
            total += d[i] + f[i];
        printf("%d %.17g %d %d\n", sum(c, n), total, find(p, n, 255), p[n - 1] + q[n - 1]);
    }
    return 0;
}
