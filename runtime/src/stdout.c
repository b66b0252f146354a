/* Standard output.
 *
 * musl's stdout is line-buffered until the first write finds that it is not a terminal,
 * and so is this one when a program is executed once. While paths are explored, the time
 * of output is not observable, and searching symbolic output for the end of a line would
 * fork at every byte, to no effect. So it is fully buffered then, and is not asked for its type. */

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
	if (!__byway_exploring()) return;
	__stdout_FILE.lbf = -1;
	__stdout_FILE.write = __stdio_write;
}
