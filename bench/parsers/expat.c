// expat: parses the input as an XML document in any encoding.

#include <expat.h>

#include "input.h"

static void on_start(void *context, const char *name, const char **attributes) {}
static void on_end(void *context, const char *name) {}
static void on_text(void *context, const char *text, int size) {}

int main(void) {
    size_t size = read_input();
    XML_Parser parser = XML_ParserCreate(NULL);
    enum XML_Status status;

    if (!parser)
        return 2;
    // Without a salt the parser asks the system for a random one.
    XML_SetHashSalt(parser, 1);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    status = XML_Parse(parser, input, (int)size, 1);
    XML_ParserFree(parser);
    return status != XML_STATUS_OK;
}
