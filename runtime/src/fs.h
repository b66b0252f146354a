/* The file system in memory: its inodes and directories, and the files that are
 * open. Everything a program does with files happens here; nothing of it reaches
 * the host, and a path that forks takes its own copy along.
 *
 * Functions return a result or -errno. */
#ifndef BYWAY_FS_H
#define BYWAY_FS_H

#include <features.h>
#include <limits.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* Who the program is: an ordinary user. */
enum { BYWAY_USER = 1000, BYWAY_GROUP = 1000 };

/* How many descriptors there are. */
enum { BYWAY_DESCRIPTORS = 256 };

/* No file grows beyond this; memory runs out earlier where less is allowed. */
#define BYWAY_FILE_LIMIT (1UL << 40)

/* What is behind a device or a standard stream. */
enum device {
	NO_DEVICE,
	DEVICE_NULL,
	DEVICE_ZERO,
	DEVICE_FULL,
	DEVICE_RANDOM,
	DEVICE_TERMINAL,
	DEVICE_INPUT,		/* standard input, and so on */
	DEVICE_OUTPUT,
	DEVICE_ERROR,
	DEVICE_DESCRIPTOR_0,	/* /dev/stdin: opening it opens descriptor 0 again */
	DEVICE_DESCRIPTOR_1,
	DEVICE_DESCRIPTOR_2,
};

struct inode {
	unsigned long number;
	mode_t mode;
	uid_t user;
	gid_t group;
	unsigned links, opens;
	enum device device;
	struct timespec accessed, modified, changed;

	/* A file's bytes, a link's target, what waits in a pipe: `size` of them, with
	 * room for more. */
	unsigned char *data;
	size_t size, room;

	/* A pipe: how many ends are open. */
	unsigned readers, writers;

	/* A directory. */
	struct inode *parent;
	struct entry *entries;
	size_t count, entry_room;
	unsigned long next_position;

	/* Where it lies on the host: a file until its content was taken over, a
	 * directory for good. */
	char *host;
	int is_filled;
};

/* A name in a directory. Positions only grow, so that a listing under way misses
 * nothing when others come and go. */
struct entry {
	char *name;
	size_t room;	/* of a name that depends on input: it ends somewhere in there */
	struct inode *inode;
	unsigned long position;
};

/* An open file: what descriptors that were duplicated share. */
struct file {
	struct inode *inode;
	long offset;
	int flags;
	unsigned holders;
};

/* --- src/inodes.c: making, filling and forgetting ------------------------------ */

hidden struct inode *__byway_inode_new(mode_t mode);
/* Forgets an inode that has neither a name nor somebody who has it open. */
hidden void __byway_inode_release(struct inode *inode);
hidden void __byway_inode_touch(struct inode *inode);
hidden struct timespec __byway_fs_now(void);
/* The bytes of regular files. */
hidden long __byway_inode_resize(struct inode *inode, size_t size);
hidden long __byway_inode_read(struct inode *inode, size_t offset, void *out, size_t count);
hidden long __byway_inode_write(struct inode *inode, size_t offset, const void *bytes, size_t count);
/* 0, or -EACCES; wanted is made of R_OK, W_OK and X_OK. */
hidden long __byway_inode_permits(const struct inode *inode, int wanted);

/* --- src/directories.c: names -------------------------------------------------- */

hidden struct inode *__byway_root(void);
hidden struct inode **__byway_current_directory(void);
/* The entry of a name, or null; "." and ".." are none. A zero is behind the name. */
hidden struct entry *__byway_directory_find(struct inode *directory, const char *name, size_t length);
/* The entry at a position. */
hidden struct entry *__byway_directory_at(struct inode *directory, unsigned long position);
/* A name of this length; or, where room is given, one that depends on input and ends at
 * the first zero in so many bytes. */
hidden long __byway_directory_add(struct inode *directory, const char *name, size_t length,
	size_t room, struct inode *inode);
hidden void __byway_directory_remove(struct inode *directory, struct entry *entry);
hidden long __byway_directory_list(struct file *file, void *out, size_t size);
hidden long __byway_directory_path(struct inode *directory, char *out, size_t size);

/* --- src/paths.c: from a path to an inode -------------------------------------- */

/* Where a path leads: its last name, the directory it is looked for in, and what
 * is there, if anything, at which position. A path that ends in "/", "." or ".." has
 * no name that could be made or removed: its last_is_dot is set. */
struct place {
	struct inode *directory;
	struct inode *inode;
	unsigned long position;
	char name[NAME_MAX + 1];
	size_t length;
	size_t room;		/* of a name that depends on input; then its length is not known */
	int wants_directory;	/* a slash follows the name */
	int last_is_dot;
};

enum {
	FOLLOW = 1,
	LOOK = 2,	/* only the inode is of interest, not how it came by its name */
	MAKE = 4,	/* a file with a slash behind it is for the caller to refuse */
	ITSELF = 8,	/* a link is meant itself, even with a slash behind it */
};

/* Finds a place; that nothing is there is no error. */
hidden long __byway_path_place(int start, const char *path, int follow, struct place *out);
/* Finds what must be there. */
hidden long __byway_path_inode(int start, const char *path, int follow, struct inode **out);
/* The same, where AT_EMPTY_PATH and AT_SYMLINK_NOFOLLOW are understood. */
hidden long __byway_path_at(int start, const char *path, int flags, struct inode **out);

/* Walks on from a directory; depth counts the links followed. */
hidden long __byway_path_walk(struct inode *at, const char *path, int follow, int depth,
	struct place *out);
/* From a symbolic link in a directory to what it leads to; null with an error. */
hidden long __byway_link_target(struct inode *directory, struct inode **link);
/* 0 where something can be made; -ENOENT if the name is none after all. */
hidden long __byway_place_has_name(const struct place *place);

/* --- src/input_paths.c: paths that depend on input ------------------------------ */

/* Where the path depends on input: the bytes it lies in, else 0. */
hidden size_t __byway_path_input(const char *path);
hidden long __byway_input_place(struct inode *at, const char *path, size_t room, int follow,
	struct place *out);
/* Whether the bytes are this name and then a certain byte, without a branch. */
hidden int __byway_is_name(const char *name, size_t name_room, const char *bytes, size_t room,
	char then);

/* A name in a directory, of so many bytes with the zero: "." and "..", then entries. */
struct named {
	const char *name;
	size_t room;
	struct inode *inode;
	const struct entry *entry;
};
hidden size_t __byway_named_count(const struct inode *directory);
hidden struct named __byway_named(struct inode *directory, size_t index);

/* --- src/input_lookup.c ---------------------------------------------------------- */

/* So many bytes, with the zero, are a short path. */
enum { BYWAY_SHORT_PATH = 11 };

/* The inode of a short path, or an error, whichever way it is spelt; 0 if that cannot
 * be told without a look at each spelling. A path that begins with a slash is looked for
 * from another directory. */
hidden int __byway_input_lookup(struct inode *at, struct inode *from_slash, const char *path,
	size_t room, int follow, struct place *out, long *result);

/* --- src/host_files.c ---------------------------------------------------------- */

/* Takes the names over that a directory has on the host, once. */
hidden void __byway_host_fill_directory(struct inode *directory);
/* Takes the content of a file over. */
hidden long __byway_host_fill_file(struct inode *inode);
/* The host's place for the root directory and the working directory. */
hidden void __byway_host_attach(struct inode *root);

/* --- src/files.c, src/pipes.c: open files --------------------------------------- */

hidden long __byway_file_open(struct inode *inode, int flags, struct file **out);
hidden void __byway_file_close(struct file *file);
hidden long __byway_file_read(struct file *file, void *out, size_t count, long offset);
hidden long __byway_file_write(struct file *file, const void *bytes, size_t count, long offset);
hidden long __byway_file_seek(struct file *file, long offset, int whence);
/* By how much a file of this size may grow. */
hidden size_t __byway_file_allowance(size_t size);
hidden int __byway_file_is_ready(const struct file *file, int to_write);
hidden long __byway_pipe_open(struct inode *inode, int flags);
hidden long __byway_pipe_read(struct file *file, void *out, size_t count);
hidden long __byway_pipe_write(struct file *file, const void *bytes, size_t count);

/* --- src/descriptors.c ---------------------------------------------------------- */

hidden struct file *__byway_fd_file(int fd);
/* A descriptor for an open file, or -EMFILE; then the file is closed. */
hidden long __byway_fd_new(struct file *file, int close_on_exec);

#endif
