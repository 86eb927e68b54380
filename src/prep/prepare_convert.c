/* Files of formats other than SMILES, tables, SDF and Mol2, to records of SDF: structures (PDB,
 * PDBQT, mmCIF) are read here, and the worker finds their bonds; Open Babel converts all others. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "format/pdb/component.h"
#include "format/pdb/pdb.h"
#include "format/pdb/structure_file.h"
#include "format/pieces.h"
#include "format/sdf/sdf.h"
#include "prep/openbabel.h"
#include "prep/prepare.h"
#include "prep/receptor/prepare_structure.h"

/* What is being converted. */
struct work {
    const struct berth_conversion *conversion;
    struct berth_converted *converted;
    const struct berth_piece *piece; /* of the file; its name may be "" */
    size_t alternates;               /* residues of which one of several places was kept */
    bool perceives;                  /* bonds were to be perceived */
};

static bool is_pdbqt(const struct berth_conversion *conversion)
{
    return strcasecmp(conversion->format, "pdbqt") == 0;
}

static bool is_pdb(const struct berth_conversion *conversion)
{
    return strcasecmp(conversion->format, "pdb") == 0 || strcasecmp(conversion->format, "ent") == 0;
}

static bool is_cif(const struct berth_conversion *conversion)
{
    return berth_text_lists("cif mmcif mcif", ' ', conversion->format);
}

/* Where a line that begins so begins, from `at` on; the text's end where there is none. */
static size_t find_line(const struct berth_bytes *text, size_t at, const char *with)
{
    while (at < text->count &&
           (text->count - at < strlen(with) || memcmp(text->data + at, with, strlen(with)) != 0)) {
        const unsigned char *end = memchr(text->data + at, '\n', text->count - at);
        at = end ? (size_t)(end - text->data) + 1 : text->count;
    }
    return at;
}

/* Atoms that berth reads itself; not a crystal's CIF. */
static bool is_structure(const struct berth_conversion *conversion, const struct berth_bytes *text)
{
    return is_pdb(conversion) || is_pdbqt(conversion) ||
           (is_cif(conversion) && find_line(text, 0, "_atom_site.") < text->count);
}

/* Poses of a run with flexible side chains have these behind the ligand. */
static enum berth_status check_ligands(const struct berth_bytes *text, struct berth_error *error)
{
    const size_t root = find_line(text, 0, "ROOT");
    if (find_line(text, 0, "BEGIN_RES") < text->count) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "it has side chains of the receptor (BEGIN_RES), which stand elsewhere "
                          "in the receptor's file: cut them out here and move them there");
    }
    return find_line(text, root + 1, "ROOT") < find_line(text, root, "ENDMDL")
               ? berth_fail(error, BERTH_E_FORMAT,
                            "it has several ligands (ROOT) in one model, which were docked "
                            "together: give each in a file of its own")
               : BERTH_OK;
}

/* True for a component of a dictionary, which has bonds. */
static bool is_component(const struct berth_conversion *conversion, const struct berth_bytes *text)
{
    return is_cif(conversion) && find_line(text, 0, "_chem_comp_atom.") < text->count &&
           find_line(text, 0, "_atom_site.") == text->count;
}

/* True for the list with which a dictionary of components begins, as those of monomer libraries do:
 * it names molecules and holds none. */
static bool is_component_list(const struct berth_conversion *conversion,
                              const struct berth_bytes *text)
{
    return is_cif(conversion) && find_line(text, 0, "_chem_comp.") < text->count &&
           find_line(text, 0, "_chem_comp_atom.") == text->count &&
           find_line(text, 0, "_atom_site.") == text->count;
}

/* --- Records --- */

void berth_converted_clear(struct berth_converted *converted)
{
    for (size_t i = 0; i < converted->count; i++) {
        berth_record_clear(&converted->items[i].record);
        free(converted->items[i].failure);
    }
    free(converted->items);
    memset(converted, 0, sizeof *converted);
}

enum berth_status berth_converted_next(struct berth_converted *converted,
                                       struct berth_record *record, bool *end,
                                       struct berth_error *error)
{
    berth_record_clear(record);
    *end = converted->next == converted->count;
    if (*end) {
        return BERTH_OK;
    }
    struct berth_converted_record *item = &converted->items[converted->next++];
    *record = item->record;
    memset(&item->record, 0, sizeof item->record);
    return item->failure ? berth_fail(error, BERTH_E_FORMAT, "%s", item->failure) : BERTH_OK;
}

/* What the next record is called.  Open Babel takes the file's name for a title that is missing in
 * some formats; where the format says what the piece is called, that is better. */
static char *name_record(const struct work *work, const char *title)
{
    char name[PATH_MAX + 32];
    if (strcmp(title, BERTH_OPENBABEL_INPUT) != 0) {
        return berth_copy_text(title);
    }
    snprintf(name, sizeof name, "%s", work->conversion->path);
    if (work->converted->count) {
        berth_text_append(name, sizeof name, ":%zu", work->converted->count + 1);
    }
    return berth_copy_text(*work->piece->name ? work->piece->name : name);
}

/* Adds a record of this text, which is moved, or NULL and the reason why there is none. */
static enum berth_status add_record(struct work *work, const char *title, bool perceived,
                                    struct berth_bytes *text, const char *failure,
                                    struct berth_error *error)
{
    struct berth_converted *converted = work->converted;
    BERTH_TRY(berth_reserve(&converted->items, &converted->capacity, converted->count + 1,
                            sizeof *converted->items, error));
    struct berth_converted_record *item = &converted->items[converted->count];
    *item = (struct berth_converted_record){.record = {.kind = BERTH_RECORD_SDF,
                                                       .title = name_record(work, title),
                                                       .line = work->piece->line,
                                                       .number = converted->count + 1,
                                                       .perceived = perceived},
                                            .failure = failure ? berth_copy_text(failure) : NULL};
    converted->count++;
    if (text) {
        item->record.text = *text;
        memset(text, 0, sizeof *text);
    }
    return item->record.title && (item->failure || !failure) && !item->record.text.failed
               ? BERTH_OK
               : berth_out_of_memory(error, NULL);
}

/* --- Structures: atoms without bonds --- */

/* The atoms of a PDB, PDBQT or mmCIF file that has one model. */
static enum berth_status read_structure(const struct berth_conversion *conversion,
                                        const struct berth_bytes *text,
                                        struct berth_structure *structure,
                                        struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    memset(structure, 0, sizeof *structure);
    enum berth_status status =
        berth_text_reader_create_memory(conversion->path, text->data, text->count, &reader, error);
    BERTH_THEN(is_cif(conversion) ? berth_mmcif_read(reader, structure, error)
                                  : berth_pdb_read(reader, is_pdbqt(conversion), structure, error));
    berth_text_reader_destroy(reader);
    if (!status && structure->models > 1) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%zu models, of which a ligand may have one; cut out the one that is "
                            "meant",
                            structure->models);
    }
    return status;
}

/* What PDB and PDBQT say of their molecule. */
struct remarks {
    char *name; /* owned: the file's one word behind COMPND, where RDKit and Open Babel write what a
                   molecule is called in PDB, or what stands behind "REMARK  Name =", as in PDBQT
                   of Open Babel and of ours; NULL: none */
    char *smiles; /* owned: what stands behind "REMARK SMILES", so that no bond need be perceived;
                     NULL: nothing */
    bool index;   /* "REMARK SMILES IDX" say which atom is which, as Meeko writes them */
};

static const char SMILES[] = "REMARK SMILES ", INDEX[] = "REMARK SMILES IDX", COMPOUND[] = "COMPND";

static bool begins_with(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Entries of the PDB have sentences there, and Open Babel writes UNNAMED of molecules without a
 * name. */
static enum berth_status read_name(const char *line, struct remarks *remarks,
                                   struct berth_error *error)
{
    char name[81], more[2];
    if (remarks->name || sscanf(line + sizeof COMPOUND - 1, "%80s %1s", name, more) != 1 ||
        strcmp(name, "UNNAMED") == 0) {
        return BERTH_OK;
    }
    remarks->name = berth_copy_text(name);
    return remarks->name ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* What a PDBQT file calls its molecule, all of it. */
static enum berth_status read_name_remark(const char *line, struct remarks *remarks,
                                          struct berth_error *error)
{
    int at = 0;
    sscanf(line, "REMARK Name = %n", &at);
    size_t length = at ? strcspn(line + at, "\r\n") : 0;
    while (length && line[(size_t)at + length - 1] == ' ') {
        length--;
    }
    if (remarks->name || !length) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&remarks->name, length + 1, 1, NULL, error));
    memcpy(remarks->name, line + at, length);
    return BERTH_OK;
}

static enum berth_status read_remark(const char *line, struct remarks *remarks,
                                     struct berth_error *error)
{
    BERTH_TRY(read_name_remark(line, remarks, error));
    if (begins_with(line, INDEX)) {
        remarks->index = true;
    } else if (begins_with(line, COMPOUND)) {
        return read_name(line, remarks, error);
    } else if (begins_with(line, SMILES) && !remarks->smiles) {
        remarks->smiles = berth_copy_text(line + sizeof SMILES - 1);
        if (!remarks->smiles) {
            return berth_out_of_memory(error, NULL);
        }
        remarks->smiles[strcspn(remarks->smiles, " \t\r")] = '\0';
    }
    return BERTH_OK;
}

/* Reads those of the first model. */
static enum berth_status read_remarks(const struct berth_conversion *conversion,
                                      const struct berth_bytes *text, struct remarks *remarks,
                                      struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    char *line = NULL;
    enum berth_status status =
        berth_text_reader_create_memory(conversion->path, text->data, text->count, &reader, error);
    BERTH_THEN(berth_text_reader_next(reader, &line, error));
    while (!status && line && !begins_with(line, "ENDMDL")) {
        status = read_remark(line, remarks, error);
        BERTH_THEN(berth_text_reader_next(reader, &line, error));
    }
    berth_text_reader_destroy(reader);
    return status;
}

/* Adds the ligand of a PDB, PDBQT or mmCIF file, with the bonds of the SMILES that it has with it,
 * or those that perception is sure of. */
static enum berth_status convert_structure(struct work *work, const struct berth_bytes *text,
                                           struct berth_error *error)
{
    const struct berth_conversion *conversion = work->conversion;
    struct berth_structure structure = {0};
    struct remarks remarks = {0};
    struct berth_bytes sdf = {0};
    size_t alternates = 0;
    enum berth_status status = is_pdbqt(conversion) ? check_ligands(text, error) : BERTH_OK;
    if (!is_cif(conversion)) {
        BERTH_THEN(read_remarks(conversion, text, &remarks, error));
    }
    BERTH_THEN(read_structure(conversion, text, &structure, error));
    BERTH_THEN(berth_alternates_resolve(&structure, &alternates, error));
    const struct berth_bonds_request wanted = {
        .structure = &structure, .smiles = remarks.smiles, .hydrogens = true};
    BERTH_THEN(remarks.smiles && remarks.index
                   ? berth_bond_orders_place(conversion->bonds, remarks.smiles, text, &sdf, error)
                   : berth_bond_orders_find(conversion->bonds, &wanted, NULL, &sdf, error));
    const char *title =
        is_pdbqt(conversion) || remarks.smiles ? "" : BERTH_OPENBABEL_INPUT; /* as it calls it */
    BERTH_THEN(
        add_record(work, remarks.name ? remarks.name : title, !remarks.smiles, &sdf, NULL, error));
    work->alternates += alternates;
    work->perceives = work->perceives || !remarks.smiles;
    free(remarks.name);
    free(remarks.smiles);
    berth_bytes_clear(&sdf);
    berth_structure_clear(&structure);
    return status;
}

/* Adds a component as it stands. */
static enum berth_status convert_component(struct work *work, const struct berth_bytes *text,
                                           struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    struct berth_molecule molecule = {0};
    char *record = NULL;
    size_t size = 0;
    enum berth_status status = berth_text_reader_create_memory(work->conversion->path, text->data,
                                                               text->count, &reader, error);
    BERTH_THEN(berth_component_read(reader, &molecule, error));
    BERTH_THEN(berth_sdf_text(&molecule, &record, &size, error));
    if (!status) {
        struct berth_bytes sdf = {.data = (unsigned char *)record, .count = size, .capacity = size};
        status = add_record(work, molecule.title, false, &sdf, NULL, error);
        record = (char *)sdf.data;
    }
    free(record);
    berth_molecule_clear(&molecule);
    berth_text_reader_destroy(reader);
    return status;
}

/* --- What Open Babel converts --- */

static enum berth_status run_openbabel(const struct berth_conversion *conversion,
                                       const struct berth_bytes *text, struct berth_bytes *sdf,
                                       struct berth_error *error)
{
    static const char *const OPTIONS[] = {BERTH_OPENBABEL_INPUT, "-osdf", NULL};
    char silent[80];
    snprintf(silent, sizeof silent, "it finds no molecule of the format %.30s there",
             conversion->format);
    const struct berth_openbabel_job job = {.format = conversion->format,
                                            .silent = silent,
                                            .options =
                                                OPTIONS + (strcmp(conversion->path, "-") == 0),
                                            .input = text,
                                            .limit = conversion->limit,
                                            .cancel = conversion->stop};
    return berth_openbabel_run(&job, sdf, error);
}

/* Adds one of Open Babel's records with bonds that are perceived from where its atoms stand. */
static enum berth_status perceive_record(struct work *work, const struct berth_record *record,
                                         struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    struct berth_structure structure = {0};
    struct berth_bytes sdf = {0};
    const struct berth_bonds_request wanted = {.structure = &structure, .hydrogens = true};
    enum berth_status status =
        berth_molfile_read((const char *)record->text.data, record->text.count, &molecule, error);
    molecule.title = berth_copy_text(""); /* it stands in the record */
    BERTH_THEN(molecule.title ? BERTH_OK : berth_out_of_memory(error, NULL));
    BERTH_THEN(berth_structure_from_molecule(&molecule, &structure, error));
    BERTH_THEN(berth_bond_orders_find(work->conversion->bonds, &wanted, NULL, &sdf, error));
    BERTH_THEN(add_record(work, record->title, true, &sdf, NULL, error));
    berth_bytes_clear(&sdf);
    berth_structure_clear(&structure);
    berth_molecule_clear(&molecule);
    return status;
}

/* Adds what Open Babel makes of the text; of formats without bonds the atoms alone count. */
static enum berth_status convert_other(struct work *work, const struct berth_bytes *text,
                                       struct berth_error *error)
{
    const bool bare = berth_prepare_lacks_bonds(work->conversion->format);
    struct berth_bytes sdf = {0};
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    bool end = false;
    work->perceives = bare;
    enum berth_status status = run_openbabel(work->conversion, text, &sdf, error);
    BERTH_THEN(berth_records_create_memory("Open Babel's output", &sdf, BERTH_RECORD_SDF, &records,
                                           error));
    BERTH_THEN(berth_records_next(records, &record, &end, error));
    while (!status && !end) {
        status = bare ? perceive_record(work, &record, error)
                      : add_record(work, record.title, false, &record.text, NULL, error);
        BERTH_THEN(berth_records_next(records, &record, &end, error));
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    berth_bytes_clear(&sdf);
    return status;
}

/* Adds the molecule of a text that has one. */
static enum berth_status convert_one(struct work *work, const struct berth_bytes *text,
                                     struct berth_error *error)
{
    const struct berth_conversion *conversion = work->conversion;
    return is_component_list(conversion, text) ? BERTH_OK
           : is_component(conversion, text)    ? convert_component(work, text, error)
           : is_structure(conversion, text)    ? convert_structure(work, text, error)
                                               : convert_other(work, text, error);
}

/* --- Files of several molecules --- */

/* The text of a piece as a file of its own. */
static void put_piece(const struct berth_bytes *text, const struct berth_pieces *pieces,
                      const struct berth_piece *piece, struct berth_bytes *file)
{
    const struct berth_piece *first = &pieces->items[0], *last = &pieces->items[pieces->count - 1];
    if (pieces->framed) {
        berth_bytes_put(file, text->data, first->begin);
    }
    berth_bytes_put(file, text->data + piece->begin, piece->end - piece->begin);
    if (pieces->framed) {
        berth_bytes_put(file, text->data + last->end, text->count - last->end);
    }
}

/* Each piece by itself, so that a bad one costs itself alone. */
static enum berth_status convert_pieces(struct work *work, const struct berth_bytes *text,
                                        const struct berth_pieces *pieces,
                                        struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < pieces->count; i++) {
        struct berth_bytes file = {0};
        struct berth_error why;
        const struct berth_piece *piece = work->piece = &pieces->items[i];
        put_piece(text, pieces, piece, &file);
        status = file.failed  ? berth_out_of_memory(&why, NULL)
                 : piece->bad ? berth_fail(&why, BERTH_E_FORMAT,
                                           "its lines are not those of a molecule in this format")
                              : convert_one(work, &file, &why);
        if (status == BERTH_E_FORMAT) {
            status = add_record(work, piece->name, false, NULL, why.message, error);
        } else if (status && error) {
            *error = why;
        }
        berth_bytes_clear(&file);
    }
    return status;
}

/* True where a piece is to be read by itself in any case: it is bad, or not for Open Babel. */
static bool is_apart(const struct berth_conversion *conversion, const struct berth_bytes *text,
                     const struct berth_pieces *pieces)
{
    bool apart = is_structure(conversion, text) || is_component(conversion, text);
    for (size_t i = 0; !apart && i < pieces->count; i++) {
        apart = pieces->items[i].bad;
    }
    return apart;
}

/* As a whole, which takes one process; where that loses molecules, piece by piece. */
static enum berth_status convert_several(struct work *work, const struct berth_bytes *text,
                                         const struct berth_pieces *pieces,
                                         struct berth_error *error)
{
    struct berth_converted *converted = work->converted;
    if (is_apart(work->conversion, text, pieces)) {
        return convert_pieces(work, text, pieces, error);
    }
    const enum berth_status status = convert_other(work, text, error);
    if (status == BERTH_E_FORMAT || (!status && converted->count < pieces->count)) {
        berth_converted_clear(converted);
        return convert_pieces(work, text, pieces, error);
    }
    for (size_t i = 0; converted->count == pieces->count && i < pieces->count; i++) {
        converted->items[i].record.line = pieces->items[i].line;
    }
    return status;
}

/* Models of PDBQT are most often poses of one ligand. */
static bool has_poses(const struct berth_conversion *conversion, const struct berth_bytes *text)
{
    const size_t model = find_line(text, 0, "MODEL");
    return is_pdbqt(conversion) && !conversion->models &&
           find_line(text, model + 1, "MODEL") < text->count;
}

static enum berth_status convert_text(struct work *work, const struct berth_bytes *text,
                                      struct berth_error *error)
{
    const struct berth_conversion *conversion = work->conversion;
    struct berth_pieces pieces;
    struct berth_error why;
    BERTH_TRY(berth_pieces_find(conversion->format, text, &pieces, error));
    const bool several = pieces.count > 1 && !has_poses(conversion, text);
    enum berth_status status = several || (pieces.count == 1 && pieces.items[0].bad)
                                   ? convert_several(work, text, &pieces, &why)
                                   : convert_one(work, text, &why);
    if (status == BERTH_E_FORMAT && work->perceives && !several) { /* a row, as of any molecule */
        status = add_record(work, "", true, NULL, why.message, &why);
    }
    if (status) {
        *error = why;
    }
    berth_pieces_clear(&pieces);
    return status;
}

enum berth_status berth_prepare_convert(const struct berth_conversion *conversion,
                                        struct berth_converted *converted,
                                        struct berth_error *error)
{
    const struct berth_piece whole = {.line = 1};
    struct work work = {.conversion = conversion, .converted = converted, .piece = &whole};
    struct berth_bytes text = {0};
    memset(converted, 0, sizeof *converted);
    enum berth_status status =
        berth_input_read_all(conversion->path, conversion->stop, &text, error);
    BERTH_THEN(convert_text(&work, &text, error));
    if (!status && work.alternates) {
        berth_warn(conversion->log, NULL,
                   "%s: alternate locations: the one of highest occupancy, in %zu residue%s",
                   conversion->path, work.alternates, work.alternates == 1 ? "" : "s");
    }
    berth_bytes_clear(&text);
    return status;
}
