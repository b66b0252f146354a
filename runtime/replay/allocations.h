/* Allocations of a build that is linked with --wrap for each of these functions: the ones
 * that the test lists in alloc_fail fail, and realloc to zero bytes frees, as while the
 * program was explored. posix_memalign, memalign and reallocarray call them in musl. */
#ifndef BYWAY_ALLOCATIONS_H
#define BYWAY_ALLOCATIONS_H

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);

static struct piece failing_allocations(void)
{
	struct piece rest = test.objects;

	while (test.open && rest.size) {
		struct piece name = cut_string(&rest), bytes = cut_string(&rest);
		if (name.size == 10 && !memcmp(name.bytes, "alloc_fail", 10)) return bytes;
	}
	return (struct piece){ 0, 0 };
}

static int allocation_fails(void)
{
	static struct piece left;
	static unsigned calls;
	uint32_t next;

	if (!calls++) left = failing_allocations();
	if (left.size < sizeof next) return 0;
	memcpy(&next, left.bytes, sizeof next);
	if (next != calls) return 0;
	cut(&left, sizeof next);
	errno = ENOMEM;
	return 1;
}

void *__wrap_malloc(size_t size)
{
	return allocation_fails() ? 0 : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return allocation_fails() ? 0 : __real_calloc(count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return allocation_fails() ? 0 : __real_aligned_alloc(alignment, size);
}

void *__wrap_realloc(void *object, size_t size)
{
	if (object && !size) {
		free(object);
		return 0;
	}
	return allocation_fails() ? 0 : __real_realloc(object, size);
}

#endif
