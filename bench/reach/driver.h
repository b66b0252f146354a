/* Runs a program of tests/reach natively on all inputs there are, to find out which of its
 * targets any input reaches. bench/src/reach/brute_force.rs puts this before the program, and a
 * call of HIT into each target.
 *
 * For each request of the file REQUESTS (bench/src/sym/native.rs has the form) a child process
 * calls the program's main. All children share the file HITS, one byte for each target. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DRIVER_TARGETS = 256, DRIVER_WORDS = 8, DRIVER_BYTES = 4096 };

int driver_program(int argc, char **argv);
extern char **environ;

/* Constructors run before the file is there. */
static unsigned char driver_early[DRIVER_TARGETS];
unsigned char *driver_hits = driver_early;

static char driver_input[DRIVER_BYTES];
static unsigned driver_used;

#define HIT(target) (driver_hits[target] = 1)

static void byway_make_symbolic(void *to, size_t count, const char *name)
{
	memcpy(to, driver_input + driver_used, count);
	driver_used += count;
}

static void byway_assume(unsigned long condition)
{
	if (!condition) _exit(0);
}

static _Noreturn void driver_fail(const char *what)
{
	perror(what);
	_Exit(99);
}

static unsigned driver_take(FILE *requests, char *to)
{
	unsigned char length[2];
	if (fread(length, 1, 2, requests) != 2) driver_fail("a request");
	unsigned count = length[0] | length[1] << 8;
	if (count >= DRIVER_BYTES || fread(to, 1, count, requests) != count)
		driver_fail("a request");
	to[count] = 0;
	return count;
}

static int driver_words(FILE *requests, char bytes[DRIVER_WORDS][DRIVER_BYTES], char **words)
{
	int count = getc(requests);
	if (count < 0 || count > DRIVER_WORDS) driver_fail("too many words");
	for (int i = 0; i < count; i++) {
		driver_take(requests, bytes[i]);
		words[i] = bytes[i];
	}
	words[count] = 0;
	return count;
}

static void driver_write(int file, const char *bytes, unsigned count)
{
	if (file < 0 || write(file, bytes, count) != (ssize_t)count || close(file))
		driver_fail("input");
}

static void driver_request(FILE *requests)
{
	static char arguments[DRIVER_WORDS][DRIVER_BYTES], variables[DRIVER_WORDS][DRIVER_BYTES];
	static char *argv[DRIVER_WORDS + 1], *envp[DRIVER_WORDS + 1], bytes[DRIVER_BYTES];
	int argc = driver_words(requests, arguments, argv);
	driver_words(requests, variables, envp);
	unsigned input = driver_take(requests, driver_input), file = 0;
	int has_file = getc(requests);
	if (has_file) file = driver_take(requests, bytes);
	pid_t child = fork();
	if (child < 0) driver_fail("fork");
	if (child > 0) {
		if (waitpid(child, 0, 0) != child) driver_fail("wait");
		return;
	}
	int ends[2];
	if (pipe(ends) || dup2(ends[0], 0)) driver_fail("standard input");
	driver_write(ends[1], driver_input, input);
	if (has_file) driver_write(open("A", O_WRONLY | O_CREAT | O_TRUNC, 0644), bytes, file);
	environ = envp;
	exit(driver_program(argc, argv));
}

/* A file in memory: children would move the position of a file that they share. */
static FILE *driver_copy(const char *name)
{
	FILE *file = fopen(name, "r");
	if (!file || fseek(file, 0, SEEK_END)) driver_fail(name);
	size_t size = ftell(file);
	char *bytes = malloc(size + 1);
	rewind(file);
	if (!bytes || fread(bytes, 1, size, file) != size || fclose(file)) driver_fail(name);
	return fmemopen(bytes, size, "r");
}

int main(int argc, char **argv)
{
	FILE *requests = argc == 3 ? driver_copy(argv[1]) : 0;
	int hits = requests ? open(argv[2], O_RDWR) : -1;
	if (hits < 0) driver_fail("REQUESTS HITS");
	driver_hits = mmap(0, DRIVER_TARGETS, PROT_READ | PROT_WRITE, MAP_SHARED, hits, 0);
	if (driver_hits == MAP_FAILED) driver_fail("HITS");
	memcpy(driver_hits, driver_early, DRIVER_TARGETS);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		driver_fail("null");
	for (int c; (c = getc(requests)) != EOF;) {
		ungetc(c, requests);
		driver_request(requests);
	}
	_exit(0);
}
