/* After the time for seeds, states with seeds take turns with the others: all paths are found.
 *
 * run: ktest-gen --bout-file seed.ktest 99
 * run: klee --seed-file=seed.ktest --seed-time=1us %.bc --sym-arg 2
 * expect: KLEE: done: completed paths = 2
 * expect: KLEE: WARNING: the time for seeds is over
 * run: klee --seed-file=seed.ktest --seed-time=1h %.bc --sym-arg 2
 * expect: KLEE: done: completed paths = 2
 * reject: the time for seeds is over
 * run: klee --seed-file=seed.ktest --seed-time=soon %.bc --sym-arg 2
 * code: 1
 * expect: KLEE: ERROR: 'soon' is no value of --seed-time
 */
int main(int argc, char **argv)
{
	volatile unsigned n;
	for (n = 0; n < 300000; n++)
		;
	if (argv[1][0] == '9')
		return argv[1][1] == '9' ? 2 : 1;
	return 0;
}
