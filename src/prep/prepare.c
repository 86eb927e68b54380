#include "prep/prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/mol2/mol2.h"
#include "format/sdf/molfile.h"
#include "prep/prepare_steps.h"
#include "chem/type_rules.h"

/* Shapes made for each that is wanted, and energies computed for each: more find more of what a
 * site may ask for, and cost time. */
enum { POOL_FACTOR = 20, CANDIDATE_FACTOR = 2, SEED = 1 };

/* What a molecule is before it is a ligand. */
struct draft {
    struct berth_molecule molecule, raw; /* types as the forcefield wants them; as Open Babel's */
    struct berth_conformers conformers;
    double *energies; /* owned; [conformers.count], kJ/mol */
};

static void draft_clear(struct draft *draft)
{
    berth_molecule_clear(&draft->molecule);
    berth_molecule_clear(&draft->raw);
    berth_conformers_clear(&draft->conformers);
    free(draft->energies);
}

static enum berth_status no_memory(struct berth_error *error)
{
    return berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

/* BERTH_E_FORMAT where the filter refuses. */
static enum berth_status filter_composition(const struct berth_filter *filter,
                                            const struct berth_composition *composition,
                                            struct berth_error *error)
{
    const size_t heavy = berth_composition_heavy(composition);
    const double mass = berth_composition_mass(composition);
    if (filter->max_heavy && heavy > (size_t)filter->max_heavy) {
        return berth_fail(error, BERTH_E_FORMAT, "dropped: %zu heavy atoms, --max_heavy is %lld",
                          heavy, filter->max_heavy);
    }
    if ((filter->max_mass > 0 && mass > filter->max_mass) || mass < filter->min_mass) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "dropped: %.2f g/mol, outside the range that --mw gives", mass);
    }
    for (int element = 2; filter->chosen && element < BERTH_ELEMENTS; element++) {
        if (composition->counts[element] && !filter->elements[element]) {
            return berth_fail(error, BERTH_E_FORMAT, "dropped: it holds %s, which --elements lacks",
                              berth_element_symbol(element));
        }
    }
    return BERTH_OK;
}

static enum berth_status filter_rotors(const struct berth_filter *filter,
                                       const struct berth_torsion_tree *tree,
                                       struct berth_error *error)
{
    return filter->max_rotors && tree->count > (size_t)filter->max_rotors
               ? berth_fail(error, BERTH_E_FORMAT,
                            "dropped: %zu rotatable bonds, --max_rotors is %lld", tree->count,
                            filter->max_rotors)
               : BERTH_OK;
}

static enum berth_status check_size(size_t heavy, struct berth_error *error)
{
    return heavy < 1 || heavy > BERTH_LIGAND_ATOMS_MAX
               ? berth_fail(error, BERTH_E_FORMAT, "%zu heavy atoms; a ligand has 1 to %d", heavy,
                            BERTH_LIGAND_ATOMS_MAX)
               : BERTH_OK;
}

static enum berth_status copy_molecule(const struct berth_molecule *from, struct berth_molecule *to,
                                       struct berth_error *error)
{
    *to = (struct berth_molecule){.title = berth_copy_text(from->title),
                                  .atoms = berth_alloc(from->atom_count, sizeof *to->atoms),
                                  .bonds = berth_alloc(from->bond_count, sizeof *to->bonds),
                                  .atom_count = from->atom_count,
                                  .bond_count = from->bond_count,
                                  .line = from->line};
    if (!to->title || !to->atoms || !to->bonds) {
        berth_molecule_clear(to);
        return no_memory(error);
    }
    memcpy(to->atoms, from->atoms, from->atom_count * sizeof *to->atoms);
    if (from->bond_count) {
        memcpy(to->bonds, from->bonds, from->bond_count * sizeof *to->bonds);
    }
    return BERTH_OK;
}

/* --- Mol2 as it stands --- */

/* True for a molecule that needs no Open Babel: hydrogens, and coordinates that are no drawing. */
static bool is_complete(const struct berth_molecule *molecule)
{
    bool hydrogens = false;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        hydrogens = hydrogens || molecule->atoms[i].element == 1;
    }
    return hydrogens && !berth_coordinates_flaw(molecule);
}

static enum berth_status read_mol2(const struct berth_record *record,
                                   struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_mol2_reader *reader;
    bool end = false;
    enum berth_status status = berth_mol2_reader_create_memory("its Mol2 text", record->text.data,
                                                               record->text.count, &reader, error);
    if (!status) {
        status = berth_mol2_next(reader, molecule, &end, error);
        molecule->line = record->line;
        berth_mol2_reader_destroy(reader);
    }
    return status;
}

static enum berth_status take(const struct berth_preparation *preparation,
                              const struct berth_record *record, struct berth_molecule *molecule,
                              struct berth_prepared *prepared, struct berth_error *error)
{
    struct berth_library_ligand *ligand = &prepared->ligand;
    struct berth_composition composition;
    prepared->taken = true;
    berth_composition_of(molecule, &composition);
    enum berth_status status = check_size(berth_heavy_count(molecule), error);
    if (!status) {
        status = filter_composition(&preparation->filter, &composition, error);
        prepared->dropped = status != BERTH_OK;
    }
    if (!status) {
        status = berth_torsion_tree_find(molecule, &ligand->tree, error);
    }
    if (!status) {
        status = filter_rotors(&preparation->filter, &ligand->tree, error);
        prepared->dropped = status != BERTH_OK;
    }
    if (!status && preparation->smiles) {
        status = berth_prepare_smiles(preparation, record, &ligand->smiles, error);
    }
    return status ? status : berth_ligand_add(&ligand->ligand, molecule, false, error);
}

/* --- Everything else --- */

static enum berth_status check_bonds(const struct berth_record *record, struct berth_error *error)
{
    return record->kind == BERTH_RECORD_SDF
               ? berth_molfile_check_bonds((const char *)record->text.data, record->text.count,
                                           error)
               : BERTH_OK;
}

static enum berth_status find_conformers(const struct berth_preparation *preparation,
                                         struct berth_prepare_clock *clock,
                                         const struct berth_torsion_tree *tree, struct draft *draft,
                                         struct berth_error *error)
{
    const size_t wanted = preparation->conformers;
    const struct berth_conformer_search search = {.pool = wanted > 1 ? POOL_FACTOR * wanted : 1,
                                                  .count =
                                                      wanted > 1 ? CANDIDATE_FACTOR * wanted : 1,
                                                  .min_rmsd = preparation->min_rmsd,
                                                  .seed = SEED};
    enum berth_status status =
        berth_conformers_find(&draft->molecule, tree, &search, &draft->conformers, error);
    if (status) {
        return status;
    }
    draft->energies = berth_alloc(draft->conformers.count, sizeof *draft->energies);
    if (!draft->energies) {
        return no_memory(error);
    }
    return draft->conformers.count > 1
               ? berth_prepare_energies(clock, &draft->raw, &draft->conformers, draft->energies,
                                        error)
               : BERTH_OK;
}

/* Adds the shape of this number as a conformer. */
static enum berth_status add_conformer(const struct draft *draft, size_t number, double strain,
                                       struct berth_library_ligand *ligand,
                                       struct berth_error *error)
{
    struct berth_molecule conformer;
    enum berth_status status = copy_molecule(&draft->molecule, &conformer, error);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < conformer.atom_count; i++) {
        memcpy(conformer.atoms[i].position,
               draft->conformers.positions[number * conformer.atom_count + i],
               sizeof conformer.atoms[i].position);
    }
    ligand->strains[ligand->ligand.conformer_count] = strain;
    status = berth_ligand_add(&ligand->ligand, &conformer, true, error);
    berth_molecule_clear(&conformer);
    return status;
}

/* The conformers that are not too far above the lowest, in the order in which they were picked
 * (which is that of how much each adds), up to the number that is wanted. */
static enum berth_status choose_conformers(const struct berth_preparation *preparation,
                                           const struct draft *draft,
                                           struct berth_library_ligand *ligand,
                                           struct berth_error *error)
{
    double lowest = INFINITY;
    for (size_t i = 0; i < draft->conformers.count; i++) {
        lowest = fmin(lowest, draft->energies[i]);
    }
    ligand->strains = berth_alloc(draft->conformers.count, sizeof *ligand->strains);
    if (!ligand->strains) {
        return no_memory(error);
    }
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < draft->conformers.count &&
                       ligand->ligand.conformer_count < preparation->conformers;
         i++) {
        const double strain = draft->energies[i] - lowest;
        if (!(strain > preparation->energy_window)) { /* unknown (NAN) stays */
            status = add_conformer(draft, i, isfinite(strain) ? strain : NAN, ligand, error);
        }
    }
    return status;
}

static enum berth_status build(const struct berth_preparation *preparation,
                               const struct berth_record *record, struct berth_prepared *prepared,
                               struct berth_error *error)
{
    struct berth_library_ligand *ligand = &prepared->ligand;
    struct berth_prepare_clock clock = berth_prepare_start(preparation);
    struct berth_composition composition;
    struct draft draft = {0};
    enum berth_status status = check_bonds(record, error);
    if (!status) {
        status = berth_prepare_normalise(&clock, preparation->ph, record, &ligand->smiles,
                                         &composition, error);
    }
    if (!status) {
        status = check_size(berth_composition_heavy(&composition), error);
    }
    if (!status) {
        status = filter_composition(&preparation->filter, &composition, error);
        prepared->dropped = status != BERTH_OK;
    }
    if (!status) {
        status =
            berth_prepare_build(&clock, ligand->smiles, preparation->builder, &draft.raw, error);
    }
    if (!status) {
        free(draft.raw.title);
        draft.raw.title = berth_copy_text(record->title);
        status =
            draft.raw.title ? copy_molecule(&draft.raw, &draft.molecule, error) : no_memory(error);
    }
    if (!status) {
        status = berth_types_correct(&draft.molecule, error);
    }
    if (!status) {
        status = berth_torsion_tree_find(&draft.molecule, &ligand->tree, error);
    }
    if (!status) {
        status = filter_rotors(&preparation->filter, &ligand->tree, error);
        prepared->dropped = status != BERTH_OK;
    }
    if (!status) {
        status = find_conformers(preparation, &clock, &ligand->tree, &draft, error);
    }
    if (!status) {
        status = choose_conformers(preparation, &draft, ligand, error);
    }
    draft_clear(&draft);
    return status;
}

enum berth_status berth_prepare(const struct berth_preparation *preparation,
                                const struct berth_record *record, struct berth_prepared *prepared,
                                struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    enum berth_status status = BERTH_OK;
    memset(prepared, 0, sizeof *prepared);
    if (record->kind == BERTH_RECORD_MOL2) {
        status = read_mol2(record, &molecule, error);
    }
    if (!status && record->kind == BERTH_RECORD_MOL2 && !preparation->rebuild &&
        is_complete(&molecule)) {
        status = take(preparation, record, &molecule, prepared, error);
    } else if (!status) {
        status = build(preparation, record, prepared, error);
    }
    if (!status) {
        status = berth_prepare_properties(record, preparation->properties,
                                          preparation->property_count, &prepared->ligand, error);
    }
    berth_molecule_clear(&molecule);
    if (status) {
        berth_library_ligand_clear(&prepared->ligand);
    }
    return status;
}

enum berth_status berth_prepare_smiles(const struct berth_preparation *preparation,
                                       const struct berth_record *record, char **smiles,
                                       struct berth_error *error)
{
    struct berth_prepare_clock clock = berth_prepare_start(preparation);
    struct berth_composition composition;
    return berth_prepare_normalise(&clock, preparation->ph, record, smiles, &composition, error);
}
