// The input of every program here: all of standard input, `--sym-stdin N` bytes.

#ifndef BYWAY_BENCH_INPUT_H
#define BYWAY_BENCH_INPUT_H

#include <stddef.h>
#include <unistd.h>

static char input[4096];

static size_t read_input(void) {
    size_t size = 0;
    ssize_t more;
    while (size < sizeof input && (more = read(0, input + size, sizeof input - size)) > 0)
        size += (size_t)more;
    return size;
}

#endif
