// Reading standard input: fgets, getchar, ungetc, scanf, fread, feof; counting words and lines.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[32];
    int n = 0, total = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++) {
        int v;
        if (scanf("%d", &v) != 1)
            return 2;
        total += v;
    }
    printf("sum %d of %d\n", total, n);
    int c = getchar();
    printf("%d\n", c);
    while (fgets(line, sizeof line, stdin) && strcmp(line, "END\n") != 0) {
        size_t length = strcspn(line, "\n");
        printf("%zu:%.*s\n", length, (int)length, line);
    }
    int words = 0, inside = 0, lines = 0;
    c = getchar();
    ungetc(c, stdin);
    char block[16];
    size_t got;
    while ((got = fread(block, 1, sizeof block, stdin)) > 0)
        for (size_t i = 0; i < got; i++) {
            lines += block[i] == '\n';
            if (isspace((unsigned char)block[i]))
                inside = 0;
            else if (!inside)
                inside = 1, words++;
        }
    printf("%d words %d lines %d %d\n", words, lines, !!feof(stdin), getchar());
    return 0;
}
