/* Off by one: the loop writes one element past the end of the array. Run
 * natively it seems to work; byway stops at the first wrong byte.
 *
 *     byway exec examples/overflow.c
 */
#include <stdio.h>

#define COUNT 10

static void fill(int *squares, int count) {
    for (int i = 0; i <= count; i++)
        squares[i] = i * i;
}

int main(void) {
    int squares[COUNT];
    fill(squares, COUNT);
    printf("the last square is %d\n", squares[COUNT - 1]);
    return 0;
}
