/* Scoring functions: what energies are, and which atom is what to them.
 *
 * A function has terms, each a function of the distance of two atoms and of their types; its typing
 * says which type an atom has: by Mol2 types from BUDE's forcefield, or by what the atom is to
 * Vina. */
#ifndef BERTH_SCORE_SCORING_H
#define BERTH_SCORE_SCORING_H

#include "score/forcefield.h"
#include "score/language/program.h"
#include "score/terms.h"

/* How atoms get their types. */
enum berth_typing {
    BERTH_TYPING_BUDE, /* by residue, name and Mol2 type, from a forcefield */
    BERTH_TYPING_VINA  /* by what the atom is to Vina (berth_vina_type), from the definition's types
                        */
};

struct berth_scoring {
    char *name;                    /* owned: "bude" */
    char unit[BERTH_UNIT_SIZE];    /* of energies: "kJ/mol" */
    struct berth_term_names terms; /* of pairs, and behind them the torsional one */
    enum berth_typing typing;
    bool built_in;                       /* no user's own function */
    struct berth_forcefield forcefield;  /* owned */
    size_t type_count;                   /* atoms' types are 0 .. type_count - 1 */
    struct berth_definition *definition; /* owned; what the function's file says */
    struct berth_score_program *program; /* owned; the same compiled for these types */
};

struct berth_scoring_choice {
    const char *path;    /* borrowed: a BUDE parameter file; NULL: built in */
    const char *scoring; /* borrowed: a built-in function's name, or a .score file */
    const char *text; /* borrowed: what such a file holds, of which scoring is the name; or NULL */
};

/* Vina's function, which finds and ranks best of the built-in ones (bench/RESULTS.md); and BUDE's,
 * whose published work benchmarks do. */
struct berth_scoring_choice berth_scoring_defaults(void);
struct berth_scoring_choice berth_scoring_published(void);

/* Reads the function; log receives its remarks, each once.  The caller clears *scoring.  Errors:
 * those of berth_bhff_read; BERTH_E_USAGE (no such scoring, or a text with a built-in one's name).
 */
enum berth_status berth_scoring_read(const struct berth_scoring_choice *choice,
                                     const struct berth_log *log, struct berth_scoring *scoring,
                                     struct berth_error *error);

/* BUDE's function with this forcefield, which it takes over; *forcefield is zeroed.  The caller
 * clears *scoring.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_scoring_of(struct berth_forcefield *forcefield,
                                   struct berth_scoring *scoring, struct berth_error *error);

/* The type of a heavy atom whose traits are known (chem/traits.h); negative where the function has
 * none for it.  log and title: as berth_forcefield_type. */
int berth_scoring_type(const struct berth_scoring *scoring, const struct berth_atom *atom,
                       const struct berth_log *log, const char *title);

/* Why a heavy atom has none: BERTH_E_TYPE that names molecule, atom and type. */
enum berth_status berth_scoring_untyped(const struct berth_scoring *scoring, const char *title,
                                        const struct berth_atom *atom, size_t number,
                                        struct berth_error *error);

/* The atom types of AutoDock Vina, from what an atom is.
 *
 * O. Trott, A. J. Olson, J. Comput. Chem. 31 (2010) 455; the rules are those that `vina` follows
 * for PDBQT files of Open Babel's: C_H is a carbon whose neighbours are carbons and hydrogens, C_P
 * another one; N and O are donors (D) where they bear a hydrogen, acceptors (A) where
 * berth_traits.acceptor says so, both (DA), or neither (P); halogens are hydrophobic (H); metals
 * are donors.  Selenium counts as sulfur.
 *
 * "C_H", "C_P", "N_P", "N_D", "N_A", "N_DA", "O_P", "O_D", "O_A", "O_DA", "S_P", "P_P", "F_H",
 * "Cl_H", "Br_H", "I_H", "Si", "At" or "Met_D"; NULL for an element that Vina does not know (B). */
const char *berth_vina_type(int element, const struct berth_traits *traits);

/* The element of atoms of a type; zinc for all metals, sulfur for selenium; 0 where Vina has no
 * such type. */
int berth_vina_element(const char *type);

/* Types every heavy atom of molecule, in the molecule's order; the caller clears *heavy.
 * log receives each use of the forcefield's fallback table.  Errors: BERTH_E_TYPE names molecule,
 * atom and type; BERTH_E_MEMORY. */
enum berth_status berth_scoring_assign(const struct berth_scoring *scoring,
                                       const struct berth_molecule *molecule,
                                       const struct berth_log *log, struct berth_heavy_atoms *heavy,
                                       struct berth_error *error);

/* Likewise; *untyped: the number, from 1, of the atom that BERTH_E_TYPE is about, else 0. */
enum berth_status berth_scoring_assign_told(const struct berth_scoring *scoring,
                                            const struct berth_molecule *molecule,
                                            const struct berth_log *log,
                                            struct berth_heavy_atoms *heavy, size_t *untyped,
                                            struct berth_error *error);

/* How many bonds two atoms of a ligand must be apart, at least, to take part in its energy with
 * itself. */
size_t berth_scoring_apart(const struct berth_scoring *scoring);

/* Terms of pairs of atoms: the first so many of scoring->terms; one more is the torsional term. */
size_t berth_scoring_pair_terms(const struct berth_scoring *scoring);

/* What a total is made of. */
struct berth_pose_energies {
    double energy;                  /* all terms */
    double torsional;               /* that of the torsional term; 0: the function has none */
    double parts[BERTH_PART_COUNT]; /* beside the terms: see struct berth_pose */
    double unbound; /* BERTH_PART_INTRA of the ligand's first mode: of the pose that is lowest where
                       this is 0 */
    double rotors;  /* of the ligand (chem/torsion.h) */
};

/* What a pose is ranked by. */
double berth_scoring_total(const struct berth_scoring *scoring,
                           const struct berth_pose_energies *energies);

/* The torsional term among a pose's; 0 where the function has none. */
double berth_scoring_torsional(const struct berth_scoring *scoring,
                               const struct berth_terms *terms);

/* True where atoms have the same types, with the same numbers, to both. */
bool berth_scoring_types_alike(const struct berth_scoring *a, const struct berth_scoring *b);

/* True where the total depends on the rotors. */
bool berth_scoring_counts_rotors(const struct berth_scoring *scoring);

/* Frees what it owns and zeroes it; NULL and a zeroed one are accepted. */
void berth_scoring_clear(struct berth_scoring *scoring);

#endif
