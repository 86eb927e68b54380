/* What makes the kernels, which are OpenCL C 1.2, CUDA C++: it stands in front of their source
 * where NVRTC compiles it, with the vectors of one number that a GPU has (BERTH_VECTOR_WIDTH 1).
 * What macros and types cannot say, src/device/cuda/translate.c does to the text: vector and
 * compound literals, and arguments in local memory. */
#define __OPENCL_VERSION__ 120

/* Which row of work-groups a launch begins with: those beyond what one launch can have come in
 * launches of their own. */
__constant__ unsigned berth_first_row;

/* Address spaces: the compiler finds out by itself what a pointer points to, once all is inline. */
#define global
#define local
#define constant const
#define restrict __restrict__
#define LOCAL_VARIABLE __shared__

/* The size of a work-group, and with it how many registers an item may have: 256 items at most
 * where a kernel names no size (GROUP_MAX of src/device/cuda/cuda.c).  What stands later takes the
 * place of what stands before. */
#undef __global__ /* which would become the above */
#define kernel                              extern "C" __attribute__((__global__, launch_bounds(256)))
#define reqd_work_group_size(x, y, z)       launch_bounds(x)
#define BERTH_MINIMUM_GROUPS(items, groups) __launch_bounds__(items, groups)

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define INFINITY __int_as_float(0x7f800000)

/* All functions are inline: only so is known what their pointers point to.  Functions alone are
 * static in the kernels. */
#define static static __forceinline__
#define inline

static size_t get_local_id(int axis)
{
    return axis == 0 ? threadIdx.x : 0;
}

static size_t get_group_id(int axis)
{
    return axis == 0 ? blockIdx.x : berth_first_row + blockIdx.y;
}

static size_t get_global_id(int axis)
{
    return axis == 0 ? (size_t)blockIdx.x * blockDim.x + threadIdx.x : berth_first_row + blockIdx.y;
}

static size_t get_num_groups(int axis)
{
    return axis == 0 ? gridDim.x : gridDim.y;
}

#define CLK_LOCAL_MEM_FENCE  1
#define CLK_GLOBAL_MEM_FENCE 2

static void barrier(int)
{
    __syncthreads();
}

/* What an argument in local memory points to: the host gives where it begins there. */
extern __shared__ ulong berth_local_memory[];

template <typename T> static T *berth_local_argument(T *offset)
{
    return (T *)((char *)berth_local_memory + (size_t)offset);
}

/* (struct x){...} */
template <typename T> using berth_compound = T;

/* Vectors: numbers side by side, as large in memory as OpenCL's, so that they are loaded at once.
 */
#define BERTH_VECTOR_OPERATOR(type, op)                                                            \
    friend type operator op(type a, type b)                                                        \
    {                                                                                              \
        return each(a, b, [](auto x, auto y) { return x op y; });                                  \
    }                                                                                              \
    type &operator op##=(type other)                                                               \
    {                                                                                              \
        return *this = *this op other;                                                             \
    }

#define BERTH_VECTOR_OPERATORS(type)                                                               \
    BERTH_VECTOR_OPERATOR(type, +)                                                                 \
    BERTH_VECTOR_OPERATOR(type, -)                                                                 \
    BERTH_VECTOR_OPERATOR(type, *)                                                                 \
    BERTH_VECTOR_OPERATOR(type, /)                                                                 \
    type operator-() const                                                                         \
    {                                                                                              \
        return type(0) - *this;                                                                    \
    }

template <typename T> struct alignas(2 * sizeof(T)) berth_vector2 {
    T x, y;
    berth_vector2() = default;
    berth_vector2(T all) : x(all), y(all)
    {
    }
    berth_vector2(T a, T b) : x(a), y(b)
    {
    }
    template <typename F> friend berth_vector2 each(berth_vector2 a, berth_vector2 b, F f)
    {
        return berth_vector2(f(a.x, b.x), f(a.y, b.y));
    }
    BERTH_VECTOR_OPERATORS(berth_vector2)
};

template <typename T> struct alignas(4 * sizeof(T)) berth_vector3 {
    T x, y, z;
    berth_vector3() = default;
    berth_vector3(T all) : x(all), y(all), z(all)
    {
    }
    berth_vector3(T a, T b, T c) : x(a), y(b), z(c)
    {
    }
    template <typename F> friend berth_vector3 each(berth_vector3 a, berth_vector3 b, F f)
    {
        return berth_vector3(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));
    }
    BERTH_VECTOR_OPERATORS(berth_vector3)
};

template <typename T> struct alignas(4 * sizeof(T)) berth_vector4 {
    T x, y, z, w;
    berth_vector4() = default;
    berth_vector4(T all) : x(all), y(all), z(all), w(all)
    {
    }
    berth_vector4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d)
    {
    }
    berth_vector3<T> xyz() const
    {
        return berth_vector3<T>(x, y, z);
    }
    template <typename F> friend berth_vector4 each(berth_vector4 a, berth_vector4 b, F f)
    {
        return berth_vector4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
    }
    BERTH_VECTOR_OPERATORS(berth_vector4)
};

#define float2 berth_vector2<float>
#define float3 berth_vector3<float>
#define float4 berth_vector4<float>
#define uint2  berth_vector2<uint>

static float dot(float3 a, float3 b)
{
    return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

static float dot(float4 a, float4 b)
{
    return fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, a.w * b.w)));
}

static float3 cross(float3 a, float3 b)
{
    return float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static float length(float3 a)
{
    return sqrt(dot(a, a));
}

static float distance(float3 a, float3 b)
{
    return length(a - b);
}

static float3 normalize(float3 a)
{
    return a * rsqrt(dot(a, a));
}

static float4 normalize(float4 a)
{
    return a * rsqrt(dot(a, a));
}

static float3 min(float3 a, float3 b)
{
    return each(a, b, [](float x, float y) { return min(x, y); });
}

static float3 max(float3 a, float3 b)
{
    return each(a, b, [](float x, float y) { return max(x, y); });
}

static float3 vload3(size_t number, const float *from)
{
    return float3(from[3 * number], from[3 * number + 1], from[3 * number + 2]);
}

static void vstore3(float3 value, size_t number, float *to)
{
    to[3 * number] = value.x;
    to[3 * number + 1] = value.y;
    to[3 * number + 2] = value.z;
}

static void vstore4(float4 value, size_t number, float *to)
{
    to[4 * number] = value.x;
    to[4 * number + 1] = value.y;
    to[4 * number + 2] = value.z;
    to[4 * number + 3] = value.w;
}

static int clamp(int x, int least, int most)
{
    return min(max(x, least), most);
}

static float clamp(float x, float least, float most)
{
    return fmin(fmax(x, least), most);
}

/* The compiler makes more instructions of two things than OpenCL's does, where denormal numbers are
 * zero: clamp(fma(...), 0, 1) is one, for which src/device/cuda/translate.c writes berth_fma; the
 * absolute value is a part of the one that takes it. */
struct berth_fma {
    float a, b, c;
    berth_fma(float x, float y, float z) : a(x), b(y), c(z)
    {
    }
};

static float clamp(berth_fma x, float least, float most)
{
#ifdef __CUDA_ARCH__
    if (least == 0.0f && most == 1.0f) {
        float sum;
        asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(x.a), "f"(x.b), "f"(x.c));
        return sum;
    }
#endif
    return clamp(fma(x.a, x.b, x.c), least, most);
}

#ifdef __CUDA_ARCH__
static float berth_fabs(float x)
{
    float size;
    asm("abs.f32 %0, %1;" : "=f"(size) : "f"(x));
    return size;
}
#define fabs(x) berth_fabs(x)
#endif

#define convert_float(x)       ((float)(x))
#define convert_int(x)         ((int)(x))
#define convert_uint(x)        ((uint)(x))
#define convert_int_rte(x)     __float2int_rn(x)
#define convert_int_sat_rtn(x) __float2int_rd(x)
#define as_float(x)            __int_as_float(x)
#define as_int(x)              __float_as_int(x)
#define as_uint(x)             __float_as_uint(x)
#define mul_hi(a, b)           __umulhi(a, b)
#define clz(x)                 __clz(x)
#define popcount(x)            __popc(x)
#define atomic_add(to, x)      atomicAdd(to, x)
#define atomic_min(to, x)      atomicMin(to, x)

/* The GPU's own functions, which sqrt and / are as well: see src/device/cuda/nvrtc.c. */
#define native_sqrt(x)  sqrt((float)(x))
#define native_recip(x) (1.0f / (x))
#define native_exp2(x)  exp2((float)(x))
#define native_exp(x)   __expf(x)
#define native_log2(x)  __log2f(x)
#define native_sin(x)   __sinf(x)
#define native_cos(x)   __cosf(x)
