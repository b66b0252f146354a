// A recursive-descent parser and evaluator for expressions with variables and functions, over a tree.
// flags: -lm
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, VARIABLE, NEGATE, BINARY, CALL, ASSIGN };
struct node { enum kind kind; char op; double value; double (*function)(double); struct node *a, *b; };

static const char *input;
static double variables[26];
static jmp_buf failed;
static char message[64];

static void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    longjmp(failed, 1);
}
static struct node *node(enum kind kind, char op, struct node *a, struct node *b) {
    struct node *n = calloc(1, sizeof *n);
    n->kind = kind, n->op = op, n->a = a, n->b = b;
    return n;
}
static char peek(void) {
    while (isspace((unsigned char)*input))
        input++;
    return *input;
}
static int accept(char c) { return peek() == c ? (input++, 1) : 0; }
static struct node *expression(void);

static const struct { const char *name; double (*f)(double); } functions[] = {{"sqrt", sqrt}, {"abs", fabs}, {"floor", floor}, {"sin", sin}};

static struct node *primary(void) {
    if (accept('(')) {
        struct node *n = expression();
        if (!accept(')'))
            fail("expected ) before '%c'", peek() ? peek() : '$');
        return n;
    }
    if (accept('-'))
        return node(NEGATE, '-', primary(), NULL);
    if (isdigit((unsigned char)peek()) || peek() == '.') {
        char *end;
        struct node *n = node(NUMBER, 0, NULL, NULL);
        n->value = strtod(input, &end);
        input = end;
        return n;
    }
    if (isalpha((unsigned char)peek())) {
        char name[16];
        int length = 0;
        while (isalpha((unsigned char)*input) && length < 15)
            name[length++] = *input++;
        name[length] = 0;
        if (length == 1)
            return node(VARIABLE, name[0], NULL, NULL);
        for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
            if (strcmp(name, functions[i].name) == 0) {
                struct node *n = node(CALL, 0, primary(), NULL);
                n->function = functions[i].f;
                return n;
            }
        fail("unknown function %s", name);
    }
    fail("unexpected '%c'", peek() ? peek() : '$');
    return NULL;
}
static struct node *power(void) {
    struct node *n = primary();
    return accept('^') ? node(BINARY, '^', n, power()) : n;
}
static struct node *product(void) {
    struct node *n = power();
    for (;;) {
        char c = peek();
        if (c != '*' && c != '/' && c != '%')
            return n;
        input++;
        n = node(BINARY, c, n, power());
    }
}
static struct node *sum(void) {
    struct node *n = product();
    for (;;)
        if (accept('+'))
            n = node(BINARY, '+', n, product());
        else if (accept('-'))
            n = node(BINARY, '-', n, product());
        else
            return n;
}
static struct node *expression(void) {
    struct node *n = sum();
    if (accept('=')) {
        if (n->kind != VARIABLE)
            fail("cannot assign");
        return node(ASSIGN, n->op, expression(), n);
    }
    return n;
}
static double evaluate(const struct node *n) {
    switch (n->kind) {
    case NUMBER: return n->value;
    case VARIABLE: return variables[tolower((unsigned char)n->op) - 'a'];
    case NEGATE: return -evaluate(n->a);
    case CALL: return n->function(evaluate(n->a));
    case ASSIGN: return variables[tolower((unsigned char)n->op) - 'a'] = evaluate(n->a);
    case BINARY: {
        double a = evaluate(n->a), b = evaluate(n->b);
        switch (n->op) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        case '/': if (b == 0) fail("division by zero"); return a / b;
        case '%': return fmod(a, b);
        case '^': return pow(a, b);
        }
    }
    }
    return 0;
}
static void drop(struct node *n) {
    if (n) {
        drop(n->a), drop(n->b);
        free(n);
    }
}

int main(void) {
    const char *lines[] = {"1 + 2 * 3", "(1 + 2) * 3", "-2 ^ 2 + x", "x = y = 4 * 5 - 1", "x / 4 - y % 7", "2 ^ 3 ^ 2", "sqrt(x + 6) * abs(-3)", "1 / 0",
                           "(1 + 2", "foo(3)", "1 + * 2", "3 = 4", ".5e1 + 1.25", "floor(sin(1) * 1000) / 1000", "((((((1))))))", ""};
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct node *volatile tree = NULL;
        input = lines[i];
        if (setjmp(failed)) {
            printf("%s => error: %s\n", lines[i], message);
        } else {
            tree = expression();
            if (peek())
                fail("trailing '%c'", peek());
            printf("%s => %.10g\n", lines[i], evaluate(tree));
        }
        drop(tree);
    }
    return 0;
}
