// A null pointer passed to libc.
#include <string.h>

int main(void) {
    const char *volatile s = NULL;
    return (int)strlen(s); // FAULT null-dereference
}
