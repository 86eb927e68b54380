#include "format/receptor_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/input.h"
#include "base/memory.h"
#include "chem/facts.h"
#include "chem/traits.h"
#include "format/mol2/mol2.h"
#include "format/output.h"

enum { VERSION = 2, MAGIC_SIZE = 8, HEAD_SIZE = 24 };

/* What an atom, a residue and a type take at least: more of them than that cannot be in the file.
 */
enum { ATOM_MIN = 33, RESIDUE_MIN = 7, TYPE_MIN = 2 };

static const unsigned char MAGIC[MAGIC_SIZE] = {0x89, 'b', 'r', 'e', 'c', '\r', '\n', 0x1a};

static void put_real(struct berth_bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    berth_bytes_put64(bytes, bits);
}

/* Index of the type among the count in types, which has room for another one. */
static uint32_t type_index(const char **types, uint32_t *count, const char *type)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (strcmp(types[i], type) == 0) {
            return i;
        }
    }
    types[*count] = type;
    return (*count)++;
}

static void put_atoms(struct berth_bytes *bytes, const struct berth_receptor *receptor,
                      const uint32_t *types)
{
    const struct berth_molecule *molecule = &receptor->molecule;
    berth_bytes_put32(bytes, (uint32_t)molecule->atom_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        for (int k = 0; k < 3; k++) {
            put_real(bytes, atom->position[k]);
        }
        berth_bytes_put32(bytes, types[i]);
        berth_bytes_put32(bytes, (uint32_t)atom->residue_id - 1);
        berth_bytes_put_text(bytes, atom->name);
        berth_put_traits(bytes, &atom->traits);
    }
}

static void put_residues(struct berth_bytes *bytes, const struct berth_receptor *receptor)
{
    berth_bytes_put32(bytes, (uint32_t)receptor->residue_count);
    for (size_t i = 0; i < receptor->residue_count; i++) {
        const struct berth_residue_id *residue = &receptor->residues[i];
        berth_bytes_put_text(bytes, residue->name);
        berth_bytes_put_text(bytes, residue->chain);
        berth_bytes_put32(bytes, (uint32_t)residue->number);
        berth_bytes_put8(bytes, (uint8_t)residue->insertion);
    }
}

/* Everything behind the head. */
static enum berth_status put_rest(struct berth_bytes *bytes, const struct berth_receptor *receptor,
                                  struct berth_error *error)
{
    const struct berth_molecule *molecule = &receptor->molecule;
    const char **names = NULL;
    uint32_t *types = NULL, count = 0;
    enum berth_status status =
        berth_make(&names, molecule->atom_count, sizeof *names, molecule->title, error);
    BERTH_THEN(berth_make(&types, molecule->atom_count, sizeof *types, molecule->title, error));
    if (!status) {
        for (size_t i = 0; i < molecule->atom_count; i++) {
            types[i] = type_index(names, &count, molecule->atoms[i].type);
        }
        berth_bytes_put_text(bytes, molecule->title);
        /* The file, and behind it what was said. */
        berth_bytes_put(bytes, receptor->source, strlen(receptor->source));
        if (receptor->preparation && *receptor->preparation) {
            berth_bytes_put8(bytes, '\n');
            berth_bytes_put(bytes, receptor->preparation, strlen(receptor->preparation));
        }
        berth_bytes_put8(bytes, 0);
        berth_bytes_put_text(bytes, receptor->forcefield);
        berth_bytes_put64(bytes, receptor->forcefield_hash);
        berth_bytes_put8(bytes, receptor->has_site);
        for (int k = 0; receptor->has_site && k < 6; k++) {
            put_real(bytes, k < 3 ? receptor->center[k] : receptor->size[k - 3]);
        }
        berth_bytes_put32(bytes, count);
        for (uint32_t i = 0; i < count; i++) {
            berth_bytes_put_text(bytes, names[i]);
        }
        put_residues(bytes, receptor);
        put_atoms(bytes, receptor, types);
    }
    free(names);
    free(types);
    return !status && bytes->failed ? berth_out_of_memory(error, molecule->title) : status;
}

enum berth_status berth_receptor_write(const char *path, const struct berth_receptor *receptor,
                                       struct berth_error *error)
{
    struct berth_bytes head = {0}, rest = {0};
    struct berth_output *output = NULL;
    enum berth_status status = put_rest(&rest, receptor, error);
    if (!status) {
        berth_bytes_put(&head, MAGIC, MAGIC_SIZE);
        berth_bytes_put32(&head, VERSION);
        berth_bytes_put32(&head, (uint32_t)crc32_z(0, rest.data, rest.count));
        berth_bytes_put64(&head, rest.count);
        status = head.failed ? berth_out_of_memory(error, path)
                             : berth_output_create(path, &output, error);
    }
    if (!status) {
        berth_output_bytes(output, head.data, head.count);
        berth_output_bytes(output, rest.data, rest.count);
        status = berth_output_commit(output, error);
    }
    berth_bytes_clear(&head);
    berth_bytes_clear(&rest);
    return status;
}

/* A file being read. */
struct source {
    const char *name;
    struct berth_cursor cursor;
    struct berth_receptor *receptor;
    const char **types; /* owned; [type_count], borrowed texts */
    uint32_t type_count;
};

static enum berth_status damaged(const struct source *source, const char *what,
                                 struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: a damaged receptor file (%s); make it again with `berth prep receptor`",
                      source->name, what);
}

static double get_real(struct berth_cursor *cursor)
{
    const uint64_t bits = berth_cursor_get64(cursor);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A text that fits into size bytes and has no control characters, copied. */
static bool get_label(struct berth_cursor *cursor, char *label, size_t size)
{
    bool good = berth_cursor_get_name(cursor, label, size);
    for (const char *at = label; *at; at++) {
        good = good && (unsigned char)*at >= ' ';
    }
    return good;
}

static char *get_copy(struct berth_cursor *cursor)
{
    return berth_copy_text(berth_cursor_get_text(cursor));
}

/* A number of things that take at least `least` bytes each, which must still be there. */
static bool get_count(struct berth_cursor *cursor, size_t least, uint32_t *count)
{
    *count = berth_cursor_get32(cursor);
    return !cursor->failed && *count <= berth_cursor_left(cursor) / least;
}

static enum berth_status get_site(struct source *source, struct berth_error *error)
{
    struct berth_receptor *receptor = source->receptor;
    const uint8_t flag = berth_cursor_get8(&source->cursor);
    receptor->has_site = flag == 1;
    for (int k = 0; receptor->has_site && k < 6; k++) {
        const double value = get_real(&source->cursor);
        /* "not (in range)" also catches what is no number */
        if (!(fabs(value) <= BERTH_COORDINATE_MAX) || (k >= 3 && value <= 0)) {
            return damaged(source, "its site", error);
        }
        *(k < 3 ? &receptor->center[k] : &receptor->size[k - 3]) = value;
    }
    return flag > 1 ? damaged(source, "its site", error) : BERTH_OK;
}

static enum berth_status get_types(struct source *source, struct berth_error *error)
{
    if (!get_count(&source->cursor, TYPE_MIN, &source->type_count)) {
        return damaged(source, "the number of types", error);
    }
    BERTH_TRY(
        berth_make(&source->types, source->type_count, sizeof *source->types, source->name, error));
    for (uint32_t i = 0; i < source->type_count; i++) {
        source->types[i] = berth_cursor_get_text(&source->cursor);
        if (!*source->types[i] || strlen(source->types[i]) >= BERTH_NAME_SIZE) {
            return damaged(source, "a type's name", error);
        }
    }
    return BERTH_OK;
}

static enum berth_status get_residues(struct source *source, struct berth_error *error)
{
    struct berth_receptor *receptor = source->receptor;
    struct berth_cursor *cursor = &source->cursor;
    uint32_t count;
    if (!get_count(cursor, RESIDUE_MIN, &count)) {
        return damaged(source, "the number of residues", error);
    }
    BERTH_TRY(
        berth_make(&receptor->residues, count, sizeof *receptor->residues, source->name, error));
    receptor->residue_count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct berth_residue_id *residue = &receptor->residues[i];
        const bool good = get_label(cursor, residue->name, sizeof residue->name) &&
                          get_label(cursor, residue->chain, sizeof residue->chain);
        residue->number = (int)(int32_t)berth_cursor_get32(cursor);
        residue->insertion = (char)berth_cursor_get8(cursor);
        if (!good || residue->number < -999999999 || residue->number > 999999999) {
            return damaged(source, "a residue", error);
        }
    }
    return BERTH_OK;
}

/* "ALA12": what a Mol2 file would call the residue; its insertion code is in residues. */
static void name_residue(const struct berth_residue_id *residue, struct berth_atom *atom)
{
    char text[32];
    snprintf(text, sizeof text, "%s%d", residue->name, residue->number);
    snprintf(atom->residue, sizeof atom->residue, "%.15s", text);
    memcpy(atom->chain, residue->chain, sizeof atom->chain);
}

static bool get_atom(struct source *source, struct berth_atom *atom)
{
    struct berth_cursor *cursor = &source->cursor;
    for (int k = 0; k < 3; k++) {
        atom->position[k] = get_real(cursor);
        if (!(fabs(atom->position[k]) <= BERTH_COORDINATE_MAX)) {
            return false;
        }
    }
    const uint32_t type = berth_cursor_get32(cursor), residue = berth_cursor_get32(cursor);
    if (!get_label(cursor, atom->name, sizeof atom->name) || type >= source->type_count ||
        residue >= source->receptor->residue_count || !berth_get_traits(cursor, &atom->traits)) {
        return false;
    }
    snprintf(atom->type, sizeof atom->type, "%s", source->types[type]);
    atom->element = berth_element_of_type(atom->type);
    atom->heavy = true;
    atom->residue_id = (int)residue + 1;
    name_residue(&source->receptor->residues[residue], atom);
    return true;
}

static enum berth_status get_atoms(struct source *source, struct berth_error *error)
{
    struct berth_molecule *molecule = &source->receptor->molecule;
    uint32_t count;
    if (!get_count(&source->cursor, ATOM_MIN, &count) || count > BERTH_ATOMS_MAX) {
        return damaged(source, "the number of atoms", error);
    }
    BERTH_TRY(berth_make(&molecule->atoms, count, sizeof *molecule->atoms, source->name, error));
    for (uint32_t i = 0; i < count; i++) {
        if (!get_atom(source, &molecule->atoms[i])) {
            return damaged(source, "an atom", error);
        }
        molecule->atom_count++;
    }
    molecule->has_traits = true;
    if (source->cursor.failed || berth_cursor_left(&source->cursor)) {
        return damaged(source, "its end", error);
    }
    return BERTH_OK;
}

/* Takes what was said out of the source. */
static enum berth_status cut_source(struct berth_receptor *receptor, struct berth_error *error)
{
    char *end = strchr(receptor->source, '\n');
    if (!end) {
        return BERTH_OK;
    }
    *end = '\0';
    receptor->preparation = berth_copy_text(end + 1);
    return receptor->preparation ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static enum berth_status get_rest(struct source *source, struct berth_error *error)
{
    struct berth_receptor *receptor = source->receptor;
    receptor->molecule.title = get_copy(&source->cursor);
    receptor->source = get_copy(&source->cursor);
    receptor->forcefield = get_copy(&source->cursor);
    receptor->forcefield_hash = berth_cursor_get64(&source->cursor);
    if (!receptor->molecule.title || !receptor->source || !receptor->forcefield) {
        return berth_out_of_memory(error, source->name);
    }
    BERTH_TRY(cut_source(receptor, error));
    BERTH_TRY(get_site(source, error));
    BERTH_TRY(get_types(source, error));
    BERTH_TRY(get_residues(source, error));
    return get_atoms(source, error);
}

/* Checks the head; the cursor is behind it then. */
static enum berth_status get_head(struct source *source, struct berth_error *error)
{
    struct berth_cursor *cursor = &source->cursor;
    const unsigned char *magic = berth_cursor_take(cursor, MAGIC_SIZE);
    if (!magic || memcmp(magic, MAGIC, MAGIC_SIZE) != 0) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: not a receptor file; make one with `berth prep receptor`",
                          source->name);
    }
    const uint32_t version = berth_cursor_get32(cursor);
    const uint32_t sum = berth_cursor_get32(cursor);
    const uint64_t size = berth_cursor_get64(cursor);
    if (!cursor->failed && version != VERSION) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: a receptor file of version %u, this berth reads version %d; make it "
                          "again with `berth prep receptor`",
                          source->name, (unsigned)version, VERSION);
    }
    if (cursor->failed || size != berth_cursor_left(cursor)) {
        return damaged(source, "its size", error);
    }
    if (crc32_z(0, cursor->at, berth_cursor_left(cursor)) != sum) {
        return damaged(source, "its checksum", error);
    }
    return BERTH_OK;
}

enum berth_status berth_receptor_read_memory(const char *name, const void *bytes, size_t size,
                                             struct berth_receptor *receptor,
                                             struct berth_error *error)
{
    memset(receptor, 0, sizeof *receptor);
    struct source source = {.name = name, .receptor = receptor};
    source.cursor = berth_cursor_over(bytes, size);
    enum berth_status status = get_head(&source, error);
    BERTH_THEN(get_rest(&source, error));
    free(source.types);
    if (status) {
        berth_receptor_clear(receptor);
    }
    return status;
}

bool berth_is_receptor_file(const char *path)
{
    unsigned char begin[MAGIC_SIZE] = {0};
    FILE *file;
    struct berth_error none; /* what is read from a pipe would be missing later */
    if (berth_file_open_plain(path, &file, &none)) {
        return false;
    }
    const size_t got = fread(begin, 1, sizeof begin, file);
    fclose(file);
    return got == sizeof begin && memcmp(begin, MAGIC, MAGIC_SIZE) == 0;
}

enum berth_status berth_receptor_read(const char *path, struct berth_receptor *receptor,
                                      struct berth_error *error)
{
    struct berth_bytes bytes = {0};
    memset(receptor, 0, sizeof *receptor);
    enum berth_status status = berth_input_read_all(path, NULL, &bytes, error);
    if (status) {
        berth_fail_in(error, path);
    }
    BERTH_THEN(berth_receptor_read_memory(path, bytes.data, bytes.count, receptor, error));
    berth_bytes_clear(&bytes);
    return status;
}

/* Removes the hydrogens, once the traits of the heavy atoms tell what they were good for. */
static enum berth_status leave_hydrogens_out(struct berth_molecule *molecule,
                                             struct berth_error *error)
{
    struct berth_facts facts;
    size_t heavy = 0;
    BERTH_TRY(berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            molecule->atoms[i].traits = facts.traits[i];
            molecule->atoms[heavy++] = molecule->atoms[i];
        }
    }
    molecule->atom_count = heavy;
    molecule->has_traits = true;
    berth_facts_clear(&facts);
    return BERTH_OK;
}

enum berth_status berth_receptor_from_structure(const struct berth_structure *structure,
                                                struct berth_receptor *receptor,
                                                struct berth_error *error)
{
    memset(receptor, 0, sizeof *receptor);
    struct berth_molecule *molecule = &receptor->molecule;
    molecule->title = berth_copy_text(structure->title);
    molecule->atoms = berth_alloc(structure->count, sizeof *molecule->atoms);
    receptor->residues = berth_alloc(structure->count, sizeof *receptor->residues);
    if (!molecule->title || !molecule->atoms || !receptor->residues) {
        berth_receptor_clear(receptor);
        return berth_out_of_memory(error, structure->title);
    }
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        bool any = false;
        for (size_t i = span.begin; i < span.end; i++) {
            const struct berth_structure_atom *from = &structure->atoms[i];
            struct berth_atom *atom = &molecule->atoms[molecule->atom_count++];
            memcpy(atom->position, from->position, sizeof atom->position);
            snprintf(atom->name, sizeof atom->name, "%s", from->name);
            snprintf(atom->type, sizeof atom->type, "%s", from->type);
            atom->element = from->element;
            atom->heavy = !berth_is_hydrogen(from);
            atom->residue_id = (int)receptor->residue_count + 1;
            name_residue(&from->residue, atom);
            any = any || atom->heavy;
        }
        if (any) {
            receptor->residues[receptor->residue_count++] = structure->atoms[span.begin].residue;
        }
    }
    enum berth_status status = leave_hydrogens_out(molecule, error);
    if (status) {
        berth_receptor_clear(receptor);
    }
    return status;
}

enum berth_status berth_receptor_refuse(const char *path, const struct berth_residues_asked *asked,
                                        struct berth_error *error)
{
    const char *option = berth_residues_asked_by(asked);
    return berth_fail_option(error, BERTH_E_USAGE, option,
                             "%s: %s is prepared already; give the structure that it was made of",
                             option, path);
}

void berth_receptor_clear(struct berth_receptor *receptor)
{
    if (!receptor) {
        return;
    }
    berth_molecule_clear(&receptor->molecule);
    free(receptor->residues);
    free(receptor->source);
    free(receptor->preparation);
    free(receptor->forcefield);
    memset(receptor, 0, sizeof *receptor);
}
