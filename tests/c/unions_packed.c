// Unions, type punning by union and memcpy, packed and over-aligned structs, anonymous members, flexible arrays.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union number { uint8_t b[8]; uint16_t h[4]; uint32_t w[2]; uint64_t q; float f; double d; void *p; };
struct __attribute__((packed)) record { uint8_t kind; uint32_t id; double value; uint16_t tail; };
struct variant {
    enum { INT, TEXT, PAIR } tag;
    union {
        int number;
        const char *text;
        struct { short first, second; };
    };
};
struct flexible { size_t n; int items[]; };
struct aligned { char c; _Alignas(16) int x; char d; };

__attribute__((noinline)) static uint32_t read32(const void *p) {
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}
__attribute__((noinline)) static void print(struct variant v) {
    switch (v.tag) {
    case INT: printf("int %d\n", v.number); break;
    case TEXT: printf("text %s\n", v.text); break;
    case PAIR: printf("pair %d %d\n", v.first, v.second); break;
    }
}
__attribute__((noinline)) static struct record make(int i) { return (struct record){(uint8_t)i, (uint32_t)i * 1000003u, i / 7.0, (uint16_t)(i * 99)}; }

int main(void) {
    union number n = {.q = 0x0123456789abcdef};
    printf("%02x %04x %08x %g\n", n.b[0], n.h[3], n.w[1], n.d);
    n.d = -1.5;
    printf("%llx\n", (unsigned long long)n.q);
    n.f = 1.0f;
    printf("%08x %d\n", n.w[0], n.b[3]);
    struct record r[4];
    for (int i = 0; i < 4; i++)
        r[i] = make(i + 5);
    for (int i = 0; i < 4; i++)
        printf("%d %u %g %d\n", r[i].kind, r[i].id, r[i].value, r[i].tail);
    printf("%zu %zu %zu\n", sizeof r, offsetof(struct record, value), offsetof(struct record, tail));
    unsigned char *bytes = (unsigned char *)r;
    printf("%08x %08x\n", read32(bytes + 1), read32(bytes + 16));
    print((struct variant){INT, .number = -5});
    print((struct variant){TEXT, .text = "hi"});
    print((struct variant){.tag = PAIR, .first = 3, .second = -4});
    struct flexible *f = malloc(sizeof *f + 6 * sizeof(int));
    f->n = 6;
    for (size_t i = 0; i < f->n; i++)
        f->items[i] = (int)(i * i);
    struct flexible *g = malloc(sizeof *g + 6 * sizeof(int));
    memcpy(g, f, sizeof *f + f->n * sizeof(int));
    printf("%d %zu\n", g->items[5], sizeof(struct flexible));
    free(f);
    free(g);
    struct aligned a = {'x', 7, 'y'};
    printf("%zu %zu %d\n", sizeof a, offsetof(struct aligned, d), (uintptr_t)&a.x % 16 == 0);
    return 0;
}
