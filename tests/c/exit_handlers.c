// More atexit handlers than one block holds, some registered by others while the program ends. A
// stream that is never closed is written to the end; one that was read from may stay open.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int ran, left = 40;

static void count(void) { ran++; }

static void register_more(void) {
    if (left-- > 0) {
        atexit(count);
        atexit(register_more);
    }
}

static FILE *copy;

static void last(void) {
    printf("%d handlers ran, %d left\n", ran, left);
    fflush(stdout);
    fprintf(copy, "and by the last handler\n");
}

int main(void) {
    char word[8];
    FILE *other = tmpfile();
    copy = fdopen(dup(STDOUT_FILENO), "w");
    if (!other || !copy) return 1;
    fprintf(other, "first second\n");
    rewind(other);
    if (fscanf(other, "%7s", word) == 1) fprintf(copy, "read %s\n", word);
    fprintf(copy, "written by main ");
    atexit(last);
    for (int i = 0; i < 100; i++) atexit(i % 10 ? count : register_more);
    printf("unflushed ");
    return ran;
}
