// Only a NaN differs from itself.
// input: 2
#include <byway.h>
#include <string.h>

int main(void)
{
    unsigned short high;
    byway_make_symbolic(&high, sizeof high, "high");
    unsigned bits = (unsigned)high << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    if (value != value) {
        if (value > 0 || value < 0)
            return 1; // TARGET unreachable
        return 2; // TARGET reached
    }
    if (value == 0 && bits != 0)
        return 3; // TARGET reached
    if (value > 0 && (bits >> 31) != 0)
        return 4; // TARGET unreachable
    return 0;
}
