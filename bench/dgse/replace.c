/* A pattern replacer. A pattern is a sequence of elements: a plain character,
 * `?` for any character, `%` for the start of the text, `$` for its end, and a
 * letter after `@` taken literally; `*` after an element repeats it. Each
 * match in the text is replaced; an `&` in the replacement stands for what was
 * matched. The options are read before, each on its own.
 */
#include <assert.h>
#include <byway.h>

#ifndef PATTERN
#define PATTERN 2
#endif
#ifndef TEXT
#define TEXT 4
#endif

#define MAX_ELEMENTS (PATTERN + 1)
#define MAX_OUT 16

enum element_kind {
    ELEMENT_CHAR,
    ELEMENT_ANY,
    ELEMENT_START,
    ELEMENT_END,
};

struct element {
    enum element_kind kind;
    char c;
    int is_repeated;
};

struct pattern {
    struct element elements[MAX_ELEMENTS];
    int count;
    int is_valid;
};

struct output {
    char text[MAX_OUT];
    int length;
    int replacements;
    int is_full;
};

struct options {
    int fold_case;
    int only_first;
    int verbose;
    int is_valid;
};

static void parse_option(struct options *options, char option)
{
    switch (option) {
    case '\0':
        break;
    case 'i':
        options->fold_case = 1;
        break;
    case 'v':
        options->verbose = 1;
        break;
    default:
        options->is_valid = 0;
    }
}

static char folded(const struct options *options, char c)
{
    if (options->fold_case && c >= 'A' && c <= 'Z')
        return c - 'A' + 'a';
    return c;
}

static void add_element(struct pattern *p, enum element_kind kind, char c)
{
    struct element *element = &p->elements[p->count++];

    element->kind = kind;
    element->c = c;
    element->is_repeated = 0;
}

static void compile(struct pattern *p, const char *text)
{
    int at;

    p->count = 0;
    p->is_valid = 1;
    for (at = 0; text[at] != '\0'; at++) {
        char c = text[at];

        if (c == '?') {
            add_element(p, ELEMENT_ANY, 0);
        } else if (c == '%' && at == 0) {
            add_element(p, ELEMENT_START, 0);
        } else if (c == '$' && text[at + 1] == '\0') {
            add_element(p, ELEMENT_END, 0);
        } else if (c == '*' && p->count > 0 && p->elements[p->count - 1].kind <= ELEMENT_ANY) {
            p->elements[p->count - 1].is_repeated = 1;
        } else if (c == '@' && text[at + 1] != '\0') {
            add_element(p, ELEMENT_CHAR, text[++at]);
        } else {
            add_element(p, ELEMENT_CHAR, c);
        }
    }
    if (p->count == 0)
        p->is_valid = 0;
}

static int matches_one(const struct element *element, const char *text, int at)
{
    if (text[at] == '\0')
        return 0;
    return element->kind == ELEMENT_ANY || element->c == text[at];
}

/* The end of the longest match of the elements from `i`, or -1. */
static int match(const struct pattern *p, int i, const char *text, int at)
{
    const struct element *element = &p->elements[i];
    int end;

    if (i == p->count)
        return at;
    if (element->kind == ELEMENT_START)
        return at == 0 ? match(p, i + 1, text, at) : -1;
    if (element->kind == ELEMENT_END)
        return text[at] == '\0' ? at : -1;
    if (element->is_repeated && matches_one(element, text, at)) {
        end = match(p, i, text, at + 1);
        if (end >= 0)
            return end;
    }
    if (element->is_repeated)
        return match(p, i + 1, text, at);
    return matches_one(element, text, at) ? match(p, i + 1, text, at + 1) : -1;
}

static void emit(struct output *out, char c)
{
    if (out->length == MAX_OUT) {
        out->is_full = 1;
        return;
    }
    out->text[out->length++] = c;
}

static void substitute(struct output *out, const char *text, int from, int to, char with)
{
    if (with == '&') {
        while (from < to)
            emit(out, text[from++]);
    } else {
        emit(out, with);
    }
    out->replacements++;
}

static void replace_all(struct output *out, const struct pattern *p, const char *text, char with)
{
    int at = 0;

    while (text[at] != '\0') {
        int end = match(p, 0, text, at);

        assert(end <= TEXT);
        if (end > at) {
            substitute(out, text, at, end, with);
            at = end;
        } else {
            emit(out, text[at++]);
        }
    }
}

int main(void)
{
    static char pattern_text[PATTERN + 1], text[TEXT + 1];
    char option, second_option, with;
    struct options options = {0, 0, 0, 1};
    struct output out = {{0}, 0, 0, 0};
    struct pattern pattern;
    int i;

    byway_make_symbolic(&option, 1, "option");
    byway_make_symbolic(&second_option, 1, "second_option");
    byway_make_symbolic(pattern_text, PATTERN, "pattern");
    byway_make_symbolic(text, TEXT, "text");
    byway_make_symbolic(&with, 1, "with");

    parse_option(&options, option);
    parse_option(&options, second_option);
    if (!options.is_valid)
        options.verbose = 0;
    compile(&pattern, pattern_text);
    assert(pattern.count <= PATTERN);
    for (i = 0; i < pattern.count; i++)
        if (pattern.elements[i].kind == ELEMENT_CHAR)
            assert(pattern.elements[i].c != '\0');
    if (pattern.is_valid)
        replace_all(&out, &pattern, text, with);
    assert(out.length <= TEXT && !out.is_full);
    assert(out.replacements <= TEXT);
    assert(folded(&options, 'Q') == (options.fold_case ? 'q' : 'Q'));
    return 8 * out.replacements + out.length;
}
