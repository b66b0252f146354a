/* The result types of __VERIFIER_nondet_NAME: X(type, NAME) for each. An exploration and a
 * native run must use the same list. It omits _Bool, for which not every byte is valid. */

#include <stddef.h>
#include <stdint.h>

#define NONDET_TYPES(X) \
	X(char, char) \
	X(signed char, schar) \
	X(unsigned char, uchar) \
	X(short, short) \
	X(unsigned short, ushort) \
	X(int, int) \
	X(unsigned, uint) \
	X(unsigned, unsigned) \
	X(long, long) \
	X(unsigned long, ulong) \
	X(long long, longlong) \
	X(unsigned long long, ulonglong) \
	X(__int128, int128) \
	X(unsigned __int128, uint128) \
	X(float, float) \
	X(double, double) \
	X(size_t, size_t) \
	X(long, loff_t) \
	X(unsigned long, sector_t) \
	X(unsigned long, pthread_t) \
	X(void *, pointer) \
	X(char *, pchar) \
	X(char *, charp) \
	X(int8_t, s8) \
	X(uint8_t, u8) \
	X(int16_t, s16) \
	X(uint16_t, u16) \
	X(int32_t, s32) \
	X(uint32_t, u32) \
	X(int64_t, s64) \
	X(uint64_t, u64) \
	X(int8_t, int8_t) \
	X(uint8_t, uint8_t) \
	X(int16_t, int16_t) \
	X(uint16_t, uint16_t) \
	X(int32_t, int32_t) \
	X(uint32_t, uint32_t) \
	X(int64_t, int64_t) \
	X(uint64_t, uint64_t)
