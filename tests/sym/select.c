// Optimised code selects values without branches: one path for all inputs.
// paths: 1
// run: -O1
#include <byway.h>

int main(void)
{
    unsigned char b[3];
    byway_make_symbolic(b, sizeof b, "b");
    int largest = b[0] > b[1] ? b[0] : b[1];
    largest = largest > b[2] ? largest : b[2];
    int distance = b[0] > b[2] ? b[0] - b[2] : b[2] - b[0];
    return largest == distance ? 1 : 2;
}
