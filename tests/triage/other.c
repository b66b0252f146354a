// What the analyser does not see when it looks at twenty.c.
#include "other.h"

#include <stdio.h>
#include <stdlib.h>

struct item {
    int value;
};

static struct item items[4];
static int events;

void count_event(void) { events++; }

void stop_program(const char *reason)
{
    fprintf(stderr, "%s\n", reason);
    exit(3);
}

struct item *find_item(unsigned key) { return key < 4 ? &items[key] : NULL; }

unsigned item_count(unsigned key) { return key % 4 + 1; }

unsigned digit_sum(unsigned number)
{
    return number / 100 + number / 10 % 10 + number % 10;
}

int is_wide(unsigned number) { return number > 80; }

unsigned largest(unsigned x, unsigned y) { return x > y ? x : y; }

unsigned smallest(unsigned x, unsigned y) { return x < y ? x : y; }
