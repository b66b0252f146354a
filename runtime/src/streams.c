/* What standard input, output and error are: pipes, unless an option makes one a regular file
 * or a terminal, or lets the path decide (--stream-type). Paths fork by the type where the
 * program can see it: its status, its position, and whether it is a terminal.
 *
 * A terminal delivers input as a pipe does, not by lines. Output to a file cannot be
 * overwritten: seeking elsewhere than to its end fails, which is counted. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "streams.h"
#include "syscall.h"

enum { STREAMS = 3, REGULAR = 1, TERMINAL = 2, ANY = 3 };

static int types[STREAMS], is_settled[STREAMS];
int __byway_streams_ended;

static const char *const stream_names[] = { "stdin", "stdout", "stderr" };
static const char *const type_names[] = { "pipe", "file", "tty", "any" };

int __byway_stream_option(const char *stream, const char *type)
{
	int found = 0, wanted = 0;

	while (wanted <= ANY && strcmp(type, type_names[wanted])) wanted++;
	for (int i = 0; i < STREAMS && wanted <= ANY; i++) {
		if (strcmp(stream, "all") && strcmp(stream, stream_names[i])) continue;
		types[i] = wanted;
		found = 1;
	}
	return found;
}

void __byway_make_stream_types(void)
{
	static const char *const input_names[] = { "stdin-type", "stdout-type", "stderr-type" };

	for (int i = 0; i < STREAMS; i++) {
		if (types[i] != ANY) continue;
		__byway_symbolic(&types[i], sizeof types[i], input_names[i]);
		__byway_assume((unsigned)types[i] < ANY);
	}
}

int __byway_is_stream(const struct inode *inode)
{
	return inode->number <= STREAMS;
}

static int is_terminal(const struct inode *inode)
{
	if (!__byway_is_stream(inode)) return 0;
	if (__byway_streams_ended && !is_settled[inode->number - 1]) return 0;
	return types[inode->number - 1] == TERMINAL;
}

void __byway_stream_settle(struct inode *inode)
{
	if (__byway_streams_ended || !__byway_is_stream(inode)) return;
	if (is_settled[inode->number - 1]) return;
	is_settled[inode->number - 1] = 1;
	switch (types[inode->number - 1]) {
	case REGULAR:
		inode->mode = S_IFREG | 0644;
		if (inode->device == DEVICE_INPUT) inode->device = NO_DEVICE;
		break;
	case TERMINAL: inode->mode = S_IFCHR | 0620;
	}
}

/* As a new terminal is set up. The kernel's structure is the beginning of musl's. */
static struct termios settings = {
	.c_iflag = ICRNL | IXON,
	.c_oflag = OPOST | ONLCR,
	.c_cflag = B38400 | CS8 | CREAD,
	.c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN,
	.c_cc = { [VINTR] = 3, [VQUIT] = 28, [VERASE] = 127, [VKILL] = 21, [VEOF] = 4, [VMIN] = 1,
		[VSTART] = 17, [VSTOP] = 19, [VSUSP] = 26, [VREPRINT] = 18, [VDISCARD] = 15,
		[VWERASE] = 23, [VLNEXT] = 22 },
};

long __byway_terminal_control(const struct inode *inode, int request, void *argument)
{
	enum { KERNEL_SIZE = 36 };

	if (!is_terminal(inode)) return -ENOTTY;
	switch (request) {
	case TIOCGWINSZ:
		*(struct winsize *)argument = (struct winsize){ .ws_row = 24, .ws_col = 80 };
		return 0;
	case TCGETS: memcpy(argument, &settings, KERNEL_SIZE); return 0;
	case TCSETS:
	case TCSETSW:
	case TCSETSF: memcpy(&settings, argument, KERNEL_SIZE); return 0;
	case TIOCGPGRP:
	case TIOCGSID: *(int *)argument = __syscall(SYS_getpid); return 0;
	case TIOCSPGRP:
	case TIOCSWINSZ:
	case TCFLSH:
	case TCSBRK:
	case TCXONC: return 0;
	default: return -ENOTTY;
	}
}
