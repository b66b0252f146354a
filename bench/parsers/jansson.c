// jansson: parses the input as one JSON value, and prints the value into memory.

#include <stdlib.h>

#include <jansson.h>

#include "input.h"

int main(void) {
    size_t size = read_input();
    json_t *value;

    // Without a seed the parser asks the system for a random one.
    json_object_seed(1);
    value = json_loadb(input, size, JSON_DECODE_ANY, NULL);
    if (!value)
        return 1;
    free(json_dumps(value, JSON_ENCODE_ANY | JSON_SORT_KEYS));
    json_decref(value);
    return 0;
}
