// Conversions between integer types: truncation, zero and sign extension, _Bool.
#include <stdint.h>
#include <stdio.h>

typedef _Bool b1;
#define SHOW(FROM, TO) printf(" %lld", (long long)(TO)(FROM)x)
#define ROW(FROM)                                                                                  \
    __attribute__((noinline)) static void from_##FROM(FROM x) {                                    \
        printf(#FROM);                                                                             \
        SHOW(FROM, b1), SHOW(FROM, int8_t), SHOW(FROM, uint8_t), SHOW(FROM, int16_t);              \
        SHOW(FROM, uint16_t), SHOW(FROM, int32_t), SHOW(FROM, uint32_t), SHOW(FROM, int64_t);      \
        SHOW(FROM, uint64_t);                                                                      \
        printf(" %lld\n", (long long)((__int128)x >> 3));                                          \
    }

ROW(b1)
ROW(int8_t)
ROW(uint8_t)
ROW(int16_t)
ROW(uint16_t)
ROW(int32_t)
ROW(uint32_t)
ROW(int64_t)
ROW(uint64_t)

int main(void) {
    volatile int64_t values[] = {0, 1, -1, 200, -200, 40000, 0x80000000LL, 0x123456789aLL, INT64_MIN};
    for (int i = 0; i < 9; i++) {
        int64_t v = values[i];
        from_b1((b1)v), from_int8_t((int8_t)v), from_uint8_t((uint8_t)v);
        from_int16_t((int16_t)v), from_uint16_t((uint16_t)v), from_int32_t((int32_t)v);
        from_uint32_t((uint32_t)v), from_int64_t(v), from_uint64_t((uint64_t)v);
    }
    int array[4] = {0};
    intptr_t address = (intptr_t)&array[3];
    *(int *)(address - 4) = 77;
    uint32_t low = (uint32_t)(uintptr_t)array;
    printf("%d %d\n", array[2], low == (uint32_t)((uintptr_t)&array[1] - 4));
    return 0;
}
