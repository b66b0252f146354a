/* A reader of a subset of JSON: arrays of numbers, true, false and null. A
 * message has a header and several short values, each in a field of its own;
 * every field is parsed on its own, as a message with one broken field is
 * still used for the others.
 */
#include <assert.h>
#include <byway.h>

#ifndef FIELDS
#define FIELDS 2
#endif
#ifndef LENGTH
#define LENGTH 4
#endif

#define MAX_DEPTH 3

enum type {
    TYPE_NONE,
    TYPE_NUMBER,
    TYPE_TRUE,
    TYPE_NULL,
    TYPE_ARRAY,
};

enum error {
    ERROR_NONE,
    ERROR_END,
    ERROR_CHARACTER,
    ERROR_DEPTH,
    ERROR_TRAILING,
};

struct value {
    enum type type;
    int number;
    int elements;
    int depth;
};

struct parser {
    const char *text;
    int at;
    int depth;
    enum error error;
};

struct header {
    int version;
    int is_compressed;
    int priority;
};

static int fail(struct parser *p, enum error error)
{
    p->error = error;
    return 0;
}

static void skip_blanks(struct parser *p)
{
    while (p->text[p->at] == ' ')
        p->at++;
}

/* Literals are abbreviated to one letter: `t` and `n`. */
static int parse_literal(struct parser *p, struct value *v)
{
    char c = p->text[p->at];

    if (c == 't')
        v->type = TYPE_TRUE;
    else if (c == 'n')
        v->type = TYPE_NULL;
    else
        return fail(p, c == '\0' ? ERROR_END : ERROR_CHARACTER);
    p->at++;
    return 1;
}

static int parse_number(struct parser *p, struct value *v)
{
    int sign = 1, digits = 0, number = 0;

    if (p->text[p->at] == '-') {
        sign = -1;
        p->at++;
    }
    while (p->text[p->at] >= '0' && p->text[p->at] <= '9') {
        number = 10 * number + (p->text[p->at] - '0');
        digits++;
        p->at++;
    }
    if (digits == 0)
        return fail(p, ERROR_CHARACTER);
    v->type = TYPE_NUMBER;
    v->number = sign * number;
    assert(number < 10000);
    return 1;
}

static int parse_value(struct parser *p, struct value *v);

static int parse_array(struct parser *p, struct value *v)
{
    struct value element;

    if (++p->depth > MAX_DEPTH)
        return fail(p, ERROR_DEPTH);
    v->type = TYPE_ARRAY;
    p->at++;
    skip_blanks(p);
    if (p->text[p->at] == ']') {
        p->at++;
        p->depth--;
        return 1;
    }
    for (;;) {
        if (!parse_value(p, &element))
            return 0;
        v->elements++;
        if (element.depth + 1 > v->depth)
            v->depth = element.depth + 1;
        if (p->text[p->at] == ',') {
            p->at++;
            continue;
        }
        if (p->text[p->at] != ']')
            return fail(p, p->text[p->at] == '\0' ? ERROR_END : ERROR_CHARACTER);
        p->at++;
        p->depth--;
        return 1;
    }
}

static int parse_value(struct parser *p, struct value *v)
{
    int ok;
    char c;

    v->type = TYPE_NONE;
    v->number = v->elements = v->depth = 0;
    skip_blanks(p);
    c = p->text[p->at];
    if (c == '[')
        ok = parse_array(p, v);
    else if (c == '-' || (c >= '0' && c <= '9'))
        ok = parse_number(p, v);
    else
        ok = parse_literal(p, v);
    if (ok)
        skip_blanks(p);
    return ok;
}

static enum error parse_field(struct value *v, const char *text)
{
    struct parser p = {text, 0, 0, ERROR_NONE};

    if (!parse_value(&p, v))
        return p.error;
    assert(p.depth == 0 && p.at <= LENGTH);
    if (text[p.at] != '\0')
        return ERROR_TRAILING;
    return ERROR_NONE;
}

static void parse_header(struct header *h, unsigned char byte)
{
    h->version = byte >> 4;
    h->is_compressed = (byte & 8) != 0;
    h->priority = byte & 7;
    if (h->version == 0)
        h->version = 1;
    if (h->priority > 5)
        h->priority = 5;
}

int main(void)
{
    static char fields[FIELDS][LENGTH + 1];
    static const char *const names[] = {"first", "second", "third"};
    static const int lengths[] = {LENGTH, 2, 1};
    struct value values[FIELDS];
    enum error errors[FIELDS];
    struct header header;
    unsigned char byte;
    int i;

    byway_make_symbolic(&byte, 1, "header");
    parse_header(&header, byte);
    for (i = 0; i < FIELDS; i++) {
        byway_make_symbolic(fields[i], lengths[i], names[i]);
        errors[i] = parse_field(&values[i], fields[i]);
        if (errors[i] == ERROR_NONE)
            assert(values[i].type != TYPE_NONE);
        if (errors[i] == ERROR_NONE && values[i].type != TYPE_ARRAY)
            assert(values[i].elements == 0 && values[i].depth == 0);
    }
    assert(header.priority == (byte % 8 < 6 ? byte % 8 : 5));
    assert(header.version == (byte < 16 ? 1 : byte / 16));
    assert(header.is_compressed == byte / 8 % 2);
    if (errors[0] != ERROR_NONE)
        return errors[0];
    return 64 + 16 * values[0].depth + 4 * values[0].elements + (values[0].type == TYPE_NULL);
}
