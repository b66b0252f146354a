// malloc, calloc, realloc, reallocarray, aligned_alloc, posix_memalign, free(NULL), many small and some large blocks.
// flags: -D_GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    enum { COUNT = 500 };
    unsigned char *blocks[COUNT];
    size_t sizes[COUNT];
    uint32_t r = 1;
    for (int i = 0; i < COUNT; i++) {
        r = r * 1103515245 + 12345;
        sizes[i] = r >> 16 & 0x3ff;
        blocks[i] = malloc(sizes[i] + 1);
        memset(blocks[i], i & 0xff, sizes[i] + 1);
    }
    for (int i = 0; i < COUNT; i += 3)
        free(blocks[i]), blocks[i] = NULL;
    for (int i = 1; i < COUNT; i += 3) {
        size_t bigger = sizes[i] * 2 + 10;
        blocks[i] = realloc(blocks[i], bigger);
        memset(blocks[i] + sizes[i] + 1, 0x11, bigger - sizes[i] - 1);
        sizes[i] = bigger - 1;
    }
    unsigned long sum = 0;
    for (int i = 0; i < COUNT; i++) {
        if (blocks[i])
            for (size_t k = 0; k <= sizes[i]; k++)
                sum = sum * 31 + blocks[i][k];
        free(blocks[i]);
    }
    printf("%lx\n", sum);
    int *zeros = calloc(1000, sizeof *zeros), any = 0;
    for (int i = 0; i < 1000; i++)
        any |= zeros[i];
    zeros = reallocarray(zeros, 2000, sizeof *zeros);
    zeros[1999] = 5;
    printf("%d %d\n", any, zeros[1999]);
    zeros = realloc(zeros, 8);
    printf("%d\n", zeros[1]);
    free(zeros);
    free(NULL);
    void *p = aligned_alloc(64, 128), *q = NULL;
    int status = posix_memalign(&q, 256, 10);
    void *m = memalign(32, 50);
    printf("%d %d %d %d\n", (uintptr_t)p % 64 == 0, status, (uintptr_t)q % 256 == 0, (uintptr_t)m % 32 == 0);
    free(p), free(q), free(m);
    p = realloc(NULL, 20);
    printf("%d\n", malloc_usable_size(p) >= 20);
    free(p);
    volatile size_t huge = SIZE_MAX / 2, wrap = SIZE_MAX / 4;
    void *volatile none = malloc(huge), *volatile neither = calloc(wrap, 8);
    printf("%d %d\n", none == NULL, neither == NULL);
    char *big = malloc(3 << 20);
    big[(3 << 20) - 1] = 'z';
    big = realloc(big, 5 << 20);
    printf("%c\n", big[(3 << 20) - 1]);
    free(big);
    return 0;
}
