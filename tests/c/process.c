// Queries of a program about itself and its machine, as far as the results are the same everywhere.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	printf("%s: %ld", what, result);
	if (result < 0) printf(" (%s)", strerror(errno));
	putchar('\n');
}

static void ids(void)
{
	uid_t real, effective, saved;
	gid_t groups[64];

	say("getresuid", getresuid(&real, &effective, &saved));
	printf("%d %d\n", real == getuid(), effective == geteuid());
	say("stay", setresuid(-1, real, -1));
	say("again", setuid(real));
	say("groups", getgroups(64, groups) >= 0);
	say("fewer than none", getgroups(-1, groups));
	say("parent", getppid() >= 0);
	say("children", wait(0));
	say("signal nobody", kill(2000000000, 0));
	say("signal myself", kill(getpid(), 0));
}

static void limits(void)
{
	struct rlimit limit, same;

	say("getrlimit", getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = 32;
	say("lower", setrlimit(RLIMIT_NOFILE, &limit));
	getrlimit(RLIMIT_NOFILE, &same);
	printf("%ld\n", (long)same.rlim_cur);
	limit.rlim_cur = limit.rlim_max + 1;
	say("above its maximum", setrlimit(RLIMIT_NOFILE, &limit));
	say("unknown", getrlimit(99, &limit));
}

static void machine(void)
{
	struct utsname name;
	struct sysinfo info;
	struct timespec now, pause = { 0, 1000 }, rest = { 1, 1 };
	struct tms ticks;
	struct rusage usage;
	unsigned char bytes[16] = { 0 };
	int sum = 0;

	say("uname", uname(&name));
	printf("%s %s\n", name.sysname, name.machine);
	say("sysinfo", sysinfo(&info));
	printf("%d\n", info.totalram > 0 && info.mem_unit > 0);
	printf("%d\n", sysconf(_SC_NPROCESSORS_ONLN) >= 1);
	say("getrandom", getrandom(bytes, sizeof bytes, 0));
	for (int i = 0; i < 16; i++) sum += bytes[i];
	printf("%d\n", sum > 0);
	say("clock", clock_gettime(CLOCK_MONOTONIC, &now));
	say("no clock", clock_gettime(77, &now));
	say("sleep", nanosleep(&pause, &rest));
	say("times", times(&ticks) >= 0);
	say("usage", getrusage(RUSAGE_SELF, &usage));
	say("time", time(0) > 1500000000);
}

static void alternate_stack(void)
{
	static char memory[65536];
	stack_t stack = { .ss_sp = memory, .ss_size = sizeof memory }, old;

	say("none yet", sigaltstack(0, &old));
	printf("%d\n", old.ss_flags == SS_DISABLE);
	say("set", sigaltstack(&stack, 0));
	say("get", sigaltstack(0, &old));
	printf("%d %zu\n", old.ss_sp == memory, old.ss_size);
	stack.ss_size = 1;
	say("too small", sigaltstack(&stack, 0));
}

int main(void)
{
	ids();
	limits();
	machine();
	alternate_stack();
	umask(027);
	printf("%o\n", umask(022));
	return 0;
}
