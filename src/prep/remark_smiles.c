#include "prep/remark_smiles.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text_reader.h"

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
static enum berth_status order_places(const char *name, const struct reading *reading,
                                      struct berth_remark *remark, struct berth_error *error)
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

void berth_remark_clear(struct berth_remark *remark)
{
    free(remark->name);
    free(remark->smiles);
    free(remark->positions);
    memset(remark, 0, sizeof *remark);
}

enum berth_status berth_remark_read(const char *name, const struct berth_bytes *text,
                                    struct berth_remark *remark, struct berth_error *error)
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
        berth_remark_clear(remark);
    }
    berth_text_reader_destroy(reader);
    free(reading.pairs);
    free(reading.places);
    return status;
}
