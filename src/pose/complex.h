/* A complex: a receptor as it was docked into, and the pose that stands in it.  The one place that
 * cuts the ligand out, bonds poses to a residue and moves side chains: whoever looks at poses in
 * their receptor opens a complex and puts them in. */
#ifndef BERTH_POSE_COMPLEX_H
#define BERTH_POSE_COMPLEX_H

#include <limits.h>

#include "base/log.h"
#include "chem/features.h"
#include "format/receptor_file.h"
#include "format/run_card.h"

/* What makes it; everything is borrowed. */
struct berth_complex_source {
    const char *receptor; /* .brec, or what `berth prep receptor` takes; a Mol2's residues and
                             types are all kept */
    struct berth_residues_asked asked;
    const char *ligand_smiles;   /* of the ligand that is cut out; NULL: its bonds are perceived */
    const char *covalent;        /* the atom that poses are bonded to, "CYS A:25 SG" (see
                                    berth_covalent); NULL or "": they are free */
    const struct berth_log *log; /* told what was prepared; or NULL */
};

struct berth_complex {
    struct berth_receptor receptor; /* owned; its bonds go by distance */
    struct berth_featured featured; /* owned; of receptor, where it stands */
    double (*given)[3]; /* owned; [atoms]: Å, as the file has them; NULL: as they are */
    /* owned; [atoms]: of the residue that poses are bonded to, a part of which they hold, and what
     * is bonded to that; NULL: poses are free */
    bool *held;
    bool named;       /* the pose is the structure's own ligand: texts have its atoms' names */
    size_t looked_at; /* poses, until the first that is at the receptor */
    bool reached;     /* by one of them */
};

/* Opens it, without a pose; it must stay where it is.  The caller clears *complex either way.
 * Errors: those of the readers; BERTH_E_FORMAT (a .brec of version 1; no such residue as poses are
 * bonded to); BERTH_E_USAGE where residues are asked for of a .brec. */
enum berth_status berth_complex_open(const struct berth_complex_source *source,
                                     struct berth_complex *complex, struct berth_error *error);

/* Likewise, with the ligand that is cut out as it stands, with all hydrogens and its residue's name
 * as title.  The caller clears *ligand, too.  Errors: as above; BERTH_E_FORMAT (other SMILES). */
enum berth_status berth_complex_open_own(const struct berth_complex_source *source,
                                         struct berth_complex *complex,
                                         struct berth_molecule *ligand, struct berth_error *error);

/* Opens one more, for another thread, of one that has no pose yet.  The caller clears *complex
 * either way.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_complex_copy(const struct berth_complex *from,
                                     struct berth_complex *complex, struct berth_error *error);

/* Puts a pose in: side chains move to where it has them, as its tag says (see
 * berth_side_chains_text); "": where the file has them.  Errors: BERTH_E_FORMAT (no such atom),
 * BERTH_E_MEMORY. */
enum berth_status berth_complex_put(struct berth_complex *complex,
                                    const struct berth_molecule *pose, const char *side_chains,
                                    struct berth_error *error);

/* Errors: BERTH_E_USAGE where no heavy atom of any pose that was put in came within 4 Å of the
 * receptor, of which path is the file: it is another one's. */
enum berth_status berth_complex_reached(const struct berth_complex *complex, const char *path,
                                        struct berth_error *error);

/* Whether a heavy atom of the pose is nearer than reach (Å) to one of the receptor's. */
bool berth_pose_reaches(const struct berth_molecule *receptor, const struct berth_molecule *pose,
                        double reach);

/* A zeroed one is accepted. */
void berth_complex_clear(struct berth_complex *complex);

/* --- Of a run --- */

/* The receptors that a run's poses are in, each opened when it is first asked for. */
struct berth_complexes {
    const struct berth_run_card *run; /* borrowed; nothing is known: there is none */
    const char *const *receptors;     /* borrowed; [receptor_count]: files, of those that the
                                         card does not name */
    size_t receptor_count;
    bool instead; /* of those that it names */
    const struct berth_log *log;
    struct berth_opened_complex *opened; /* owned; [count] */
    size_t count;
};

struct berth_opened_complex {
    char path[PATH_MAX];
    struct berth_complex complex;
    enum berth_status status; /* what opening it gave */
    struct berth_error error;
};

/* The complex of the receptor that poses call so, "" where there is one alone.  It is the
 * complexes'.  Errors: those of berth_complex_open, each time that it is asked for again;
 * BERTH_E_USAGE, with the option "receptor", where no file is known. */
enum berth_status berth_complexes_find(struct berth_complexes *complexes, const char *name,
                                       struct berth_complex **complex, struct berth_error *error);

/* A zeroed one is accepted. */
void berth_complexes_clear(struct berth_complexes *complexes);

#endif
