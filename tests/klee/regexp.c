/* The tutorial on a matcher of regular expressions, in its spirit: two memory errors.
 *
 * run: klee --only-output-states-covering-new %.bc; ls klee-last
 * expect: memory error: out of bound pointer
 * expect: .ptr.err
 * run: klee-stats --print-all klee-last
 * expect: klee-last
 */
#include <klee/klee.h>

static int matches_here(const char *pattern, const char *text);

static int matches_star(int c, const char *pattern, const char *text)
{
	do {
		if (matches_here(pattern, text))
			return 1;
	} while (*text != '\0' && (*text++ == c || c == '.'));
	return 0;
}

static int matches_here(const char *pattern, const char *text)
{
	if (pattern[0] == '\0')
		return 1;
	if (pattern[1] == '*')
		return matches_star(pattern[0], pattern + 2, text);
	if (pattern[0] == '$' && pattern[1] == '\0')
		return *text == '\0';
	if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text))
		return matches_here(pattern + 1, text + 1);
	return 0;
}

int main(void)
{
	char pattern[4];
	klee_make_symbolic(pattern, sizeof pattern, "pattern");
	const char *text = "hello";
	do {
		if (matches_here(pattern, text))
			return 1;
	} while (*text++ != '\0');
	return 0;
}
