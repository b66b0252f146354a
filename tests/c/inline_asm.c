// Inline assembly of the kind found in arithmetic libraries: double words, carries, searches
// for bits, rotations, with operands in registers, memory and constants.
#include <stdint.h>
#include <stdio.h>

static const uint64_t samples[] = {
    0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x8000, 0xffff, 0x12345678, 0x7fffffff, 0x80000000,
    0xffffffff, 0x123456789abcdef0, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffe,
    0xffffffffffffffff,
};
#define COUNT (sizeof samples / sizeof *samples)

static void double_words(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    uint64_t high, low;
    __asm__("addq %5,%q1\n\tadcq %3,%q0"
            : "=r"(high), "=&r"(low)
            : "%0"(a), "rme"(b), "%1"(c), "rme"(d)
            : "cc");
    printf("%lx:%lx ", high, low);
    __asm__("subq %5,%q1\n\tsbbq %3,%q0"
            : "=r"(high), "=&r"(low)
            : "0"(a), "rme"(b), "1"(c), "rme"(d)
            : "cc");
    printf("%lx:%lx ", high, low);
    __asm__("mulq %3" : "=a"(low), "=d"(high) : "%0"(a), "rm"(b) : "cc");
    printf("%lx:%lx ", high, low);
    int64_t signed_high;
    __asm__("imulq %3" : "=a"(low), "=d"(signed_high) : "0"(a), "rm"(b) : "cc");
    printf("%lx:%lx ", signed_high, low);
    if (b != 0) {
        uint64_t quotient, remainder;
        __asm__("divq %4"
                : "=a"(quotient), "=d"(remainder)
                : "0"(c), "1"(a % b), "rm"(b)
                : "cc");
        printf("%lu %lu ", quotient, remainder);
        int32_t small = (int32_t)a, divisor = (int32_t)(b | 1), rest;
        if (divisor != -1) {
            __asm__("cltd; idivl %2" : "+a"(small), "=&d"(rest) : "r"(divisor) : "cc");
            printf("%d %d ", small, rest);
        }
    }
    printf("\n");
}

static void bits(uint64_t value) {
    uint64_t found = 77;
    __asm__("bsf\t%1, %q0" : "+r"(found) : "rm"(value) : "cc");
    printf("%lu ", found);
    uint32_t last = 88;
    __asm__("bsrl %1, %0" : "+r"(last) : "r"((uint32_t)value) : "cc");
    printf("%u ", last);
    uint64_t swapped = value;
    __asm__("bswap %0" : "+r"(swapped));
    uint32_t half = (uint32_t)value;
    __asm__("bswapl %0" : "+r"(half));
    uint16_t word = (uint16_t)value;
    __asm__("xchgb %b0, %h0" : "+Q"(word));
    printf("%lx %x %x ", swapped, half, word);
    unsigned char carry;
    __asm__("btq $5, %1; setc %0" : "=q"(carry) : "r"(value) : "cc");
    uint64_t changed = value;
    __asm__("btsq %1, %0; btrq $0, %0; btcq $63, %0" : "+r"(changed) : "r"(value & 63) : "cc");
    printf("%d %lx\n", carry, changed);
}

static void shifts(uint64_t value, uint64_t other, unsigned char by) {
    uint64_t left = value, right = value;
    __asm__("shldq %b2, %1, %0" : "+r"(left) : "r"(other), "c"(by) : "cc");
    __asm__("shrdq $13, %1, %0" : "+r"(right) : "r"(other) : "cc");
    printf("%lx %lx ", left, right);
    uint32_t a = (uint32_t)value, b = a, c = a, d = a;
    int32_t e = (int32_t)a;
    __asm__("roll %1, %0" : "+r"(a) : "cI"(by) : "cc");
    __asm__("rorl $7, %0" : "+r"(b) : : "cc");
    __asm__("shll %%cl, %0" : "+r"(c) : "c"(by) : "cc");
    __asm__("shrl %0" : "+r"(d) : : "cc");
    __asm__("sarl %b1, %0" : "+r"(e) : "c"(by) : "cc");
    uint16_t f = (uint16_t)value, g = f;
    __asm__("rolw $3, %0; rorw $8, %1" : "+r"(f), "+r"(g) : : "cc");
    unsigned char h = (unsigned char)value;
    signed char i = (signed char)value;
    __asm__("shlb %%cl, %0; sarb %%cl, %1" : "+q"(h), "+q"(i) : "c"(by) : "cc");
    printf("%x %x %x %x %d %x %x %x %d\n", a, b, c, d, e, f, g, h, i);
}

static void conditions(uint32_t a, uint32_t b) {
    unsigned char set[12];
    __asm__("cmpl %13, %12; seto %0; setb %1; sete %2; setbe %3; sets %4; setl %5\n\t"
            "setle %6; setno %7; setae %8; setne %9; seta %10; setg %11"
            : "=m"(set[0]), "=m"(set[1]), "=m"(set[2]), "=m"(set[3]), "=m"(set[4]), "=m"(set[5]),
              "=m"(set[6]), "=m"(set[7]), "=m"(set[8]), "=m"(set[9]), "=m"(set[10]), "=m"(set[11])
            : "r"(a), "r"(b)
            : "cc");
    for (int n = 0; n < 12; n++)
        printf("%d", set[n]);
    int below, zero, overflow;
    uint32_t sum = a;
    __asm__("addl %4, %3" : "=@ccc"(below), "=@ccz"(zero), "=@cco"(overflow), "+r"(sum) : "r"(b));
    printf(" %u %d %d %d", sum, below, zero, overflow);
    uint32_t least = a;
    __asm__("cmpl %1, %0; cmovgl %1, %0" : "+r"(least) : "r"(b) : "cc");
    uint64_t wide = a;
    __asm__("testl %k1, %k0; cmovsq %1, %0" : "+r"(wide) : "r"((uint64_t)b) : "cc");
    uint32_t carried = a;
    __asm__("shrl $1, %0; adcl $0, %0; incl %0; negl %0; notl %0; decl %0" : "+r"(carried) : : "cc");
    printf(" %u %lu %u\n", least, wide, carried);
}

static void extensions(uint64_t value) {
    uint64_t a, b, c, e;
    uint32_t d;
    __asm__("movzbl %b1, %k0" : "=r"(a) : "q"(value));
    __asm__("movsbq %b1, %0" : "=r"(b) : "q"(value));
    __asm__("movslq %k1, %0" : "=r"(c) : "r"(value));
    __asm__("movzwl %w1, %0" : "=r"(d) : "r"(value));
    e = value;
    __asm__("movb $0x5a, %b0; movw $-2, %w0" : "+q"(e));
    printf("%lx %lx %lx %x %lx ", a, b, c, d, e);
    uint64_t moved;
    __asm__("movl %k1, %k0" : "=r"(moved) : "r"(value));
    uint64_t constant;
    __asm__("movabsq $0x123456789abcdef0, %0; addq %1, %0" : "=r"(constant) : "n"(-16));
    int64_t spread = (int64_t)value, sign;
    __asm__("cqto" : "=d"(sign), "+a"(spread));
    printf("%lx %lx %ld\n", moved, constant, sign);
}

static void memory(void) {
    uint32_t table[4] = {10, 20, 30, 40};
    uint64_t index = 2;
    uint32_t got;
    __asm__("movl (%1,%2,4), %0" : "=r"(got) : "r"(table), "r"(index) : "memory");
    __asm__("addl $5, 4(%0); incl %c1(%0)" : : "r"(table), "i"(12) : "memory", "cc");
    __asm__("lock; xaddl %0, %1" : "+r"(got), "+m"(table[0]) : : "memory", "cc");
    uint64_t place;
    __asm__("leaq 8(%1,%2,2), %0" : "=r"(place) : "r"((uint64_t)100), "r"(index));
    printf("%u %u %u %u %u %lu\n", got, table[0], table[1], table[2], table[3], place);

    unsigned char done;
    uint32_t expected = 40;
    __asm__("lock cmpxchgl %3, %1; sete %0"
            : "=q"(done), "+m"(table[0]), "+a"(expected)
            : "r"(99)
            : "memory", "cc");
    printf("%d %u %u\n", done, table[0], expected);
    expected = 1;
    __asm__("lock; cmpxchgl %3, %1\n\tsete %0"
            : "=q"(done), "+m"(table[0]), "+a"(expected)
            : "r"(7)
            : "memory", "cc");
    printf("%d %u %u\n", done, table[0], expected);
    uint64_t swap = 5;
    __asm__ volatile("xchgq %0, %1" : "+r"(swap), "+m"(index) : : "memory");
    printf("%lu %lu\n", swap, index);
    __asm__ volatile("mfence; rep; nop # wait\n\tpause" : : : "memory");
}

int main(void) {
    for (unsigned n = 0; n < COUNT; n++) {
        uint64_t a = samples[n], b = samples[(n * 7 + 3) % COUNT];
        double_words(a, b, samples[(n * 5 + 1) % COUNT], samples[(n * 3 + 2) % COUNT]);
        bits(a);
        shifts(a, b, (unsigned char)(n * 11));
        extensions(a);
        for (unsigned m = 0; m < COUNT; m++)
            conditions((uint32_t)a, (uint32_t)samples[m]);
    }
    memory();
    return 0;
}
