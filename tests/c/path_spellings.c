// The result of a call depends on the spelling of its path: dots, and trailing slashes.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int result(int value)
{
	return value < 0 ? errno : 0;
}

static void try(const char *path)
{
	struct stat s;
	char target[16];
	int made = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	printf("\"%s\": stat %d lstat %d make %d", path, result(stat(path, &s)),
		result(lstat(path, &s)), result(made));
	if (made >= 0) {
		close(made);
		printf(" unlink %d", result(unlink(path)));
	}
	printf(" open %d write %d", result(open(path, O_RDONLY)), result(open(path, O_WRONLY)));
	printf(" readlink %d", result(readlink(path, target, sizeof target)));
	int linked = link("other", path);
	printf(" link %d", result(linked));
	if (!linked) printf(" unlink %d", result(unlink(path)));
	// Renaming onto an existing file would remove that file.
	if (linked && errno != EEXIST) {
		int moved = rename("other", path);
		printf(" rename %d", result(moved));
		if (!moved) printf(" back %d", result(rename(path, "other")));
	}
	printf(" symlink %d", result(symlink("other", path)));
	if (!lstat(path, &s) && S_ISLNK(s.st_mode) && strcmp(path, "link") && strcmp(path, "loop"))
		unlink(path);
	printf(" mkdir %d", result(mkdir(path, 0700)));
	printf(" rmdir %d\n", result(rmdir(path)));
}

int main(void)
{
	static const char *const paths[] = { "", ".", "./", "..", "../", "f", "f/", "f/.", "f/x", "x",
		"x/", "x/.", "x/y", "d", "d/", "d//", "d/.", "d/..", "d/f", "d/f/", "d/x", "d/x/",
		"./f", ".//x", "link", "link/", "link/f", "link/x", "loop", "loop/", "loop/x", "gone",
		"gone/", "..." };
	char directory[] = "/tmp/byway-XXXXXX";

	setvbuf(stdout, 0, _IOLBF, 0);
	if (!mkdtemp(directory) || chdir(directory)) return 1;
	close(creat("f", 0600));
	close(creat("other", 0600));
	mkdir("d", 0700);
	close(creat("d/f", 0600));
	symlink("d", "link");
	symlink("loop", "loop");
	symlink("nowhere", "gone");
	for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) try(paths[i]);
	unlink("d/f"), rmdir("d"), unlink("f"), unlink("other"), unlink("link"), unlink("loop");
	unlink("gone"), chdir("/");
	printf("%d\n", result(rmdir(directory)));
	return 0;
}
