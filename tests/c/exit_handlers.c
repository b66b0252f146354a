// More atexit handlers than one block holds, some registered by others while the program ends; files
// that nobody closes, written and read.
#include <stdio.h>
#include <stdlib.h>

static int ran, left = 40;

static void count(void) { ran++; }

static void register_more(void) {
    if (left-- > 0) {
        atexit(count);
        atexit(register_more);
    }
}

static FILE *written;

static void last(void) {
    printf("%d handlers ran, %d left\n", ran, left);
    fprintf(written, "and by the last handler\n");
}

int main(void) {
    char word[8];
    FILE *other = fopen("other.txt", "w+");
    written = fopen("written.txt", "w");
    if (!other || !written) return 1;
    fprintf(other, "first second\n");
    rewind(other);
    if (fscanf(other, "%7s", word) == 1) printf("read %s\n", word);
    fprintf(written, "written by main ");
    atexit(last);
    for (int i = 0; i < 100; i++) atexit(i % 10 ? count : register_more);
    fprintf(stderr, "an unfinished line");
    printf("unflushed");
    return ran;
}
