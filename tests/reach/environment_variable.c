// A variable of the environment.
// run: --sym-env MODE 2
// bytes: onf
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *mode = getenv("MODE");
    if (!mode)
        return 1; // TARGET unreachable
    if (strcmp(mode, "on") == 0)
        return 2; // TARGET reached
    if (strcmp(mode, "off") == 0)
        return 3; // TARGET unreachable
    return 0;
}
