/* Symbolic numbers put in order in a linked list on the heap; then a check that
 * the list is in order and has its length. Each number goes to one of the places
 * that the earlier ones leave: heap objects and pointers that are followed.
 *
 * N is how many numbers (default 5): N! paths.
 */
// paths: 120
#include <klee/klee.h>
#include <stdlib.h>
#ifndef N
#define N 5
#endif
struct node { int v; struct node *next; };
int main(void) {
  int in[N];
  struct node *head = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < N; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n)
      return 3;
    n->v = in[i];
    struct node **p = &head;
    while (*p && (*p)->v < n->v)
      p = &(*p)->next;
    n->next = *p;
    *p = n;
  }
  int len = 0, bad = 0;
  for (struct node *n = head; n; n = n->next) {
    len++;
    if (n->next && n->next->v < n->v)
      bad = 1;
  }
  while (head) {
    struct node *n = head->next;
    free(head);
    head = n;
  }
  if (bad || len != N)
    klee_report_error(__FILE__, __LINE__, "list not sorted", "user.err");
  return 0;
}
