/* How many of the first bytes are those of the word. */
__attribute__((noinline)) static int compare(const unsigned char *bytes)
{
	if (bytes[0] != 's') return 0;
	if (bytes[1] != 'y') return 1;
	if (bytes[2] != 'm') return 2;
	if (bytes[3] != 'b') return 3;
	if (bytes[4] != 'o') return 4;
	if (bytes[5] != 'l') return 5;
	if (bytes[6] != 'i') return 6;
	return bytes[7] != 'c' ? 7 : 8;
}
