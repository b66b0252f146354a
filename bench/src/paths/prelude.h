/* The common start of all random programs, compiled in two modes.
 *
 * Explored, each of these macros is the bare operation. Natively (-DNATIVE) they also
 * record each branch, and stop a run just before a fault, recording the fault and its
 * line. One process can thus run every input; it writes a record of 16 bytes for each. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef unsigned __int128 u128;
typedef float f32;
typedef double f64;

/* The first bytes of the input as a number. */
static u64 f(const u8 *in);

/* The observable part of a result. */
static int visible(u64 result)
{
    result ^= result >> 32;
    result ^= result >> 16;
    return (int)((result ^ result >> 8) & 255);
}

#ifdef NATIVE

enum { EXITED = 0, EXCLUDED = 1, FIRST_FAULT = 2 };

static struct record {
    u64 trace; /* which way it went */
    u32 line;  /* of a fault */
    u8 how;
    u8 code; /* of an exit */
    u16 unused;
} record;
static jmp_buf ended;

static void seen(u64 what)
{
    record.trace = (record.trace + what + 1) * 0x9e3779b97f4a7c15u;
    record.trace ^= record.trace >> 29;
}

static int branch(u64 place, int taken)
{
    seen(place * 2 + taken);
    return taken;
}

static void end(u8 how, u32 line, u8 code)
{
    record.how = how;
    record.line = line;
    record.code = code;
    longjmp(ended, 1);
}

static i64 at(i64 index, i64 begin, i64 length, u64 place, u32 line)
{
    seen(place);
    if (index < begin || index >= length)
        end(FAULT_out_of_bounds, line, 0);
    return index;
}

#define END(kind) end(FAULT_##kind, __LINE__, 0)
#define BR(condition) branch(__COUNTER__, (condition) != 0)
#define SEEN() seen(__COUNTER__)
#define SEEN_ONE_OF(what) seen(((u64)__COUNTER__ << 32) + (what))
#define ASSUME(condition) ((condition) ? (void)0 : end(EXCLUDED, 0, 0))
#define EXIT(code) end(EXITED, 0, (u8)visible(code))
#define ABORT() END(abort)
#define REPORT() END(reported)
#define TRAP() END(trap)
#define UNREACHABLE() END(unreachable)
#define ASSERT(condition) (BR(condition) ? (void)0 : END(assert))
#define AT(index, length) at((index), 0, (length), __COUNTER__, __LINE__)
#define BYTES_AT(index, size, length) at((index), 0, (i64)(length) - (size) + 1, __COUNTER__, __LINE__)
#define NONNULL(pointer) (SEEN(), (pointer) ? (void)0 : END(null_dereference), (pointer))
#define DIVIDE(T, op, a, b)                                                                        \
    ({                                                                                             \
        T a_ = (T)(a), b_ = (T)(b);                                                                \
        SEEN();                                                                                    \
        if (b_ == 0)                                                                               \
            END(division_by_zero);                                                                 \
        if ((T)-1 < 0 && b_ == (T)-1 && a_ == (T)((T)1 << (sizeof(T) * 8 - 1)))                    \
            END(division_overflow);                                                                \
        (T)(a_ op b_);                                                                             \
    })
#define CHECKED(T, name, op, a, b)                                                                 \
    ({                                                                                             \
        T r_;                                                                                      \
        SEEN();                                                                                    \
        if (__builtin_##name##_overflow((T)(a), (T)(b), &r_))                                      \
            END(signed_overflow);                                                                  \
        r_;                                                                                        \
    })
#define SHIFT(T, op, a, n)                                                                         \
    ({                                                                                             \
        u32 n_ = (n);                                                                              \
        SEEN();                                                                                    \
        if (n_ >= sizeof(T) * 8)                                                                   \
            END(invalid_shift);                                                                    \
        (T)((T)(a) op n_);                                                                         \
    })
#define FREE(pointer, live) (SEEN(), (live) ? (void)0 : END(double_free), (void)((live) = 0))
#define LIVE(live, index, length)                                                                  \
    (SEEN(), (live) ? (void)0 : END(use_after_free), AT(index, length))

/* Variables that runs change are reset to their initial values. */
#define STATE __attribute__((section("state")))
extern u8 __start_state[] __attribute__((weak)), __stop_state[] __attribute__((weak));

int main(int count, char **arguments)
{
    u32 size = count > 1 ? atoi(arguments[1]) : 1;
    size_t state = __stop_state - __start_state;
    u8 *first = malloc(state + 1);
    memcpy(first, __start_state, state);
    static volatile u32 number;
    for (number = 0; number < 1u << 8 * size; number++) {
        u8 in[4] = {number, number >> 8, number >> 16, number >> 24};
        memset(&record, 0, sizeof record);
        memcpy(__start_state, first, state);
        if (!setjmp(ended)) {
            u64 result = f(in);
            EXIT(result);
        }
        fwrite(&record, sizeof record, 1, stdout);
    }
    return 0;
}

#else

#include <assert.h>

void byway_make_symbolic(void *object, unsigned long size, const char *name);
void byway_assume(_Bool condition);
void byway_report(const char *message) __attribute__((__noreturn__));

#define STATE
#define BR(condition) (condition)
#define SEEN() ((void)0)
#define SEEN_ONE_OF(what) ((void)0)
#define ASSUME(condition) byway_assume(condition)
#define EXIT(code) exit(visible(code))
#define ABORT() abort()
#define REPORT() byway_report("reported")
#define TRAP() __builtin_trap()
#define UNREACHABLE() __builtin_unreachable()
#define ASSERT(condition) assert(condition)
#define AT(index, length) (index)
#define BYTES_AT(index, size, length) (index)
#define NONNULL(pointer) (pointer)
/* Through variables, lest the compiler do it itself where all is constant. */
#define OPERATE(T, op, a, U, b) ({ T a_ = (T)(a); U b_ = (U)(b); a_ op b_; })
#define DIVIDE(T, op, a, b) OPERATE(T, op, a, T, b)
#define CHECKED(T, name, op, a, b) OPERATE(T, op, a, T, b)
#define SHIFT(T, op, a, n) OPERATE(T, op, a, u32, n)
#define FREE(pointer, live) free(pointer)
#define LIVE(live, index, length) (index)

int main(void)
{
    u8 in[INPUT_BYTES];
    byway_make_symbolic(in, sizeof in, "in");
    return visible(f(in));
}

#endif
