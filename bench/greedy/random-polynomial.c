/* Sine and exponential by Horner's scheme, as libm computes them, on doubles of the input. */
#include <byway.h>

static double sine(double x)
{
	double z = x * x;
	double tail = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10;

	tail = 2.75573137070700676789e-06 + z * tail;
	tail = -1.98412698298579493134e-04 + z * tail;
	tail = 8.33333333332248946124e-03 + z * tail;
	return x + x * z * (-1.66666666666666324348e-01 + z * tail);
}

static double exponential(double x)
{
	double sum = 1;

	for (int i = 14; i > 0; i--)
		sum = 1 + x * sum / i;
	return sum;
}

int main(void)
{
	unsigned parts[3];
	double x, y, z, value;

	byway_make_symbolic(parts, sizeof parts, "parts");
	x = parts[0] / 4294967296.0;
	y = parts[1] / 4294967296.0;
	z = parts[2] / 4294967296.0;
	value = sine(x * y) * exponential(z) - sine(z) / exponential(x + y);
	if (value > 0.5 && value < 0.501)
		return 1;
	if (value * value - sine(y + z) > 0.9)
		return 2;
	return 0;
}
