/* System calls and allocations that fail because an option asks for it: symbolic input selects
 * which of them. */

#include <errno.h>
#include <sys/syscall.h>
#include "engine.h"
#include "symbolic_input.h"

/* The first call of a kind has the number 1. */
struct failing {
	const char *name;
	int error;
	int which, calls;
};

static struct failing on_read = { "read_fail", EIO }, on_write = { "write_fail", EIO },
	on_close = { "close_fail", EIO }, on_ftruncate = { "ftruncate_fail", EIO },
	on_getcwd = { "getcwd_fail", ERANGE };
static int failures_left;

static struct failing *failing_of(long number)
{
	switch (number) {
	case SYS_read:
	case SYS_readv: return &on_read;
	case SYS_write:
	case SYS_writev: return &on_write;
	case SYS_close: return &on_close;
	case SYS_ftruncate: return &on_ftruncate;
	case SYS_getcwd: return &on_getcwd;
	default: return 0;
	}
}

void __byway_allow_failures(int count)
{
	struct failing *all[] = { &on_read, &on_write, &on_close, &on_ftruncate, &on_getcwd };

	failures_left = count;
	for (int i = 0; i < 5; i++)
		__byway_symbolic(&all[i]->which, sizeof all[i]->which, all[i]->name);
}

long __byway_failure(long number)
{
	struct failing *failing = failures_left ? failing_of(number) : 0;

	if (!failing || ++failing->calls != failing->which) return 0;
	failures_left--;
	return -failing->error;
}

/* Which allocations fail. The engine reads and counts here whenever the program
 * allocates; an allocation fails if its number, from 1, is the next one listed. */
struct {
	int most, calls, failed;
	int which[MOST_ARGUMENTS];
} __byway_failing_allocations;

void __byway_allow_allocation_failures(int count)
{
	__byway_symbolic(__byway_failing_allocations.which,
		count * sizeof *__byway_failing_allocations.which, "alloc_fail");
	__byway_failing_allocations.most = count;
}
