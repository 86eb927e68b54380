#include "check/deck.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text_reader.h"

/* Constants that miniBUDE compiles in (kJ/mol and Å); its energy is half of its sum. */
#define DECK_HARDNESS       38.0
#define DECK_NONPOLAR_REACH 5.5
#define DECK_POLAR_REACH    1.0

enum { DECK_FILE_MAX = 1 << 30, RECORD = 16 };

/* A deck file's bytes, owned. */
struct bytes {
    unsigned char *data;
    size_t size;
    char path[PATH_MAX];
};

static enum berth_status read_bytes(const char *directory, const char *name, size_t multiple,
                                    struct bytes *bytes, struct berth_error *error)
{
    snprintf(bytes->path, sizeof bytes->path, "%s/%s", directory, name);
    FILE *file;
    BERTH_TRY(berth_file_open_plain(bytes->path, &file, error));
    size_t capacity = 0;
    enum berth_status status = BERTH_OK;
    for (size_t got = 1; !status && got && bytes->size < DECK_FILE_MAX;) {
        status = berth_reserve(&bytes->data, &capacity, bytes->size + 65536, 1, error);
        if (!status) {
            got = fread(bytes->data + bytes->size, 1, 65536, file);
            bytes->size += got;
        }
    }
    if (!status && ferror(file)) {
        status = berth_fail(error, BERTH_E_IO, "%s: cannot read: %s", bytes->path, strerror(errno));
    }
    fclose(file);
    if (!status && (bytes->size == 0 || bytes->size % multiple)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: %zu bytes, not a multiple of %zu",
                            bytes->path, bytes->size, multiple);
    }
    return status;
}

/* forcefield.in: {int32 class letter; float radius, h, q} a type, named by its number. */
static enum berth_status read_types(const struct bytes *bytes, struct berth_forcefield *forcefield,
                                    struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(bytes->data, bytes->size);
    forcefield->name = berth_copy_text(bytes->path);
    for (size_t i = 0; i < bytes->size / RECORD; i++) {
        const uint32_t class = berth_cursor_get32(&cursor);
        struct berth_type type = {.class = (char)class,
                                  .hardness = DECK_HARDNESS,
                                  .nonpolar_reach = DECK_NONPOLAR_REACH,
                                  .polar_reach = DECK_POLAR_REACH};
        char name[24];
        type.radius = berth_cursor_get_float(&cursor);
        type.hydrophobic = berth_cursor_get_float(&cursor);
        type.charge = berth_cursor_get_float(&cursor);
        if (!type.class || !strchr("FDEP-", type.class)) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s: type %zu: class %u is none of the letters F, D, E, P and -",
                              bytes->path, i, (unsigned)class);
        }
        snprintf(name, sizeof name, "%zu", i);
        if (berth_forcefield_add(forcefield, "WLD", name, &type, error)) {
            return berth_fail_in(error, bytes->path);
        }
    }
    return BERTH_OK;
}

static enum berth_status read_scoring(const struct bytes *bytes, struct berth_scoring *scoring,
                                      struct berth_error *error)
{
    struct berth_forcefield forcefield = {0};
    enum berth_status status = read_types(bytes, &forcefield, error);
    BERTH_THEN(berth_scoring_of(&forcefield, scoring, error));
    berth_forcefield_clear(&forcefield);
    return status;
}

/* protein.in and ligand.in: {float x, y, z; int32 type} an atom. */
static enum berth_status read_atoms(const struct bytes *bytes, const struct berth_scoring *scoring,
                                    struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(bytes->data, bytes->size);
    BERTH_TRY(
        berth_make(&heavy->atoms, bytes->size / RECORD, sizeof *heavy->atoms, bytes->path, error));
    for (size_t i = 0; i < bytes->size / RECORD; i++) {
        struct berth_heavy_atom *atom = &heavy->atoms[i];
        for (int k = 0; k < 3; k++) {
            atom->position[k] = berth_cursor_get_float(&cursor);
        }
        const uint32_t type = berth_cursor_get32(&cursor);
        if (type >= scoring->forcefield.entry_count) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s: atom %zu has type %u; forcefield.in has types 0 to %zu",
                              bytes->path, i, (unsigned)type, scoring->forcefield.entry_count - 1);
        }
        if (!isfinite(atom->position[0] + atom->position[1] + atom->position[2])) {
            return berth_fail(error, BERTH_E_FORMAT, "%s: atom %zu has no finite position",
                              bytes->path, i);
        }
        atom->type = scoring->forcefield.entries[type].type;
        heavy->count++;
    }
    return BERTH_OK;
}

static enum berth_status read_poses(const struct bytes *bytes, struct berth_deck *deck,
                                    struct berth_error *error)
{
    deck->pose_count = bytes->size / 24;
    BERTH_TRY(
        berth_make(&deck->poses, deck->pose_count * 6, sizeof *deck->poses, bytes->path, error));
    struct berth_cursor cursor = berth_cursor_over(bytes->data, bytes->size);
    for (size_t i = 0; i < deck->pose_count * 6; i++) {
        deck->poses[i] = berth_cursor_get_float(&cursor);
        if (!isfinite(deck->poses[i])) {
            return berth_fail(error, BERTH_E_FORMAT, "%s: pose %zu is not finite", bytes->path,
                              i % deck->pose_count);
        }
    }
    return BERTH_OK;
}

static enum berth_status read_energies(const char *directory, struct berth_deck *deck,
                                       struct berth_error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/ref_energies.out", directory);
    struct berth_text_reader *reader = NULL;
    size_t capacity = 0;
    char *line, *end;
    enum berth_status status = berth_text_reader_create(path, &reader, error);
    while (!status && !(status = berth_text_reader_next(reader, &line, error)) && line) {
        status = berth_reserve(&deck->energies, &capacity, deck->energy_count + 1,
                               sizeof *deck->energies, error);
        const double energy = strtod(line, &end);
        if (!status && (end == line || !isfinite(energy))) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s:%zu: not a number: %.40s", path,
                                berth_text_reader_line(reader), line);
        } else if (!status) {
            deck->energies[deck->energy_count++] = energy;
        }
    }
    berth_text_reader_destroy(reader);
    if (!status && (!deck->energy_count || deck->energy_count > deck->pose_count)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: %zu energies for %zu poses", path,
                            deck->energy_count, deck->pose_count);
    }
    return status;
}

enum berth_status berth_deck_read(const char *directory, struct berth_deck *deck,
                                  struct berth_error *error)
{
    memset(deck, 0, sizeof *deck);
    struct bytes types = {0}, protein = {0}, ligand = {0}, poses = {0};
    enum berth_status status = read_bytes(directory, "forcefield.in", RECORD, &types, error);
    BERTH_THEN(read_bytes(directory, "protein.in", RECORD, &protein, error));
    BERTH_THEN(read_bytes(directory, "ligand.in", RECORD, &ligand, error));
    BERTH_THEN(read_bytes(directory, "poses.in", 24, &poses, error));
    BERTH_THEN(read_scoring(&types, &deck->scoring, error));
    BERTH_THEN(read_atoms(&protein, &deck->scoring, &deck->protein, error));
    BERTH_THEN(read_atoms(&ligand, &deck->scoring, &deck->ligand, error));
    BERTH_THEN(read_poses(&poses, deck, error));
    BERTH_THEN(read_energies(directory, deck, error));
    free(types.data);
    free(protein.data);
    free(ligand.data);
    free(poses.data);
    if (status) {
        berth_deck_clear(deck);
    }
    return status;
}

void berth_deck_clear(struct berth_deck *deck)
{
    berth_scoring_clear(&deck->scoring);
    berth_heavy_atoms_clear(&deck->protein);
    berth_heavy_atoms_clear(&deck->ligand);
    free(deck->poses);
    free(deck->energies);
    memset(deck, 0, sizeof *deck);
}
