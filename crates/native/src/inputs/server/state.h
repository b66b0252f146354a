/* What the parts of the server share: memory that the driver maps too, and the server's own
 * state. The server has no variables, so that the program's are all there is in the writable
 * segment of the executable, which runs restore. */
#ifndef STATE_H
#define STATE_H

#include <stddef.h>
#include <stdint.h>

/* How a run ended; `crates/native/src/inputs/ending.rs` reads these. */
enum ending {
	EXITED = 1,    /* by exit or by returning from main: the exit code */
	RAISED,        /* by abort or a signal that the program sent itself: the signal */
	ASSERTION,     /* by a failed assertion */
	REPORTED,      /* by a fault that the program reported */
	CHECK_FAILED,  /* by a check that clang inserted */
	EXCLUDED,      /* by an assumption that does not hold */
	UNSUPPORTED,   /* at a feature that Byway does not model */
	UNABLE,        /* at a feature that native runs lack */
	KILLED,        /* by a signal of the machine */
	TIMED_OUT,     /* at the time limit */
};

/* The beginning of the shared memory; offsets are in bytes from its start.
 * `crates/native/src/inputs/shared.rs` has the same fields. */
struct control {
	uint32_t request;       /* increased by the driver for each batch; a futex */
	uint32_t reply;         /* increased by the server when it is ready for one; a futex */
	uint32_t looped;        /* runs of a batch share a process */
	uint32_t count;         /* inputs of the batch */
	uint32_t done;          /* runs that have ended */
	uint32_t limit;         /* milliseconds for a run */
	uint32_t novel_count;   /* runs with new counts */
	uint32_t novel_room;    /* a batch ends early when there is no more room */
	uint32_t request_count; /* objects that the run of a batch of one asked for */
	uint32_t request_room;
	uint32_t counters;      /* number of counters */
	uint32_t arguments, variables, options; /* numbers of words */
	uint64_t heap;          /* bytes that the program may allocate */
	uint64_t bytes;         /* of all shared memory */
	uint64_t counters_at;   /* uint32_t each; begins a page */
	uint64_t starts_at;     /* uint32_t: where each input begins, and the last one ends */
	uint64_t inputs_at;
	uint64_t endings_at;    /* struct run_ending of each run */
	uint64_t totals_at;     /* uint64_t: sum of each counter over all runs */
	uint64_t seen_at;       /* uint8_t: the magnitudes that each counter has had */
	uint64_t novel_at;      /* uint32_t: the number of a run and its counters, for each */
	uint64_t requests_at;   /* struct requested_object */
	uint64_t words_at;      /* zero-terminated strings */
	char message[256];      /* of the last run that ended with one */
};

struct run_ending {
	uint32_t kind, code;
	uint64_t consumed; /* bytes of input that the run asked for */
};

struct requested_object {
	uint32_t size;
	char name[60];
};

enum { PAGE = 4096, CLASSES = 192, MOST_PAGES = 1 << 16, FIXED_OBJECTS = 16 };

typedef uint64_t registers[8];

/* A range of memory that runs restore. */
struct range {
	uint8_t *from, *to;
};

struct state {
	struct control *control;
	uint8_t *stack_top;
	int serving;  /* the program has reached its first input */
	int looping;  /* this process runs one input after the other */
	int unrepeatable;
	uint32_t run; /* number of the run in the batch */
	const uint8_t *input, *input_end;
	uint64_t consumed;
	/* The heap. */
	uint8_t *heap, *heap_at, *heap_end;
	void *free[CLASSES];
	int heap_changed;
	/* The program at its first input. */
	uint32_t *base_counters;
	uint8_t *image;
	struct range ranges[3]; /* before and after the counters, and the heap */
	registers point;
	uint8_t *stack_low, *stack_image;
	void *free_then[CLASSES];
	uint32_t control_word, float_control;
	/* The pages that runs of this process have written so far. */
	uint32_t hot_count;
	uint32_t hot[MOST_PAGES];
	uint8_t is_hot[MOST_PAGES];
	struct range fixed[FIXED_OBJECTS];
	uint8_t own_stack[1 << 16];
	/* What the compiler's own functions find at %fs: the canary of the stack. */
	uint64_t thread[16];
};

/* Addresses that nothing else uses. */
#define STATE ((struct state *)0x600000000000)
#define HEAP_ADDRESS 0x500000000000
#define IMAGE_ADDRESS 0x610000000000

extern uint32_t __byway_counters[];

static inline void *at_offset(uint64_t offset)
{
	return (uint8_t *)STATE->control + offset;
}

/* Copies little at once: the processor's own instruction takes long to start. */
static inline void copy(void *to, const void *from, size_t count)
{
	enum { LITTLE = 1024 };
	typedef uint64_t words __attribute__((vector_size(16), aligned(1), may_alias));

	for (; count >= sizeof(words) && count < LITTLE; count -= sizeof(words)) {
		*(words *)to = *(const words *)from;
		to = (uint8_t *)to + sizeof(words);
		from = (const uint8_t *)from + sizeof(words);
	}
	for (; count && count < sizeof(words); count--) {
		*(uint8_t *)to = *(const uint8_t *)from;
		to = (uint8_t *)to + 1;
		from = (const uint8_t *)from + 1;
	}
	if (count) __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

static inline void clear(void *from, size_t count)
{
	__asm__ volatile("rep stosb" : "+D"(from), "+c"(count) : "a"(0) : "memory");
}

static inline long call(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
		: "=a"(result)
		: "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		: "rcx", "r11", "memory");
	return result;
}

/* Ends the run; a message may be null. */
_Noreturn void __byway_native_end(enum ending kind, uint32_t code, const char *message);

/* Saves the registers that a function preserves, and returns 0; `jump` restores them, and
 * `mark` returns again, with the given value. */
__attribute__((returns_twice)) int __byway_native_mark(registers);
_Noreturn void __byway_native_jump(registers, int value);

#endif
