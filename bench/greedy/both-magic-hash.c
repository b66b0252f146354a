/* Behind a magic number of eight bytes, a hash of the others that one input in 1,024 has. */
#include <byway.h>

int main(void)
{
	struct {
		unsigned long magic;
		unsigned char body[16];
	} file;
	unsigned long hash = 0xcbf29ce484222325ul;

	byway_make_symbolic(&file, sizeof file, "file");
	if ((file.magic ^ 0x5bd1e9955bd1e995ul) != 0x123456789abcdef0ul)
		return 1;
	for (int round = 0; round < 32; round++) {
		for (int i = 0; i < 16; i++) {
			hash = (hash ^ file.body[i]) * 0x100000001b3ul;
			hash ^= hash >> 29;
		}
	}
	if ((hash & 1023) == 77)
		return 2;
	return 0;
}
