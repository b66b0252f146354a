/* Functions of C23 that clang may call and the native musl does not have yet. The
 * default rounding mode is the one they ask for. */
float roundevenf(float x) { return __builtin_rintf(x); }
double roundeven(double x) { return __builtin_rint(x); }
long double roundevenl(long double x) { return __builtin_rintl(x); }
