// Written in one width and read in another; bit-fields; bytes of a word.
// paths: 7
// exit-codes: 0 1 2 3 4
#include <byway.h>
#include <string.h>

union view {
    unsigned whole;
    unsigned short half[2];
    unsigned char byte[4];
    struct {
        unsigned low : 5, middle : 12, high : 15;
    } field;
};

int main(void)
{
    union view view;
    view.whole = 0;
    byway_make_symbolic(&view.byte[1], 3, "bytes");
    if (view.whole == 0x12345600)
        return 1;
    if (view.half[1] == 0xabcd)
        return 2;
    if (view.field.middle == 0x808 && view.field.high == 0x7ffe)
        return 3;
    view.half[0] = view.half[1];
    unsigned copy;
    memcpy(&copy, &view, sizeof copy);
    if ((copy & 0xffff) != copy >> 16)
        return 9;
    if (copy == 0x01010101)
        return 4;
    return 0;
}
