#include "score/forcefield.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/fields.h"
#include "base/memory.h"
#include "base/text_reader.h"
#include "chem/residue_types.h"

/* What stands in for Mol2 types that BUDE's parameter sets lack.  Every use is reported.
 * Spellings first, then chemistry: an aromatic nitrogen however it is written; sulfoxide and
 * sulfone in either case; a dummy atom as the set's own "Any". */
static const struct {
    const char *type, *instead;
} FALLBACKS[] = {{"N.ar6", "N.ar"}, {"N.ar5", "N.ar"}, {"N.pl", "N.pl3"}, {"N.plc", "N.pl3"},
                 {"S.o", "S.O"},    {"S.O", "S.o"},    {"S.o2", "S.O2"},  {"S.O2", "S.o2"},
                 {"S.ar", "S.2"},   {"O.ar", "O.3"},   {"P", "P.3"},      {"CL", "Cl"},
                 {"BR", "Br"},      {"ZN", "Zn"},      {"MG", "Mg"},      {"CA", "Ca"},
                 {"NA", "Na"},      {"Fe", "Fe.2"},    {"Du", "Any"},     {"Du.C", "Any"}};

static int find_entry(const struct berth_forcefield *forcefield, const char *residue,
                      const char *name)
{
    for (size_t i = 0; i < forcefield->entry_count; i++) {
        if (strcmp(forcefield->entries[i].name, name) == 0 &&
            strcmp(forcefield->entries[i].residue, residue) == 0) {
            return forcefield->entries[i].type;
        }
    }
    return -1;
}

static bool same_type(const struct berth_type *a, const struct berth_type *b)
{
    return a->class == b->class && a->radius == b->radius && a->hydrophobic == b->hydrophobic &&
           a->hardness == b->hardness && a->nonpolar_reach == b->nonpolar_reach &&
           a->polar_reach == b->polar_reach && a->charge == b->charge;
}

/* Written so that NaN fails. */
static bool is_in_range(const struct berth_type *type)
{
    return type->radius > 0 && type->radius < 10 && type->nonpolar_reach > 0 &&
           type->nonpolar_reach < 100 && type->polar_reach > 0 && type->polar_reach < 100 &&
           fabs(type->hydrophobic) < 1e4 && type->hardness >= 0 && type->hardness < 1e4 &&
           fabs(type->charge) < 100;
}

enum berth_status berth_forcefield_add(struct berth_forcefield *forcefield, const char *residue,
                                       const char *name, const struct berth_type *type,
                                       struct berth_error *error)
{
    int known = find_entry(forcefield, residue, name);
    if (known >= 0 && same_type(&forcefield->types[known], type)) {
        return BERTH_OK; /* BUDE's hybrid sets give F, I, K and B twice, with the same figures */
    }
    if (known >= 0) {
        return berth_fail(error, BERTH_E_FORMAT, "%s %s is defined twice, and differently", residue,
                          name);
    }
    if (!is_in_range(type)) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s %s: a parameter is out of range (radius and distances must be above "
                          "0, hardness not below 0)",
                          residue, name);
    }
    size_t index = 0;
    while (index < forcefield->type_count && !same_type(&forcefield->types[index], type)) {
        index++;
    }
    BERTH_TRY(berth_reserve(&forcefield->types, &forcefield->type_capacity,
                            forcefield->type_count + 1, sizeof *forcefield->types, error));
    BERTH_TRY(berth_reserve(&forcefield->entries, &forcefield->entry_capacity,
                            forcefield->entry_count + 1, sizeof *forcefield->entries, error));
    if (index == forcefield->type_count) {
        forcefield->types[forcefield->type_count++] = *type;
    }
    struct berth_type_entry *entry = &forcefield->entries[forcefield->entry_count++];
    snprintf(entry->residue, sizeof entry->residue, "%s", residue);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->type = (int)index;
    return BERTH_OK;
}

static bool has_residue(const struct berth_forcefield *forcefield, const char *residue)
{
    for (size_t i = 0; i < forcefield->entry_count; i++) {
        if (strcmp(forcefield->entries[i].residue, residue) == 0) {
            return true;
        }
    }
    return false;
}

/* The type of the metal whose cation stands in for that of another one: alkali metals have one
 * charge, and all others are taken as divalent, for which the set has but one set of figures. Those
 * that carbon binds in molecules (tin, mercury, lead, bismuth) may be no ions: NULL, as for what is
 * no metal. */
static const char *cation_instead(int element)
{
    static const int COVALENT[] = {50, 80, 82, 83};
    for (size_t i = 0; i < sizeof COVALENT / sizeof *COVALENT; i++) {
        if (element == COVALENT[i]) {
            return NULL;
        }
    }
    return !berth_is_metal(element)                          ? NULL
           : element == 3                                    ? "Na"
           : element == 37 || element == 55 || element == 87 ? "K"
                                                             : "Zn";
}

/* The entry of what stands in for the type of an atom, which log hears; -1: nothing does. */
static int find_fallback(const struct berth_forcefield *forcefield, const struct berth_atom *atom,
                         const struct berth_log *log, const char *title)
{
    const char *instead = cation_instead(berth_element_of_type(atom->type));
    for (size_t i = 0; i < sizeof FALLBACKS / sizeof *FALLBACKS; i++) {
        if (strcmp(FALLBACKS[i].type, atom->type) == 0) {
            instead = FALLBACKS[i].instead;
        }
    }
    const int type = instead ? find_entry(forcefield, "WLD", instead) : -1;
    if (type >= 0) {
        berth_warn(log, atom->type, "%s: atom %s of type %s is taken as %s", title, atom->name,
                   atom->type, instead);
    }
    return type;
}

int berth_forcefield_type(const struct berth_forcefield *forcefield, const struct berth_atom *atom,
                          const struct berth_log *log, const char *title)
{
    char residue[BERTH_NAME_SIZE];
    berth_residue_stem(atom->residue, residue);
    int type = find_entry(forcefield, residue, atom->name);
    if (type < 0) {
        type = find_entry(forcefield, "WLD", atom->type);
    }
    if (type < 0 && has_residue(forcefield, residue)) {
        type = find_entry(forcefield, "WLD", atom->name);
    }
    return type >= 0 ? type : find_fallback(forcefield, atom, log, title);
}

enum berth_status berth_forcefield_untyped(const struct berth_forcefield *forcefield,
                                           const char *title, const struct berth_atom *atom,
                                           size_t number, struct berth_error *error)
{
    return berth_fail(error, BERTH_E_TYPE,
                      "%s: atom %zu (%s%s%s) has the type %s, which forcefield %s lacks; "
                      "correct the type or add it to the forcefield",
                      title, number + 1, atom->name, *atom->residue ? " of " : "", atom->residue,
                      atom->type, forcefield->name);
}

static uint64_t hash_byte(uint64_t hash, uint64_t byte)
{
    return (hash ^ (byte & 0xff)) * 1099511628211u;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++) {
        hash = hash_byte(hash, (unsigned char)*text);
    }
    return hash_byte(hash, 0);
}

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    for (int i = 0; i < 8; i++) {
        hash = hash_byte(hash, word >> 8 * i);
    }
    return hash;
}

uint64_t berth_forcefield_hash(const struct berth_forcefield *forcefield)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < forcefield->type_count; i++) {
        const struct berth_type *type = &forcefield->types[i];
        const double numbers[] = {type->radius,         type->hydrophobic, type->hardness,
                                  type->nonpolar_reach, type->polar_reach, type->charge};
        hash = hash_byte(hash, (unsigned char)type->class);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            uint64_t bits;
            memcpy(&bits, &numbers[k], sizeof bits);
            hash = hash_word(hash, bits);
        }
    }
    for (size_t i = 0; i < forcefield->entry_count; i++) {
        hash = hash_text(hash, forcefield->entries[i].residue);
        hash = hash_text(hash, forcefield->entries[i].name);
        hash = hash_word(hash, (uint64_t)forcefield->entries[i].type);
    }
    return hash;
}

void berth_heavy_atoms_clear(struct berth_heavy_atoms *heavy)
{
    free(heavy->atoms);
    memset(heavy, 0, sizeof *heavy);
}

void berth_forcefield_clear(struct berth_forcefield *forcefield)
{
    if (!forcefield) {
        return;
    }
    free(forcefield->name);
    free(forcefield->types);
    free(forcefield->entries);
    memset(forcefield, 0, sizeof *forcefield);
}

/* --- Parameter files (.bhff) --- */

enum { RESIDUES_MAX = 999, ATOMS_MAX = 999, ENTRIES_MAX = 20000, NUMBER_COUNT = 7 };

/* The file being read; the first mistake ends it. */
struct source {
    struct berth_text_reader *text;      /* owned */
    struct berth_forcefield *forcefield; /* borrowed */
    struct berth_error *error;           /* borrowed */
    enum berth_status status;
};

static void refuse(struct source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* BERTH_E_FORMAT at the current line. */
static void refuse(struct source *source, const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (!source->status) {
        source->status = berth_text_reader_refuse(source->text, source->error, "%s", reason);
    }
}

/* The next line with content, comments cut off; NULL at the end of the file, or of reading it. */
static const char *next_line(struct source *source)
{
    char *line = NULL;
    while (!source->status) {
        source->status = berth_text_reader_next(source->text, &line, source->error);
        if (source->status || !line) {
            return NULL;
        }
        line[strcspn(line, "#")] = '\0';
        if (!berth_line_is_void(line)) {
            return line;
        }
    }
    return NULL;
}

/* The same where the file must not end; `wanted` says what is missing. */
static const char *need_line(struct source *source, const char *wanted)
{
    const char *line = next_line(source);
    if (!line) {
        refuse(source, "the file ends where %s belongs; it was cut off", wanted);
    }
    return line;
}

/* "%BUDE ... LIBRARY" and "%VERSION 2.00". */
static void read_head(struct source *source)
{
    const char *line = NULL;
    for (int i = 0; i < 2; i++) {
        line = next_line(source);
        if (!source->status && (!line || *line != '%')) {
            source->status =
                berth_fail(source->error, BERTH_E_FORMAT,
                           "%s: not a BUDE parameter file (it must begin with two lines of %%)",
                           berth_text_reader_path(source->text));
        }
        if (source->status) {
            return;
        }
    }
    struct berth_field field;
    double version = 0;
    if (!berth_field_next(&line, &field) || !berth_field_is(&field, "%VERSION") ||
        !berth_field_next(&line, &field) || !berth_field_real(&field, &version)) {
        refuse(source, "the second line must say %%VERSION and a number");
    } else if (!(version >= 1 && version < 3)) {
        refuse(source, "version %.*s of the format is not supported; 1 and 2 are",
               berth_field_shown(&field), field.text);
    }
}

/* The line has no more fields. */
static bool ends(const char *cursor, struct berth_field *rest)
{
    return !berth_field_next(&cursor, rest);
}

/* A count of 1 to most, which must be the last field of its line; 0 where there is none. */
static int read_count(struct source *source, const char *cursor, int most)
{
    struct berth_field field, rest;
    int count = 0;
    berth_field_next(&cursor, &field);
    if (!berth_field_integer(&field, &count) || count < 1 || count > most) {
        refuse(source, "'%.*s' stands where a number of 1 to %d belongs", berth_field_shown(&field),
               field.text, most);
    } else if (!ends(cursor, &rest)) {
        refuse(source, "'%.*s' is too much on this line", berth_field_shown(&rest), rest.text);
    }
    return source->status ? 0 : count;
}

/* One line of parameters into *type; its name goes to name (BERTH_NAME_SIZE bytes). */
static void read_type(struct source *source, const char *line, char *name, struct berth_type *type)
{
    const char *cursor = line;
    struct berth_field field, class, number, rest;
    double numbers[NUMBER_COUNT] = {0};
    berth_field_next(&cursor, &field);
    if (!berth_field_copy(&field, name, BERTH_NAME_SIZE)) {
        refuse(source, "the name '%.*s' is longer than %d characters", berth_field_shown(&field),
               field.text, BERTH_NAME_SIZE - 1);
    }
    if (!berth_field_next(&cursor, &class) || class.length != 1 || !strchr("FDEP-", *class.text)) {
        refuse(source, "%s: '%.*s' is not an electrostatic class; F, D, E, P and - are known", name,
               berth_field_shown(&class), class.text);
    }
    for (int i = 0; !source->status && i < NUMBER_COUNT; i++) {
        if (!berth_field_next(&cursor, &number)) {
            refuse(source, "%s has %d numbers; %d are needed", name, i, NUMBER_COUNT);
        } else if (!berth_field_real(&number, &numbers[i])) {
            refuse(source, "%s: '%.*s' is not a number", name, berth_field_shown(&number),
                   number.text);
        }
    }
    if (!ends(cursor, &rest)) {
        refuse(source, "%s: '%.*s' is too much on this line", name, berth_field_shown(&rest),
               rest.text);
    }
    *type = (struct berth_type){.class = source->status ? '-' : *class.text,
                                .radius = numbers[0] * numbers[5],
                                .hydrophobic = numbers[1],
                                .hardness = numbers[2],
                                .nonpolar_reach = numbers[3],
                                .polar_reach = numbers[4],
                                .charge = numbers[6]};
}

static bool is_end_tag(const char *line)
{
    struct berth_field field;
    return berth_field_next(&line, &field) && berth_field_is(&field, "END") && ends(line, &field);
}

static void read_entry(struct source *source, const char *residue)
{
    char name[BERTH_NAME_SIZE];
    struct berth_type type;
    struct berth_error why;
    const char *line = need_line(source, "an atom's line");
    if (!line) {
        return;
    }
    if (is_end_tag(line)) {
        refuse(source, "END comes before all atoms of %s; correct their number", residue);
    }
    if (source->forcefield->entry_count == ENTRIES_MAX) {
        refuse(source, "more than %d atoms", ENTRIES_MAX);
    }
    read_type(source, line, name, &type);
    if (source->status) {
        return;
    }
    const enum berth_status status =
        berth_forcefield_add(source->forcefield, residue, name, &type, &why);
    if (status == BERTH_E_FORMAT) {
        refuse(source, "%s", why.message);
    } else if (status) {
        source->status = berth_fail(source->error, status, "%s", why.message);
    }
}

/* A residue's head, "ALA  5", and the lines of its atoms. */
static void read_residue(struct source *source)
{
    char residue[sizeof source->forcefield->entries->residue];
    struct berth_field field;
    const char *cursor = need_line(source, "a residue");
    if (!cursor) {
        return;
    }
    if (is_end_tag(cursor)) {
        refuse(source, "END comes before all residues; correct their number");
    }
    berth_field_next(&cursor, &field);
    if (!berth_field_copy(&field, residue, sizeof residue)) {
        refuse(source, "the residue name '%.*s' is longer than %zu characters",
               berth_field_shown(&field), field.text, sizeof residue - 1);
    }
    if (has_residue(source->forcefield, residue)) {
        refuse(source, "residue %s is defined twice; remove one", residue);
    }
    const int count = read_count(source, cursor, ATOMS_MAX);
    for (int i = 0; !source->status && i < count; i++) {
        read_entry(source, residue);
    }
}

static void read_source(struct source *source, const struct berth_log *log)
{
    read_head(source);
    const char *line = need_line(source, "the number of residues");
    const int residues = line ? read_count(source, line, RESIDUES_MAX) : 0;
    for (int i = 0; !source->status && i < residues; i++) {
        read_residue(source);
    }
    line = next_line(source);
    if (line && !is_end_tag(line)) {
        struct berth_field field;
        berth_field_next(&line, &field);
        refuse(source, "'%.*s' stands where END belongs; correct the numbers of residues and atoms",
               berth_field_shown(&field), field.text);
    } else if (!line && !source->status) {
        berth_warn(log, NULL, "%s: the END tag is missing; the file may have been cut off",
                   berth_text_reader_path(source->text));
    }
}

/* Reads what `text` gives, and destroys it. */
static enum berth_status read_text(struct berth_text_reader *text, const struct berth_log *log,
                                   struct berth_forcefield *forcefield, struct berth_error *error)
{
    struct source source = {text, forcefield, error, BERTH_OK};
    memset(forcefield, 0, sizeof *forcefield);
    forcefield->name = berth_copy_text(berth_text_reader_path(text));
    if (forcefield->name) {
        read_source(&source, log);
    } else {
        source.status = berth_out_of_memory(error, berth_text_reader_path(text));
    }
    if (source.status) {
        berth_forcefield_clear(forcefield);
    }
    berth_text_reader_destroy(text);
    return source.status;
}

enum berth_status berth_bhff_read(const char *path, const struct berth_log *log,
                                  struct berth_forcefield *forcefield, struct berth_error *error)
{
    const struct berth_embedded *built_in = &berth_embedded_forcefield;
    struct berth_text_reader *text;
    if (!path) {
        return berth_bhff_read_memory(built_in->name, built_in->text, built_in->size, log,
                                      forcefield, error);
    }
    memset(forcefield, 0, sizeof *forcefield);
    BERTH_TRY(berth_text_reader_create(path, &text, error));
    return read_text(text, log, forcefield, error);
}

enum berth_status berth_bhff_read_memory(const char *name, const void *bytes, size_t size,
                                         const struct berth_log *log,
                                         struct berth_forcefield *forcefield,
                                         struct berth_error *error)
{
    struct berth_text_reader *text;
    memset(forcefield, 0, sizeof *forcefield);
    BERTH_TRY(berth_text_reader_create_memory(name, bytes, size, &text, error));
    return read_text(text, log, forcefield, error);
}

enum berth_status berth_heavy_positions(const struct berth_heavy_atoms *heavy,
                                        double (**positions)[3], struct berth_error *error)
{
    BERTH_TRY(berth_make(positions, heavy->count, sizeof **positions, NULL, error));
    for (size_t i = 0; i < heavy->count; i++) {
        memcpy((*positions)[i], heavy->atoms[i].position, sizeof **positions);
    }
    return BERTH_OK;
}
