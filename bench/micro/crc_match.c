/* A CRC of 16 bits over symbolic bytes, bit by bit and without a table, compared
 * with a constant. The bit is tested by a mask and not by a branch, so there are
 * two paths; the last query is a system of exclusive-ors that is not quite easy
 * for a solver that works on bits.
 *
 * LEN is the number of bytes (default 4).
 */
// paths: 2
#include <klee/klee.h>
#ifndef LEN
#define LEN 4
#endif
int main(void) {
  unsigned char b[LEN];
  unsigned crc = 0xffffu;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < LEN; i++) {
    crc ^= b[i];
    for (int k = 0; k < 8; k++) {
      unsigned m = 0u - (crc & 1u);
      crc = (crc >> 1) ^ (0xa001u & m);
    }
  }
  if ((crc & 0xffffu) == 0x1d0fu)
    return 1;
  return 0;
}
