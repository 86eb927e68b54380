#include "prep/perception.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"
#include "chem/type_rules.h"
#include "chem/vectors.h"
#include "prep/openbabel.h"

/* Seconds for one residue or group of them; Å: a coordinate rounded by PDB and Mol2. */
#define TIME_LIMIT 60.0
#define ROUNDING   0.002

/* Appends the structure as a PDB file for Open Babel, relative to its first atom so that all fit
 * into the columns, with or without its hydrogens. */
static void put_pdb(const struct berth_structure *structure, bool hydrogens,
                    struct berth_bytes *bytes)
{
    const double *origin = structure->atoms[0].position;
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const char *symbol = berth_element_symbol(atom->element);
        char line[128];
        if (berth_is_hydrogen(atom) && !hydrogens) {
            continue;
        }
        const int length = snprintf(
            line, sizeof line,
            "HETATM%5zu %s%-*.4s %3.3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n",
            (i + 1) % 100000, symbol[1] ? "" : " ", symbol[1] ? 4 : 3, atom->name,
            atom->residue.name, abs(atom->residue.number) % 10000, atom->position[0] - origin[0],
            atom->position[1] - origin[1], atom->position[2] - origin[2], symbol);
        berth_bytes_put(bytes, line, (size_t)length);
    }
    static const char END[] = "END\n";
    berth_bytes_put(bytes, END, sizeof END - 1);
}

/* The heavy atom of the structure at a position relative to the origin, or NULL. */
static const struct berth_structure_atom *atom_at(const struct berth_structure *structure,
                                                  const double origin[3], const double relative[3])
{
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        bool same = !berth_is_hydrogen(atom);
        for (int k = 0; k < 3; k++) {
            same = same && fabs(atom->position[k] - origin[k] - relative[k]) < ROUNDING;
        }
        if (same) {
            return atom;
        }
    }
    return NULL;
}

static void name_atom(struct berth_atom *atom, const struct berth_structure_atom *from)
{
    char residue[32];
    snprintf(residue, sizeof residue, "%s%d", from->residue.name, from->residue.number);
    snprintf(atom->residue, sizeof atom->residue, "%.15s", residue);
    snprintf(atom->name, sizeof atom->name, "%s",
             *from->name ? from->name : berth_element_symbol(from->element));
    for (char *at = atom->name; *at; at++) {
        *at = *at == ' ' ? '_' : *at; /* Mol2 separates by blanks */
    }
    memcpy(atom->position, from->position, sizeof atom->position);
    atom->residue_id = 1;
}

/* What gives types renames atoms, and Open Babel rounds: names and exact positions come back. */
static enum berth_status restore_atoms(const struct berth_structure *structure,
                                       const double origin[3], struct berth_molecule *molecule,
                                       struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        const struct berth_structure_atom *from =
            atom->heavy ? atom_at(structure, origin, atom->position) : NULL;
        if (from) {
            name_atom(atom, from);
        } else if (atom->heavy) {
            return berth_fail(error, BERTH_E_IO, "typing moved or added a heavy atom");
        } else {
            for (int k = 0; k < 3; k++) {
                atom->position[k] += origin[k];
            }
            atom->residue_id = 1;
            snprintf(atom->residue, sizeof atom->residue, "%s", structure->atoms[0].residue.name);
        }
    }
    return BERTH_OK;
}

static size_t heavy_count(const struct berth_structure *structure)
{
    return berth_residue_heavy_count(structure, (struct berth_span){0, structure->count});
}

static enum berth_status set_title(const struct berth_structure *structure,
                                   struct berth_molecule *molecule, struct berth_error *error)
{
    free(molecule->title);
    molecule->title =
        berth_copy_text(structure->title ? structure->title : structure->atoms[0].residue.name);
    return molecule->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

enum berth_status berth_perception_restore(const struct berth_structure *structure,
                                           const double origin[3], struct berth_molecule *molecule,
                                           struct berth_error *error)
{
    enum berth_status status = restore_atoms(structure, origin, molecule, error);
    if (!status && berth_heavy_count(molecule) != heavy_count(structure)) {
        status = berth_fail(error, BERTH_E_IO, "typing lost heavy atoms");
    }
    BERTH_THEN(set_title(structure, molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}

enum berth_status berth_plain_molecule(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    memset(molecule, 0, sizeof *molecule);
    enum berth_status status =
        berth_make(&molecule->atoms, heavy_count(structure), sizeof *molecule->atoms, NULL, error);
    BERTH_THEN(set_title(structure, molecule, error));
    for (size_t i = 0; !status && i < structure->count; i++) {
        const struct berth_structure_atom *from = &structure->atoms[i];
        if (berth_is_hydrogen(from)) {
            continue;
        }
        struct berth_atom *atom = &molecule->atoms[molecule->atom_count];
        name_atom(atom, from);
        const bool tetrahedral = strchr("CNOSP", *berth_element_symbol(from->element)) &&
                                 !berth_element_symbol(from->element)[1];
        snprintf(atom->type, sizeof atom->type, "%s%s", berth_element_symbol(from->element),
                 tetrahedral ? ".3" : "");
        atom->element = from->element;
        atom->heavy = true;
        molecule->atom_count++;
    }
    BERTH_THEN(berth_bonds_by_distance(molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}

/* By Open Babel what RDKit refuses (complexes of metals, for one): with these bonds, or, where they
 * are not known, with bonds of its own. */
static enum berth_status ask_openbabel(const struct berth_structure *structure,
                                       const struct berth_bytes *sdf,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    const bool hydrogens = berth_has_all_hydrogens(structure);
    const char *const options[] = {"-omol2", hydrogens ? NULL : "-p", BERTH_PH_TEXT, NULL};
    static const double NOWHERE[3] = {0};
    const double *origin = sdf->count ? NOWHERE : structure->atoms[0].position;
    struct berth_bytes pdb = {0};
    put_pdb(structure, hydrogens, &pdb);
    const struct berth_openbabel_job job = {.format = sdf->count ? "sdf" : "pdb",
                                            .options = options,
                                            .input = sdf->count ? sdf : &pdb,
                                            .limit = TIME_LIMIT};
    enum berth_status status = berth_openbabel_molecule(&job, molecule, error);
    BERTH_THEN(berth_types_correct(molecule, error));
    BERTH_THEN(berth_perception_restore(structure, origin, molecule, error));
    berth_bytes_clear(&pdb);
    return status;
}

enum berth_status berth_perceive_molecule(struct berth_bond_finder *finder,
                                          const struct berth_structure *structure,
                                          struct berth_molecule *molecule,
                                          char doubt[BERTH_CONTRADICTION_SIZE],
                                          struct berth_error *error)
{
    const struct berth_bonds_request wanted = {.structure = structure, .hydrogens = true};
    const double ph = berth_has_all_hydrogens(structure) ? NAN : BERTH_PH;
    struct berth_bytes sdf = {0};
    struct berth_bonds_found found;
    struct berth_error why;
    enum berth_status status = berth_bond_orders_find(finder, &wanted, &found, &sdf, &why);
    snprintf(doubt, BERTH_CONTRADICTION_SIZE, "%.*s", BERTH_CONTRADICTION_SIZE - 1,
             status ? why.message : found.contradiction);
    BERTH_THEN(berth_bond_finder_stand(finder, &sdf, ph, molecule, &why));
    BERTH_THEN(berth_perception_restore(structure, (const double[3]){0}, molecule, &why));
    if (status && ask_openbabel(structure, &sdf, molecule, error) == BERTH_OK) {
        status = BERTH_OK;
    } else if (status) {
        *error = why;
    }
    berth_bytes_clear(&sdf);
    return status;
}

/* True for a residue with a heavy atom that has no type yet. */
static bool needs_types(const struct berth_structure *structure, struct berth_span span)
{
    for (size_t i = span.begin; i < span.end; i++) {
        if (!berth_is_hydrogen(&structure->atoms[i]) && !*structure->atoms[i].type) {
            return true;
        }
    }
    return false;
}

static bool touches(const struct berth_structure *structure, struct berth_span span,
                    const struct berth_structure *group)
{
    for (size_t i = span.begin; i < span.end; i++) {
        for (size_t j = 0; j < group->count; j++) {
            if (!berth_is_hydrogen(&structure->atoms[i]) &&
                berth_distance_squared(structure->atoms[i].position, group->atoms[j].position) <
                    BERTH_BOND_PERCEIVED * BERTH_BOND_PERCEIVED) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the span's heavy atoms to the group, and marks them. */
static enum berth_status add_span(const struct berth_structure *structure, struct berth_span span,
                                  bool *taken, struct berth_structure *group,
                                  struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = span.begin; !status && i < span.end; i++) {
        taken[i] = true;
        if (!berth_is_hydrogen(&structure->atoms[i])) {
            status = berth_structure_add(group, &structure->atoms[i], error);
        }
    }
    return status;
}

/* Gathers the residues that need types and hang together with the one at `first`. */
static enum berth_status gather_group(const struct berth_structure *structure,
                                      struct berth_span first, bool *taken,
                                      struct berth_structure *group, struct berth_error *error)
{
    enum berth_status status = add_span(structure, first, taken, group, error);
    for (bool grown = true; !status && grown;) {
        grown = false;
        for (struct berth_span span = berth_residue_at(structure, first.end);
             !status && span.begin < span.end; span = berth_residue_at(structure, span.end)) {
            if (!taken[span.begin] && needs_types(structure, span) &&
                touches(structure, span, group)) {
                status = add_span(structure, span, taken, group, error);
                grown = true;
            }
        }
    }
    return status;
}

/* Copies the types of the molecule's atoms to the structure's that have none. */
static void copy_types(struct berth_structure *structure, const struct berth_molecule *molecule,
                       size_t *typed)
{
    for (size_t m = 0; m < molecule->atom_count; m++) {
        const struct berth_atom *from = &molecule->atoms[m];
        for (size_t i = 0; from->heavy && i < structure->count; i++) {
            struct berth_structure_atom *atom = &structure->atoms[i];
            if (!*atom->type && !berth_is_hydrogen(atom) &&
                memcmp(atom->position, from->position, sizeof atom->position) == 0) {
                snprintf(atom->type, sizeof atom->type, "%.7s", from->type);
                ++*typed;
            }
        }
    }
}

static enum berth_status type_group(struct berth_bond_finder *finder,
                                    struct berth_structure *structure,
                                    const struct berth_structure *group,
                                    const struct berth_log *log, size_t *typed,
                                    struct berth_error *error)
{
    struct berth_molecule molecule;
    char residue[BERTH_RESIDUE_TEXT_SIZE], doubt[BERTH_CONTRADICTION_SIZE];
    berth_residue_text(&group->atoms[0].residue, residue);
    if (berth_perceive_molecule(finder, group, &molecule, doubt, error)) {
        char context[128];
        snprintf(context, sizeof context, "the types of %s are not known (try again, or drop it)",
                 residue);
        return berth_fail_in(error, context);
    }
    copy_types(structure, &molecule, typed);
    berth_molecule_clear(&molecule);
    if (*doubt) {
        berth_warn(log, NULL,
                   "%s: its types may be wrong, since the bonds that were perceived contradict "
                   "its geometry: %s; give the receptor as Mol2, or drop the residue",
                   residue, doubt);
    }
    return BERTH_OK;
}

enum berth_status berth_perceive_types(struct berth_bond_finder *finder,
                                       struct berth_structure *structure,
                                       const struct berth_log *log, size_t *typed,
                                       struct berth_error *error)
{
    bool *taken;
    *typed = 0;
    BERTH_TRY(berth_make(&taken, structure->count, sizeof *taken, NULL, error));
    enum berth_status status = BERTH_OK;
    for (struct berth_span span = berth_residue_at(structure, 0); !status && span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        struct berth_structure group = {0};
        if (!taken[span.begin] && needs_types(structure, span)) {
            status = gather_group(structure, span, taken, &group, error);
            BERTH_THEN(type_group(finder, structure, &group, log, typed, error));
        }
        berth_structure_clear(&group);
    }
    free(taken);
    return status;
}
