/* KLEE's interface, so that programs written for it run unchanged. byway.h has
 * the same functions under Byway's own names, with their documentation;
 * docs/intrinsics.md lists the differences from KLEE. */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define KLEE_NO_ARGUMENTS
#else
#define KLEE_NO_ARGUMENTS void
#endif

#define KLEE_NEVER_RETURNS __attribute__((__noreturn__))

/* Input */
void klee_make_symbolic(void *object, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
uintptr_t klee_choose(uintptr_t count);

/* Assumptions */
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* Ends of a path */
void klee_silent_exit(int status) KLEE_NEVER_RETURNS;
void klee_abort(KLEE_NO_ARGUMENTS) KLEE_NEVER_RETURNS;
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
	KLEE_NEVER_RETURNS;

/* A label, because C libraries disagree about the type of a line number. */
void klee_assertion_failed(const char *expression, const char *file, unsigned line,
	const char *function) __asm__("__assert_fail") KLEE_NEVER_RETURNS;

#define klee_assert(expression)                                                        \
	((expression) ? (void)0                                                        \
		      : klee_assertion_failed(#expression, __FILE__, __LINE__, __func__))

/* Inspection: possible values of each type; memory; the run */
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
unsigned klee_is_symbolic(uintptr_t value);
size_t klee_get_obj_size(void *object);
void klee_check_memory_access(const void *pointer, size_t size);
unsigned klee_is_replay(KLEE_NO_ARGUMENTS);
int klee_get_errno(KLEE_NO_ARGUMENTS);

/* Messages for the user */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(KLEE_NO_ARGUMENTS);

/* Control of the exploration */
void klee_set_forking(unsigned enable);
void klee_define_fixed_object(void *address, size_t size);
void klee_open_merge(KLEE_NO_ARGUMENTS);
void klee_close_merge(KLEE_NO_ARGUMENTS);
void klee_mark_global(void *object);
void klee_alias_function(const char *name, const char *stands_for);
void klee_alias_function_undo(const char *name);

#undef KLEE_NO_ARGUMENTS
#undef KLEE_NEVER_RETURNS

#ifdef __cplusplus
}
#endif

#endif
