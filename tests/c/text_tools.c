// Text algorithms: KMP search, a small regular-expression matcher, base64, edit distance, Roman numerals, word wrap, big factorials.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int kmp(const char *text, const char *word) {
    int n = (int)strlen(word), fail[32] = {0}, hits = 0;
    for (int i = 1, k = 0; i < n; i++) {
        while (k && word[i] != word[k])
            k = fail[k - 1];
        fail[i] = k += word[i] == word[k];
    }
    for (int k = 0; *text; text++) {
        while (k && *text != word[k])
            k = fail[k - 1];
        k += *text == word[k];
        if (k == n)
            hits++, k = fail[k - 1];
    }
    return hits;
}
static int here(const char *re, const char *s);
static int star(char c, const char *re, const char *s) {
    do
        if (here(re, s))
            return 1;
    while (*s && (*s++ == c || c == '.'));
    return 0;
}
static int here(const char *re, const char *s) {
    if (!*re)
        return 1;
    if (re[1] == '*')
        return star(re[0], re + 2, s);
    if (re[1] == '?')
        return here(re + 2, s) || (*s && (*re == '.' || *re == *s) && here(re + 2, s + 1));
    if (*re == '$' && !re[1])
        return !*s;
    return *s && (*re == '.' || *re == *s) && here(re + 1, s + 1);
}
static int match(const char *re, const char *s) {
    if (*re == '^')
        return here(re + 1, s);
    do
        if (here(re, s))
            return 1;
    while (*s++);
    return 0;
}
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static char *encode(const unsigned char *in, size_t n) {
    char *out = malloc((n + 2) / 3 * 4 + 1), *o = out;
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)in[i] << 16 | (i + 1 < n ? (unsigned)in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0u);
        *o++ = digits[v >> 18], *o++ = digits[v >> 12 & 63];
        *o++ = i + 1 < n ? digits[v >> 6 & 63] : '=', *o++ = i + 2 < n ? digits[v & 63] : '=';
    }
    *o = 0;
    return out;
}
static size_t decode(const char *in, unsigned char *out) {
    size_t n = 0;
    unsigned v = 0, bits = 0;
    for (; *in && *in != '='; in++) {
        v = v << 6 | (unsigned)(strchr(digits, *in) - digits);
        if ((bits += 6) >= 8)
            out[n++] = (unsigned char)(v >> (bits -= 8));
    }
    return n;
}
static int distance(const char *a, const char *b) {
    int m = (int)strlen(b), row[64];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; *a; a++, i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int up = row[j], cost = corner + (*a != b[j - 1]);
            row[j] = up + 1 < cost ? up + 1 : cost;
            if (row[j - 1] + 1 < row[j])
                row[j] = row[j - 1] + 1;
            corner = up;
        }
    }
    return row[m];
}
static void roman(int n) {
    static const struct { int v; const char *s; } table[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
    for (int i = 0; n; i++)
        for (; n >= table[i].v; n -= table[i].v)
            fputs(table[i].s, stdout);
    putchar(' ');
}
static void factorial(int n) {
    static unsigned char d[200];
    int length = 1;
    memset(d, 0, sizeof d);
    d[0] = 1;
    for (int i = 2; i <= n; i++) {
        int carry = 0;
        for (int k = 0; k < length || carry; k++) {
            int v = d[k] * i + carry;
            d[k] = (unsigned char)(v % 10);
            carry = v / 10;
            if (k >= length)
                length = k + 1;
        }
    }
    while (length)
        putchar('0' + d[--length]);
    putchar('\n');
}

int main(void) {
    printf("%d %d %d\n", kmp("abababab", "abab"), kmp("mississippi", "issi"), kmp("aaaa", "b"));
    const char *patterns[] = {"^ab*c$", "a.c", "x*y", "^$", "colou?r", "o.*o"}, *texts[] = {"abbbc", "xxabcxx", "", "color", "foo boo"};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 5; j++)
            printf("%d", match(patterns[i], texts[j]));
    printf("\n");
    for (size_t n = 0; n < 8; n++) {
        char *e = encode((const unsigned char *)"\x00\xff" "binary", n);
        unsigned char back[16];
        size_t m = decode(e, back);
        printf("%s %d\n", e, m == n && memcmp(back, "\x00\xff" "binary", n) == 0);
        free(e);
    }
    printf("%d %d\n", distance("kitten", "sitting"), distance("", "abc"));
    roman(1994), roman(2024), roman(3999);
    printf("\n");
    factorial(20), factorial(60);
    const char *words = "the quick brown fox jumps over the lazy dog and runs away from the very angry bear";
    char copy[100];
    int column = 0;
    strcpy(copy, words);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " ")) {
        int n = (int)strlen(w);
        if (column + n + 1 > 24)
            putchar('\n'), column = 0;
        column += printf(column ? " %s" : "%s", w);
    }
    printf("\n");
    return 0;
}
