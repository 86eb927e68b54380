/* A ligand on its way: read and packed, docked conformer by conformer, and what came out for it. */
#ifndef BERTH_DOCK_STREAM_LIGAND_H
#define BERTH_DOCK_STREAM_LIGAND_H

#include "base/log.h"
#include "dock/covalent/covalent.h"
#include "dock/docking.h"
#include "dock/modes.h"
#include "dock/restraints/restraints.h"
#include "dock/flexible/side_chains.h"
#include "dock/typed_receptor.h"
#include "format/library/library.h"

/* A ligand for the devices: alone, or beside the side chains of one receptor. */
struct berth_packed_ligand {
    struct berth_packed_conformer *conformers; /* owned; [conformer_count] */
    struct berth_packed_flexible flexible;     /* owned; the torsions of all of them */
    berth_int32 *judged; /* owned; [judges][atoms of a conformer]; NULL: there are none */
    size_t torsions;     /* flexible ones, side chains' included, and such as move no heavy atom */
};

struct berth_stream_ligand {
    struct berth_stream_ligand *next;
    struct berth_result result;         /* its texts are owned, too */
    char *title, *failure;              /* owned: these */
    struct berth_packed_ligand *packed; /* owned; [packed_count] */
    size_t packed_count; /* 1, for all receptors; or one for each, whose side chains move */
    const struct berth_restraints
        *restraints;                    /* borrowed; NULL: there are none; about this site: */
    double center[3];                   /* Å */
    struct berth_restrained restrained; /* owned; those of all of them */
    double *strains;                    /* owned; [conformer_count]: kJ/mol; NAN where unknown */
    double moved;                       /* as of a conformer: of the last one */
    double rotors;                      /* see chem/torsion.h */
    unsigned unjudged;                  /* bit k: judge k has no types for it, and says nothing */
    size_t receptors;                   /* that it is docked to */
    size_t seeds;                       /* that each conformer is docked with, 1 or more */
    size_t taken, finished;             /* conformers, with each seed; and in each receptor */
    size_t bad;                         /* number of the first conformer without energy; 0: none */
    size_t bad_device, bad_receptor;    /* which gave none, and where; of the setup */
    struct berth_docked_poses *found;   /* owned; [conformer_count][seeds][receptors] */
    struct berth_library_ligand whole;  /* what symmetry and places need */
    struct berth_library_ligand given;  /* owned; of a library's adduct: it, where it was */
    struct berth_flexible moves; /* owned, while conformers are added: what the torsional term
                                    of rigid ones needs */
    size_t capacity;             /* likewise: of conformers, strains and found */
};

/* What a conformer (from 0) came to with a seed of the run's (from 0) in a receptor. */
struct berth_docked_poses *berth_stream_found(const struct berth_stream_ligand *ligand,
                                              size_t conformer, size_t seed, size_t receptor);

/* How often its conformers are docked in each receptor, in all. */
size_t berth_stream_dockings(const struct berth_stream_ligand *ligand);

/* How ligands are to be docked. */
struct berth_stream_settings {
    bool nameless;    /* all have the same random numbers, whatever they are called: poses */
    size_t receptors; /* that they are docked to */
    size_t seeds;     /* that each conformer is docked with; 0: one */
    bool flexible;    /* torsions are */
    const struct berth_scoring *scoring; /* borrowed */
    const struct berth_log *log;         /* borrowed */
    /* Borrowed; [judge_count]: further functions, which judge. */
    const struct berth_judging_function *judges;
    size_t judge_count;
    struct berth_restraints *restraints; /* borrowed, or NULL; ligands are read as a whole */
    unsigned pool; /* functions that search (engine/levels.h): these must have its types */
    /* Borrowed; [receptors]; NULL: the receptors do not move. */
    const struct berth_side_chains *side_chains;
    /* Borrowed; ligands are adducts, were attached, and side_chains is its frame; NULL: they are
     * not bonded to the receptor. */
    const struct berth_covalent *covalent;
    double center[3]; /* Å: of the site; for these, and restraints */
};

/* A ligand whose conformers are still to be added.  The caller destroys *made or gives it away.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_stream_ligand_begin(uint64_t ordinal,
                                            const struct berth_stream_settings *settings,
                                            struct berth_stream_ligand **made,
                                            struct berth_error *error);

/* A conformer to be added. */
struct berth_stream_conformer {
    const struct berth_heavy_atoms *heavy; /* borrowed for the call */
    double strain;                         /* kJ/mol; NAN where unknown */
    double moved; /* Å from where it stood, if it was relaxed; negative where it was not */
    /* Borrowed for the call: of its ligand the SMILES and properties; NULL: none is known. */
    const struct berth_library_ligand *known;
    /* The whole of it, moved from; the first one names the ligand, by its whole title or what is
     * common to its conformers' (berth_ligand_add). */
    struct berth_molecule *molecule;
    bool whole_title;
    /* Or NULL, and the docking stream has: */
    const struct berth_docking_ligand *streamed; /* borrowed for the call */
};

/* Adds a conformer: berth's one way to make a ligand for the devices.  Errors: BERTH_E_MEMORY,
 * BERTH_E_USAGE (see berth_pack_conformer), BERTH_E_FORMAT (see berth_flexible_from_tree),
 * BERTH_E_TYPE (an atom that a judge which searches has no type for). */
enum berth_status berth_stream_ligand_add(struct berth_stream_ligand *ligand,
                                          const struct berth_stream_conformer *conformer,
                                          const struct berth_stream_settings *settings,
                                          struct berth_error *error);

/* A ligand of the docking stream with all its conformers; whole: moved from.  The caller destroys
 * *made or gives it away.  Errors: as above. */
enum berth_status berth_stream_ligand_create(const struct berth_docking_ligand *ligand,
                                             const struct berth_stream_settings *settings,
                                             struct berth_library_ligand *whole,
                                             struct berth_stream_ligand **made,
                                             struct berth_error *error);

/* One that failed before it was docked; title: NULL where it is not known. */
enum berth_status berth_stream_ligand_create_failed(uint64_t ordinal, const char *title,
                                                    const char *reason,
                                                    struct berth_stream_ligand **made,
                                                    struct berth_error *error);

/* NULL is accepted. */
void berth_stream_ligand_destroy(struct berth_stream_ligand *ligand);

/* True where it is to be ranked with a weight on its conformers' strains, and one is unknown. */
bool berth_stream_ligand_is_unweighted(const struct berth_stream_ligand *ligand, double weight);

/* Gives a ligand its failure, and tells the log (or NULL).  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stream_ligand_fail(struct berth_stream_ligand *ligand, const char *reason,
                                           const struct berth_log *log, struct berth_error *error);

/* What became of a ligand's conformers. */
enum berth_mode_kind {
    BERTH_MODES_DOCKED,    /* a search: several poses */
    BERTH_MODES_MINIMIZED, /* one pose, whose RMSD is to where the molecule stood, if to nothing
                            * else
                            */
    BERTH_MODES_STANDING   /* it stands where it stood, and was scored there */
};

/* Chooses the modes of a ligand whose conformers are all done, up to num_modes in each receptor,
 * all of them together best first; settings' strains are the ligand's own, and what clashes is
 * among them.  Without a finite total for any pose the ligand fails, which the log (or NULL) is
 * told.  The caller clears *modes.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stream_ligand_choose(struct berth_stream_ligand *ligand,
                                             enum berth_mode_kind kind,
                                             const struct berth_mode_settings *settings,
                                             const struct berth_log *log, struct berth_modes *modes,
                                             struct berth_error *error);

/* What ligands are ordered by, of this one and its modes: see berth_result_ranking. */
double berth_stream_ligand_ranking(const struct berth_stream_ligand *ligand,
                                   const struct berth_ranker *ranker,
                                   const struct berth_modes *modes);

/* Asks the ranker's model, if it has one, about the modes that are kept of a ligand, and orders
 * them again where the ranking looks at what it says.  Errors: those of berth_rescorer_run. */
enum berth_status berth_stream_ligand_rescore(const struct berth_stream_ligand *ligand,
                                              const struct berth_ranker *ranker,
                                              struct berth_modes *modes, struct berth_error *error);

#endif
