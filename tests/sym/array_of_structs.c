// A field of a record selected by a symbolic index; a record copied as a whole.
// paths: 4
// exit-codes: 0 1 2
// faults: out-of-bounds@19
#include <byway.h>

struct person {
    char initial;
    short age;
    long account;
};

static struct person people[3] = {{'a', 30, 1000}, {'b', 70, -5}, {'c', 18, 70}};

int main(void)
{
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    struct person one = people[i];
    if (one.account < 0)
        return 1;
    if (one.age == 18 && one.initial == 'c')
        return 2;
    return 0;
}
