/* The first program: greets the people named by its arguments.
 *
 *     byway exec examples/hello.c -- Ada Grace
 */
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc == 1)
        puts("Hello, world!");
    for (int i = 1; i < argc; i++)
        printf("Hello, %s!\n", argv[i]);
    return 0;
}
