/* Runs a program on many inputs: linked with the instrumented program and without a C library,
 * it is the whole executable of a native run.
 *
 *     _start ─▶ the program's start-up ─▶ its first request for input: the server waits here
 *                                            │ for each batch of inputs
 *                                            ├─▶ a process for each input, or
 *                                            └─▶ a process for all of them, which undoes each
 *                                                run and returns to this point
 *
 * A process undoes a run by restoring the pages that a run has ever written, which it learns
 * from write faults: the writable segment and the heap are read-only after a fork. A run that
 * crashes or exceeds its time ends only its process; the server starts another one. */

#include "state.h"
#include "heap.h"
#include "intrinsics.h"

enum {
	SYS_MPROTECT = 10, SYS_SIGACTION = 13, SYS_SIGPROCMASK = 14, SYS_SIGRETURN = 15,
	SYS_MADVISE = 28, SYS_CLONE = 56, SYS_WAIT4 = 61, SYS_KILL = 62,
	SYS_SIGTIMEDWAIT = 128, SYS_SIGALTSTACK = 131, SYS_ARCH_PRCTL = 158, SYS_FUTEX = 202,
	SYS_EXIT_GROUP = 231,
};
enum { SHARED = 1, PRIVATE = 2, FIXED = 0x10, ANONYMOUS = 0x20, NO_RESERVE = 0x4000 };
enum { MAP_FAILED_FROM = -4095, SHARED_MEMORY = 3, READ_ONLY = 1 };
enum { SIGKILL_NUMBER = 9, SIGSEGV_NUMBER = 11, SIGCHLD_NUMBER = 17 };
enum { FUTEX_WAIT = 0, FUTEX_WAKE = 1, DONT_NEED = 4, SET_FS = 0x1002, CLEARED_BY_HAND = 1 << 18 };

struct file_header {
	uint8_t unused[32];
	uint64_t segments_at;
	uint8_t unused_too[14];
	uint16_t segment_size, segment_count;
};

struct segment {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_size, size, align;
};

enum { LOADED = 1, WRITABLE = 2 };

extern const struct file_header __ehdr_start __attribute__((visibility("hidden")));
_Noreturn void __byway_start(long argc, char **argv);

static _Noreturn void leave(int code)
{
	for (;;) call(SYS_EXIT_GROUP, code, 0, 0, 0, 0, 0);
}

static void *map(uint64_t address, uint64_t size, long protection, long flags, long file,
	long offset)
{
	long got = call(SYS_MMAP, address, size, protection, flags, file, offset);

	if (got < 0 && got >= MAP_FAILED_FROM) leave(126);
	return (void *)got;
}

static void wake_driver(void)
{
	struct control *control = STATE->control;

	__atomic_fetch_add(&control->reply, 1, __ATOMIC_SEQ_CST);
	call(SYS_FUTEX, (long)&control->reply, FUTEX_WAKE, 1, 0, 0, 0);
}

static void await_batch(uint32_t served)
{
	uint32_t *request = &STATE->control->request;

	while (__atomic_load_n(request, __ATOMIC_SEQ_CST) == served)
		call(SYS_FUTEX, (long)request, FUTEX_WAIT, served, 0, 0, 0);
}

/* --- Counts ------------------------------------------------------------------- */

/* The magnitudes of AFL: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more. */
static uint8_t magnitude(uint32_t count)
{
	if (count < 4) return 1 << (count - 1);
	if (count < 32) return count < 8 ? 8 : count < 16 ? 16 : 32;
	return count < 128 ? 64 : 128;
}

static int add_counts(void)
{
	struct control *control = STATE->control;
	uint64_t *totals = at_offset(control->totals_at);
	uint8_t *seen = at_offset(control->seen_at);
	int is_novel = 0;

	for (uint32_t i = 0; i < control->counters; i += 2) {
		/* The array of counters ends with a zero. */
		if (!*(uint64_t *)&__byway_counters[i]) continue;
		for (uint32_t n = i; n < i + 2; n++) {
			uint32_t count = __byway_counters[n];
			if (!count) continue;
			totals[n] += count;
			uint8_t bit = magnitude(count);
			is_novel |= ~seen[n] & bit;
			seen[n] |= bit;
		}
	}
	return is_novel;
}

/* Records a run whose counts are complete. */
static void record(enum ending kind, uint32_t code)
{
	struct control *control = STATE->control;
	uint32_t run = control->done;
	struct run_ending *endings = at_offset(control->endings_at);

	endings[run] = (struct run_ending){ kind, code, STATE->consumed };
	if (add_counts() && control->novel_count < control->novel_room) {
		uint64_t size = 4 + 4 * (uint64_t)control->counters;
		uint32_t *novel = at_offset(control->novel_at + control->novel_count * size);
		novel[0] = run;
		copy(novel + 1, __byway_counters, 4 * (uint64_t)control->counters);
		control->novel_count++;
	}
	__atomic_store_n(&control->done, run + 1, __ATOMIC_RELEASE);
}

static int is_batch_done(void)
{
	struct control *control = STATE->control;

	return control->done >= control->count || control->novel_count >= control->novel_room;
}

/* --- Input ---------------------------------------------------------------------- */

static void begin_run(void)
{
	struct control *control = STATE->control;
	uint32_t *starts = at_offset(control->starts_at);
	const uint8_t *inputs = at_offset(control->inputs_at);

	STATE->run = control->done;
	STATE->input = inputs + starts[STATE->run];
	STATE->input_end = inputs + starts[STATE->run + 1];
	STATE->consumed = 0;
	control->request_count = 0;
}

static void note_request(uint32_t size, const char *name)
{
	struct control *control = STATE->control;
	struct requested_object *requests = at_offset(control->requests_at);

	if (control->request_count >= control->request_room) return;
	struct requested_object *request = &requests[control->request_count++];
	uint32_t n = 0;
	request->size = size;
	for (; name && name[n] && n < sizeof request->name - 1; n++) request->name[n] = name[n];
	request->name[n] = 0;
}

static void serve(void);

/* Gives the next bytes of the input; zeros after its end. */
API void __byway_symbolic(void *object, unsigned long size, const char *name)
{
	struct state *state = STATE;
	uint8_t *out = object;

	if (!size) return;
	if (size > MOST_INPUT) __byway_native_end(UNSUPPORTED, 0, "symbolic input of over 1 MiB");
	if (!state->serving) serve();
	if (state->control->count == 1) note_request(size, name);
	unsigned long given = state->input_end - state->input;
	if (given > size) given = size;
	copy(out, state->input, given);
	if (given < size) clear(out + given, size - given);
	state->input += given;
	state->consumed += size;
}

/* --- Undoing runs ------------------------------------------------------------------ */

static uint64_t bytes_of(struct range range)
{
	return range.to - range.from;
}

/* The number of the page among those that runs restore, or -1. */
static long page_of(const uint8_t *address)
{
	uint64_t before = 0;

	for (int i = 0; i < 3; i++) {
		struct range range = STATE->ranges[i];
		if (range.from <= address && address < range.to)
			return (before + (address - range.from)) / PAGE;
		before += bytes_of(range);
	}
	return -1;
}

static uint8_t *address_of(uint32_t page)
{
	uint64_t offset = (uint64_t)page * PAGE;

	for (int i = 0; i < 3; i++) {
		struct range range = STATE->ranges[i];
		if (offset < bytes_of(range)) return range.from + offset;
		offset -= bytes_of(range);
	}
	return 0;
}

struct signal_action {
	void (*handler)(int, void *, void *);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

__asm__(".text\n__byway_native_restorer: mov $15, %eax\n	syscall\n");
void __byway_native_restorer(void) __attribute__((visibility("hidden")));

static void handle_writes(void (*handler)(int, void *, void *))
{
	enum { INFORMED = 4, OWN_STACK = 0x08000000, RESTORER = 0x04000000 };
	struct signal_action action = { handler, INFORMED | OWN_STACK | RESTORER,
		__byway_native_restorer, 0 };

	call(SYS_SIGACTION, SIGSEGV_NUMBER, (long)&action, 0, 8, 0, 0);
}

/* The first write to a page in this process. */
static void on_fault(int signal, void *info, void *context)
{
	uint8_t *address = *(uint8_t **)((uint8_t *)info + 16);
	long page = page_of(address);

	(void)signal, (void)context;
	if (page < 0 || STATE->is_hot[page]) {
		/* The program crashed: the instruction is repeated, and ends the process. */
		handle_writes(0);
		return;
	}
	STATE->is_hot[page] = 1;
	STATE->hot[STATE->hot_count++] = page;
	call(SYS_MPROTECT, (long)address_of(page), PAGE, READ_WRITE, 0, 0, 0);
}

static void protect(void)
{
	struct { void *address; uint64_t flags, size; } stack
		= { STATE->own_stack, 0, sizeof STATE->own_stack / 2 };

	call(SYS_SIGALTSTACK, (long)&stack, 0, 0, 0, 0, 0);
	handle_writes(on_fault);
	for (int i = 0; i < 3; i++) {
		struct range range = STATE->ranges[i];
		if (bytes_of(range))
			call(SYS_MPROTECT, (long)range.from, bytes_of(range), READ_ONLY, 0, 0, 0);
	}
}

static void undo_heap(void)
{
	struct state *state = STATE;
	uint8_t *begin = state->ranges[2].to;
	uint64_t used = state->heap_at - begin;

	if (used > CLEARED_BY_HAND) call(SYS_MADVISE, (long)begin, used, DONT_NEED, 0, 0, 0);
	else clear(begin, used);
	state->heap_at = begin;
	copy(state->free, state->free_then, sizeof state->free);
	state->heap_changed = 0;
}

/* Undoes the run that ended and begins the next one. Runs on a stack of its own, because it
 * restores that of the program. */
static _Noreturn void next_run(void)
{
	struct state *state = STATE;

	if (is_batch_done()) leave(0);
	for (uint32_t i = 0; i < state->hot_count; i++) {
		uint32_t page = state->hot[i];
		copy(address_of(page), state->image + (uint64_t)page * PAGE, PAGE);
	}
	if (state->heap_changed) undo_heap();
	copy(state->stack_low, state->stack_image, state->stack_top - state->stack_low);
	copy(__byway_counters, state->base_counters, 4 * (uint64_t)state->control->counters);
	__asm__ volatile("ldmxcsr %0\n	fldcw %1\n	cld" : : "m"(state->float_control),
		"m"(state->control_word));
	__byway_native_jump(state->point, 1);
}

_Noreturn void __byway_native_end(enum ending kind, uint32_t code, const char *message)
{
	struct control *control = STATE->control;
	size_t n = 0;

	for (; message && message[n] && n < sizeof control->message - 1; n++)
		control->message[n] = message[n];
	if (message) control->message[n] = 0;
	if (!STATE->serving) {
		/* Without input each run is the same. */
		for (uint32_t served = 0;; served++) {
			wake_driver();
			await_batch(served);
			for (control->done = control->novel_count = 0; !is_batch_done();)
				record(kind, code);
		}
	}
	record(kind, code);
	if (!STATE->looping) leave(0);
	uint8_t *stack = STATE->own_stack + sizeof STATE->own_stack;
	__asm__ volatile("mov %0, %%rsp\n	call *%1" : : "r"(stack), "r"(next_run) : "memory");
	__builtin_unreachable();
}

/* --- The server ---------------------------------------------------------------------- */

static long fork_process(void)
{
	return call(SYS_CLONE, SIGCHLD_NUMBER, 0, 0, 0, 0, 0);
}

/* Waits until the process has ended and returns its wait status; kills it if a run exceeds the
 * time limit, which sets `late`. */
static int await_process(long process, int *late)
{
	struct control *control = STATE->control;
	uint64_t children = 1ull << (SIGCHLD_NUMBER - 1);
	uint32_t half = control->limit / 2 + 1, halves = 0, done = control->done;
	long limit[2] = { half / 1000, half % 1000 * 1000000L };
	int status = 0;

	for (;;) {
		if (call(SYS_WAIT4, process, (long)&status, *late ? 0 : 1, 0, 0, 0) == process)
			return status;
		if (call(SYS_SIGTIMEDWAIT, (long)&children, 0, (long)limit, 8, 0, 0) > 0) continue;
		uint32_t now = __atomic_load_n(&control->done, __ATOMIC_ACQUIRE);
		halves = now == done ? halves + 1 : 0;
		done = now;
		if (halves < 2) continue;
		*late = 1;
		call(SYS_KILL, process, SIGKILL_NUMBER, 0, 0, 0, 0);
	}
}

/* Runs a batch. Returns 1 in a process that runs the next input, 0 when the batch is done. */
static int run_batch(void)
{
	struct control *control = STATE->control;

	control->done = control->novel_count = 0;
	while (!is_batch_done()) {
		uint32_t at = control->done;
		int late = 0;
		copy(__byway_counters, STATE->base_counters, 4 * (uint64_t)control->counters);
		long process = fork_process();
		if (!process) return 1;
		/* The driver gives up if the machine allows no more processes. */
		if (process < 0) leave(125);
		int status = await_process(process, &late);
		if (!status && control->done > at) continue;
		if (is_batch_done()) break;
		STATE->consumed = 0;
		record(late ? TIMED_OUT : KILLED, late ? 0 : status & 0x7f);
	}
	return 0;
}

/* Copies what runs change. */
static void save_program(void)
{
	struct state *state = STATE;
	uint64_t bytes = 0;

	state->heap_at = (uint8_t *)(((uint64_t)state->heap_at + PAGE - 1) & -(uint64_t)PAGE);
	state->ranges[2] = (struct range){ state->heap, state->heap_at };
	for (int i = 0; i < 3; i++) bytes += bytes_of(state->ranges[i]);
	uint64_t counters = (4 * (uint64_t)state->control->counters + PAGE - 1) & -(uint64_t)PAGE;
	uint64_t flags = PRIVATE | ANONYMOUS | NO_RESERVE;
	uint8_t *area = map(IMAGE_ADDRESS, bytes + counters, READ_WRITE, flags, -1, 0);
	state->image = area;
	for (int i = 0; i < 3; i++) {
		copy(area, state->ranges[i].from, bytes_of(state->ranges[i]));
		area += bytes_of(state->ranges[i]);
	}
	state->base_counters = (uint32_t *)area;
	copy(area, __byway_counters, 4 * (uint64_t)state->control->counters);
	copy(state->free_then, state->free, sizeof state->free);
	state->heap_changed = 0;
	if (bytes / PAGE > MOST_PAGES) state->unrepeatable = 1;
	__asm__ volatile("stmxcsr %0\n	fnstcw %1" : "=m"(state->float_control),
		"=m"(state->control_word));
}

/* Copies the stack in use, callers' frames included, and marks the point to return to. */
__attribute__((noinline)) static void loop_from_here(void)
{
	struct state *state = STATE;

	if (!__byway_native_mark(state->point)) {
		uint64_t bytes = state->stack_top - (uint8_t *)state->point[6];
		state->stack_low = (uint8_t *)state->point[6];
		state->stack_image = map(0, bytes, READ_WRITE, PRIVATE | ANONYMOUS, -1, 0);
		copy(state->stack_image, state->stack_low, bytes);
		state->looping = 1;
		protect();
	}
	begin_run();
}

/* Serves batches for ever; returns in the processes that run inputs. */
__attribute__((noinline)) static void serve(void)
{
	uint64_t children = 1ull << (SIGCHLD_NUMBER - 1);

	STATE->serving = 1;
	save_program();
	call(SYS_SIGPROCMASK, 0, (long)&children, 0, 8, 0, 0);
	for (uint32_t served = 0;; served++) {
		wake_driver();
		await_batch(served);
		if (run_batch()) break;
	}
	if (STATE->control->looped && !STATE->unrepeatable) loop_from_here();
	else begin_run();
}

/* --- Start-up --------------------------------------------------------------------------- */

/* The ranges of the writable segments without the counters. */
static void find_data(void)
{
	const uint8_t *file = (const uint8_t *)&__ehdr_start;
	uint64_t from = UINT64_MAX, to = 0;
	uint8_t *counters = (uint8_t *)__byway_counters;
	uint64_t size = (4 * (uint64_t)STATE->control->counters + PAGE) & -(uint64_t)PAGE;

	for (int i = 0; i < __ehdr_start.segment_count; i++) {
		const struct segment *segment = (const void *)(file + __ehdr_start.segments_at
			+ (uint64_t)i * __ehdr_start.segment_size);
		if (segment->type != LOADED || !(segment->flags & WRITABLE)) continue;
		if (segment->address < from) from = segment->address;
		if (segment->address + segment->size > to) to = segment->address + segment->size;
	}
	from &= -(uint64_t)PAGE;
	to = (to + PAGE - 1) & -(uint64_t)PAGE;
	STATE->ranges[0] = (struct range){ (uint8_t *)from, counters };
	STATE->ranges[1] = (struct range){ counters + size, (uint8_t *)to };
}

static char **place_words(uint64_t *place, char **words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		*place++ = (uint64_t)*words;
		for (char *at = *words; *words = at + 1, *at; at++) continue;
	}
	*place = 0;
	return words;
}

/* As `crates/engine/src/origin.rs` places them: arguments, environment, auxiliary vector. */
static uint64_t *place_arguments(void)
{
	enum { PAGE_SIZE_ENTRY = 6, OPTIONS_ENTRY = 0x6279, VECTOR = 6 };
	struct control *control = STATE->control;
	uint64_t lists = control->arguments + control->variables + control->options + 3;
	uint64_t text = control->bytes - control->words_at;
	uint64_t *base = allocate((lists + VECTOR) * 8 + text, ALIGNMENT);

	if (!base) leave(126);
	char *words = (char *)(base + lists + VECTOR);
	copy(words, at_offset(control->words_at), text);
	uint64_t *variables = base + control->arguments + 1;
	uint64_t *vector = variables + control->variables + 1, *options = vector + VECTOR;
	place_words(base, &words, control->arguments);
	place_words(variables, &words, control->variables);
	place_words(options, &words, control->options);
	vector[0] = PAGE_SIZE_ENTRY;
	vector[1] = PAGE;
	vector[2] = control->options ? OPTIONS_ENTRY : 0;
	vector[3] = control->options ? (uint64_t)options : 0;
	vector[4] = vector[5] = 0;
	return base;
}

__attribute__((used)) _Noreturn static void begin(uint8_t *stack)
{
	long flags = PRIVATE | ANONYMOUS | NO_RESERVE | FIXED;

	map((uint64_t)STATE, sizeof *STATE, READ_WRITE, flags, -1, 0);
	call(SYS_ARCH_PRCTL, SET_FS, (long)STATE->thread, 0, 0, 0, 0);
	struct control *first = map(0, PAGE, READ_WRITE, SHARED, SHARED_MEMORY, 0);
	struct control *control = map(0, first->bytes, READ_WRITE, SHARED, SHARED_MEMORY, 0);
	STATE->control = control;
	STATE->stack_top = stack;
	STATE->heap = STATE->heap_at = map(HEAP_ADDRESS, control->heap, READ_WRITE, flags, -1, 0);
	STATE->heap_end = STATE->heap + control->heap;
	find_data();
	map((uint64_t)__byway_counters, (4 * (uint64_t)control->counters + PAGE) & -(uint64_t)PAGE,
		READ_WRITE, SHARED | FIXED, SHARED_MEMORY, control->counters_at);
	uint64_t *arguments = place_arguments();
	__byway_start(control->arguments, (char **)arguments);
}

__asm__(".text\n.globl __byway_native_start\n__byway_native_start:\n"
	"	xor %ebp, %ebp\n	mov %rsp, %rdi\n	and $-16, %rsp\n	call begin\n");

/* The counters have pages of their own, and a zero after the last one. */
__attribute__((aligned(PAGE)))
uint32_t __byway_counters[(BYWAY_COUNTERS * 4 + PAGE) / PAGE * PAGE / 4];
