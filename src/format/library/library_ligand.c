/* What a library keeps of a ligand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/library/library_format.h"

/* Strains beyond this (kJ/mol) are absurd, and a float would not keep their hundredths. */
#define STRAIN_MAX 1e5

/* A fourth of a raw block is for texts, a half for coordinates. */
enum { TEXTS_MAX = BERTH_LIBRARY_RAW_MAX / 4, COORDINATES_MAX = BERTH_LIBRARY_RAW_MAX / 2 };

enum berth_status berth_library_ligand_property(struct berth_library_ligand *ligand,
                                                const char *name, const char *value,
                                                struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&ligand->properties, &ligand->property_capacity,
                            ligand->property_count + 1, sizeof *ligand->properties, error));
    struct berth_property property = {berth_copy_text(name), berth_copy_text(value)};
    if (!property.name || !property.value) {
        free(property.name);
        free(property.value);
        return berth_out_of_memory(error, NULL);
    }
    ligand->properties[ligand->property_count++] = property;
    return BERTH_OK;
}

const char *berth_library_ligand_value(const struct berth_library_ligand *ligand, const char *name)
{
    for (size_t i = 0; i < ligand->property_count; i++) {
        if (strcmp(ligand->properties[i].name, name) == 0) {
            return ligand->properties[i].value;
        }
    }
    return "";
}

enum berth_status berth_library_ligand_tell(const struct berth_library_ligand *from,
                                            struct berth_library_ligand *to,
                                            struct berth_error *error)
{
    if (from->smiles) {
        to->smiles = berth_copy_text(from->smiles);
        BERTH_TRY(to->smiles ? BERTH_OK : berth_out_of_memory(error, NULL));
    }
    for (size_t i = 0; i < from->property_count; i++) {
        BERTH_TRY(berth_library_ligand_property(to, from->properties[i].name,
                                                from->properties[i].value, error));
    }
    return BERTH_OK;
}

void berth_library_ligand_round(struct berth_library_ligand *ligand)
{
    for (size_t c = 0; c < ligand->ligand.conformer_count; c++) {
        const struct berth_molecule *conformer = &ligand->ligand.conformers[c];
        for (size_t i = 0; i < conformer->atom_count; i++) {
            double *position = conformer->atoms[i].position;
            int32_t grid[3];
            berth_library_to_grid(position, grid);
            berth_library_from_grid(grid, position);
        }
        if (ligand->strains) {
            ligand->strains[c] = round(ligand->strains[c] * 100) / 100;
        }
    }
}

void berth_library_ligand_clear(struct berth_library_ligand *ligand)
{
    if (!ligand) {
        return;
    }
    berth_ligand_clear(&ligand->ligand);
    berth_torsion_tree_clear(&ligand->tree);
    free(ligand->strains);
    free(ligand->smiles);
    free(ligand->source);
    for (size_t i = 0; i < ligand->property_count; i++) {
        free(ligand->properties[i].name);
        free(ligand->properties[i].value);
    }
    free(ligand->properties);
    memset(ligand, 0, sizeof *ligand);
}

/* BERTH_E_FORMAT for a ligand: its name, what is wrong with it, what to do. */
static enum berth_status refuse(const struct berth_library_ligand *ligand, const char *reason,
                                struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "ligand %.200s: %s",
                      ligand->ligand.name ? ligand->ligand.name : "without a name", reason);
}

static bool same_atoms(const struct berth_molecule *a, const struct berth_molecule *b)
{
    if (a->atom_count != b->atom_count || a->bond_count != b->bond_count) {
        return false;
    }
    for (size_t i = 0; i < a->atom_count; i++) {
        if (a->atoms[i].heavy != b->atoms[i].heavy) {
            return false;
        }
    }
    return true;
}

static enum berth_status check_conformers(const struct berth_library_ligand *ligand,
                                          struct berth_error *error)
{
    const struct berth_ligand *conformers = &ligand->ligand;
    for (size_t c = 0; c < conformers->conformer_count; c++) {
        if (!same_atoms(&conformers->conformers[0], &conformers->conformers[c])) {
            return refuse(ligand, "its conformers differ in atoms or bonds; split them", error);
        }
        const char *flaw = berth_extent_flaw(&conformers->conformers[c]);
        if (flaw) {
            return refuse(ligand, flaw, error);
        }
        if (ligand->strains && !isnan(ligand->strains[c]) &&
            !(fabs(ligand->strains[c]) <= STRAIN_MAX)) {
            return refuse(ligand, "a strain is beyond 100000 kJ/mol; correct it", error);
        }
    }
    return BERTH_OK;
}

/* Indices of bonds and torsions. */
static bool indices_fit(const struct berth_library_ligand *ligand)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    const struct berth_torsion_tree *tree = &ligand->tree;
    bool fit = tree->count <= BERTH_LIGAND_ATOMS_MAX;
    for (size_t i = 0; fit && i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        fit = bond->first < molecule->atom_count && bond->second < molecule->atom_count &&
              bond->first != bond->second;
    }
    for (size_t t = 0; fit && t < tree->count; t++) {
        const struct berth_torsion *torsion = &tree->torsions[t];
        fit = torsion->first < molecule->atom_count && torsion->second < molecule->atom_count &&
              torsion->first != torsion->second && molecule->atoms[torsion->first].heavy &&
              molecule->atoms[torsion->second].heavy && torsion->moved_start <= tree->moved_count &&
              torsion->moved_count <= tree->moved_count - torsion->moved_start;
        for (size_t i = 0; fit && i < torsion->moved_count; i++) {
            const uint32_t *moved = tree->moved + torsion->moved_start;
            fit = moved[i] < molecule->atom_count && (i == 0 || moved[i] > moved[i - 1]);
        }
    }
    return fit;
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

static bool size_fits(const struct berth_library_ligand *ligand)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    /* At most three bytes of planes and five of record a coordinate. */
    const size_t most = COORDINATES_MAX / (3 * (2 + 5)) / molecule->atom_count;
    size_t texts =
        strlen(ligand->ligand.name) + length_of(ligand->smiles) + length_of(ligand->source);
    for (size_t i = 0; i < ligand->property_count && texts <= TEXTS_MAX; i++) {
        texts += length_of(ligand->properties[i].name) + length_of(ligand->properties[i].value) + 2;
    }
    return ligand->ligand.conformer_count <= most && texts <= TEXTS_MAX &&
           molecule->bond_count <= (size_t)BERTH_LIBRARY_BONDS_MAX * molecule->atom_count;
}

enum berth_status berth_library_check(const struct berth_library_ligand *ligand,
                                      struct berth_error *error)
{
    const struct berth_ligand *conformers = &ligand->ligand;
    if (!conformers->name || !conformers->conformer_count) {
        return refuse(ligand, "it has no name or no conformer; give it both", error);
    }
    const size_t heavy = berth_heavy_count(&conformers->conformers[0]);
    if (heavy < 1 || heavy > BERTH_LIGAND_ATOMS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "ligand %.200s: %zu heavy atoms; a ligand has 1 to %d", conformers->name,
                          heavy, BERTH_LIGAND_ATOMS_MAX);
    }
    if (conformers->conformer_count > BERTH_LIGAND_CONFORMERS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "ligand %.200s: %zu conformers; %d are the most",
                          conformers->name, conformers->conformer_count,
                          BERTH_LIGAND_CONFORMERS_MAX);
    }
    BERTH_TRY(check_conformers(ligand, error));
    if (!indices_fit(ligand)) {
        return refuse(ligand, "a bond or torsion names an atom that cannot be; correct it", error);
    }
    return size_fits(ligand)
               ? BERTH_OK
               : refuse(ligand, "it is too large for a library; make fewer conformers", error);
}
