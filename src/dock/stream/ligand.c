#include "dock/stream/ligand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/torsion.h"

/* The heavy atoms of a conformer where they stand, in the same doubles as the write-out stream
 * gives them, so that a ligand docks as it does when `berth dock` reads it. */
static void place_heavy(const struct berth_docking_ligand *ligand, size_t conformer,
                        struct berth_heavy_atoms *heavy)
{
    const float(*positions)[3] = ligand->positions + conformer * ligand->heavy_count;
    for (size_t i = 0; i < ligand->heavy_count; i++) {
        heavy->atoms[i].type = ligand->types[i];
        heavy->atoms[i].hybrid = ligand->hybrids[i];
        for (int k = 0; k < 3; k++) {
            const double position = ligand->origins[conformer][k] + (double)positions[i][k];
            heavy->atoms[i].position[k] = (double)lround(position * 1000) / 1000.0;
        }
    }
}

/* True where the ligand's torsions are to turn; warns where it is too large for that. */
static bool is_flexible(const struct berth_stream_settings *settings, size_t heavy_count,
                        const char *title)
{
    if (settings->flexible && heavy_count > BERTH_LIGAND_FLEXIBLE_MAX) {
        berth_warn(settings->log, "large",
                   "ligand %s: %zu heavy atoms: it is docked as a rigid body; up to %d can be "
                   "flexible",
                   title, heavy_count, BERTH_LIGAND_FLEXIBLE_MAX);
    }
    return settings->flexible && heavy_count <= BERTH_LIGAND_FLEXIBLE_MAX;
}

/* Finds what turns, or could, in the ligand, whose first conformer's heavy atoms these are.  The
 * caller clears *flexible. */
static enum berth_status find_flexible(const struct berth_docking_ligand *ligand,
                                       const struct berth_heavy_atoms *heavy,
                                       const struct berth_stream_settings *settings,
                                       struct berth_flexible *flexible, struct berth_error *error)
{
    enum berth_status status = berth_flexible_from_tree(
        heavy, &ligand->tree, berth_scoring_apart(settings->scoring), flexible, error);
    return status ? status : berth_flexible_twist(settings->scoring, heavy, flexible, error);
}

/* Packs the flexible torsions of the ligand. */
static enum berth_status pack_flexible(const struct berth_heavy_atoms *heavy, const char *title,
                                       const struct berth_flexible *flexible,
                                       const struct berth_stream_settings *settings,
                                       struct berth_packed_flexible *packed,
                                       struct berth_error *error)
{
    if (flexible->fixed) {
        berth_flexible_warn(flexible, title, settings->log);
    }
    return berth_pack_flexible(flexible, heavy, packed, error);
}

/* True where the function has a torsional term, which poses have whether torsions turn or not. */
static bool is_torsional(const struct berth_stream_settings *settings, size_t heavy_count)
{
    return *settings->scoring->definition->torsional.name != '\0' &&
           heavy_count <= BERTH_LIGAND_FLEXIBLE_MAX;
}

static void set_torsional(const struct berth_scoring *scoring, double torsional,
                          struct berth_packed_conformer *packed)
{
    packed->torsional = torsional;
    packed->torsional_term = berth_scoring_pair_terms(scoring);
}

/* Packs all conformers; heavy has room for their atoms. */
static enum berth_status pack_conformers(const struct berth_docking_ligand *ligand,
                                         const struct berth_stream_settings *settings,
                                         struct berth_heavy_atoms *heavy,
                                         struct berth_stream_ligand *made,
                                         struct berth_error *error)
{
    const bool turns = is_flexible(settings, ligand->heavy_count, ligand->title);
    const bool torsional = is_torsional(settings, ligand->heavy_count);
    struct berth_flexible flexible = {0};
    enum berth_status status = BERTH_OK;
    for (size_t c = 0; !status && c < ligand->conformer_count; c++) {
        place_heavy(ligand, c, heavy);
        if ((turns || torsional) && !c) {
            status = find_flexible(ligand, heavy, settings, &flexible, error);
        }
        if (!status && turns && !c && flexible.tree.count) {
            status =
                pack_flexible(heavy, ligand->title, &flexible, settings, &made->flexible, error);
        }
        BERTH_THEN(berth_pack_conformer(heavy, berth_ligand_key(ligand->title), (uint32_t)c + 1,
                                        &made->packed[c], error));
        made->packed[c].flexible = made->flexible.torsions ? &made->flexible : NULL;
        made->packed[c].rotors = ligand->rotors;
        if (!status && torsional && !made->packed[c].flexible) {
            set_torsional(settings->scoring,
                          berth_flexible_torsional(settings->scoring, &flexible, heavy, NULL),
                          &made->packed[c]);
        }
        made->strains[c] = round((double)ligand->strains[c] * 100) / 100;
        made->result.conformer_count = c + 1;
    }
    berth_flexible_clear(&flexible);
    return status;
}

static enum berth_status pack(const struct berth_docking_ligand *ligand,
                              const struct berth_stream_settings *settings,
                              struct berth_stream_ligand *made, struct berth_error *error)
{
    struct berth_heavy_atoms heavy = {.count = ligand->heavy_count};
    heavy.atoms = berth_alloc(heavy.count, sizeof *heavy.atoms);
    made->packed = berth_alloc(ligand->conformer_count, sizeof *made->packed);
    made->strains = berth_alloc(ligand->conformer_count, sizeof *made->strains);
    enum berth_status status = heavy.atoms && made->packed && made->strains
                                   ? pack_conformers(ligand, settings, &heavy, made, error)
                                   : berth_out_of_memory(error, NULL);
    berth_heavy_atoms_clear(&heavy);
    if (!status && berth_strains_known(made->strains, ligand->conformer_count)) {
        made->strain_weight = settings->strain_weight;
    }
    return status;
}

static enum berth_status begin(uint64_t ordinal, const char *title,
                               struct berth_stream_ligand **made, struct berth_error *error)
{
    struct berth_stream_ligand *ligand = *made = berth_alloc(1, sizeof *ligand);
    if (ligand) {
        ligand->title = berth_copy_text(title);
        ligand->result.title = ligand->title;
        ligand->result.ordinal = ordinal;
    }
    return ligand && ligand->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

struct berth_stream_poses *berth_stream_found(const struct berth_stream_ligand *ligand,
                                              size_t conformer, size_t receptor)
{
    return &ligand->found[conformer * ligand->receptors + receptor];
}

enum berth_status berth_stream_ligand_create(const struct berth_docking_ligand *ligand,
                                             const struct berth_stream_settings *settings,
                                             struct berth_library_ligand *whole,
                                             struct berth_stream_ligand **made,
                                             struct berth_error *error)
{
    enum berth_status status = begin(ligand->ordinal, ligand->title, made, error);
    if (!status) {
        (*made)->result.heavy_count = ligand->heavy_count;
        const bool flexible =
            settings->flexible && ligand->heavy_count <= BERTH_LIGAND_FLEXIBLE_MAX;
        (*made)->torsions = flexible ? ligand->tree.count : 0;
        status = pack(ligand, settings, *made, error);
    }
    if (!status) {
        (*made)->receptors = settings->receptors;
        (*made)->found =
            berth_alloc(ligand->conformer_count * settings->receptors, sizeof *(*made)->found);
        status = (*made)->found ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    if (!status && settings->several) {
        (*made)->several = true;
        (*made)->whole = *whole;
        memset(whole, 0, sizeof *whole);
        if (!(*made)->torsions) { /* nothing turns, and no pose has a strain */
            berth_torsion_tree_clear(&(*made)->whole.tree);
        }
    }
    if (status) {
        berth_stream_ligand_destroy(*made);
        *made = NULL;
    }
    return status;
}

enum berth_status berth_stream_ligand_begin(uint64_t ordinal, size_t receptors,
                                            struct berth_stream_ligand **made,
                                            struct berth_error *error)
{
    struct berth_stream_ligand *ligand = *made = berth_alloc(1, sizeof *ligand);
    if (!ligand) {
        return berth_out_of_memory(error, NULL);
    }
    ligand->result.ordinal = ordinal;
    ligand->receptors = receptors;
    ligand->several = true;
    return BERTH_OK;
}

/* Makes room for another conformer, which is zeroed. */
static enum berth_status reserve_conformer(struct berth_stream_ligand *ligand,
                                           struct berth_error *error)
{
    const size_t last = ligand->result.conformer_count;
    size_t of_packed = ligand->capacity; /* both have this one */
    size_t of_found = ligand->capacity * ligand->receptors;
    enum berth_status status =
        berth_reserve(&ligand->packed, &of_packed, last + 1, sizeof *ligand->packed, error);
    BERTH_THEN(berth_reserve(&ligand->found, &of_found, of_packed * ligand->receptors,
                             sizeof *ligand->found, error));
    BERTH_THEN(berth_reserve(&ligand->strains, &ligand->capacity, last + 1, sizeof *ligand->strains,
                             error));
    if (!status) {
        memset(&ligand->packed[last], 0, sizeof *ligand->packed);
        memset(berth_stream_found(ligand, last, 0), 0, ligand->receptors * sizeof *ligand->found);
    }
    return status;
}

/* What the first conformer says of the whole ligand; these are its heavy atoms. */
static enum berth_status describe(struct berth_stream_ligand *ligand,
                                  const struct berth_heavy_atoms *heavy,
                                  const struct berth_stream_settings *settings,
                                  struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->whole.ligand.conformers[0];
    struct berth_flexible flexible = {0};
    ligand->title = berth_copy_text(ligand->whole.ligand.name);
    ligand->result.title = ligand->title;
    ligand->result.heavy_count = berth_heavy_count(molecule);
    ligand->strain_weight = settings->strain_weight;
    if (!ligand->title) {
        return berth_out_of_memory(error, NULL);
    }
    enum berth_status status = berth_rotors_count(molecule, &ligand->rotors, error);
    if (status || !is_flexible(settings, ligand->result.heavy_count, ligand->title)) {
        return status;
    }
    status = berth_torsion_tree_find(molecule, &ligand->whole.tree, error);
    if (!status) {
        status =
            berth_flexible_find(molecule, berth_scoring_apart(settings->scoring), &flexible, error);
    }
    BERTH_THEN(berth_flexible_twist(settings->scoring, heavy, &flexible, error));
    BERTH_THEN(pack_flexible(heavy, ligand->title, &flexible, settings, &ligand->flexible, error));
    berth_flexible_clear(&flexible);
    ligand->torsions = ligand->whole.tree.count;
    return status;
}

/* Sets the torsional term of the conformer that was added last. */
static enum berth_status stand_rigid(struct berth_stream_ligand *ligand,
                                     const struct berth_heavy_atoms *heavy,
                                     const struct berth_scoring *scoring, struct berth_error *error)
{
    const size_t last = ligand->result.conformer_count - 1;
    double torsional;
    const enum berth_status status = berth_flexible_standing(
        scoring, &ligand->whole.ligand.conformers[last], heavy, &torsional, error);
    set_torsional(scoring, torsional, &ligand->packed[last]);
    return status;
}

enum berth_status berth_stream_ligand_add(struct berth_stream_ligand *ligand,
                                          const struct berth_stream_conformer *conformer,
                                          bool whole_title,
                                          const struct berth_stream_settings *settings,
                                          struct berth_error *error)
{
    const size_t last = ligand->result.conformer_count;
    enum berth_status status = reserve_conformer(ligand, error);
    BERTH_THEN(berth_ligand_add(&ligand->whole.ligand, conformer->molecule, whole_title, error));
    if (!status) {
        ligand->result.conformer_count++;
        status = berth_pack_conformer(conformer->heavy, berth_ligand_key(ligand->whole.ligand.name),
                                      (uint32_t)last + 1, &ligand->packed[last], error);
    }
    if (!status && !last) {
        status = describe(ligand, conformer->heavy, settings, error);
    }
    if (!status) {
        ligand->packed[last].flexible = ligand->flexible.torsions ? &ligand->flexible : NULL;
        ligand->packed[last].rotors = ligand->rotors;
        if (!ligand->packed[last].flexible && is_torsional(settings, conformer->heavy->count)) {
            status = stand_rigid(ligand, conformer->heavy, settings->scoring, error);
        }
        ligand->strains[last] = conformer->strain;
        ligand->strain_weight = isfinite(conformer->strain) ? ligand->strain_weight : 0;
    }
    return status;
}

enum berth_status berth_stream_ligand_create_failed(uint64_t ordinal, const char *title,
                                                    const char *reason,
                                                    struct berth_stream_ligand **made,
                                                    struct berth_error *error)
{
    enum berth_status status = begin(ordinal, title ? title : "", made, error);
    if (!status) {
        (*made)->failure = berth_copy_text(reason);
        (*made)->result.failure = (*made)->failure;
        status = (*made)->failure ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    if (status) {
        berth_stream_ligand_destroy(*made);
        *made = NULL;
    }
    return status;
}

void berth_stream_ligand_destroy(struct berth_stream_ligand *ligand)
{
    if (!ligand) {
        return;
    }
    for (size_t c = 0; ligand->packed && c < ligand->result.conformer_count; c++) {
        berth_packed_conformer_clear(&ligand->packed[c]);
    }
    const size_t dockings = ligand->result.conformer_count * ligand->receptors;
    for (size_t i = 0; ligand->found && i < dockings; i++) {
        free(ligand->found[i].poses);
        free(ligand->found[i].angles);
    }
    berth_packed_flexible_clear(&ligand->flexible);
    free(ligand->packed);
    free(ligand->strains);
    free(ligand->found);
    free(ligand->result.modes);
    free(ligand->title);
    free(ligand->failure);
    berth_library_ligand_clear(&ligand->whole);
    free(ligand);
}
