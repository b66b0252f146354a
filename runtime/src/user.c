/* The functions of byway.h. */

#include <byway.h>
#include "engine.h"

void byway_unsupported(const char *what)
{
	__byway_unsupported(what);
}

void byway_warn(const char *what)
{
	__byway_warn(what);
}
