// Decimal numbers at the limits of the one-operation parser: as many digits and as large
// powers of ten as a format represents exactly, one more, text that only begins like a number,
// and random text of the characters of numbers.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#ifndef TEXTS
#define TEXTS 2048
#endif

static void read_all(const char *text)
{
    char *f_end, *d_end, *l_end;
    errno = 0;
    float f = strtof(text, &f_end);
    int f_errno = errno;
    errno = 0;
    double d = strtod(text, &d_end);
    int d_errno = errno;
    errno = 0;
    long double l = strtold(text, &l_end);
    printf("[%s] %d %a %d, %d %a %d, %d %La %d\n", text, (int)(f_end - text), f, f_errno,
           (int)(d_end - text), d, d_errno, (int)(l_end - text), l, errno);
}

static unsigned long long random_number(void)
{
    static unsigned long long random = 12345;
    return (random = random * 6364136223846793005u + 1442695040888963407u) >> 20;
}

// A hash of the results of all functions that read a number.
static uint64_t digest(uint64_t hash, const void *bytes, int count)
{
    for (int i = 0; i < count; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

static uint64_t digest_of(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    char *end;
    wchar_t wide[64], *wide_end;
    float f[3] = { 0 };
    double d[3] = { 0 };
    long double l[3] = { 0 };
    int counts[10] = { 0 };

    for (int i = 0; (wide[i] = text[i]); i++) {}
    errno = 0;
    f[0] = strtof(text, &end), counts[0] = end - text;
    d[0] = strtod(text, &end), counts[1] = end - text;
    l[0] = strtold(text, &end), counts[2] = end - text;
    counts[3] = errno, errno = 0;
    f[1] = wcstof(wide, &wide_end), counts[4] = wide_end - wide;
    d[1] = wcstod(wide, &wide_end), counts[5] = wide_end - wide;
    l[1] = wcstold(wide, 0);
    counts[6] = errno, errno = 0;
    counts[7] = sscanf(text, "%f%n", &f[2], &counts[8]);
    counts[9] = sscanf(text, "%lf", &d[2]) + 2 * sscanf(text, "%Lf", &l[2]) + 4 * errno;
    hash = digest(digest(digest(hash, counts, sizeof counts), f, sizeof f), d, sizeof d);
    for (int i = 0; i < 3; i++) hash = digest(hash, &l[i], 10);
    return hash;
}

// Many texts, and a line for every 64 of them.
static void read_random_text(int texts)
{
    static const char characters[] = "00123456789012345678999..eE+-- xpinfa";
    uint64_t sum = 0;
    char text[64];
    for (int i = 1; i <= texts; i++) {
        int length = 1 + random_number() % (i % 8 ? 9 : 40);
        for (int k = 0; k < length; k++) text[k] = characters[random_number() % (i % 3 ? 25 : sizeof characters - 1)];
        text[length] = 0;
        if (i % 5 == 2) memcpy(text, "0x", length < 2 ? length : 2);
        int exponent = (int)(random_number() % 700) - 350;
        if (i % 3 == 1) sprintf(text + length, i % 5 == 2 ? "p%d" : "e%d", i % 5 == 2 ? 4 * exponent : exponent);
        sum = digest(sum, &(uint64_t){ digest_of(text) }, 8);
        if (i % 64 == 0) printf("%d [%s] %016llx\n", i, text, (unsigned long long)sum);
    }
}

// Numbers whose rounding is close: digits, and a power of ten.
static void read_many(void)
{
    unsigned long long random = 12345;
    char text[64];
    for (int i = 0; i < 3000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int digits = 1 + i % 20, power = (int)(random >> 59) - 16 + (i & 1 ? 12 : -12);
        unsigned long long number = random >> 8;
        for (int k = 0; k < digits; k++, number /= 3) text[k] = '0' + number % 10;
        sprintf(text + digits, "%se%d", i % 3 ? "" : ".5", power);
        printf("%a %a %La\n", strtof(text, 0), strtod(text, 0), strtold(text, 0));
    }
}

int main(void)
{
    static const char *const texts[] = {
        "", ".", "+", "-", "e5", ".e5", "0", "-0", "+0.0", "-.0e-9", "1", "-1", "  \t\n7", "1.", ".5",
        "-.5", "0.1", "0.3", "1e", "1e+", "1e-x", "1e5", "1E-5", "1.5e+2x", "1..2", "1.2.3", "0x", "0x1p4",
        "00x1", "0x.8", "0xg", "0x.", "0x.p1", "-0x1.8p-3z", "0x1p", "0x1p+", "0X.Ap1", "0xabcdef.123456789p-9", "0xffffffp100",
        "0x1p127", "0x1p128", "0x1p-126", "0x1p-127", "0x1.8p-150", "0x1p1023", "0x1p1024", "0x1p-1022", "0x1.8p-1075", "0x0p9999", "0x1p-16400",
        "0x123456789abcdef01", "0x1.00000000000008p0", "0x1.00000000000018p0", "0x1.000001p0", "0x1.000003p0", "inf", "-infinity", "nan", "nan(1)", "9999999", "16777217", "99999999",
        "999999999999999", "9007199254740993", "9999999999999999999", "18446744073709551617",
        "0000000000000000000000000.1", "1e10", "1e11", "1e22", "1e23", "1e27", "1e28", "1e-22", "1e-23",
        "1e-27", "1e-28", "123456789012345e22", "123456789012345e-22", "9999999999999999999e27",
        "9999999999999999999e-27", "1e00005", "1e9999", "1e-9999", "1e00000000005", "0e99999", "1e38", "1e39",
        "1e-46", "1.17549435e-38", "4.9e-324", "2.4e-324", "1e-324", "1e-325", "7e-46", "9e-47", "1e308", "1.8e308",
        "1e309", "0e309", "0.000e-999", "1e4932", "1e4933", "1e-4951", "1e-4952", "1e-4953", "1e-4954", "1e20000",
        "1e-20000", "9999999999999999e0", "9007199254740993e0", "1234567890123456e1", "1e99999999999999999999",
        "1e-99999999999999999999", "0e99999999999999999999", "1 2", "12abc", "\xb1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) read_all(texts[i]);
    read_many();
    read_random_text(TEXTS);

    static const unsigned long numbers[] = { 0, 1, 7, 8, 9, 15, 16, 255, 0777777, 1ul << 63, -1ul };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int precision = -1; precision < 26; precision += 3) {
            unsigned long n = numbers[i];
            printf("[%.*lx] [%#.*lX] [%12.*lo] [%#.*lo]", precision, n, precision, n, precision, n, precision, n);
            printf(" [%-9.*lx] [%09.*lo] [%.*lu] [%.0lx]\n", precision, n, precision, n, precision, n, n);
        }
    return 0;
}
