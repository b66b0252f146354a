// Regular files: opening, reading, writing, seeking, truncating, and what stat says.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	printf("%s: %ld", what, result);
	if (result < 0) printf(" (%s)", strerror(errno));
	putchar('\n');
}

static void show(const char *path)
{
	char text[64];
	int fd = open(path, O_RDONLY);
	ssize_t got = read(fd, text, sizeof text);

	printf("%s holds %zd:", path, got);
	for (ssize_t i = 0; i < got; i++) printf(text[i] >= ' ' ? " %c" : " \\%d", text[i]);
	putchar('\n');
	close(fd);
}

static void about(const char *path)
{
	struct stat s;

	if (lstat(path, &s)) {
		printf("%s: %s\n", path, strerror(errno));
		return;
	}
	printf("%s: mode %o, %ld links, %lld bytes\n", path, s.st_mode, (long)s.st_nlink,
		S_ISDIR(s.st_mode) ? 0LL : (long long)s.st_size);
}

static void opening(void)
{
	int fd = open("new", O_RDWR | O_CREAT, 0640);
	say("create", fd >= 0 ? 0 : -1);
	say("write", write(fd, "hello, world", 12));
	say("seek", lseek(fd, 7, SEEK_SET));
	say("overwrite", write(fd, "there", 5));
	say("tell", lseek(fd, 0, SEEK_CUR));
	say("seek from the end", lseek(fd, -5, SEEK_END));
	say("seek too far back", lseek(fd, -50, SEEK_CUR));
	say("seek oddly", lseek(fd, 0, 77));
	say("close", close(fd));
	say("close again", close(fd));
	show("new");
	about("new");
	say("exclusive", open("new", O_WRONLY | O_CREAT | O_EXCL, 0600));
	say("missing", open("missing", O_RDONLY));
	say("below a file", open("new/x", O_RDONLY));
	say("a file as a directory", open("new", O_RDONLY | O_DIRECTORY));
	say("write to a directory", open(".", O_WRONLY));
	fd = open("new", O_RDONLY);
	say("write to a reader", write(fd, "x", 1));
	close(fd);
	fd = open("new", O_WRONLY | O_APPEND);
	lseek(fd, 0, SEEK_SET);
	say("append", write(fd, "!", 1));
	say("read from a writer", read(fd, &fd, 1));
	close(fd);
	show("new");
	close(open("new", O_WRONLY | O_TRUNC));
	about("new");
}

static void places(void)
{
	char a[4] = "", b[8] = "";
	int fd = open("sparse", O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct iovec out[] = { { "ab", 2 }, { "", 0 }, { "cdef", 4 } };
	struct iovec in[] = { { a, 3 }, { b, 7 } };

	say("pwrite", pwrite(fd, "end", 3, 10));
	say("untouched offset", lseek(fd, 0, SEEK_CUR));
	say("writev", writev(fd, out, 3));
	say("pread", pread(fd, a, 2, 3));
	printf("%.2s\n", a);
	say("pread past the end", pread(fd, a, 2, 100));
	say("pread before the start", pread(fd, a, 2, -1));
	lseek(fd, 0, SEEK_SET);
	say("readv", readv(fd, in, 2));
	printf("%.3s %.3s\n", a, b);
	say("shorten", ftruncate(fd, 4));
	say("lengthen", ftruncate(fd, 7));
	say("to a negative size", ftruncate(fd, -1));
	show("sparse");
	say("by name", truncate("sparse", 2));
	show("sparse");
	say("missing", truncate("missing", 2));
	char *mapped = mmap(0, 2, PROT_READ, MAP_PRIVATE, fd, 0);
	printf("mapped %.2s\n", mapped);
	munmap(mapped, 2);
	close(fd);
}

static void sharing(void)
{
	char c[2] = "";
	int fd = open("shared", O_RDWR | O_CREAT, 0600);
	int copy = dup(fd), other = open("shared", O_RDONLY);

	write(fd, "abcdef", 6);
	say("the copy's offset", lseek(copy, 0, SEEK_CUR));
	say("the other's offset", lseek(other, 0, SEEK_CUR));
	lseek(copy, 2, SEEK_SET);
	read(fd, c, 1);
	printf("%s\n", c);
	say("dup2", dup2(fd, 20));
	say("dup2 of nothing", dup2(99, 21));
	say("dup3 to itself", dup3(fd, fd, 0));
	say("at least", fcntl(fd, F_DUPFD_CLOEXEC, 30));
	say("its flag", fcntl(30, F_GETFD));
	say("another's flag", fcntl(20, F_GETFD));
	say("set", fcntl(20, F_SETFD, FD_CLOEXEC));
	say("now", fcntl(20, F_GETFD));
	say("flags", fcntl(fd, F_GETFL) & O_ACCMODE);
	say("append from now on", fcntl(fd, F_SETFL, O_APPEND));
	lseek(fd, 0, SEEK_SET);
	write(copy, "g", 1);
	/* A removed file exists as long as it is open. */
	say("unlink", unlink("shared"));
	about("shared");
	say("read on", pread(other, c, 1, 6));
	printf("%s\n", c);
	close(fd), close(copy), close(other), close(20), close(30);
}

static void streams(void)
{
	char line[32];
	FILE *f = fopen("lines", "w+");

	for (int i = 0; i < 2000; i++) fprintf(f, "line %d\n", i);
	printf("at %ld\n", ftell(f));
	fseek(f, 7 * 10 + 8 * 5, SEEK_SET);
	fgets(line, sizeof line, f);
	printf("%s", line);
	fclose(f);
	f = fopen("lines", "a+");
	fputs("last\n", f);
	fseek(f, -5, SEEK_END);
	fgets(line, sizeof line, f);
	printf("%s", line);
	fclose(f);
	f = fopen("/dev/full", "w");
	setvbuf(f, 0, _IONBF, 0);
	printf("full: %d\n", fputs("x", f));
	fclose(f);
	f = fopen("/dev/null", "r+");
	printf("null: %d %d\n", fputs("x", f) >= 0, fgetc(f));
	fclose(f);
	f = fopen("/dev/zero", "r");
	printf("zero: %d\n", fgetc(f));
	fclose(f);
}

int main(void)
{
	char directory[] = "/tmp/byway-files-XXXXXX";

	setvbuf(stdout, 0, _IOLBF, 0);
	umask(022);
	if (!mkdtemp(directory) || chdir(directory)) return 1;
	opening();
	places();
	sharing();
	streams();
	unlink("new"), unlink("sparse"), unlink("lines");
	chdir("/");
	say("rmdir", rmdir(directory));
	return 0;
}
