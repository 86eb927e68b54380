/* A molecule to write, with values that stand beside it: what every format of poses takes. */
#ifndef BERTH_FORMAT_TAGGED_H
#define BERTH_FORMAT_TAGGED_H

#include "chem/molecule.h"
#include "format/output.h"

/* A value that a format keeps beside a molecule. */
struct berth_tag {
    const char *name, *value; /* borrowed */
};

/* One molecule to write, with what is to stand beside it. */
struct berth_tagged_molecule {
    const struct berth_molecule *molecule; /* borrowed: names, types, bonds */
    const double (*positions)[3];          /* borrowed: [molecule->atom_count], Å; NULL: its own */
    const double (*best)[3]; /* borrowed: [molecule->atom_count], Å: of the ligand's best pose; or
                                NULL */
    const char *title;       /* borrowed */
    const struct berth_tag *tags; /* borrowed: [tag_count] */
    size_t tag_count;
};

/* Position of an atom, Å. */
static inline const double *berth_tagged_position(const struct berth_tagged_molecule *tagged,
                                                  size_t atom)
{
    return tagged->positions ? tagged->positions[atom] : tagged->molecule->atoms[atom].position;
}

#endif
