// The assignment of a structure to another that overlaps it. To itself it is legal.
struct pair {
    long a[4];
};

static long words[6];

__attribute__((noinline)) static void assign(struct pair *to, struct pair *from) {
    *to = *from; // FAULT overlap
}

int main(void) {
    assign((struct pair *)words, (struct pair *)words);
    assign((struct pair *)(words + 1), (struct pair *)words);
    return 0;
}
