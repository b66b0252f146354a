/* Symbolic input from outside of the program; src/symbolic_input.c. */
#ifndef BYWAY_SYMBOLIC_INPUT_H
#define BYWAY_SYMBOLIC_INPUT_H

#include <features.h>

struct inode;
struct kstat;

/* Applies the options. Returns a new argv, followed by the environment and the
 * auxiliary vector, and updates argc. */
hidden char **__byway_apply_options(char *const *options, long *argc, char **argv);

/* The -errno with which this system call fails; 0 if it does not fail. */
hidden long __byway_failure(long number);

/* Makes the status of a symbolic file symbolic, if that is enabled. */
hidden void __byway_vary_status(const struct inode *inode, struct kstat *status);

/* The program has set these members of an inode, and its time of change: they are symbolic no
 * longer. */
enum status_members {
	STATUS_MODE = 1,
	STATUS_USER = 2,
	STATUS_GROUP = 4,
	STATUS_ACCESSED = 8,
	STATUS_MODIFIED = 16,
};
hidden void __byway_status_set(const struct inode *inode, int members);

#endif
