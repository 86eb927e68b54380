/* What makes the kernels' CUDA C++ run on the host: tests/cuda/driver.c puts it in front of what it
 * is given to compile.  The vectors, macros and functions that are berth's own (kernels/cuda.h)
 * stay as they are; here is what NVRTC brings. */
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

using std::atan2, std::cbrt, std::copysign, std::cos, std::exp, std::exp2, std::fabs, std::fma,
    std::fmax, std::fmin, std::ldexp, std::rint, std::sin, std::sqrt;

#define __global__
#define __device__
#define __constant__
#define __shared__      thread_local
#define __forceinline__ inline
#define __launch_bounds__(...)
#undef INFINITY

struct fake_index {
    unsigned x, y, z;
};

/* Set by the driver before an item runs on. */
extern "C" {
fake_index threadIdx, blockIdx, blockDim, gridDim;
void (*fake_barrier)();
}

#define __syncthreads() fake_barrier()

template <typename T> static T min(T a, T b)
{
    return b < a ? b : a;
}
template <typename T> static T max(T a, T b)
{
    return a < b ? b : a;
}

template <typename T, typename F> static T fake_bits(F value)
{
    T bits;
    static_assert(sizeof bits == sizeof value);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define __int_as_float(x)  fake_bits<float>((int)(x))
#define __float_as_int(x)  fake_bits<int>((float)(x))
#define __float_as_uint(x) fake_bits<unsigned>((float)(x))

static int __float2int_rd(float x)
{
    x = std::floor(x);
    return x != x               ? 0
           : x >= 2147483648.0f ? 2147483647
           : x < -2147483648.0f ? -2147483647 - 1
                                : (int)x;
}

static int __float2int_rn(float x)
{
    return (int)std::rint(x);
}

static int __clz(int x)
{
    return x ? __builtin_clz(x) : 32;
}

static int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

static int atomicAdd(int *to, int value)
{
    return (*to += value) - value;
}
static int atomicMin(int *to, int value)
{
    const int old = *to;
    *to = value < old ? value : old;
    return old;
}

static unsigned __umulhi(unsigned a, unsigned b)
{
    return (uint64_t)a * b >> 32;
}
static float rsqrt(float x)
{
    return 1 / sqrt(x);
}
#define __expf(x)  std::exp((float)(x))
#define __log2f(x) std::log2((float)(x))
#define __sinf(x)  std::sin((float)(x))
#define __cosf(x)  std::cos((float)(x))

/* Calls a kernel with the arguments that the driver was given. */
template <typename... T, size_t... I>
static void fake_apply(void (*function)(T...), void **arguments, std::index_sequence<I...>)
{
    function(*(T *)arguments[I]...);
}

template <typename... T> static void fake_call(void (*function)(T...), void **arguments)
{
    fake_apply(function, arguments, std::index_sequence_for<T...>());
}
