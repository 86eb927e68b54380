/* What the files of `berth bench` share: its options, its data, its runs, its reports. */
#ifndef BERTH_CLI_BENCH_H
#define BERTH_CLI_BENCH_H

#include <limits.h>

#include "cli/common.h"
#include "check/bench.h"
#include "check/floor.h"
#include "check/deck.h"

/* The options of `berth bench`; those below 0 were not given. */
struct bench_values {
    const char *deck, *data, *csv, *svg, *device, *variant, *config;
    long long poses, repeats, generations, conformers;
    bool baseline, terms, paper;
};

/* The devices that --device asks for (all by default), and --variant on each. */
struct bench_devices {
    struct berth_devices list;
    struct berth_variant given;
};

/* The folder of the running program, "/usr/local/bin".  Errors: BERTH_E_IO. */
enum berth_status bench_program_folder(char folder[PATH_MAX], struct berth_error *error);

/* The folder of the demo data: --data, else where `make install` or the sources have it beside the
 * program.  Errors: BERTH_E_IO (says what to do). */
enum berth_status bench_data_folder(const struct bench_values *values, char folder[PATH_MAX],
                                    struct berth_error *error);

/* The demo complex, with its site about the crystal's ligand as `make demo` has it. */
struct bench_demo {
    char folder[PATH_MAX];
    struct berth_typed_receptor receptor;
    struct berth_site site;
};

/* Reads it; the caller clears *demo.  Errors: as the readers; BERTH_E_IO (no such data). */
enum berth_status bench_demo_read(const struct bench_values *values, struct bench_demo *demo,
                                  struct berth_error *error);

void bench_demo_clear(struct bench_demo *demo);

/* count poses for a conformer about its own centroid, float [6][count], which the caller frees:
 * uniform in rotation and in a box with these edges (Å) about the origin, always the same ones.
 * NULL when out of memory. */
float *bench_random_poses(const double size[3], size_t count);

/* The demo complex as a deck: the crystal's ligand at random poses, with the energies of the
 * double-precision oracle.  The caller clears *deck.  Errors: as bench_demo_read. */
enum berth_status bench_demo_deck(const struct bench_values *values, struct berth_deck *deck,
                                  struct berth_error *error);

/* What the published pair loop in plain C did (bench/baseline.c). */
struct bench_baseline {
    struct berth_bench_result result;
    int block, threads;
    char compiler[64];
};

/* Runs berth-baseline, which stands beside the program, on the setup's poses.  Errors: BERTH_E_IO
 * (it is not there, or failed), BERTH_E_MEMORY. */
enum berth_status bench_baseline_run(const struct berth_bench_setup *setup,
                                     struct bench_baseline *baseline, struct berth_error *error);

/* A device's results; without a device those of the baseline. */
struct bench_row {
    const struct berth_device *device;     /* borrowed */
    const struct bench_baseline *baseline; /* borrowed; NULL: not run */
    size_t poses;
    struct berth_variant variant;
    struct berth_bench_result result;
    struct berth_ceiling ceiling;
    struct berth_floor floor, own; /* own: with the variant's way to a root */
    double
        class_rates[BERTH_PAIR_CLASSES]; /* interactions/s of each class alone; 0: not measured */
};

/* Where the rows go. */
struct bench_report {
    bool table;               /* to the terminal */
    struct berth_output *csv; /* owned; NULL: not asked for */
    const char *svg;          /* borrowed; NULL: not asked for */
    const char *name;         /* borrowed; of the deck */
    struct berth_work work;
    struct bench_row *rows; /* owned */
    size_t count, capacity;
};

/* Starts the reports that values ask for with what stands above the rows.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status bench_report_create(const struct bench_values *values,
                                      const struct berth_deck *deck, struct bench_report *report,
                                      struct berth_error *error);

/* Reports the row at once, and keeps it for the plot.  Errors: BERTH_E_MEMORY. */
enum berth_status bench_report_add(struct bench_report *report, const struct bench_row *row,
                                   struct berth_error *error);

/* Gives the files their final names.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status bench_report_commit(struct bench_report *report, struct berth_error *error);

void bench_report_clear(struct bench_report *report);

/* `berth bench --paper`: the published benchmark's size, on each device. */
enum berth_status bench_paper(const struct bench_values *values,
                              const struct bench_devices *devices, struct berth_error *error);

#endif
