/* A parser by recursive descent for + - * / ( ) and digits over symbolic bytes:
 * recursion, switches and early exits, as code that reads input has them. The
 * divisor is a parsed sub-expression, and nothing keeps it from being zero.
 *
 * LEN is the number of bytes (default 5).
 */
// paths: 1093
// faults: division-by-zero@57 x34
#include <klee/klee.h>
#ifndef LEN
#define LEN 5
#endif
static char buf[LEN + 1];
static int pos;
static int err;

static int expr(void);

static int atom(void) {
  char c = buf[pos];
  if (c >= '0' && c <= '9') {
    int v = 0;
    while (buf[pos] >= '0' && buf[pos] <= '9') {
      v = v * 10 + (buf[pos] - '0');
      pos++;
    }
    return v;
  }
  if (c == '(') {
    pos++;
    int v = expr();
    if (buf[pos] != ')') {
      err = 1;
      return 0;
    }
    pos++;
    return v;
  }
  if (c == '-') {
    pos++;
    return -atom();
  }
  err = 1;
  return 0;
}

static int term(void) {
  int v = atom();
  while (!err && (buf[pos] == '*' || buf[pos] == '/')) {
    char op = buf[pos++];
    int r = atom();
    if (err)
      return 0;
    if (op == '*')
      v *= r;
    else
      v /= r; /* nothing keeps r from being 0 */
  }
  return v;
}

static int expr(void) {
  int v = term();
  while (!err && (buf[pos] == '+' || buf[pos] == '-')) {
    char op = buf[pos++];
    int r = term();
    if (err)
      return 0;
    v = op == '+' ? v + r : v - r;
  }
  return v;
}

int main(void) {
  klee_make_symbolic(buf, sizeof buf, "buf");
  klee_assume(buf[LEN] == 0);
  int v = expr();
  if (err || buf[pos] != 0)
    return 1;
  return v == 42 ? 2 : 0;
}
