/* What runs that dock print: a head, how far they are, and a foot. */
#ifndef BERTH_CLI_RUN_LINES_H
#define BERTH_CLI_RUN_LINES_H

#include <pthread.h>
#include <stdio.h>

#include "cli/receptors.h"
#include "dock/restraints/restraints.h"

/* The lines above a table, at most five but for --verbose: the receptors and the site, the devices,
 * the search, and what ranks; library: the line on that, NULL: none. */
void cli_head(const struct cli_receptors *receptors, const struct berth_run_facts *facts,
              const struct berth_options *options, const char *library);

/* How far a docking is: in place on a terminal, else a line now and then. */
struct cli_progress_line {
    FILE *file;         /* borrowed: where it is shown */
    bool terminal;      /* that is one */
    double start, next; /* s: of the run; of the next line */
    double best;        /* in that unit: */
    const char *unit;   /* borrowed */
    const char *what;   /* borrowed: what is counted, if not each "ligand" */
    char best_name[64]; /* "" while nothing was docked */
};

/* Begins now; file and unit are borrowed. */
void cli_progress_start(struct cli_progress_line *line, FILE *file, const char *unit);

/* Notes the value of a ligand that is docked. */
void cli_progress_note(struct cli_progress_line *line, const char *name, double value);

/* Shows how far the run is, if it is time to, or the devices are done. */
void cli_progress_show(struct cli_progress_line *line, const struct berth_progress *progress);

/* Takes the line off the terminal, for a message in its place. */
void cli_progress_hide(const struct cli_progress_line *line);

/* ", N interactions/s", where there were any, the line's end, and how many poses were left out. */
void cli_foot_work(const struct berth_progress *progress, double seconds);

/* Ends the closing line, with the file that has every column; NULL: none was asked for. */
void cli_foot_file(const char *scores);

/* How many poses --max_clash left out, where it did any. */
void cli_foot_left_out(unsigned long long poses);

/* How many ligands' best poses meet each restraint of the run; all: those of metals, too, and what
 * the column unmet counts. */
void cli_foot_restraints(const struct berth_run_facts *facts,
                         const struct berth_standing_counts *counts, bool all);

/* The same of the table of a screen or a merge, where its run.json has restraints.  Errors: those
 * of reading. */
enum berth_status cli_foot_restrained(const char *folder, bool all, struct berth_error *error);

/* Restraints of the run that are required. */
size_t cli_count_required(const struct berth_run_facts *facts);

/* Behind the number of a restraint that is a metal's open site: the option that made it one. */
#define CLI_OF_METAL " (metal_sites)"

/* Within what of its place restraint number k is met: "within 3.3 + 0.25 Å"; of one to be kept away
 * from, "beyond 3 - 0.25 Å". */
enum { CLI_WITHIN_TEXT = 64 };
void cli_restraint_within(const struct berth_run_facts *facts, size_t k,
                          char text[CLI_WITHIN_TEXT]);

/* What judges angles of hydrogen bonds, and what the column unmet counts, where the run has some.
 */
void cli_foot_unmet(FILE *file, const struct berth_run_facts *facts);

enum { CLI_FEW_NAMED = 3 };

/* Ligands with fewer poses than were asked for. */
struct cli_few {
    size_t count;
    char names[CLI_FEW_NAMED][48]; /* of the first, as they are printed */
};

/* Says why ligands have fewer poses than num_modes, where some do; which: they, NULL where it goes
 * without saying. */
void cli_foot_few(const struct berth_progress *progress, const struct berth_run_facts *facts,
                  size_t num_modes, const struct cli_few *which);

/* The same of a screen, whose journal knows no more than how many ligands do. */
void cli_foot_few_found(unsigned long long few, size_t num_modes);

/* The pose of a ligand whose strain is taken from all of its scores: lowest by the function and
 * strain, or, where there is more in a score than these are divided for, by that. */
struct cli_lowest {
    bool coordinated, flexible; /* scores have coordination; receptor_strain */
    bool restrained;            /* it is of the poses that miss the fewest restraints */
};

/* Says which column is the affinity that Vina's own programs print, if the function is one of
 * these: only its name, or `energy`, the column of its energy, looks like it.  how: further text.
 */
void cli_foot_affinity(const char *function, const struct cli_lowest *lowest, const char *energy,
                       const char *how);

/* The same of a table beside a run.json, where that energy ranks its ligands and is not divided for
 * rotors: by the run's expression, or by the column itself (NULL: as the run ranks).  Errors: those
 * of reading. */
enum berth_status cli_foot_ranked(const char *results, const char *column, const char *how,
                                  struct berth_error *error);

/* Of a column that is the energy by one of the run's functions: that it lacks what open sites of
 * metals and displaced waters are worth.  Errors: those of reading. */
enum berth_status cli_head_ranked(const char *results, const char *column,
                                  struct berth_error *error);

/* How many ligands of a screen's folder were dropped for want of what is required, where something
 * is.  Errors: those of reading required.csv. */
enum berth_status cli_foot_required(const char *folder, struct berth_error *error);

/* Which ligand of these results ranks first, and by what. */
enum berth_status cli_foot_best(const char *folder, struct berth_error *error);

enum { CLI_BEST = 10 };

/* The head of a table of ligands: rank, affinity in that unit, ligand. */
void cli_head_hits(const char *unit);

/* A table of those that rank best: rank, affinity in that unit ("": not known), ligand. */
enum berth_status cli_print_hits(const char *folder, const char *unit, struct berth_error *error);

/* The device time of a run's kernels, as a table: take one for each, then print them. */
struct cli_profile {
    struct {
        char kernel[32];
        size_t launches;
        double seconds;
    } kernels[16];
    size_t count;
};

void cli_profile_take(void *profile, const struct berth_kernel_profile *kernel);
void cli_profile_print(const struct cli_profile *profile, const struct berth_device_use *use);

/* Says on a terminal, if devices are not open soon, that kernels are being compiled: PoCL does not
 * tell whether it has them.  Zeroed to begin with. */
struct cli_patience {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started, ended, said;
};

void cli_patience_start(struct cli_patience *patience);

/* Once they are open, or are not to be. */
void cli_patience_end(struct cli_patience *patience);

#endif
