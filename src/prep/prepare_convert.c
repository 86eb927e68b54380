/* Which files need Open Babel, what their molecules are called, and whole files of formats that
 * only it reads, to SDF. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/file.h"
#include "format/pdb/structure_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "format/pdb/pdb.h"
#include "format/pieces.h"
#include "format/sdf/sdf.h"
#include "format/smiles/smiles.h"
#include "prep/bond_orders.h"
#include "prep/perception.h"
#include "prep/openbabel.h"
#include "prep/prepare.h"

/* --- SMILES beside the atoms of a PDB or PDBQT file --- */

/* What Meeko writes into a PDBQT file beside its atoms, and anybody may write into PDB: the
 * ligand's SMILES ("REMARK SMILES"), and which atom is which ("REMARK SMILES IDX"), so that no bond
 * need be perceived. */

struct remark_smiles {
    char *name;             /* owned: the file's one word behind COMPND, where RDKit and Open Babel
                               write what a molecule is called in PDB, or what stands behind
                               "REMARK  Name =", as in PDBQT of Open Babel and of ours; NULL: none */
    char *smiles;           /* owned; NULL: the file has none */
    double (*positions)[3]; /* owned; [count], Å: of the atoms in the order of the SMILES; NULL:
                               the file does not say which is which */
    size_t count;
};

static const char SMILES[] = "REMARK SMILES ", INDEX[] = "REMARK SMILES IDX", COMPOUND[] = "COMPND";

/* Columns of an atom's line, from 0: its serial number, and where it stands. */
enum { SERIAL = 6, SERIAL_SIZE = 5, PLACE = 30, PLACE_SIZE = 8, PLACE_END = 54 };

/* An atom of the SMILES (from 1) and its serial number in the file. */
struct pair {
    size_t atom;
    long serial;
};

struct place {
    long serial;
    double position[3];
};

struct reading {
    struct pair *pairs;   /* owned */
    struct place *places; /* owned */
    size_t pair_count, pair_capacity, place_count, place_capacity;
};

static enum berth_status read_pairs(const char *line, struct reading *reading,
                                    struct berth_error *error)
{
    struct pair pair;
    int used = 0;
    for (const char *at = line + sizeof INDEX - 1;
         sscanf(at, "%zu %ld%n", &pair.atom, &pair.serial, &used) == 2; at += used) {
        BERTH_TRY(berth_reserve(&reading->pairs, &reading->pair_capacity, reading->pair_count + 1,
                                sizeof *reading->pairs, error));
        reading->pairs[reading->pair_count++] = pair;
    }
    return BERTH_OK;
}

static double number_at(const char *line, size_t column, size_t size)
{
    char text[16];
    snprintf(text, sizeof text, "%.*s", (int)size, line + column);
    return strtod(text, NULL);
}

static enum berth_status read_place(const char *line, struct reading *reading,
                                    struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&reading->places, &reading->place_capacity, reading->place_count + 1,
                            sizeof *reading->places, error));
    struct place *place = &reading->places[reading->place_count++];
    place->serial = (long)number_at(line, SERIAL, SERIAL_SIZE);
    for (size_t k = 0; k < 3; k++) {
        place->position[k] = number_at(line, PLACE + k * PLACE_SIZE, PLACE_SIZE);
    }
    return BERTH_OK;
}

static bool begins_with(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Entries of the PDB have sentences there, and Open Babel writes UNNAMED of molecules without a
 * name. */
static enum berth_status read_name(const char *line, struct remark_smiles *remark,
                                   struct berth_error *error)
{
    char name[81], more[2];
    if (remark->name || sscanf(line + sizeof COMPOUND - 1, "%80s %1s", name, more) != 1 ||
        strcmp(name, "UNNAMED") == 0) {
        return BERTH_OK;
    }
    remark->name = berth_copy_text(name);
    return remark->name ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* What a PDBQT file calls its molecule, all of it. */
static enum berth_status read_name_remark(const char *line, struct remark_smiles *remark,
                                          struct berth_error *error)
{
    int at = 0;
    sscanf(line, "REMARK Name = %n", &at);
    size_t length = at ? strcspn(line + at, "\r\n") : 0;
    while (length && line[(size_t)at + length - 1] == ' ') {
        length--;
    }
    if (remark->name || !length) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&remark->name, length + 1, 1, NULL, error));
    memcpy(remark->name, line + at, length);
    return BERTH_OK;
}

static enum berth_status read_remark_line(const char *line, struct remark_smiles *remark,
                                          struct reading *reading, struct berth_error *error)
{
    if (begins_with(line, INDEX)) {
        return read_pairs(line, reading, error);
    }
    BERTH_TRY(read_name_remark(line, remark, error));
    if (begins_with(line, COMPOUND)) {
        return read_name(line, remark, error);
    }
    if (begins_with(line, SMILES) && !remark->smiles) {
        remark->smiles = berth_copy_text(line + sizeof SMILES - 1);
        if (!remark->smiles) {
            return berth_out_of_memory(error, NULL);
        }
        remark->smiles[strcspn(remark->smiles, " \t\r")] = '\0';
        return BERTH_OK;
    }
    const bool atom = begins_with(line, "ATOM") || begins_with(line, "HETATM");
    return atom && strlen(line) >= PLACE_END ? read_place(line, reading, error) : BERTH_OK;
}

static enum berth_status read_lines(struct berth_text_reader *reader, struct remark_smiles *remark,
                                    struct reading *reading, struct berth_error *error)
{
    char *line;
    enum berth_status status = berth_text_reader_next(reader, &line, error);
    while (!status && line && !begins_with(line, "ENDMDL")) {
        status = read_remark_line(line, remark, reading, error);
        BERTH_THEN(berth_text_reader_next(reader, &line, error));
    }
    return status;
}

static const struct place *find_place(const struct reading *reading, long serial)
{
    for (size_t i = 0; i < reading->place_count; i++) {
        if (reading->places[i].serial == serial) {
            return &reading->places[i];
        }
    }
    return NULL;
}

/* Puts the places into the order of the SMILES. */
static enum berth_status order_places(const char *name, const struct reading *reading,
                                      struct remark_smiles *remark, struct berth_error *error)
{
    const size_t count = reading->pair_count;
    bool *seen;
    remark->count = count;
    BERTH_TRY(berth_make(&remark->positions, count, sizeof *remark->positions, NULL, error));
    enum berth_status status = berth_make(&seen, count + 1, sizeof *seen, NULL, error);
    for (size_t i = 0; !status && i < count; i++) {
        const struct pair *pair = &reading->pairs[i];
        const struct place *place = find_place(reading, pair->serial);
        if (!place || !pair->atom || pair->atom > count || seen[pair->atom]) {
            status = berth_fail(error, BERTH_E_FORMAT,
                                "%s: its REMARK SMILES IDX names atom %zu of the SMILES and atom "
                                "%ld of the file, which do not both exist once",
                                name, pair->atom, pair->serial);
        } else {
            seen[pair->atom] = true;
            memcpy(remark->positions[pair->atom - 1], place->position, sizeof place->position);
        }
    }
    free(seen);
    return status;
}

static void clear_remark(struct remark_smiles *remark)
{
    free(remark->name);
    free(remark->smiles);
    free(remark->positions);
    memset(remark, 0, sizeof *remark);
}

/* Reads the first model of the file's text; name stands in messages.  The caller clears *remark. */
static enum berth_status read_remark(const char *name, const struct berth_bytes *text,
                                     struct remark_smiles *remark, struct berth_error *error)
{
    struct reading reading = {.pairs = NULL};
    struct berth_text_reader *reader = NULL;
    memset(remark, 0, sizeof *remark);
    enum berth_status status =
        berth_text_reader_create_memory(name, text->data, text->count, &reader, error);
    BERTH_THEN(read_lines(reader, remark, &reading, error));
    if (!status && remark->smiles && reading.pair_count) {
        status = order_places(name, &reading, remark, error);
    }
    if (status) {
        clear_remark(remark);
    }
    berth_text_reader_destroy(reader);
    free(reading.pairs);
    free(reading.places);
    return status;
}

/* --- Which files need Open Babel, and what their molecules are called --- */

/* A molecule that could not be converted leaves an SDF record without atoms whose third line begins
 * with this, and says why. */
#define REASON_MARK "berth: "
enum { REASON_SIZE = 640 };
static const char FAILURE[] = "\n  berth\n" REASON_MARK;

bool berth_prepare_takes(const char *path)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    return kind == BERTH_RECORD_SMILES || kind == BERTH_RECORD_SDF ||
           berth_text_lists("pdb ent pdbqt cif mmcif mcif xyz inchi cml mae", ' ', format);
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

static enum berth_status check_perceived(const struct berth_record *record,
                                         struct berth_error *error)
{
    char text[BERTH_CONTRADICTION_SIZE] = "";
    struct berth_molecule molecule;
    enum berth_status status =
        berth_molfile_read((const char *)record->text.data, record->text.count, &molecule, error);
    for (size_t i = 0; !status && i < molecule.atom_count; i++) { /* names are not in the record */
        struct berth_atom *atom = &molecule.atoms[i];
        snprintf(atom->name, sizeof atom->name, "%s", berth_element_symbol(atom->element));
    }
    BERTH_THEN(berth_contradiction_find(&molecule, text, error));
    berth_molecule_clear(&molecule);
    return status || !*text
               ? status
               : berth_fail(error, BERTH_E_FORMAT,
                            "its bonds, which were perceived, contradict the file: %s; give it as "
                            "SMILES, SDF or Mol2 (in PDB, a line `REMARK SMILES ...` will do)",
                            text);
}

/* The reason that put_failure left in a record, and the line of its molecule; or false. */
static bool read_failure(const struct berth_record *record, char text[REASON_SIZE], size_t *line)
{
    const size_t size = sizeof FAILURE - 1;
    if (record->kind != BERTH_RECORD_SDF || record->text.count <= size ||
        memcmp(record->text.data, FAILURE, size) != 0) {
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
    if (read_failure(record, why, &line)) {
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
    if (read_failure(record, why, &line)) {
        record->line = line; /* of the file, not of what was made of it */
    }
    const bool by_file = strcmp(title, BERTH_OPENBABEL_INPUT) == 0;
    if (*title && !by_file) {
        return BERTH_OK;
    }
    const char *slash = strrchr(path, '/');
    const unsigned long long number = record->number;
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%.*s:%llu", NAME_MAX, slash ? slash + 1 : path, number);
    if (by_file) {
        snprintf(name, sizeof name, "%s", path);
    } else if (berth_structure_format_of(path) != BERTH_STRUCTURE_UNKNOWN &&
               record->kind != BERTH_RECORD_MOL2) {
        /* PDB, PDBQT, mmCIF: most often a file is a molecule, else there are poses of one */
        const char *stem;
        const size_t length = berth_file_stem(path, &stem);
        snprintf(name, sizeof name, "%.*s", (int)(length < NAME_MAX ? length : NAME_MAX), stem);
        if (number > 1) {
            berth_text_append(name, sizeof name, ":%llu", number);
        }
    }
    free(record->title);
    record->title = berth_copy_text(name);
    return record->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static bool is_pdbqt(const struct berth_conversion *conversion)
{
    return strcasecmp(conversion->format, "pdbqt") == 0;
}

static bool is_pdb(const struct berth_conversion *conversion)
{
    return strcasecmp(conversion->format, "pdb") == 0 || strcasecmp(conversion->format, "ent") == 0;
}

/* The atoms of a PDB or PDBQT file that has one model. */
static enum berth_status read_structure(const struct berth_conversion *conversion,
                                        const struct berth_bytes *text,
                                        struct berth_structure *structure,
                                        struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    enum berth_status status =
        berth_text_reader_create_memory(conversion->path, text->data, text->count, &reader, error);
    BERTH_THEN(berth_pdb_read(reader, is_pdbqt(conversion), structure, error));
    berth_text_reader_destroy(reader);
    if (!status && structure->models > 1) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%zu models, of which a ligand may have one; cut out the one that is "
                            "meant",
                            structure->models);
    }
    return status;
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

/* Poses of a run with flexible side chains have these behind the ligand. */
static enum berth_status check_residues(const struct berth_bytes *text, struct berth_error *error)
{
    return find_line(text, 0, "BEGIN_RES") < text->count
               ? berth_fail(error, BERTH_E_FORMAT,
                            "it has side chains of the receptor (BEGIN_RES), which stand elsewhere "
                            "in the receptor's file: cut them out here and move them there")
               : BERTH_OK;
}

/* Appends the ligand of a PDB or PDBQT file as SDF, with the bonds of the SMILES that it has with
 * it, or those that perception is sure of. */
static enum berth_status convert_structure(const struct berth_conversion *conversion,
                                           const struct berth_bytes *text,
                                           const struct remark_smiles *remark,
                                           struct berth_bytes *sdf, struct berth_error *error)
{
    struct berth_structure structure = {0};
    enum berth_status status = check_residues(text, error);
    BERTH_THEN(read_structure(conversion, text, &structure, error));
    if (!status && remark->positions) {
        status = berth_bond_orders_place(remark->smiles, (const double(*)[3])remark->positions,
                                         remark->count, conversion->limit, sdf, error);
    } else if (!status) {
        status = berth_bond_orders_find(&structure, remark->smiles, conversion->limit, sdf, error);
    }
    berth_structure_clear(&structure);
    return status;
}

/* Appends the one molecule of a PDB file that tells nothing of bonds, neither by CONECT nor by
 * hydrogens, as above: from heavy atoms alone Open Babel errs more often.  *found is false, and
 * nothing is appended, where the file is another, or no perception is without contradiction. */
static enum berth_status convert_bare(const struct berth_conversion *conversion,
                                      const struct berth_bytes *text, struct berth_bytes *sdf,
                                      bool *found, struct berth_error *error)
{
    static const char TITLE[] = BERTH_OPENBABEL_INPUT; /* as Open Babel calls it */
    struct berth_structure structure = {0};
    struct berth_bytes record = {0};
    enum berth_status status = BERTH_E_FORMAT;
    if (is_pdb(conversion) && find_line(text, 0, "CONECT") == text->count) {
        status = read_structure(conversion, text, &structure, error);
    }
    bool bare = !status;
    for (size_t i = 0; bare && i < structure.count; i++) {
        bare = !berth_is_hydrogen(&structure.atoms[i]);
    }
    if (bare) {
        status = berth_bond_orders_find(&structure, NULL, conversion->limit, &record, error);
    }
    *found = bare && !status;
    if (*found) {
        berth_bytes_put(sdf, TITLE, sizeof TITLE - 1);
        berth_bytes_put(sdf, record.data, record.count);
    }
    berth_bytes_clear(&record);
    berth_structure_clear(&structure);
    return status == BERTH_E_MEMORY ? status : BERTH_OK;
}

/* --- What Open Babel converts --- */

static enum berth_status run_openbabel(const struct berth_conversion *conversion,
                                       const struct berth_bytes *text, struct berth_bytes *sdf,
                                       struct berth_error *error)
{
    static const char *const OPTIONS[] = {BERTH_OPENBABEL_INPUT, "-osdf", NULL};
    const struct berth_openbabel_job job = {.format = conversion->format,
                                            .options =
                                                OPTIONS + (strcmp(conversion->path, "-") == 0),
                                            .input = text,
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
                                "%s%zu %.400s\n"
                                "  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n",
                                FAILURE, piece->line, why);
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
static enum berth_status convert_pieces(const struct berth_conversion *conversion,
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
        status = run_openbabel(conversion, &file, &record, error);
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
static enum berth_status convert_text(const struct berth_conversion *conversion,
                                      const struct berth_bytes *text, struct berth_bytes *sdf,
                                      struct berth_error *error)
{
    struct berth_pieces pieces;
    enum berth_status status = BERTH_OK;
    BERTH_TRY(berth_pieces_find(conversion->format, text, &pieces, error));
    bool bad = false;
    for (size_t i = 0; i < pieces.count; i++) {
        bad = bad || pieces.items[i].bad;
    }
    struct berth_bytes whole = {0};
    bool found = false;
    if (!bad && pieces.count == 1) {
        status = convert_bare(conversion, text, &whole, &found, error);
    }
    if (!status && !bad && !found) {
        status = run_openbabel(conversion, text, &whole, error);
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

/* Appends records; one that is alone, and is no failure, under the name, if there is one. */
static void put_named(const struct berth_bytes *records, const char *name, struct berth_bytes *sdf)
{
    const unsigned char *end = records->count ? memchr(records->data, '\n', records->count) : NULL;
    const bool failure = records->count > sizeof FAILURE - 1 &&
                         memcmp(records->data, FAILURE, sizeof FAILURE - 1) == 0;
    size_t begin = 0;
    if (name && end && !failure && count_records(records) == 1) {
        berth_bytes_put(sdf, name, strlen(name));
        begin = (size_t)(end - records->data);
    }
    berth_bytes_put(sdf, records->data + begin, records->count - begin);
}

/* A file, or what is as good as one. */
static enum berth_status convert_file(const struct berth_conversion *conversion,
                                      const struct berth_bytes *text, struct berth_bytes *sdf,
                                      bool *perceived, struct berth_error *error)
{
    struct remark_smiles remark = {.smiles = NULL};
    struct berth_bytes records = {0};
    enum berth_status status = BERTH_OK;
    /* SMILES may stand as a remark in PDB and PDBQT */
    if (is_pdbqt(conversion) || is_pdb(conversion)) {
        status = read_remark(conversion->path, text, &remark, error);
    }
    if (!status && (is_pdbqt(conversion) || remark.smiles)) {
        status = convert_structure(conversion, text, &remark, &records, error);
    } else if (!status) {
        status = convert_text(conversion, text, &records, error);
    }
    *perceived = berth_prepare_lacks_bonds(conversion->format) && !remark.smiles;
    if (!status && records.count) {
        put_named(&records, remark.name, sdf);
        status = records.failed || sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    }
    berth_bytes_clear(&records);
    clear_remark(&remark);
    return status;
}

/* The models of a PDBQT file, as docking programs write poses, each by itself; a bad one costs
 * itself alone. */
static enum berth_status convert_models(const struct berth_conversion *conversion,
                                        const struct berth_bytes *text, struct berth_bytes *sdf,
                                        bool *perceived, struct berth_error *error)
{
    size_t begin = find_line(text, 0, "MODEL"), line = 1, counted = 0;
    if (find_line(text, begin + 1, "MODEL") >= text->count) {
        return convert_file(conversion, text, sdf, perceived, error);
    }
    enum berth_status status = BERTH_OK;
    while (!status && begin < text->count) {
        const size_t end = find_line(text, begin, "ENDMDL");
        struct berth_bytes file = {0};
        for (; counted < begin; counted++) {
            line += text->data[counted] == '\n';
        }
        berth_bytes_put(&file, text->data + begin, end - begin);
        status = file.failed ? berth_out_of_memory(error, NULL)
                             : convert_file(conversion, &file, sdf, perceived, error);
        if (status == BERTH_E_FORMAT) {
            put_failure(&(struct berth_piece){.begin = begin, .end = end, .line = line},
                        error->message, sdf);
            status = BERTH_OK;
        }
        berth_bytes_clear(&file);
        begin = find_line(text, end, "MODEL");
    }
    return status || !sdf->failed ? status : berth_out_of_memory(error, NULL);
}

enum berth_status berth_prepare_convert(const struct berth_conversion *conversion,
                                        struct berth_bytes *sdf, bool *perceived,
                                        struct berth_error *error)
{
    struct berth_bytes text = {0};
    *perceived = false;
    if (berth_text_lists("csv tsv", ' ', conversion->format)) {
        return berth_fail(
            error, BERTH_E_FORMAT,
            "a table, which is no file of molecules: make lines of SMILES, a blank and "
            "a name (.smi) of it");
    }
    enum berth_status status =
        berth_input_read_all(conversion->path, conversion->stop, &text, error);
    if (!status) {
        status = conversion->models && is_pdbqt(conversion)
                     ? convert_models(conversion, &text, sdf, perceived, error)
                     : convert_file(conversion, &text, sdf, perceived, error);
    }
    berth_bytes_clear(&text);
    return status;
}
