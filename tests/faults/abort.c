// abort, called by the user's code.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("before\n");
    abort(); // FAULT abort
}
