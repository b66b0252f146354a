// Pipes between a program and itself, and waiting for descriptors.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	printf("%s: %ld", what, result);
	if (result < 0) printf(" (%s)", strerror(errno));
	putchar('\n');
}

static void on_signal(int signal)
{
	printf("signal %d\n", signal);
}

static void passing(void)
{
	int ends[2], waiting;
	char text[32] = "";
	struct stat s;

	say("pipe", pipe(ends));
	fstat(ends[0], &s);
	printf("%d\n", S_ISFIFO(s.st_mode));
	say("write", write(ends[1], "one two", 7));
	say("more", write(ends[1], " three", 6));
	ioctl(ends[0], FIONREAD, &waiting);
	printf("%d wait\n", waiting);
	say("read", read(ends[0], text, 4));
	printf("%s\n", text);
	say("the rest", read(ends[0], text, sizeof text));
	printf("%s\n", text);
	say("wrong end", read(ends[1], text, 1));
	say("other wrong end", write(ends[0], text, 1));
	say("seek", lseek(ends[0], 0, SEEK_SET));
	say("pread", pread(ends[0], text, 1, 0));
	close(ends[1]);
	say("end", read(ends[0], text, 1));
	close(ends[0]);
}

static void breaking(void)
{
	int ends[2];

	signal(SIGPIPE, on_signal);
	pipe2(ends, O_CLOEXEC | O_NONBLOCK);
	say("flag", fcntl(ends[0], F_GETFD));
	say("empty", read(ends[0], ends, 1));
	char block[4096] = "";
	long total = 0, put;
	while ((put = write(ends[1], block, sizeof block)) > 0) total += put;
	say("full", put);
	printf("at %ld\n", total);
	close(ends[0]);
	say("nobody reads", write(ends[1], "x", 1));
	close(ends[1]);
}

static void waiting(void)
{
	int ends[2];
	fd_set readers, writers;
	struct timeval none = { 0 };

	pipe(ends);
	struct pollfd fds[] = { { ends[0], POLLIN, 0 }, { ends[1], POLLOUT, 0 }, { -1, POLLIN, 7 }, { 99, POLLIN, 0 } };
	say("poll", poll(fds, 4, 0));
	for (int i = 0; i < 4; i++) printf("%x ", fds[i].revents);
	putchar('\n');
	write(ends[1], "x", 1);
	say("poll", poll(fds, 2, -1));
	printf("%x %x\n", fds[0].revents, fds[1].revents);
	FD_ZERO(&readers);
	FD_ZERO(&writers);
	FD_SET(ends[0], &readers);
	FD_SET(ends[1], &writers);
	say("select", select(ends[1] + 1, &readers, &writers, 0, 0));
	printf("%d %d\n", FD_ISSET(ends[0], &readers), FD_ISSET(ends[1], &writers));
	read(ends[0], fds, 1);
	say("select", select(ends[1] + 1, &readers, 0, 0, &none));
	printf("%d\n", FD_ISSET(ends[0], &readers));
	FD_SET(500, &readers);
	say("select beyond", select(501, &readers, 0, 0, &none));
	FD_SET(50, &readers);
	say("select of nothing", select(51, &readers, 0, 0, &none));
	close(ends[0]), close(ends[1]);
}

int main(void)
{
	struct winsize size;
	struct termios terminal;

	setvbuf(stdout, 0, _IOLBF, 0);
	passing();
	breaking();
	waiting();
	say("isatty", isatty(0));
	say("size", ioctl(1, TIOCGWINSZ, &size));
	say("attributes", tcgetattr(0, &terminal));
	say("nothing", ioctl(77, TIOCGWINSZ, &size));
	return 0;
}
