// SSE2 integer intrinsics: saturating packs, multiplies, shifts of all kinds, averages, sums, masks.
#include <emmintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, __m128i v) {
    uint64_t w[2];
    memcpy(w, &v, 16);
    printf("%s %016llx%016llx\n", what, (unsigned long long)w[1], (unsigned long long)w[0]);
}
#define SHOW(F) show(#F, F(a, b))

__attribute__((noinline)) static void all(__m128i a, __m128i b) {
    SHOW(_mm_packs_epi16), SHOW(_mm_packs_epi32), SHOW(_mm_packus_epi16);
    SHOW(_mm_madd_epi16), SHOW(_mm_mulhi_epi16), SHOW(_mm_mulhi_epu16), SHOW(_mm_mullo_epi16), SHOW(_mm_mul_epu32);
    SHOW(_mm_sad_epu8), SHOW(_mm_avg_epu8), SHOW(_mm_avg_epu16);
    SHOW(_mm_adds_epi8), SHOW(_mm_adds_epi16), SHOW(_mm_adds_epu8), SHOW(_mm_adds_epu16);
    SHOW(_mm_subs_epi8), SHOW(_mm_subs_epi16), SHOW(_mm_subs_epu8), SHOW(_mm_subs_epu16);
    SHOW(_mm_min_epi16), SHOW(_mm_max_epi16), SHOW(_mm_min_epu8), SHOW(_mm_max_epu8);
    SHOW(_mm_cmpeq_epi8), SHOW(_mm_cmpgt_epi16), SHOW(_mm_cmplt_epi32), SHOW(_mm_andnot_si128);
    SHOW(_mm_unpacklo_epi8), SHOW(_mm_unpackhi_epi16), SHOW(_mm_unpacklo_epi32), SHOW(_mm_unpackhi_epi64);
    show("slli", _mm_xor_si128(_mm_slli_epi16(a, 3), _mm_slli_epi32(b, 31)));
    show("slli64", _mm_slli_epi64(a, 17));
    show("srli", _mm_xor_si128(_mm_srli_epi16(a, 15), _mm_srli_epi32(b, 7)));
    show("srli64", _mm_srli_epi64(a, 63));
    show("srai", _mm_xor_si128(_mm_srai_epi16(a, 5), _mm_srai_epi32(b, 30)));
    show("slli over", _mm_or_si128(_mm_slli_epi16(a, 16), _mm_srli_epi32(a, 32)));
    show("srai over", _mm_srai_epi16(a, 99));
    show("bytes", _mm_xor_si128(_mm_slli_si128(a, 5), _mm_srli_si128(b, 3)));
    show("shuffle", _mm_xor_si128(_mm_shuffle_epi32(a, 0x1b), _mm_shufflelo_epi16(b, 0x39)));
    printf("%04x %d\n", (unsigned)_mm_movemask_epi8(a), _mm_extract_epi16(b, 5));
    show("insert", _mm_insert_epi16(a, 0x1234, 2));
}
__attribute__((noinline)) static void by_amount(__m128i a, long long n) {
    __m128i c = _mm_set_epi64x(-1, n);
    show("sll16", _mm_sll_epi16(a, c)), show("sll32", _mm_sll_epi32(a, c)), show("sll64", _mm_sll_epi64(a, c));
    show("srl16", _mm_srl_epi16(a, c)), show("srl32", _mm_srl_epi32(a, c)), show("srl64", _mm_srl_epi64(a, c));
    show("sra16", _mm_sra_epi16(a, c)), show("sra32", _mm_sra_epi32(a, c));
}
__attribute__((noinline)) static void variable(__m128i a, int n) {
    show("vslli", _mm_slli_epi16(a, n)), show("vsrli", _mm_srli_epi32(a, n)), show("vsrai", _mm_srai_epi32(a, n));
}

int main(void) {
    __m128i v[] = {_mm_set_epi64x(0x0123456789abcdef, (long long)0xfedcba9876543210u), _mm_set1_epi16(-32768), _mm_set1_epi8(127),
                   _mm_set_epi32(1, -1, 100000, -100000), _mm_setzero_si128(), _mm_set_epi16(1, 2, -3, 4, 300, -300, 32767, -32768)};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            all(v[i], v[j]);
    static const long long amounts[] = {0, 1, 7, 15, 16, 31, 32, 63, 64, 1000, -1};
    for (unsigned i = 0; i < sizeof amounts / sizeof *amounts; i++)
        by_amount(v[0], amounts[i]), variable(v[0], (int)amounts[i]);
    unsigned char out[16];
    memset(out, '.', 16);
    _mm_maskmoveu_si128(_mm_set1_epi8('x'), v[0], (char *)out);
    printf("%.16s\n", (char *)out);
    return 0;
}
