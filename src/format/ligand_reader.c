#include "format/ligand_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct berth_ligand_reader {
    struct berth_mol2_reader *mol2; /* owned */
    char *path;                     /* owned */
    bool separate;
    uint64_t read, skip;             /* molecules met; those to pass over */
    struct berth_ligand ligand;      /* being gathered */
    struct berth_ligand_place place; /* of it; what is consumed is known at its end */
    bool too_many;                   /* it is to be passed over */
    struct berth_molecule molecule;  /* the last one: begins the next ligand, or failed */
    bool ahead;                      /* it begins the next ligand */
};

enum berth_status berth_ligand_reader_create(const struct berth_ligand_reader_setup *setup,
                                             struct berth_ligand_reader **reader,
                                             struct berth_error *error)
{
    *reader = NULL;
    struct berth_ligand_reader *made = berth_alloc(1, sizeof *made);
    if (!made || !(made->path = berth_copy_text(setup->path))) {
        free(made);
        return berth_out_of_memory(error, setup->path);
    }
    made->separate = setup->separate;
    made->skip = setup->skip;
    enum berth_status status = berth_mol2_reader_create(setup->path, &made->mol2, error);
    if (status) {
        berth_ligand_reader_destroy(made);
        return status;
    }
    *reader = made;
    return BERTH_OK;
}

/* The next molecule that is not to be passed over. */
static enum berth_status next_molecule(struct berth_ligand_reader *reader, bool *end,
                                       struct berth_error *error)
{
    for (;;) {
        const enum berth_status status =
            berth_mol2_next(reader->mol2, &reader->molecule, end, error);
        if (!status && *end) {
            return BERTH_OK;
        }
        /* What failed under a molecule to be passed over was told when it was first read. */
        const bool told = reader->read++ < reader->skip;
        if (!told || (status && berth_mol2_is_broken(reader->mol2)) || status == BERTH_E_MEMORY) {
            return status;
        }
    }
}

/* Moves the molecule ahead into the ligand being gathered. */
static enum berth_status gather(struct berth_ligand_reader *reader, struct berth_error *error)
{
    if (reader->ligand.conformer_count == 0) {
        reader->place.record = reader->read;
    }
    reader->ahead = false;
    if (reader->ligand.conformer_count == BERTH_LIGAND_CONFORMERS_MAX) {
        const bool told = reader->too_many;
        reader->too_many = true;
        return told ? BERTH_OK
                    : berth_fail(error, BERTH_E_FORMAT,
                                 "%s:%zu: ligand %.200s has more than %d conformers, the most that "
                                 "are taken; make fewer",
                                 reader->path, reader->molecule.line, reader->ligand.name,
                                 BERTH_LIGAND_CONFORMERS_MAX);
    }
    return berth_ligand_add(&reader->ligand, &reader->molecule, reader->separate, error);
}

/* Gives the ligand that was gathered away; false where there is none, or it is too large. */
static bool hand_over(struct berth_ligand_reader *reader, struct berth_ligand *ligand,
                      struct berth_ligand_place *place)
{
    const bool gives = reader->ligand.conformer_count && !reader->too_many;
    if (gives) {
        *ligand = reader->ligand;
        *place = reader->place;
        place->consumed = reader->read - reader->ahead;
        memset(&reader->ligand, 0, sizeof reader->ligand);
    }
    berth_ligand_clear(&reader->ligand);
    reader->too_many = false;
    return gives;
}

enum berth_status berth_ligand_reader_next(struct berth_ligand_reader *reader,
                                           struct berth_ligand *ligand,
                                           struct berth_ligand_place *place, bool *end,
                                           struct berth_error *error)
{
    berth_ligand_clear(ligand);
    *end = false;
    for (;;) {
        if (reader->ahead) {
            const enum berth_status status = gather(reader, error);
            if (status) {
                return status;
            }
        }
        bool none;
        const enum berth_status status = next_molecule(reader, &none, error);
        if (status) {
            return status;
        }
        reader->ahead = !none;
        const bool joins = reader->ahead && !reader->separate &&
                           berth_ligand_accepts(&reader->ligand, &reader->molecule);
        if (!joins && hand_over(reader, ligand, place)) {
            return BERTH_OK;
        }
        if (none) {
            *end = true;
            return BERTH_OK;
        }
    }
}

const char *berth_ligand_reader_title(const struct berth_ligand_reader *reader)
{
    return reader->too_many ? reader->ligand.name : reader->molecule.title;
}

bool berth_ligand_reader_is_broken(const struct berth_ligand_reader *reader)
{
    return berth_mol2_is_broken(reader->mol2);
}

void berth_ligand_reader_destroy(struct berth_ligand_reader *reader)
{
    if (!reader) {
        return;
    }
    berth_mol2_reader_destroy(reader->mol2);
    berth_ligand_clear(&reader->ligand);
    berth_molecule_clear(&reader->molecule);
    free(reader->path);
    free(reader);
}
