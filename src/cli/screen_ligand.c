/* A ligand of a screen on its way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/screen_run.h"

/* The heavy atoms of a conformer where they stand, in the same doubles as the write-out stream
 * gives them, so that a ligand docks as it does when `berth dock` reads it. */
static void place_heavy(const struct berth_docking_ligand *ligand, size_t conformer,
                        struct berth_heavy_atoms *heavy)
{
    const float(*positions)[3] = ligand->positions + conformer * ligand->heavy_count;
    for (size_t i = 0; i < ligand->heavy_count; i++) {
        heavy->atoms[i].type = ligand->types[i];
        for (int k = 0; k < 3; k++) {
            const double position = ligand->origins[conformer][k] + (double)positions[i][k];
            heavy->atoms[i].position[k] = (double)lround(position * 1000) / 1000.0;
        }
    }
}

static enum berth_status pack(const struct berth_docking_ligand *ligand, struct screen_ligand *made,
                              struct berth_error *error)
{
    struct berth_heavy_atoms heavy = {.count = ligand->heavy_count};
    heavy.atoms = berth_alloc(heavy.count, sizeof *heavy.atoms);
    made->packed = berth_alloc(ligand->conformer_count, sizeof *made->packed);
    enum berth_status status =
        heavy.atoms && made->packed ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    for (size_t c = 0; !status && c < ligand->conformer_count; c++) {
        place_heavy(ligand, c, &heavy);
        status = berth_pack_conformer(&heavy, berth_ligand_key(ligand->title), (uint32_t)c + 1,
                                      &made->packed[c], error);
        made->result.conformer_count = c + 1;
    }
    free(heavy.atoms);
    return status;
}

/* What choosing several modes needs. */
static enum berth_status prepare_several(struct screen_ligand *made,
                                         struct berth_library_ligand *whole,
                                         struct berth_error *error)
{
    const size_t count = made->result.conformer_count;
    made->whole = *whole;
    memset(whole, 0, sizeof *whole);
    made->poses = berth_alloc(count, sizeof *made->poses);
    made->counts = berth_alloc(count, sizeof *made->counts);
    made->devices = berth_alloc(count, sizeof *made->devices);
    return made->poses && made->counts && made->devices
               ? BERTH_OK
               : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

static enum berth_status begin(uint64_t ordinal, const char *title, struct screen_ligand **made,
                               struct berth_error *error)
{
    struct screen_ligand *ligand = *made = berth_alloc(1, sizeof *ligand);
    if (ligand) {
        ligand->title = berth_copy_text(title);
        ligand->result.title = ligand->title;
        ligand->result.ordinal = ordinal;
        ligand->result.modes = berth_alloc(1, sizeof *ligand->result.modes);
    }
    return ligand && ligand->title && ligand->result.modes
               ? BERTH_OK
               : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

enum berth_status screen_ligand_create(const struct berth_docking_ligand *ligand,
                                       struct berth_library_ligand *whole,
                                       struct screen_ligand **made, struct berth_error *error)
{
    enum berth_status status = begin(ligand->ordinal, ligand->title, made, error);
    if (!status) {
        (*made)->result.heavy_count = ligand->heavy_count;
        status = pack(ligand, *made, error);
    }
    if (!status && whole) {
        status = prepare_several(*made, whole, error);
    }
    if (status) {
        screen_ligand_destroy(*made);
        *made = NULL;
    }
    return status;
}

enum berth_status screen_ligand_create_failed(uint64_t ordinal, const char *title,
                                              const char *reason, struct screen_ligand **made,
                                              struct berth_error *error)
{
    enum berth_status status = begin(ordinal, title ? title : "", made, error);
    if (!status) {
        (*made)->failure = berth_copy_text(reason);
        (*made)->result.failure = (*made)->failure;
        status = (*made)->failure ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (status) {
        screen_ligand_destroy(*made);
        *made = NULL;
    }
    return status;
}

void screen_ligand_destroy(struct screen_ligand *ligand)
{
    if (!ligand) {
        return;
    }
    for (size_t c = 0; ligand->packed && c < ligand->result.conformer_count; c++) {
        berth_packed_conformer_clear(&ligand->packed[c]);
    }
    for (size_t c = 0; ligand->poses && c < ligand->result.conformer_count; c++) {
        free(ligand->poses[c]);
    }
    free(ligand->packed);
    free(ligand->poses);
    free(ligand->counts);
    free(ligand->devices);
    free(ligand->result.modes);
    free(ligand->title);
    free(ligand->failure);
    berth_library_ligand_clear(&ligand->whole);
    free(ligand);
}
