// A binary search tree: the shapes after three insertions. The child to follow is
// selected without a branch, so the objects accessed distinguish the shapes.
// paths: 13
// exit-codes: 1 2 3
// faults: none
#include <byway.h>
#include <stdlib.h>

struct node {
    unsigned char key;
    struct node *child[2];
};

static void insert(struct node **link, unsigned char key)
{
    while (*link) {
        if ((*link)->key == key)
            return;
        link = &(*link)->child[(*link)->key < key ? 1 : 0];
    }
    *link = calloc(1, sizeof **link);
    (*link)->key = key;
}

static int height(const struct node *node)
{
    if (!node)
        return 0;
    int left = height(node->child[0]), right = height(node->child[1]);
    return 1 + (left > right ? left : right);
}

int main(void)
{
    unsigned char key[3];
    struct node *root = 0;
    byway_make_symbolic(key, sizeof key, "key");
    for (int i = 0; i < 3; i++)
        insert(&root, key[i]);
    return height(root);
}
