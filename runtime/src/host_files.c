/* Files of the host that the user makes visible to the program: names and contents
 * are copied in at first use, and from then on they belong to the program's file
 * system. Nothing is ever written back. */

#include <errno.h>
#include <string.h>
#include "engine.h"
#include "fs.h"

void *__libc_malloc(size_t);
void __libc_free(void *);

/* The status of a file, in the order the engine returns it. */
enum { MODE, SIZE, MODIFIED, NUMBER, LINKS, USER, GROUP, FIELDS };

static char *join(const char *directory, const char *name)
{
	size_t before = strlen(directory), after = strlen(name);
	int separate = before && directory[before - 1] != '/';
	char *path = __libc_malloc(before + separate + after + 1);

	if (!path) __byway_unsupported("a file system without memory");
	memcpy(path, directory, before);
	if (separate) path[before] = '/';
	memcpy(path + before + separate, name, after + 1);
	return path;
}

static void fill_link(struct inode *inode)
{
	char target[PATH_MAX];
	long length = __byway_host_link(inode->host, target, sizeof target - 1);

	if (length > 0) __byway_inode_write(inode, 0, target, length);
	__libc_free(inode->host);
	inode->host = 0;
}

/* Devices and sockets of the host are not visible. */
static int is_shown(mode_t mode)
{
	return S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode);
}

static void take_over(struct inode *directory, const char *name)
{
	char *path = join(directory->host, name);
	struct entry *own = __byway_directory_find(directory, name, strlen(name));
	long about[FIELDS];

	if (__byway_host_stat(path, about) || !is_shown(about[MODE])) {
		__libc_free(path);
		return;
	}
	struct inode *inode = own ? own->inode : __byway_inode_new(about[MODE]);
	if (!inode) __byway_unsupported("a file system without memory");
	/* A directory such as /tmp may exist in both; an existing file is kept. */
	if (own && !(S_ISDIR(inode->mode) && S_ISDIR(about[MODE]))) {
		__libc_free(path);
		return;
	}
	inode->host = path;
	if (own) return;
	inode->size = S_ISLNK(about[MODE]) ? 0 : about[SIZE];
	inode->user = about[USER];
	inode->group = about[GROUP];
	if (__byway_directory_add(directory, name, strlen(name), 0, inode))
		__byway_unsupported("a file system without memory");
	if (S_ISLNK(inode->mode)) fill_link(inode);
	inode->accessed = inode->modified = inode->changed =
		(struct timespec){ .tv_sec = about[MODIFIED] };
}

void __byway_host_fill_directory(struct inode *directory)
{
	char name[NAME_MAX + 1];

	if (!directory->host || directory->is_filled) return;
	directory->is_filled = 1;
	struct timespec modified = directory->modified;
	for (unsigned long i = 0; __byway_host_list(directory->host, i, name, sizeof name) > 0; i++)
		take_over(directory, name);
	directory->modified = directory->changed = modified;
}

long __byway_host_fill_file(struct inode *inode)
{
	char *path = inode->host;
	size_t size = inode->size, got = 0;

	if (!path) return 0;
	inode->host = 0;
	inode->size = 0;
	long error = __byway_inode_resize(inode, size);
	while (!error && got < size) {
		long more = __byway_host_read(path, got, inode->data + got, size - got);
		if (more < 0) error = more;
		if (more <= 0) break;
		got += more;
	}
	inode->size = got;
	__libc_free(path);
	return error;
}

/* The working directory is the host's, if that is visible. */
void __byway_host_attach(struct inode *root)
{
	char path[PATH_MAX];
	struct inode *current;
	long about[FIELDS];

	if (__byway_host_stat("/", about)) return;
	root->host = join("/", "");
	if (__byway_host_directory(path, sizeof path) > 0
		&& !__byway_path_inode(0, path, FOLLOW, &current) && S_ISDIR(current->mode))
		*__byway_current_directory() = current;
}
