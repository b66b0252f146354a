// A JSON reader and writer: unions, recursion, growing arrays, escapes, numbers.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json;
struct member { char *key; struct json *value; };
struct json {
    enum { NIL, TRUE, FALSE, NUMBER, TEXT, ARRAY, OBJECT } kind;
    union {
        double number;
        char *text;
        struct { struct json **items; int count; } array;
        struct { struct member *members; int count_members; };
    };
};
static const char *at;

static void space(void) { at += strspn(at, " \t\n"); }
static struct json *read_value(void);
static char *read_text(void) {
    char *out = malloc(strlen(at) + 1), *o = out;
    for (at++; *at != '"'; at++) {
        if (*at != '\\') {
            *o++ = *at;
            continue;
        }
        switch (*++at) {
        case 'n': *o++ = '\n'; break;
        case 't': *o++ = '\t'; break;
        case 'u': {
            unsigned code;
            sscanf(at + 1, "%4x", &code);
            at += 4;
            if (code >= 0x80)
                *o++ = (char)(0xc0 | code >> 6), *o++ = (char)(0x80 | (code & 63));
            else
                *o++ = (char)code;
            break;
        }
        default: *o++ = *at;
        }
    }
    at++;
    *o = 0;
    return out;
}
static struct json *read_value(void) {
    struct json *v = calloc(1, sizeof *v);
    space();
    if (*at == '"') {
        v->kind = TEXT;
        v->text = read_text();
    } else if (*at == '[') {
        v->kind = ARRAY;
        at++;
        space();
        while (*at != ']') {
            v->array.items = realloc(v->array.items, (size_t)(v->array.count + 1) * sizeof *v->array.items);
            v->array.items[v->array.count++] = read_value();
            space();
            at += *at == ',';
            space();
        }
        at++;
    } else if (*at == '{') {
        v->kind = OBJECT;
        at++;
        space();
        while (*at != '}') {
            v->members = realloc(v->members, (size_t)(v->count_members + 1) * sizeof *v->members);
            struct member *m = &v->members[v->count_members++];
            m->key = read_text();
            space();
            at++;
            m->value = read_value();
            space();
            at += *at == ',';
            space();
        }
        at++;
    } else if (*at == '-' || isdigit((unsigned char)*at)) {
        char *end;
        v->kind = NUMBER;
        v->number = strtod(at, &end);
        at = end;
    } else {
        v->kind = *at == 't' ? TRUE : *at == 'f' ? FALSE : NIL;
        at += v->kind == FALSE ? 5 : 4;
    }
    return v;
}
static void write_text(const char *s) {
    putchar('"');
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            printf("\\%c", *s);
        else if (*s == '\n')
            printf("\\n");
        else
            putchar(*s);
    putchar('"');
}
static void write_value(const struct json *v) {
    switch (v->kind) {
    case NIL: printf("null"); break;
    case TRUE: printf("true"); break;
    case FALSE: printf("false"); break;
    case NUMBER: printf("%.15g", v->number); break;
    case TEXT: write_text(v->text); break;
    case ARRAY:
        putchar('[');
        for (int i = 0; i < v->array.count; i++) {
            if (i)
                putchar(',');
            write_value(v->array.items[i]);
        }
        putchar(']');
        break;
    case OBJECT:
        putchar('{');
        for (int i = 0; i < v->count_members; i++) {
            if (i)
                putchar(',');
            write_text(v->members[i].key);
            putchar(':');
            write_value(v->members[i].value);
        }
        putchar('}');
    }
}
static void drop(struct json *v) {
    if (v->kind == TEXT)
        free(v->text);
    if (v->kind == ARRAY) {
        for (int i = 0; i < v->array.count; i++)
            drop(v->array.items[i]);
        free(v->array.items);
    }
    if (v->kind == OBJECT) {
        for (int i = 0; i < v->count_members; i++)
            free(v->members[i].key), drop(v->members[i].value);
        free(v->members);
    }
    free(v);
}

int main(void) {
    const char *texts[] = {"[1, 2.5, -3e2, true, false, null]", "{\"a\": [], \"b\": {}, \"nested\": {\"list\": [[1], [2, [3]]]}}",
                           "\"esc \\\" \\\\ \\n \\u0041 \\u00e9\"", "{\"name\": \"x\", \"values\": [0.1, 1e100, 123456789012345]}"};
    for (int i = 0; i < 4; i++) {
        at = texts[i];
        struct json *v = read_value();
        write_value(v);
        printf(" %d\n", *at);
        drop(v);
    }
    return 0;
}
