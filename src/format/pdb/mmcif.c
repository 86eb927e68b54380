#include "format/pdb/pdb.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fields.h"
#include "base/text_set.h"
#include "chem/residue_types.h"
#include "format/pdb/cif.h"
#include "format/pdb/origin.h"

/* What is read of _atom_site. */
enum column {
    GROUP,
    SYMBOL,
    ATOM,
    AUTHOR_ATOM,
    ALTERNATE,
    RESIDUE,
    AUTHOR_RESIDUE,
    CHAIN,
    AUTHOR_CHAIN,
    NUMBER,
    AUTHOR_NUMBER,
    INSERTION,
    X,
    Y,
    Z,
    OCCUPANCY,
    B_FACTOR,
    MODEL,
    COLUMN_COUNT
};

/* By their numbers. */
static const struct berth_cif_name COLUMNS[COLUMN_COUNT] = {
    {"_atom_site.group_PDB", GROUP},
    {"_atom_site.type_symbol", SYMBOL},
    {"_atom_site.label_atom_id", ATOM},
    {"_atom_site.auth_atom_id", AUTHOR_ATOM},
    {"_atom_site.label_alt_id", ALTERNATE},
    {"_atom_site.label_comp_id", RESIDUE},
    {"_atom_site.auth_comp_id", AUTHOR_RESIDUE},
    {"_atom_site.label_asym_id", CHAIN},
    {"_atom_site.auth_asym_id", AUTHOR_CHAIN},
    {"_atom_site.label_seq_id", NUMBER},
    {"_atom_site.auth_seq_id", AUTHOR_NUMBER},
    {"_atom_site.pdbx_PDB_ins_code", INSERTION},
    {"_atom_site.Cartn_x", X},
    {"_atom_site.Cartn_y", Y},
    {"_atom_site.Cartn_z", Z},
    {"_atom_site.occupancy", OCCUPANCY},
    {"_atom_site.B_iso_or_equiv", B_FACTOR},
    {"_atom_site.pdbx_PDB_model_num", MODEL}};

struct source {
    struct berth_cif cif;
    struct berth_structure *structure;          /* borrowed */
    char values[COLUMN_COUNT][BERTH_CIF_VALUE]; /* of the row */
    char model[BERTH_CIF_VALUE];                /* the first model's number, in this data block */
    char last_model[BERTH_CIF_VALUE];
    size_t models;              /* of the block */
    size_t block;               /* where its atoms begin */
    struct berth_text_set met;  /* of several blocks, their atoms, and where their block begins */
    size_t listed;              /* atoms up to here are in it */
    char name[BERTH_CIF_VALUE]; /* the block's, */
    char first_name[BERTH_CIF_VALUE]; /* and that of the first one with atoms */
};

static enum berth_status refuse_value(const struct source *source, const char *text,
                                      enum column column, struct berth_error *error)
{
    return berth_text_reader_refuse(source->cif.text, error,
                                    "'%s' stands where %s belongs; write the file again", text,
                                    COLUMNS[column].name);
}

/* A number, without the standard uncertainty that may follow it in brackets. */
static enum berth_status real_of(const struct source *source, enum column column, double *value,
                                 struct berth_error *error)
{
    const char *text = source->values[column];
    const struct berth_field field = {text, strcspn(text, "(")};
    if (!field.length || !berth_field_real(&field, value) || fabs(*value) > BERTH_COORDINATE_MAX) {
        return refuse_value(source, text, column, error);
    }
    return BERTH_OK;
}

/* Copies the first of two columns that has a value into a label. */
static enum berth_status label_of(const struct source *source, enum column first,
                                  enum column second, char *label, struct berth_error *error)
{
    const char *value = *source->values[first] ? source->values[first] : source->values[second];
    if (strlen(value) >= BERTH_LABEL_SIZE) {
        return berth_text_reader_refuse(source->cif.text, error,
                                        "'%s' in %s is longer than %d letters; write the "
                                        "file with shorter names",
                                        value, COLUMNS[first].name, BERTH_LABEL_SIZE - 1);
    }
    snprintf(label, BERTH_LABEL_SIZE, "%s", value);
    return BERTH_OK;
}

static enum berth_status read_number(const struct source *source, int *number,
                                     struct berth_error *error)
{
    const char *text =
        *source->values[AUTHOR_NUMBER] ? source->values[AUTHOR_NUMBER] : source->values[NUMBER];
    const struct berth_field field = {text, strlen(text)};
    *number = 0;
    if (field.length && !berth_field_integer(&field, number)) {
        return refuse_value(source, text, AUTHOR_NUMBER, error);
    }
    return BERTH_OK;
}

/* The row's values as an atom. */
static enum berth_status add_atom(struct source *source, struct berth_error *error)
{
    struct berth_structure_atom atom = {.occupancy = 1};
    atom.line = berth_text_reader_line(source->cif.text);
    for (int k = 0; k < 3; k++) {
        BERTH_TRY(real_of(source, (enum column)(X + k), &atom.position[k], error));
    }
    if (*source->values[OCCUPANCY]) {
        BERTH_TRY(real_of(source, OCCUPANCY, &atom.occupancy, error));
    }
    const struct berth_field factor = {source->values[B_FACTOR],
                                       strcspn(source->values[B_FACTOR], "(")};
    berth_field_real(&factor, &atom.b_factor); /* else 0: nothing hangs on it */
    BERTH_TRY(label_of(source, ATOM, AUTHOR_ATOM, atom.name, error));
    BERTH_TRY(label_of(source, RESIDUE, AUTHOR_RESIDUE, atom.residue.name, error));
    BERTH_TRY(label_of(source, AUTHOR_CHAIN, CHAIN, atom.residue.chain, error));
    BERTH_TRY(read_number(source, &atom.residue.number, error));
    atom.hetero = strcmp(source->values[GROUP], "HETATM") == 0;
    atom.listed = *source->values[NUMBER] ? BERTH_LISTING_INSIDE : BERTH_LISTING_OUTSIDE;
    atom.alternate = *source->values[ALTERNATE];
    atom.residue.insertion = *source->values[INSERTION];
    atom.element = berth_element_of_symbol(source->values[SYMBOL]);
    if (!*source->values[SYMBOL]) {
        atom.element = berth_element_of_name(atom.name, atom.residue.name);
        atom.guessed = true;
    }
    if (atom.element != HYDROGEN) {
        berth_canonical_name(atom.name, atom.residue.name);
    }
    return berth_structure_add(source->structure, &atom, error);
}

/* Takes the row if it is of the block's first model, and counts the others. */
static enum berth_status take_row(void *context, struct berth_error *error)
{
    struct source *source = context;
    struct berth_structure *structure = source->structure;
    const char *model = source->values[MODEL];
    if (!source->models || strcmp(model, source->last_model) != 0) {
        if (!source->models) {
            snprintf(source->model, BERTH_CIF_VALUE, "%s", model);
        }
        snprintf(source->last_model, BERTH_CIF_VALUE, "%s", model);
        source->models++;
        structure->models = source->models > structure->models ? source->models : structure->models;
    }
    return strcmp(model, source->model) == 0 ? add_atom(source, error) : BERTH_OK;
}

/* --- Data blocks --- */

/* Adds an atom to those met; *met: an earlier block has it, too. */
static enum berth_status meet_atom(struct source *source, size_t index, bool *met,
                                   struct berth_error *error)
{
    const struct berth_structure_atom *atom = &source->structure->atoms[index];
    const size_t block = index < source->block ? 0 : source->block;
    uint64_t first = block;
    const struct berth_residue_id *residue = &atom->residue;
    char key[3 * BERTH_LABEL_SIZE + 48];
    snprintf(key, sizeof key, "%s\n%s\n%d\n%d\n%s\n%d", residue->name, residue->chain,
             residue->number, residue->insertion, atom->name, atom->alternate);
    BERTH_TRY(berth_text_set_add(&source->met, key, &first, met, error));
    *met = *met && first != block;
    return BERTH_OK;
}

/* Blocks with atoms are parts of one structure, as programs write a protein and its ligand; unless
 * they have the same atoms, as entries and models that were put one behind the other do. */
static enum berth_status end_block(struct source *source, struct berth_error *error)
{
    struct berth_structure *structure = source->structure;
    if (structure->count == source->block) {
        return BERTH_OK;
    }
    for (; source->block && source->listed < structure->count; source->listed++) {
        bool met;
        BERTH_TRY(meet_atom(source, source->listed, &met, error));
        if (met) {
            const struct berth_structure_atom *atom = &source->structure->atoms[source->listed];
            char residue[BERTH_RESIDUE_TEXT_SIZE];
            berth_residue_text(&atom->residue, residue);
            return berth_fail(
                error, BERTH_E_FORMAT,
                "%s:%zu: atom %s of %s stands in the data block %s, and in one before it (%s "
                "is the first): two structures; give one",
                berth_text_reader_path(source->cif.text), atom->line, atom->name, residue,
                source->name, source->first_name);
        }
    }
    if (!structure->blocks++) {
        snprintf(source->first_name, BERTH_CIF_VALUE, "%s", source->name);
    }
    source->block = structure->count;
    return BERTH_OK;
}

static enum berth_status begin_block(struct source *source, struct berth_error *error)
{
    enum { DATA = 5 }; /* "data_" */
    BERTH_TRY(end_block(source, error));
    source->models = 0;
    snprintf(source->name, BERTH_CIF_VALUE, "%.*s", (int)(source->cif.length - DATA),
             source->cif.token + DATA);
    return BERTH_OK;
}

/* What the token says of the structure's origin: a value, or the name in front of the cell's. */
static void read_origin(const struct berth_cif *cif, bool edge,
                        struct berth_structure_origin *origin)
{
    if (edge) {
        berth_origin_read_edge(origin, cif->token, cif->length);
    } else if (!berth_cif_begins(cif, "_")) {
        berth_origin_read_value(origin, cif->token, cif->length);
    }
}

static enum berth_status read_blocks(struct source *source, struct berth_error *error)
{
    const struct berth_cif_rows atoms = {"_atom_site", COLUMNS,  COLUMN_COUNT, source->values,
                                         COLUMN_COUNT, take_row, source};
    static const char *const EDGE = "_cell.length_a";
    bool edge = false;
    BERTH_TRY(berth_cif_next(&source->cif, error));
    while (source->cif.kind != BERTH_CIF_END) {
        read_origin(&source->cif, edge, &source->structure->origin);
        edge = berth_cif_begins(&source->cif, EDGE) && source->cif.length == strlen(EDGE);
        if (berth_cif_begins(&source->cif, "data_")) {
            BERTH_TRY(begin_block(source, error));
        }
        BERTH_TRY(berth_cif_begins(&source->cif, "loop_")
                      ? berth_cif_read_loop(&source->cif, &atoms, error)
                      : berth_cif_next(&source->cif, error));
    }
    return end_block(source, error);
}

enum berth_status berth_mmcif_read(struct berth_text_reader *text,
                                   struct berth_structure *structure, struct berth_error *error)
{
    struct source source = {.cif = {.text = text}, .structure = structure};
    const enum berth_status status = read_blocks(&source, error);
    berth_text_set_clear(&source.met);
    if (status) {
        return status;
    }
    /* Places in sequences say something only where polymers alone have them: not where all, or
     * waters, do, nor where none does. */
    size_t inside = 0;
    bool water = false;
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const bool listed = atom->listed == BERTH_LISTING_INSIDE;
        inside += listed;
        water = water || (listed && berth_is_water_name(atom->residue.name));
    }
    for (size_t i = 0; (!inside || inside == structure->count || water) && i < structure->count;
         i++) {
        structure->atoms[i].listed = BERTH_LISTING_NONE;
    }
    berth_structure_find_ions(structure);
    return structure->count
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "%s: no loop _atom_site with atoms; a structure is needed, not a "
                            "dictionary or structure factors",
                            berth_text_reader_path(text));
}
