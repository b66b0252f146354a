// A member behind a null pointer to a struct.
#include <stdlib.h>

struct big { char padding[200]; int value; };

int main(void) {
    struct big *volatile p = NULL;
    p->value = 5; // FAULT null-dereference
    return 0;
}
