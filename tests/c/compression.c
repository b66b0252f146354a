// LZ77 with a hash chain, Huffman coding with a heap, run lengths; each undone again and compared.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 3000 };
static uint8_t input[SIZE], packed[SIZE * 2], output[SIZE];

static size_t lz(const uint8_t *in, size_t n, uint8_t *out) {
    int heads[256], *links = malloc(n * sizeof *links);
    memset(heads, -1, sizeof heads);
    size_t o = 0;
    for (size_t i = 0; i < n;) {
        size_t best = 0, where = 0;
        if (i + 3 <= n) {
            unsigned hash = (in[i] * 33u ^ in[i + 1] * 7u ^ in[i + 2]) & 255;
            int tries = 16;
            for (int j = heads[hash]; j >= 0 && i - (size_t)j < 255 && tries--; j = links[j]) {
                size_t length = 0;
                while (length < 255 && i + length < n && in[(size_t)j + length] == in[i + length])
                    length++;
                if (length > best)
                    best = length, where = i - (size_t)j;
            }
            links[i] = heads[hash];
            heads[hash] = (int)i;
        }
        if (best > 3) {
            out[o++] = (uint8_t)where, out[o++] = (uint8_t)best;
            i += best;
        } else
            out[o++] = 0, out[o++] = in[i++];
    }
    free(links);
    return o;
}
static size_t unlz(const uint8_t *in, size_t n, uint8_t *out) {
    size_t o = 0;
    for (size_t i = 0; i < n; i += 2)
        if (in[i] == 0)
            out[o++] = in[i + 1];
        else
            for (int k = 0; k < in[i + 1]; k++, o++)
                out[o] = out[o - in[i]];
    return o;
}

struct node { uint32_t weight; struct node *left, *right; int symbol; };
static struct node *heap[512];
static int heap_size;
static int before(const struct node *a, const struct node *b) { return a->weight != b->weight ? a->weight < b->weight : a->symbol < b->symbol; }
static void push(struct node *x) {
    int i = heap_size++;
    for (; i && before(x, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = x;
}
static struct node *pop(void) {
    struct node *top = heap[0], *x = heap[--heap_size];
    int i = 0;
    for (int c; (c = 2 * i + 1) < heap_size; i = c) {
        if (c + 1 < heap_size && before(heap[c + 1], heap[c]))
            c++;
        if (!before(heap[c], x))
            break;
        heap[i] = heap[c];
    }
    heap[i] = x;
    return top;
}
static struct node *make(uint32_t weight, struct node *l, struct node *r, int symbol) {
    struct node *x = malloc(sizeof *x);
    *x = (struct node){weight, l, r, symbol};
    return x;
}
static uint64_t codes[256];
static int lengths[256];
static void assign(const struct node *x, uint64_t code, int length) {
    if (!x->left) {
        codes[x->symbol] = code;
        lengths[x->symbol] = length;
        return;
    }
    assign(x->left, code << 1, length + 1);
    assign(x->right, code << 1 | 1, length + 1);
}
static void drop(struct node *x) {
    if (x) {
        drop(x->left), drop(x->right);
        free(x);
    }
}

int main(void) {
    uint32_t r = 7;
    for (int i = 0; i < SIZE; i++) {
        r = r * 1664525 + 1013904223;
        input[i] = i > 100 && r >> 30 ? input[i - 1 - (int)(r >> 20 & 63)] : (uint8_t)("etaoin shrdlu"[r >> 24 & 7]);
    }
    size_t n = lz(input, SIZE, packed), m = unlz(packed, n, output);
    printf("lz %zu %zu %d\n", n, m, memcmp(input, output, SIZE));
    uint32_t counts[256] = {0};
    for (int i = 0; i < SIZE; i++)
        counts[input[i]]++;
    for (int i = 0; i < 256; i++)
        if (counts[i])
            push(make(counts[i], NULL, NULL, i));
    for (int next = 256; heap_size > 1; next++) {
        struct node *a = pop(), *b = pop();
        push(make(a->weight + b->weight, a, b, next));
    }
    struct node *root = pop();
    assign(root, 0, 0);
    memset(packed, 0, sizeof packed);
    size_t bit = 0;
    for (int i = 0; i < SIZE; i++)
        for (int k = lengths[input[i]] - 1; k >= 0; k--, bit++)
            packed[bit / 8] |= (uint8_t)((codes[input[i]] >> k & 1) << (bit % 8));
    const struct node *x = root;
    size_t o = 0;
    for (size_t i = 0; i < bit; i++) {
        x = packed[i / 8] >> (i % 8) & 1 ? x->right : x->left;
        if (!x->left) {
            output[o++] = (uint8_t)x->symbol;
            x = root;
        }
    }
    printf("huffman %zu %zu %d\n", bit, o, memcmp(input, output, SIZE));
    for (int i = 0; i < 256; i++)
        if (lengths[i])
            printf("%c:%d:%llx ", i, lengths[i], (unsigned long long)codes[i]);
    printf("\n");
    drop(root);
    return 0;
}
