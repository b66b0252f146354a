// Corners of the language: _Generic, compound literals, designators, statement expressions, local labels, typeof, C23.
// flags: -std=gnu23
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define KIND(X) _Generic((X), int: "int", unsigned: "unsigned", long: "long", double: "double", char *: "text", float: "float", default: "other")
#define MAX(A, B) ({ __auto_type a_ = (A); __auto_type b_ = (B); a_ > b_ ? a_ : b_; })
#define FIND(V, N, X) ({ __label__ out; int i_; for (i_ = 0; i_ < (N); i_++) if ((V)[i_] == (X)) goto out; i_ = -1; out: i_; })

static_assert(sizeof(int) == 4);
enum colour : uint8_t { RED = 3, GREEN, BLUE = 200 };
constexpr int limit = 7;
struct point { int x, y; };
struct shape { const char *name; struct point corners[4]; struct { unsigned filled : 1, dashed : 1; }; };
typedef typeof(((struct shape *)0)->corners) corners;

static int total(const struct point *p, size_t n) {
    int s = 0;
    for (const struct point *e = p + n; p != e; p++)
        s += p->x * p->y;
    return s;
}
static inline int cube(int x) { return x * x * x; }
extern inline int cube(int x);
[[nodiscard]] static int next(void) {
    static int n = limit;
    return n++;
}
static int nothing(int) { return 0; }
static unsigned recursion(unsigned n) { return n < 2 ? n : recursion(n - 1) + recursion(n - 2); }
static int volatile_loop(void) {
    volatile int v = 0;
    while (v < 10)
        v += 3;
    return v++ + ++v;
}

int main(void) {
    printf("%s %s %s %s %s %s\n", KIND(1), KIND(1u), KIND(2L), KIND(1.5), KIND((char *)"x"), KIND((short)1));
    printf("%d %g %d %d\n", MAX(3, 9), MAX(2.5, 1.5), FIND(((int[]){4, 5, 6}), 3, 6), FIND("abc", 3, 'z'));
    struct shape s = {.name = "box", .corners[2].x = 5, .corners = {[1] = {2, 3}, [2].y = 6}, .filled = true};
    printf("%s %d %d %d %zu\n", s.name, s.corners[1].y, s.corners[2].y, s.filled, sizeof(corners) / sizeof(struct point));
    printf("%d\n", total((struct point[]){{1, 2}, {3, 4}, {5, 6}}, 3) + (&(struct point){7, 8})->y);
    enum colour c = BLUE;
    printf("%d %zu %d %d\n", c + GREEN, sizeof c, 0b1011'0001, nothing(5));
    int a[] = {1, 2, 3}, *p = a, i = 0;
    i = *p++ + 5;
    printf("%d %d %td\n", next() + next(), *p, p - a);
    void *null = nullptr;
    printf("%d %u %d %d\n", null == NULL, recursion(20), volatile_loop(), cube(-3));
    char buffer[] = {"con" "cat" "\x41\101\u00e9"};
    printf("%zu %d %s\n", sizeof buffer, (unsigned char)buffer[8], __func__);
    unsigned u = 5;
    u -= 10;
    printf("%u %d %d %d\n", u, -7 / 2, -7 % 3, (int)(-1 < (int)sizeof(int)));
    printf("%d %d %lld\n", 'ab', (signed char)'\xff', 1LL << 40);
    for (struct { int i; double d; } k = {0, 1}; k.i < 3; k.i++, k.d *= 2.5)
        printf("%g ", k.d);
    goto end;
    printf("skipped\n");
end:
    printf("%s\n", &"offset"[3]);
    return u == -5u ? limit : 0;
}
