/* What users know of a pose: restraints, read from a file (docs/restraints.md), found in receptors
 * and in ligands. */
#ifndef BERTH_DOCK_RESTRAINTS_RESTRAINTS_H
#define BERTH_DOCK_RESTRAINTS_RESTRAINTS_H

#include <stdatomic.h>

#include "base/log.h"
#include "base/sha256.h"
#include "chem/site.h"
#include "chem/structure.h"
#include "dock/typed_receptor.h"
#include "prep/patterns.h"
#include "score/pose.h"
#include "score/restraint.h"

enum { BERTH_SPOTS_MAX = 8 };

/* Å: what a point may lie on the wrong side of a radius by and meet the restraint: forces are weak
 * there. */
#define BERTH_RESTRAINT_SLACK 0.25

/* How a pose stands to a restraint, and in words.  An open site of a metal draws donors that are
 * near it, and does not apply to others: at 8 Å it is worth 2 % of its weight. */
enum berth_standing_to { BERTH_STANDS_UNMET, BERTH_STANDS_MET, BERTH_STANDS_APART };
extern const char *const BERTH_STANDS[]; /* "not met", "met", "does not apply" */
/* The same of an open site of a metal: "not taken", "taken", "does not apply". */
extern const char *const BERTH_STANDS_METAL[];
enum berth_standing_to berth_restraint_stands(bool met, bool metal, double distance);

enum { BERTH_STANDING_NAMED = 3, BERTH_STANDING_NAME = 64 };

/* How many ligands' best poses meet each restraint, and to how many it does not apply, of how many;
 * and the names of the first that do not. */
struct berth_standing_counts {
    size_t met[BERTH_RESTRAINTS_MAX], unmet[BERTH_RESTRAINTS_MAX], apart[BERTH_RESTRAINTS_MAX], of;
    char named[BERTH_RESTRAINTS_MAX][BERTH_STANDING_NAMED][BERTH_STANDING_NAME];
};

/* Counts how the ligand of this name stands to restraint k; of is the caller's. */
void berth_standing_count(struct berth_standing_counts *counts, size_t k,
                          enum berth_standing_to stands, const char *name);

/* What the text of a metal's restraint begins with. */
#define BERTH_OPEN_SITE "open site of metal "

/* Å: places that are farther out are of what a receptor lacks. */
#define BERTH_RESTRAINT_NOWHERE 1e4

/* A place as a line names it: coordinates, or atoms of a receptor. */
struct berth_spot {
    bool residue; /* of which is told: */
    char chain[BERTH_LABEL_SIZE], name[BERTH_LABEL_SIZE], atom[BERTH_LABEL_SIZE]; /* "": any */
    int number;
    double position[3]; /* or Å */
};

/* Reads a residue or an atom of a receptor: "A:MET793:N", "MET793:N", "A:ZN300", "ZN300"; *spot is
 * zeroed.  False: it is none. */
bool berth_spot_read(const char *word, struct berth_spot *spot);

/* A line of the file. */
struct berth_restraint_rule {
    size_t line;
    char *text;                 /* owned: the line */
    int subject;                /* what of a ligand counts: see restraints.c */
    bool either;                /* a donor or an acceptor */
    struct berth_pattern *core; /* owned; SMARTS; NULL: by subject, or what is common */
    char *reference;            /* owned: the file of a core's; NULL: it is no core */
    double (*core_places)[3]; /* owned; [core_count], Å: of a core's atoms there; NULL: not read */
    size_t core_count;
    struct berth_template *whole; /* owned: the reference, where the core is what is common */
    size_t least;                 /* atoms of such a core */
    bool refuses;                 /* ligands without the core */
    bool metal; /* an open site of one, found: each element that binds has a place of its own */
    bool avoided, required, over;
    double radius, weight; /* Å, the function's unit; NAN: by default */
    double soft; /* of a core that is not held: what being off it costs at most; 0: it is held */
    struct berth_spot spots[BERTH_SPOTS_MAX];
    size_t spot_count;
    size_t places[2];      /* its places in each receptor: the first, and behind the last */
    atomic_size_t matched; /* ligands that have such points */
};

struct berth_restraints {
    char *path;                    /* owned */
    struct berth_matcher *matcher; /* owned; of patterns; NULL: there are none */
    struct berth_restraint_rule rules[BERTH_RESTRAINTS_MAX];
    size_t count;
    struct berth_places places[BERTH_RECEPTORS_MAX]; /* owned */
    size_t place_capacity[BERTH_RECEPTORS_MAX];
    atomic_size_t ligands;
    size_t metals;       /* the last so many rules are open sites of metals; each costs, at most, */
    double metal_weight; /* the function's unit */
    unsigned metal_donors; /* bit d: one has a place for donors of kind d
                              (dock/restraints/restraints_metal.c) */
    char bound[64]; /* a metal whose open sites a place stands for, "A:ZN701"; "": there is none */
};

/* Reads the file.  The caller clears *restraints, zeroed before, also after an error.  Errors:
 * BERTH_E_IO, BERTH_E_FORMAT (names the line), BERTH_E_MEMORY. */
enum berth_status berth_restraints_read(const char *path, struct berth_restraints *restraints,
                                        struct berth_error *error);

/* The same from memory; name stands for the path in messages. */
enum berth_status berth_restraints_read_memory(const char *name, const void *bytes, size_t size,
                                               struct berth_restraints *restraints,
                                               struct berth_error *error);

/* What ligands have in common with a reference, by a search's options. */
struct berth_template_setup {
    const char *path; /* of the reference */
    const char *core; /* SMARTS; NULL: the largest part in common */
    double tolerance; /* Å */
    double weight;    /* what being off it costs at most, the function's unit; 0: no bound */
    size_t least;     /* atoms of that */
    bool refuses;     /* ligands without the core */
};

/* Adds a core, behind what was read.  The caller clears *restraints, also after an error.  Errors:
 * BERTH_E_USAGE (there is a core; 16 restraints), BERTH_E_FORMAT (not SMARTS), BERTH_E_MEMORY. */
enum berth_status berth_restraints_add_template(struct berth_restraints *restraints,
                                                const struct berth_template_setup *setup,
                                                struct berth_error *error);

/* Finds the places in a receptor, number k of the run's, in order.  Errors: BERTH_E_FORMAT (names
 * the line: no such atom, several, a hydrogen bond that it cannot make), those of a core's
 * reference, BERTH_E_MEMORY. */
enum berth_status berth_restraints_place(struct berth_restraints *restraints, size_t k,
                                         const struct berth_typed_receptor *receptor,
                                         struct berth_error *error);

/* Of which metals open sites draw donors: of none, of those that a ligand which was cut out binds
 * or where none was, of all. */
enum berth_metal_sites { BERTH_METAL_SITES_OFF, BERTH_METAL_SITES_AUTO, BERTH_METAL_SITES_ON };

/* Adds the open coordination sites (chem/coordination.h) of these metals that poses in the site
 * reach and no place stands near, behind what was placed in all of the receptors [count], as long
 * as there is room.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_restraints_add_metals(struct berth_restraints *restraints,
                                              const struct berth_typed_receptor *const *receptors,
                                              size_t count, const struct berth_site *site,
                                              enum berth_metal_sites which,
                                              struct berth_error *error);

/* Says that scores lack what open sites are worth where a place stands for them; unit: of the
 * function. */
void berth_restraints_note_bound(const struct berth_restraints *restraints, const char *unit,
                                 const struct berth_log *log);

/* Tells rankings and tables of them. */
void berth_restraints_name(const struct berth_restraints *restraints, struct berth_judges *judges);

/* Finds what of a ligand is restrained; the caller clears *restrained.  By any thread.  Errors:
 * BERTH_E_FORMAT (it lacks a core that it must have), BERTH_E_MEMORY. */
enum berth_status berth_restraints_match(struct berth_restraints *restraints,
                                         const struct berth_molecule *ligand,
                                         struct berth_restrained *restrained,
                                         struct berth_error *error);

/* Notes in the pose how far its points are from their places in receptor k, and how many required
 * restraints it does not meet. */
enum berth_status berth_restraints_measure(const struct berth_restraints *restraints, size_t k,
                                           const double center[3],
                                           const struct berth_packed_conformer *conformer,
                                           struct berth_pose *pose, struct berth_error *error);

/* Tells the log of restraints whose places, in any of so many receptors, lie where no pose in the
 * site reaches. */
void berth_restraints_warn_far(const struct berth_restraints *restraints, size_t receptors,
                               const struct berth_site *site, const struct berth_log *log);

/* Warns log of a reference of a core, a template, that overlaps the receptor. */
void berth_restraints_warn_overlap(const struct berth_restraints *restraints,
                                   const struct berth_typed_receptor *receptor,
                                   const struct berth_log *log);

/* Tells the log of restraints that no ligand has points for. */
void berth_restraints_warn(const struct berth_restraints *restraints, const struct berth_log *log);

/* What stands for them in a run's identity: all that they come to in so many receptors. */
void berth_restraints_hash(const struct berth_restraints *restraints, size_t receptors,
                           char digest[BERTH_SHA256_TEXT]);

void berth_restraints_clear(struct berth_restraints *restraints);

#endif
