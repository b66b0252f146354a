// Binary search among fifteen numbers: found at each index, or between two.
// paths: 29
// exits: 29
// faults: none
#include <byway.h>

static const unsigned char sorted[15] = {2,  3,  5,  17, 19, 33,  41, 60,
                                         61, 80, 99, 120, 180, 200, 254};

int main(void)
{
    unsigned char key;
    int low = 0, high = 15;
    byway_make_symbolic(&key, sizeof key, "key");
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == key)
            return middle;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return 100 + low;
}
