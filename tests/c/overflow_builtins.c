// Checked arithmetic: __builtin_{add,sub,mul}_overflow at all widths and signs, mixed types.
#include <stdint.h>
#include <stdio.h>

#define CHECK(NAME, T)                                                                             \
    __attribute__((noinline)) static void NAME(T a, T b) {                                         \
        T r;                                                                                       \
        int o = __builtin_add_overflow(a, b, &r);                                                  \
        printf(" %llx%c", (unsigned long long)r, "-!"[o]);                                         \
        o = __builtin_sub_overflow(a, b, &r);                                                      \
        printf(" %llx%c", (unsigned long long)r, "-!"[o]);                                         \
        o = __builtin_mul_overflow(a, b, &r);                                                      \
        printf(" %llx%c", (unsigned long long)r, "-!"[o]);                                         \
    }
CHECK(s8, int8_t)
CHECK(u8, uint8_t)
CHECK(s16, int16_t)
CHECK(u16, uint16_t)
CHECK(s32, int32_t)
CHECK(u32, uint32_t)
CHECK(s64, int64_t)
CHECK(u64, uint64_t)
CHECK(s128, __int128)
CHECK(u128, unsigned __int128)

__attribute__((noinline)) static void mixed(int64_t a, uint32_t b) {
    int16_t narrow;
    uint64_t wide;
    unsigned char byte;
    int o = __builtin_add_overflow(a, b, &narrow);
    int p = __builtin_mul_overflow(a, b, &wide);
    int q = __builtin_sub_overflow(b, a, &byte);
    printf(" %d%c %llx%c %x%c\n", narrow, "-!"[o], (unsigned long long)wide, "-!"[p], byte, "-!"[q]);
}

// The optimiser turns these into overflow intrinsics.
__attribute__((noinline)) static int carries(uint64_t a, uint64_t b) { return a + b < a; }
__attribute__((noinline)) static uint32_t clamped_sub(uint32_t a, uint32_t b) { return a < b ? 0 : a - b; }
__attribute__((noinline)) static unsigned long long carry_chain(unsigned long long a, unsigned long long b,
                                                                unsigned long long c) {
    unsigned long long carry, low = __builtin_addcll(a, b, 0, &carry);
    unsigned long long high = __builtin_addcll(b, c, carry, &carry);
    unsigned long long borrow, d = __builtin_subcll(low, high, carry, &borrow);
    return d ^ borrow;
}

int main(void) {
    static const int64_t v[] = {0, 1, -1, 100, -100, 127, -128, 32767, -32768, 65535,
                                INT32_MAX, INT32_MIN, 0x100000000LL, INT64_MAX, INT64_MIN};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int64_t a = v[i], b = v[j];
            s8((int8_t)a, (int8_t)b), u8((uint8_t)a, (uint8_t)b);
            s16((int16_t)a, (int16_t)b), u16((uint16_t)a, (uint16_t)b);
            s32((int32_t)a, (int32_t)b), u32((uint32_t)a, (uint32_t)b);
            s64(a, b), u64((uint64_t)a, (uint64_t)b);
            s128((__int128)a * ((__int128)1 << 60), b), u128((unsigned __int128)(uint64_t)a << 32, (uint64_t)b);
            mixed(a, (uint32_t)b);
            printf("%d %u %llx\n", carries((uint64_t)a, (uint64_t)b),
                   clamped_sub((uint32_t)a, (uint32_t)b),
                   carry_chain((uint64_t)a, (uint64_t)b, (uint64_t)(a ^ b)));
        }
    return 0;
}
