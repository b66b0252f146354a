/* Commands by name, encoded and compared without an early exit, so that no byte shows alone. */
#include <byway.h>

static int is_command(const char *text, const char *encoded)
{
	int difference = 0;

	for (int i = 0; i < 12; i++)
		difference |= (text[i] ^ i) - encoded[i];
	return difference == 0;
}

int main(void)
{
	char text[12];

	byway_make_symbolic(text, sizeof text, "text");
	if (is_command(text, "reboot-board"))
		return 1;
	if (is_command(text, "mount-volume"))
		return 2;
	if (is_command(text, "list-printer"))
		return 3;
	return 0;
}
