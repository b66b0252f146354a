// SSE and SSE2 float intrinsics: min, max, cmp, comi, movmsk, conversions, the processor's NaN rules.
#include <emmintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(__m128 v) {
    uint32_t w[4];
    memcpy(w, &v, 16);
    printf("%08x %08x %08x %08x\n", w[0], w[1], w[2], w[3]);
}
static void showd(__m128d v) {
    uint64_t w[2];
    memcpy(w, &v, 16);
    printf("%016llx %016llx\n", (unsigned long long)w[0], (unsigned long long)w[1]);
}
static void showi(__m128i v) {
    int32_t w[4];
    memcpy(w, &v, 16);
    printf("%d %d %d %d\n", w[0], w[1], w[2], w[3]);
}

__attribute__((noinline)) static void packed(__m128 a, __m128 b) {
    show(_mm_min_ps(a, b)), show(_mm_max_ps(a, b)), show(_mm_min_ss(a, b)), show(_mm_max_ss(a, b));
    show(_mm_cmpeq_ps(a, b)), show(_mm_cmplt_ps(a, b)), show(_mm_cmple_ps(a, b)), show(_mm_cmpunord_ps(a, b));
    show(_mm_cmpneq_ps(a, b)), show(_mm_cmpnlt_ps(a, b)), show(_mm_cmpnle_ps(a, b)), show(_mm_cmpord_ps(a, b));
    show(_mm_cmpgt_ss(a, b)), show(_mm_cmpunord_ss(a, b)), show(_mm_cmpneq_ss(a, b));
    printf("%x", _mm_movemask_ps(a));
    printf(" %d%d%d%d%d%d", _mm_comieq_ss(a, b), _mm_comilt_ss(a, b), _mm_comile_ss(a, b), _mm_comigt_ss(a, b),
           _mm_comige_ss(a, b), _mm_comineq_ss(a, b));
    printf(" %d%d%d%d%d%d\n", _mm_ucomieq_ss(a, b), _mm_ucomilt_ss(a, b), _mm_ucomile_ss(a, b), _mm_ucomigt_ss(a, b),
           _mm_ucomige_ss(a, b), _mm_ucomineq_ss(a, b));
    showi(_mm_cvtps_epi32(a)), showi(_mm_cvttps_epi32(b));
    printf("%d %d %lld %lld\n", _mm_cvtss_si32(a), _mm_cvttss_si32(b), (long long)_mm_cvtss_si64(b), (long long)_mm_cvttss_si64(a));
    show(_mm_unpacklo_ps(a, b)), show(_mm_shuffle_ps(a, b, 0x1b)), show(_mm_andnot_ps(a, b));
    showd(_mm_cvtps_pd(b));
}
__attribute__((noinline)) static void doubles(__m128d a, __m128d b) {
    showd(_mm_min_pd(a, b)), showd(_mm_max_pd(a, b)), showd(_mm_min_sd(a, b)), showd(_mm_max_sd(a, b));
    showd(_mm_cmplt_pd(a, b)), showd(_mm_cmpunord_pd(a, b)), showd(_mm_cmpnle_sd(a, b)), showd(_mm_cmpord_sd(a, b));
    printf("%x", _mm_movemask_pd(a));
    printf(" %d%d%d%d%d%d", _mm_comieq_sd(a, b), _mm_comilt_sd(a, b), _mm_comile_sd(a, b), _mm_comigt_sd(a, b),
           _mm_comige_sd(a, b), _mm_comineq_sd(a, b));
    printf(" %d%d%d%d%d%d\n", _mm_ucomieq_sd(a, b), _mm_ucomilt_sd(a, b), _mm_ucomile_sd(a, b), _mm_ucomigt_sd(a, b),
           _mm_ucomige_sd(a, b), _mm_ucomineq_sd(a, b));
    showi(_mm_cvtpd_epi32(a)), showi(_mm_cvttpd_epi32(b));
    printf("%d %d %lld %lld\n", _mm_cvtsd_si32(a), _mm_cvttsd_si32(b), (long long)_mm_cvtsd_si64(b), (long long)_mm_cvttsd_si64(a));
    show(_mm_cvtpd_ps(a)), show(_mm_cvtsd_ss(_mm_set1_ps(9), b)), showd(_mm_sqrt_pd(_mm_and_pd(a, b)));
}

int main(void) {
    volatile float nan = NAN, infinity = INFINITY;
    __m128 a = _mm_setr_ps(1.5f, -2.5f, 0.0f, 1e10f), b = _mm_setr_ps(2.5f, -2.5f, -0.0f, -7.75f);
    __m128 c = _mm_setr_ps(nan, 1, infinity, -3), d = _mm_setr_ps(1, nan, -infinity, 0.5f);
    packed(a, b), packed(b, a), packed(c, d), packed(d, c), packed(a, c);
    __m128d e = _mm_setr_pd(1.5, -3e9), f = _mm_setr_pd(-0.5, 2.5), g = _mm_setr_pd(nan, infinity), h = _mm_setr_pd(0.0, -0.0);
    doubles(e, f), doubles(f, e), doubles(g, e), doubles(f, g), doubles(h, _mm_sub_pd(f, f));
    _mm_pause(), _mm_lfence(), _mm_mfence(), _mm_sfence();
    printf("%x\n", _mm_getcsr() & 0xffc0);
    showi(_mm_castps_si128(_mm_cvtepi32_ps(_mm_setr_epi32(1, -2, 16777217, INT32_MIN))));
    return 0;
}
