/* For programs whose every behaviour is known from running them on all inputs there are.
 *
 * A program notes what it decides, a letter at a time. While Byway explores it, notes are
 * nothing. Natively (-DNATIVE) it is called again and again in one process, each time with
 * other arguments, environment, standard input and file, as the file REQUESTS says; its
 * notes and its exit code go to the file ANSWERS. `bench/src/sym/native.rs` has the other
 * side of both. It must return from main, and leave nothing behind from one call to the
 * next but what is put back here. */

#ifndef NATIVE

#define note(what) ((void)0)

#else

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NOTES = 200, MOST_WORDS = 8, MOST_BYTES = 4096 };

extern int __optreset;
extern char **environ;
int program(int argc, char **argv);

static char notes[MOST_NOTES];
static unsigned char note_count;

static void note(char what)
{
	if (note_count < MOST_NOTES) notes[note_count++] = what;
}

static _Noreturn void fail(const char *what)
{
	perror(what);
	_Exit(99);
}

static FILE *requests;

/* A list of bytes with its length before it; a zero follows. */
static unsigned take(char *to)
{
	unsigned char length[2];
	if (fread(length, 1, 2, requests) != 2) fail("a request");
	unsigned count = length[0] | length[1] << 8;
	if (count >= MOST_BYTES || fread(to, 1, count, requests) != count) fail("a request");
	to[count] = 0;
	return count;
}

static int take_words(char bytes[MOST_WORDS][MOST_BYTES], char **words)
{
	int count = getc(requests);
	if (count < 0 || count > MOST_WORDS) fail("too many words");
	for (int i = 0; i < count; i++) {
		take(bytes[i]);
		words[i] = bytes[i];
	}
	words[count] = 0;
	return count;
}

static void put_stdin(const char *bytes, unsigned count)
{
	int ends[2];
	if (pipe(ends) || write(ends[1], bytes, count) != (ssize_t)count) fail("standard input");
	if (dup2(ends[0], 0)) fail("standard input");
	close(ends[0]);
	close(ends[1]);
	clearerr(stdin);
	__fpurge(stdin);
}

static void put_file(const char *bytes, unsigned count)
{
	int file = open("A", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (file < 0 || write(file, bytes, count) != (ssize_t)count || close(file)) fail("A");
}

/* A request: arguments, environment, standard input, and whether there is a file, then
 * what it holds. */
static int take_request(void)
{
	static char arguments[MOST_WORDS][MOST_BYTES], variables[MOST_WORDS][MOST_BYTES];
	static char *argv[MOST_WORDS + 1], *envp[MOST_WORDS + 1], bytes[MOST_BYTES];
	int argc = take_words(arguments, argv);
	take_words(variables, envp);
	unsigned count = take(bytes);
	put_stdin(bytes, count);
	if (getc(requests)) {
		count = take(bytes);
		put_file(bytes, count);
	}
	environ = envp;
	optind = __optreset = 1;
	note_count = 0;
	return program(argc, argv);
}

int main(int argc, char **argv)
{
	if (argc != 3 || !(requests = fopen(argv[1], "r"))) fail("REQUESTS");
	FILE *answers = fopen(argv[2], "w");
	if (!answers) fail("ANSWERS");
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) fail("null");
	for (int c; (c = getc(requests)) != EOF;) {
		ungetc(c, requests);
		int code = take_request();
		putc(code & 0xff, answers);
		putc(note_count, answers);
		fwrite(notes, 1, note_count, answers);
	}
	return fclose(answers) ? 98 : 0;
}

#define main program

#endif
