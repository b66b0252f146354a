/* Reads standard input in a way that a variable of the environment says. */

#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *mode = getenv("MODE");
	int upper = 0, squeeze = 0, last = 0;

	if (!mode) return 3;
	for (; *mode; mode++) {
		if (*mode == 'u') {
			note('u');
			upper = 1;
		} else if (*mode == 's') {
			note('s');
			squeeze = 1;
		} else {
			note('x');
			return 2;
		}
	}
	note('|');
	for (int c; (c = getchar()) != EOF; last = c) {
		if (squeeze && c == ' ' && last == ' ') {
			note('_');
			continue;
		}
		if (c == ' ') {
			note(' ');
		} else if ((unsigned)c - 'a' < 26) {
			note('l');
			if (upper) c -= 'a' - 'A';
		} else {
			note('.');
		}
		char out = c;
		if (write(1, &out, 1) != 1) return 4;
	}
	if (last == 'Q') {
		note('Q');
		return 1;
	}
	return 0;
}
