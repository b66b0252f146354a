// raise with and without a handler.
// paths: 3
// exits: 2
// exit-codes: 1 3
// faults: signal@26
#include <byway.h>
#include <signal.h>

static volatile int seen;

static void handler(int number)
{
    seen = number;
}

int main(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    if (c > 10) {
        signal(SIGUSR1, handler);
        raise(SIGUSR1);
        return seen == SIGUSR1 ? 1 : 2;
    }
    if (c == 0)
        raise(SIGTERM);
    return 3;
}
