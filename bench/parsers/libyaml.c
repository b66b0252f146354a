// libyaml: parses all documents of the input into events.

#include <yaml.h>

#include "input.h"

int main(void) {
    yaml_parser_t parser;
    yaml_event_t event;
    int end = 0;
    size_t size = read_input();

    if (!yaml_parser_initialize(&parser))
        return 2;
    yaml_parser_set_input_string(&parser, (const unsigned char *)input, size);
    while (!end && yaml_parser_parse(&parser, &event)) {
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return !end;
}
