// Constructors and destructors by priority, atexit handlers in reverse order, output flushed at exit.
#include <stdio.h>
#include <stdlib.h>

static int order;

__attribute__((constructor(200))) static void second(void) { printf("second %d\n", ++order); }
__attribute__((constructor(101))) static void first(void) { printf("first %d\n", ++order); }
__attribute__((constructor)) static void third(void) { printf("third %d\n", ++order); }
__attribute__((destructor)) static void early(void) { printf("destructor %d\n", ++order); }
__attribute__((destructor(150))) static void late(void) { printf("late destructor %d\n", ++order); }
static void handler_a(void) { printf("handler a %d\n", ++order); }
static void handler_b(void) {
    printf("handler b %d\n", ++order);
    atexit(handler_a);
}

int main(void) {
    printf("main %d\n", ++order);
    atexit(handler_a);
    atexit(handler_b);
    printf("no newline at the end");
    exit(order);
}
