/* Vectors: BERTH_VECTOR_WIDTH numbers side by side, one of each pose.  On a GPU a vector is a plain
 * number, and everything here is nothing.
 *
 * A comparison of vectors gives a condition: an ivector that is fit for ?:, && and ||, and for
 * any_lane and count_lanes. */
#if BERTH_VECTOR_WIDTH == 1
#define VECTOR(type)                 type
#define VECTOR_LOAD(pointer)         (*(pointer))
#define VECTOR_STORE(value, pointer) (*(pointer) = (value))
#define FIRST_LANE(value)            (value)
#else
#define VECTOR(type)                 BERTH_PASTE(type, BERTH_VECTOR_WIDTH)
#define VECTOR_LOAD(pointer)         BERTH_PASTE(vload, BERTH_VECTOR_WIDTH)(0, pointer)
#define VECTOR_STORE(value, pointer) BERTH_PASTE(vstore, BERTH_VECTOR_WIDTH)(value, 0, pointer)
#define FIRST_LANE(value)            ((value).s0)
#endif
#define VECTOR_AS(type)             BERTH_PASTE(as_, VECTOR(type))
#define VECTOR_CONVERT(type, value) BERTH_PASTE(convert_, VECTOR(type))(value)

typedef VECTOR(float) vector;
typedef VECTOR(int) ivector;
typedef VECTOR(uint) uvector;

/* Vectors of 64-bit integers are as long in bytes, so that they fit the same registers: longer ones
 * are no type that the device has. */
#if BERTH_VECTOR_WIDTH == 16
#define BERTH_LONG_WIDTH 8
#elif BERTH_VECTOR_WIDTH == 8
#define BERTH_LONG_WIDTH 4
#elif BERTH_VECTOR_WIDTH == 4
#define BERTH_LONG_WIDTH 2
#else
#define BERTH_LONG_WIDTH 1
#endif
#if BERTH_LONG_WIDTH == 1
typedef ulong ulong_vector;
typedef long long_vector;
#define LONG_LOAD(pointer)         (*(pointer))
#define LONG_STORE(value, pointer) (*(pointer) = (value))
#else
typedef BERTH_PASTE(ulong, BERTH_LONG_WIDTH) ulong_vector;
typedef BERTH_PASTE(long, BERTH_LONG_WIDTH) long_vector;
#define LONG_LOAD(pointer)         BERTH_PASTE(vload, BERTH_LONG_WIDTH)(0, pointer)
#define LONG_STORE(value, pointer) BERTH_PASTE(vstore, BERTH_LONG_WIDTH)(value, 0, pointer)
#endif

#define FOR_EACH_LANE for (int i = 0; i < BERTH_VECTOR_WIDTH; i++)

constant int BERTH_LANES[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* first, first + 1 ... */
static ivector count_from(int first)
{
    return first + VECTOR_LOAD(BERTH_LANES);
}

static int count_lanes(ivector condition)
{
    int lanes[BERTH_VECTOR_WIDTH], count = 0;
    VECTOR_STORE(condition, lanes);
    FOR_EACH_LANE
    {
        count += lanes[i] != 0;
    }
    return count;
}

/* The sum of the lanes, in their order. */
static float sum_lanes(vector v)
{
    float lanes[BERTH_VECTOR_WIDTH], sum = 0;
    VECTOR_STORE(v, lanes);
    FOR_EACH_LANE
    {
        sum += lanes[i];
    }
    return sum;
}

static float largest_lane(vector v)
{
#if BERTH_VECTOR_WIDTH == 16
    const float8 v8 = max(v.lo, v.hi);
    const float4 v4 = max(v8.lo, v8.hi);
    const float2 v2 = max(v4.lo, v4.hi);
    return max(v2.x, v2.y);
#elif BERTH_VECTOR_WIDTH == 8
    const float4 v4 = max(v.lo, v.hi);
    const float2 v2 = max(v4.lo, v4.hi);
    return max(v2.x, v2.y);
#elif BERTH_VECTOR_WIDTH == 4
    const float2 v2 = max(v.lo, v.hi);
    return max(v2.x, v2.y);
#elif BERTH_VECTOR_WIDTH == 2
    return max(v.x, v.y);
#else
    return v;
#endif
}

/* PICK_32(plane, place): of 32 numbers, which lie in two of AVX-512's registers, those that the
 * last five bits of the lanes' places say. */
#if BERTH_VECTOR_WIDTH == 16 && defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_vpermi2varps512)
#define PICK_32(plane, place)                                                                      \
    __builtin_ia32_vpermi2varps512(VECTOR_LOAD(plane), place, VECTOR_LOAD((plane) + 16))
#endif
#endif

/* plane[index], lane by lane. */
static vector gather(global const float *plane, ivector index)
{
    int at[BERTH_VECTOR_WIDTH];
    float lanes[BERTH_VECTOR_WIDTH];
    VECTOR_STORE(index, at);
    FOR_EACH_LANE
    {
        lanes[i] = plane[at[i]];
    }
    return VECTOR_LOAD(lanes);
}

/* Two words that lie together for each lane, from[at[0]], from[at[1]] ...: the first ones and the
 * second ones.  They are put together in registers: a vector that is loaded from what was stored
 * lane by lane waits until all of it is in the cache. */
#define TWO_PAIRS(from, at, i)   (uint4)((from)[(at)[i]], (from)[(at)[(i) + 1]])
#define FOUR_PAIRS(from, at, i)  (uint8)(TWO_PAIRS(from, at, i), TWO_PAIRS(from, at, (i) + 2))
#define EIGHT_PAIRS(from, at, i) (uint16)(FOUR_PAIRS(from, at, i), FOUR_PAIRS(from, at, (i) + 4))

static void gather_pairs(global const uint2 *from, const uint *at, uvector *first, uvector *second)
{
#if BERTH_VECTOR_WIDTH == 16
    const uint16 low = EIGHT_PAIRS(from, at, 0), high = EIGHT_PAIRS(from, at, 8);
    *first = (uint16)(low.even, high.even);
    *second = (uint16)(low.odd, high.odd);
#elif BERTH_VECTOR_WIDTH == 1
    const uint2 both = from[at[0]];
    *first = both.x;
    *second = both.y;
#else
#if BERTH_VECTOR_WIDTH == 8
    const uint16 both = EIGHT_PAIRS(from, at, 0);
#elif BERTH_VECTOR_WIDTH == 4
    const uint8 both = FOUR_PAIRS(from, at, 0);
#else
    const uint4 both = TWO_PAIRS(from, at, 0);
#endif
    *first = both.even;
    *second = both.odd;
#endif
}

/* The vector at plane[first ..] of `count` numbers; places behind the last are given as the last.
 */
static vector load_vector(global const float *plane, int first, int count)
{
    return first + BERTH_VECTOR_WIDTH <= count
               ? VECTOR_LOAD(plane + first)
               : gather(plane, min(count_from(first), (ivector)(count - 1)));
}

/* Writes the vector to plane[first ..] of `count` numbers; places behind the last are left out. */
static void store_vector(vector value, global float *plane, int first, int count)
{
    if (first + BERTH_VECTOR_WIDTH <= count) {
        VECTOR_STORE(value, plane + first);
        return;
    }
    float lanes[BERTH_VECTOR_WIDTH];
    VECTOR_STORE(value, lanes);
    for (int i = 0; first + i < count; i++) {
        plane[first + i] = lanes[i];
    }
}
