// Twenty functions, each with one warning of clang's static analyser at the marked line: ten of
// them warn of something that can happen, ten of something that cannot. An input of three bytes
// selects the function and gives its arguments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "other.h"

struct item {
    int value;
};

static struct item shared = {7};

// Ten true warnings.

static int null_member(unsigned x, unsigned y)
{
    struct item *item = &shared;
    if (x * y == 221)
        item = NULL;
    return item->value; // WARNING true
}

static int null_from_search(unsigned x, unsigned y)
{
    static const char *const words[] = {"zero", "one", "two"};
    const char *found = NULL;
    for (unsigned i = 0; i < 3; i++)
        if (words[i][0] == (char)x)
            found = words[i];
    return found[y & 1]; // WARNING true
}

static int zero_difference(unsigned x, unsigned y)
{
    int d = (int)x - (int)y;
    if (d == 0)
        count_event();
    return 1000 / d; // WARNING true
}

static int zero_remainder(unsigned x, unsigned y)
{
    unsigned d = x % 16;
    if (d == 0 && y > 200)
        count_event();
    return (int)(y % d); // WARNING true
}

static int unset_variable(unsigned x, unsigned y)
{
    int result;
    if (x > y)
        result = 1;
    else if (x < y)
        result = 2;
    if (result == 1) // WARNING true
        return 3;
    return 4;
}

static int unset_return(unsigned x, unsigned y)
{
    int result;
    switch (x % 4) {
    case 0:
        result = 5;
        break;
    case 1:
        result = 6;
        break;
    case 2:
        result = (int)y;
        break;
    }
    return result; // WARNING true
}

static int use_after_free(unsigned x, unsigned y)
{
    char *block = malloc(4);
    if (!block)
        return 0;
    block[0] = (char)y;
    if (x == 3 * y)
        free(block);
    int first = block[0]; // WARNING true
    if (x != 3 * y)
        free(block);
    return first;
}

static int double_free(unsigned x, unsigned y)
{
    char *block = malloc(4);
    if (x < 10)
        free(block);
    if (x + y > 250 || x > 9)
        free(block); // WARNING true
    else
        return 1;
    return 0;
}

static int leak_on_error(unsigned x, unsigned y)
{
    char *block = malloc(4);
    if (!block)
        return 0;
    block[0] = (char)x;
    if (x * 5 == y + 100)
        return -1; // WARNING true
    free(block);
    return 1;
}

static int null_argument(unsigned x, unsigned y)
{
    const char *text = "text";
    if ((x ^ y) == 0xa5)
        text = NULL;
    return (int)strlen(text); // WARNING true
}

// Ten false warnings.

// A square leaves 0 or 1 when divided by four.
static int never_null(unsigned x)
{
    struct item *item = &shared;
    if (x * x % 4 == 2)
        item = NULL;
    return item->value; // WARNING false
}

// A sum is odd exactly if its terms differ in their last bit.
static int never_zero(unsigned x, unsigned y)
{
    int d = 10;
    if (((x ^ y) & 1) != ((x + y) & 1))
        d = 0;
    return 1000 / d; // WARNING false
}

// The function in the other file does not return.
static int checked_before(unsigned x)
{
    struct item *item = find_item(x);
    if (item == NULL)
        stop_program("no item");
    return item->value; // WARNING false
}

// The function in the other file returns 1 to 4.
static int set_in_loop(unsigned x)
{
    int last;
    unsigned count = item_count(x);
    for (unsigned i = 0; i < count; i++)
        last = (int)(i + x);
    return last; // WARNING false
}

// One of two neighbours is even.
static int no_leak(unsigned x)
{
    char *block = malloc(4);
    if (!block)
        return 0;
    if (x * (x + 1) % 2 == 1)
        return 1; // WARNING false
    free(block);
    return 2;
}

// The square of an odd number is odd.
static int freed_once(unsigned x)
{
    char *block = malloc(4);
    if (x % 4 == 1)
        free(block);
    if (x * x % 8 == 4)
        free(block); // WARNING false
    else if (x % 4 != 1)
        free(block);
    return 0;
}

// A number and the sum of its digits leave the same remainder by nine.
static int used_before_free(unsigned x)
{
    char *block = malloc(16);
    if (!block)
        return 0;
    block[0] = 1;
    int wrong = digit_sum(x) % 9 != x % 9;
    if (wrong)
        free(block);
    int first = block[0]; // WARNING false
    if (!wrong)
        free(block);
    return first;
}

// One of the two conditions holds.
static int argument_set(unsigned x, unsigned y)
{
    const char *text = NULL;
    if (x * 2 >= y)
        text = "large";
    if (x * 4 < y * 2)
        text = "small";
    return (int)strlen(text); // WARNING false
}

// The flag of the other file is set whenever the value is.
static int condition_set(unsigned x)
{
    int mode;
    if (is_wide(x))
        mode = 1;
    if (x > 99 && mode == 1) // WARNING false
        return 1;
    return 0;
}

// The divisor is at least one: the other file orders its results.
static int ordered(unsigned x, unsigned y)
{
    int d = (int)(largest(x, y) - smallest(x, y)) + 1;
    if (d == 0)
        count_event();
    return 100 / d; // WARNING false
}

int main(void)
{
    int command = getchar(), x = getchar(), y = getchar();
    if (x == EOF || y == EOF)
        return 0;
    unsigned a = (unsigned)x, b = (unsigned)y;
    switch (command) {
    case 'a': return null_member(a, b);
    case 'b': return null_from_search(a, b);
    case 'c': return zero_difference(a, b);
    case 'd': return zero_remainder(a, b);
    case 'e': return unset_variable(a, b);
    case 'f': return unset_return(a, b);
    case 'g': return use_after_free(a, b);
    case 'h': return double_free(a, b);
    case 'i': return leak_on_error(a, b);
    case 'j': return null_argument(a, b);
    case 'k': return never_null(a);
    case 'l': return never_zero(a, b);
    case 'm': return checked_before(a);
    case 'n': return set_in_loop(a);
    case 'o': return no_leak(a);
    case 'p': return freed_once(a);
    case 'q': return used_before_free(a);
    case 'r': return argument_set(a, b);
    case 's': return condition_set(a);
    case 't': return ordered(a, b);
    }
    return 0;
}
