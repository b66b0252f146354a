// libcsv: parses the input as lines of comma-separated fields.

#include <csv.h>

#include "input.h"

static void on_field(void *text, size_t size, void *count) { ++*(size_t *)count; }
static void on_line(int separator, void *count) {}

int main(void) {
    size_t size = read_input();
    size_t count = 0;
    struct csv_parser parser;
    int valid;

    if (csv_init(&parser, CSV_STRICT | CSV_APPEND_NULL))
        return 2;
    valid = csv_parse(&parser, input, size, on_field, on_line, &count) == size;
    valid &= !csv_fini(&parser, on_field, on_line, &count);
    csv_free(&parser);
    return !valid;
}
