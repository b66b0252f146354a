// A symbolic variable of at most one letter: empty, the expected letter, or another.
// paths: 3
// exit-codes: 0 1 2
// inputs: env-MODE
// run: --sym-env MODE 1 --env OTHER=x
// replay: no
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *mode = getenv("MODE"), *other = getenv("OTHER");
    if (!mode || !other || strcmp(other, "x") || getenv("MOD"))
        return 99;
    if (!mode[0])
        return 0;
    if (mode[0] == 'f')
        return 1;
    return 2;
}
