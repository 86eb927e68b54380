/* What a run is asked to do: one object from the command line, C and Python to the core, and one
 * table, BERTH_OPTION_ROWS, that says of each option its name, type, unit, default, range and help,
 * and which runs have it.  From it come the program's parser, help, manual and completions,
 * docs/options.md, berth_options_list, and Python's keywords and docstrings. */
#ifndef BERTH_OPTIONS_OPTIONS_H
#define BERTH_OPTIONS_OPTIONS_H

#include "base/options.h"
#include "berth.h"
#include "chem/selection.h"
#include "prep/ligands/ligands.h"

/* The runs: a bit each. */
enum {
    BERTH_RUN_DOCK = 1 << 0,
    BERTH_RUN_SCREEN = 1 << 1,
    BERTH_RUN_CAMPAIGN = 1 << 2,
    BERTH_RUN_SCORE = 1 << 3,
    BERTH_RUN_MERGE = 1 << 4,
    BERTH_RUN_LIGANDS = 1 << 5,
    BERTH_RUN_RECEPTOR = 1 << 6,
    BERTH_RUN_REDOCK = 1 << 7,
    BERTH_RUN_SELFTEST = 1 << 8,
    BERTH_RUN_SERVE = 1 << 9,
    BERTH_RUNS_SCREEN = BERTH_RUN_SCREEN | BERTH_RUN_CAMPAIGN,
    BERTH_RUNS_DOCK = /* in receptors that are given */
    BERTH_RUN_DOCK | BERTH_RUNS_SCREEN | BERTH_RUN_SERVE
};

/* Why a score takes options of searches: files of options hold them. */
#define BERTH_IDLE_HELP "poses are scored as they stand: no box is needed, and nothing is searched"

/* Units of exhaustiveness, at most. */
enum { BERTH_EXHAUSTIVENESS_MAX = 2048 };

/* The one table; its rows' commands are bits of runs. */
extern const struct berth_option BERTH_OPTION_ROWS[];

/* The options of a run.  Each row of the table sets the field of its name, which help there
 * explains; a field that the run has no option for holds the default that others have.  Texts are
 * NULL, and numbers as noted, where nothing is asked for. */
struct berth_options {
    /* Input */
    struct berth_arguments folders, inputs;
    const char *input;
    const char *receptor; /* a path, or several with commas between */
    const char *library, *ligand, *only, *mode, *smiles_table, *structure_format;
    const char *forcefield, *scoring, *scoring_text, *reference;
    bool any_stereo, separate;
    struct berth_ligands_request prepare; /* molecules */

    /* The receptor and its site */
    struct berth_residues_asked asked;
    const char *ligand_smiles, *keep_waters, *displaceable_waters;
    const char *assembly;      /* "auto", "none" or one's name */
    double keep_waters_within; /* Å; 0: none */
    double min_plddt;          /* 0: any */
    bool allow_occupied, waters, build_missing, protonate, keep_types;
    double center[3], edges[3]; /* Å; NAN: not given */
    double autobox_add, size;   /* Å */
    const char *autobox_ligand, *box, *residues, *site;
    size_t sites;

    /* What moves beside a ligand, and what ligands are bonded to */
    const char *flexible_residues, *covalent;
    double flexible_within; /* Å; 0: none */
    size_t flexible_most;
    bool full_flex_output;

    /* Proteins as ligands */
    bool protein;
    double rotation_spacing; /* degrees */
    size_t starts;

    /* A campaign: numbers, or shares ("5 %"), and % */
    const char *budget, *seek, *sample, *model;
    long long rounds;
    double explore, recall;
    bool choose_only;

    /* The search; its numbers are -1 where the level has its own */
    const char *search;
    int64_t exhaustiveness, poses, generations, parents, refine, refine_evaluations, hops;
    bool minimize, refine_torsions, small;
    const char *pool; /* NULL: as the ranking says */
    const char *stages, *restraints, *template_file, *core, *no_core, *metal_sites;
    double core_tolerance, core_weight; /* Å, and the function's unit */
    size_t min_core;
    double water_price; /* the function's unit */
    uint64_t seed;
    size_t seeds;

    /* Output */
    const char *out, *out_also, *out_each, *out_poses, *scores, *failures, *mol2, *view, *db;
    const char *run_json, *rank, *rescore, *require;
    const char *tags; /* NULL: berth's own alone */
    bool sdf, relax, report, verbose;
    size_t num_modes, rescore_top;
    int64_t top;         /* -1: as the first shard was run */
    double min_rmsd;     /* Å */
    double energy_range; /* the function's unit; INFINITY: any */
    double max_clash;    /* Å; INFINITY: any; -1: as the first shard was run */
    double strain_weight;

    /* Running */
    bool resume, overwrite;
    const char *shard;
    double time_limit, checkpoint; /* s; 0: none */

    /* The device */
    const char *device, *variant, *build_options, *check_named;
    size_t cpu, batch, check; /* 0: one thread a core; by device; never */
    double batch_limit;       /* s */
    bool profile;

    /* How it was asked */
    unsigned run;              /* one of the bits */
    const atomic_bool *stop;   /* borrowed, or NULL; see berth_options_stop_at */
    struct berth_option *rows; /* owned; the run's of the table, ended as it is */
    struct berth_parsed parsed;
};

/* The bit of a run by its command ("prep ligands"); 0: there is no such run. */
unsigned berth_run_of(const char *command);

/* Begins the options of a run, with their defaults; program: those of the program, without what the
 * library alone has; else the other way round.  The caller clears *options.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_options_begin(unsigned run, bool program, struct berth_options *options,
                                      struct berth_error *error);
void berth_options_clear(struct berth_options *options);

/* Options that were given, those of another run, or NULL, with the defaults then, as they are for
 * one of these runs (bits), the first of which has the defaults.  *mine is the caller's to clear,
 * and holds nothing where options are given.  Errors: BERTH_E_USAGE (made for another run),
 * BERTH_E_MEMORY. */
enum berth_status berth_options_of(const struct berth_options *given, unsigned runs,
                                   struct berth_options *mine, const struct berth_options **options,
                                   struct berth_error *error);

/* A copy, texts and all, which the caller clears.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_options_copy(const struct berth_options *options,
                                     struct berth_options *copy, struct berth_error *error);

/* True where the user set this option. */
bool berth_options_has(const struct berth_options *options, const char *name);

/* The name as the table has it, a constant; NULL: the run has no such option. */
const char *berth_options_name(const struct berth_options *options, const char *name);

#endif
