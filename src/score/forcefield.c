#include "score/forcefield.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What stands in for Mol2 types that BUDE's parameter sets lack.  Every use is reported.
 * Spellings first, then chemistry: an aromatic nitrogen however it is written; sulfoxide and
 * sulfone in either case; transition metals as the divalent cation that the set has (all its
 * divalent metals share one set of figures); a dummy atom as the set's own "Any". */
static const struct {
    const char *type, *instead;
} FALLBACKS[] = {{"N.ar6", "N.ar"}, {"N.ar5", "N.ar"}, {"N.pl", "N.pl3"}, {"N.plc", "N.pl3"},
                 {"S.o", "S.O"},    {"S.O", "S.o"},    {"S.o2", "S.O2"},  {"S.O2", "S.o2"},
                 {"S.ar", "S.2"},   {"O.ar", "O.3"},   {"P", "P.3"},      {"CL", "Cl"},
                 {"BR", "Br"},      {"ZN", "Zn"},      {"MG", "Mg"},      {"CA", "Ca"},
                 {"NA", "Na"},      {"Li", "Na"},      {"Fe", "Fe.2"},    {"Mn", "Zn"},
                 {"Co.oh", "Zn"},   {"Co", "Zn"},      {"Ni", "Zn"},      {"Cu", "Zn"},
                 {"Cd", "Zn"},      {"Du", "Any"},     {"Du.C", "Any"}};

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
    enum berth_status status =
        berth_reserve(&forcefield->types, &forcefield->type_capacity, forcefield->type_count + 1,
                      sizeof *forcefield->types, error);
    BERTH_THEN(berth_reserve(&forcefield->entries, &forcefield->entry_capacity,
                             forcefield->entry_count + 1, sizeof *forcefield->entries, error));
    if (status) {
        return status;
    }
    if (index == forcefield->type_count) {
        forcefield->types[forcefield->type_count++] = *type;
    }
    struct berth_type_entry *entry = &forcefield->entries[forcefield->entry_count++];
    snprintf(entry->residue, sizeof entry->residue, "%s", residue);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->type = (int)index;
    return BERTH_OK;
}

static int has_residue(const struct berth_forcefield *forcefield, const char *residue)
{
    for (size_t i = 0; i < forcefield->entry_count; i++) {
        if (strcmp(forcefield->entries[i].residue, residue) == 0) {
            return 1;
        }
    }
    return 0;
}

/* "ALA12" and "ALA" give "ALA": the letters in front of the residue's number. */
static void residue_name(const char *substructure, char name[BERTH_NAME_SIZE])
{
    snprintf(name, BERTH_NAME_SIZE, "%s", substructure);
    size_t length = strlen(name);
    while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '-')) {
        name[--length] = '\0';
    }
}

int berth_forcefield_type(const struct berth_forcefield *forcefield, const struct berth_atom *atom,
                          const struct berth_log *log, const char *title)
{
    char residue[BERTH_NAME_SIZE];
    residue_name(atom->residue, residue);
    int type = find_entry(forcefield, residue, atom->name);
    if (type < 0) {
        type = find_entry(forcefield, "WLD", atom->type);
    }
    if (type < 0 && has_residue(forcefield, residue)) {
        type = find_entry(forcefield, "WLD", atom->name);
    }
    for (size_t i = 0; type < 0 && i < sizeof FALLBACKS / sizeof *FALLBACKS; i++) {
        if (strcmp(FALLBACKS[i].type, atom->type) == 0) {
            type = find_entry(forcefield, "WLD", FALLBACKS[i].instead);
            if (type >= 0) {
                berth_warn(log, FALLBACKS[i].type, "%s: atom %s of type %s is taken as %s", title,
                           atom->name, atom->type, FALLBACKS[i].instead);
            }
        }
    }
    return type;
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

enum berth_status berth_forcefield_assign(const struct berth_forcefield *forcefield,
                                          const struct berth_molecule *molecule,
                                          const struct berth_log *log,
                                          struct berth_heavy_atoms *heavy,
                                          struct berth_error *error)
{
    heavy->count = 0;
    heavy->atoms = berth_alloc(berth_heavy_count(molecule), sizeof *heavy->atoms);
    if (!heavy->atoms) {
        return berth_out_of_memory(error, molecule->title);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (!atom->heavy) {
            continue;
        }
        int type = berth_forcefield_type(forcefield, atom, log, molecule->title);
        if (type < 0) {
            berth_heavy_atoms_clear(heavy);
            return berth_forcefield_untyped(forcefield, molecule->title, atom, i, error);
        }
        struct berth_heavy_atom *typed = &heavy->atoms[heavy->count++];
        memcpy(typed->position, atom->position, sizeof typed->position);
        typed->type = type;
        typed->hybrid = berth_hybrid_of_type(atom->type);
    }
    return BERTH_OK;
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
