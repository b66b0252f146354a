/* The start of a program: the work of the dynamic loader and musl's start-up code
 * before main, for one thread in the environment that the engine creates. */

#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <unistd.h>
#include "engine.h"
#include "libc.h"
#include "pthread_impl.h"
#include "symbolic_input.h"

int main(int argc, char **argv, char **envp);

struct pthread __byway_thread;
/* The engine sets errno here when an allocation fails. */
_Static_assert(offsetof(struct pthread, errno_val) == 52, "the offset that the engine uses");
volatile int __thread_list_lock;

enum { AUX_COUNT = 38 };

/* The entry of the auxiliary vector through which the engine passes the user's options:
 * an array of strings that ends with a null pointer. */
enum { AT_BYWAY_OPTIONS = 0x6279 };

static char *const *options;

static void read_auxv(size_t aux[AUX_COUNT])
{
	for (size_t *entry = libc.auxv; entry[0]; entry += 2) {
		if (entry[0] < AUX_COUNT) aux[entry[0]] = entry[1];
		if (entry[0] == AT_BYWAY_OPTIONS) options = (char *const *)entry[1];
	}
}

static void init_thread(void)
{
	struct pthread *self = &__byway_thread;
	self->self = self;
	self->prev = self->next = self;
	self->detach_state = DT_JOINABLE;
	self->tid = __syscall(SYS_set_tid_address, &__thread_list_lock);
	self->locale = &libc.global_locale;
	self->robust_list.head = &self->robust_list.head;
}

static void init_progname(char *path)
{
	__progname = __progname_full = path;
	for (char *c = path; *c; c++)
		if (*c == '/') __progname = c + 1;
}

static void init_libc(char **argv, char **envp)
{
	size_t aux[AUX_COUNT] = { 0 };
	char **end = envp;
	while (*end) end++;

	__environ = envp;
	libc.auxv = (size_t *)(end + 1);
	read_auxv(aux);
	__hwcap = aux[AT_HWCAP];
	libc.page_size = aux[AT_PAGESZ] ? aux[AT_PAGESZ] : 4096;
	init_progname(argv[0] ? argv[0] : "");
	init_thread();
}

/* The entry function that the engine calls. argv, envp and auxv follow each other
 * in one object, as on Linux. */
_Noreturn void __byway_start(long argc, char **argv)
{
	char **envp = argv + argc + 1;
	void (*constructor)(int, char **, char **);

	init_libc(argv, envp);
	argv = __byway_apply_options(options, &argc, argv);
	__environ = envp = argv + argc + 1;
	/* As in glibc, constructors may take the parameters of main. */
	for (int i = 0; (constructor = (void *)__byway_ctor(i)); i++) constructor(argc, argv, envp);
	exit(main(argc, argv, envp));
}

/* There are no program headers. */
int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
	return 0;
}
