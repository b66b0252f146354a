// Limits on resources that are enforced, niceness, the process's name, and calls by number.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	printf("%s: %ld", what, result);
	if (result < 0) printf(" (%s)", strerror(errno));
	putchar('\n');
}

static void limit(int resource, rlim_t soft)
{
	struct rlimit limit;

	getrlimit(resource, &limit);
	limit.rlim_cur = soft;
	say("limit", setrlimit(resource, &limit));
}

static void descriptors(void)
{
	int count = 0, fd, ends[2];

	for (fd = 3; fd < 64; fd++) close(fd);
	limit(RLIMIT_NOFILE, 12);
	printf("sysconf: %ld\n", sysconf(_SC_OPEN_MAX));
	while ((fd = open("/dev/null", O_RDONLY)) >= 0) count++;
	printf("opened %d until: %s\n", count, strerror(errno));
	say("dup", dup(0));
	say("pipe", pipe(ends));
	say("dup2 within", dup2(0, 11));
	say("dup2 beyond", dup2(0, 12));
	say("dupfd beyond", fcntl(0, F_DUPFD, 12));
	close(5);
	say("one is enough for dup", dup(0));
	close(5);
	say("one is not enough for a pipe", pipe(ends));
	for (fd = 3; fd < 12; fd++) close(fd);
	limit(RLIMIT_NOFILE, 64);
	say("dup2 again", dup2(0, 20));
}

static volatile int exceeded;

static void note(int signal)
{
	exceeded += signal == SIGXFSZ;
}

static void sizes(void)
{
	char block[100] = { 0 };
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

	signal(SIGXFSZ, note);
	limit(RLIMIT_FSIZE, 150);
	say("first", write(fd, block, 100));
	say("what still fits", write(fd, block, 100));
	say("nothing fits", write(fd, block, 100));
	say("elsewhere", pwrite(fd, block, 100, 140));
	say("beyond", pwrite(fd, block, 100, 400));
	say("shorter", ftruncate(fd, 10));
	say("up to it", ftruncate(fd, 150));
	say("longer", ftruncate(fd, 151));
	printf("signals: %d\n", exceeded);
	say("seek", lseek(fd, 0, SEEK_END));
	limit(RLIMIT_FSIZE, RLIM_INFINITY);
	say("without a limit", write(fd, block, 100));
	close(fd);
	unlink("file");
}

static void self(void)
{
	char name[16];
	cpu_set_t set;

	// The nice value at the start may be raised already.
	say("as nice as before", nice(0) == getpriority(PRIO_PROCESS, 0));
	say("nicest", setpriority(PRIO_PROCESS, 0, 99));
	say("how nice", getpriority(PRIO_PROCESS, 0));
	say("name", prctl(PR_SET_NAME, "a name that is too long"));
	say("what name", prctl(PR_GET_NAME, name));
	puts(name);
	say("by number", syscall(SYS_getpid) == getpid());
	say("with arguments", syscall(SYS_lseek, 99, 0, SEEK_SET));
	say("affinity", sched_getaffinity(0, sizeof set, &set));
	printf("%d\n", CPU_COUNT(&set) >= 1);
	printf("%d\n", sched_getcpu() >= 0);
}

int main(void)
{
	char directory[] = "/tmp/byway-XXXXXX";

	if (!mkdtemp(directory) || chdir(directory)) return 1;
	descriptors();
	sizes();
	self();
	chdir("/");
	rmdir(directory);
	return 0;
}
