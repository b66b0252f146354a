// One path: millions of small blocks in a list.
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = 0;
  int value;
  klee_make_symbolic(&value, sizeof value, "value");
  for (int i = 0;; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      return 1;
    node->next = list;
    node->value = value + i;
    list = node;
  }
}
