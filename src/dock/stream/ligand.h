/* A ligand on its way: read and packed, docked conformer by conformer, and what came out for it. */
#ifndef BERTH_DOCK_STREAM_LIGAND_H
#define BERTH_DOCK_STREAM_LIGAND_H

#include "base/log.h"
#include "dock/docking.h"
#include "dock/modes.h"
#include "dock/result.h"
#include "format/library/library.h"

struct berth_stream_ligand {
    struct berth_stream_ligand *next;
    struct berth_result result;            /* its texts are owned, too */
    char *title, *failure;                 /* owned: these */
    struct berth_packed_conformer *packed; /* owned; [conformer_count] */
    struct berth_packed_flexible flexible; /* owned; the torsions of all of them */
    double *strains;                       /* owned; [conformer_count]: kJ/mol; NAN where unknown */
    double rotors;                         /* see chem/torsion.h */
    double strain_weight;                  /* 0 where a strain is unknown */
    size_t torsions;                       /* flexible ones, and such as move no heavy atom */
    size_t receptors;                      /* that it is docked to */
    size_t taken, finished;                /* conformers; and in each of the receptors */
    size_t bad;                        /* number of the first conformer without energy; 0: none */
    size_t bad_device, bad_receptor;   /* which gave none, and where; of the setup */
    struct berth_stream_poses *found;  /* owned; [conformer_count][receptors] */
    bool several;                      /* modes: all poses are kept, and */
    struct berth_library_ligand whole; /* what symmetry and places need */
    size_t capacity; /* of packed, strains and found, while conformers are added */
};

/* What modes are chosen among once all conformers are done: the poses of a conformer, or its best
 * one. */
struct berth_stream_poses {
    struct berth_pose *poses; /* owned; [count] */
    float *angles;            /* owned; [count][BERTH_TORSIONS], rad; NULL without refinement */
    float conformer_energy;   /* kJ/mol: as struct berth_found has it */
    size_t count;
    size_t device; /* of the setup */
};

/* What a conformer (from 0) came to in a receptor. */
struct berth_stream_poses *berth_stream_found(const struct berth_stream_ligand *ligand,
                                              size_t conformer, size_t receptor);

/* How ligands are to be docked. */
struct berth_stream_settings {
    size_t receptors;                    /* that they are docked to */
    bool several;                        /* modes */
    bool flexible;                       /* torsions are */
    const struct berth_scoring *scoring; /* borrowed */
    double strain_weight;                /* see struct berth_mode_settings */
    const struct berth_log *log;         /* borrowed */
};

/* A ligand of the docking stream, packed; whole: moved from where several modes are wanted.  The
 * caller destroys *made or gives it away.  Errors: BERTH_E_MEMORY, BERTH_E_USAGE (see
 * berth_pack_conformer), BERTH_E_FORMAT (see berth_flexible_from_tree). */
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

/* A conformer that is read by itself. */
struct berth_stream_conformer {
    struct berth_molecule *molecule;       /* moved from */
    const struct berth_heavy_atoms *heavy; /* borrowed for the call */
    double strain;                         /* kJ/mol; NAN where unknown */
};

/* A ligand whose conformers are still to be added, and all of whose modes can be had.  The caller
 * destroys *made or gives it away.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stream_ligand_begin(uint64_t ordinal, size_t receptors,
                                            struct berth_stream_ligand **made,
                                            struct berth_error *error);

/* Adds a conformer; the first one names the ligand (see berth_ligand_add).  Errors: BERTH_E_MEMORY,
 * BERTH_E_USAGE (see berth_pack_conformer). */
enum berth_status berth_stream_ligand_add(struct berth_stream_ligand *ligand,
                                          const struct berth_stream_conformer *conformer,
                                          bool whole_title,
                                          const struct berth_stream_settings *settings,
                                          struct berth_error *error);

/* The poses of all conformers of a ligand that are docked, as choosing modes wants them: owned. */
struct berth_gathered_poses {
    struct berth_pose *poses; /* [conformers][stride] */
    float *angles;            /* [conformers][stride][BERTH_TORSIONS]; NULL without refinement */
    float *conformer_energy;  /* [conformers] */
    size_t *counts;           /* [conformers] */
    size_t stride;
    struct berth_torsion_tree tree; /* the count alone counts, where the ligand is not whole */
    struct berth_docked docked;     /* borrowed from these and the ligand */
};

/* Those in one of the receptors.  The caller clears *all, also after an error.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_stream_ligand_gather(const struct berth_stream_ligand *ligand,
                                             size_t receptor, struct berth_gathered_poses *all,
                                             struct berth_error *error);
void berth_gathered_poses_clear(struct berth_gathered_poses *all);

/* Gives a ligand its failure, and tells the log (or NULL).  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stream_ligand_fail(struct berth_stream_ligand *ligand, const char *reason,
                                           const struct berth_log *log, struct berth_error *error);

/* The same of one of which no pose has a finite total. */
enum berth_status berth_stream_ligand_fail_total(struct berth_stream_ligand *ligand,
                                                 const struct berth_scoring *scoring,
                                                 const struct berth_log *log,
                                                 struct berth_error *error);

/* Chooses the modes of a ligand whose conformers are all docked, into its result: up to
 * settings->count in each receptor, all of them together best first; settings' strains and their
 * weight are the ligand's own.  Without a finite total for any pose the ligand fails, which the log
 * (or NULL) is told.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stream_choose_modes(const struct berth_mode_settings *settings,
                                            struct berth_stream_ligand *ligand,
                                            const struct berth_log *log, struct berth_error *error);

#endif
