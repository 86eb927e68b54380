/* A pose: the one struct of it, from the device to the files, the journal and the library's
 * callers.  A device fills what it found; the host adds whose it is and what it computes of it. */
#ifndef BERTH_SCORE_POSE_H
#define BERTH_SCORE_POSE_H

#include <stdbool.h>
#include <stddef.h>

#include "chem/geometry.h"
#include "score/terms.h"
#include "shared.h"

/* All energies are in the scoring function's unit. */
struct berth_pose {
    /* What a device found. */
    struct berth_transform transform; /* the translation is relative to the site's centre */
    struct berth_terms terms;         /* of the scoring function, in its order */
    /* The energy's parts beside the terms (BERTH_POSE_PARTS), relative ones to `begun`: what they
     * are in the conformer as given.  Once poses are ranked these are relative to the least of all
     * the ligand's conformers, and NAN where nothing turns. */
    double parts[BERTH_PART_COUNT], begun[BERTH_PART_COUNT];
    bool refined;                 /* its torsions may have turned: */
    float angles[BERTH_TORSIONS]; /* rad, of the ligand's torsions (score/flexible.h), relative to
                                     the conformer */
    /* The energy between receptor and ligand by each function of the run; the first one's, of which
     * the terms are, once poses are ranked. */
    double scores[BERTH_FUNCTIONS_MAX];
    /* Whose it is. */
    size_t conformer; /* of the ligand's, from 0 */
    size_t receptor;  /* number of the one that it is in */
    size_t seed;      /* number of the run's seed that found it, from 0 */
    size_t device;    /* number in the list of devices that it goes with */
    size_t torsions;  /* of the ligand that a device turns */
    /* What the host computes of it. */
    double value;      /* what it is ranked by */
    double energy;     /* the sum of its terms */
    double ranking;    /* what the run's ranking makes of it among the ligand's; NAN: there is
                          none, or no number */
    double confidence; /* how probably it is right, 0 to 1: see dock/confidence.h; NAN: it is not
                          the ligand's first, or the ranking does not say */
    double seeds; /* of the run's so many put their first pose within 2 Å of it; NAN: it has one */
    double rotors;           /* of the ligand (chem/torsion.h); NAN where unknown */
    double conformer_strain; /* kJ/mol above the ligand's best conformer; NAN where unknown */
    double rmsd;             /* to the reference, Å; negative where there is none that matches */
    bool other_stereo;       /* the reference is a stereoisomer of it, so that there is no RMSD */
    double clash;            /* Å: see dock/clash.h; NAN where it was not looked for */
    float metal[2]; /* Å from the nearest metal of the receptor to the nearest N, O or S of
                       the pose, and to the second one; NAN where there is none */
    float twist;    /* degrees: see chem/twist.h; NAN: nothing that can be twisted, unknown */
    double learned[BERTH_LEARNED_MAX]; /* outputs of the run's model; NAN where it was not asked */
    float distances[BERTH_RESTRAINTS_MAX]; /* Å: of the run's restraints; NAN where it lacks what
                                              one is about */
    unsigned met;                          /* bit k: it meets number k */
    size_t unmet;                          /* required ones that it does not meet */
    double (*positions)[3]; /* NULL, or [atoms of the conformer]: Å, the receptor's frame */
};

/* One of which nothing is known but these. */
struct berth_pose berth_pose_of(double value, double energy, const struct berth_terms *terms);

/* The run's model was not asked about it. */
void berth_pose_unlearn(struct berth_pose *pose);

/* The sum of its terms, in the order in which the kernels add. */
float berth_pose_energy(const struct berth_pose *pose);

/* What the open sites of metals are worth to it that have a donor of it, 0 or below, and what being
 * off a template costs that does not hold it. */
double berth_pose_coordination(const struct berth_pose *pose, const struct berth_judges *judges);

/* What the open sites of metals are in the energy of its restraints, 0 or above: W for one that it
 * does not reach. */
double berth_pose_metal_cost(const struct berth_pose *pose, const struct berth_judges *judges);

/* What the poses of a conformer are ranked by: that energy and the other parts. */
float berth_pose_total(const struct berth_pose *pose);

#endif
