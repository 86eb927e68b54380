#include "check/floor.h"

#include <string.h>

#include "engine/pack.h"

/* Operations, and those of them that need a multiplier. */
struct cost {
    double operations, multipliers;
};

static const struct cost DISTANCE = {4, 3};
static const struct cost SATURATING_RAMP = {2, 1};
static const struct cost CLAMPED_STERIC = {3, 0}, CLAMPED_RAMP = {3, 1};
static const struct cost ROOTS[BERTH_ROOT_WAYS] = {{1, 0}, {1, 0}, {4, 3}, {1, 0}};

/* Ramps beside the steric one. */
static const int FURTHER_RAMPS[BERTH_PAIR_CLASSES] = {0, 1, 1, 2};

static void add(struct cost *sum, struct cost cost, double times)
{
    sum->operations += times * cost.operations;
    sum->multipliers += times * cost.multipliers;
}

void berth_work_count(const struct berth_scoring *scoring, const struct berth_heavy_atoms *receptor,
                      const struct berth_heavy_atoms *ligand, struct berth_work *work)
{
    memset(work, 0, sizeof *work);
    for (size_t i = 0; i < receptor->count; i++) {
        for (size_t j = 0; j < ligand->count; j++) {
            const struct berth_device_pair pair =
                berth_pack_pair(&scoring->forcefield.types[receptor->atoms[i].type],
                                &scoring->forcefield.types[ligand->atoms[j].type]);
            work->pairs[(pair.B != 0 ? BERTH_PAIR_ELECTROSTATIC : 0) |
                        (pair.D != 0 ? BERTH_PAIR_DESOLVATION : 0)]++;
        }
    }
}

/* Of the mean interaction, without its root. */
static struct cost mean_cost(const struct berth_work *work, bool saturates)
{
    struct cost sum = {0};
    double all = 0;
    for (int k = 0; k < BERTH_PAIR_CLASSES; k++) {
        add(&sum, DISTANCE, work->pairs[k]);
        add(&sum, saturates ? SATURATING_RAMP : CLAMPED_STERIC, work->pairs[k]);
        add(&sum, saturates ? SATURATING_RAMP : CLAMPED_RAMP, FURTHER_RAMPS[k] * work->pairs[k]);
        all += work->pairs[k];
    }
    return (struct cost){sum.operations / all, sum.multipliers / all};
}

/* The floor with one way to a root. */
static struct berth_floor floor_by(struct cost cost, const struct berth_ceiling *ceiling, int way)
{
    add(&cost, ROOTS[way], 1);
    struct berth_floor floor = {.interactions_per_s = ceiling->roots_per_s[way],
                                .operations = cost.operations,
                                .multipliers = cost.multipliers,
                                .way = way,
                                .bound = "square roots"};
    if (ceiling->operations_per_s / cost.operations < floor.interactions_per_s) {
        floor.interactions_per_s = ceiling->operations_per_s / cost.operations;
        floor.bound = "operations";
    }
    if (ceiling->multiply_adds_per_s / cost.multipliers < floor.interactions_per_s) {
        floor.interactions_per_s = ceiling->multiply_adds_per_s / cost.multipliers;
        floor.bound = "multiply-adds";
    }
    return floor;
}

struct berth_floor berth_floor_by(const struct berth_work *work,
                                  const struct berth_ceiling *ceiling, bool saturates, int way)
{
    return floor_by(mean_cost(work, saturates), ceiling, way);
}

struct berth_floor berth_floor_of(const struct berth_work *work,
                                  const struct berth_ceiling *ceiling, bool saturates)
{
    struct berth_floor best = berth_floor_by(work, ceiling, saturates, 0);
    for (int way = 1; way < BERTH_ROOT_WAYS; way++) {
        const struct berth_floor floor = berth_floor_by(work, ceiling, saturates, way);
        if (floor.interactions_per_s > best.interactions_per_s) {
            best = floor;
        }
    }
    return best;
}
