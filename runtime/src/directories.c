/* Directories: names of inodes, the initial directory tree of a program, and
 * listings. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include "engine.h"
#include "fs.h"

void *__libc_malloc(size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

static struct inode *root, *current_directory;

static struct inode *plant(struct inode *directory, const char *name, mode_t mode)
{
	struct inode *inode = __byway_inode_new(mode);

	if (!inode || __byway_directory_add(directory, name, strlen(name), 0, inode))
		__byway_unsupported("a file system without memory");
	return inode;
}

static void plant_device(struct inode *directory, const char *name, mode_t mode,
	enum device device)
{
	struct inode *inode = plant(directory, name, mode);

	inode->device = device;
	inode->user = inode->group = 0;
}

static void plant_text(struct inode *directory, const char *name, const char *text)
{
	struct inode *file = plant(directory, name, S_IFREG | 0644);

	if (__byway_inode_write(file, 0, text, strlen(text)) < 0)
		__byway_unsupported("a file system without memory");
	file->user = file->group = 0;
}

/* The user database, so that the program's user has a name, and the list of mounted file
 * systems. If the host's /etc is visible, its files are used instead. */
static void plant_settings(void)
{
	if (__byway_directory_find(root, "etc", 3)) return;
	struct inode *settings = plant(root, "etc", S_IFDIR | 0755);
	settings->user = settings->group = 0;
	plant_text(settings, "passwd", "root:x:0:0:root:/:/bin/sh\n"
		"user:x:1000:1000:user:/home/user:/bin/sh\n");
	plant_text(settings, "group", "root:x:0:\nuser:x:1000:\n");
	plant_text(settings, "mtab", "tmpfs / tmpfs rw 0 0\n");
}

/* The initial tree: devices, a directory writable for all users, and the home
 * directory, which is the initial working directory. */
static void plant_tree(void)
{
	root = __byway_inode_new(S_IFDIR | 0755);
	if (!root) __byway_unsupported("a file system without memory");
	root->user = root->group = 0;
	root->parent = root;
	root->links = 2;

	struct inode *devices = plant(root, "dev", S_IFDIR | 0755);
	devices->user = devices->group = 0;
	plant_device(devices, "null", S_IFCHR | 0666, DEVICE_NULL);
	plant_device(devices, "zero", S_IFCHR | 0666, DEVICE_ZERO);
	plant_device(devices, "full", S_IFCHR | 0666, DEVICE_FULL);
	plant_device(devices, "random", S_IFCHR | 0666, DEVICE_RANDOM);
	plant_device(devices, "urandom", S_IFCHR | 0666, DEVICE_RANDOM);
	plant_device(devices, "tty", S_IFCHR | 0666, DEVICE_TERMINAL);
	plant_device(devices, "stdin", S_IFCHR | 0666, DEVICE_DESCRIPTOR_0);
	plant_device(devices, "stdout", S_IFCHR | 0666, DEVICE_DESCRIPTOR_1);
	plant_device(devices, "stderr", S_IFCHR | 0666, DEVICE_DESCRIPTOR_2);

	struct inode *temporary = plant(root, "tmp", S_IFDIR | S_ISVTX | 0777);
	temporary->user = temporary->group = 0;
	current_directory = plant(plant(root, "home", S_IFDIR | 0755), "user", S_IFDIR | 0755);
	__byway_host_attach(root);
	plant_settings();
	current_directory->opens++;
}

struct inode *__byway_root(void)
{
	if (!root) plant_tree();
	return root;
}

struct inode **__byway_current_directory(void)
{
	__byway_root();
	return &current_directory;
}

struct entry *__byway_directory_find(struct inode *directory, const char *name, size_t length)
{
	__byway_host_fill_directory(directory);
	for (size_t i = 0; i < directory->count; i++) {
		struct entry *entry = &directory->entries[i];
		size_t room = entry->room ? entry->room : length + 1;
		if (!entry->room && strlen(entry->name) != length) continue;
		if (__byway_is_name(entry->name, room, name, length + 1)) return entry;
	}
	return 0;
}

struct entry *__byway_directory_at(struct inode *directory, unsigned long position)
{
	struct entry *entry = directory->entries;

	while (entry->position != position) entry++;
	return entry;
}

static long make_room(struct inode *directory)
{
	size_t room = directory->entry_room ? 2 * directory->entry_room : 8;

	if (directory->count < directory->entry_room) return 0;
	struct entry *entries = __libc_realloc(directory->entries, room * sizeof *entries);
	if (!entries) return -ENOSPC;
	directory->entries = entries;
	directory->entry_room = room;
	return 0;
}

long __byway_directory_add(struct inode *directory, const char *name, size_t length,
	size_t room, struct inode *inode)
{
	long error = make_room(directory);
	size_t size = room ? room : length + 1;
	char *copy = error ? 0 : __libc_malloc(size);

	if (!copy) return -ENOSPC;
	memcpy(copy, name, size - 1);
	copy[size - 1] = 0;
	/* 1 and 2 are the positions of "." and "..". */
	if (!directory->next_position) directory->next_position = 3;
	directory->entries[directory->count++] =
		(struct entry){ copy, room, inode, directory->next_position++ };
	inode->links++;
	if (S_ISDIR(inode->mode)) {
		if (inode->links == 1) inode->links = 2;
		inode->parent = directory;
		directory->links++;
	}
	__byway_inode_touch(directory);
	return 0;
}

void __byway_directory_remove(struct inode *directory, struct entry *entry)
{
	struct inode *inode = entry->inode;
	size_t index = entry - directory->entries;

	__libc_free(entry->name);
	directory->count--;
	memmove(entry, entry + 1, (directory->count - index) * sizeof *entry);
	inode->links--;
	if (S_ISDIR(inode->mode)) {
		if (inode->links == 1) inode->links = 0;
		directory->links--;
	}
	inode->changed = __byway_fs_now();
	__byway_inode_touch(directory);
}

static int listed_kind(mode_t mode)
{
	return (mode & S_IFMT) >> 12;
}

/* Appends a name if it fits; returns its size, or zero. */
static size_t list_one(char *out, size_t room, const struct inode *inode, const char *name,
	unsigned long position)
{
	size_t length = strlen(name);
	size_t size = (offsetof(struct dirent, d_name) + length + 1 + 7) & ~7UL;
	struct dirent *entry = (void *)out;

	if (size > room) return 0;
	entry->d_ino = inode->number;
	entry->d_off = position;
	entry->d_reclen = size;
	entry->d_type = listed_kind(inode->mode);
	memset(entry->d_name, 0, size - offsetof(struct dirent, d_name));
	memcpy(entry->d_name, name, length);
	return size;
}

/* The offset of an open directory is the position of its next entry. */
long __byway_directory_list(struct file *file, void *out, size_t size)
{
	struct inode *directory = file->inode;
	size_t used = 0, got;

	if (!S_ISDIR(directory->mode)) return -ENOTDIR;
	if (!directory->links) return -ENOENT;
	__byway_host_fill_directory(directory);
	if (file->offset < 1) {
		if (!(got = list_one(out, size, directory, ".", 1))) return -EINVAL;
		used += got;
		file->offset = 1;
	}
	if (file->offset < 2) {
		got = list_one((char *)out + used, size - used, directory->parent, "..", 2);
		if (!got) return used ? (long)used : -EINVAL;
		used += got;
		file->offset = 2;
	}
	for (size_t i = 0; i < directory->count; i++) {
		struct entry *entry = &directory->entries[i];
		if ((long)entry->position <= file->offset) continue;
		got = list_one((char *)out + used, size - used, entry->inode, entry->name,
			entry->position);
		if (!got) return used ? (long)used : -EINVAL;
		used += got;
		file->offset = entry->position;
	}
	return used;
}

/* Built from its end. Returns the size with the zero, as getcwd does. */
long __byway_directory_path(struct inode *directory, char *out, size_t size)
{
	char text[PATH_MAX];
	size_t at = sizeof text;

	text[--at] = 0;
	if (directory == root) text[--at] = '/';
	if (!directory->links) return -ENOENT;
	while (directory != root) {
		struct inode *parent = directory->parent;
		const char *name = 0;
		for (size_t i = 0; i < parent->count; i++)
			if (parent->entries[i].inode == directory) name = parent->entries[i].name;
		if (!name) return -ENOENT;
		size_t length = strlen(name);
		if (length + 1 > at) return -ENAMETOOLONG;
		memcpy(text + (at -= length), name, length);
		text[--at] = '/';
		directory = parent;
	}
	if (sizeof text - at > size) return -ERANGE;
	memcpy(out, text + at, sizeof text - at);
	return sizeof text - at;
}
