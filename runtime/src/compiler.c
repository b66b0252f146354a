/* Functions that clang calls implicitly: atomics of sizes that the processor
 * lacks, and the processor identification. */

#include <stddef.h>
#include <string.h>

void *memcpy(void *restrict, const void *restrict, size_t);
int memcmp(const void *, const void *, size_t);

/* clang has builtins of these names with other types; hence the labels. */
void atomic_load_any(size_t, void *, void *, int) __asm__("__atomic_load");
void atomic_store_any(size_t, void *, void *, int) __asm__("__atomic_store");
void atomic_exchange_any(size_t, void *, void *, void *, int) __asm__("__atomic_exchange");
_Bool atomic_compare_exchange_any(size_t, void *, void *, void *, int, int)
	__asm__("__atomic_compare_exchange");
_Bool atomic_is_lock_free_any(size_t, void *) __asm__("__atomic_is_lock_free");

void atomic_load_any(size_t size, void *object, void *out, int order)
{
	memcpy(out, object, size);
}

void atomic_store_any(size_t size, void *object, void *value, int order)
{
	memcpy(object, value, size);
}

void atomic_exchange_any(size_t size, void *object, void *value, void *out, int order)
{
	memcpy(out, object, size);
	memcpy(object, value, size);
}

_Bool atomic_compare_exchange_any(size_t size, void *object, void *expected, void *value,
	int success, int failure)
{
	if (memcmp(object, expected, size)) {
		memcpy(expected, object, size);
		return 0;
	}
	memcpy(object, value, size);
	return 1;
}

_Bool atomic_is_lock_free_any(size_t size, void *object)
{
	return size <= sizeof(long) && (size & (size - 1)) == 0;
}

/* clang calls these for 16 bytes, which a baseline processor does not access
 * atomically. */
typedef unsigned __int128 sixteen;

sixteen atomic_load_16(sixteen *, int) __asm__("__atomic_load_16");
void atomic_store_16(sixteen *, sixteen, int) __asm__("__atomic_store_16");
sixteen atomic_exchange_16(sixteen *, sixteen, int) __asm__("__atomic_exchange_16");
_Bool atomic_compare_exchange_16(sixteen *, sixteen *, sixteen, int, int)
	__asm__("__atomic_compare_exchange_16");

sixteen atomic_load_16(sixteen *object, int order)
{
	return *object;
}

void atomic_store_16(sixteen *object, sixteen value, int order)
{
	*object = value;
}

sixteen atomic_exchange_16(sixteen *object, sixteen value, int order)
{
	sixteen before = *object;
	*object = value;
	return before;
}

_Bool atomic_compare_exchange_16(sixteen *object, sixteen *expected, sixteen value, int success,
	int failure)
{
	sixteen before = *object;
	if (before != *expected) {
		*expected = before;
		return 0;
	}
	*object = value;
	return 1;
}

/* __builtin_cpu_supports and __builtin_cpu_is: a baseline x86-64 processor. */
struct cpu_model {
	unsigned vendor, type, subtype, features[1];
} __cpu_model;
unsigned __cpu_features2[3];

int __cpu_indicator_init(void)
{
	return 0;
}
