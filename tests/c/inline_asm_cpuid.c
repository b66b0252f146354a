// Queries of processor features, by which programs choose an implementation. Features that
// every x86-64 processor has are printed; the others are only queried.
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned int a = 0, b = 0, c = 0, d = 0;
    printf("%d\n", __get_cpuid(1, &a, &b, &c, &d));
    printf("%d %d %d\n", (d & bit_SSE2) != 0, (d & bit_CMOV) != 0, (d & bit_CMPXCHG8B) != 0);
    printf("%d\n", __get_cpuid_max(0x80000000, NULL) >= 0x80000001);
    char maker[13] = "";
    __cpuid(0, a, b, c, d);
    memcpy(maker, &b, 4);
    memcpy(maker + 4, &d, 4);
    memcpy(maker + 8, &c, 4);
    printf("%zu\n", strlen(maker));
    __get_cpuid_count(7, 0, &a, &b, &c, &d);
    return 0;
}
