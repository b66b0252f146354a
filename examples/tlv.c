/* Decodes a message of records: a tag, a length, and that many bytes. The
 * lengths are checked, and yet one message makes it write out of bounds: a name of
 * exactly eight characters leaves no space for the terminating zero.
 *
 *     byway run examples/tlv.c
 *
 * What it shows: a bug that random inputs are unlikely to trigger, found by
 * exploring all cases, with the message that triggers it.
 */
// paths: 980
// faults: out-of-bounds@46 x2
#include <byway.h>
#include <stddef.h>

enum { MESSAGE = 12 };

enum tag { TAG_END = 0, TAG_NUMBER = 1, TAG_NAME = 2 };

struct device {
    unsigned char number;
    char name[8];
};

/* The number of records, or -1 if the message is malformed. */
static int decode(struct device *device, const unsigned char *message, size_t size) {
    size_t at = 0;
    int records = 0;
    while (size - at >= 2) {
        unsigned char tag = message[at], length = message[at + 1];
        at += 2;
        if (tag == TAG_END)
            return records;
        if (length > size - at)
            return -1;
        switch (tag) {
        case TAG_NUMBER:
            if (length != 1)
                return -1;
            device->number = message[at++];
            break;
        case TAG_NAME:
            if (length > sizeof device->name)
                return -1;
            for (size_t i = 0; i < length; i++)
                device->name[i] = (char)message[at++];
            device->name[length] = '\0';
            break;
        default:
            return -1;
        }
        records++;
    }
    return records;
}

int main(void) {
    unsigned char message[MESSAGE];
    struct device device = {0};
    byway_make_symbolic(message, sizeof message, "message");
    return decode(&device, message, sizeof message) < 0;
}
