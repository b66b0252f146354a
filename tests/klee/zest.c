/* A concrete command line is the first path; the others are around it.
 *
 * run: klee --zest --only-seed %.bc --level 7; ktest-tool klee-last/test000001.ktest
 * expect: KLEE: done: generated tests = 1
 * expect: text: --level
 * expect: text: 7
 * run: klee --zest %.bc --level 7
 * expect: ASSERTION FAIL: 0 && "deep"
 * run: printf 'ab' > words; klee --zest %.bc words; ktest-tool klee-last/test000001.ktest
 * expect: name: 'A-data'
 * expect: text: ab
 * run: cat klee-last/*.err
 * expect: ASSERTION FAIL: 0 && "file"
 * run: printf 'xyz' > input; klee --zest --only-seed %.bc < input; ktest-tool klee-last/test000001.ktest
 * expect: name: 'stdin'
 * expect: text: xyz
 * run: klee --zest %.bc --sym-arg 3
 * code: 1
 * expect: KLEE: ERROR: --zest makes the arguments symbolic itself
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--level")) {
		if (argv[2][0] == '8')
			assert(0 && "deep");
		return 1;
	}
	if (argc == 2) {
		FILE *f = fopen(argv[1], "r");
		if (f && getc(f) == 'a' && getc(f) == 'c')
			assert(0 && "file");
	}
	return getchar() == 'x';
}
