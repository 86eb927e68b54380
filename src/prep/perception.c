#include "prep/perception.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/mol2/mol2.h"
#include "prep/contradiction.h"
#include "prep/openbabel.h"
#include "chem/bonds.h"
#include "chem/type_rules.h"

/* Seconds for one residue or group of them; Å: a bond between heavy atoms, a coordinate rounded by
 * PDB and Mol2. */
#define TIME_LIMIT 60.0
#define BOND       2.0
#define ROUNDING   0.002

static const char *const OPTIONS[] = {"-omol2", "-p", "7.4", NULL};

void berth_perception_pdb(const struct berth_structure *structure, bool hydrogens,
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

static enum berth_status read_mol2(const struct berth_bytes *bytes, struct berth_molecule *molecule,
                                   struct berth_error *error)
{
    struct berth_mol2_reader *reader;
    bool end = false;
    enum berth_status status = berth_mol2_reader_create_memory("Open Babel's output", bytes->data,
                                                               bytes->count, &reader, error);
    if (!status) {
        status = berth_mol2_next(reader, molecule, &end, error);
        berth_mol2_reader_destroy(reader);
    }
    return status || !end ? status : berth_fail(error, BERTH_E_IO, "Open Babel gave no molecule");
}

/* The heavy atom of the structure at a position relative to its first atom, or NULL. */
static const struct berth_structure_atom *atom_at(const struct berth_structure *structure,
                                                  const double relative[3])
{
    const double *origin = structure->atoms[0].position;
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

/* Open Babel renames atoms when it adds hydrogens: names and exact positions come back. */
static enum berth_status restore_atoms(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        const struct berth_structure_atom *from =
            atom->heavy ? atom_at(structure, atom->position) : NULL;
        if (from) {
            name_atom(atom, from);
        } else if (atom->heavy) {
            return berth_fail(error, BERTH_E_IO, "Open Babel moved or added a heavy atom");
        } else {
            for (int k = 0; k < 3; k++) {
                atom->position[k] += structure->atoms[0].position[k];
            }
            atom->residue_id = 1;
            snprintf(atom->residue, sizeof atom->residue, "%s", structure->atoms[0].residue.name);
        }
    }
    return BERTH_OK;
}

static size_t heavy_count(const struct berth_structure *structure)
{
    size_t count = 0;
    for (size_t i = 0; i < structure->count; i++) {
        count += !berth_is_hydrogen(&structure->atoms[i]);
    }
    return count;
}

static enum berth_status set_title(const struct berth_structure *structure,
                                   struct berth_molecule *molecule, struct berth_error *error)
{
    free(molecule->title);
    molecule->title =
        berth_copy_text(structure->title ? structure->title : structure->atoms[0].residue.name);
    return molecule->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

enum berth_status berth_perceive_molecule(const struct berth_structure *structure,
                                          struct berth_molecule *molecule,
                                          struct berth_error *error)
{
    struct berth_bytes input = {0}, output = {0};
    memset(molecule, 0, sizeof *molecule);
    berth_perception_pdb(structure, false, &input);
    const struct berth_openbabel_job job = {.format = "pdb",
                                            .options = OPTIONS,
                                            .input = input.data,
                                            .input_size = input.count,
                                            .limit = TIME_LIMIT};
    enum berth_status status =
        input.failed ? berth_out_of_memory(error, NULL) : berth_openbabel_run(&job, &output, error);
    BERTH_THEN(read_mol2(&output, molecule, error));
    BERTH_THEN(restore_atoms(structure, molecule, error));
    if (!status && berth_heavy_count(molecule) != heavy_count(structure)) {
        status = berth_fail(error, BERTH_E_IO, "Open Babel lost heavy atoms");
    }
    BERTH_THEN(berth_types_correct(molecule, error));
    BERTH_THEN(set_title(structure, molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    berth_bytes_clear(&input);
    berth_bytes_clear(&output);
    return status;
}

enum berth_status berth_plain_molecule(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    memset(molecule, 0, sizeof *molecule);
    const size_t count = heavy_count(structure);
    molecule->atoms = berth_alloc(count, sizeof *molecule->atoms);
    if (!molecule->atoms || set_title(structure, molecule, error)) {
        berth_molecule_clear(molecule);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", count);
    }
    for (size_t i = 0; i < structure->count; i++) {
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
    const enum berth_status status = berth_bonds_by_distance(molecule, error);
    if (status) {
        berth_molecule_clear(molecule);
    }
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
                    BOND * BOND) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the span's heavy atoms to the group, and marks them. */
static enum berth_status take_span(const struct berth_structure *structure, struct berth_span span,
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
    enum berth_status status = take_span(structure, first, taken, group, error);
    for (bool grown = true; !status && grown;) {
        grown = false;
        for (struct berth_span span = berth_residue_at(structure, first.end);
             !status && span.begin < span.end; span = berth_residue_at(structure, span.end)) {
            if (!taken[span.begin] && needs_types(structure, span) &&
                touches(structure, span, group)) {
                status = take_span(structure, span, taken, group, error);
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

/* Says what cannot be true of a residue's bonds, which gave its types. */
static enum berth_status warn_of(const struct berth_structure *group,
                                 const struct berth_molecule *molecule, const struct berth_log *log,
                                 struct berth_error *error)
{
    char residue[BERTH_RESIDUE_TEXT_SIZE], text[BERTH_CONTRADICTION_SIZE];
    const enum berth_status status = berth_contradiction_find(molecule, text, error);
    if (!status && *text) {
        berth_residue_text(&group->atoms[0].residue, residue);
        berth_warn(
            log, NULL,
            "%s: its types may be wrong, since the bonds that Open Babel perceived contradict "
            "its geometry: %s; give the receptor as Mol2, or leave it out (--drop %s)",
            residue, text, group->atoms[0].residue.name);
    }
    return status;
}

static enum berth_status type_group(struct berth_structure *structure,
                                    const struct berth_structure *group,
                                    const struct berth_log *log, size_t *typed,
                                    struct berth_error *error)
{
    struct berth_molecule molecule;
    enum berth_status status = berth_perceive_molecule(group, &molecule, error);
    if (status) {
        char residue[BERTH_RESIDUE_TEXT_SIZE], context[128];
        berth_residue_text(&group->atoms[0].residue, residue);
        snprintf(context, sizeof context,
                 "the types of %s are not known (leave it out with --drop %s, or try again)",
                 residue, group->atoms[0].residue.name);
        return berth_fail_in(error, context);
    }
    copy_types(structure, &molecule, typed);
    status = warn_of(group, &molecule, log, error);
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_perceive_types(struct berth_structure *structure,
                                       const struct berth_log *log, size_t *typed,
                                       struct berth_error *error)
{
    *typed = 0;
    bool *taken = berth_alloc(structure->count, sizeof *taken);
    if (!taken) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", structure->count);
    }
    enum berth_status status = BERTH_OK;
    for (struct berth_span span = berth_residue_at(structure, 0); !status && span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        struct berth_structure group = {0};
        if (!taken[span.begin] && needs_types(structure, span)) {
            status = gather_group(structure, span, taken, &group, error);
            BERTH_THEN(type_group(structure, &group, log, typed, error));
        }
        berth_structure_clear(&group);
    }
    free(taken);
    return status;
}
