/* Distances, and what the code of a scoring function (src/score/language/source.c), which stands
 * behind this file, asks for. */

/* x86's estimate of 1 / √x, 12 to 14 bits, where the compiler has it. */
#ifdef __has_builtin
#if BERTH_VECTOR_WIDTH == 16 && defined(__AVX512F__) &&                                            \
    __has_builtin(__builtin_ia32_rsqrt14ps512_mask)
#define INVERSE_ROOT_ESTIMATE(x) __builtin_ia32_rsqrt14ps512_mask(x, (vector)(0), (ushort)0xffff)
#elif BERTH_VECTOR_WIDTH == 8 && defined(__AVX__) && __has_builtin(__builtin_ia32_rsqrtps256)
#define INVERSE_ROOT_ESTIMATE(x) __builtin_ia32_rsqrtps256(x)
#elif BERTH_VECTOR_WIDTH == 4 && defined(__SSE__) && __has_builtin(__builtin_ia32_rsqrtps)
#define INVERSE_ROOT_ESTIMATE(x) __builtin_ia32_rsqrtps(x)
#endif
#endif
#if BERTH_SQRT == 2 && defined(INVERSE_ROOT_ESTIMATE)
#define ESTIMATE INVERSE_ROOT_ESTIMATE
#endif

/* Loops over runs work on ROOT_SCALE times the distance in Å. */
#if defined(ESTIMATE) && !(defined(BERTH_INVERTED) && BERTH_INVERTED)
#define ROOT_SCALE 2
#else
#define ROOT_SCALE 1
#endif

/* PTX has no vectors; and in CUDA the native square root is PTX's. */
#if BERTH_VECTOR_WIDTH > 1 || defined(__cplusplus)
#define NATIVE_IS_PTX 1
#else
#define NATIVE_IS_PTX 0
#endif

/* ROOT_SCALE √square. */
static vector scaled_root(vector square)
{
#if defined(ESTIMATE)
    /* A Newton step gives 2 √x as s (3 - s e), with the estimate e and s = x e. */
    vector estimate = ESTIMATE(square);
    vector s = square * estimate;
    return s * fma(-s, estimate, (vector)(3));
#elif BERTH_SQRT == 1 || (BERTH_SQRT == 3 && NATIVE_IS_PTX)
    return native_sqrt(square);
#elif BERTH_SQRT == 3
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
    return root;
#else
    return sqrt(square);
#endif
}

/* 1 / √square; 0 is taken for a millionth of an Å, squared. */
static vector inverse_root(vector square)
{
    square = max(square, 1e-12f);
#ifdef INVERSE_ROOT_ESTIMATE
    const vector estimate = INVERSE_ROOT_ESTIMATE(square);
    return estimate * fma(-0.5f * square * estimate, estimate, (vector)(1.5f));
#else
    return rsqrt(square);
#endif
}

/* 2 to the power of x, within 3e-7 of it; 0 below -127.  A device with vectors of poses has no
 * instruction for it: 2^n 2^f with n the next whole number, and a polynomial for the rest. */
#if BERTH_VECTOR_WIDTH > 1
#define DEFINE_FAST_EXP2(name, type, as_integer, as_type)                                          \
    static type name(type x)                                                                       \
    {                                                                                              \
        x = clamp(x, -127.0f, 128.0f);                                                             \
        const type shifted = x + 12582912.0f; /* 1.5 2^23: the last bits are n's */                \
        const type f = x - (shifted - 12582912.0f);                                                \
        type p = fma((type)(0.00132764707f), f, (type)(0.00967554132f));                           \
        p = fma(p, f, (type)(0.0555071328f));                                                      \
        p = fma(p, f, (type)(0.240221197f));                                                       \
        p = fma(p, f, (type)(0.693146967f));                                                       \
        p = fma(p, f, (type)(1.00000007f));                                                        \
        return p * as_type((as_integer(shifted) + 127) << 23);                                     \
    }
DEFINE_FAST_EXP2(fast_exp2, float, as_int, as_float)
DEFINE_FAST_EXP2(fast_exp2_v, vector, VECTOR_AS(int), VECTOR_AS(float))
#else
#define fast_exp2(x)   native_exp2(x)
#define fast_exp2_v(x) native_exp2(x)
#endif

/* Where r² counts as another one: BERTH_CUTOFF_SQUARE and BERTH_LEAST_SQUARE are the scoring
 * function's. */
static vector floored(vector square)
{
#ifdef BERTH_LEAST_SQUARE
    square = max(square, BERTH_LEAST_SQUARE);
#endif
    return square;
}

static vector limited(vector square)
{
    square = floored(square);
#ifdef BERTH_CUTOFF_SQUARE
    const vector far = BERTH_FAR_SQUARE;
    square = square < BERTH_CUTOFF_SQUARE ? square : far;
#endif
    return square;
}
