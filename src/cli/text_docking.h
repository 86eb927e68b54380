/* What `berth dock` prints of results. */
#ifndef BERTH_CLI_TEXT_DOCKING_H
#define BERTH_CLI_TEXT_DOCKING_H

#include "berth.h"
#include "cli/run_lines.h"
#include "protein/protein_run.h"
#include "dock/restraints/restraints.h"

/* A ligand's line. */
struct cli_ranked_line {
    double value; /* what the ligands compare by, the lower the better; NAN: not known */
    char *text;   /* owned */
};

/* A table of each ligand; with --verbose one of the only ligand, or a line a ligand.  Zeroed but
 * for the first four and the two on the ranking, nothing was printed. */
struct cli_results {
    bool verbose;                               /* every column is printed */
    bool quiet;                                 /* ligands are counted only */
    const struct berth_receptor_facts *scoring; /* borrowed: how energies are called */
    const struct berth_run_facts *run;          /* borrowed */
    size_t ligands;                             /* so far */
    struct cli_ranked_line best[CLI_BEST + 1];  /* the best lines so far, best first */
    size_t best_count;
    bool failed;        /* out of memory */
    size_t num_modes;   /* poses of each ligand that were asked for */
    struct cli_few few; /* of the ligands so far, those that have fewer */
    const char *ranked; /* borrowed: by --rank, whose values are shown first; NULL: by score */
    bool compared;      /* ligands are by one, too: it looks at each by itself; else by score */
    bool affinity;      /* scores are the function's own, to which no conformer's strain is added */
    bool flexible;      /* side chains move, so that scores have receptor_strain */
    size_t twisted;     /* of the ligands so far, those whose best pose twists a carbonyl group */
    size_t unbound;     /* of the ligands so far, those whose best pose's score is not below 0 */
    struct berth_standing_counts standings; /* of all ligands so far */
    const char *known; /* borrowed: the reference's file; of a rigid search the options by which
                          `berth score` has it */
};

/* Counts a ligand that was docked, and prints its table.  False when out of memory. */
bool cli_results_add(struct cli_results *text, const struct berth_docked_ligand *ligand);

/* Of several ligands prints the best once more, and how many meet restraints; with --verbose what a
 * score is to users of Vina, and where none is below 0. */
void cli_results_end(const struct cli_results *text);

/* Without --verbose: says on stderr, behind all else, where no score is below 0. */
void cli_results_warn(const struct cli_results *text);

void cli_results_clear(struct cli_results *text);

/* Of a docking to a whole surface: the pockets of the only one of the ligands, or where they agree,
 * `most` lines of that. */
void cli_print_pockets(const berth_docking *docking, size_t ligands, size_t most);

/* Of a protein docked to a protein: the table of modes, and what it took. */
void cli_print_protein(const struct berth_protein_run *run, double seconds);

#endif
