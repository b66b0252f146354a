// A stack machine executes three symbolic instructions.
// paths: 115
// exits: 106
// faults: division-by-zero@32 x3, out-of-bounds@24 x2, out-of-bounds@28 x2, out-of-bounds@32 x2
#include <byway.h>

enum { PUSH_ONE, PUSH_TWO, ADD, SUBTRACT, DIVIDE, STOP };

int main(void)
{
    unsigned char code[3];
    int stack[8] = {0}, top = 2;
    byway_make_symbolic(code, sizeof code, "code");
    for (int i = 0; i < 3; i++) {
        switch (code[i]) {
        case PUSH_ONE:
            stack[top++] = 1;
            break;
        case PUSH_TWO:
            stack[top++] = 2;
            break;
        case ADD:
            top--;
            stack[top - 1] += stack[top];
            break;
        case SUBTRACT:
            top--;
            stack[top - 1] -= stack[top];
            break;
        case DIVIDE:
            top--;
            stack[top - 1] /= stack[top];
            break;
        case STOP:
            return stack[top - 1];
        default:
            return 200;
        }
    }
    return stack[top - 1];
}
