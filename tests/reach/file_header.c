// A file that begins with its own length.
// run: --sym-files 1 3 -- A
// bytes: \0\1\2\3
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "rb");
    if (!file)
        return 1; // TARGET unreachable
    int length = fgetc(file);
    int sum = 0, count = 0, c;
    while (count < length && (c = fgetc(file)) != EOF) {
        sum += c;
        count++;
    }
    fclose(file);
    if (length == 2 && sum == 5)
        return 2; // TARGET reached
    if (count == 3)
        return 3; // TARGET unreachable
    if (count < length)
        return 4; // TARGET reached
    return 0;
}
