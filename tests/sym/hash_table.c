// A hash table with chains: symbolic keys fall into the same chain or not.
// paths: 3
// exit-codes: 0 1 2
// faults: none
#include <byway.h>

static int next[2], head[4];
static unsigned char keys[2];

int main(void)
{
    byway_make_symbolic(keys, sizeof keys, "keys");
    for (int i = 0; i < 2; i++) {
        unsigned bucket = (keys[i] * 7u >> 2) & 3;
        if (head[bucket] != 0 && keys[head[bucket] - 1] == keys[i])
            return 1; // there already
        next[i] = head[bucket];
        head[bucket] = i + 1;
    }
    if (next[1] == 1)
        return 2; // a chain of two
    return 0;
}
