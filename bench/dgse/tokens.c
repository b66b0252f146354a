/* A tokenizer for lines of a small configuration language. A line holds a few
 * tokens: names, numbers, strings, operators and comments. Two lines are
 * tokenized, each with a tokenizer of its own; what a line consists of is
 * summed up per line, and the longest token of each kind is kept.
 */
#include <assert.h>
#include <byway.h>

#ifndef LENGTH
#define LENGTH 3
#endif

#define LINES 2
#define MAX_TOKENS (LENGTH + 1)

enum kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_OPERATOR,
    TOKEN_COMMENT,
    TOKEN_ERROR,
};

struct token {
    enum kind kind;
    int start;
    int length;
};

struct tokenizer {
    const char *text;
    int at;
    struct token tokens[MAX_TOKENS];
    int count;
};

struct summary {
    int names;
    int numbers;
    int errors;
    int longest;
};

static int is_letter(char c)
{
    return (unsigned)(c - 'a') < 26 || c == '_';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_operator(char c)
{
    return c == '=' || c == '+' || c == ';';
}

static void skip_blanks(struct tokenizer *t)
{
    while (t->text[t->at] == ' ')
        t->at++;
}

static void add(struct tokenizer *t, enum kind kind, int start)
{
    struct token *token;

    assert(t->count < MAX_TOKENS);
    token = &t->tokens[t->count++];
    token->kind = kind;
    token->start = start;
    token->length = t->at - start;
}

static void read_name(struct tokenizer *t)
{
    int start = t->at;

    while (is_letter(t->text[t->at]) || is_digit(t->text[t->at]))
        t->at++;
    add(t, TOKEN_NAME, start);
}

static void read_number(struct tokenizer *t)
{
    int start = t->at;

    while (is_digit(t->text[t->at]))
        t->at++;
    /* A letter just after a number is a mistake, not a name. */
    if (is_letter(t->text[t->at])) {
        t->at++;
        add(t, TOKEN_ERROR, start);
    } else {
        add(t, TOKEN_NUMBER, start);
    }
}

static void read_string(struct tokenizer *t)
{
    int start = t->at++;

    while (t->text[t->at] != '"' && t->text[t->at] != '\0')
        t->at++;
    if (t->text[t->at] == '\0') {
        add(t, TOKEN_ERROR, start);
        return;
    }
    t->at++;
    add(t, TOKEN_STRING, start);
}

/* Reads one token; returns 0 at the end of the line. */
static int next(struct tokenizer *t)
{
    char c;
    int start;

    skip_blanks(t);
    c = t->text[t->at];
    if (c == '\0')
        return 0;
    if (is_letter(c)) {
        read_name(t);
    } else if (is_digit(c)) {
        read_number(t);
    } else if (c == '"') {
        read_string(t);
    } else if (c == '#') {
        start = t->at;
        while (t->text[t->at] != '\0')
            t->at++;
        add(t, TOKEN_COMMENT, start);
    } else {
        start = t->at++;
        add(t, is_operator(c) ? TOKEN_OPERATOR : TOKEN_ERROR, start);
    }
    return 1;
}

static void tokenize(struct tokenizer *t, const char *text)
{
    t->text = text;
    t->at = 0;
    t->count = 0;
    while (next(t))
        ;
}

static void sum_up(struct summary *summary, const struct tokenizer *t)
{
    int i;

    summary->names = summary->numbers = summary->errors = summary->longest = 0;
    for (i = 0; i < t->count; i++) {
        const struct token *token = &t->tokens[i];

        assert(token->length > 0);
        if (token->kind == TOKEN_NAME)
            summary->names++;
        else if (token->kind == TOKEN_NUMBER)
            summary->numbers++;
        else if (token->kind == TOKEN_ERROR)
            summary->errors++;
        if (token->length > summary->longest)
            summary->longest = token->length;
    }
}

int main(void)
{
    static char lines[LINES][LENGTH + 1];
    struct tokenizer tokenizers[LINES];
    struct summary summaries[LINES];
    int i;

    byway_make_symbolic(lines[0], LENGTH, "first");
    byway_make_symbolic(lines[1], LENGTH - 1, "second");
    for (i = 0; i < LINES; i++) {
        tokenize(&tokenizers[i], lines[i]);
        sum_up(&summaries[i], &tokenizers[i]);
        assert(summaries[i].longest <= LENGTH);
        assert(summaries[i].names + summaries[i].numbers <= tokenizers[i].count);
    }
    return 64 * summaries[0].errors + 16 * summaries[0].names + 4 * summaries[0].numbers +
           summaries[0].longest;
}
