// A growing hash table of strings, a linked list, a binary tree with deletion, a trie.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { char *key; int value; struct entry *next; };
struct table { struct entry **buckets; size_t capacity, count; };

static uint32_t hash(const char *s) {
    uint32_t h = 5381;
    while (*s)
        h = h * 33 ^ (uint8_t)*s++;
    return h;
}
static void grow(struct table *t) {
    size_t capacity = t->capacity ? t->capacity * 2 : 4;
    struct entry **buckets = calloc(capacity, sizeof *buckets);
    for (size_t i = 0; i < t->capacity; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[hash(e->key) % capacity];
            buckets[hash(e->key) % capacity] = e;
        }
    free(t->buckets);
    t->buckets = buckets;
    t->capacity = capacity;
}
static int *at(struct table *t, const char *key) {
    if (t->count >= t->capacity)
        grow(t);
    struct entry **slot = &t->buckets[hash(key) % t->capacity];
    for (struct entry *e = *slot; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return &e->value;
    struct entry *e = malloc(sizeof *e);
    *e = (struct entry){strdup(key), 0, *slot};
    *slot = e;
    t->count++;
    return &e->value;
}

struct tree { int key; struct tree *left, *right; };
static struct tree **find(struct tree **t, int key) {
    while (*t && (*t)->key != key)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    return t;
}
static void add(struct tree **t, int key) {
    t = find(t, key);
    if (!*t) {
        *t = calloc(1, sizeof **t);
        (*t)->key = key;
    }
}
static int cut(struct tree **t, int key) {
    t = find(t, key);
    struct tree *x = *t;
    if (!x)
        return 0;
    if (x->left && x->right) {
        struct tree **least = &x->right;
        while ((*least)->left)
            least = &(*least)->left;
        x->key = (*least)->key;
        t = least;
        x = *t;
    }
    *t = x->left ? x->left : x->right;
    free(x);
    return 1;
}
static unsigned walk(const struct tree *t, int depth, int *deepest) {
    if (!t)
        return 0;
    if (depth > *deepest)
        *deepest = depth;
    unsigned left = walk(t->left, depth + 1, deepest);
    return left * 7 + (unsigned)t->key + walk(t->right, depth + 1, deepest) * 3;
}

struct trie { struct trie *next[26]; int ends; };
static void enter(struct trie *t, const char *s) {
    for (; *s; s++) {
        if (!t->next[*s - 'a'])
            t->next[*s - 'a'] = calloc(1, sizeof *t);
        t = t->next[*s - 'a'];
    }
    t->ends++;
}
static void list(const struct trie *t, char *path, int n) {
    if (t->ends)
        printf("%.*s:%d ", n, path, t->ends);
    for (int c = 0; c < 26; c++)
        if (t->next[c]) {
            path[n] = (char)('a' + c);
            list(t->next[c], path, n + 1);
        }
}

int main(void) {
    struct table t = {0};
    const char *text = "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness";
    char *copy = strdup(text);
    struct trie root = {{0}, 0};
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " ")) {
        ++*at(&t, w);
        enter(&root, w);
    }
    printf("%zu %zu %d %d %d\n", t.count, t.capacity, *at(&t, "was"), *at(&t, "age"), *at(&t, "nothing"));
    char key[16], path[32];
    for (int i = 0; i < 300; i++) {
        snprintf(key, sizeof key, "key%d", i * 7919 % 211);
        *at(&t, key) += i;
    }
    long sum = 0;
    for (size_t i = 0; i < t.capacity; i++)
        for (struct entry *e = t.buckets[i]; e; e = e->next)
            sum += e->value * (long)strlen(e->key);
    printf("%zu %zu %ld\n", t.count, t.capacity, sum);
    list(&root, path, 0);
    struct tree *tree = NULL;
    for (int i = 0; i < 200; i++)
        add(&tree, i * 7919 % 503);
    int removed = 0, deepest = 0;
    for (int i = 0; i < 503; i += 3)
        removed += cut(&tree, i);
    printf("\n%d %u", removed, walk(tree, 1, &deepest) & 0xffff);
    printf(" %d\n", deepest);
    free(copy);
    return 0;
}
