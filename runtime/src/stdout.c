/* Standard output.
 *
 * musl ends its buffer at every line until the first write finds out that it goes to no
 * terminal, and so does this when a program just runs. Nobody sees when output comes while
 * paths are explored; and who looks for the end of a line in what depends on input parts
 * paths, byte by byte, that then do the same. So it is buffered in full then. */

#include "engine.h"
#include "stdio_impl.h"

#undef stdout

static unsigned char buffer[BUFSIZ + UNGET];

hidden FILE __stdout_FILE = {
	.buf = buffer + UNGET,
	.buf_size = sizeof buffer - UNGET,
	.fd = 1,
	.flags = F_PERM | F_NORD,
	.lbf = '\n',
	.write = __stdout_write,
	.seek = __stdio_seek,
	.close = __stdio_close,
	.lock = -1,
};

FILE *const stdout = &__stdout_FILE;
FILE *volatile __stdout_used = &__stdout_FILE;

__attribute__((constructor)) static void buffer_in_full(void)
{
	if (__byway_exploring()) __stdout_FILE.lbf = -1;
}
