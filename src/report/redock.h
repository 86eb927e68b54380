/* What a redocking shows: the right pose, or whose failure it is that another one came first. */
#ifndef BERTH_MODEL_REDOCK_H
#define BERTH_MODEL_REDOCK_H

/* Å: the symmetry-corrected RMSD to the crystal pose below which a pose counts as right. */
#define BERTH_REDOCK_NEAR 2.0

enum berth_redock_outcome {
    BERTH_REDOCK_RIGHT,     /* the top pose is right */
    BERTH_REDOCK_SCORING,   /* it is not, and has no higher an energy than the crystal pose: the
                               search did its work, the energy misleads */
    BERTH_REDOCK_CONFORMER, /* its energy is above the crystal pose's, but no conformer that was
                               docked can do better in the crystal's place */
    BERTH_REDOCK_SEARCH     /* a right pose of lower energy was there to be found */
};

/* What the outcome is decided by.  Energies in kJ/mol. */
struct berth_redock_facts {
    double top_rmsd;       /* Å: of the top pose to the crystal pose */
    double top_energy;     /* of the top pose */
    double crystal_energy; /* of the crystal pose, minimised */
    double placed_energy;  /* the lowest of the conformers that were docked, each laid onto the
                              crystal pose and minimised there, as far as that stays right; infinity
                              where none does; crystal_energy where the crystal's conformer was
                              docked */
};

enum berth_redock_outcome berth_redock_outcome_of(const struct berth_redock_facts *facts);

/* "right", "scoring", "conformer", "search". */
const char *berth_redock_name(enum berth_redock_outcome outcome);

#endif
