// Symbolic paths of at most ten bytes, each one of these 30, through directories, links and a
// directory that cannot be searched: the file system gives a symbolic path the same result as
// the equal concrete path, for a file that is looked up, a directory that is made and removed,
// and a file that is created, moved and removed.
// paths: 30
// exit-codes: 0
// run: --sym-arg 10
// replay: no
#include <byway.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const paths[] = {
    "", "f", "f/", "f/x", "d", "d/", "d/.", "d/..", "d/f", "d//f", "./d/../f", "l", "l/", "l/f",
    "l/f/", "l/e/../f", "no", "no/", "no/x", "new", "new//", "d/new", "d/e/new/", "d/e/../new",
    "..", "/", "//", "/new", "x/f", "x/new",
};

enum { COUNT = sizeof paths / sizeof *paths };

struct answers {
    int looked, linked, made, removed, opened, moved, moved_back, unlinked;
    unsigned long number;
};

static struct answers ask(const char *path)
{
    struct stat about;
    struct answers answers = { 0 };

    answers.looked = stat(path, &about) ? errno : 0;
    answers.number = answers.looked ? 0 : about.st_ino;
    answers.linked = lstat(path, &about) ? errno : about.st_mode;
    answers.made = mkdir(path, 0700) ? errno : 0;
    if (!answers.made)
        answers.removed = rmdir(path) ? errno : 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    answers.opened = fd < 0 ? errno : 0;
    if (fd >= 0 && !close(fd)) {
        answers.moved = rename(path, "d/moved") ? errno : 0;
        answers.moved_back = rename("d/moved", path) ? errno : 0;
        answers.unlinked = unlink(path) ? errno : 0;
    }
    return answers;
}

int main(int argc, char **argv)
{
    int is_one = 0, which = 0;

    for (int i = 0; i < COUNT; i++) {
        int is_it = 1;
        for (size_t j = 0; j <= strlen(paths[i]); j++)
            is_it &= argv[1][j] == paths[i][j];
        is_one |= is_it;
    }
    byway_assume(is_one);
    if (argc != 2 || mkdir("d", 0700) || mkdir("d/e", 0700) || close(creat("f", 0600))
        || close(creat("d/f", 0600)) || symlink("d", "l") || symlink("missing", "no")
        || mkdir("x", 0700) || close(creat("x/f", 0600)) || chmod("x", 0600))
        return 99;
    struct answers first = ask(argv[1]);
    while (strcmp(argv[1], paths[which]))
        which++;
    struct answers second = ask(paths[which]);
    return memcmp(&first, &second, sizeof first) ? 1 : 0;
}
