#include "eval/redock/redock_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"

/* Å: steps from the first to the last, halved where none helps.  Turns move_trial the outermost
 * atom by as much. */
static const double STEP_FIRST = 0.5, STEP_LAST = 0.004;

/* Moves in all, and Å that the ligand may be expected to travel: beyond, receptor atoms that came
 * into reach would be missing, so that is where it stops. */
enum { SWEEPS_MAX = 200 };
static const double TRAVEL = 4.0;

struct relaxation {
    const struct berth_scoring *scoring;
    struct berth_heavy_atoms near;    /* the receptor's atoms that can matter */
    struct berth_heavy_atoms trial;   /* the ligand, moved */
    struct berth_heavy_atoms *ligand; /* the best so far */
    double energy;                    /* of it */
    double reach;                     /* Å: of its outermost atom from the centroid */
    double start[3];                  /* Å: where the centroid was */
};

static double energy_of(const struct relaxation *work, const struct berth_heavy_atoms *ligand)
{
    const struct berth_terms terms = berth_score_ref(work->scoring, &work->near, ligand);
    return berth_terms_sum(&terms);
}

static void centroid_of(const struct berth_heavy_atoms *atoms, double center[3])
{
    memset(center, 0, 3 * sizeof *center);
    for (size_t i = 0; i < atoms->count; i++) {
        for (int k = 0; k < 3; k++) {
            center[k] += atoms->atoms[i].position[k] / (double)atoms->count;
        }
    }
}

static enum berth_status begin_relaxation(struct relaxation *work,
                                          const struct berth_heavy_atoms *receptor,
                                          struct berth_error *error)
{
    const struct berth_heavy_atoms *ligand = work->ligand;
    BERTH_TRY(
        berth_make(&work->near.atoms, receptor->count, sizeof *work->near.atoms, NULL, error));
    BERTH_TRY(
        berth_make(&work->trial.atoms, ligand->count, sizeof *work->trial.atoms, NULL, error));
    work->trial.count = ligand->count;
    centroid_of(ligand, work->start);
    for (size_t i = 0; i < ligand->count; i++) {
        work->trial.atoms[i].type = ligand->atoms[i].type;
        work->reach = fmax(work->reach, berth_distance(ligand->atoms[i].position, work->start));
    }
    const double limit = work->reach + TRAVEL + berth_score_longest_reach(work->scoring->program);
    for (size_t i = 0; i < receptor->count; i++) {
        if (berth_distance(receptor->atoms[i].position, work->start) < limit) {
            work->near.atoms[work->near.count++] = receptor->atoms[i];
        }
    }
    work->energy = energy_of(work, ligand);
    return BERTH_OK;
}

/* Moves the trial away from the best pose: axis 0 to 2 shifts along x, y, z, 3 to 5 turns about
 * them, by step Å. */
static void move_trial(struct relaxation *work, int axis, double step)
{
    const int along = axis % 3, u = (along + 1) % 3, v = (along + 2) % 3;
    const double angle = axis < 3 ? 0 : step / fmax(work->reach, 1);
    const double c = cos(angle), s = sin(angle);
    double center[3];
    centroid_of(work->ligand, center);
    for (size_t i = 0; i < work->ligand->count; i++) {
        const double *from = work->ligand->atoms[i].position;
        double *to = work->trial.atoms[i].position;
        const double x = from[u] - center[u], y = from[v] - center[v];
        to[along] = from[along] + (axis < 3 ? step : 0);
        to[u] = center[u] + c * x - s * y;
        to[v] = center[v] + s * x + c * y;
    }
}

/* Takes the move_trial where the energy falls by it. */
static bool try_move(struct relaxation *work, int axis, double step)
{
    double center[3];
    move_trial(work, axis, step);
    centroid_of(&work->trial, center);
    const double energy = energy_of(work, &work->trial);
    if (energy >= work->energy || berth_distance(center, work->start) > TRAVEL) {
        return false;
    }
    memcpy(work->ligand->atoms, work->trial.atoms, work->trial.count * sizeof *work->trial.atoms);
    work->energy = energy;
    return true;
}

enum berth_status berth_relax_rigid(const struct berth_scoring *scoring,
                                    const struct berth_heavy_atoms *receptor,
                                    struct berth_heavy_atoms *ligand, double *energy,
                                    struct berth_error *error)
{
    struct relaxation work = {.scoring = scoring, .ligand = ligand};
    enum berth_status status = begin_relaxation(&work, receptor, error);
    double step = STEP_FIRST;
    for (int sweep = 0; !status && step >= STEP_LAST && sweep < SWEEPS_MAX; sweep++) {
        bool moved = false;
        for (int axis = 0; axis < 6; axis++) {
            moved = try_move(&work, axis, step) || try_move(&work, axis, -step) || moved;
        }
        step *= moved ? 1 : 0.5;
    }
    *energy = work.energy;
    free(work.near.atoms);
    free(work.trial.atoms);
    return status;
}
