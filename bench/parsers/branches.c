// 64 branches, each on a byte of its own: 2^64 paths, and nothing that makes one of them
// better than another.

#include <stdio.h>

#include "input.h"

#define BRANCH(i) if (input[i] == (i)) count++;
#define BRANCHES_4(i) BRANCH(i) BRANCH((i) + 1) BRANCH((i) + 2) BRANCH((i) + 3)
#define BRANCHES_16(i) BRANCHES_4(i) BRANCHES_4((i) + 4) BRANCHES_4((i) + 8) BRANCHES_4((i) + 12)

int main(void) {
    int count = 0;

    read_input();
    BRANCHES_16(0)
    BRANCHES_16(16)
    BRANCHES_16(32)
    BRANCHES_16(48)
    printf("%d\n", count);
    return 0;
}
