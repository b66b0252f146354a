/* Complex multiplication and division, which clang calls as __muldc3, __divdc3 and
 * so on, after annex G of the C standard: a NaN result is recomputed, since with an
 * infinite operand or a zero divisor the result is an infinity with a definite
 * direction. Division first scales by the divisor's exponent, so that no
 * intermediate result overflows. */

#include <complex.h>
#include <math.h>

#define DEFINE_COMPLEX_ARITHMETIC(real, suffix, abbreviation)                                  \
	/* Signed 1 for an infinity, signed 0 for a finite number. */                          \
	static real unit_##abbreviation(real x)                                                \
	{                                                                                      \
		return copysign##suffix(isinf(x) ? 1 : 0, x);                                  \
	}                                                                                      \
                                                                                               \
	static real zero_if_nan_##abbreviation(real x)                                         \
	{                                                                                      \
		return isnan(x) ? copysign##suffix(0, x) : x;                                  \
	}                                                                                      \
                                                                                               \
	real _Complex __mul##abbreviation(real a, real b, real c, real d)                      \
	{                                                                                      \
		real ac = a * c, bd = b * d, ad = a * d, bc = b * c;                           \
		real x = ac - bd, y = ad + bc;                                                 \
		int again = 0;                                                                 \
                                                                                               \
		if (!isnan(x) || !isnan(y)) return CMPLX_OF(real, x, y);                       \
		if (isinf(a) || isinf(b)) {                                                    \
			a = unit_##abbreviation(a);                                            \
			b = unit_##abbreviation(b);                                            \
			c = zero_if_nan_##abbreviation(c);                                     \
			d = zero_if_nan_##abbreviation(d);                                     \
			again = 1;                                                             \
		}                                                                              \
		if (isinf(c) || isinf(d)) {                                                    \
			c = unit_##abbreviation(c);                                            \
			d = unit_##abbreviation(d);                                            \
			a = zero_if_nan_##abbreviation(a);                                     \
			b = zero_if_nan_##abbreviation(b);                                     \
			again = 1;                                                             \
		}                                                                              \
		if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {            \
			a = zero_if_nan_##abbreviation(a);                                     \
			b = zero_if_nan_##abbreviation(b);                                     \
			c = zero_if_nan_##abbreviation(c);                                     \
			d = zero_if_nan_##abbreviation(d);                                     \
			again = 1;                                                             \
		}                                                                              \
		if (again) {                                                                   \
			x = INFINITY * (a * c - b * d);                                        \
			y = INFINITY * (a * d + b * c);                                        \
		}                                                                              \
		return CMPLX_OF(real, x, y);                                                   \
	}                                                                                      \
                                                                                               \
	real _Complex __div##abbreviation(real a, real b, real c, real d)                      \
	{                                                                                      \
		real exponent = logb##suffix(fmax##suffix(fabs##suffix(c), fabs##suffix(d)));  \
		int scale = 0;                                                                 \
                                                                                               \
		if (isfinite(exponent)) {                                                      \
			scale = (int)exponent;                                                 \
			c = scalbn##suffix(c, -scale);                                         \
			d = scalbn##suffix(d, -scale);                                         \
		}                                                                              \
		real denominator = c * c + d * d;                                              \
		real x = scalbn##suffix((a * c + b * d) / denominator, -scale);                \
		real y = scalbn##suffix((b * c - a * d) / denominator, -scale);                \
                                                                                               \
		if (!isnan(x) || !isnan(y)) return CMPLX_OF(real, x, y);                       \
		if (denominator == 0 && (!isnan(a) || !isnan(b))) {                            \
			x = copysign##suffix(INFINITY, c) * a;                                 \
			y = copysign##suffix(INFINITY, c) * b;                                 \
		} else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {             \
			a = unit_##abbreviation(a);                                            \
			b = unit_##abbreviation(b);                                            \
			x = INFINITY * (a * c + b * d);                                        \
			y = INFINITY * (b * c - a * d);                                        \
		} else if (isinf(exponent) && exponent > 0 && isfinite(a) && isfinite(b)) {    \
			c = unit_##abbreviation(c);                                            \
			d = unit_##abbreviation(d);                                            \
			x = 0 * (a * c + b * d);                                               \
			y = 0 * (b * c - a * d);                                               \
		}                                                                              \
		return CMPLX_OF(real, x, y);                                                   \
	}

#define CMPLX_OF(real, x, y) (((union { real part[2]; real _Complex whole; }){ { x, y } }).whole)

DEFINE_COMPLEX_ARITHMETIC(float, f, sc3)
DEFINE_COMPLEX_ARITHMETIC(double, , dc3)
DEFINE_COMPLEX_ARITHMETIC(long double, l, xc3)
