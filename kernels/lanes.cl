/* Numbers of the poses that a work-group works on side by side.
 *
 * In the search on maps a CPU's vectors have a pose in each lane, and a GPU's work-group has one
 * pose. Where energies are exact the lanes of a CPU's vectors are atoms (forces.cl), and a
 * work-group has one pose on any device.  The two are compiled apart (src/engine/variant.c), from
 * the same functions. */
#ifdef BERTH_ON_MAPS
#define BERTH_POSE_LANES BERTH_VECTOR_WIDTH
typedef vector real;   /* a number of each pose */
typedef ivector whole; /* the same; or a condition */
#define OF_POSES(v) (v)
#define INTER_COUNT 1 /* terms of an energy between receptor and ligand: of the maps */
#else
#define BERTH_POSE_LANES 1
typedef float real;
typedef int whole;
#define OF_POSES(v)      FIRST_LANE(v)
#define INTER_COUNT      BERTH_TERMS
#endif

/* What an energy is added up in: terms between receptor and ligand, then BERTH_POSE_PARTS; without
 * restraints all but the last of these. */
#ifdef BERTH_RESTRAINED
#define SUMMED_PARTS BERTH_PART_COUNT
#else
#define SUMMED_PARTS BERTH_PART_RESTRAINT
#endif
#define SUM_COUNT  (INTER_COUNT + SUMMED_PARTS)
#define PART(name) (INTER_COUNT + BERTH_PART_##name)

#if BERTH_POSE_LANES == 1
#define WHOLE(value)        ((int)(value))
#define ANY_POSE(condition) ((condition) != 0)
#define FIRST_POSE(value)   (value)
#else
#define WHOLE(value)        VECTOR_CONVERT(int, value)
#define ANY_POSE(condition) any(condition)
#define FIRST_POSE(value)   FIRST_LANE(value)
#endif

/* Waits for the other work-items, where there are any.  A kernel without barriers is compiled
 * sooner; NVIDIA's compilers do not see that a warp is a whole group, and that it can wait for
 * less. */
#if BERTH_REFINE_WGSIZE == 32 && (defined(__NV_CL_C_VERSION) || defined(__CUDACC__))
#define GROUP_IS_WARP
#define GROUP_BARRIER(fence) asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#elif BERTH_REFINE_WGSIZE > 1
#define GROUP_BARRIER(fence) barrier(fence)
#else
#define GROUP_BARRIER(fence)
#endif
static void group_barrier(void)
{
    GROUP_BARRIER(CLK_LOCAL_MEM_FENCE);
}

#define FOR_EACH_ITEM(k, count)                                                                    \
    ROLLED for (int k = (int)get_local_id(0); k < (count); k += BERTH_REFINE_WGSIZE)

/* In front of a loop that is short enough. */
#define UNROLLED(times) BERTH_PRAGMA(unroll times)

/* Numbers along the three axes. */
struct triple {
    real x, y, z;
};

/* Where the k-th number of an atom lies of three for each: on maps they lie together, so that one
 * address does; where lanes are atoms they lie in planes. */
#ifdef BERTH_ON_MAPS
#define OF_ATOM(stride, k, atom) (3 * (atom) + (k))
#else
#define OF_ATOM(stride, k, atom) ((k) * (stride) + (atom))
#endif

static struct triple triple_at(local const real *numbers, int stride, int atom)
{
    const struct triple triple = {numbers[OF_ATOM(stride, 0, atom)],
                                  numbers[OF_ATOM(stride, 1, atom)],
                                  numbers[OF_ATOM(stride, 2, atom)]};
    return triple;
}

static void set_triple(struct triple triple, local real *numbers, int stride, int atom)
{
    numbers[OF_ATOM(stride, 0, atom)] = triple.x;
    numbers[OF_ATOM(stride, 1, atom)] = triple.y;
    numbers[OF_ATOM(stride, 2, atom)] = triple.z;
}

/* Four numbers that are loaded at once. */
struct __attribute__((aligned(16))) quad {
    real x, y, z, w;
};

static struct triple less(struct triple a, struct triple b)
{
    const struct triple made = {a.x - b.x, a.y - b.y, a.z - b.z};
    return made;
}

static struct triple product(struct triple a, struct triple b)
{
    const struct triple made = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                                a.x * b.y - a.y * b.x};
    return made;
}

static real inner_product(struct triple a, struct triple b)
{
    return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

/* The sum of what the work-items of a group have, the same for all: an addition that a compiler
 * may join to the product before it would round otherwise in one work-item than in another, and
 * they would part ways.  memory: [items], which nobody may have read since the last barrier. */
static real sum_of_group(real mine, local real *memory)
{
#ifdef GROUP_IS_WARP
    for (int apart = 16; apart > 0; apart /= 2) {
        real other;
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=f"(other)
                     : "f"(mine), "r"(apart));
        asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(mine) : "f"(mine), "f"(other));
    }
#elif BERTH_REFINE_WGSIZE > 1
    memory[get_local_id(0)] = mine;
    group_barrier();
    mine = 0;
    UNROLLED(8) for (int i = 0; i < BERTH_REFINE_WGSIZE; i++)
    {
        mine += memory[i];
    }
#endif
    return mine;
}
