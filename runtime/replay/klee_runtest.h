/* What KLEE's libkleeRuntest does otherwise than Byway's replay library: included by
 * byway_replay.c where it is built as a library of that name (see build-runtest).
 *
 * Errors begin with KLEE_RUN_TEST_ERROR and end the program with exit code 1. With
 * KLEE_RUN_TEST_ERRORS_NON_FATAL set, the program goes on with what the test has, and zeros
 * for what it lacks; with the value STOP it ends with exit code 0. Without KTEST_FILE the
 * library asks for the test on standard input. With KLEE_RANDOM set, inputs are random. */

#include <time.h>

static void test_error(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("KLEE_RUN_TEST_ERROR: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	const char *non_fatal = getenv("KLEE_RUN_TEST_ERRORS_NON_FATAL");
	if (!non_fatal) exit(1);
	if (!strcmp(non_fatal, "STOP")) {
		fputs("KLEE_RUN_TEST_ERROR: Stop execution without an error\n", stderr);
		exit(0);
	}
	fputs("KLEE_RUN_TEST_ERROR: Forcing execution to continue\n", stderr);
}

static void ask_for_test(void)
{
	static char path[4096];
	printf("KLEE-RUNTIME: KTEST_FILE not set, please enter .ktest path: ");
	fflush(stdout);
	if (!fgets(path, sizeof path, stdin)) {
		fputs("KLEE-RUNTIME: cannot replay, no KTEST_FILE or user input\n", stderr);
		exit(1);
	}
	path[strcspn(path, "\n")] = 0;
	test.path = path;
	open_test();
}

static void fill_randomly(unsigned char *object, size_t size)
{
	static int seeded;
	struct timespec now;
	if (!seeded && clock_gettime(CLOCK_REALTIME, &now) == 0)
		srand((unsigned)now.tv_sec ^ (unsigned)now.tv_nsec ^ (unsigned)getpid());
	seeded = 1;
	/* The lowest bits of some generators are poor. */
	for (size_t i = 0; i < size; i++) object[i] = (unsigned char)(rand() >> 7);
}

static void take(void *object, size_t size, const char *name)
{
	if (!name) name = "unnamed";
	if (getenv("KLEE_RANDOM")) {
		fill_randomly(object, size);
		return;
	}
	if (!test.open) ask_for_test();
	struct piece rest = test.rest;
	struct piece called;
	int fits = 0;
	for (;;) {
		if (!test.left) {
			test_error("out of inputs. Will use zero if continuing.");
			memset(object, 0, size);
			return;
		}
		called = cut_string(&rest);
		fits = is_next(called, name, strlen(name));
		if (fits || !is_skipped(called)) break;
		cut_string(&rest);
		test.rest = rest;
		test.left--;
	}
	if (!fits)
		test_error("object name mismatch. Requesting \"%s\" but returning \"%.*s\"", name,
			(int)called.size, (const char *)called.bytes);
	struct piece bytes = cut_string(&rest);
	test.rest = rest;
	test.left--;
	if (bytes.size != size)
		test_error("object sizes differ. Expected %zu but got %zu", size, bytes.size);
	size_t common = bytes.size < size ? bytes.size : size;
	memcpy(object, bytes.bytes, common);
	memset((char *)object + common, 0, size - common);
}

static void assume(int holds, const char *what)
{
	(void)what;
	if (!holds) test_error("invalid klee_assume");
}

API int klee_range(int begin, int end, const char *name)
{
	int value = begin;
	/* There is no object for a single value. */
	if (begin >= end || end - 1 != begin) take(&value, sizeof value, name);
	if (value < begin || value >= end)
		test_error("invalid klee_range(%d,%d,%s) value, got: %d\n", begin, end,
			name ? name : "unnamed", value);
	return value;
}

API uintptr_t klee_choose(uintptr_t count)
{
	uintptr_t value;
	take(&value, sizeof value, "klee_choose");
	if (value >= count)
		test_error("klee_choose failure. max = %lu, got = %lu\n", (unsigned long)count,
			(unsigned long)value);
	return value;
}
