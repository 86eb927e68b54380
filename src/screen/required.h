/* Which poses of a screen make the interactions that are asked for. */
#ifndef BERTH_SCREEN_REQUIRED_H
#define BERTH_SCREEN_REQUIRED_H

#include "dock/requirement.h"
#include "dock/flexible/side_chains.h"
#include "format/library/library.h"
#include "screen/records.h"

struct berth_ensemble;

/* The table in the folder of the results: how many ligands make what. */
#define BERTH_REQUIRED_TABLE "required.csv"

/* The poses of a screen, and where they are; everything is borrowed. */
struct berth_screen_poses {
    const struct berth_library_reader *library;
    struct berth_library_range range; /* the ligands that the records are of */
    struct berth_run_records *records;
    size_t num_modes;                            /* of each ligand, at most */
    double center[3];                            /* Å: of the site */
    const struct berth_side_chains *side_chains; /* [receptors]; NULL: none moves */
};

/* What is asked for, of which receptors; everything is borrowed. */
struct berth_required_setup {
    const char *require;                                    /* see struct berth_requirements */
    const char *const *receptors;                           /* paths; [count] */
    struct berth_residues_asked asked[BERTH_RECEPTORS_MAX]; /* of each */
    size_t count;
    char covalent[BERTH_RESIDUE_TEXT_SIZE + BERTH_NAME_SIZE]; /* what ligands are bonded to, "CYS
                                                                 A:25 SG"; "": they are free */
};

/* Of the receptors of a run. */
struct berth_required_setup berth_required_setup_of(const struct berth_ensemble *receptors,
                                                    const char *require);

/* Which modes of which ligands make it. */
struct berth_required {
    struct berth_requirements asked;
    struct berth_requirement_counts ligands; /* that have a pose that makes it */
    struct berth_made_poses made;            /* owned: which poses make all */
};

/* Whether that can be asked, of these receptors.  Errors: those of reading them; BERTH_E_USAGE. */
enum berth_status berth_required_check(const struct berth_required_setup *setup,
                                       struct berth_error *error);

/* Looks at all of the poses, as they stand in the journals, by a thread for each
 * processor.  The caller clears *required either way.  Errors: those of reading receptors and
 * journals; BERTH_E_USAGE (what is asked for; no such residue); BERTH_E_MEMORY. */
enum berth_status berth_required_find(const struct berth_required_setup *setup,
                                      const struct berth_screen_poses *poses,
                                      struct berth_required *required, struct berth_error *error);

/* Writes required.csv in the folder: how many ligands make what.  Errors: BERTH_E_IO. */
enum berth_status berth_required_write(const struct berth_required *required, const char *folder,
                                       struct berth_error *error);

void berth_required_clear(struct berth_required *required);

#endif
