// Character classes, case mapping, wide characters, UTF-8 conversion by hand, div and similar functions.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static int encode(unsigned c, char *out) {
    if (c < 0x80)
        return out[0] = (char)c, 1;
    if (c < 0x800)
        return out[0] = (char)(0xc0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000)
        return out[0] = (char)(0xe0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)), out[2] = (char)(0x80 | (c & 63)), 3;
    out[0] = (char)(0xf0 | c >> 18), out[1] = (char)(0x80 | (c >> 12 & 63)), out[2] = (char)(0x80 | (c >> 6 & 63));
    return out[3] = (char)(0x80 | (c & 63)), 4;
}

int main(void) {
    int counts[12] = {0};
    unsigned mix = 0;
    for (int c = 0; c < 128; c++) {
        int bits[] = {!!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c), !!islower(c), !!ispunct(c), !!isprint(c), !!isgraph(c),
                      !!iscntrl(c), !!isxdigit(c), !!isblank(c)};
        for (int i = 0; i < 12; i++) {
            counts[i] += bits[i];
            mix = mix * 3 + (unsigned)bits[i];
        }
        mix = mix * 31 + (unsigned)toupper(c) + 7u * (unsigned)tolower(c);
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", counts[i]);
    printf("%u\n", mix);
    wchar_t wide[20] = L"wide";
    wcscat(wide, L" text");
    printf("%zu %d %td %d\n", wcslen(wide), wcscmp(wide, L"wide texu"), wcschr(wide, L't') - wide, iswalpha(L'x') != 0);
    printf("%ls %d %lc\n", wide, (int)wcstol(L"123", NULL, 10), (wint_t)towupper(L'q'));
    char utf8[8] = {0};
    static const unsigned points[] = {'A', 0xe9, 0x20ac, 0x1f600};
    for (int i = 0; i < 4; i++) {
        int n = encode(points[i], utf8);
        for (int k = 0; k < n; k++)
            printf("%02x", (unsigned char)utf8[k]);
        printf(" ");
    }
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(1000000007, -3);
    lldiv_t ll = lldiv(-9000000000, 7);
    imaxdiv_t m = imaxdiv(99, 10);
    printf("\n%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, m.quot, m.rem);
    printf("%d %ld %lld %jd\n", abs(-5), labs(-6), llabs(7), imaxabs(-8));
    return 0;
}
