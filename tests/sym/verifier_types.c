// Inputs of every type, through the interface of the verification competition.
// paths: 16
// exits: 15
// faults: reported@84
// inputs: bool char uchar short ushort int uint long ulong longlong ulonglong float double size_t pointer u8 u16 u32 u64
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
unsigned long __VERIFIER_nondet_size_t(void);
void *__VERIFIER_nondet_pointer(void);
unsigned char __VERIFIER_nondet_u8(void);
unsigned short __VERIFIER_nondet_u16(void);
unsigned __VERIFIER_nondet_u32(void);
unsigned long __VERIFIER_nondet_u64(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void)
{
    _Bool b = __VERIFIER_nondet_bool();
    char c = __VERIFIER_nondet_char();
    unsigned char uc = __VERIFIER_nondet_uchar();
    short s = __VERIFIER_nondet_short();
    unsigned short us = __VERIFIER_nondet_ushort();
    int i = __VERIFIER_nondet_int();
    unsigned ui = __VERIFIER_nondet_uint();
    long l = __VERIFIER_nondet_long();
    unsigned long ul = __VERIFIER_nondet_ulong();
    long long ll = __VERIFIER_nondet_longlong();
    unsigned long long ull = __VERIFIER_nondet_ulonglong();
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    unsigned long size = __VERIFIER_nondet_size_t();
    void *pointer = __VERIFIER_nondet_pointer();
    __VERIFIER_assume(__VERIFIER_nondet_u8() + __VERIFIER_nondet_u16() == 3);
    __VERIFIER_assume(__VERIFIER_nondet_u32() < __VERIFIER_nondet_u64());
    __VERIFIER_atomic_begin();
    int truth = b;
    __VERIFIER_atomic_end();
    if (truth != 0 && truth != 1)
        return 99;
    if (truth)
        return 1;
    if (c == -100)
        return 2;
    if (uc == 200)
        return 3;
    if (s == -30000)
        return 4;
    if (us == 60000)
        return 5;
    if (i == -2000000000)
        return 6;
    if (ui == 4000000000u)
        return 7;
    if (l == -5000000000l)
        return 8;
    if (ul == 18000000000000000000ul)
        return 9;
    if (ll == 1ll << 62)
        return 10;
    if (ull == ~0ull)
        return 11;
    if (f == 0.5f)
        return 12;
    if (d == 1e100)
        return 13;
    if (size == 123456789012345ul)
        return 14;
    if (!pointer)
        return 15;
    __VERIFIER_error();
    return 0;
}
