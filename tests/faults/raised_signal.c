// The program kills itself with a signal.
#include <signal.h>

int main(void) {
    raise(SIGTERM); // FAULT signal
    return 0;
}
