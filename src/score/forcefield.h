/* The forcefield: per-type parameters of BUDE's empirical free-energy forcefield, from a parameter
 * file (.bhff), and which atom gets which.
 *
 * An atom is looked up by residue and atom name first (by-residue and hybrid sets), then by its
 * Mol2 type under the wild-card residue WLD, then, where its residue is declared in the file, by
 * its atom name under WLD.  What is still unknown goes once through the fallback table in
 * forcefield.c, and each use of it is reported.  docs/scoring.md has the terms and that table.
 */
#ifndef BERTH_SCORE_FORCEFIELD_H
#define BERTH_SCORE_FORCEFIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/log.h"
#include "chem/traits.h"
#include "chem/molecule.h"

/* Parameters of one kind of atom. */
struct berth_type {
    char class;            /* electrostatic class: 'F' formal, 'D' dipole, 'E' either, 'P', '-' */
    double radius;         /* Å, scaled */
    double hydrophobic;    /* hydrophobic potential h, kJ/mol: < 0 non-polar, > 0 polar */
    double hardness;       /* H, kJ/mol */
    double nonpolar_reach; /* np-np distance, Å */
    double polar_reach;    /* np-p distance, Å */
    double charge;         /* electrostatic potential q */
};

/* One line of the parameter file: which residue and atom (or Mol2 type) gets which type. */
struct berth_type_entry {
    char residue[8];            /* "ALA", or "WLD" */
    char name[BERTH_NAME_SIZE]; /* atom name, or Mol2 type under WLD */
    int type;                   /* index into types */
};

struct berth_forcefield {
    char *name;               /* owned; the file it came from */
    struct berth_type *types; /* owned; all different */
    size_t type_count, type_capacity;
    struct berth_type_entry *entries; /* owned; in file order */
    size_t entry_count, entry_capacity;
};

/* The heavy atoms of a molecule with their types: what the energy sees. */
struct berth_heavy_atom {
    double position[3];       /* Å */
    int type;                 /* index into the forcefield's types */
    enum berth_hybrid hybrid; /* what torsional terms go by */
};

struct berth_heavy_atoms {
    struct berth_heavy_atom *atoms; /* owned */
    size_t count;
};

/* Reads a parameter file, versions 1 and 2 of the format: two lines of "%", comments from '#' on,
 * the number of residues, then each residue with its number of atoms and the atoms' lines:
 * name, class, radius (Å), hydrophobic potential, hardness, np-np and np-p distance (Å), radius
 * scaling, electrostatic potential.  The END tag ends it.  path NULL reads the default set that
 * is built into the program.  The caller clears *forcefield.  log receives a warning where END is
 * missing.  Errors: BERTH_E_IO, BERTH_E_FORMAT (file, line and what is wrong), BERTH_E_MEMORY. */
enum berth_status berth_bhff_read(const char *path, const struct berth_log *log,
                                  struct berth_forcefield *forcefield, struct berth_error *error);

/* The same from memory: size bytes of text (borrowed); name stands in for the path in messages. */
enum berth_status berth_bhff_read_memory(const char *name, const void *bytes, size_t size,
                                         const struct berth_log *log,
                                         struct berth_forcefield *forcefield,
                                         struct berth_error *error);

/* Adds an entry; equal parameters share one type, and an entry that is there already with equal
 * parameters is left alone.  Errors: BERTH_E_FORMAT (parameters out of range, entry present with
 * other parameters), BERTH_E_MEMORY. */
enum berth_status berth_forcefield_add(struct berth_forcefield *forcefield, const char *residue,
                                       const char *name, const struct berth_type *type,
                                       struct berth_error *error);

/* The type of a heavy atom by its residue, name and Mol2 type; negative where the forcefield has
 * none.  log receives the use of the fallback table, for the molecule with that title. */
int berth_forcefield_type(const struct berth_forcefield *forcefield, const struct berth_atom *atom,
                          const struct berth_log *log, const char *title);

/* Why an atom, the number-th of the molecule from 0, has none.  Gives BERTH_E_TYPE. */
enum berth_status berth_forcefield_untyped(const struct berth_forcefield *forcefield,
                                           const char *title, const struct berth_atom *atom,
                                           size_t number, struct berth_error *error);

/* A hash (FNV-1a, 64 bits) of all parameters and entries, on every machine the same, whatever the
 * file's name and the scoring: what was typed with one forcefield must not be used with another. */
uint64_t berth_forcefield_hash(const struct berth_forcefield *forcefield);

void berth_heavy_atoms_clear(struct berth_heavy_atoms *heavy);

/* Their places, [count], Å, which the caller frees.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_heavy_positions(const struct berth_heavy_atoms *heavy,
                                        double (**positions)[3], struct berth_error *error);

/* Frees what the forcefield owns and zeroes it. */
void berth_forcefield_clear(struct berth_forcefield *forcefield);

#endif
