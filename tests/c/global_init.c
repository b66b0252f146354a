// Initialisers: addresses with offsets, nested aggregates, strings, differences, zero fill, designated elements.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

struct node { const char *name; struct node *next; int values[3]; };
static struct node c = {"c", NULL, {7, 8, 9}};
static struct node b = {"b", &c, {4, 5, 6}};
static struct node a = {"a", &b, {1, [2] = 3}};
static int table[10] = {[3] = 30, 40, [9] = 90};
static int *middle = &table[4], *end = table + 10;
static const char *const names[] = {"zero", "one", "two" + 1, &"three"[2]};
static char text[8] = "text", exact[4] = {'a', 'b', 'c', 'd'};
static const wchar_t wide[] = L"w\u00efde";
static const unsigned short utf16[] = u"\U0001F600";
static void *self = &self;
static int (*printer)(const char *, ...) = printf;
static const ptrdiff_t difference = (char *)&table[7] - (char *)&table[2];
static const double reals[] = {1.5, -0.0, 1e-300, 0x1.8p3};
static const long double extended = 3.25L;
static struct { uint8_t a; uint64_t b; struct { short c[2]; float d; } e[2]; } deep = {1, 2, {{{3, 4}, 5}, {{6}, 8}}};
static union { int i; float f; } u = {.f = 1.0f};
static const uintptr_t odd = (uintptr_t)&table[1] + 3;
static _Bool yes = 42;
static int (*matrix[2][2])(int);
static int twice(int x) { return 2 * x; }
static int (*matrix_full[2][2])(int) = {{twice, 0}, {[1] = twice}};
static struct { int n; char tail[]; } flexible = {3, "xyz"};

int main(void) {
    for (struct node *n = &a; n; n = n->next)
        printf("%s %d %d %d\n", n->name, n->values[0], n->values[1], n->values[2]);
    for (int i = 0; i < 10; i++)
        printf("%d ", table[i]);
    printf("%d %td %td\n", *middle, end - middle, difference);
    printf("%s %s %s %s %.4s %s\n", names[0], names[1], names[2], names[3], exact, text);
    printf("%d %d %x %x %zu\n", wide[1], wide[4], utf16[0], utf16[1], sizeof wide / sizeof *wide);
    printer("%d %g %g %Lg %d\n", self == &self, reals[2], reals[3], extended, reals[1] == 0);
    printf("%d %d %g %d %g %x\n", (int)deep.b, deep.e[0].c[1], deep.e[0].d, deep.e[1].c[1], deep.e[1].d, (unsigned)u.i);
    printf("%td %d %d %d %s\n", (ptrdiff_t)(odd - (uintptr_t)table), yes, matrix[1][1] == 0, matrix_full[1][1](21), flexible.tail);
    return 0;
}
