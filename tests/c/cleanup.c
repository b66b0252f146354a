// The cleanup attribute with exceptions enabled: invoke, landing pads and resume in the bitcode, none of them taken.
// flags: -fexceptions
#include <stdio.h>
#include <stdlib.h>

static int depth;
static void leave(int *level) { printf("leave %d at %d\n", *level, depth--); }
static void release(char **p) {
    printf("free %s\n", *p);
    free(*p);
}
__attribute__((noinline)) static int work(int n) {
    int level __attribute__((cleanup(leave))) = n;
    depth++;
    printf("enter %d\n", level);
    if (n == 0)
        return 100;
    for (int i = 0; i < 2; i++) {
        int inner __attribute__((cleanup(leave))) = n * 10 + i;
        depth++;
        if (i == 1)
            break;
        if (n == 2)
            continue;
        printf("inner %d\n", inner);
    }
    return work(n - 1) + n;
}

int main(void) {
    char *text __attribute__((cleanup(release))) = malloc(8);
    snprintf(text, 8, "text");
    printf("%d\n", work(3));
    return depth;
}
