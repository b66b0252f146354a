/* Behind a hash that one input in 1,024 has, a magic number of eight bytes. */
#include <byway.h>

int main(void)
{
	struct {
		unsigned char body[16];
		unsigned long magic;
	} file;
	unsigned long hash = 0xcbf29ce484222325ul;

	byway_make_symbolic(&file, sizeof file, "file");
	for (int round = 0; round < 32; round++) {
		for (int i = 0; i < 16; i++) {
			hash = (hash ^ file.body[i]) * 0x100000001b3ul;
			hash ^= hash >> 29;
		}
	}
	if ((hash & 1023) != 77)
		return 1;
	if ((file.magic ^ 0x5bd1e9955bd1e995ul) == 0x123456789abcdef0ul)
		return 2;
	return 0;
}
