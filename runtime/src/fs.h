/* The file system in memory: inodes, directories and open files. It handles all file
 * operations of a program; none of them reaches the host, and every explored path has
 * its own copy.
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

/* The user and group of the program: an ordinary user. */
enum { BYWAY_USER = 1000, BYWAY_GROUP = 1000 };

/* The maximum number of descriptors. */
enum { BYWAY_DESCRIPTORS = 256 };

/* The maximum file size; the memory limit may be reached earlier. */
#define BYWAY_FILE_LIMIT (1UL << 40)

/* The kind of a device or standard stream. */
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

	/* The bytes of a file, link target or pipe: `size` of them, in a buffer that may
	 * be larger. */
	unsigned char *data;
	size_t size, room;

	/* The number of descriptors that can read and write; for a pipe, its open ends. */
	unsigned readers, writers;

	/* The number of shared mappings of a file. */
	unsigned shared_mappings;

	/* A directory. */
	struct inode *parent;
	struct entry *entries;
	size_t count, entry_room;
	unsigned long next_position;

	/* The path on the host: for a file, until its content is copied in; for a
	 * directory, always. */
	char *host;
	int is_filled;
};

/* A name in a directory. Positions only grow, so that a listing in progress is not
 * affected by added and removed names. */
struct entry {
	char *name;
	size_t room;	/* buffer size of a symbolic name, which ends at its first zero */
	struct inode *inode;
	unsigned long position;
};

/* An open file, which duplicated descriptors share. */
struct file {
	struct inode *inode;
	long offset;
	int flags;
	unsigned holders;
};

/* --- src/inodes.c: creation, contents and release ------------------------------ */

hidden struct inode *__byway_inode_new(mode_t mode);
/* Frees an inode that has no name and is not open. */
hidden void __byway_inode_release(struct inode *inode);
hidden void __byway_inode_touch(struct inode *inode);
hidden struct timespec __byway_fs_now(void);
/* The bytes of regular files. */
hidden long __byway_inode_resize(struct inode *inode, size_t size);
hidden long __byway_inode_read(struct inode *inode, size_t offset, void *out, size_t count);
hidden long __byway_inode_write(struct inode *inode, size_t offset, const void *bytes, size_t count);
/* Permissions, owner and group, which may be symbolic. */
struct ownership {
	mode_t mode;
	uid_t user;
	gid_t group;
};
hidden struct ownership __byway_ownership(const struct inode *inode);
/* Whether they are. */
hidden int __byway_status_is_symbolic(const struct inode *inode);
/* 0, or -EACCES; wanted combines R_OK, W_OK and X_OK. */
hidden long __byway_inode_permits(const struct inode *inode, int wanted);

/* --- src/directories.c: names -------------------------------------------------- */

hidden struct inode *__byway_root(void);
hidden struct inode **__byway_current_directory(void);
/* The entry of a zero-terminated name, or null; "." and ".." have no entries. */
hidden struct entry *__byway_directory_find(struct inode *directory, const char *name, size_t length);
/* The entry at a position. */
hidden struct entry *__byway_directory_at(struct inode *directory, unsigned long position);
/* Adds a name of this length; or, if room is not zero, a symbolic name that ends at the
 * first zero within `room` bytes. */
hidden long __byway_directory_add(struct inode *directory, const char *name, size_t length,
	size_t room, struct inode *inode);
hidden void __byway_directory_remove(struct inode *directory, struct entry *entry);
hidden long __byway_directory_list(struct file *file, void *out, size_t size);
hidden long __byway_directory_path(struct inode *directory, char *out, size_t size);

/* --- src/paths.c: from a path to an inode -------------------------------------- */

/* The result of resolving a path: its last name, the directory that contains it, and
 * the inode and position found there, if any. A path that ends in "/", "." or ".."
 * has no name that could be created or removed: its last_is_dot is set. */
struct place {
	struct inode *directory;
	struct inode *inode;
	unsigned long position;
	char name[NAME_MAX + 1];
	size_t length;
	size_t room;		/* buffer size of a symbolic name; its length is then unknown */
	int wants_directory;	/* a slash follows the name; may be symbolic */
	int last_is_dot;
};

enum {
	FOLLOW = 1,
	LOOK = 2,	/* only the inode matters, not its name */
	MAKE = 4,	/* the caller rejects a file followed by a slash */
	ITSELF = 8,	/* do not follow a link, even before a slash */
	NEW = 16,	/* a missing last name matters: it may be created */
};

/* Why the caller would refuse a place; 0 if it would not. It must depend on nothing but the
 * directory, the inode, and on wants_directory and last_is_dot. */
typedef long path_check(const struct place *place, const void *context);

/* Resolves a path; a missing last name is not an error. Symbolic paths that the check, if
 * there is one, refuses for the same reason share a fork case. */
hidden long __byway_path_place(int start, const char *path, int follow, path_check *check,
	const void *context, struct place *out);
/* Resolves a path that must exist. */
hidden long __byway_path_inode(int start, const char *path, int follow, struct inode **out);
/* The same, with support for AT_EMPTY_PATH and AT_SYMLINK_NOFOLLOW. */
hidden long __byway_path_at(int start, const char *path, int flags, struct inode **out);

/* Resolves from a directory; depth counts the links followed. */
hidden long __byway_path_walk(struct inode *at, const char *path, int follow, int depth,
	struct place *out);
/* The end of resolving a name that was found in a directory, or is missing: follows a link. */
hidden long __byway_path_arrive(struct inode *at, int follow, int is_last, int depth,
	struct place *out);
/* The target of a symbolic link in a directory; null with an error. */
hidden long __byway_link_target(struct inode *directory, struct inode **link);

/* --- src/input_paths.c: paths that depend on input ------------------------------ */

/* For a symbolic path, the size of its buffer; else 0. */
hidden size_t __byway_path_input(const char *path);
hidden long __byway_input_place(struct inode *at, const char *path, size_t room, int follow,
	path_check *check, const void *context, struct place *out);
/* Whether the bytes are this name, without a branch. */
hidden int __byway_is_name(const char *name, size_t name_room, const char *bytes, size_t room);

/* The n-th name in a directory and its size with the zero: ".", "..", then entries. */
struct named {
	const char *name;
	size_t room;
	struct inode *inode;
	const struct entry *entry;
};
hidden size_t __byway_named_count(const struct inode *directory);
hidden struct named __byway_named(struct inode *directory, size_t index);

/* --- src/host_files.c ---------------------------------------------------------- */

/* Copies the names of a host directory, once. */
hidden void __byway_host_fill_directory(struct inode *directory);
/* Copies the content of a host file. */
hidden long __byway_host_fill_file(struct inode *inode);
/* Sets the host paths of the root and the working directory. */
hidden void __byway_host_attach(struct inode *root);

/* --- src/files.c, src/pipes.c: open files --------------------------------------- */

hidden long __byway_file_open(struct inode *inode, int flags, struct file **out);
hidden void __byway_file_close(struct file *file);
hidden long __byway_file_read(struct file *file, void *out, size_t count, long offset);
hidden long __byway_file_write(struct file *file, const void *bytes, size_t count, long offset);
hidden long __byway_file_seek(struct file *file, long offset, int whence);
/* The number of bytes by which a file of this size may grow. */
hidden size_t __byway_file_allowance(size_t size);
hidden int __byway_file_is_ready(const struct file *file, int to_write);
hidden long __byway_pipe_open(struct inode *inode, int flags);
hidden long __byway_pipe_read(struct file *file, void *out, size_t count);
hidden long __byway_pipe_write(struct file *file, const void *bytes, size_t count);

/* --- src/descriptors.c ---------------------------------------------------------- */

hidden struct file *__byway_fd_file(int fd);
/* A new descriptor for an open file; or -EMFILE, and the file is closed. */
hidden long __byway_fd_new(struct file *file, int close_on_exec);

#endif
