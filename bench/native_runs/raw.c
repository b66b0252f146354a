/* The comparison of eight.c in a loop on random bytes, without anything around it: prints the
 * nanoseconds of the number of calls given. */
#include "compare.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
	long calls = argc > 1 ? atol(argv[1]) : 1;
	uint64_t state = 0x9e3779b97f4a7c15;
	volatile int deepest = 0;
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	for (long i = 0; i < calls; i++) {
		unsigned char bytes[8];
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(bytes, &state, sizeof bytes);
		int depth = compare(bytes);
		if (depth > deepest) deepest = depth;
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%lld\n", (to.tv_sec - from.tv_sec) * 1000000000ll + to.tv_nsec - from.tv_nsec);
	return 0;
}
