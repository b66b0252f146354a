// Labels as values: a threaded interpreter, label differences in a table, labels passed around.
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, SWAP, JNZ, DEC, PRINT, HALT };

__attribute__((noinline)) static int run(const int *code) {
    static const void *const labels[] = {&&push, &&add, &&mul, &&dup, &&swap, &&jnz, &&dec, &&print, &&halt};
    int stack[32], *sp = stack, t;
    const int *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += sp[0]; NEXT;
mul: sp--; sp[-1] *= sp[0]; NEXT;
dup: *sp = sp[-1]; sp++; NEXT;
swap: t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; NEXT;
jnz: t = *pc++; if (sp[-1]) pc += t; NEXT;
dec: sp[-1]--; NEXT;
print: printf("%d ", sp[-1]); NEXT;
halt: printf("\n"); return (int)(sp - stack);
}

__attribute__((noinline)) static int relative(int n) {
    static const int offsets[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero};
    int r = 0;
    while (n > 0) {
        goto *(&&zero + offsets[n % 3]);
    zero: r += 1; n--; continue;
    one: r += 10; n -= 2; continue;
    two: r += 100; n--; continue;
    }
    return r;
}

__attribute__((noinline)) static int state_machine(const char *s) {
    void *state = &&outside;
    int words = 0;
    for (; *s; s++) {
        goto *state;
    outside:
        if (*s != ' ') {
            words++;
            state = &&inside;
        }
        continue;
    inside:
        if (*s == ' ')
            state = &&outside;
    }
    return words;
}

int main(void) {
    static const int doubling[] = {PUSH, 1, PUSH, 10, SWAP, DUP, ADD, PRINT, SWAP, DEC, JNZ, -8, HALT};
    static const int squares[] = {PUSH, 5, DUP, DUP, MUL, PRINT, PUSH, 0, MUL, ADD, DEC, JNZ, -11, HALT};
    printf("%d\n", run(doubling));
    printf("%d\n", run(squares));
    for (int i = 0; i < 10; i++)
        printf("%d ", relative(i * 3 + 1));
    printf("\n%d\n", state_machine("  how many words  are there? "));
    return 0;
}
