// Access to a member through a null pointer.
#include <stdlib.h>

struct big { char padding[200]; int value; };

int main(void) {
    struct big *volatile p = NULL;
    p->value = 5; // FAULT null-dereference
    return 0;
}
