/* Behind a magic number of eight bytes, an interval of a polynomial that one input in 1,000 meets. */
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

int main(void)
{
	struct {
		unsigned long magic;
		unsigned parts[2];
	} file;
	double x, y, value;

	byway_make_symbolic(&file, sizeof file, "file");
	if (file.magic - 0x5bd1e9955bd1e995ul != 0x123456789abcdef0ul)
		return 1;
	x = file.parts[0] / 4294967296.0;
	y = file.parts[1] / 4294967296.0;
	value = sine(x * y) * sine(x + y) - sine(y * y) / (1 + sine(x));
	if (value > 0.25 && value < 0.251)
		return 2;
	return 0;
}
