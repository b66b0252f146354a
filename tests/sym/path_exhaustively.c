// Paths of at most three bytes, each one of five: the file system gives a symbolic path the
// same result as the equal concrete path. There are 1 + 5 + 25 + 125 such paths, and the
// program distinguishes them after the lookup.
// paths: 156
// exit-codes: 0
// run: --sym-arg 3
// replay: no
#include <byway.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char letters[] = "f./dl";

struct answers {
    int looked, looked_at_link;
    unsigned long number, number_of_link;
};

static struct answers ask(const char *path)
{
    struct stat about;
    struct answers answers = { 0 };

    answers.looked = stat(path, &about) ? errno : 0;
    answers.number = answers.looked ? 0 : about.st_ino;
    answers.looked_at_link = lstat(path, &about) ? errno : 0;
    answers.number_of_link = answers.looked_at_link ? 0 : about.st_ino;
    return answers;
}

int main(int argc, char **argv)
{
    char path[4] = "";

    // Only these five letters are tested.
    for (int i = 0; i < 3; i++) {
        int is_one = argv[1][i] == 0;
        for (int j = 0; j < 5; j++)
            is_one |= argv[1][i] == letters[j];
        byway_assume(is_one);
    }
    if (argc != 2 || mkdir("d", 0700) || close(creat("d/f", 0600)) || close(creat("f", 0600))
        || symlink("d", "l"))
        return 99;
    struct answers first = ask(argv[1]);
    for (int i = 0; i < 3 && argv[1][i]; i++)
        for (int j = 0; j < 5; j++)
            if (argv[1][i] == letters[j])
                path[i] = letters[j];
    struct answers second = ask(path);
    return memcmp(&first, &second, sizeof first) ? 1 : 0;
}
