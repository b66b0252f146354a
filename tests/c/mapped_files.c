// Files mapped into memory: contents, partial pages, sharing between mappings, descriptors and
// sizes, and the errors of Linux.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int file(const char *name, int flags, const char *text)
{
    int fd = open(name, flags, 0644);

    if (fd < 0 || write(fd, text, strlen(text)) != (long)strlen(text))
        abort();
    return fd;
}

static char *map(size_t size, int protection, int flags, int fd, long offset)
{
    char *address = mmap(0, size, protection, flags, fd, offset);

    if (address == MAP_FAILED) {
        printf("mmap: %s\n", strerror(errno));
        abort();
    }
    return address;
}

static void fails(const char *what, size_t size, int protection, int flags, int fd, long offset)
{
    void *address = mmap(0, size, protection, flags, fd, offset);

    printf("%s: %s\n", what, address == MAP_FAILED ? strerror(errno) : "mapped");
    if (address != MAP_FAILED)
        munmap(address, size);
}

static void show(int fd, size_t from, size_t count)
{
    char bytes[64];
    long got = pread(fd, bytes, count, from);

    printf("%ld bytes:", got);
    for (long i = 0; i < got; i++)
        printf(bytes[i] >= ' ' ? " %c" : " %d", bytes[i]);
    puts("");
}

static void errors(void)
{
    int both = file("both", O_CREAT | O_RDWR, "text");
    int reader = open("both", O_RDONLY), writer = open("both", O_WRONLY);
    int path = open("both", O_PATH), directory = open(".", O_RDONLY);
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR), ends[2];
    const int any = PROT_READ | PROT_WRITE;

    if (pipe(ends))
        abort();
    fails("no length", 0, PROT_READ, MAP_PRIVATE, both, 0);
    fails("no length, no file", 0, PROT_READ, MAP_PRIVATE, 99, 0);
    fails("no file", PAGE, PROT_READ, MAP_PRIVATE, 99, 0);
    fails("within a page", PAGE, PROT_READ, MAP_PRIVATE, both, 100);
    fails("neither shared nor private", PAGE, PROT_READ, 0, both, 0);
    fails("neither, no file", PAGE, PROT_READ, MAP_ANONYMOUS, -1, 0);
    fails("too long", -PAGE + 1, PROT_READ, MAP_PRIVATE, both, 0);
    fails("reader, private", PAGE, any, MAP_PRIVATE, reader, 0);
    fails("reader, shared", PAGE, PROT_READ, MAP_SHARED, reader, 0);
    fails("reader, shared to be written", PAGE, any, MAP_SHARED, reader, 0);
    fails("writer, private", PAGE, any, MAP_PRIVATE, writer, 0);
    fails("writer, shared", PAGE, PROT_WRITE, MAP_SHARED, writer, 0);
    fails("path", PAGE, PROT_READ, MAP_PRIVATE, path, 0);
    fails("directory", PAGE, PROT_READ, MAP_PRIVATE, directory, 0);
    fails("pipe", PAGE, PROT_READ, MAP_PRIVATE, ends[0], 0);
    fails("pipe, writer", PAGE, PROT_READ, MAP_PRIVATE, ends[1], 0);
    fails("null", PAGE, PROT_READ, MAP_PRIVATE, null, 0);
    fails("zero", PAGE, any, MAP_PRIVATE, zero, 0);
    fails("both, shared to be written", PAGE, any, MAP_SHARED, both, 0);

    char *pages = map(2 * PAGE, any, MAP_SHARED, both, 0);
    printf("%d %d", msync(pages, PAGE, MS_SYNC), msync(pages, 2 * PAGE, MS_ASYNC));
    printf(" %d", msync(pages + 1, PAGE, MS_SYNC) ? errno : 0);
    printf(" %d", msync(pages, PAGE, MS_SYNC | MS_ASYNC) ? errno : 0);
    printf(" %d", munmap(pages + 1, PAGE) ? errno : 0);
    printf(" %d", munmap(pages, 0) ? errno : 0);
    printf(" %d\n", munmap(pages, 2 * PAGE) ? errno : 0);
    char *read_only = map(PAGE, PROT_READ, MAP_SHARED, reader, 0);
    printf("mprotect: %s\n", mprotect(read_only, PAGE, any) ? strerror(errno) : "done");
}

static void private_mapping(void)
{
    int fd = file("private", O_CREAT | O_RDWR, "some text");
    char *copy = map(9, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

    close(fd);
    printf("private: %.9s %d %d\n", copy, copy[9], copy[PAGE - 1]);
    memcpy(copy, "changed", 7);
    fd = open("private", O_RDONLY);
    show(fd, 0, 20);
    printf("%.9s", copy);
    printf(" %d\n", munmap(copy, 9));
    close(fd);
}

static void shared_mapping(void)
{
    int fd = file("shared", O_CREAT | O_RDWR, "some text");
    char *one = map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    const char *other = map(9, PROT_READ, MAP_SHARED, fd, 0);
    struct stat about;

    // Writes by the mapping are seen by the other one and by read, and the reverse.
    one[0] = 'S';
    one[9] = '!';
    printf("shared: %.10s\n", other);
    show(fd, 0, 20);
    if (pwrite(fd, "TEXT, and more", 14, 5) != 14)
        abort();
    printf("%.19s %d\n", one, other[19]);
    // Bytes behind the end are lost when the file grows, and so is what is cut off.
    one[30] = 'x';
    printf("%d", ftruncate(fd, 4));
    printf(" %d %d", one[4], one[30]);
    printf(" %d", ftruncate(fd, 12));
    show(fd, 0, 20);
    // The mapping outlives the descriptor and the name.
    close(fd);
    fd = open("shared", O_RDWR);
    unlink("shared");
    one[11] = 'E';
    show(fd, 0, 20);
    printf("%d", munmap(one, PAGE));
    show(fd, 4, 8);
    printf("%d %ld\n", fstat(fd, &about), (long)about.st_size);
    close(fd);
}

static void later_pages(void)
{
    int fd = open("pages", O_CREAT | O_RDWR, 0644);

    if (ftruncate(fd, 3 * PAGE) || pwrite(fd, "second", 6, PAGE) != 6)
        abort();
    char *second = map(2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE);
    second[PAGE] = '3';
    show(fd, 2 * PAGE - 1, 3);
    printf("%s", second);
    printf(" %d\n", munmap(second, PAGE));
    second[PAGE + 1] = '4';
    show(fd, 2 * PAGE - 1, 3);
    char *moved = mremap(second + PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
    printf("%.2s\n", moved);
    if (pwrite(fd, "end", 4, 3 * PAGE) != 4)
        abort();
    printf("%.2s %s\n", moved, moved + PAGE);
    close(fd);
}

static void reserved(void)
{
    char *pages = map(4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *part = mmap(pages + PAGE, PAGE, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

    printf("%d", part == pages + PAGE);
    part[0] = 1;
    printf(" %d", mprotect(pages + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE));
    pages[2 * PAGE] = 2;
    printf(" %d %d", munmap(pages, PAGE), munmap(pages + 3 * PAGE, PAGE));
    printf(" %d %d\n", pages[PAGE], pages[2 * PAGE]);
}

// Which pages exist.
static void existing(void)
{
    static char constant = 1;
    char local = 2, *heap = malloc(1);
    char *pages = map(3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *of[] = {&constant, &local, heap, pages + PAGE};
    unsigned char resident[4] = {0};

    heap[0] = pages[0] = pages[PAGE] = pages[2 * PAGE] = 1;
    for (int i = 0; i < 4; i++) {
        char *page = (char *)((unsigned long)of[i] & -(unsigned long)PAGE);
        printf("%d %d, ", mincore(page, 1, resident), resident[0] & 1);
    }
    printf("%d %d %d", mincore(pages, 2 * PAGE + 1, resident), resident[2] & 1, resident[3]);
    printf(" %d", mincore(pages + 1, PAGE, resident) ? errno : 0);
    munmap(pages, 3 * PAGE);
    printf(" %d\n", mincore(pages, PAGE, resident) ? errno : 0);
    free(heap);
}

int main(void)
{
    existing();
    errors();
    private_mapping();
    shared_mapping();
    later_pages();
    reserved();
    unlink("both");
    unlink("private");
    unlink("pages");
}
