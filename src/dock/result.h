/* What came out for a ligand: the one type of a result, from the devices to the files. */
#ifndef BERTH_DOCK_RESULT_H
#define BERTH_DOCK_RESULT_H

#include "engine/search.h"

/* A pose of a ligand that is kept. */
struct berth_result_mode {
    size_t conformer;             /* from 0 */
    size_t receptor;              /* number of the one that it is in */
    size_t device;                /* number in the list of devices that it goes with */
    double value;                 /* what it is ranked by, kJ/mol: see struct berth_mode */
    double strain;                /* kJ/mol, likewise; NAN without torsions */
    double conformer_strain;      /* kJ/mol; NAN where unknown */
    double clash;                 /* Å: see dock/clash.h; NAN where unknown */
    struct berth_pose pose;       /* without its strain, which is relative to the conformer */
    size_t torsions;              /* flexible ones */
    float angles[BERTH_TORSIONS]; /* [torsions], rad; else 0 */
};

struct berth_result {
    uint64_t ordinal;
    const char *title;   /* "" where it could not be read */
    const char *failure; /* why there are no modes; NULL: it was docked */
    size_t heavy_count, conformer_count;
    struct berth_result_mode *modes; /* owned; [mode_count], best first */
    size_t mode_count, mode_capacity;
};

/* kJ/mol */
double berth_result_mode_energy(const struct berth_result_mode *mode);

/* The best value in each receptor; NAN where there is no mode in it. */
void berth_result_scores(const struct berth_result_mode *modes, size_t count,
                         double scores[BERTH_RECEPTORS_MAX]);

#endif
