// A handler runs when its signal is raised.
// input: 1
#include <byway.h>
#include <signal.h>

static volatile sig_atomic_t caught;

static void handler(int number)
{
    caught = number; // TARGET reached
    if (number == SIGTERM)
        caught = -1; // TARGET unreachable
}

static void ignored(int number)
{
    caught = -number; // TARGET unreachable
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    signal(SIGUSR1, handler);
    signal(SIGUSR2, ignored);
    signal(SIGUSR2, SIG_IGN);
    if (x == 40)
        raise(SIGUSR1);
    if (x == 41)
        raise(SIGUSR2);
    if (x == 40 && caught != SIGUSR1)
        return 1; // TARGET unreachable
    if (caught == SIGUSR1)
        return 2; // TARGET reached
    return 0;
}
