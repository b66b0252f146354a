// mempcpy backwards into its own source.
#define _GNU_SOURCE
#include <string.h>

int main(void) {
    char text[16] = "0123456789";
    volatile unsigned long n = 8;
    mempcpy(text, text + 3, n); // FAULT overlap
    return 0;
}
