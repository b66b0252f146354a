/* Behind a point of the plane that leaves Mandelbrot's set after a long time, which one input in
   some thousand takes, a magic number of eight bytes. */
#include <byway.h>

int main(void)
{
	struct {
		unsigned short parts[2];
		unsigned low, high;
	} file;
	double a, b, x = 0, y = 0;
	int steps = 0;

	byway_make_symbolic(&file, sizeof file, "file");
	a = file.parts[0] / 16384.0 - 2;
	b = file.parts[1] / 16384.0 - 2;
	while (steps < 200 && x * x + y * y < 4) {
		double next = x * x - y * y + a;

		y = 2 * x * y + b;
		x = next;
		steps++;
	}
	if (steps < 100 || steps == 200)
		return 1;
	if ((file.low ^ 0x5bd1e995) == 0x12345678 && file.high - file.low == 0x9abcdef1)
		return 2;
	return 0;
}
