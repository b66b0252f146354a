/* Counts the lines of a file and their fields, once through stdio and once by read(2);
 * the two must come to the same. */

#include "driver.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct tally {
	int lines, fields, in_line;
};

static void count(struct tally *tally, int byte)
{
	if (byte == '\n') {
		note('n');
		tally->lines++;
		tally->in_line = 0;
	} else if (byte == ':') {
		note(':');
		tally->fields++;
		tally->in_line = 1;
	} else {
		note('.');
		tally->in_line = 1;
	}
}

static int by_stdio(const char *name, struct tally *tally)
{
	FILE *file = fopen(name, "r");
	if (!file) return 0;
	for (int c; (c = getc(file)) != EOF;) count(tally, c);
	fclose(file);
	return 1;
}

static int by_read(const char *name, struct tally *tally)
{
	char buffer[2];
	int file = open(name, O_RDONLY);
	if (file < 0) return 0;
	for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;) {
		note('0' + got);
		for (int i = 0; i < got; i++) count(tally, buffer[i]);
	}
	close(file);
	return 1;
}

int main(int argc, char **argv)
{
	struct tally one = { 0 }, other = { 0 };

	if (argc < 2 || !by_stdio(argv[1], &one)) {
		note('m');
		return 9;
	}
	note('|');
	if (!by_read(argv[1], &other)) return 8;
	if (one.lines != other.lines || one.fields != other.fields) return 7;
	if (other.in_line) note('c');
	return other.lines;
}
