// http-parser: parses the input as one or more HTTP requests or responses, then the URL of
// the last request.

#include <http_parser.h>

#include "input.h"

static const char *url;
static size_t url_size;

static int on_event(http_parser *parser) { return 0; }
static int on_data(http_parser *parser, const char *text, size_t size) { return 0; }

static int on_url(http_parser *parser, const char *text, size_t size) {
    url = text;
    url_size = size;
    return 0;
}

int main(void) {
    size_t size = read_input();
    http_parser parser;
    http_parser_settings settings;
    struct http_parser_url parts;
    int valid;

    http_parser_settings_init(&settings);
    settings.on_message_begin = on_event;
    settings.on_url = on_url;
    settings.on_status = on_data;
    settings.on_header_field = on_data;
    settings.on_header_value = on_data;
    settings.on_headers_complete = on_event;
    settings.on_body = on_data;
    settings.on_message_complete = on_event;
    settings.on_chunk_header = on_event;
    settings.on_chunk_complete = on_event;

    http_parser_init(&parser, HTTP_BOTH);
    valid = http_parser_execute(&parser, &settings, input, size) == size;
    if (valid)
        http_parser_execute(&parser, &settings, input, 0);
    if (url) {
        http_parser_url_init(&parts);
        valid &= !http_parser_parse_url(url, url_size, parser.method == HTTP_CONNECT, &parts);
    }
    return !valid;
}
