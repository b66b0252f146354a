// Decodes four characters to three bytes, with a table built at the start.
// paths: 16
// exit-codes: 0 1 2 3
// faults: none
#include <byway.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int main(void)
{
    signed char value[256];
    unsigned char in[4], out[3];
    memset(value, -1, sizeof value);
    for (int i = 0; i < 64; i++)
        value[(unsigned char)digits[i]] = (signed char)i;
    byway_make_symbolic(in, sizeof in, "in");
    int padding = 0;
    if (in[3] == '=') {
        padding = 1;
        if (in[2] == '=')
            padding = 2;
    }
    unsigned bits = 0;
    for (int i = 0; i < 4; i++) {
        signed char digit = i >= 4 - padding ? 0 : value[in[i]];
        if (digit < 0)
            return 1;
        bits = bits << 6 | (unsigned)digit;
    }
    out[0] = (unsigned char)(bits >> 16);
    out[1] = (unsigned char)(bits >> 8);
    out[2] = (unsigned char)bits;
    if (padding == 0 && memcmp(out, "by!", 3) == 0)
        return 2;
    if (padding == 2 && out[0] == 0x0f)
        return 3;
    return 0;
}
