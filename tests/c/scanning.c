// sscanf in all conversions; strtol, strtoul, strtod, strtold and atoi with bases, limits and end pointers.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int a, b, c, n;
    unsigned u;
    long l;
    long long ll;
    short h;
    signed char hh;
    float f;
    double d;
    long double ld;
    char word[20], chars[4] = {0}, set[20];
    printf("%d %d %d\n", sscanf("12 -7 0x1f", "%d %d %i", &a, &b, &c), a, c);
    printf("%d", sscanf("4294967295 123456789012 -9 300", "%u %lld %hd %hhd", &u, &ll, &h, &hh));
    printf(" %u %lld %d %d\n", u, ll, h, hh);
    printf("%d", sscanf("3.25 -1e10 0x1.8p3", "%f %lf %Lf", &f, &d, &ld));
    printf(" %g %g %Lg\n", f, d, ld);
    printf("%d", sscanf("hello wide world", "%s %3c%n", word, chars, &n));
    printf(" %s %s %d\n", word, chars, n);
    printf("%d", sscanf("key=value;rest", "%[a-z]=%[^;]", word, set));
    printf(" %s %s\n", word, set);
    printf("%d", sscanf("10,20", "%*d,%d", &a));
    printf(" %d\n", a);
    printf("%d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a));
    printf("%d", sscanf("777 ff", "%o %x", &u, (unsigned *)&a));
    printf(" %u %d\n", u, a);
    printf("%d %ld\n", sscanf("99999", "%3ld", &l), l);
    const char *numbers[] = {"0", "42", "-17", "+8", "  77xyz", "0x1F", "017", "0b101", "9223372036854775807", "9223372036854775808",
                             "-9223372036854775809", "", "abc", "zz", "99999999999999999999999"};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;
        for (int base = 0; base <= 36; base += 12) {
            errno = 0;
            long v = strtol(numbers[i], &end, base);
            printf(" %ld+%d%c", v, (int)(end - numbers[i]), errno == ERANGE ? '!' : ' ');
        }
        errno = 0;
        unsigned long v = strtoul(numbers[i], &end, 10);
        printf(" %lu+%d%c %d\n", v, (int)(end - numbers[i]), errno == ERANGE ? '!' : ' ', atoi(i < 8 ? numbers[i] : "5"));
    }
    const char *reals[] = {"0", "1.5", "-2.25e3", ".5", "5.", "1e400", "1e-400", "4.9e-324", "2.2250738585072011e-308", "0x1.921fb54442d18p1", "inf",
                           "-infinity", "nan", "1e", "0.1", "179769313486231580793e289", "123456789012345678901234567890", "9007199254740993",
                           "1.00000000000000011102230246251565404236316680908203125", "0x1.00000000000008p0", "abc"};
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
        char *end;
        double x = strtod(reals[i], &end);
        printf("%.17g+%d %.9g %.21Lg\n", x, (int)(end - reals[i]), (double)strtof(reals[i], NULL), strtold(reals[i], NULL));
    }
    printf("%g %ld %lld %jd\n", atof("2.5"), atol("-5"), atoll("123456789012"), strtoimax("-42", NULL, 10));
    return 0;
}
