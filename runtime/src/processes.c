/* Other processes, other programs and other machines: there are none.
 *
 * A call that would need one fails as on a machine that has run out of it, so that a
 * program with a way to go on takes that way. This is a loss where a real call would
 * succeed, so it is counted; an error that Linux itself would give is not. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"

/* The process table is full. */
long __byway_no_process(const char *what)
{
	return __byway_not_modelled(what, -EAGAIN);
}

/* The kernel has no networking: no family of addresses is known. */
long __byway_no_socket(const char *what)
{
	return __byway_not_modelled(what, -EAFNOSUPPORT);
}

/* The beginning of a file that Linux can execute. It is not asked of symbolic bytes, which
 * would fork for a path that is lost in any case. */
static int may_be_program(const struct inode *inode)
{
	static const char *const beginnings[] = { "\x7f" "ELF", "#!" };

	for (int i = 0; i < 2; i++) {
		size_t length = strlen(beginnings[i]), same = 0;
		if (!__byway_is_symbolic(inode->size) && inode->size < length) continue;
		while (same < length && (__byway_is_symbolic(inode->data[same])
			|| inode->data[same] == (unsigned char)beginnings[i][same])) same++;
		if (same == length) return 1;
	}
	return 0;
}

/* The errors are exact up to the format of the file. A program that could run is a loss: it
 * looks like one on a file system where nothing may be executed. */
long __byway_exec(int start, const char *path, int flags)
{
	struct inode *inode;

	if (flags & ~(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW)) return -EINVAL;
	long error = __byway_path_at(start, path, flags, &inode);
	if (error) return error;
	if (S_ISLNK(inode->mode)) return -ELOOP;
	if (!S_ISREG(inode->mode)) return -EACCES;
	if ((error = __byway_inode_permits(inode, X_OK))) return error;
	if ((error = __byway_host_fill_file(inode))) return error;
	if (!may_be_program(inode)) return -ENOEXEC;
	return __byway_not_modelled("another program (execve)", -EACCES);
}
