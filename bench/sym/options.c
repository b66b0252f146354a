/* Options by getopt, their values, and operands. The exit code follows from what is
 * decided, as it does in all of these programs. */

#include "driver.h"
#include <string.h>
#include <unistd.h>

static int value(const char *text)
{
	if (!*text) {
		note('e');
		return 1;
	}
	if (*text < '0' || *text > '9') {
		note('w');
		return -1;
	}
	if (*text == '0') {
		note('0');
		return 0;
	}
	if (text[1]) {
		note('D');
		return 3;
	}
	note('d');
	return 2;
}

int main(int argc, char **argv)
{
	int option, level = 0, size = 1;

	while ((option = getopt(argc, argv, "ab:")) != -1) {
		switch (option) {
		case 'a':
			note('a');
			level++;
			break;
		case 'b':
			note('b');
			size = value(optarg);
			if (size < 0) return 3;
			break;
		default:
			note('?');
			return 2;
		}
	}
	for (; optind < argc; optind++) {
		if (!strcmp(argv[optind], "on")) note('o');
		else if (argv[optind][0] == '-') note('-');
		else note('x');
	}
	return 4 * (level + 1) + size;
}
