#include "format/pdb/pdb.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fields.h"
#include "base/text_set.h"
#include "chem/residue_types.h"
#include "format/pdb/cif.h"

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

static const char *const COLUMNS[COLUMN_COUNT] = {
    "group_PDB",     "type_symbol",       "label_atom_id",     "auth_atom_id", "label_alt_id",
    "label_comp_id", "auth_comp_id",      "label_asym_id",     "auth_asym_id", "label_seq_id",
    "auth_seq_id",   "pdbx_PDB_ins_code", "Cartn_x",           "Cartn_y",      "Cartn_z",
    "occupancy",     "B_iso_or_equiv",    "pdbx_PDB_model_num"};

enum { VALUE_SIZE = 32, COLUMNS_MAX = 64 };

struct source {
    struct berth_cif cif;
    struct berth_structure *structure;     /* borrowed */
    size_t loop_line;                      /* where the loop began */
    int column_of[COLUMNS_MAX];            /* enum column of each of the loop's, or -1 */
    size_t columns;                        /* of the loop */
    char values[COLUMN_COUNT][VALUE_SIZE]; /* of the row */
    char model[VALUE_SIZE];                /* the first model's number, in this data block */
    char last_model[VALUE_SIZE];
    size_t models;               /* of the block */
    size_t block;                /* where its atoms begin */
    struct berth_text_set met;   /* of several blocks, their atoms, and where their block begins */
    size_t listed;               /* atoms up to here are in it */
    char name[VALUE_SIZE];       /* the block's, */
    char first_name[VALUE_SIZE]; /* and that of the first one with atoms */
};

/* Reads the loop's column names; the first token behind them is current then. */
static enum berth_status read_loop_head(struct source *source, bool *atoms,
                                        struct berth_error *error)
{
    static const char CATEGORY[] = "_atom_site.";
    source->columns = 0;
    source->loop_line = berth_text_reader_line(source->cif.text);
    *atoms = false;
    for (;;) {
        enum berth_status status = berth_cif_next(&source->cif, error);
        if (status || !berth_cif_begins(&source->cif, "_")) {
            return status;
        }
        *atoms = *atoms || berth_cif_begins(&source->cif, CATEGORY);
        if (*atoms && source->columns == COLUMNS_MAX) {
            return berth_text_reader_refuse(source->cif.text, error,
                                            "_atom_site has more than %d columns; write the file "
                                            "again",
                                            COLUMNS_MAX);
        }
        if (!*atoms) {
            continue;
        }
        source->column_of[source->columns] = -1;
        for (int i = 0; i < COLUMN_COUNT; i++) {
            const size_t size = strlen(COLUMNS[i]);
            if (source->cif.length == sizeof CATEGORY - 1 + size &&
                memcmp(source->cif.token + sizeof CATEGORY - 1, COLUMNS[i], size) == 0) {
                source->column_of[source->columns] = i;
            }
        }
        source->columns++;
    }
}

/* Keeps the token as the value of a column; '.' and '?' say that there is none. */
static enum berth_status keep_value(struct source *source, int column, struct berth_error *error)
{
    char *value = source->values[column];
    const bool absent = source->cif.kind == BERTH_CIF_WORD && source->cif.length == 1 &&
                        (*source->cif.token == '.' || *source->cif.token == '?');
    if (source->cif.length >= VALUE_SIZE) {
        return berth_text_reader_refuse(
            source->cif.text, error, "a value of %zu bytes in _atom_site.%s; write the file again",
            source->cif.length, COLUMNS[column]);
    }
    memcpy(value, source->cif.token, source->cif.length);
    value[absent ? 0 : source->cif.length] = '\0';
    return BERTH_OK;
}

static enum berth_status refuse_value(const struct source *source, const char *text,
                                      enum column column, struct berth_error *error)
{
    return berth_text_reader_refuse(source->cif.text, error,
                                    "'%s' stands where _atom_site.%s belongs; write the file again",
                                    text, COLUMNS[column]);
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
        return berth_text_reader_refuse(
            source->cif.text, error,
            "'%s' in _atom_site.%s is longer than %d letters; write the "
            "file with shorter names",
            value, COLUMNS[first], BERTH_LABEL_SIZE - 1);
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
static enum berth_status take_row(struct source *source, struct berth_error *error)
{
    struct berth_structure *structure = source->structure;
    const char *model = source->values[MODEL];
    if (!source->models || strcmp(model, source->last_model) != 0) {
        if (!source->models) {
            snprintf(source->model, VALUE_SIZE, "%s", model);
        }
        snprintf(source->last_model, VALUE_SIZE, "%s", model);
        source->models++;
        structure->models = source->models > structure->models ? source->models : structure->models;
    }
    return strcmp(model, source->model) == 0 ? add_atom(source, error) : BERTH_OK;
}

/* Reads the rows of the loop; its first value is the current token. */
static enum berth_status read_rows(struct source *source, struct berth_error *error)
{
    while (!berth_cif_is_reserved(&source->cif)) {
        memset(source->values, 0, sizeof source->values);
        for (size_t i = 0; i < source->columns; i++) {
            if (berth_cif_is_reserved(&source->cif)) {
                return berth_text_reader_refuse(
                    source->cif.text, error,
                    "the last row of _atom_site has %zu of %zu values; the file was cut off, "
                    "fetch it again",
                    i, source->columns);
            }
            if (source->column_of[i] >= 0) {
                BERTH_TRY(keep_value(source, source->column_of[i], error));
            }
            if (i + 1 < source->columns) {
                BERTH_TRY(berth_cif_next(&source->cif, error));
            }
        }
        BERTH_TRY(take_row(source, error));
        BERTH_TRY(berth_cif_next(&source->cif, error));
    }
    return BERTH_OK;
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
        snprintf(source->first_name, VALUE_SIZE, "%s", source->name);
    }
    source->block = structure->count;
    return BERTH_OK;
}

static enum berth_status begin_block(struct source *source, struct berth_error *error)
{
    enum { DATA = 5 }; /* "data_" */
    BERTH_TRY(end_block(source, error));
    source->models = 0;
    snprintf(source->name, VALUE_SIZE, "%.*s", (int)(source->cif.length - DATA),
             source->cif.token + DATA);
    return BERTH_OK;
}

static enum berth_status read_blocks(struct source *source, struct berth_error *error)
{
    BERTH_TRY(berth_cif_next(&source->cif, error));
    while (source->cif.kind != BERTH_CIF_END) {
        if (berth_cif_begins(&source->cif, "data_")) {
            BERTH_TRY(begin_block(source, error));
        }
        if (!berth_cif_begins(&source->cif, "loop_")) {
            BERTH_TRY(berth_cif_next(&source->cif, error));
            continue;
        }
        bool atoms;
        BERTH_TRY(read_loop_head(source, &atoms, error));
        if (atoms) {
            BERTH_TRY(read_rows(source, error));
        }
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
