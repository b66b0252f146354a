// SSE4.1 and SSE4.2: blends, tests, rounding, dot products, insertps, minimum position, crc32.
// flags: -msse4.2
#include <nmmintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, __m128i v) {
    uint64_t w[2];
    memcpy(w, &v, 16);
    printf("%s %016llx%016llx\n", what, (unsigned long long)w[1], (unsigned long long)w[0]);
}
#define SHOW(F) show(#F, F(a, b))

__attribute__((noinline)) static void ints(__m128i a, __m128i b) {
    SHOW(_mm_packus_epi32), SHOW(_mm_min_epi8), SHOW(_mm_max_epi8), SHOW(_mm_min_epu16), SHOW(_mm_max_epu32), SHOW(_mm_min_epi32);
    SHOW(_mm_mul_epi32), SHOW(_mm_mullo_epi32), SHOW(_mm_cmpeq_epi64), SHOW(_mm_cmpgt_epi64);
    show("blendv", _mm_blendv_epi8(a, b, _mm_xor_si128(a, _mm_slli_epi16(b, 3))));
    show("blend", _mm_blend_epi16(a, b, 0x5a));
    show("mpsadbw", _mm_mpsadbw_epu8(a, b, 6));
    show("minpos", _mm_minpos_epu16(a));
    show("cvtsx", _mm_add_epi16(_mm_cvtepi8_epi16(a), _mm_cvtepu8_epi16(b)));
    show("cvtzx", _mm_add_epi64(_mm_cvtepi32_epi64(a), _mm_cvtepu8_epi64(b)));
    printf("%d%d%d %d\n", _mm_testz_si128(a, b), _mm_testc_si128(a, b), _mm_testnzc_si128(a, b), _mm_extract_epi8(a, 9));
}
__attribute__((noinline)) static void floats(__m128 a, __m128 b) {
    show("floor", _mm_castps_si128(_mm_floor_ps(a))), show("ceil", _mm_castps_si128(_mm_ceil_ps(a)));
    show("nearest", _mm_castps_si128(_mm_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)));
    show("zero", _mm_castps_si128(_mm_round_ps(a, _MM_FROUND_TO_ZERO)));
    show("current", _mm_castps_si128(_mm_round_ss(a, b, _MM_FROUND_CUR_DIRECTION)));
    show("dp", _mm_castps_si128(_mm_dp_ps(a, b, 0xb5))), show("insert", _mm_castps_si128(_mm_insert_ps(a, b, 0x98)));
    show("blendv", _mm_castps_si128(_mm_blendv_ps(a, b, _mm_sub_ps(a, b)))), show("blend", _mm_castps_si128(_mm_blend_ps(a, b, 6)));
}
__attribute__((noinline)) static void doubles(__m128d a, __m128d b) {
    show("floor", _mm_castpd_si128(_mm_floor_sd(a, b))), show("ceil", _mm_castpd_si128(_mm_ceil_pd(b)));
    show("dp", _mm_castpd_si128(_mm_dp_pd(a, b, 0x31))), show("blendv", _mm_castpd_si128(_mm_blendv_pd(a, b, b)));
}

int main(void) {
    __m128i v[] = {_mm_set_epi64x(0x0123456789abcdef, (long long)0xfedcba9876543210u), _mm_set1_epi16(-32768), _mm_set1_epi8(127),
                   _mm_set_epi32(70000, -1, 100000, -100000), _mm_setzero_si128(), _mm_set_epi16(1, 2, -3, 4, 300, -300, 32767, -32768)};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            ints(v[i], v[j]);
    floats(_mm_setr_ps(1.5f, -2.5f, 3.25f, -0.5f), _mm_setr_ps(0.1f, 12.75f, -7.5f, 8));
    doubles(_mm_setr_pd(1.5, 1e300), _mm_setr_pd(-0.1, 3.75));
    uint32_t crc = ~0u;
    uint64_t wide = ~0u;
    for (uint64_t x = 1; x < 1000; x = x * 7 + 3) {
        crc = _mm_crc32_u8(crc, (uint8_t)x), crc = _mm_crc32_u16(crc, (uint16_t)(x * 31)), crc = _mm_crc32_u32(crc, (uint32_t)(x * 77777));
        wide = _mm_crc32_u64(wide, x * 0x123456789abcdefu);
        printf("%08x %08llx\n", crc, (unsigned long long)wide);
    }
    return 0;
}
