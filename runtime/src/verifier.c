/* What programs of the software verification competition call. An input is named
 * by what stands behind __VERIFIER_nondet_. */

#include <stddef.h>
#include <stdint.h>
#include "engine.h"

#define NONDET(type, name)                                                                     \
	type __VERIFIER_nondet_##name(void)                                                    \
	{                                                                                      \
		type value;                                                                    \
		__byway_symbolic(&value, sizeof value, #name);                                 \
		return value;                                                                  \
	}

NONDET(char, char)
NONDET(signed char, schar)
NONDET(unsigned char, uchar)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(__int128, int128)
NONDET(unsigned __int128, uint128)
NONDET(float, float)
NONDET(double, double)
NONDET(size_t, size_t)
NONDET(long, loff_t)
NONDET(unsigned long, sector_t)
NONDET(unsigned long, pthread_t)
NONDET(void *, pointer)
NONDET(char *, pchar)
NONDET(char *, charp)
NONDET(int8_t, s8)
NONDET(uint8_t, u8)
NONDET(int16_t, s16)
NONDET(uint16_t, u16)
NONDET(int32_t, s32)
NONDET(uint32_t, u32)
NONDET(int64_t, s64)
NONDET(uint64_t, u64)
NONDET(int8_t, int8_t)
NONDET(uint8_t, uint8_t)
NONDET(int16_t, int16_t)
NONDET(uint16_t, uint16_t)
NONDET(int32_t, int32_t)
NONDET(uint32_t, uint32_t)
NONDET(int64_t, int64_t)
NONDET(uint64_t, uint64_t)

/* A byte that is neither 0 nor 1 is no _Bool. */
_Bool __VERIFIER_nondet_bool(void)
{
	unsigned char value;
	__byway_symbolic(&value, sizeof value, "bool");
	__byway_assume(value <= 1);
	return value;
}

void __VERIFIER_nondet_memory(void *object, size_t size)
{
	__byway_symbolic(object, size, "memory");
}

void __VERIFIER_assume(int condition)
{
	__byway_assume(condition != 0);
}

/* Most programs define these themselves, and theirs is then called. */

_Noreturn void __VERIFIER_error(void)
{
	__byway_report("__VERIFIER_error was called", 0, 0);
}

_Noreturn void reach_error(void)
{
	__byway_report("reach_error was called", 0, 0);
}

/* There is one thread. */

void __VERIFIER_atomic_begin(void)
{
}

void __VERIFIER_atomic_end(void)
{
}
