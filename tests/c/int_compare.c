// Every integer comparison at each width, and comparisons of pointers.
#include <stdint.h>
#include <stdio.h>

#define COMPARE(NAME, T)                                                                           \
    __attribute__((noinline)) static unsigned NAME(T a, T b) {                                     \
        return (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 |            \
               (a >= b) << 5;                                                                      \
    }

COMPARE(c_u8, uint8_t)
COMPARE(c_s8, int8_t)
COMPARE(c_u16, uint16_t)
COMPARE(c_s16, int16_t)
COMPARE(c_u32, uint32_t)
COMPARE(c_s32, int32_t)
COMPARE(c_u64, uint64_t)
COMPARE(c_s64, int64_t)
COMPARE(c_ptr, const char *)
COMPARE(c_bool, _Bool)

int main(void) {
    static const int64_t v[] = {0, 1, -1, 127, 128, -128, 255, 32768, -32768, 65535,
                                INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int64_t a = v[i], b = v[j];
            printf("%02x%02x%02x%02x%02x%02x%02x%02x ", c_u8((uint8_t)a, (uint8_t)b),
                   c_s8((int8_t)a, (int8_t)b), c_u16((uint16_t)a, (uint16_t)b),
                   c_s16((int16_t)a, (int16_t)b), c_u32((uint32_t)a, (uint32_t)b),
                   c_s32((int32_t)a, (int32_t)b), c_u64((uint64_t)a, (uint64_t)b), c_s64(a, b));
        }
        printf("\n");
    }
    char text[4] = "abc";
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            printf("%02x ", c_ptr(text + i, text + j));
    printf("\n%02x %02x %02x\n", c_bool(0, 1), c_bool(1, 1), c_bool(1, 0));
    printf("%d %d\n", (void *)text == NULL, !text[0] == 2);
    return 0;
}
