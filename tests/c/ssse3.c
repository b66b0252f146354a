// SSE3 and SSSE3 intrinsics: horizontal adds, addsub, byte shuffle, sign, rounded multiply, alignr.
// flags: -mssse3
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tmmintrin.h>

static void show(const char *what, __m128i v) {
    uint64_t w[2];
    memcpy(w, &v, 16);
    printf("%s %016llx%016llx\n", what, (unsigned long long)w[1], (unsigned long long)w[0]);
}
#define SHOW(F) show(#F, F(a, b))

__attribute__((noinline)) static void ints(__m128i a, __m128i b) {
    SHOW(_mm_hadd_epi16), SHOW(_mm_hadd_epi32), SHOW(_mm_hadds_epi16);
    SHOW(_mm_hsub_epi16), SHOW(_mm_hsub_epi32), SHOW(_mm_hsubs_epi16);
    SHOW(_mm_maddubs_epi16), SHOW(_mm_mulhrs_epi16), SHOW(_mm_shuffle_epi8);
    SHOW(_mm_sign_epi8), SHOW(_mm_sign_epi16), SHOW(_mm_sign_epi32);
    show("abs", _mm_xor_si128(_mm_abs_epi8(a), _mm_xor_si128(_mm_abs_epi16(b), _mm_abs_epi32(a))));
    show("alignr", _mm_alignr_epi8(a, b, 5));
    show("lddqu", _mm_lddqu_si128((const __m128i *)"an unaligned run of bytes" + 0));
}
__attribute__((noinline)) static void floats(__m128 a, __m128 b) {
    show("hadd", _mm_castps_si128(_mm_hadd_ps(a, b)));
    show("hsub", _mm_castps_si128(_mm_hsub_ps(a, b)));
    show("addsub", _mm_castps_si128(_mm_addsub_ps(a, b)));
    show("movehdup", _mm_castps_si128(_mm_movehdup_ps(a)));
}
__attribute__((noinline)) static void doubles(__m128d a, __m128d b) {
    show("hadd", _mm_castpd_si128(_mm_hadd_pd(a, b)));
    show("hsub", _mm_castpd_si128(_mm_hsub_pd(a, b)));
    show("addsub", _mm_castpd_si128(_mm_addsub_pd(a, b)));
}

int main(void) {
    __m128i v[] = {_mm_set_epi64x(0x0123456789abcdef, (long long)0xfedcba9876543210u), _mm_set1_epi16(-32768), _mm_set1_epi8(127),
                   _mm_set_epi32(1, -1, 100000, -100000), _mm_setzero_si128(), _mm_set_epi16(1, 2, -3, 4, 300, -300, 32767, -32768),
                   _mm_setr_epi8(15, 14, -1, 12, 0, 1, 2, 3, -128, 4, 20, 31, 16, 5, 6, 7)};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            ints(v[i], v[j]);
    floats(_mm_setr_ps(1, 2.5f, -3, 1e10f), _mm_setr_ps(0.1f, 0.2f, 7, -8));
    doubles(_mm_setr_pd(1.5, 1e300), _mm_setr_pd(-0.1, 3));
    return 0;
}
