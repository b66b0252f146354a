// Decodes one UTF-8 character from four bytes, with all invalid encodings.
// paths: 17
// exit-codes: 0 1 2 3 4
// faults: none
#include <byway.h>

int main(void)
{
    unsigned char b[4];
    byway_make_symbolic(b, sizeof b, "b");
    unsigned code;
    int length;
    if (b[0] < 0x80)
        return 1;
    if ((b[0] & 0xe0) == 0xc0) {
        length = 2;
        code = b[0] & 0x1f;
    } else if ((b[0] & 0xf0) == 0xe0) {
        length = 3;
        code = b[0] & 0x0f;
    } else if ((b[0] & 0xf8) == 0xf0) {
        length = 4;
        code = b[0] & 0x07;
    } else {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (b[i] & 0x3f);
    }
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return length;
}
