/* The heap of a program: objects of zeros, in lists by size once they are freed. The part that
 * was never used stays zero, so that a run is undone by clearing what it used. */
#ifndef HEAP_H
#define HEAP_H

#include "state.h"

/* Precedes each object. */
struct header {
	uint64_t size;
	uint32_t class, mark;
};

_Static_assert(sizeof(struct header) == 16, "objects stay aligned");

enum { LIVE = 0x6c697665, FREED = 0x66726565, NO_CLASS = CLASSES, ALIGNMENT = 16 };
enum { NO_MEMORY = 12, BAD_ARGUMENT = 22, ABORT_SIGNAL = 6 };

/* Classes of 16 bytes each up to 1 KiB, then four between powers of two. */
static uint32_t class_of(uint64_t size, uint64_t *room)
{
	if (size <= 1024) {
		uint64_t steps = size ? (size + 15) / 16 : 1;
		*room = steps * 16;
		return steps - 1;
	}
	unsigned power = 63 - __builtin_clzll(size - 1);
	uint64_t step = 1ull << (power - 2);
	uint64_t steps = (size - (1ull << power) + step - 1) / step;
	*room = (1ull << power) + steps * step;
	return 64 + (power - 10) * 4 + steps - 1;
}

static struct header *header_of(void *object)
{
	return (struct header *)object - 1;
}

/* A new part of the heap, or null. */
static uint8_t *extend(uint64_t size, uint64_t align)
{
	uint64_t begin = ((uint64_t)STATE->heap_at + sizeof(struct header) + align - 1) & -align;

	if (begin > (uint64_t)STATE->heap_end || size > (uint64_t)STATE->heap_end - begin) return 0;
	STATE->heap_at = (uint8_t *)((begin + size + 15) & -16ull);
	STATE->heap_changed = 1;
	return (uint8_t *)begin;
}

static void *allocate(uint64_t size, uint64_t align)
{
	uint32_t class = NO_CLASS;
	uint64_t room = size;
	void *object = 0;

	if (size > (uint64_t)(STATE->heap_end - STATE->heap)) return 0;
	if (align <= ALIGNMENT) class = class_of(size, &room);
	if (class < CLASSES && STATE->free[class]) {
		object = STATE->free[class];
		STATE->free[class] = *(void **)object;
		STATE->heap_changed = 1;
		clear(object, room);
	} else {
		object = extend(room, align < ALIGNMENT ? ALIGNMENT : align);
	}
	if (!object) return 0;
	*header_of(object) = (struct header){ size, class < CLASSES ? class : NO_CLASS, LIVE };
	return object;
}

static int is_object(const void *object)
{
	const uint8_t *at = object;

	return at > STATE->heap && at < STATE->heap_at && (uint64_t)at % ALIGNMENT == 0
		&& header_of((void *)object)->mark == LIVE;
}

static void release(void *object)
{
	if (!object) return;
	if (!is_object(object))
		__byway_native_end(RAISED, ABORT_SIGNAL, "free of a pointer that is no heap object");
	struct header *header = header_of(object);
	header->mark = FREED;
	if (header->class >= CLASSES) return;
	*(void **)object = STATE->free[header->class];
	STATE->free[header->class] = object;
	STATE->heap_changed = 1;
}

static void *reallocate(void *old, uint64_t size)
{
	if (!old) return allocate(size, ALIGNMENT);
	if (!is_object(old))
		__byway_native_end(RAISED, ABORT_SIGNAL, "realloc of a pointer that is no heap object");
	if (!size) {
		release(old);
		return 0;
	}
	void *new = allocate(size, ALIGNMENT);
	if (!new) return 0;
	uint64_t before = header_of(old)->size;
	copy(new, old, before < size ? before : size);
	release(old);
	return new;
}

/* --- Allocations by the program ------------------------------------------------- */

/* runtime/src/symbolic_input.c lists the allocations that fail. */
struct failing {
	uint32_t most, calls, failed, which[];
};

extern struct failing __byway_failing_allocations __attribute__((weak));
extern char __byway_thread[] __attribute__((weak));
enum { ERRNO_AT = 52 };

static void *without_memory(void)
{
	if (__byway_thread) *(int *)(__byway_thread + ERRNO_AT) = NO_MEMORY;
	return 0;
}

static int next_fails(void)
{
	struct failing *list = &__byway_failing_allocations;

	if (!list || !list->most) return 0;
	list->calls++;
	for (uint32_t i = 0; i < list->most; i++) {
		if (list->which[i] != list->calls) continue;
		list->failed++;
		return 1;
	}
	return 0;
}

static void *count_allocation(uint64_t size, uint64_t align)
{
	void *object = next_fails() ? 0 : allocate(size, align);

	return object ? object : without_memory();
}

#define API __attribute__((weak))

API void *malloc(size_t size)
{
	return count_allocation(size, ALIGNMENT);
}

API void *calloc(size_t count, size_t size)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) bytes = UINT64_MAX;
	return count_allocation(bytes, ALIGNMENT);
}

API void *realloc(void *object, size_t size)
{
	if (object && !size) {
		release(object);
		return 0;
	}
	void *new = next_fails() ? 0 : reallocate(object, size);
	return new ? new : without_memory();
}

API void *reallocarray(void *object, size_t count, size_t size)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) return without_memory();
	return realloc(object, bytes);
}

API void *aligned_alloc(size_t align, size_t size)
{
	if (!align || align & (align - 1)) return without_memory();
	return count_allocation(size, align);
}

API void *memalign(size_t align, size_t size)
{
	return aligned_alloc(align, size);
}

API int posix_memalign(void **out, size_t align, size_t size)
{
	if (align < sizeof(void *) || align & (align - 1)) return BAD_ARGUMENT;
	void *object = next_fails() ? 0 : allocate(size, align);
	if (!object) return NO_MEMORY;
	*out = object;
	return 0;
}

API void free(void *object)
{
	release(object);
}

API void cfree(void *object)
{
	release(object);
}

API size_t malloc_usable_size(void *object)
{
	return object && is_object(object) ? header_of(object)->size : 0;
}

/* --- Allocations by the C library ------------------------------------------------ */

API void *__libc_malloc(size_t size)
{
	return allocate(size, ALIGNMENT);
}

API void *__libc_malloc_impl(size_t size)
{
	return allocate(size, ALIGNMENT);
}

API void *__libc_calloc(size_t count, size_t size)
{
	uint64_t bytes;

	return __builtin_mul_overflow(count, size, &bytes) ? 0 : allocate(bytes, ALIGNMENT);
}

API void *__libc_realloc(void *object, size_t size)
{
	return reallocate(object, size);
}

API void *__libc_memalign(size_t align, size_t size)
{
	return align && !(align & (align - 1)) ? allocate(size, align) : 0;
}

API void __libc_free(void *object)
{
	release(object);
}

#endif
