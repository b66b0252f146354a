// Variadic functions: every promoted type, structs by value, long double, __int128, va_copy, va_list as argument.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

struct small { int a; char b; };
struct two { double x; long y; };
struct big { int v[7]; };
struct ld { long double l; };
typedef float f4 __attribute__((vector_size(16)));

__attribute__((noinline)) static void show(const char *format, ...) {
    va_list list;
    va_start(list, format);
    for (const char *p = format; *p; p++)
        switch (*p) {
        case 'i': printf(" %d", va_arg(list, int)); break;
        case 'u': printf(" %u", va_arg(list, unsigned)); break;
        case 'l': printf(" %ld", va_arg(list, long)); break;
        case 'd': printf(" %g", va_arg(list, double)); break;
        case 'L': printf(" %Lg", va_arg(list, long double)); break;
        case 's': printf(" %s", va_arg(list, const char *)); break;
        case 'w': {
            __int128 w = va_arg(list, __int128);
            printf(" %llx:%llx", (unsigned long long)(w >> 64), (unsigned long long)w);
            break;
        }
        case 'a': {
            struct small s = va_arg(list, struct small);
            printf(" {%d %c}", s.a, s.b);
            break;
        }
        case 't': {
            struct two t = va_arg(list, struct two);
            printf(" {%g %ld}", t.x, t.y);
            break;
        }
        case 'b': {
            struct big b = va_arg(list, struct big);
            printf(" {%d %d}", b.v[0], b.v[6]);
            break;
        }
        case 'x': printf(" {%Lg}", va_arg(list, struct ld).l); break;
        case 'v': {
            f4 v = va_arg(list, f4);
            printf(" <%g %g>", v[0], v[3]);
            break;
        }
        case 'f': va_arg(list, void (*)(const char *, ...))("i", 99); break;
        }
    va_end(list);
    printf("\n");
}

__attribute__((noinline)) static long sum(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    long r = 0;
    for (int i = 0; i < n; i++)
        r += va_arg(a, int);
    for (int i = 0; i < n; i++)
        r = r * 3 + va_arg(b, int);
    va_end(b);
    va_end(a);
    return r;
}
static int vsum(int n, va_list *list) { return n ? va_arg(*list, int) + vsum(n - 1, list) : 0; }
__attribute__((noinline)) static int nested(int n, ...) {
    va_list list;
    va_start(list, n);
    int first = vsum(n / 2, &list), second = vsum(n - n / 2, &list);
    va_end(list);
    return first * 1000 + second;
}
__attribute__((noinline)) static int format(char *out, const char *f, ...) {
    va_list list;
    va_start(list, f);
    int n = vsnprintf(out, 30, f, list);
    va_end(list);
    return n;
}
__attribute__((noinline)) static double late(int a, double b, long c, float d, struct two e, ...) {
    va_list list;
    va_start(list, e);
    double r = a + b + c + d + e.x + e.y + va_arg(list, double) * va_arg(list, int);
    va_end(list);
    return r;
}

int main(void) {
    show("iuld", -1, 4000000000u, 1L << 40, 2.5);
    show("sLiL", "text", 1.25L, 7, -1e100L);
    show("iwiw", 1, (__int128)5 << 64 | 6, 2, (__int128)-1);
    show("atbi", (struct small){1, 'z'}, (struct two){0.5, -9}, (struct big){{1, 2, 3, 4, 5, 6, 7}}, 3);
    show("ixvai", 1, (struct ld){3.5L}, (f4){1, 2, 3, 4}, (struct small){8, 'y'}, 2);
    show("dddddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.);
    show("iiiiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    show("idtldatdbibLw", 1, 1.5, (struct two){2.5, 3}, 4L, 5.5, (struct small){6, 'x'}, (struct two){7.5, 8}, 9.5,
         (struct big){{10}}, 11, (struct big){{12}}, 13.5L, (__int128)14);
    show("if", 5, show);
    show("iid", (short)-3, (char)'A', 1.5f);
    printf("%ld %ld %d\n", sum(3, 1, 2, 3), sum(0), nested(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    char text[30];
    int n = format(text, "%s-%05d-%x", "abc", 42, 255);
    printf("%d %s %g\n", n, text, late(1, 2.0, 3, 4.0f, (struct two){5, 6}, 1.5, 4));
    return 0;
}
