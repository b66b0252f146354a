// memcpy between ranges that overlap by one byte.
#include <string.h>

int main(void) {
    char text[16] = "0123456789";
    volatile unsigned long n = 5;
    memcpy(text + 4, text, n); // FAULT overlap
    return 0;
}
