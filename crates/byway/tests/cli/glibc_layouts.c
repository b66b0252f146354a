// Functions whose structures, constants or meanings differ between glibc and musl.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int files, directories;
static int visit(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    files += kind == FTW_F;
    directories += kind == FTW_D;
    return at->level > 5;
}

static int visit_plainly(const char *path, const struct stat *status, int kind)
{
    files += kind == FTW_F;
    directories += kind == FTW_D;
    return 0;
}

// A directory that exists nowhere, for GLOB_ALTDIRFUNC.
static const char *const names[] = {".", "..", "b.c", "a.c", "c.h", ".d.c"};
static struct dirent entry;
static unsigned next_name;
static void *open_names(const char *path) { next_name = 0; return strcmp(path, "names/") && strcmp(path, "names") ? 0 : &next_name; }
static struct dirent *read_names(void *directory)
{
    errno = EIO;
    if (next_name == sizeof names / sizeof *names) return 0;
    strcpy(entry.d_name, names[next_name++]);
    entry.d_type = DT_UNKNOWN;
    entry.d_ino = 1;
    return &entry;
}
static void close_names(void *directory) { assert(directory == &next_name); }
static int status_of_names(const char *path, struct stat *status)
{
    *status = (struct stat){.st_mode = S_IFREG};
    if (!strcmp(path, "names") || !strcmp(path, "names/")) status->st_mode = S_IFDIR;
    else if (strncmp(path, "names/", 6)) return errno = ENOENT, -1;
    return 0;
}

static void glob_names(const char *pattern, int flags)
{
    glob_t found = {.gl_opendir = open_names, .gl_readdir = (void *)read_names, .gl_closedir = close_names,
        .gl_stat = (void *)status_of_names, .gl_lstat = (void *)status_of_names};
    printf("%s: %d", pattern, glob(pattern, flags | GLOB_ALTDIRFUNC, 0, &found));
    for (size_t i = 0; i < found.gl_pathc; i++) printf(" %s", found.gl_pathv[i]);
    putchar('\n');
    globfree(&found);
}

int main(void)
{
    glob_names("names/*.c", 0);
    glob_names("names/[!a]*", GLOB_MARK);
    glob_names("n*/*", 0);
    glob_names("names/b.c", 0);
    glob_names("elsewhere/*", GLOB_NOCHECK);
    glob_names("elsewhere", GLOB_NOMAGIC);
    struct { struct rusage usage; char after; } u = { .after = 7 };
    assert(!getrusage(RUSAGE_SELF, &u.usage) && u.after == 7 && u.usage.ru_utime.tv_usec < 1000000);
    struct { struct sysinfo info; char after; } s = { .after = 7 };
    assert(!sysinfo(&s.info) && s.after == 7 && s.info.mem_unit >= 1);
    regex_t regex;
    regmatch_t match[4];
    assert(!regcomp(&regex, "a(b+)(c)?", REG_EXTENDED) && regex.re_nsub == 2);
    assert(!regexec(&regex, "xxabbd", 4, match, 0));
    printf("%d-%d %d-%d %d-%d %d-%d\n", match[0].rm_so, match[0].rm_eo, match[1].rm_so,
        match[1].rm_eo, match[2].rm_so, match[2].rm_eo, match[3].rm_so, match[3].rm_eo);
    assert(regexec(&regex, "xx", 4, match, 0) == REG_NOMATCH);
    regfree(&regex);
    assert(regcomp(&regex, "a(", REG_EXTENDED));
    assert(!regcomp(&regex, "a*", REG_NOSUB) && !regexec(&regex, "b", 4, match, 0));
    regfree(&regex);
    mkdir("d", 0755);
    close(open("d/f", O_CREAT | O_WRONLY, 0644));
    close(open("d/g", O_CREAT | O_WRONLY, 0644));
    assert(!nftw("d", visit, 4, FTW_PHYS));
    printf("%d files, %d directories\n", files, directories);
    assert(!ftw("d", visit_plainly, 4));
    printf("%d files, %d directories\n", files, directories);
    glob_t found;
    assert(!glob("d/*", 0, 0, &found) && found.gl_pathc == 2 && found.gl_flags & GLOB_MAGCHAR);
    globfree(&found);
    assert(!fnmatch("*.c", "x.c", FNM_PERIOD));
    unlink("d/f"); unlink("d/g"); rmdir("d");
    pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    assert(!pthread_mutex_lock(&mutex) && !pthread_mutex_lock(&mutex) && !pthread_mutex_trylock(&mutex));
    assert(!pthread_mutex_unlock(&mutex) && !pthread_mutex_unlock(&mutex) && !pthread_mutex_unlock(&mutex));
    pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    assert(!pthread_mutex_lock(&checked) && pthread_mutex_lock(&checked) == EDEADLK);
    assert(pthread_equal(pthread_self(), pthread_self()));
    struct { struct sched_param param; char after[60]; } p = { .after = "." };
    pthread_attr_t attr;
    assert(!pthread_attr_init(&attr) && !pthread_attr_getschedparam(&attr, &p.param) && p.after[0] == '.');
    char buffer[64], *message = strerror_r(ENOENT, buffer, sizeof buffer);
    printf("%s\n", message);
    char path[] = "a/b/";
    printf("[%s] [%s] %u %u\n", basename("a/b"), basename(path), major(makedev(3, 4)), minor(makedev(3, 4)));
    jmp_buf here;
    sigjmp_buf there;
    volatile int n = 0;
    if (setjmp(here) < 3) longjmp(here, ++n);
    if (!sigsetjmp(there, 1)) siglongjmp(there, 1);
    FILE *file = tmpfile();
    for (int c = 'a'; c <= 'z'; c++) putc_unlocked(c, file);
    rewind(file);
    int c, sum = 0;
    while ((c = getc_unlocked(file)) != EOF) sum += c;
    printf("%d %d %d %d\n", n, sum, feof_unlocked(file) != 0, ferror_unlocked(file) != 0);
    puts("end");
    return 0;
}
