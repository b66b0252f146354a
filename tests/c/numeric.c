// Floating-point programs: n-body, FFT, Mandelbrot, Newton's method, Simpson's rule, Kahan summation.
// flags: -lm -ffp-contract=off
#include <math.h>
#include <stdio.h>

struct body { double p[3], v[3], mass; };
static void advance(struct body *b, int n, double dt) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = b[i].p[k] - b[j].p[k];
                r2 += d[k] * d[k];
            }
            double f = dt / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) {
                b[i].v[k] -= d[k] * b[j].mass * f;
                b[j].v[k] += d[k] * b[i].mass * f;
            }
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            b[i].p[k] += dt * b[i].v[k];
}
static void fft(double *re, double *im, int n, int sign) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j], re[j] = t;
            t = im[i], im[i] = im[j], im[j] = t;
        }
    }
    for (int length = 2; length <= n; length *= 2)
        for (int i = 0; i < n; i += length)
            for (int k = 0; k < length / 2; k++) {
                double angle = sign * 6.283185307179586 * k / length, c = cos(angle), s = sin(angle);
                int a = i + k, b = a + length / 2;
                double tr = re[b] * c - im[b] * s, ti = re[b] * s + im[b] * c;
                re[b] = re[a] - tr, im[b] = im[a] - ti;
                re[a] += tr, im[a] += ti;
            }
}
static int mandelbrot(double cr, double ci) {
    double r = 0, i = 0;
    int n = 0;
    while (n < 50 && r * r + i * i < 4) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
        n++;
    }
    return n;
}

int main(void) {
    struct body b[3] = {{{0, 0, 0}, {0, 0, 0}, 40}, {{4.8, -1.2, -0.1}, {0.6, 2.8, -0.02}, 0.04}, {{8.3, 4.1, -0.4}, {-1, 1.8, 0.008}, 0.01}};
    for (int i = 0; i < 500; i++)
        advance(b, 3, 0.01);
    printf("%.10f %.10f %.10f\n", b[0].p[0], b[1].p[1], b[2].p[2]);
    double re[64], im[64];
    for (int i = 0; i < 64; i++)
        re[i] = i % 7 - 3.0, im[i] = 0;
    fft(re, im, 64, 1);
    printf("%.8f %.8f\n", re[5], im[9]);
    fft(re, im, 64, -1);
    printf("%.8f\n", re[10] / 64);
    for (int y = 0; y < 20; y++) {
        for (int x = 0; x < 60; x++)
            putchar(" .:-=+*#%@"[mandelbrot(x / 20.0 - 2.2, y / 9.0 - 1.1) % 10]);
        putchar('\n');
    }
    double x = 1;
    for (int i = 0; i < 8; i++)
        x -= (x * x * x - 7) / (3 * x * x);
    double area = 0;
    for (int i = 0; i <= 100; i++)
        area += exp(-(i / 50.0) * (i / 50.0)) * (i == 0 || i == 100 ? 1 : i % 2 ? 4 : 2);
    float naive = 0, kahan = 0, carry = 0;
    for (int i = 1; i < 20000; i++) {
        float term = 1.0f / (float)i;
        naive += term;
        float y = term - carry, t = kahan + y;
        carry = (t - kahan) - y;
        kahan = t;
    }
    printf("%.15f %.10f %a %a\n", x, area / 150, (double)naive, (double)kahan);
    return 0;
}
