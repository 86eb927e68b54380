/* Whole dockings at the published benchmark's size, end to end.
 *
 * McIntosh-Smith et al. (IJHPCA 2014) docked 128 conformers of 10 ligands, 8 generations of 65,536
 * poses each, into a site of 938 atoms (NDM-1).  Here the ten ligands are drugs, and the site is
 * the 938 atoms of the demo's receptor that are nearest to its site's centre. */
#ifndef BENCH_PAPER_H
#define BENCH_PAPER_H

#include "device/device.h"
#include "engine/variant.h"

/* Receptor atoms. */
enum { BERTH_PAPER_SITE = 938 };

struct berth_paper_settings {
    const char *data;            /* borrowed; folder of the demo data; NULL: beside the program */
    const struct berth_log *log; /* borrowed, or NULL */
    size_t poses, generations, conformers;
    size_t repeats; /* launches of the energy kernel alone that are timed */
};

/* What a run on one device took and gave. */
struct berth_paper_result {
    size_t conformers;
    double reading, preparing, docking; /* s */
    double interactions_per_s;          /* end to end */
    double bench_per_s;                 /* of the energy kernel alone */
    double met_per_s;                   /* receptor atoms that ligand atoms met, end to end */
    struct berth_profile profile;
    double busy;
};

/* Goes from reading the files to having the poses on the device.  Errors: as berth_demo_read,
 * berth_docking_run and berth_bench_run; BERTH_E_FORMAT where the data hold too little. */
enum berth_status berth_paper_run(const struct berth_paper_settings *settings,
                                  const struct berth_device *device,
                                  const struct berth_variant *variant,
                                  struct berth_paper_result *result, struct berth_error *error);

#endif
