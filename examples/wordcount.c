/* Counts the words of its input with a hash table that grows, and prints them,
 * the most frequent first.
 *
 *     byway exec examples/wordcount.c < README.md
 *     byway exec examples/wordcount.c -- 5 < README.md       (only the first five)
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *word;
    unsigned long count;
};

struct table {
    struct entry *slots;
    size_t size; /* a power of two */
    size_t used;
};

static size_t hash(const char *word) {
    size_t h = 5381;
    for (; *word; word++)
        h = h * 33 ^ (unsigned char)*word;
    return h;
}

/* The slot of the word, or the free one where it belongs. */
static struct entry *find(const struct table *t, const char *word) {
    size_t i = hash(word) & (t->size - 1);
    while (t->slots[i].word && strcmp(t->slots[i].word, word) != 0)
        i = (i + 1) & (t->size - 1);
    return &t->slots[i];
}

static void *must(void *p) {
    if (!p) {
        fputs("wordcount: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void grow(struct table *t) {
    struct table bigger = {.size = t->size ? 2 * t->size : 64, .used = t->used};
    bigger.slots = must(calloc(bigger.size, sizeof *bigger.slots));
    for (size_t i = 0; i < t->size; i++)
        if (t->slots[i].word)
            *find(&bigger, t->slots[i].word) = t->slots[i];
    free(t->slots);
    *t = bigger;
}

static void add(struct table *t, const char *word) {
    if (2 * t->used >= t->size)
        grow(t);
    struct entry *e = find(t, word);
    if (!e->word) {
        e->word = must(strdup(word));
        t->used++;
    }
    e->count++;
}

/* Reads one word in lower case, truncated to the buffer's size; 0 at the end. */
static int next_word(char *word, size_t size) {
    size_t n = 0;
    int c;
    while ((c = getchar()) != EOF && !isalpha(c)) {
    }
    for (; c != EOF && isalpha(c); c = getchar())
        if (n + 1 < size)
            word[n++] = (char)tolower(c);
    word[n] = '\0';
    return n > 0;
}

static int by_count(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (!x->word || !y->word)
        return !x->word - !y->word; /* free slots last */
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->word, y->word);
}

int main(int argc, char **argv) {
    size_t limit = argc > 1 ? strtoul(argv[1], NULL, 10) : (size_t)-1;
    struct table t = {0};
    char word[64];
    while (next_word(word, sizeof word))
        add(&t, word);
    qsort(t.slots, t.size, sizeof *t.slots, by_count);
    for (size_t i = 0; i < t.used && i < limit; i++)
        printf("%7lu %s\n", t.slots[i].count, t.slots[i].word);
    for (size_t i = 0; i < t.used; i++)
        free(t.slots[i].word);
    free(t.slots);
    return 0;
}
