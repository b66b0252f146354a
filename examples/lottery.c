/*
 * A hash draws the prize: no solver inverts it quickly, but one ticket in 4096 wins. Only one
 * serial number takes part, which chance never finds, but a solver at once.
 *
 *     byway run --search greedy examples/lottery.c
 */
#include <byway.h>
#include <stdint.h>

static uint32_t draw(uint32_t ticket)
{
    for (int round = 0; round < 6; round++) {
        ticket ^= ticket >> 16;
        ticket *= 0x85ebca6bu;
        ticket ^= ticket >> 13;
        ticket *= 0xc2b2ae35u;
    }
    return ticket;
}

int main(void)
{
    uint32_t serial, ticket;

    byway_make_symbolic(&serial, sizeof serial, "serial");
    byway_make_symbolic(&ticket, sizeof ticket, "ticket");
    if ((serial ^ serial << 7) != 0x4c4f5454)
        return 1;
    if (draw(ticket) % 256 == 77 && draw(ticket ^ 1) % 16 == 3)
        return 0;
    return 2;
}
