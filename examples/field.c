/* Prints a field of each line: field 1-4 [FILE]. Fields end at the first character of
 * the variable SEPARATOR, or at colons. A line with five fields is one too many for it.
 *
 *     byway run --sym-args 2 2 1 --sym-files 1 4 examples/field.c
 *
 * What it shows: a program without any call of Byway. The command line makes its
 * arguments, a file, its standard input or its environment symbolic.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char separator(void)
{
    const char *value = getenv("SEPARATOR");
    return value && *value ? *value : ':';
}

static int split(char *line, char end, char *fields[4])
{
    int count = 0;
    fields[count++] = line;
    for (; *line; line++) {
        if (*line == end) {
            *line = '\0';
            fields[count++] = line + 1;
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    char line[64], *fields[4];
    FILE *in = stdin;

    if (argc < 2 || argv[1][0] < '1' || argv[1][0] > '4' || argv[1][1]) {
        fprintf(stderr, "usage: field 1-4 [FILE]\n");
        return 2;
    }
    if (argc > 2 && !(in = fopen(argv[2], "r"))) {
        perror(argv[2]);
        return 1;
    }
    int wanted = argv[1][0] - '1';
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (split(line, separator(), fields) > wanted) puts(fields[wanted]);
    }
    return 0;
}
