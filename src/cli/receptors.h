/* The receptors of a command. */
#ifndef BERTH_CLI_RECEPTORS_H
#define BERTH_CLI_RECEPTORS_H

#include <limits.h>

#include "base/options.h"
#include "chem/selection.h"
#include "berth.h"
#include "format/run_json.h"
#include "report/pose_tables.h"

enum { CLI_RECEPTORS_MAX = 32 };

/* Zeroed to begin with. */
struct cli_receptors {
    berth_receptor *handles[CLI_RECEPTORS_MAX]; /* owned; [count] */
    const char *paths[CLI_RECEPTORS_MAX];       /* borrowed of `text`; [path_count] */
    size_t count, path_count;
    char *text;         /* owned */
    char scoring[1024]; /* the functions that a ranking needs; "": as named */
};

/* Splits what --receptor says into paths: one file, or several with commas between.  (One that
 * exists is one, with all commas in its name.)  The caller clears *receptors.  Errors:
 * BERTH_E_USAGE (too many, an empty one), BERTH_E_MEMORY. */
enum berth_status cli_receptors_split(const char *text, struct cli_receptors *receptors,
                                      struct berth_error *error);

/* Loads them all; the box is the first one's.  Errors: those of berth_receptor_load. */
enum berth_status cli_receptors_load(const struct berth_options *options,
                                     struct cli_receptors *receptors, struct berth_error *error);

/* Loads the receptors with the functions that what ranks brings along (berth_options_ranking),
 * which becomes the options' own.  Where one of the functions of what ranks by default has no types
 * for a receptor, the first ranks alone, and a warning says so. */
enum berth_status cli_receptors_load_ranked(struct cli_receptors *receptors,
                                            struct berth_options *options,
                                            struct berth_error *error);

/* What the user did not ask for of the receptor's residues is asked for as the run of the poses
 * did: a ligand that is cut out is said, as the receptor would overlap the poses with it.  run:
 * gets the card of that, which the caller clears, and whose texts *asked has then.  Errors: those
 * of reading run.json; BERTH_E_USAGE (several receptors, with commas between). */
enum berth_status cli_receptors_cut(const char *poses, const char *receptor,
                                    struct berth_run_card *run, struct berth_residues_asked *asked,
                                    struct berth_error *error);

/* Of a command that writes a table of poses: checks its files, and finds out what the run of the
 * poses says of their receptor, as cli_receptors_cut, whose errors it has, and those of
 * cli_check_files. */
enum berth_status cli_receptors_pose_table(struct berth_pose_table *table,
                                           struct berth_run_card *run, struct berth_error *error);

/* Refuses poses that are bonded to the receptor: they hold a part of a residue that the receptor
 * has, too.  Errors: BERTH_E_USAGE. */
enum berth_status cli_refuse_bonded(const char *poses, const struct berth_run_card *run,
                                    struct berth_error *error);

/* Refuses a command without a ligand, unless one is cut out of the receptor (cuts: this command can
 * take that) and there is a file beside which it can be written; and SMILES of that beside another
 * ligand.  Errors: BERTH_E_USAGE. */
enum berth_status cli_need_ligand(const struct berth_options *options, bool cuts,
                                  struct berth_error *error);

/* Says, where the ligand that was cut out failed, with which command its SMILES gives its bonds. */
void cli_suggest_smiles(const char *command, const struct berth_options *options);

/* Where there is neither a ligand nor one to cut out, but an atom that ligands are bonded to, the
 * one that the receptor's file has bonded there is cut out: options->ligand_id is ligand_id then.
 * Errors: those of berth_bonded_ligand. */
enum berth_status cli_bonded_ligand(struct berth_options *options,
                                    char ligand_id[BERTH_SELECTOR_TEXT], struct berth_error *error);

/* Where options->ligand is NULL it becomes `path`: the ligand that was cut out of the first
 * receptor, written to NAME.ligand.pdb beside the output; of one that is bonded to the receptor
 * NAME.ligand.smi.  Errors: those of berth_receptor_write_ligand and _bonded. */
enum berth_status cli_receptors_ligand(const struct cli_receptors *receptors,
                                       struct berth_options *options, char path[PATH_MAX],
                                       struct berth_error *error);

/* Says of a box in a --config file, which Vina and its kin mean for atoms, that here it is of the
 * ligand's centroid, unless --box is given. */
void cli_say_box(const struct berth_options *options);

/* Gives back what is loaded; the paths remain. */
void cli_receptors_unload(struct cli_receptors *receptors);

void cli_receptors_clear(struct cli_receptors *receptors);

#endif
