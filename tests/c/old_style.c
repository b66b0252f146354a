// Functions without prototypes: default promotions, K&R definitions, implicit conversions at the call.
// flags: -std=gnu89 -Wno-deprecated-non-prototype
#include <stdio.h>

int total();
double scale();

int main() {
    short s = 3;
    char c = 'a';
    float f = 1.5f;
    int (*p)() = total;
    printf("%d %g %d\n", total(1, s, c), scale(f, 2), (*p)(4, 5, 6));
    return 0;
}

int total(a, b, c)
int a;
short b;
char c;
{
    return a + b + c;
}

double scale(x, n)
float x;
int n;
{
    return x * n;
}
