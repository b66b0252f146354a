/* Symbolic arguments and files, as with --posix-runtime.
 *
 * run: klee --libc=uclibc --posix-runtime %.bc --sym-args 0 1 2
 * expect: KLEE: done: completed paths = 4
 * run: klee --posix-runtime %.bc -sym-arg 1
 * expect: KLEE: done: completed paths = 3
 * run: klee --posix-runtime %.bc --sym-arg
 * expect: KLEE: ERROR:
 * code: 1
 */
#include <klee/klee.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 3;
	if (argv[1][0] == 'a')
		return 1;
	if (argv[1][0])
		return 2;
	return 0;
}
