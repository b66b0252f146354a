/* Input that comes from outside a program, made symbolic; src/symbolic_input.c. */
#ifndef BYWAY_SYMBOLIC_INPUT_H
#define BYWAY_SYMBOLIC_INPUT_H

#include <features.h>

struct inode;
struct kstat;

/* Carries out options, and gives a new argv, behind which lie the environment and the
 * auxiliary vector as before; argc changes with it. */
hidden char **__byway_apply_options(char *const *options, long *argc, char **argv);

/* Whether this system call is one that fails, and with which -errno; else 0. */
hidden long __byway_failure(long number);

/* Has what stat says of a symbolic file be input, where that was asked for. */
hidden void __byway_vary_status(const struct inode *inode, struct kstat *status);

#endif
