// strcmp, strchr and strncmp of the C library.
// paths: 20
// exit-codes: 0 1 2 3
#include <byway.h>
#include <string.h>

int main(void)
{
    char text[4];
    byway_make_symbolic(text, 3, "text");
    text[3] = 0;
    if (strcmp(text, "ab") == 0)
        return 1;
    if (strncmp(text, "b/", 2) == 0)
        return 2;
    const char *slash = strchr(text, '/');
    if (slash && slash > text)
        return 3;
    return 0;
}
