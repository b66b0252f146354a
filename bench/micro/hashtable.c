/* Counts ITER made-up words in a chained hash table: small allocations, pointer
 * chasing, string functions. Prints the counts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ITER
#define ITER 20000u
#endif

enum { BUCKETS = 1024 };

struct entry {
  struct entry *next;
  char *word;
  unsigned count;
};

static struct entry *buckets[BUCKETS];

static unsigned bucket_of(const char *word) {
  uint32_t hash = 2166136261u;
  for (; *word; word++)
    hash = (hash ^ (unsigned char)*word) * 16777619u;
  return hash % BUCKETS;
}

static struct entry *find_or_add(const char *word) {
  struct entry **head = &buckets[bucket_of(word)];
  for (struct entry *e = *head; e; e = e->next)
    if (strcmp(e->word, word) == 0)
      return e;
  struct entry *e = malloc(sizeof *e);
  char *copy = malloc(strlen(word) + 1);
  if (!e || !copy)
    exit(1);
  *e = (struct entry){*head, strcpy(copy, word), 0};
  return *head = e;
}

int main(void) {
  uint32_t seed = 1;
  unsigned words = 0, most = 0;
  for (unsigned i = 0; i < ITER; i++) {
    char word[8];
    seed = seed * 1664525u + 1013904223u;
    unsigned length = 2 + (seed >> 28) % 5;
    for (unsigned j = 0; j < length; j++)
      word[j] = (char)('a' + (seed >> (8 + 3 * j)) % 6);
    word[length] = 0;
    struct entry *e = find_or_add(word);
    words += e->count == 0;
    if (++e->count > most)
      most = e->count;
  }
  for (unsigned i = 0; i < BUCKETS; i++)
    for (struct entry *e = buckets[i], *next; e; e = next) {
      next = e->next;
      free(e->word);
      free(e);
    }
  printf("%u different words, the most frequent %u times\n", words, most);
  return 0;
}
