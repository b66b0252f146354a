// yajl: parses the input as a stream of JSON tokens, with a callback for each kind.

#include <yajl/yajl_parse.h>

#include "input.h"

static int on_null(void *context) { return 1; }
static int on_boolean(void *context, int value) { return 1; }
static int on_integer(void *context, long long value) { return 1; }
static int on_double(void *context, double value) { return 1; }
static int on_string(void *context, const unsigned char *text, size_t size) { return 1; }
static int on_bracket(void *context) { return 1; }

static yajl_callbacks callbacks = {
    on_null,    on_boolean, on_integer, on_double,  NULL,       on_string,
    on_bracket, on_string,  on_bracket, on_bracket, on_bracket,
};

int main(void) {
    size_t size = read_input();
    yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
    yajl_status status;

    if (!parser)
        return 2;
    yajl_config(parser, yajl_allow_comments, 1);
    status = yajl_parse(parser, (const unsigned char *)input, size);
    if (status == yajl_status_ok)
        status = yajl_complete_parse(parser);
    yajl_free(parser);
    return status != yajl_status_ok;
}
