/* A lock that opens for one password only. The program contains no copy of it, only
 * the numbers that its characters must produce.
 *
 *     byway run examples/password.c          finds the password
 *     klee password.bc                       KLEE does too: the calls are those of its header
 *
 * What it shows: Byway does not guess. Each comparison becomes an equation, and the
 * test of the path on which the lock opens is the solution of them all.
 */
// paths: 12
// faults: reported@34 x1
#include <klee/klee.h>

enum { LENGTH = 10 };

static const unsigned short lock[LENGTH] = {
    40726, 1883, 16459, 4198, 36808, 35455, 22895, 55779, 56029, 58773};

/* Each number mixes one character with all those before it. */
static int opens(const char *password) {
    unsigned short mixed = 4711;
    for (int i = 0; i < LENGTH; i++) {
        mixed = (unsigned short)((mixed << 3 | mixed >> 13) + 31 * (unsigned char)password[i]);
        if (mixed != lock[i])
            return 0;
    }
    return password[LENGTH] == '\0';
}

int main(void) {
    char password[LENGTH + 1];
    klee_make_symbolic(password, sizeof password, "password");
    if (opens(password))
        klee_report_error(__FILE__, __LINE__, "the lock is open", "open.err");
    return 1;
}
