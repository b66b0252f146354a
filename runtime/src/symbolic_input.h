/* Symbolic input from outside of the program. */
#ifndef BYWAY_SYMBOLIC_INPUT_H
#define BYWAY_SYMBOLIC_INPUT_H

#include <features.h>

struct inode;
struct kstat;

/* Applies the options. Returns a new argv, followed by the environment and the
 * auxiliary vector, and updates argc. */
hidden char **__byway_apply_options(char *const *options, long *argc, char **argv);

/* The maximum number of arguments, and of failures: their names have no space for more. */
enum { MOST_ARGUMENTS = 100 };

/* --- src/failing_calls.c --------------------------------------------------------- */

/* Lets at most so many system calls, or allocations, fail. */
hidden void __byway_allow_failures(int count);
hidden void __byway_allow_allocation_failures(int count);
/* The -errno with which this system call fails; 0 if it does not fail. */
hidden long __byway_failure(long number);

/* --- src/symbolic_input.c, from here on ------------------------------------------- */

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
