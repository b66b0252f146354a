// A machine that never leaves its end state.
// input: 3
// bytes: abz
#include <byway.h>

enum state { START, OPENED, CLOSED, BROKEN };

static enum state step(enum state state, char c)
{
    switch (state) {
    case START:
        return c == 'a' ? OPENED : START; // TARGET reached
    case OPENED:
        return c == 'b' ? CLOSED : OPENED; // TARGET reached
    case CLOSED:
        return CLOSED; // TARGET reached
    case BROKEN:
        return BROKEN; // TARGET unreachable
    }
    return BROKEN; // TARGET unreachable
}

int main(void)
{
    char input[3];
    byway_make_symbolic(input, sizeof input, "input");
    enum state state = START;
    for (int i = 0; i < 3; i++)
        state = step(state, input[i]);
    if (state == CLOSED && input[0] == 'b' && input[1] == 'b')
        return 1; // TARGET unreachable
    if (state == CLOSED && input[2] == 'a')
        return 2; // TARGET reached
    return 0;
}
