// A program of the competition without its own reach_error: the call is reported.
// paths: 4
// exit-codes: 0 1
// faults: reported@14
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a > 1000 || b > 1000)
        return 1;
    if (a * b == 997 * 991)
        reach_error();
    return 0;
}
