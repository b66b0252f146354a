// printf of integers, characters, strings and pointers: flags, widths, precisions, lengths, %n, return values.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    const long long v[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        int x = (int)v[i];
        printf("[%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%+08d]\n", x, x, x, x, x, x, x, x, x, x);
        printf("[%u|%x|%X|%#x|%#X|%o|%#o|%08x|%-8x|%.5x]\n", x, x, x, x, x, x, x, x, x, x);
        printf("[%lld|%llu|%llx|%20lld|%-20lld|%020lld]\n", v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%hhd|%hhu|%hd|%hu|%ld|%lx|%jd|%zu|%td]\n", (signed char)x, (unsigned char)x, (short)x, (unsigned short)x, (long)x, (long)x,
               (intmax_t)x, (size_t)x, (ptrdiff_t)x);
        printf("[%" PRId64 "|%" PRIu32 "|%" PRIx16 "]\n", (int64_t)v[i], (uint32_t)x, (uint16_t)x);
    }
    printf("[%c|%5c|%-5c|%%|%s|%10s|%-10s|%.2s|%10.3s|%.0s]\n", 'a', 'b', 'c', "text", "text", "text", "text", "text", "text");
    printf("[%*d|%-*d|%.*d|%*.*d|%*s]\n", 6, 42, 6, 42, 4, 42, 8, 3, 42, -8, "left");
    printf("[%p|%5s|%.3s]\n", (void *)0x1234, "", "abcdef");
    printf("[%2$s %1$d %2$s]\n", 7, "seven");
    int n = -1;
    int length = printf("count%n me\n", &n);
    printf("%d %d\n", n, length);
    char small[8];
    int wanted = snprintf(small, sizeof small, "%d-%s", 12345, "overflow");
    printf("%s %d\n", small, wanted);
    wanted = snprintf(NULL, 0, "%s", "measure");
    printf("%d %d\n", wanted, sprintf(small, "%c%c", 'o', 'k'));
    puts(small);
    printf("%ls %lc\n", L"wide", L'c');
    fprintf(stdout, "%s", "");
    fputs("done\n", stdout);
    putchar('.');
    putc('\n', stdout);
    return wanted;
}
