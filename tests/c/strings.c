// The string functions: length, copy, concatenation, comparison, search, spans, tokens, case, memory search.
// flags: -D_GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static int at(const char *s, const char *p) { return p ? (int)(p - s) : -1; }

int main(void) {
    char buffer[64], second[64];
    const char *text = "the rain in Spain stays mainly in the plain";
    printf("%zu %zu %zu\n", strlen(text), strnlen(text, 10), strnlen("abc", 10));
    printf("%s %s\n", strcpy(buffer, "copy"), strncpy(second, "truncated", 5) ? "" : "");
    second[5] = 0;
    printf("%s %s %s\n", second, strcat(buffer, "cat"), strncat(buffer, "abcdef", 3));
    printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "abc")), strcmp("", ""), sign(strcmp("\x80", "\x01")));
    printf("%d %d %d\n", strncmp("abcdef", "abcxyz", 3), sign(strncmp("abcdef", "abcxyz", 4)), sign(strcasecmp("HeLLo", "hello!")));
    printf("%d %d %d %d\n", at(text, strchr(text, 'S')), at(text, strrchr(text, 'n')), at(text, strstr(text, "ain")), at(text, strstr(text, "zzz")));
    printf("%d %d %d\n", at(text, strchr(text, 0)), at(text, strpbrk(text, "xyzS")), at(text, memchr(text, 'p', 20)));
    printf("%zu %zu\n", strspn(text, "aeht "), strcspn(text, "S"));
    printf("%d %d\n", at(text, strcasestr(text, "SPAIN")), at(text, memmem(text, 43, "mainly", 6)));
    char tokens[] = "one,two;;three  four";
    for (char *t = strtok(tokens, ",; "); t; t = strtok(NULL, ",; "))
        printf("<%s>", t);
    char fields[] = "a::b:", *rest = fields, *field;
    while ((field = strsep(&rest, ":")))
        printf("(%s)", field);
    char *save, again[] = "x y z";
    for (char *t = strtok_r(again, " ", &save); t; t = strtok_r(NULL, " ", &save))
        printf("{%s}", t);
    char *copy = strdup("duplicate"), *part = strndup("duplicate", 3);
    printf("\n%s %s %s\n", copy, part, stpcpy(buffer, "end") - 3);
    free(copy), free(part);
    memset(buffer, 'z', 10);
    buffer[10] = 0;
    printf("%s %d\n", buffer, sign(memcmp("ab\0c", "ab\0d", 4)));
    char *p = mempcpy(second, "0123456789", 11);
    printf("%d %s\n", (int)(p - second), (char *)memmove(second + 2, second, 8));
    printf("%s %d\n", (char *)memccpy(buffer, "stop here", 'p', 20) - 4 == buffer ? "yes" : "no", at(text, strchrnul(text, '!')));
    printf("%d %d\n", ffs(40), at(text, memrchr(text, 'i', 43)));
    char long_text[600];
    for (int i = 0; i < 599; i++)
        long_text[i] = (char)('a' + i % 26);
    long_text[599] = 0;
    printf("%zu %d %d\n", strlen(long_text + 13), at(long_text, strstr(long_text, "zab")), strcmp(long_text, long_text + 26) > 0);
    printf("%d\n", sign(strcoll("a", "b")) + sign(strverscmp("file10", "file9")));
    return 0;
}
