/* Which files need Open Babel, what their molecules are called, and whole files of formats that
 * only it reads, to SDF. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/memory.h"
#include "prep/openbabel.h"
#include "prep/bond_orders.h"
#include "prep/contradiction.h"
#include "format/pieces.h"
#include "format/sdf/sdf.h"
#include "format/smiles/smiles.h"
#include "prep/prepare.h"
#include "prep/remark_smiles.h"
#include "format/pdb/pdb.h"

/* A molecule that could not be converted leaves an SDF record without atoms whose third line begins
 * with this, and says why. */
#define REASON_MARK "berth: "
enum { REASON_SIZE = 640 };

bool berth_prepare_takes(const char *path)
{
    static const char *const FORMATS[] = {"pdb",  "ent", "pdbqt", "cif", "mmcif",
                                          "mcif", "xyz", "inchi", "cml", "mae"};
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    bool takes = kind == BERTH_RECORD_SMILES || kind == BERTH_RECORD_SDF;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        takes = takes || strcmp(format, FORMATS[i]) == 0;
    }
    return takes;
}

bool berth_prepare_lacks_bonds(const char *format)
{
    static const char *const FORMATS[] = {"pdb", "ent",   "pdbqt", "pqr", "xyz",
                                          "cif", "mmcif", "mcif",  "gro"};
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        if (strcasecmp(format, FORMATS[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool berth_prepare_perceives(const char *format)
{
    return berth_prepare_lacks_bonds(format) && strcasecmp(format, "pdbqt") != 0;
}

static enum berth_status check_perceived(const struct berth_record *record,
                                         struct berth_error *error)
{
    char text[BERTH_CONTRADICTION_SIZE] = "";
    struct berth_molecule molecule;
    enum berth_status status =
        berth_molfile_read((const char *)record->text.data, record->text.count, &molecule, error);
    BERTH_THEN(berth_contradiction_find(&molecule, text, error));
    berth_molecule_clear(&molecule);
    return status || !*text
               ? status
               : berth_fail(
                     error, BERTH_E_FORMAT,
                     "its bonds, which Open Babel perceived, contradict the file: %s; give "
                     "it as SMILES, SDF or Mol2 (in PDB, a line `REMARK SMILES ...` will do)",
                     text);
}

/* The reason that put_failure left in a record, and the line of its molecule; or false. */
static bool take_failure(const struct berth_record *record, char text[REASON_SIZE], size_t *line)
{
    static const char MARK[] = "\n  berth\n" REASON_MARK;
    const size_t size = sizeof MARK - 1;
    if (record->kind != BERTH_RECORD_SDF || record->text.count <= size ||
        memcmp(record->text.data, MARK, size) != 0) {
        return false;
    }
    const size_t rest = record->text.count - size;
    char copy[REASON_SIZE];
    snprintf(copy, sizeof copy, "%.*s", (int)(rest < REASON_SIZE ? rest : REASON_SIZE - 1),
             (const char *)record->text.data + size);
    copy[strcspn(copy, "\n")] = '\0';
    return sscanf(copy, "%9zu %639[^\n]", line, text) == 2;
}

enum berth_status berth_prepare_check(const struct berth_record *record, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    char why[REASON_SIZE];
    size_t line;
    if (take_failure(record, why, &line)) {
        return berth_fail(error, BERTH_E_FORMAT, "%s", why);
    }
    if (record->kind == BERTH_RECORD_SMILES) {
        status = berth_smiles_check((const char *)record->text.data, record->text.count, error);
    } else if (record->kind == BERTH_RECORD_SDF) {
        status = berth_molfile_check((const char *)record->text.data, record->text.count, error);
    }
    return status || !record->perceived ? status : check_perceived(record, error);
}

enum berth_status berth_prepare_name(struct berth_record *record, const char *path,
                                     struct berth_error *error)
{
    const char *title = record->title ? record->title : "";
    char why[REASON_SIZE];
    size_t line;
    if (take_failure(record, why, &line)) {
        record->line = line; /* of the file, not of what was made of it */
    }
    const bool by_file = strcmp(title, BERTH_OPENBABEL_INPUT) == 0;
    if (*title && !by_file) {
        return BERTH_OK;
    }
    const char *slash = strrchr(path, '/');
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%.*s:%llu", NAME_MAX, slash ? slash + 1 : path,
             (unsigned long long)record->number);
    if (by_file) {
        snprintf(name, sizeof name, "%s", path);
    }
    free(record->title);
    record->title = berth_copy_text(name);
    return record->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

struct conversion {
    const char *path, *format; /* "-": standard input, which has no name */
    double limit;
    const atomic_bool *stop;
};

static bool is_pdbqt(const struct conversion *conversion)
{
    return strcasecmp(conversion->format, "pdbqt") == 0;
}

/* Of PDB and PDBQT: the formats in which SMILES may stand as a remark. */
static bool has_remarks(const struct conversion *conversion)
{
    return is_pdbqt(conversion) || strcasecmp(conversion->format, "pdb") == 0 ||
           strcasecmp(conversion->format, "ent") == 0;
}

/* The atoms of a PDB or PDBQT file that has one model. */
static enum berth_status read_structure(const struct conversion *conversion,
                                        const struct berth_bytes *text,
                                        struct berth_structure *structure,
                                        struct berth_error *error)
{
    struct berth_text_reader *reader;
    enum berth_status status =
        berth_text_reader_create_memory(conversion->path, text->data, text->count, &reader, error);
    if (!status) {
        status = berth_pdb_read(reader, is_pdbqt(conversion), structure, error);
        berth_text_reader_destroy(reader);
    }
    if (!status && structure->models > 1) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%zu models, of which a ligand may have one; cut out the one that is "
                            "meant",
                            structure->models);
    }
    return status;
}

/* Appends the ligand of a PDB or PDBQT file as SDF, with the bonds of the SMILES that it has with
 * it, or those that perception is sure of. */
static enum berth_status convert_structure(const struct conversion *conversion,
                                           const struct berth_bytes *text,
                                           const struct berth_remark_smiles *remark,
                                           struct berth_bytes *sdf, struct berth_error *error)
{
    struct berth_structure structure = {0};
    struct berth_bonded_ligand bonded = {0};
    enum berth_status status = read_structure(conversion, text, &structure, error);
    if (!status && remark->positions) {
        status = berth_bond_orders_place(remark->smiles, (const double(*)[3])remark->positions,
                                         remark->count, conversion->limit, sdf, error);
    } else if (!status) {
        status =
            berth_bond_orders_find(&structure, remark->smiles, conversion->limit, &bonded, error);
        BERTH_THEN(berth_bonded_ligand_put(&bonded, sdf, error));
    }
    berth_bonded_ligand_clear(&bonded);
    berth_structure_clear(&structure);
    return status;
}

/* --- What Open Babel converts --- */

static enum berth_status run(const struct conversion *conversion, const unsigned char *text,
                             size_t size, struct berth_bytes *sdf, struct berth_error *error)
{
    static const char *const OPTIONS[] = {BERTH_OPENBABEL_INPUT, "-osdf", NULL};
    const struct berth_openbabel_job job = {.format = conversion->format,
                                            .options =
                                                OPTIONS + (strcmp(conversion->path, "-") == 0),
                                            .input = text,
                                            .input_size = size,
                                            .limit = conversion->limit,
                                            .cancel = conversion->stop};
    return berth_openbabel_run(&job, sdf, error);
}

static size_t count_records(const struct berth_bytes *sdf)
{
    static const char END[] = "$$$$\n";
    const size_t size = sizeof END - 1;
    size_t count = 0;
    for (size_t at = 0; at + size <= sdf->count; at++) {
        const bool starts_line = at == 0 || sdf->data[at - 1] == '\n';
        count += starts_line && memcmp(sdf->data + at, END, size) == 0;
    }
    return count;
}

/* Appends a record without atoms that says why (see berth_prepare_check). */
static void put_failure(const struct berth_piece *piece, const char *why, struct berth_bytes *sdf)
{
    char text[REASON_SIZE];
    const int length = snprintf(text, sizeof text,
                                "\n  berth\n" REASON_MARK "%zu %.400s\n"
                                "  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n",
                                piece->line, why);
    berth_bytes_put(sdf, text, (size_t)length);
}

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
static enum berth_status convert_pieces(const struct conversion *conversion,
                                        const struct berth_bytes *text,
                                        const struct berth_pieces *pieces, struct berth_bytes *sdf,
                                        struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < pieces->count; i++) {
        const struct berth_piece *piece = &pieces->items[i];
        struct berth_bytes file = {0}, record = {0};
        if (piece->bad) {
            put_failure(piece, "its lines are not those of a molecule in this format", sdf);
            continue;
        }
        put_piece(text, pieces, piece, &file);
        status = file.failed ? berth_out_of_memory(error, NULL)
                             : run(conversion, file.data, file.count, &record, error);
        if (status == BERTH_E_FORMAT) {
            put_failure(piece, error->message, sdf);
            status = BERTH_OK;
        } else if (!status) {
            berth_bytes_put(sdf, record.data, record.count);
        }
        berth_bytes_clear(&file);
        berth_bytes_clear(&record);
    }
    return status || !sdf->failed ? status : berth_out_of_memory(error, NULL);
}

/* As a whole, which takes one process; where that loses molecules, piece by piece. */
static enum berth_status convert_text(const struct conversion *conversion,
                                      const struct berth_bytes *text, struct berth_bytes *sdf,
                                      struct berth_error *error)
{
    struct berth_pieces pieces;
    enum berth_status status = berth_pieces_find(conversion->format, text, &pieces, error);
    if (status) {
        return status;
    }
    bool bad = false;
    for (size_t i = 0; i < pieces.count; i++) {
        bad = bad || pieces.items[i].bad;
    }
    struct berth_bytes whole = {0};
    if (!bad) {
        status = run(conversion, text->data, text->count, &whole, error);
    }
    const bool lost = status == BERTH_E_FORMAT || count_records(&whole) < pieces.count;
    if (bad || (pieces.count > 1 && lost && (!status || status == BERTH_E_FORMAT))) {
        status = convert_pieces(conversion, text, &pieces, sdf, error);
    } else if (!status) {
        berth_bytes_put(sdf, whole.data, whole.count);
        status = sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    }
    berth_bytes_clear(&whole);
    berth_pieces_clear(&pieces);
    return status;
}

enum berth_status berth_prepare_convert(const char *path, const char *format, double limit,
                                        const atomic_bool *stop, struct berth_bytes *sdf,
                                        struct berth_error *error)
{
    const struct conversion conversion = {path, format, limit, stop};
    struct berth_bytes text = {0};
    struct berth_remark_smiles remark = {.smiles = NULL};
    enum berth_status status = berth_input_read_all(path, stop, &text, error);
    if (!status && has_remarks(&conversion)) {
        status = berth_remark_smiles_read(path, &text, &remark, error);
    }
    if (!status && (is_pdbqt(&conversion) || remark.smiles)) {
        status = convert_structure(&conversion, &text, &remark, sdf, error);
    } else if (!status) {
        status = convert_text(&conversion, &text, sdf, error);
    }
    berth_remark_smiles_clear(&remark);
    berth_bytes_clear(&text);
    return status;
}
