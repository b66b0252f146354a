// Names of at most two bytes, each one of four, for files to create, rename and remove:
// with a symbolic name, every call has the same result as with the equal
// concrete name. There are 1 + 4 + 16 such names.
// paths: 21
// exit-codes: 0
// run: --sym-arg 2
// replay: no
#include <byway.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char letters[] = "fx./";

struct answers {
    int made, removed, linked, unlinked, moved, moved_back, made_directory, removed_directory;
};

static struct answers ask(const char *path)
{
    struct answers answers = { 0 };
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

    answers.made = fd < 0 ? errno : 0;
    if (!answers.made) {
        close(fd);
        answers.removed = unlink(path) ? errno : 0;
    }
    answers.linked = link("other", path) ? errno : 0;
    if (!answers.linked)
        answers.unlinked = unlink(path) ? errno : 0;
    // Renaming onto an existing file would remove that file.
    if (answers.linked != EEXIST) {
        answers.moved = rename("other", path) ? errno : 0;
        if (!answers.moved)
            answers.moved_back = rename(path, "other") ? errno : 0;
    }
    answers.made_directory = mkdir(path, 0700) ? errno : 0;
    answers.removed_directory = rmdir(path) ? errno : 0;
    return answers;
}

int main(int argc, char **argv)
{
    char path[3] = "";

    // Only these four letters are tested.
    for (int i = 0; i < 2; i++) {
        int is_one = argv[1][i] == 0;
        for (int j = 0; j < 4; j++)
            is_one |= argv[1][i] == letters[j];
        byway_assume(is_one);
    }
    if (argc != 2 || close(creat("f", 0600)) || close(creat("other", 0600)))
        return 99;
    struct answers first = ask(argv[1]);
    for (int i = 0; i < 2 && argv[1][i]; i++)
        for (int j = 0; j < 4; j++)
            if (argv[1][i] == letters[j])
                path[i] = letters[j];
    struct answers second = ask(path);
    return memcmp(&first, &second, sizeof first) ? 1 : 0;
}
