// memcpy, memmove, memset, memcmp of constant and variable sizes, overlapping copies, struct assignment.
#include <stdio.h>
#include <string.h>

struct block { char bytes[100]; int check; };
static struct block globals[3];

__attribute__((noinline)) static void move(char *p, int from, int to, size_t n) { memmove(p + to, p + from, n); }
__attribute__((noinline)) static void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
__attribute__((noinline)) static void set(void *p, int c, size_t n) { memset(p, c, n); }
__attribute__((noinline)) static int sign(int x) { return (x > 0) - (x < 0); }
__attribute__((noinline)) static struct block pass(struct block b) {
    b.check = -b.check;
    return b;
}

int main(void) {
    char text[64] = "the quick brown fox jumps over the lazy dog";
    move(text, 4, 10, 15);
    printf("%s\n", text);
    move(text, 10, 4, 15);
    printf("%s\n", text);
    move(text, 3, 3, 9);
    char other[64];
    copy(other, text, sizeof other);
    set(other + 5, '-', 7);
    set(other, 'x', 0);
    printf("%s %d %d %d\n", other, sign(memcmp(text, other, 5)), sign(memcmp(text, other, 20)), sign(memcmp("a\xff", "a\x01", 2)));
    for (int i = 0; i < 3; i++) {
        set(globals[i].bytes, 'a' + i, 99);
        globals[i].check = i * 11;
    }
    globals[0] = globals[2];
    globals[1] = pass(globals[0]);
    struct block local = globals[1], again = {.bytes = "init"};
    local.bytes[50] = '!';
    again.check = local.check;
    printf("%c %d %d %s %d %d\n", globals[1].bytes[50], globals[1].check, globals[0].check, again.bytes, again.bytes[99], again.check);
    unsigned long words[8];
    memset(words, 0xa5, sizeof words);
    memset(&words[3], 0, 16);
    __builtin_memcpy_inline(&words[6], words, 16);
    memmove(words + 1, words, sizeof words - sizeof *words);
    unsigned long mix = 0;
    for (int i = 0; i < 8; i++)
        mix = mix * 31 + words[i];
    printf("%lx %d\n", mix, memchr(text, 'Z', 10) == NULL);
    return 0;
}
