// Decimal numbers at the limits of the one-operation parser: as many digits and as large
// powers of ten as a format represents exactly, one more, and text that only begins like a number.
#include <stdio.h>
#include <stdlib.h>

static void read_all(const char *text)
{
    char *f_end, *d_end, *l_end;
    float f = strtof(text, &f_end);
    double d = strtod(text, &d_end);
    long double l = strtold(text, &l_end);
    printf("[%s] %d %a, %d %a, %d %La\n", text, (int)(f_end - text), f, (int)(d_end - text), d,
           (int)(l_end - text), l);
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
        "00x1", "0x.8", "inf", "-infinity", "nan", "nan(1)", "9999999", "16777217", "99999999",
        "999999999999999", "9007199254740993", "9999999999999999999", "18446744073709551617",
        "0000000000000000000000000.1", "1e10", "1e11", "1e22", "1e23", "1e27", "1e28", "1e-22", "1e-23",
        "1e-27", "1e-28", "123456789012345e22", "123456789012345e-22", "9999999999999999999e27",
        "9999999999999999999e-27", "1e00005", "1e9999", "1e-9999", "1e00000000005", "0e99999", "1e38", "1e39",
        "1e-46", "1.17549435e-38", "4.9e-324", "1 2", "12abc", "\xb1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) read_all(texts[i]);
    read_many();

    static const unsigned long numbers[] = { 0, 1, 7, 8, 9, 15, 16, 255, 0777777, 1ul << 63, -1ul };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int precision = -1; precision < 26; precision += 3) {
            unsigned long n = numbers[i];
            printf("[%.*lx] [%#.*lX] [%12.*lo] [%#.*lo]", precision, n, precision, n, precision, n, precision, n);
            printf(" [%-9.*lx] [%09.*lo] [%.*lu] [%.0lx]\n", precision, n, precision, n, precision, n, n);
        }
    return 0;
}
