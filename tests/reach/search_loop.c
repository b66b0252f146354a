// A loop that leaves early, and the code after it.
// input: 2
#include <byway.h>

int main(void)
{
    static const char word[] = "byway";
    char c;
    unsigned char from;
    byway_make_symbolic(&c, sizeof c, "c");
    byway_make_symbolic(&from, sizeof from, "from");
    int found = -1;
    for (int i = from & 3; i < 5; i++)
        if (word[i] == c) {
            found = i;
            break;
        }
    if (found == 4)
        return 1; // TARGET reached
    if (found == 1 && c != 'y')
        return 2; // TARGET unreachable
    if (found == 0 && from > 4 && (from & 1))
        return 3; // TARGET unreachable
    return 0;
}
