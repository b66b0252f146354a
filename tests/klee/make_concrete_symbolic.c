/* A value that becomes symbolic and is asserted to be what it was changes no path.
 *
 * run: klee --make-concrete-symbolic=1 %.bc
 * expect: KLEE: done: completed paths = 1
 * reject: WARNING
 * run: cat klee-last/messages.txt
 * expect: --make-concrete-symbolic is accepted without effect: KLEE asserts that
 */
int main(void)
{
	char a = 10;
	return a != 10;
}
