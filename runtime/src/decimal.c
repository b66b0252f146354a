/* Parsing of floating-point numbers, with one operation for short ones.
 *
 * musl parses a fraction or an exponent with multi-precision arithmetic, in a ring buffer
 * whose bounds depend on input: that causes useless forks, and queries that are hard to
 * solve and grow with each step. If the digits form an integer that the format represents
 * exactly, and the power of ten is exact too, then one multiplication or division rounds
 * once and gives the same number as musl (Clinger, "How to read floating point numbers
 * accurately"); so does a multiplication by a power of two, for hexadecimal digits. Decimal
 * numbers that are too large or too small for the format have one result. For all other
 * numbers the path forks by each character, so that musl computes with constants. What is no
 * number is left to musl as it is: infinities and other text.
 *
 * The tests are on the number of digits rather than on their values, which would fork. */

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "decimal.h"
#include "engine.h"
#include "floatscan.h"
#include "shgetc.h"
#include "stdio_impl.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* The formats, in musl's order. */
enum { FLOAT, DOUBLE, LONG_DOUBLE };

struct format {
	int most_digits;	/* so many nines are less than 2 to the bits of the fraction */
	int most_power;	/* 5 to this power is, too */
	int infinite;	/* 10 to this power is, after rounding */
	int zero;	/* 10 to this power is, and all that is less */
	int most_exponent;	/* of two; no format has a smaller one than its negative */
};

/* For long doubles, powers of two are doubles. */
static const struct format formats[] = {
	{ 7, 10, 39, -46, 126 },
	{ 15, 22, 309, -324, 1022 },
	{ 19, 27, 4933, -4953, 1022 },
};

/* Numbers of more digits may be too large for 64 bits. */
enum { MOST_DIGITS = 19 };

/* Farther from zero than all limits above, for numbers of up to MOST_DIGITS digits. */
enum { MOST_POWER = 20000 };

struct number {
	uint64_t digits;
	int count;	/* of digits */
	int power;	/* of ten; of two, if the digits are hexadecimal */
	int is_negative;
};

/* A symbolic index selects a double, of which the engine knows more than of a long double. */
static long double power_of_ten(int power)
{
	static const double powers[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
		1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
	};
	int rest = power - (int)(sizeof powers / sizeof *powers - 1);

	return rest > 0 ? powers[power - rest] * (long double)powers[rest] : powers[power];
}

/* Negates before the number becomes a long double, of which the engine knows less. */
static long double as_float(const struct number *number, float value)
{
	return number->is_negative ? -value : value;
}

static long double as_double(const struct number *number, double value)
{
	return number->is_negative ? -value : value;
}

static long double as_long_double(const struct number *number, long double value)
{
	return number->is_negative ? -value : value;
}

/* The digits, multiplied with or divided by a scale that is exact in the format. */
static long double scaled(const struct number *number, int format, long double scale, int divides)
{
	uint64_t digits = number->digits;

	switch (format) {
	case FLOAT:
		return as_float(number, divides ? (float)digits / (float)scale : (float)digits * (float)scale);
	case DOUBLE:
		return as_double(number, divides ? (double)digits / (double)scale : (double)digits * (double)scale);
	default:
		return as_long_double(number, divides ? digits / scale : digits * scale);
	}
}

/* Whether the decimal number is known without musl. */
static int convert_decimal(const struct number *number, int format, long double *result)
{
	const struct format *limits = &formats[format];
	int power = number->power;

	if (number->count > MOST_DIGITS) return 0;
	if (number->count <= limits->most_digits
	    ? -limits->most_power <= power && power <= limits->most_power
	    : power == 0) {
		/* The solver divides by a constant only. */
		if (power < 0) power = __byway_each(power);
		*result = scaled(number, format, power_of_ten(power < 0 ? -power : power), power < 0);
		return 1;
	}
	*result = as_double(number, 0);
	if (!number->digits) return 1;
	if (power >= limits->infinite) *result = as_double(number, INFINITY);
	else if (number->count + power > limits->zero) return 0;
	errno = ERANGE;
	return 1;
}

/* The same for hexadecimal digits. The result is a normal number or zero: it is rounded
 * once, to the digits of the format. */
static int convert_hexadecimal(const struct number *number, int format, long double *result)
{
	int most = formats[format].most_exponent, power = number->power;
	union { uint64_t bits; double value; } scale = { (uint64_t)(power + 1023) << 52 };

	if (number->count > 16 || power < -most || power + 4 * number->count > most) return 0;
	*result = scaled(number, format, scale.value, 0);
	return 1;
}

int __byway_short_decimal(const struct scanned_decimal *scanned, int bits, long double *result)
{
	int format = bits == FLT_MANT_DIG ? FLOAT : bits == DBL_MANT_DIG ? DOUBLE : LONG_DOUBLE;
	long long power = *scanned->point - scanned->digits;
	struct number number = {
		.count = MIN(scanned->digits, MOST_DIGITS + 1),
		.power = MAX(MIN(power, MOST_POWER), -MOST_POWER),
		.is_negative = scanned->sign < 0,
	};

	for (int at = 0; at < MIN(number.count, MOST_DIGITS); at += 9) {
		uint64_t scale = power_of_ten(MIN(number.count - at, 9));
		number.digits = number.digits * scale + scanned->words[at / 9];
	}
	if (convert_decimal(&number, format, result)) return 1;
	for (uint32_t *word = scanned->words; word != scanned->words_end; word++)
		*word = __byway_each(*word);
	*scanned->point = __byway_each(*scanned->point);
	*scanned->last = __byway_each(*scanned->last);
	return 0;
}

static int is_digit(char c)
{
	return (unsigned)c - '0' < 10;
}

/* Returns the end of the exponent; without digits, there is no exponent. */
static const char *read_exponent(const char *s, char letter, int *power)
{
	const char *at = s + 1;
	int sign = 1, exponent = 0;

	if ((*s | 32) != letter) return s;
	if (*at == '+' || *at == '-') sign -= 2 * (*at++ == '-');
	if (!is_digit(*at)) return s;
	for (; is_digit(*at); at++) exponent = 10 * MIN(exponent, MOST_POWER) + (*at - '0');
	*power += sign * exponent;
	return at;
}

/* Returns the end of the number that begins there; null if there is none. */
static const char *read_number(const char *s, int is_hexadecimal, struct number *number)
{
	int has_point = 0;

	for (;; s++) {
		int is_letter = is_hexadecimal & ((unsigned)(*s | 32) - 'a' < 6);
		if (is_digit(*s) | is_letter) {
			int value = is_letter ? (*s | 32) - 'a' + 10 : *s - '0';
			number->digits = (is_hexadecimal ? 16 : 10) * number->digits + value;
			number->count++;
			number->power -= has_point ? is_hexadecimal ? 4 : 1 : 0;
		} else if (*s == '.' && !has_point) {
			has_point = 1;
		} else {
			break;
		}
	}
	return number->count ? read_exponent(s, is_hexadecimal ? 'p' : 'e', &number->power) : 0;
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

static long double read(const char *s, char **end, int format)
{
	const char *at = s, *number_end;
	struct number number = { 0 };
	long double result;

	/* Forks, which clang would turn into a sum with a symbolic number: then pointer and
	 * operations would be symbolic. */
	while (isspace((unsigned char)*at)) at++;
	number.is_negative = __byway_each(*at == '-');
	if (number.is_negative || __byway_each(*at == '+')) at++;
	int is_hexadecimal = is_digit(*at) && __byway_each((*at == '0') & ((at[1] | 32) == 'x'));
	if (is_hexadecimal) at += 2;
	number_end = read_number(at, is_hexadecimal, &number);
	if (number_end && (is_hexadecimal ? convert_hexadecimal : convert_decimal)(&number, format, &result)) {
		if (end) *end = (char *)number_end;
		return result;
	}
	for (; number_end && at != number_end; at++) __byway_each(*at);
	return read_as_musl(s, end, format);
}

float strtof(const char *restrict s, char **restrict end)
{
	return read(s, end, FLOAT);
}

double strtod(const char *restrict s, char **restrict end)
{
	return read(s, end, DOUBLE);
}

long double strtold(const char *restrict s, char **restrict end)
{
	return read(s, end, LONG_DOUBLE);
}
