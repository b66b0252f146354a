// cJSON: parses the input as one JSON value, and prints the value into memory.

#include <stdlib.h>

#include <cJSON.h>

#include "input.h"

int main(void) {
    size_t size = read_input();
    cJSON *value = cJSON_ParseWithLength(input, size);

    if (!value)
        return 1;
    free(cJSON_PrintUnformatted(value));
    cJSON_Delete(value);
    return 0;
}
