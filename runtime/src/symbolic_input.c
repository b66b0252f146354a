/* Symbolic arguments, environment, files, standard input and failing calls, as
 * requested by options. Options that KLEE has, and the names of the symbolic objects
 * they create, are KLEE's:
 *
 *     --sym-arg LEN            an argument of at most LEN bytes: arg00, arg01, ...
 *     --sym-args MIN MAX LEN   MIN to MAX of them; n_args is their number
 *     --sym-files N SIZE       files A, B, ... in the working directory: A-data, ...
 *     --sym-stdin SIZE         standard input: stdin
 *     --sym-stdout             accepted; output is discarded while paths are explored
 *     --sym-env NAME LEN       a variable of the environment: env-NAME
 *     --sym-stat               the files' status is symbolic too: A-data-stat, ...
 *     --sym-access             the same, and permissions are checked by it
 *     --stream-type S TYPE     what a standard stream is: pipe, file, tty; any: stdin-type, ...
 *     --sym-sizes              files and standard input may be shorter: A-size, ...
 *     --max-fail N             at most N calls fail: read_fail and so on select them
 *     --fd-fail                the same as --max-fail 1
 *     --alloc-failures N       at most N allocations fail: alloc_fail selects them
 *     --save-all-writes        accepted; all writes are kept
 *     --end-unmodelled         a system call without a model ends the path
 *
 * Any other word is a plain argument. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "kstat.h"
#include "streams.h"
#include "symbolic_input.h"

void *__libc_calloc(size_t, size_t);

/* The names of arguments and files have no space for larger numbers. */
enum { MOST_FILES = 26, MOST_BYTES = 1 << 20 };

struct input_spec {
	char *arguments[MOST_ARGUMENTS + 1];
	char *variables[MOST_ARGUMENTS + 1];
	int argument_count, symbolic_arguments, variable_count;
	int file_count, file_size, stdin_size, max_failures, allocation_failures;
	int status, sizes;
};

/* Access checks use the symbolic status of files. */
static int permissions_are_symbolic;

static _Noreturn void refuse(const char *option, const char *why)
{
	static char text[128];

	snprintf(text, sizeof text, "option %s %s", option, why);
	__byway_unsupported(text);
}

static int number(const char *option, const char *word, int most)
{
	char *end;

	if (!word || !*word) refuse(option, "without its number");
	long value = strtol(word, &end, 10);
	if (*end) refuse(option, "with something that is no number");
	if (value < 0 || value > most) refuse(option, "with a number that is too large");
	return value;
}

static void *allocate(size_t size)
{
	void *object = __libc_calloc(1, size);

	if (!object) __byway_unsupported("symbolic input without memory");
	return object;
}

/* For what the program sees of it: freeing an argument is a defect. */
static void *allocate_argument(size_t size)
{
	void *object = __byway_arguments(size);

	if (!object) __byway_unsupported("symbolic input without memory");
	return object;
}

/* begin <= value <= last; a range of one value is not symbolic. */
static int between(int first, int last, const char *name)
{
	int value = first;

	if (first >= last) return first;
	__byway_symbolic(&value, sizeof value, name);
	__byway_assume((first <= value) & (value <= last));
	return value;
}

/* Prefer printable bytes where the path condition allows them. */
static void prefer_printable(const char *bytes, int count)
{
	for (int i = 0; i < count; i++)
		__byway_prefer((unsigned char)(bytes[i] - ' ') < 0x7f - ' ');
}

/* A string of at most that many bytes: a zero may end it earlier. */
static char *text(const char *prefix, int length, const char *name)
{
	size_t before = strlen(prefix);
	char *object = allocate_argument(before + length + 1);

	memcpy(object, prefix, before);
	__byway_symbolic(object + before, length + 1, name);
	prefer_printable(object + before, length);
	object[before + length] = 0;
	return object;
}

static void add_argument(struct input_spec *spec, char *argument)
{
	if (spec->argument_count == MOST_ARGUMENTS) refuse("--sym-args", "beyond 100 arguments");
	spec->arguments[spec->argument_count++] = argument;
}

static void add_symbolic_argument(struct input_spec *spec, int length)
{
	char name[] = "arg00";
	int count = spec->symbolic_arguments++;

	name[3] += count / 10 % 10;
	name[4] += count % 10;
	add_argument(spec, text("", length, name));
}

static void add_variable(struct input_spec *spec, const char *variable, int length)
{
	char name[64], prefix[64];

	if (spec->variable_count == MOST_ARGUMENTS) refuse("--sym-env", "too often");
	if (strlen(variable) > 48) refuse("--sym-env", "with a name that is too long");
	snprintf(name, sizeof name, "env-%s", variable);
	snprintf(prefix, sizeof prefix, "%s=", variable);
	spec->variables[spec->variable_count++] = text(prefix, length, name);
}

static int is(const char *word, const char *option)
{
	/* One dash is accepted like two. */
	return !strcmp(word, option) || !strcmp(word, option + 1);
}

/* Parses one option, and returns the position of the next. */
static char *const *read_option(struct input_spec *spec, char *const *at)
{
	char *word = *at++;

	if (is(word, "--sym-arg")) {
		add_symbolic_argument(spec, number(word, at[0], MOST_BYTES));
		return at + 1;
	}
	if (is(word, "--sym-args")) {
		int least = number(word, at[0], MOST_ARGUMENTS);
		int most = number(word, at[1], MOST_ARGUMENTS);
		int length = number(word, at[2], MOST_BYTES);
		if (least > most) refuse(word, "with a least number above the largest");
		int count = between(least, most, "n_args");
		for (int i = 0; i < count; i++) add_symbolic_argument(spec, length);
		return at + 3;
	}
	if (is(word, "--sym-files")) {
		spec->file_count = number(word, at[0], MOST_FILES);
		spec->file_size = number(word, at[1], MOST_BYTES);
		return at + 2;
	}
	if (is(word, "--sym-stdin")) {
		spec->stdin_size = number(word, at[0], MOST_BYTES);
		return at + 1;
	}
	if (is(word, "--sym-env")) {
		if (!at[0]) refuse(word, "without its name");
		add_variable(spec, at[0], number(word, at[1], MOST_BYTES));
		return at + 2;
	}
	if (is(word, "--max-fail")) {
		spec->max_failures = number(word, at[0], MOST_ARGUMENTS);
		return at + 1;
	}
	if (is(word, "--alloc-failures")) {
		spec->allocation_failures = number(word, at[0], MOST_ARGUMENTS);
		return at + 1;
	}
	if (is(word, "--stream-type")) {
		if (!at[0] || !at[1] || !__byway_stream_option(at[0], at[1]))
			refuse(word, "without a stream and its type");
		return at + 2;
	}
	if (is(word, "--sym-access")) spec->status = permissions_are_symbolic = 1;
	else if (is(word, "--fd-fail")) spec->max_failures = 1;
	else if (is(word, "--sym-stat")) spec->status = 1;
	else if (is(word, "--sym-sizes")) spec->sizes = 1;
	else if (is(word, "--end-unmodelled")) __byway_end_unmodelled = 1;
	else if (!is(word, "--sym-stdout") && !is(word, "--save-all-writes"))
		add_argument(spec, word);
	return at;
}

/* --- Files ------------------------------------------------------------------ */

static struct {
	const struct inode *inode;
	struct kstat *status;
} files[MOST_FILES];

static void fill(struct inode *inode, int size, const char *name, const char *size_name)
{
	inode->data = allocate(size + 1);
	inode->room = size + 1;
	inode->size = size_name ? between(0, size, size_name) : size;
	__byway_symbolic(inode->data, size, name);
	prefer_printable((char *)inode->data, size);
}

static void make_files(const struct input_spec *spec)
{
	struct inode *directory = *__byway_current_directory();
	char name[] = "A", data[] = "A-data", size[] = "A-size", status[] = "A-data-stat";

	for (int i = 0; i < spec->file_count; i++) {
		struct inode *inode = __byway_inode_new(S_IFREG | 0644);
		name[0] = data[0] = size[0] = status[0] = 'A' + i;
		if (!inode || __byway_directory_add(directory, name, 1, 0, inode))
			__byway_unsupported("symbolic input without memory");
		fill(inode, spec->file_size, data, spec->sizes ? size : 0);
		files[i].inode = inode;
		if (!spec->status) continue;
		files[i].status = allocate(sizeof *files[i].status);
		__byway_symbolic(files[i].status, sizeof *files[i].status, status);
	}
}

/* Standard input has its bytes at once, and ends behind them. */
static void make_stdin(const struct input_spec *spec)
{
	struct inode *inode = __byway_fd_file(0)->inode;

	inode->device = NO_DEVICE;
	fill(inode, spec->stdin_size, "stdin", spec->sizes ? "stdin-size" : 0);
}

static struct kstat *symbolic_status(const struct inode *inode)
{
	for (int i = 0; i < MOST_FILES && files[i].inode; i++)
		if (files[i].inode == inode) return files[i].status;
	return 0;
}

int __byway_status_is_symbolic(const struct inode *inode)
{
	return permissions_are_symbolic && symbolic_status(inode);
}

struct ownership __byway_ownership(const struct inode *inode)
{
	const struct kstat *status = permissions_are_symbolic ? symbolic_status(inode) : 0;

	if (!status) return (struct ownership){ inode->mode, inode->user, inode->group };
	return (struct ownership){ status->st_mode, status->st_uid, status->st_gid };
}

/* File type, inode number and size stay concrete. The file has at least the links that the
 * program sees. */
void __byway_vary_status(const struct inode *inode, struct kstat *status)
{
	const struct kstat *input = symbolic_status(inode);

	if (!input) return;
	status->st_mode = (status->st_mode & S_IFMT) | (input->st_mode & 07777);
	status->st_nlink = (input->st_nlink & 0xffff) + inode->links;
	status->st_uid = input->st_uid;
	status->st_gid = input->st_gid;
	status->st_atime_sec = input->st_atime_sec;
	status->st_mtime_sec = input->st_mtime_sec;
	status->st_ctime_sec = input->st_ctime_sec;
}

void __byway_status_set(const struct inode *inode, int members)
{
	struct kstat *status = symbolic_status(inode);

	if (!status) return;
	if (members & STATUS_MODE) status->st_mode = inode->mode;
	if (members & STATUS_USER) status->st_uid = inode->user;
	if (members & STATUS_GROUP) status->st_gid = inode->group;
	if (members & STATUS_ACCESSED) status->st_atime_sec = inode->accessed.tv_sec;
	if (members & STATUS_MODIFIED) status->st_mtime_sec = inode->modified.tv_sec;
	status->st_ctime_sec = inode->changed.tv_sec;
}

/* --- Start-up ------------------------------------------------------------------- */

static size_t words_of(char **list)
{
	size_t count = 0;

	while (list[count]) count++;
	return count;
}

/* The auxiliary vector ends with a type of zero. */
static size_t auxiliary_words(const unsigned long *auxiliary)
{
	size_t count = 0;

	while (auxiliary[count]) count += 2;
	return count + 2;
}

static char **append(char **to, char **from, size_t count)
{
	memcpy(to, from, count * sizeof *to);
	return to + count;
}

/* Arguments from options follow the given ones. */
static char **assemble(const struct input_spec *spec, long *argc, char **argv)
{
	char **environment = argv + *argc + 1;
	size_t variables = words_of(environment);
	char **auxiliary = environment + variables + 1;
	size_t rest = auxiliary_words((unsigned long *)auxiliary);
	size_t all = *argc + spec->argument_count + variables + spec->variable_count + rest + 2;
	char **new = allocate_argument(all * sizeof *new), **to = new;

	to = append(to, argv, *argc);
	to = append(to, (char **)spec->arguments, spec->argument_count + 1);
	to = append(to, environment, variables);
	to = append(to, (char **)spec->variables, spec->variable_count + 1);
	append(to, auxiliary, rest);
	*argc += spec->argument_count;
	return new;
}

char **__byway_apply_options(char *const *options, long *argc, char **argv)
{
	struct input_spec *spec;

	if (!options || !*options) return argv;
	spec = allocate(sizeof *spec);
	while (*options) options = read_option(spec, options);
	if (spec->file_count) make_files(spec);
	if (spec->stdin_size) make_stdin(spec);
	__byway_make_stream_types();
	if (spec->max_failures) __byway_allow_failures(spec->max_failures);
	if (spec->allocation_failures)
		__byway_allow_allocation_failures(spec->allocation_failures);
	return assemble(spec, argc, argv);
}
