/* The floating-point environment. Only the program itself raises exception
 * flags; arithmetic does not. The engine rounds to nearest, so other rounding
 * modes are rejected, as the C standard allows. */

#include <fenv.h>
#include <string.h>
#include "engine.h"
#include "features.h"

static int raised;

int feclearexcept(int mask)
{
	raised &= ~mask;
	return 0;
}

int feraiseexcept(int mask)
{
	raised |= mask & FE_ALL_EXCEPT;
	return 0;
}

int fetestexcept(int mask)
{
	return raised & mask;
}

int fegetround(void)
{
	return FE_TONEAREST;
}

hidden int __fesetround(int mode)
{
	if (mode == FE_TONEAREST) return 0;
	__byway_warn("fesetround: a mode other than to nearest");
	return -1;
}

int fegetenv(fenv_t *environment)
{
	memset(environment, 0, sizeof *environment);
	environment->__status_word = raised;
	return 0;
}

int fesetenv(const fenv_t *environment)
{
	raised = environment == FE_DFL_ENV ? 0 : environment->__status_word & FE_ALL_EXCEPT;
	return 0;
}
