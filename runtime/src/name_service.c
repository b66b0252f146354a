/* Users and groups that are not in /etc/passwd and /etc/group. musl would query a daemon
 * through a socket; there is none, and the path must not end for that. */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "../passwd/nscd.h"

/* The result that musl uses if no daemon runs: all zeros, "not found". */
FILE *__nscd_query(int32_t request, const char *key, int32_t *answer, size_t size, int *swap)
{
	int before = errno;
	FILE *nothing = fopen("/dev/null", "re");

	*swap = 0;
	memset(answer, 0, size);
	answer[0] = NSCDVERSION;
	if (nothing) errno = before;
	return nothing;
}
