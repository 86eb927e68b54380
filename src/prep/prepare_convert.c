/* Which files need Open Babel, what their molecules are called, and whole files of formats that
 * only it reads, to SDF. */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "format/pdb/component.h"
#include "format/pdb/pdb.h"
#include "format/pdb/structure_file.h"
#include "format/pieces.h"
#include "format/sdf/sdf.h"
#include "format/smiles/smiles.h"
#include "prep/bond_orders.h"
#include "prep/openbabel.h"
#include "prep/perception.h"
#include "prep/prepare.h"
#include "prep/receptor/prepare_structure.h"

/* --- SMILES that a PDBQT file says of itself --- */

/* SMILES beside the atoms of a PDB or PDBQT file: what Meeko writes there, and anybody may write
 * into PDB: the ligand's SMILES ("REMARK SMILES"), and which atom is which ("REMARK SMILES IDX"),
 * so that no bond need be perceived. */

struct berth_remark {
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
static enum berth_status read_name(const char *line, struct berth_remark *remark,
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
static enum berth_status read_name_remark(const char *line, struct berth_remark *remark,
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

static enum berth_status read_remark_line(const char *line, struct berth_remark *remark,
                                          struct reading *reading, struct berth_error *error)
{
    if (begins_with(line, INDEX)) {
        struct pair pair;
        int used = 0;
        for (const char *at = line + sizeof INDEX - 1;
             sscanf(at, "%zu %ld%n", &pair.atom, &pair.serial, &used) == 2; at += used) {
            BERTH_TRY(berth_reserve(&reading->pairs, &reading->pair_capacity,
                                    reading->pair_count + 1, sizeof *reading->pairs, error));
            reading->pairs[reading->pair_count++] = pair;
        }
        return BERTH_OK;
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

static enum berth_status read_lines(struct berth_text_reader *reader, struct berth_remark *remark,
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
static enum berth_status order_places(const struct reading *reading, struct berth_remark *remark,
                                      struct berth_error *error)
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
                                "its REMARK SMILES IDX names atom %zu of the SMILES and atom "
                                "%ld of the file, which do not both exist once",
                                pair->atom, pair->serial);
        } else {
            seen[pair->atom] = true;
            memcpy(remark->positions[pair->atom - 1], place->position, sizeof place->position);
        }
    }
    free(seen);
    return status;
}

static void remark_clear(struct berth_remark *remark)
{
    free(remark->name);
    free(remark->smiles);
    free(remark->positions);
    memset(remark, 0, sizeof *remark);
}

/* Reads the first model of a file's text; name stands in messages.  The caller clears *remark.
 * Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
static enum berth_status remark_read(const char *name, const struct berth_bytes *text,
                                     struct berth_remark *remark, struct berth_error *error)
{
    struct reading reading = {.pairs = NULL};
    struct berth_text_reader *reader = NULL;
    memset(remark, 0, sizeof *remark);
    enum berth_status status =
        berth_text_reader_create_memory(name, text->data, text->count, &reader, error);
    BERTH_THEN(read_lines(reader, remark, &reading, error));
    if (!status && remark->smiles && reading.pair_count) {
        status = order_places(&reading, remark, error);
    }
    if (status) {
        remark_clear(remark);
    }
    berth_text_reader_destroy(reader);
    free(reading.pairs);
    free(reading.places);
    return status;
}

/* --- Which files need Open Babel, and what their molecules are called --- */

/* A molecule that could not be converted leaves an SDF record without atoms whose second and third
 * lines begin with this, and say why. */
#define REASON_MARK "berth: "
enum { REASON_SIZE = 640 };
static const char FAILURE[] = "\n  berth\n" REASON_MARK;

/* Behind the mark of such a record; NULL for another. */
static const char *behind_failure(const struct berth_bytes *text)
{
    const size_t size = sizeof FAILURE - 1;
    const unsigned char *end = text->count ? memchr(text->data, '\n', text->count) : NULL;
    const size_t title = end ? (size_t)(end - text->data) : 0;
    return end && text->count > title + size && memcmp(end, FAILURE, size) == 0
               ? (const char *)end + size
               : NULL;
}

bool berth_prepare_takes(const char *path)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    return kind == BERTH_RECORD_SMILES || kind == BERTH_RECORD_TABLE || kind == BERTH_RECORD_SDF ||
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

/* The reason that put_failure left in a record, and the line of its molecule; or false. */
static bool read_failure(const struct berth_record *record, char text[REASON_SIZE], size_t *line)
{
    const char *from = record->kind == BERTH_RECORD_SDF ? behind_failure(&record->text) : NULL;
    if (!from) {
        return false;
    }
    const size_t rest = record->text.count - (size_t)(from - (const char *)record->text.data);
    char copy[REASON_SIZE];
    snprintf(copy, sizeof copy, "%.*s", (int)(rest < REASON_SIZE ? rest : REASON_SIZE - 1), from);
    copy[strcspn(copy, "\n")] = '\0';
    return sscanf(copy, "%9zu %639[^\n]", line, text) == 2;
}

/* True for a first line that begins with a word, as a line of names does. */
static bool may_be_header(const struct berth_record *record)
{
    bool word = record->number == 1 && record->line > 0;
    for (size_t i = 0; word && i < record->text.count; i++) {
        word = isalpha(record->text.data[i]) || strchr("_,;", record->text.data[i]);
    }
    return word;
}

static enum berth_status suspect_header(struct berth_error *error)
{
    char why[REASON_SIZE];
    snprintf(why, sizeof why, "%.500s", error ? error->message : "");
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s; if these are names of columns, smiles_column says which has SMILES",
                      why);
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
        status = status && may_be_header(record) ? suspect_header(error) : status;
    } else if (record->kind == BERTH_RECORD_SDF) {
        status = berth_molfile_check((const char *)record->text.data, record->text.count, error);
    }
    return status;
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
    const unsigned long long number = record->number;
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%.*s:%llu", NAME_MAX, berth_file_name(path), number);
    if (by_file) {
        snprintf(name, sizeof name, "%s", path);
        if (number > 1) {
            berth_text_append(name, sizeof name, ":%llu", number);
        }
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

static bool is_cif(const struct berth_conversion *conversion)
{
    return berth_text_lists("cif mmcif mcif", ' ', conversion->format);
}

/* --- Atoms without bonds --- */

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

/* Makes a line blank; its place, a byte and its number from 1, is *at and *line before, and that of
 * the next one after. */
static void blank_line(struct berth_bytes *text, size_t wanted, size_t *at, size_t *line)
{
    for (; *at < text->count && *line <= wanted; ++*at) {
        const bool end = text->data[*at] == '\n';
        text->data[*at] = *line == wanted && !end ? ' ' : text->data[*at];
        *line += end;
    }
}

static enum berth_status copy_structure(const struct berth_structure *from,
                                        struct berth_structure *to, struct berth_error *error)
{
    memset(to, 0, sizeof *to);
    for (size_t i = 0; i < from->count; i++) {
        BERTH_TRY(berth_structure_add(to, &from->atoms[i], error));
    }
    return BERTH_OK;
}

/* Of atoms in several places the file keeps one, as receptors do; the others' lines become blank.
 * *residues: where it did.  A file that cannot be read is left to whoever converts it. */
static enum berth_status drop_alternates(const struct berth_conversion *conversion,
                                         struct berth_bytes *file, size_t *residues,
                                         struct berth_error *error)
{
    struct berth_structure all = {0}, kept = {0};
    struct berth_error unread;
    *residues = 0;
    if (!(is_pdb(conversion) || is_pdbqt(conversion) || is_cif(conversion)) ||
        read_structure(conversion, file, &all, &unread)) {
        berth_structure_clear(&all);
        return BERTH_OK;
    }
    enum berth_status status = copy_structure(&all, &kept, error);
    BERTH_THEN(berth_alternates_resolve(&kept, residues, error));
    if (!status && *residues) {
        /* Makes blanks of the lines of atoms that the structure has, but for those that are kept.
         */
        size_t at = 0, line = 1, next = 0;
        for (size_t i = 0; i < all.count; i++) {
            if (next < kept.count && kept.atoms[next].line == all.atoms[i].line) {
                next++;
            } else {
                blank_line(file, all.atoms[i].line, &at, &line);
            }
        }
    }
    berth_structure_clear(&all);
    berth_structure_clear(&kept);
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

/* Appends the ligand of a PDB, PDBQT or mmCIF file as SDF, with the bonds of the SMILES that it has
 * with it, or those that perception is sure of. */
static enum berth_status convert_structure(const struct berth_conversion *conversion,
                                           const struct berth_bytes *text,
                                           const struct berth_remark *remark,
                                           struct berth_bytes *sdf, struct berth_error *error)
{
    struct berth_structure structure = {0};
    const struct berth_bonds_request wanted = {
        .structure = &structure, .smiles = remark->smiles, .hydrogens = true};
    enum berth_status status = read_structure(conversion, text, &structure, error);
    if (!status && remark->positions) {
        status = berth_bond_orders_place(conversion->bonds, remark->smiles,
                                         (const double(*)[3])remark->positions, remark->count, sdf,
                                         error);
    } else if (!status) {
        status = berth_bond_orders_find(conversion->bonds, &wanted, NULL, sdf, error);
    }
    berth_structure_clear(&structure);
    return status;
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

/* Appends a component as it stands. */
static enum berth_status convert_component(const struct berth_conversion *conversion,
                                           const struct berth_bytes *text, struct berth_bytes *sdf,
                                           struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    struct berth_molecule molecule = {0};
    char *record = NULL;
    size_t size = 0;
    enum berth_status status =
        berth_text_reader_create_memory(conversion->path, text->data, text->count, &reader, error);
    BERTH_THEN(berth_component_read(reader, &molecule, error));
    BERTH_THEN(berth_sdf_text(&molecule, &record, &size, error));
    if (!status) {
        berth_bytes_put(sdf, record, size);
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

/* Behind the end of the SDF record that begins at `at`; 0 where there is no more. */
static size_t record_end(const struct berth_bytes *sdf, size_t at)
{
    static const char END[] = "$$$$\n";
    const size_t end = find_line(sdf, at, END);
    return end < sdf->count ? end + sizeof END - 1 : 0;
}

static size_t count_records(const struct berth_bytes *sdf)
{
    size_t count = 0;
    for (size_t at = 0; (at = record_end(sdf, at));) {
        count++;
    }
    return count;
}

/* Appends one of Open Babel's records under its title, with bonds that are perceived from where its
 * atoms stand. */
static enum berth_status perceive_record(const struct berth_conversion *conversion,
                                         const char *record, size_t size, struct berth_bytes *sdf,
                                         struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    struct berth_structure structure = {0};
    const struct berth_bonds_request wanted = {.structure = &structure, .hydrogens = true};
    enum berth_status status = berth_molfile_read(record, size, &molecule, error);
    molecule.title = berth_copy_text(""); /* it stands in the record */
    BERTH_THEN(molecule.title ? BERTH_OK : berth_out_of_memory(error, NULL));
    BERTH_THEN(berth_structure_from_molecule(&molecule, &structure, error));
    berth_bytes_put(sdf, record, (size_t)((const char *)memchr(record, '\n', size) - record));
    BERTH_THEN(berth_bond_orders_find(conversion->bonds, &wanted, NULL, sdf, error));
    berth_structure_clear(&structure);
    berth_molecule_clear(&molecule);
    return status;
}

/* Appends what Open Babel makes of the text; of formats without bonds the atoms alone count. */
static enum berth_status convert_other(const struct berth_conversion *conversion,
                                       const struct berth_bytes *text, struct berth_bytes *sdf,
                                       struct berth_error *error)
{
    struct berth_bytes records = {0};
    if (!berth_prepare_lacks_bonds(conversion->format)) {
        return run_openbabel(conversion, text, sdf, error);
    }
    enum berth_status status = run_openbabel(conversion, text, &records, error);
    for (size_t at = 0, end; !status && (end = record_end(&records, at)); at = end) {
        status = perceive_record(conversion, (const char *)records.data + at, end - at, sdf, error);
    }
    berth_bytes_clear(&records);
    return status;
}

/* Appends records; one that is alone, and is no failure, under the name, if there is one. */
static void put_named(const struct berth_bytes *records, const char *name, struct berth_bytes *sdf)
{
    const unsigned char *end = records->count ? memchr(records->data, '\n', records->count) : NULL;
    size_t begin = 0;
    if (name && *name && end && !behind_failure(records) && count_records(records) == 1) {
        berth_bytes_put(sdf, name, strlen(name));
        begin = (size_t)(end - records->data);
    }
    berth_bytes_put(sdf, records->data + begin, records->count - begin);
}

/* The text of one molecule.  SMILES may stand as a remark in PDB and PDBQT. */
static enum berth_status convert_one(const struct berth_conversion *conversion,
                                     const struct berth_bytes *text, struct berth_bytes *sdf,
                                     bool *perceived, struct berth_error *error)
{
    struct berth_remark remark = {.smiles = NULL};
    struct berth_bytes records = {0};
    if (is_component_list(conversion, text)) {
        return BERTH_OK;
    }
    enum berth_status status = is_pdbqt(conversion) ? check_ligands(text, error) : BERTH_OK;
    if (!status && (is_pdbqt(conversion) || is_pdb(conversion))) {
        status = remark_read(conversion->path, text, &remark, error);
    }
    const bool component = is_component(conversion, text);
    if (component) {
        BERTH_THEN(convert_component(conversion, text, &records, error));
    } else if (is_structure(conversion, text)) {
        const bool by_file = !is_pdbqt(conversion) && !remark.smiles; /* as Open Babel calls it */
        berth_bytes_put(&records, BERTH_OPENBABEL_INPUT,
                        by_file * (sizeof BERTH_OPENBABEL_INPUT - 1));
        BERTH_THEN(convert_structure(conversion, text, &remark, &records, error));
    } else {
        BERTH_THEN(convert_other(conversion, text, &records, error));
    }
    *perceived = *perceived ||
                 (berth_prepare_lacks_bonds(conversion->format) && !remark.smiles && !component);
    if (!status) {
        put_named(&records, remark.name, sdf);
        status = records.failed || sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    }
    berth_bytes_clear(&records);
    remark_clear(&remark);
    return status;
}

/* --- Files of several molecules --- */

/* Appends a record without atoms that says why (see berth_prepare_check). */
static void put_failure(const char *name, size_t line, const char *why, struct berth_bytes *sdf)
{
    char text[REASON_SIZE];
    const int length = snprintf(text, sizeof text,
                                "%s%s%zu %.400s\n"
                                "  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n",
                                name, FAILURE, line, why);
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

/* What one piece gives: a record, or several, or why it gives none. */
static enum berth_status convert_piece(const struct berth_conversion *conversion,
                                       const struct berth_bytes *file,
                                       const struct berth_piece *piece, struct berth_bytes *sdf,
                                       bool *perceived, struct berth_error *error)
{
    struct berth_bytes records = {0};
    enum berth_status status = piece->bad
                                   ? berth_fail(error, BERTH_E_FORMAT,
                                                "its lines are not those of a molecule in "
                                                "this format")
                                   : convert_one(conversion, file, &records, perceived, error);
    if (status == BERTH_E_FORMAT) {
        put_failure(piece->name, piece->line, error->message, sdf);
        status = BERTH_OK;
    } else if (!status) {
        const char *title = (const char *)records.data;
        const size_t size = sizeof BERTH_OPENBABEL_INPUT - 1;
        const bool by_file =
            records.count > size && memcmp(title, BERTH_OPENBABEL_INPUT "\n", size + 1) == 0;
        put_named(&records, by_file ? piece->name : NULL, sdf);
    }
    berth_bytes_clear(&records);
    return status || !sdf->failed ? status : berth_out_of_memory(error, NULL);
}

/* Each piece by itself, so that a bad one costs itself alone. */
static enum berth_status convert_pieces(const struct berth_conversion *conversion,
                                        const struct berth_bytes *text,
                                        const struct berth_pieces *pieces, struct berth_bytes *sdf,
                                        bool *perceived, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < pieces->count; i++) {
        struct berth_bytes file = {0};
        put_piece(text, pieces, &pieces->items[i], &file);
        status = file.failed
                     ? berth_out_of_memory(error, NULL)
                     : convert_piece(conversion, &file, &pieces->items[i], sdf, perceived, error);
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
static enum berth_status convert_several(const struct berth_conversion *conversion,
                                         const struct berth_bytes *text,
                                         const struct berth_pieces *pieces, struct berth_bytes *sdf,
                                         bool *perceived, struct berth_error *error)
{
    struct berth_bytes whole = {0};
    if (is_apart(conversion, text, pieces)) {
        return convert_pieces(conversion, text, pieces, sdf, perceived, error);
    }
    enum berth_status status = convert_other(conversion, text, &whole, error);
    if (status == BERTH_E_FORMAT || (!status && count_records(&whole) < pieces->count)) {
        status = convert_pieces(conversion, text, pieces, sdf, perceived, error);
    } else if (!status) {
        berth_bytes_put(sdf, whole.data, whole.count);
        *perceived = berth_prepare_lacks_bonds(conversion->format);
        status = sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    }
    berth_bytes_clear(&whole);
    return status;
}

/* Takes alternates out of all pieces, whose bytes stay where they are. */
static enum berth_status settle_alternates(const struct berth_conversion *conversion,
                                           const struct berth_pieces *pieces,
                                           struct berth_bytes *text, struct berth_error *error)
{
    size_t all = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const struct berth_piece *piece = &pieces->items[i];
        struct berth_bytes file = {.data = text->data + piece->begin,
                                   .count = piece->end - piece->begin};
        size_t residues;
        BERTH_TRY(drop_alternates(conversion, &file, &residues, error));
        all += residues;
    }
    if (all) {
        berth_warn(conversion->log, NULL,
                   "%s: alternate locations: the one of highest occupancy, in %zu residue%s",
                   conversion->path, all, all == 1 ? "" : "s");
    }
    return BERTH_OK;
}

/* Models of PDBQT are most often poses of one ligand. */
static bool has_poses(const struct berth_conversion *conversion, const struct berth_bytes *text)
{
    const size_t model = find_line(text, 0, "MODEL");
    return is_pdbqt(conversion) && !conversion->models &&
           find_line(text, model + 1, "MODEL") < text->count;
}

static enum berth_status convert_text(const struct berth_conversion *conversion,
                                      struct berth_bytes *text, struct berth_bytes *sdf,
                                      bool *perceived, struct berth_error *error)
{
    struct berth_pieces pieces;
    BERTH_TRY(berth_pieces_find(conversion->format, text, &pieces, error));
    enum berth_status status = settle_alternates(conversion, &pieces, text, error);
    const bool several = pieces.count > 1 && !has_poses(conversion, text);
    if (!status && (several || (pieces.count == 1 && pieces.items[0].bad))) {
        status = convert_several(conversion, text, &pieces, sdf, perceived, error);
    } else if (!status) {
        status = convert_one(conversion, text, sdf, perceived, error);
        if (status == BERTH_E_FORMAT && *perceived) { /* a row, as of any molecule */
            put_failure("", 1, error->message, sdf);
            status = sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
        }
    }
    berth_pieces_clear(&pieces);
    return status;
}

enum berth_status berth_prepare_convert(const struct berth_conversion *conversion,
                                        struct berth_bytes *sdf, bool *perceived,
                                        struct berth_error *error)
{
    struct berth_bytes text = {0};
    *perceived = false;
    enum berth_status status =
        berth_input_read_all(conversion->path, conversion->stop, &text, error);
    BERTH_THEN(convert_text(conversion, &text, sdf, perceived, error));
    berth_bytes_clear(&text);
    return status;
}
