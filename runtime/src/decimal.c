/* Parsing of decimal numbers, with one operation for short ones.
 *
 * musl parses a fraction with multi-precision arithmetic, in loops over words that depend
 * on input: these cause useless forks and queries that are hard to solve. If the digits
 * form an integer that the format represents exactly, and the power of ten is exact too,
 * then one multiplication or division rounds once and gives the same number as musl. All
 * else is left to musl: infinities, hexadecimal digits, long numbers, invalid text. */

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include "floatscan.h"
#include "shgetc.h"
#include "stdio_impl.h"

struct decimal {
	uint64_t digits;
	int power;	/* of ten */
	int is_negative;
	const char *end;
};

static const long double powers_of_ten[] = {
	1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e11L, 1e12L, 1e13L,
	1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L,
	1e26L, 1e27L,
};

static int is_digit(char c)
{
	return (unsigned)c - '0' < 10;
}

/* Returns the end of the exponent; without digits, there is no exponent. */
static const char *read_exponent(const char *s, int *power)
{
	enum { MOST_DIGITS = 4 };	/* longer exponents are left to musl */
	const char *at = s + 1;
	int sign = 1, exponent = 0, count = 0;

	if ((*s | 32) != 'e') return s;
	if (*at == '+' || *at == '-') sign -= 2 * (*at++ == '-');
	for (; is_digit(*at); at++) {
		if (count++ == MOST_DIGITS) return 0;
		exponent = 10 * exponent + (*at - '0');
	}
	if (!count) return s;
	*power += sign * exponent;
	return at;
}

/* Whether a number within these limits on digits and power begins there. */
static int read_decimal(const char *s, int most_digits, int most_power, struct decimal *number)
{
	int count = 0, has_point = 0;

	*number = (struct decimal){ 0 };
	while (isspace((unsigned char)*s)) s++;
	if (*s == '-') number->is_negative = 1;
	if (number->is_negative || *s == '+') s++;
	if (is_digit(*s) && (*s == '0') & ((s[1] | 32) == 'x')) return 0;
	for (;; s++) {
		if (is_digit(*s)) {
			if (count++ == most_digits) return 0;
			number->digits = 10 * number->digits + (*s - '0');
			number->power -= has_point;
		} else if (*s == '.' && !has_point) {
			has_point = 1;
		} else {
			break;
		}
	}
	number->end = count ? read_exponent(s, &number->power) : 0;
	return number->end && number->power <= most_power && -number->power <= most_power;
}

static long double read_as_musl(const char *s, char **end, int format)
{
	FILE f;

	sh_fromstring(&f, s);
	shlim(&f, 0);
	long double y = __floatscan(&f, format, 1);
	if (end) *end = (char *)s + shcnt(&f);
	return y;
}

/* MOST_DIGITS nines are less than two to the number of bits in the format's fraction, and
 * so is five to the power MOST_POWER. FORMAT is musl's number for the format. */
#define READER(NAME, TYPE, FORMAT, MOST_DIGITS, MOST_POWER) \
	TYPE NAME(const char *restrict s, char **restrict end) \
	{ \
		struct decimal number; \
\
		if (!read_decimal(s, MOST_DIGITS, MOST_POWER, &number)) \
			return read_as_musl(s, end, FORMAT); \
		if (end) *end = (char *)number.end; \
		TYPE y = number.digits; \
		if (number.power > 0) y *= (TYPE)powers_of_ten[number.power]; \
		else if (number.power < 0) y /= (TYPE)powers_of_ten[-number.power]; \
		return number.is_negative ? -y : y; \
	}

READER(strtof, float, 0, 7, 10)
READER(strtod, double, 1, 15, 22)
READER(strtold, long double, 2, 19, 27)
