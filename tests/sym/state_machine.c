// A state machine that parses a number such as -1.5e3 and reports its class.
// paths: 58
// exit-codes: 0 1 2 3 4 5 6 100 101 102 103
// faults: none
#include <byway.h>

enum state { START, SIGN, WHOLE, POINT, FRACTION, MARK, EXPONENT, WRONG };

static enum state step(enum state state, char c)
{
    int digit = c >= '0' && c <= '9';
    switch (state) {
    case START:
        if (c == '-')
            return SIGN;
        __attribute__((fallthrough));
    case SIGN:
        return digit ? WHOLE : WRONG;
    case WHOLE:
        if (c == '.')
            return POINT;
        __attribute__((fallthrough));
    case FRACTION:
        if (c == 'e')
            return MARK;
        return digit ? state : WRONG;
    case POINT:
        return digit ? FRACTION : WRONG;
    case MARK:
    case EXPONENT:
        return digit ? EXPONENT : WRONG;
    default:
        return WRONG;
    }
}

int main(void)
{
    char text[4];
    enum state state = START;
    byway_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 4; i++) {
        if (text[i] == 0)
            break;
        state = step(state, text[i]);
        if (state == WRONG)
            return 100 + i;
    }
    return (int)state;
}
