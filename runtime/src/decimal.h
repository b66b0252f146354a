/* Short decimal numbers, for musl's parser: `build` inserts a call. */
#ifndef BYWAY_DECIMAL_H
#define BYWAY_DECIMAL_H

#include <stdint.h>

/* A decimal number as musl has scanned it. */
struct scanned_decimal {
	uint32_t *words, *words_end;	/* nine digits each, but for the last */
	long long digits;	/* in all */
	long long *point;	/* the digits before the decimal point */
	int *last;	/* the digits up to the last that is not zero */
	int sign;	/* 1 or -1 */
};

/* Whether the number is known without multi-precision arithmetic. Otherwise it consists of
 * constants afterwards: the path has forked by its possible values. */
int __byway_short_decimal(const struct scanned_decimal *scanned, int bits, long double *result);

#endif
