/* Names that programs bring themselves and that are taken from here all the same.
 *
 * Portability libraries (gnulib) define what a C library lacks, and read whole words
 * past the end of the object, because no processor minds. The engine would rightly
 * call that a fault, at a line nobody cares about. So the linker drops the program's
 * definition of NAME where there is a __byway_replaces_NAME; what stands in for it is
 * found among the runtime's and the C library's definitions, and does the same. */

#define REPLACES(name) const char __byway_replaces_##name = 1

REPLACES(rawmemchr);
REPLACES(strchrnul);
