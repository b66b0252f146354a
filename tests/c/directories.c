// Directories and links: making, listing, renaming, removing, and the paths through them.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	printf("%s: %ld", what, result);
	if (result < 0) printf(" (%s)", strerror(errno));
	putchar('\n');
}

static void touch(const char *path)
{
	say(path, -(open(path, O_WRONLY | O_CREAT | O_EXCL, 0644) < 0));
}

static void about(const char *path)
{
	struct stat s;

	if (lstat(path, &s)) printf("%s: %s\n", path, strerror(errno));
	else printf("%s: mode %o, %d links\n", path, s.st_mode, S_ISDIR(s.st_mode) ? 0 : (int)s.st_nlink);
}

static void list(const char *path)
{
	struct dirent **names;
	int count = scandir(path, &names, 0, alphasort);

	printf("%s has %d:", path, count);
	for (int i = 0; i < count; i++) {
		printf(" %s/%d", names[i]->d_name, names[i]->d_type);
		free(names[i]);
	}
	putchar('\n');
	if (count >= 0) free(names);
}

static void making(void)
{
	say("mkdir", mkdir("a", 0755));
	say("again", mkdir("a", 0755));
	say("nested", mkdir("a/b/c", 0755));
	say("slash", mkdir("a/b/", 0700));
	say("mkdirat", mkdirat(AT_FDCWD, "a/b/c", 01777));
	touch("a/file");
	touch("a/file");
	touch("a/dir/");
	touch("nowhere/file");
	list(".");
	list("a");
	list("a/b/c");
	list("a/file");
	about("a"), about("a/b"), about("a/b/c");
	say("rmdir full", rmdir("a"));
	say("rmdir file", rmdir("a/file"));
	say("rmdir dot", rmdir("a/b/c/."));
	say("rmdir dots", rmdir("a/b/.."));
	say("rmdir", rmdir("a/b/c"));
	say("unlink a directory", unlink("a/b"));
	say("unlink a slash", unlink("a/file/"));
	say("remove", remove("a/b"));
	list("a");
}

static void links(void)
{
	char text[16] = "";

	say("link", link("a/file", "hard"));
	about("hard");
	say("link to a directory", link("a", "hard2"));
	say("link over", link("a/file", "hard"));
	say("unlink", unlink("a/file"));
	about("hard");
	say("symlink", symlink("a", "soft"));
	say("again", symlink("a", "soft"));
	say("empty", symlink("", "soft2"));
	say("readlink", readlink("soft", text, sizeof text));
	say("readlink of a file", readlink("hard", text, sizeof text));
	printf("%s\n", text);
	about("soft"), about("soft/");
	touch("soft/through");
	list("a");
	symlink("loop2", "loop1"), symlink("loop1", "loop2");
	say("loop", open("loop1", O_RDONLY));
	symlink("gone", "dangling");
	say("dangling", open("dangling", O_RDONLY));
	say("not followed", open("soft", O_RDONLY | O_NOFOLLOW));
	say("exclusive", open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0600));
	touch("gone");
	say("no longer dangling", access("dangling", F_OK));
	symlink("../a/../hard", "a/back");
	say("back", access("soft/back", R_OK));
	say("access", access("nothing", F_OK));
	char *real = realpath("soft/back", 0);
	printf("%s\n", real ? strrchr(real, '/') : strerror(errno));
	free(real);
}

static void renaming(void)
{
	mkdir("from", 0755), mkdir("to", 0755), mkdir("full", 0755);
	close(open("from/x", O_CREAT | O_WRONLY, 0600));
	close(open("full/y", O_CREAT | O_WRONLY, 0600));
	say("onto full", rename("from", "full"));
	say("onto a file", rename("from", "hard"));
	say("file onto directory", rename("hard", "to"));
	say("into itself", rename("from", "from/below"));
	say("onto empty", rename("from", "to"));
	list("to");
	say("missing", rename("from", "other"));
	say("over a file", rename("to/x", "full/y"));
	say("itself", rename("full/y", "full/y"));
	say("up", rename("full", "to/full"));
	list("to"), list("to/full");
	say("to a slash", rename("hard", "harder/"));
	say("a link", rename("soft", "softer"));
	about("softer");
	list(".");
}

static int visited[8], depths;

static int visit(const char *path, const struct stat *s, int kind, struct FTW *f)
{
	visited[kind]++;
	depths += f->level;
	return remove(path);
}

static void walking(const char *home)
{
	char here[256];
	int fd = open("to", O_RDONLY | O_DIRECTORY);

	say("openat", -(openat(fd, "full/y", O_RDONLY) < 0));
	say("fchdir", fchdir(fd));
	printf("in %s\n", strcmp(getcwd(here, sizeof here) + strlen(here) - 3, "/to") ? "?" : "to");
	say("chdir", chdir("full/../full/./"));
	say("up", chdir("../../.."));
	say("to a file", chdir("/dev/null"));
	say("getcwd without room", -(getcwd(here, 2) == 0));
	chdir(home);
	glob_t found;
	say("glob", glob("*/f*", 0, 0, &found));
	for (size_t i = 0; i < found.gl_pathc; i++) printf("%s\n", found.gl_pathv[i]);
	globfree(&found);
	/* Entries are removed during a listing. */
	mkdir("many", 0755);
	for (int i = 0; i < 60; i++) {
		char name[32];
		sprintf(name, "many/a-rather-long-name-%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	int count = 0;
	DIR *d = opendir("many");
	for (struct dirent *e; (e = readdir(d));) {
		if (*e->d_name != '.') unlinkat(dirfd(d), e->d_name, 0);
		count++;
	}
	rewinddir(d);
	while (readdir(d)) count += 1000;
	closedir(d);
	say("seen", count);
	say("many", rmdir("many"));
	mkdir("gone-too", 0755), chdir("gone-too"), rmdir("../gone-too");
	say("in a removed directory", open("x", O_CREAT | O_WRONLY, 0600));
	printf("%s\n", getcwd(here, sizeof here) ? "here" : strerror(errno));
	chdir(home);
}

static void permissions(void)
{
	struct stat s;
	struct timespec times[2] = { { 1000, 5 }, { 2000, 6 } };
	struct statvfs v;

	close(open("mine", O_CREAT | O_WRONLY, 0666));
	umask(077);
	close(open("private", O_CREAT | O_WRONLY, 0666));
	about("mine"), about("private");
	say("chmod", chmod("mine", 04751));
	about("mine");
	say("umask", umask(022));
	say("chown", chown("mine", -1, -1));
	say("utimens", utimensat(AT_FDCWD, "mine", times, 0));
	stat("mine", &s);
	printf("%ld.%ld %ld.%ld\n", (long)s.st_atim.tv_sec, s.st_atim.tv_nsec, (long)s.st_mtim.tv_sec,
		s.st_mtim.tv_nsec);
	times[0].tv_nsec = UTIME_OMIT, times[1].tv_sec = 7;
	say("again", utimensat(AT_FDCWD, "mine", times, 0));
	stat("mine", &s);
	printf("%ld %ld\n", (long)s.st_atim.tv_sec, (long)s.st_mtim.tv_sec);
	say("statvfs", statvfs(".", &v));
	say("fifo", mkfifo("pipe", 0600));
	about("pipe");
	int fd = open("pipe", O_RDWR);
	write(fd, "through", 7);
	char text[8] = "";
	say("read", read(fd, text, 8));
	close(fd);
	say("nobody reads", open("pipe", O_WRONLY | O_NONBLOCK));
}

int main(void)
{
	char home[] = "/tmp/byway-directories-XXXXXX";

	setvbuf(stdout, 0, _IOLBF, 0);
	umask(022);
	if (!mkdtemp(home) || chdir(home)) return 1;
	making();
	links();
	renaming();
	walking(home);
	permissions();
	list(".");
	say("walk", nftw(home, visit, 8, FTW_DEPTH | FTW_PHYS));
	for (int i = 0; i < 8; i++) printf("%d ", visited[i]);
	printf("at %d\n", depths);
	say("home", access(home, F_OK));
	return 0;
}
