// Empty inline assembly as programs use it: compiler barriers, and values the optimiser must not look through.
#include <stdio.h>

#define BARRIER() __asm__ volatile("" ::: "memory")
static int shared;

static inline int hide(int x) {
    __asm__("" : "+r"(x));
    return x;
}
static inline void *launder(void *p) {
    __asm__ volatile("" : "=r"(p) : "0"(p));
    return p;
}
static inline unsigned in_memory(unsigned long value) {
    unsigned place;
    __asm__ volatile("" : "=g"(place) : "0"(value));
    return place;
}
static inline void keep(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
static inline double hide_double(double x) {
    __asm__("" : "+x"(x));
    return x;
}

int main(void) {
    int local[3] = {1, 2, 3};
    for (int i = 0; i < 5; i++) {
        shared += hide(i);
        BARRIER();
        local[i % 3] += shared;
        keep(local);
    }
    int *p = launder(local);
    unsigned long a = 5, b = 6;
    __asm__("" : "+r"(a), "+r"(b));
    __asm__ volatile("" : "+m"(local[1]));
    printf("%d %d %d %d %g %lu %lu\n", shared, p[0], p[1], p[2], hide_double(2.5), a, b);
    printf("%x\n", in_memory(0x123456789abcdeful));
    return 0;
}
