/* Users and groups that /etc/passwd and /etc/group do not have. musl would ask a daemon,
 * over a socket; there is none, which is no reason to end a path. */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "../passwd/nscd.h"

/* What musl makes of a daemon that does not run: an answer of zeros, "not found". */
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
