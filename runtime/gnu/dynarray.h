/* The internal functions of glibc's arrays under glibc's names. gnulib's header would rename
 * them to names that a program with its own copy of gnulib defines, too. */

#include <malloc/dynarray.h>
