#include "prep/prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/parts.h"
#include "chem/type_rules.h"
#include "format/sdf/sdf.h"
#include "prep/openbabel.h"
#include "prep/prepare_build.h"
#include "score/fields.h"

/* --- Which program builds --- */

/* Pieces that RDKit has built, where the search turns what joins them; where the ligand's
 * conformers are to be searched as they are, RDKit's own, whole. */
static bool by_fragments(const struct berth_preparation *preparation)
{
    const char *builder = preparation->builder;
    return builder ? strcmp(builder, "fragments") == 0 : preparation->conformers == 1;
}

/* RDKit is there: what else is needed. */
static enum berth_status choose_rdkit(struct berth_preparation *preparation,
                                      struct berth_builders *builders, const struct berth_log *log,
                                      struct berth_error *error)
{
    preparation->rdkit = &builders->rdkit;
    berth_detail(preparation->builder ? NULL : log, "RDKit %s builds the structures (%s)",
                 builders->rdkit.version, builders->rdkit.python);
    if (by_fragments(preparation)) {
        BERTH_TRY(berth_fragments_open(preparation, builders, log, error));
        preparation->builders = builders;
    }
    return berth_rdkit_check(preparation, error);
}

enum berth_status berth_prepare_choose(struct berth_preparation *preparation,
                                       struct berth_builders *builders, const struct berth_log *log,
                                       struct berth_error *error)
{
    const char *builder = preparation->builder;
    struct berth_error no_rdkit = {.message = ""};
    const bool by_rdkit =
        builder && (strcmp(builder, "rdkit") == 0 || strcmp(builder, "fragments") == 0);
    const bool must = preparation->exclude || preparation->residue || by_rdkit;
    preparation->rdkit = NULL;
    preparation->builders = NULL;
    if (builder && must && !by_rdkit) {
        const char *option = preparation->exclude ? "exclude" : "builder";
        return berth_fail_option(error, BERTH_E_USAGE, option, "%s: %s RDKit, not the builder %s",
                                 option, preparation->exclude ? "needs" : "adducts need", builder);
    }
    if (!builder || must) {
        const enum berth_status status = berth_rdkit_find(&builders->rdkit, &no_rdkit);
        if (!status) {
            return choose_rdkit(preparation, builders, log, error);
        }
        if (must) {
            return berth_fail(error, status, "%s", no_rdkit.message);
        }
    }
    if (preparation->protomers > 1 || preparation->stereoisomers > 1) {
        return berth_fail_option(
            error, BERTH_E_USAGE, "builder", "protomers and stereo above 1 need RDKit%s%s",
            builder ? ", not Open Babel as the builder" : ": ", no_rdkit.message);
    }
    const enum berth_status status = berth_openbabel_check(error);
    if (!status && !builder) {
        berth_note(log,
                   "Open Babel builds the structures, one of each molecule, whose energies are not "
                   "known, takes ten times as long, and builds others each time: %s",
                   no_rdkit.message);
    }
    return status;
}

/* --- Properties: data items of an SDF record --- */

static bool is_wanted(const char *name, const char *const *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(wanted[i], name) == 0 || strcmp(wanted[i], "all") == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the item under its name, unless preparing has said something under that. */
static enum berth_status add_item(const struct berth_tag *item, struct berth_library_ligand *ligand,
                                  struct berth_error *error)
{
    char name[256];
    if (!berth_prepare_adds(item->name) || !*berth_library_ligand_value(ligand, item->name)) {
        return berth_library_ligand_property(ligand, item->name, item->value, error);
    }
    snprintf(name, sizeof name, "%s%s", BERTH_COLUMN_OF_LIBRARY, item->name);
    return berth_library_ligand_property(ligand, name, item->value, error);
}

static enum berth_status read_properties(const struct berth_record *record,
                                         const char *const *wanted, size_t wanted_count,
                                         struct berth_library_ligand *ligand,
                                         struct berth_error *error)
{
    if (!wanted_count || record->kind != BERTH_RECORD_SDF) {
        return BERTH_OK;
    }
    struct berth_sdf_tags tags = {.count = 0};
    enum berth_status status =
        berth_sdf_tags_read(record->text.data, record->text.count, &tags, error);
    for (size_t i = 0; !status && i < tags.count; i++) {
        if (is_wanted(tags.items[i].name, wanted, wanted_count)) {
            status = add_item(&tags.items[i], ligand, error);
        }
    }
    berth_sdf_tags_clear(&tags);
    return status;
}

/* --- Filters and sizes --- */

/* Shapes made for each that is wanted, and energies computed for each: more find more of what a
 * site may ask for, and cost time. */
enum { POOL_FACTOR = 20, CANDIDATE_FACTOR = 2, SEED = 1 };

/* BERTH_E_FORMAT where the filter refuses. */
static enum berth_status filter_composition(const struct berth_filter *filter,
                                            const struct berth_composition *composition,
                                            struct berth_error *error)
{
    const size_t heavy = berth_composition_heavy(composition);
    const double mass = berth_composition_mass(composition);
    if (filter->max_heavy && heavy > (size_t)filter->max_heavy) {
        return berth_fail(error, BERTH_E_FORMAT, "dropped: %zu heavy atoms, more than %lld", heavy,
                          filter->max_heavy);
    }
    if ((filter->max_mass > 0 && mass > filter->max_mass) || mass < filter->min_mass) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "dropped: %.2f g/mol, outside the range that is kept", mass);
    }
    for (int element = 2; filter->chosen && element < BERTH_ELEMENTS; element++) {
        if (composition->counts[element] && !filter->elements[element]) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "dropped: it holds %s, no element that is kept",
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
               ? berth_fail(error, BERTH_E_FORMAT, "dropped: %zu rotatable bonds, more than %lld",
                            tree->count, filter->max_rotors)
               : BERTH_OK;
}

static enum berth_status check_size(size_t heavy, struct berth_error *error)
{
    return heavy < 1 || heavy > BERTH_LIGAND_ATOMS_MAX
               ? berth_fail(error, BERTH_E_FORMAT, "%zu heavy atoms; a ligand has 1 to %d", heavy,
                            BERTH_LIGAND_ATOMS_MAX)
               : BERTH_OK;
}

/* Structures are made of what can be flexible only: of more no program finds a good one. */
static enum berth_status check_size_to_build(size_t heavy, struct berth_error *error)
{
    return heavy > BERTH_LIGAND_FLEXIBLE_MAX && heavy <= BERTH_LIGAND_ATOMS_MAX
               ? berth_fail(error, BERTH_E_FORMAT,
                            "%zu heavy atoms; structures are made for 1 to %d: give it as Mol2, "
                            "with its coordinates",
                            heavy, BERTH_LIGAND_FLEXIBLE_MAX)
               : check_size(heavy, error);
}

/* --- Mol2 as it stands --- */

static enum berth_status read_mol2(const struct berth_record *record,
                                   struct berth_molecule *molecule, struct berth_error *error)
{
    const enum berth_status status = berth_openbabel_read("its Mol2 text", record->text.data,
                                                          record->text.count, molecule, error);
    molecule->line = record->line;
    return status;
}

/* The canonical SMILES of a record that is taken as it stands: of its first form. */
static enum berth_status find_smiles(struct berth_preparer *preparer,
                                     const struct berth_record *record, char **smiles,
                                     bool *dropped, struct berth_error *error)
{
    struct berth_prepared prepared;
    const enum berth_status status = berth_prepare_smiles(preparer, record, &prepared, error);
    if (!status) {
        *smiles = prepared.forms[0].ligand.smiles;
        prepared.forms[0].ligand.smiles = NULL;
    }
    *dropped = prepared.dropped;
    berth_prepared_clear(&prepared);
    return status;
}

static enum berth_status take_as_it_stands(struct berth_preparer *preparer,
                                           const struct berth_record *record,
                                           struct berth_molecule *molecule,
                                           struct berth_prepared *prepared,
                                           struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    BERTH_TRY(berth_prepared_reserve(prepared, 1, error));
    struct berth_library_ligand *ligand = &prepared->forms[0].ligand;
    struct berth_composition composition;
    char remark[BERTH_PARTS_REMARK];
    prepared->taken = true;
    prepared->count = 1;
    BERTH_TRY(berth_parts_keep_largest(molecule, remark, error));
    snprintf(prepared->forms[0].remark, sizeof prepared->forms[0].remark, "%s", remark);
    berth_composition_of(molecule, &composition);
    enum berth_status status = check_size(berth_heavy_count(molecule), error);
    if (!status) {
        status = filter_composition(&preparation->filter, &composition, error);
        prepared->dropped = status != BERTH_OK;
    }
    BERTH_THEN(berth_torsion_tree_find(molecule, &ligand->tree, error));
    if (!status) {
        status = filter_rotors(&preparation->filter, &ligand->tree, error);
        prepared->dropped = status != BERTH_OK;
    }
    if (!status && berth_heavy_count(molecule) > BERTH_LIGAND_FLEXIBLE_MAX) {
        berth_torsion_tree_clear(&ligand->tree); /* it is docked as a rigid body */
    }
    if (!status && (preparation->smiles || preparation->exclude)) {
        status = find_smiles(preparer, record, &ligand->smiles, &prepared->dropped, error);
    }
    return status ? status : berth_ligand_add(&ligand->ligand, molecule, false, error);
}

/* --- Molecules as they stand --- */

static const double LIMIT = 60; /* seconds for a molecule that is typed */

enum berth_status berth_typer_check(const struct berth_molecule *molecule,
                                    struct berth_error *error)
{
    return !molecule->lacks_orders
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "types of GAFF or Amber, and bonds without orders (all are 1); write "
                            "it with SYBYL's: antechamber -fi mol2 -i IN.mol2 -fo mol2 -o "
                            "OUT.mol2 -at sybyl -j 5");
}

/* Gives a molecule with foreign types those of SYBYL, its title, place, names and positions stay.
 */
static enum berth_status settle_types(struct berth_preparer *preparer,
                                      struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_molecule typed;
    char *text = NULL;
    size_t size = 0;
    BERTH_TRY(berth_typer_check(molecule, error));
    BERTH_TRY(berth_sdf_text(molecule, &text, &size, error));
    const struct berth_record record = {.kind = BERTH_RECORD_SDF,
                                        .text = {.data = (unsigned char *)text, .count = size}};
    const enum berth_status status = berth_prepare_stand(preparer, &record, NAN, &typed, error);
    free(text);
    BERTH_TRY(status);
    free(typed.title);
    typed.title = molecule->title;
    typed.line = molecule->line;
    molecule->title = NULL;
    for (size_t i = 0; i < typed.atom_count && i < molecule->atom_count; i++) {
        struct berth_atom *atom = &typed.atoms[i];
        memcpy(atom->name, molecule->atoms[i].name, sizeof atom->name);
        memcpy(atom->residue, molecule->atoms[i].residue, sizeof atom->residue);
        memcpy(atom->position, molecule->atoms[i].position, sizeof atom->position);
        atom->residue_id = molecule->atoms[i].residue_id;
    }
    berth_molecule_clear(molecule);
    *molecule = typed;
    return BERTH_OK;
}

enum berth_status berth_typer_start(struct berth_typer *typer, struct berth_error *error)
{
    if (typer->preparer) {
        return BERTH_OK;
    }
    typer->preparation = (struct berth_preparation){.ph = NAN,
                                                    .memory = (size_t)BERTH_WORKER_MEMORY * 1000000,
                                                    .limit = LIMIT,
                                                    .cancel = typer->stop,
                                                    .stop = typer->stop};
    BERTH_TRY(berth_prepare_choose(&typer->preparation, &typer->builders, NULL, error));
    return berth_preparer_create(&typer->preparation, &typer->preparer, error);
}

enum berth_status berth_typer_stand(struct berth_typer *typer, const struct berth_record *record,
                                    double ph, struct berth_molecule *molecule,
                                    struct berth_error *error)
{
    memset(molecule, 0, sizeof *molecule);
    BERTH_TRY(berth_typer_start(typer, error));
    return berth_prepare_stand(typer->preparer, record, ph, molecule, error);
}

enum berth_status berth_typer_settle(struct berth_typer *typer, struct berth_molecule *molecule,
                                     struct berth_error *error)
{
    if (!molecule->foreign_types) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_typer_start(typer, error));
    return settle_types(typer->preparer, molecule, error);
}

void berth_typer_clear(struct berth_typer *typer)
{
    berth_preparer_destroy(typer->preparer);
    memset(typer, 0, sizeof *typer);
}

/* --- Everything else --- */

/* Turns bonds, for other structures. */
static enum berth_status search_conformers(const struct berth_preparation *preparation,
                                           const struct berth_molecule *molecule,
                                           const struct berth_torsion_tree *tree,
                                           struct berth_conformers *structures,
                                           struct berth_error *error)
{
    const struct berth_conformer_search search = {
        .pool = POOL_FACTOR * preparation->conformers,
        .count = CANDIDATE_FACTOR * preparation->conformers,
        .min_rmsd = preparation->min_rmsd,
        .seed = SEED,
        .starts = (const double(*)[3])structures->positions,
        .start_count = structures->count};
    struct berth_conformers found = {.count = 0};
    const enum berth_status status = berth_conformers_find(molecule, tree, &search, &found, error);
    berth_conformers_clear(structures);
    *structures = found;
    return status;
}

/* Finds the structures' energies, where fragments did not say what they have. */
static enum berth_status find_energies(struct berth_preparer *preparer, const char *smiles,
                                       struct berth_conformers *structures,
                                       struct berth_error *error)
{
    const size_t count = structures->count;
    if (structures->energies) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&structures->energies, count, sizeof *structures->energies, NULL, error));
    if (preparer->worker && count > 1) {
        return berth_rdkit_energies(preparer, smiles, structures, error);
    }
    for (size_t i = 0; count > 1 && i < count; i++) {
        structures->energies[i] = NAN;
    }
    return BERTH_OK;
}

/* Adds the structure of this number as a conformer. */
static enum berth_status add_conformer(const struct berth_molecule *molecule,
                                       const struct berth_conformers *structures, size_t number,
                                       struct berth_library_ligand *ligand,
                                       struct berth_error *error)
{
    struct berth_molecule conformer;
    if (!berth_molecule_copy(molecule, &conformer)) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < conformer.atom_count; i++) {
        memcpy(conformer.atoms[i].position,
               structures->positions[number * conformer.atom_count + i],
               sizeof conformer.atoms[i].position);
    }
    const enum berth_status status = berth_ligand_add(&ligand->ligand, &conformer, true, error);
    berth_molecule_clear(&conformer);
    return status;
}

/* The structures that are not too far above the lowest, in the order in which they were picked
 * (which is that of how much each adds), up to the number that is wanted. */
static enum berth_status choose_conformers(const struct berth_preparation *preparation,
                                           const struct berth_molecule *molecule,
                                           const struct berth_conformers *structures,
                                           struct berth_library_ligand *ligand,
                                           struct berth_error *error)
{
    const size_t count = structures->count;
    const size_t wanted = preparation->conformers > 1 ? preparation->conformers : count;
    double lowest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        lowest = fmin(lowest, structures->energies[i]);
    }
    BERTH_TRY(berth_make(&ligand->strains, count, sizeof *ligand->strains, NULL, error));
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count && ligand->ligand.conformer_count < wanted; i++) {
        const double strain = structures->energies[i] - lowest;
        if (!(strain > preparation->energy_window)) { /* unknown (NAN) stays */
            ligand->strains[ligand->ligand.conformer_count] = isfinite(strain) ? strain : NAN;
            status = add_conformer(molecule, structures, i, ligand, error);
        }
    }
    return status;
}

/* Gives the form's molecule its name and the types that the forcefield wants. */
static enum berth_status name_and_type(const struct berth_record *record,
                                       const struct berth_form *form,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    const size_t size = strlen(record->title) + sizeof form->label;
    free(molecule->title);
    BERTH_TRY(berth_make(&molecule->title, size, 1, NULL, error));
    snprintf(molecule->title, size, "%s%s", record->title, form->label);
    return berth_types_correct(molecule, error);
}

static enum berth_status build(struct berth_preparer *preparer, struct berth_form *form,
                               struct berth_molecule *molecule, struct berth_conformers *structures,
                               struct berth_error *error)
{
    const char *smiles = form->ligand.smiles;
    return preparer->preparation->builders
               ? berth_fragments_build(preparer, form, molecule, structures, error)
           : preparer->worker ? berth_rdkit_build(preparer, smiles, molecule, structures, error)
                              : berth_fallback_build(preparer, smiles, molecule, structures, error);
}

/* From the form's SMILES to its ligand. */
static enum berth_status build_form(struct berth_preparer *preparer,
                                    const struct berth_record *record, struct berth_form *form,
                                    struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    struct berth_library_ligand *ligand = &form->ligand;
    struct berth_molecule molecule = {0};
    struct berth_conformers structures = {0};
    enum berth_status status =
        check_size_to_build(berth_composition_heavy(&form->composition), error);
    if (!status) {
        status = filter_composition(&preparation->filter, &form->composition, error);
        form->dropped = status != BERTH_OK;
    }
    BERTH_THEN(build(preparer, form, &molecule, &structures, error));
    BERTH_THEN(name_and_type(record, form, &molecule, error));
    BERTH_THEN(berth_torsion_tree_find(&molecule, &ligand->tree, error));
    if (!status) {
        status = filter_rotors(&preparation->filter, &ligand->tree, error);
        form->dropped = status != BERTH_OK;
    }
    if (preparation->conformers > 1) {
        BERTH_THEN(search_conformers(preparation, &molecule, &ligand->tree, &structures, error));
    }
    BERTH_THEN(find_energies(preparer, ligand->smiles, &structures, error));
    BERTH_THEN(choose_conformers(preparation, &molecule, &structures, ligand, error));
    berth_molecule_clear(&molecule);
    berth_conformers_clear(&structures);
    return status;
}

/* Mol2 as SDF, for programs that do not know from Mol2's types what is charged.  *text: [*size],
 * which the caller frees. */
static enum berth_status write_sdf(const struct berth_record *mol2, char **text, size_t *size,
                                   struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    enum berth_status status = read_mol2(mol2, &molecule, error);
    BERTH_THEN(berth_typer_check(&molecule, error));
    BERTH_THEN(berth_sdf_text(&molecule, text, size, error));
    berth_molecule_clear(&molecule);
    return status;
}

static enum berth_status normalise(struct berth_preparer *preparer,
                                   const struct berth_record *record,
                                   struct berth_prepared *prepared, struct berth_error *error)
{
    struct berth_record known = *record;
    char *text = NULL;
    enum berth_status status = BERTH_OK;
    preparer->used = 0;
    if (record->kind == BERTH_RECORD_MOL2) {
        size_t size = 0;
        status = write_sdf(record, &text, &size, error);
        known.kind = BERTH_RECORD_SDF;
        known.text = (struct berth_bytes){.data = (unsigned char *)text, .count = size};
    }
    BERTH_THEN(preparer->worker ? berth_rdkit_normalise(preparer, &known, prepared, error)
                                : berth_fallback_normalise(preparer, &known, prepared, error));
    free(text);
    return status;
}

/* True for errors that are not one molecule's. */
static bool is_fatal(enum berth_status status)
{
    return status == BERTH_E_IO || status == BERTH_E_MEMORY;
}

static enum berth_status build_forms(struct berth_preparer *preparer,
                                     const struct berth_record *record,
                                     struct berth_prepared *prepared, struct berth_error *error)
{
    enum berth_status status = berth_prepare_check(record, error);
    BERTH_THEN(normalise(preparer, record, prepared, error));
    for (size_t i = 0; !is_fatal(status) && i < prepared->count; i++) {
        struct berth_form *form = &prepared->forms[i];
        form->status = build_form(preparer, record, form, &form->error);
        if (is_fatal(form->status)) {
            *error = form->error;
            status = form->status;
        }
    }
    return status;
}

/* --- From record to ligands --- */

bool berth_prepare_adds(const char *property)
{
    const struct berth_pose_field *field = berth_field_named(property);
    return field && field->prepared;
}

/* Adds a property that berth_prepare_adds, unless there is nothing to say. */
static enum berth_status tell(struct berth_form *form, const char *name, const char *value,
                              struct berth_error *error)
{
    return *value ? berth_library_ligand_property(&form->ligand, name, value, error) : BERTH_OK;
}

/* Adds what preparing it says of the form. */
static enum berth_status tell_origin(const struct berth_record *record, struct berth_form *form,
                                     struct berth_error *error)
{
    const size_t size = record->kind == BERTH_RECORD_SMILES ? record->text.count : 0;
    char *smiles;
    BERTH_TRY(berth_make(&smiles, size + 1, 1, NULL, error));
    memcpy(smiles, record->text.data, size);
    enum berth_status status = tell(form, BERTH_COLUMN_INPUT_SMILES, smiles, error);
    free(smiles);
    BERTH_THEN(tell(form, BERTH_COLUMN_STATE_OF, *form->label ? record->title : "", error));
    BERTH_THEN(tell(form, BERTH_COLUMN_STATE_POPULATION, form->population, error));
    BERTH_THEN(tell(form, BERTH_COLUMN_OPEN_STEREO, form->open_stereo, error));
    return status;
}

static enum berth_status add_properties(const struct berth_preparation *preparation,
                                        const struct berth_record *record,
                                        struct berth_prepared *prepared, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < prepared->count; i++) {
        struct berth_form *form = &prepared->forms[i];
        if (form->status) {
            berth_library_ligand_clear(&form->ligand);
        } else {
            status = tell_origin(record, form, error);
            BERTH_THEN(read_properties(record, preparation->properties, preparation->property_count,
                                       &form->ligand, error));
        }
    }
    return status;
}

/* Of a record that failed, whether a filter refused it is all that is left. */
static enum berth_status end_record(struct berth_prepared *prepared, enum berth_status status)
{
    if (status) {
        const bool dropped = prepared->dropped;
        berth_prepared_clear(prepared);
        prepared->dropped = dropped;
    }
    return status;
}

enum berth_status berth_prepare(struct berth_preparer *preparer, const struct berth_record *record,
                                struct berth_prepared *prepared, struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    struct berth_molecule molecule = {0};
    enum berth_status status = BERTH_OK;
    memset(prepared, 0, sizeof *prepared);
    if (record->kind == BERTH_RECORD_MOL2) {
        status = read_mol2(record, &molecule, error);
    }
    if (!status && record->kind == BERTH_RECORD_MOL2 && !preparation->rebuild &&
        berth_has_hydrogens(&molecule) && !berth_coordinates_flaw(&molecule)) {
        status = molecule.foreign_types ? settle_types(preparer, &molecule, error) : BERTH_OK;
        BERTH_THEN(take_as_it_stands(preparer, record, &molecule, prepared, error));
    } else if (!status) {
        status = build_forms(preparer, record, prepared, error);
    }
    BERTH_THEN(add_properties(preparation, record, prepared, error));
    berth_molecule_clear(&molecule);
    return end_record(prepared, status);
}

enum berth_status berth_prepare_smiles(struct berth_preparer *preparer,
                                       const struct berth_record *record,
                                       struct berth_prepared *prepared, struct berth_error *error)
{
    memset(prepared, 0, sizeof *prepared);
    return end_record(prepared, normalise(preparer, record, prepared, error));
}
