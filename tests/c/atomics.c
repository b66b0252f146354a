// C11 and __atomic operations of every kind and size, in one thread.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int counter = 5;
static _Atomic uint64_t wide;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(void *) pointer;
struct pair { int a, b; };
static _Atomic struct pair both;

#define OPS(NAME, T)                                                                               \
    __attribute__((noinline)) static void NAME(T start) {                                          \
        _Atomic T x = start;                                                                       \
        T r[] = {atomic_fetch_add(&x, 3), atomic_fetch_sub(&x, 1), atomic_fetch_and(&x, 0x7d),     \
                 atomic_fetch_or(&x, 0x42), atomic_fetch_xor(&x, 0x1f), atomic_exchange(&x, 9)};   \
        for (int i = 0; i < 6; i++)                                                                \
            printf(" %lld", (long long)r[i]);                                                      \
        T expected = 9;                                                                            \
        int ok = atomic_compare_exchange_strong(&x, &expected, 77);                                \
        int no = atomic_compare_exchange_strong(&x, &expected, 78);                                \
        x += 5, x++, x ^= 1;                                                                       \
        printf(" %d %d %lld %lld\n", ok, no, (long long)expected, (long long)x);                   \
    }
OPS(bytes, int8_t)
OPS(shorts, uint16_t)
OPS(ints, int32_t)
OPS(longs, uint64_t)

int main(void) {
    bytes(100), shorts(65530), ints(-7), longs(1ull << 63);
    int old = atomic_fetch_add_explicit(&counter, 10, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    printf("%d %d\n", old, atomic_load_explicit(&counter, memory_order_acquire));
    atomic_store_explicit(&wide, 1ull << 40, memory_order_release);
    printf("%llu %d %d\n", (unsigned long long)wide, atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    void *expected = NULL;
    printf("%d %d\n", atomic_compare_exchange_strong(&pointer, &expected, &counter), pointer == &counter);
    int v = 10;
    printf("%d %d", __atomic_fetch_min(&v, 7, __ATOMIC_SEQ_CST), __atomic_fetch_max(&v, 50, __ATOMIC_SEQ_CST));
    printf(" %d %d", __atomic_fetch_nand(&v, 12, __ATOMIC_SEQ_CST), v);
    unsigned u = 3;
    printf(" %u %u", __atomic_fetch_min(&u, 0xffffffffu, __ATOMIC_RELAXED), __atomic_max_fetch(&u, 0x80000000u, __ATOMIC_RELAXED));
    printf(" %d %d\n", __sync_bool_compare_and_swap(&v, v, 4), __sync_fetch_and_add(&v, 2));
    struct pair p = {1, 2};
    atomic_store(&both, p);
    struct pair q = atomic_exchange(&both, ((struct pair){3, 4}));
    printf("%d %d %d\n", q.a, q.b, atomic_load(&both).b);
    _Atomic double d = 1.5;
    d += 2.25;
    d *= 2;
    _Atomic float f = 1;
    f -= 0.25f;
    printf("%g %g\n", (double)d, (double)f);
    return 0;
}
