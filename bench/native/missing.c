/* What compiled code may ask for and the native musl does not have. */

/* Functions of C23. The default rounding mode is the one they ask for. */
float roundevenf(float x) { return __builtin_rintf(x); }
double roundeven(double x) { return __builtin_rint(x); }
long double roundevenl(long double x) { return __builtin_rintl(x); }

/* GCC's unwinder asks glibc's loader first; told that it knows nothing, it looks
 * for itself. */
int _dl_find_object(void *address, void *result) {
  (void)address, (void)result;
  return -1;
}
