// One path: N heap objects alive at once, in a list that is read at the end.
#include <stdlib.h>

struct node {
  struct node *next;
  unsigned value;
};

int main(void) {
  struct node *list = 0;
  for (unsigned i = 0; i < N; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      return 1;
    node->next = list;
    node->value = i;
    list = node;
  }
  unsigned sum = 0;
  for (; list; list = list->next)
    sum += list->value;
  return sum == 7;
}
