// qsort and bsearch on several element types; hand-written sorts checked against it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300 };
static uint32_t state = 2463534242u;
static uint32_t rnd(void) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct person { char name[8]; int age; double weight; };
static int by_age(const void *a, const void *b) {
    const struct person *p = a, *q = b;
    return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}

static void insertion(int *v, int n) {
    for (int i = 1; i < n; i++) {
        int x = v[i], j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}
static void quick(int *v, int n) {
    if (n < 2)
        return;
    int pivot = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    quick(v, j + 1);
    quick(v + i, n - i);
}
static void merge_sort(int *v, int *scratch, int n) {
    if (n < 2)
        return;
    int half = n / 2;
    merge_sort(v, scratch, half);
    merge_sort(v + half, scratch, n - half);
    memcpy(scratch, v, (size_t)n * sizeof *v);
    for (int i = 0, j = half, k = 0; k < n; k++)
        v[k] = j >= n || (i < half && scratch[i] <= scratch[j]) ? scratch[i++] : scratch[j++];
}
static void heap_sort(int *v, int n) {
    for (int start = n / 2 - 1, end = n; end > 1;) {
        if (start >= 0) {
            start--;
        } else {
            int t = v[--end];
            v[end] = v[0];
            v[0] = t;
        }
        for (int root = start + 1 > 0 ? start + 1 : 0, child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && v[child] < v[child + 1])
                child++;
            if (v[root] >= v[child])
                break;
            int t = v[root];
            v[root] = v[child];
            v[child] = t;
        }
    }
}
static void radix(uint32_t *v, uint32_t *scratch, int n) {
    for (int shift = 0; shift < 32; shift += 8) {
        int count[257] = {0};
        for (int i = 0; i < n; i++)
            count[(v[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            count[i + 1] += count[i];
        for (int i = 0; i < n; i++)
            scratch[count[v[i] >> shift & 255]++] = v[i];
        memcpy(v, scratch, (size_t)n * sizeof *v);
    }
}

int main(void) {
    static int v[N], w[N], scratch[N];
    for (int i = 0; i < N; i++)
        v[i] = (int)(rnd() >> 1);
    int *sorted = malloc(sizeof v);
    memcpy(sorted, v, sizeof v);
    qsort(sorted, N, sizeof *sorted, by_int);
    memcpy(w, v, sizeof v), insertion(w, N), printf("%d", memcmp(w, sorted, sizeof w));
    memcpy(w, v, sizeof v), quick(w, N), printf("%d", memcmp(w, sorted, sizeof w));
    memcpy(w, v, sizeof v), merge_sort(w, scratch, N), printf("%d", memcmp(w, sorted, sizeof w));
    memcpy(w, v, sizeof v), heap_sort(w, N), printf("%d", memcmp(w, sorted, sizeof w));
    memcpy(w, v, sizeof v), radix((uint32_t *)w, (uint32_t *)scratch, N), printf("%d\n", memcmp(w, sorted, sizeof w));
    for (int i = 0; i < N; i += 50) {
        int *hit = bsearch(&v[i], sorted, N, sizeof *sorted, by_int), missing = v[i] ^ 1;
        printf("%d %d %d\n", sorted[i], hit && *hit == v[i], bsearch(&missing, sorted, N, sizeof *sorted, by_int) == NULL);
    }
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry", "date", "apple pie"};
    qsort(words, 7, sizeof *words, by_text);
    for (int i = 0; i < 7; i++)
        printf("%s ", words[i]);
    struct person people[20];
    for (int i = 0; i < 20; i++) {
        snprintf(people[i].name, 8, "p%u", rnd() % 1000);
        people[i].age = (int)(rnd() % 7);
        people[i].weight = rnd() / 1e8;
    }
    qsort(people, 20, sizeof *people, by_age);
    printf("\n");
    for (int i = 0; i < 20; i++)
        printf("%d:%s:%.3f ", people[i].age, people[i].name, people[i].weight);
    printf("\n");
    free(sorted);
    return 0;
}
