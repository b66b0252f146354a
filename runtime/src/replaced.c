/* Functions whose definitions in a program are replaced.
 *
 * Portability libraries (gnulib) define functions that a C library may lack, and read
 * whole words past the end of an object, which no processor detects. The engine would
 * correctly report a fault, at a line of no interest to the user. So the linker drops the
 * program's definition of NAME if there is a __byway_replaces_NAME, and uses the
 * definition in the runtime or the C library, which has the same semantics. */

#define REPLACES(name) const char __byway_replaces_##name = 1

REPLACES(rawmemchr);
REPLACES(strchrnul);
