// Only a function of the right type can be called through a pointer.
// input: 1
#include <byway.h>

int result;

static void two_arguments(int a, int b)
{
    result = a + b; // TARGET unreachable
}

static void one_argument(int a)
{
    result = a; // TARGET reached
}

static void never_chosen(int a)
{
    result = -a; // TARGET unreachable
}

void (*pair)(int, int) = two_arguments;
void (*single)(int);

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    single = x < 200 ? one_argument : never_chosen;
    if (x == 150)
        single(x);
    return result;
}
