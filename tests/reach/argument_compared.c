// Command-line arguments compared with words.
// run: --sym-arg 3
// bytes: -ab
#include <string.h>

int main(int argc, char **argv)
{
    if (strcmp(argv[1], "-ab") == 0)
        return 1; // TARGET reached
    if (strcmp(argv[1], "-abb") == 0)
        return 2; // TARGET unreachable
    if (argv[1][0] == '-' && strlen(argv[1]) == 3 && strcmp(argv[1], "-") < 0)
        return 3; // TARGET unreachable
    if (strncmp(argv[1], "ba", 2) == 0 && strchr(argv[1], '-'))
        return 4; // TARGET reached
    return 0;
}
