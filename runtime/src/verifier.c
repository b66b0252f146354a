/* Functions for programs of the software verification competition. The name of an
 * input is the part after __VERIFIER_nondet_. */

#include <stddef.h>
#include "engine.h"
#include "../replay/nondet.h"

#define NONDET(type, name)                                                                     \
	type __VERIFIER_nondet_##name(void)                                                    \
	{                                                                                      \
		type value;                                                                    \
		__byway_symbolic(&value, sizeof value, #name);                                 \
		return value;                                                                  \
	}

NONDET_TYPES(NONDET)

/* A _Bool must be 0 or 1. */
_Bool __VERIFIER_nondet_bool(void)
{
	unsigned char value;
	__byway_symbolic(&value, sizeof value, "bool");
	__byway_assume(value <= 1);
	return value;
}

void __VERIFIER_nondet_memory(void *object, size_t size)
{
	__byway_symbolic(object, size, "memory");
}

void __VERIFIER_assume(int condition)
{
	__byway_assume(condition != 0);
}

/* Most programs define these themselves, which overrides these. */

_Noreturn void __VERIFIER_error(void)
{
	__byway_report("__VERIFIER_error was called", 0, 0);
}

_Noreturn void reach_error(void)
{
	__byway_report("reach_error was called", 0, 0);
}

/* There is one thread. */

void __VERIFIER_atomic_begin(void)
{
}

void __VERIFIER_atomic_end(void)
{
}
