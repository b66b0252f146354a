// A tokenizer: numbers, names, an arrow, single characters, and invalid characters.
// paths: 404
// exit-codes: 0 1 2 4 5 6 8 9 16 17 20 255
// faults: none
#include <byway.h>

enum token { END, NUMBER, NAME, ARROW, OTHER, BAD };

static enum token next(const char **at)
{
    while (**at == ' ' || **at == '\t')
        ++*at;
    char c = **at;
    if (c == 0)
        return END;
    ++*at;
    if (c >= '0' && c <= '9') {
        while (**at >= '0' && **at <= '9')
            ++*at;
        return NUMBER;
    }
    if (c >= 'a' && c <= 'z') {
        while (**at >= 'a' && **at <= 'z')
            ++*at;
        return NAME;
    }
    if (c == '-' && **at == '>') {
        ++*at;
        return ARROW;
    }
    switch (c) {
    case '(':
    case ')':
    case '-':
        return OTHER;
    }
    return BAD;
}

int main(void)
{
    char text[4];
    int numbers = 0, names = 0, arrows = 0;
    byway_make_symbolic(text, 3, "text");
    text[3] = 0;
    for (const char *at = text;;) {
        enum token token = next(&at);
        if (token == BAD)
            return 255;
        if (token == END)
            break;
        numbers += token == NUMBER;
        names += token == NAME;
        arrows += token == ARROW;
    }
    return numbers + 4 * names + 16 * arrows;
}
