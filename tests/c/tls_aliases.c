// Thread-local variables, aliases, weak symbols and definitions, common globals, static locals.
#include <stdio.h>

static _Thread_local int counter = 7;
_Thread_local struct { int x; double y[4]; } block = {3, {1, 2, 3, 4}};
__thread char buffer[16];

static int original(int x) { return x * 2 + 1; }
int renamed(int x) __attribute__((alias("original_impl")));
int original_impl(int x) { return original(x); }
extern int shared_alias __attribute__((alias("shared")));
int shared = 10;
__attribute__((weak)) int maybe(void);
__attribute__((weak)) int fallback(void) { return 5; }
extern __attribute__((weak)) int absent;
int tentative;
int tentative;

__attribute__((noinline)) static int next(void) {
    static int calls = 100;
    static _Thread_local int local;
    local += 2;
    return ++calls * 10 + local;
}
__attribute__((noinline)) static int *where(void) { return &counter; }
static int (*resolver(void))(int) { return original; }
int chosen(int) __attribute__((alias("original_impl")));

int main(void) {
    for (int i = 0; i < 3; i++) {
        counter += i;
        block.y[i] *= block.x++;
        buffer[i] = (char)('a' + i);
        printf("%d %g %s %d\n", *where(), block.y[i], buffer, next());
    }
    shared_alias += 5;
    printf("%d %d %d\n", renamed(4), shared, &shared == &shared_alias);
    printf("%d %d %d\n", maybe ? maybe() : -1, fallback(), &absent == NULL);
    printf("%d %d\n", ++tentative, resolver()(3) + chosen(1));
    return 0;
}
