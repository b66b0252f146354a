/* The CRC-32 of eight bytes, bit by bit without branches, equals the word behind them. */
#include <byway.h>

static unsigned crc(const unsigned char *bytes, int count)
{
	unsigned value = ~0u;

	for (int i = 0; i < count; i++) {
		value ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (0xedb88320u & -(value & 1));
	}
	return ~value;
}

int main(void)
{
	struct {
		unsigned char body[8];
		unsigned crc;
	} record;

	byway_make_symbolic(&record, sizeof record, "record");
	if (crc(record.body, 8) != record.crc)
		return 1;
	if (record.body[0] == 'R' && record.body[7] == 'E')
		return 2;
	return 0;
}
