// A double written at an address that is only four-aligned, in a packed buffer.
// checks: alignment
static _Alignas(16) char buffer[64];

static void put(void *p, double d) {
    *(double *)p = d; // FAULT misaligned
}

int main(void) {
    put(buffer + 8, 1.0);
    put(buffer + 12, 2.0);
    return 0;
}
