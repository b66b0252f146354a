/* Linked with --wrap=main: calls the program's main, then overwrites the stack below it and the
 * registers that a called function preserves, so that no pointer of the program is left there. */
#include <alloca.h>

int __real_main(int argc, char **argv, char **envp);

__attribute__((noinline, no_sanitize("address", "memory", "undefined"))) static void scrub(void) {
    volatile char *below = alloca(1 << 16);
    for (unsigned i = 0; i < 1 << 16; i++)
        below[i] = 0;
    __asm__ volatile("" ::: "rbx", "r12", "r13", "r14", "r15");
}

__attribute__((no_sanitize("address", "memory", "undefined")))
int __wrap_main(int argc, char **argv, char **envp) {
    int status = __real_main(argc, argv, envp);
    scrub();
    return status;
}
