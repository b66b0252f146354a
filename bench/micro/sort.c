/* libc's qsort over ITER records: calls through a function pointer, memory moves.
 * Prints a checksum of the order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ITER
#define ITER 20000u
#endif

struct record {
  uint32_t key;
  char name[12];
};

static int by_name_then_key(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  int names = strcmp(x->name, y->name);
  return names ? names : (x->key > y->key) - (x->key < y->key);
}

int main(void) {
  struct record *records = malloc(ITER * sizeof *records);
  if (!records)
    return 1;
  uint32_t seed = 2463534242u;
  for (unsigned i = 0; i < ITER; i++) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    records[i].key = seed;
    unsigned letters = 1 + seed % 4;
    for (unsigned j = 0; j < sizeof records[i].name; j++)
      records[i].name[j] = j < letters ? (char)('a' + (seed >> 3 * j) % 7) : 0;
  }
  qsort(records, ITER, sizeof *records, by_name_then_key);
  uint64_t sum = 0;
  for (unsigned i = 0; i < ITER; i++) {
    if (i && by_name_then_key(&records[i - 1], &records[i]) > 0)
      return 2;
    sum = sum * 31 + records[i].key;
  }
  printf("%016llx\n", (unsigned long long)sum);
  free(records);
  return 0;
}
