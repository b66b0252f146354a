/* Floating-point functions that are one exact operation: the builtins become
 * instructions of the engine. All other functions of libm are musl's code. */

#include <math.h>

double sqrt(double x)
{
	return __builtin_elementwise_sqrt(x);
}

float sqrtf(float x)
{
	return __builtin_elementwise_sqrt(x);
}

double fma(double x, double y, double z)
{
	return __builtin_elementwise_fma(x, y, z);
}

float fmaf(float x, float y, float z)
{
	return __builtin_elementwise_fma(x, y, z);
}
