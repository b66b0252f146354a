/* The time in which a point of the plane leaves Mandelbrot's set: few points take long. */
#include <byway.h>

int main(void)
{
	unsigned short parts[2];
	double a, b, x = 0, y = 0;
	int steps = 0;

	byway_make_symbolic(parts, sizeof parts, "parts");
	a = parts[0] / 16384.0 - 2;
	b = parts[1] / 16384.0 - 2;
	while (steps < 100 && x * x + y * y < 4) {
		double next = x * x - y * y + a;

		y = 2 * x * y + b;
		x = next;
		steps++;
	}
	if (steps > 60 && steps < 100)
		return 1;
	if (steps == 33)
		return 2;
	return 0;
}
