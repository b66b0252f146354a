/* Standard output, buffered in full from the start.
 *
 * musl's ends its buffer at every line until the first write finds out that it goes to no
 * terminal. Here nothing is one; and who looks for the end of a line in what depends on
 * input parts paths, byte by byte, that then do the same. */

#include "stdio_impl.h"

#undef stdout

static unsigned char buffer[BUFSIZ + UNGET];

hidden FILE __stdout_FILE = {
	.buf = buffer + UNGET,
	.buf_size = sizeof buffer - UNGET,
	.fd = 1,
	.flags = F_PERM | F_NORD,
	.lbf = -1,
	.write = __stdio_write,
	.seek = __stdio_seek,
	.close = __stdio_close,
	.lock = -1,
};

FILE *const stdout = &__stdout_FILE;
FILE *volatile __stdout_used = &__stdout_FILE;
