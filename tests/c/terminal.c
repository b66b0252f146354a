// No terminal: the standard streams are pipes, and calls that query a terminal fail.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static void say(const char *what, long result)
{
	printf("%s: %ld", what, result);
	if (result < 0) printf(" (%s)", strerror(errno));
	putchar('\n');
}

static void terminals(void)
{
	struct termios modes;
	struct winsize size;
	struct stat s;
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd <= 1; fd++) {
		errno = 0;
		printf("isatty %d: %d %s\n", fd, isatty(fd), strerror(errno));
		say("tcgetattr", tcgetattr(fd, &modes));
		say("tcsetattr", tcsetattr(fd, TCSANOW, &modes));
		say("size", ioctl(fd, TIOCGWINSZ, &size));
		say("group", tcgetpgrp(fd));
		printf("name: %s\n", ttyname(fd) ? "some" : "none");
	}
	errno = 0;
	printf("null: %d %s\n", isatty(null), strerror(errno));
	printf("closed: %d %s\n", isatty(77), strerror(errno));
	printf("%s\n", ctermid(0));
	say("stdout", fstat(1, &s));
	printf("a pipe: %d\n", S_ISFIFO(s.st_mode));
	say("seek", lseek(1, 0, SEEK_CUR));
}

static void accounts(void)
{
	struct passwd *user = getpwuid(0);
	struct group *group = getgrgid(0);

	printf("%s %s\n", user ? user->pw_name : "nobody", group ? group->gr_name : "nothing");
	user = getpwnam("root");
	printf("%ld\n", user ? (long)user->pw_uid : -1L);
	printf("%d %d\n", !getpwnam("no-such-user"), !getgrnam("no-such-group"));
	printf("%d %d\n", !getpwuid(123456), !getgrgid(123456));
}

static void times(void)
{
	time_t noon = 1600000000;
	char text[64];
	const char *zones[] = { "UTC0", "EST5EDT,M3.2.0,M11.1.0", "XYZ-5:30" };

	for (int i = 0; i < 3; i++) {
		setenv("TZ", zones[i], 1);
		tzset();
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z %z %A", localtime(&noon));
		puts(text);
		struct tm parts = *gmtime(&noon);
		printf("%ld %s %s\n", (long)mktime(&parts), tzname[0], tzname[1]);
	}
}

static void others(void)
{
	struct statvfs about;

	printf("%s\n", setlocale(LC_ALL, "C"));
	printf("%s %zu\n", localeconv()->decimal_point, MB_CUR_MAX);
	printf("%d\n", (int)mbtowc(0, "\303\244", 2));
	say("statvfs", statvfs("/", &about));
	printf("%d\n", about.f_bsize > 0 && about.f_namemax >= 255);
	say("access", access("/dev/null", R_OK | W_OK));
	say("access missing", access("/dev/no-such-device", F_OK));
	say("access oddly", access("/", 99));
}

int main(void)
{
	terminals();
	accounts();
	times();
	others();
	return 0;
}
