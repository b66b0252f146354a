/* A red-black tree, as an index of records. A record has a key, which orders
 * the tree, and a payload that is checked when it is inserted and of which
 * statistics are kept; the tree does not depend on it. After all insertions
 * the rules of the tree are checked.
 */
#include <assert.h>
#include <byway.h>
#include <stddef.h>

#ifndef RECORDS
#define RECORDS 5
#endif
#ifndef PAYLOADS
#define PAYLOADS 3
#endif

enum color {
    BLACK,
    RED,
};

struct node {
    struct node *parent;
    struct node *left;
    struct node *right;
    enum color color;
    int key;
};

struct tree {
    struct node *root;
    struct node nodes[RECORDS];
    int count;
    int duplicates;
};

struct payload_statistics {
    int small;
    int large;
    int largest;
    int invalid;
};

static void rotate_left(struct tree *t, struct node *x)
{
    struct node *y = x->right;

    x->right = y->left;
    if (y->left)
        y->left->parent = x;
    y->parent = x->parent;
    if (!x->parent)
        t->root = y;
    else if (x == x->parent->left)
        x->parent->left = y;
    else
        x->parent->right = y;
    y->left = x;
    x->parent = y;
}

static void rotate_right(struct tree *t, struct node *x)
{
    struct node *y = x->left;

    x->left = y->right;
    if (y->right)
        y->right->parent = x;
    y->parent = x->parent;
    if (!x->parent)
        t->root = y;
    else if (x == x->parent->right)
        x->parent->right = y;
    else
        x->parent->left = y;
    y->right = x;
    x->parent = y;
}

static enum color color_of(const struct node *n)
{
    return n ? n->color : BLACK;
}

/* Restores the rules after `n` was inserted as a red leaf. */
static void rebalance(struct tree *t, struct node *n)
{
    while (n->parent && n->parent->color == RED) {
        struct node *grand = n->parent->parent;
        int is_left = n->parent == grand->left;
        struct node *uncle = is_left ? grand->right : grand->left;

        if (color_of(uncle) == RED) {
            n->parent->color = BLACK;
            uncle->color = BLACK;
            grand->color = RED;
            n = grand;
            continue;
        }
        if (is_left && n == n->parent->right) {
            n = n->parent;
            rotate_left(t, n);
        } else if (!is_left && n == n->parent->left) {
            n = n->parent;
            rotate_right(t, n);
        }
        n->parent->color = BLACK;
        grand->color = RED;
        if (is_left)
            rotate_right(t, grand);
        else
            rotate_left(t, grand);
    }
    t->root->color = BLACK;
}

static void insert(struct tree *t, int key)
{
    struct node *parent = NULL, *at = t->root, *n;

    while (at) {
        parent = at;
        if (key == at->key) {
            t->duplicates++;
            return;
        }
        at = key < at->key ? at->left : at->right;
    }
    n = &t->nodes[t->count++];
    n->parent = parent;
    n->left = n->right = NULL;
    n->color = RED;
    n->key = key;
    if (!parent)
        t->root = n;
    else if (key < parent->key)
        parent->left = n;
    else
        parent->right = n;
    rebalance(t, n);
}

static void account(struct payload_statistics *s, unsigned char payload)
{
    if (payload == 0xff) {
        s->invalid++;
        return;
    }
    if (payload < 16)
        s->small++;
    else if (payload >= 200)
        s->large++;
    if (payload > s->largest)
        s->largest = payload;
}

/* The number of black nodes on every way down; asserts that it is the same. */
static int check(const struct node *n, int least, int most)
{
    int left, right;

    if (!n)
        return 1;
    assert(n->key >= least && n->key <= most);
    if (n->color == RED)
        assert(color_of(n->left) == BLACK && color_of(n->right) == BLACK);
    left = check(n->left, least, n->key);
    right = check(n->right, n->key, most);
    assert(left == right);
    return left + (n->color == BLACK);
}

int main(void)
{
    static struct tree tree;
    struct payload_statistics statistics = {0, 0, 0, 0};
    unsigned char keys[RECORDS], payloads[PAYLOADS];
    int i, height;

    byway_make_symbolic(keys, sizeof keys, "keys");
    byway_make_symbolic(payloads, sizeof payloads, "payloads");
    for (i = 0; i < RECORDS; i++) {
        insert(&tree, keys[i]);
        if (i < PAYLOADS)
            account(&statistics, payloads[i]);
    }
    assert(tree.root->color == BLACK);
    height = check(tree.root, 0, 255);
    assert(tree.count + tree.duplicates == RECORDS);
    assert(statistics.small + statistics.large + statistics.invalid <= PAYLOADS);
    for (i = 0; i < PAYLOADS; i++)
        assert(payloads[i] == 0xff || payloads[i] <= statistics.largest);
    assert(statistics.largest < 255);
    return 8 * tree.duplicates + height;
}
