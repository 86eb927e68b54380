#include "dock/stream/ligand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/stereo.h"
#include "chem/torsion.h"
#include "dock/advice.h"
#include "dock/confidence.h"
#include "dock/ranker.h"
#include "dock/relax/relaxed_modes.h"
#include "dock/rescore.h"
#include "dock/seeds.h"
#include "score/bodies.h"

struct berth_docked_poses *berth_stream_found(const struct berth_stream_ligand *ligand,
                                              size_t conformer, size_t seed, size_t receptor)
{
    return &ligand->found[(conformer * ligand->seeds + seed) * ligand->receptors + receptor];
}

size_t berth_stream_dockings(const struct berth_stream_ligand *ligand)
{
    return ligand->result.conformer_count * ligand->seeds;
}

/* --- Making one --- */

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

/* True where the function has a torsional term, which poses have whether torsions turn or not. */
static bool is_torsional(const struct berth_stream_settings *settings, size_t heavy_count)
{
    return *settings->scoring->definition->torsional.name != '\0' &&
           heavy_count <= BERTH_LIGAND_FLEXIBLE_MAX;
}

enum berth_status berth_stream_ligand_begin(uint64_t ordinal,
                                            const struct berth_stream_settings *settings,
                                            struct berth_stream_ligand **made,
                                            struct berth_error *error)
{
    BERTH_TRY(berth_make(made, 1, sizeof **made, NULL, error));
    const size_t count = settings->side_chains ? settings->receptors : 1;
    const enum berth_status status =
        berth_make(&(*made)->packed, count, sizeof *(*made)->packed, NULL, error);
    if (status) {
        free(*made);
        *made = NULL;
        return status;
    }
    (*made)->packed_count = count;
    (*made)->result.ordinal = ordinal;
    (*made)->receptors = settings->receptors;
    (*made)->seeds = settings->seeds ? settings->seeds : 1;
    (*made)->restraints = settings->restraints;
    memcpy((*made)->center, settings->center, sizeof settings->center);
    return BERTH_OK;
}

/* Makes room for another conformer, which is zeroed. */
static enum berth_status reserve_conformer(struct berth_stream_ligand *ligand,
                                           struct berth_error *error)
{
    const size_t last = ligand->result.conformer_count;
    size_t capacity = ligand->capacity;                        /* all have this one */
    const size_t dockings = ligand->seeds * ligand->receptors; /* of a conformer */
    size_t of_found = ligand->capacity * dockings;
    for (size_t v = 0; v < ligand->packed_count; v++) {
        struct berth_packed_ligand *packed = &ligand->packed[v];
        capacity = ligand->capacity;
        BERTH_TRY(berth_reserve(&packed->conformers, &capacity, last + 1,
                                sizeof *packed->conformers, error));
        memset(&packed->conformers[last], 0, sizeof *packed->conformers);
    }
    BERTH_TRY(berth_reserve(&ligand->found, &of_found, capacity * dockings, sizeof *ligand->found,
                            error));
    BERTH_TRY(berth_reserve(&ligand->strains, &ligand->capacity, last + 1, sizeof *ligand->strains,
                            error));
    memset(berth_stream_found(ligand, last, 0, 0), 0, dockings * sizeof *ligand->found);
    return BERTH_OK;
}

/* Finds what turns, or could, in the ligand, whose first conformer this is, into ligand->moves. */
static enum berth_status find_moves(struct berth_stream_ligand *ligand,
                                    const struct berth_stream_conformer *conformer,
                                    const struct berth_stream_settings *settings,
                                    struct berth_error *error)
{
    const size_t apart = berth_scoring_apart(settings->scoring);
    BERTH_TRY(conformer->streamed
                  ? berth_flexible_from_tree(conformer->heavy, &conformer->streamed->tree, apart,
                                             &ligand->moves, error)
                  : berth_flexible_find(&ligand->whole.ligand.conformers[0], apart, &ligand->moves,
                                        error));
    return berth_flexible_twist(settings->scoring, conformer->heavy, &ligand->moves, error);
}

/* Packs the flexible torsions of the ligand and of a receptor's side chains. */
static enum berth_status pack_together(const struct berth_stream_ligand *ligand,
                                       const struct berth_heavy_atoms *heavy,
                                       const struct berth_side_chains *chains,
                                       struct berth_packed_ligand *packed,
                                       struct berth_error *error)
{
    const struct berth_body bodies[] = {{&ligand->moves, heavy},
                                        {&chains->flexible, &chains->heavy}};
    struct berth_flexible joined = {0};
    struct berth_heavy_atoms all = {0};
    enum berth_status status = berth_bodies_join(bodies, 2, 1, &joined, &all, error);
    if (status == BERTH_E_USAGE) {
        return berth_fail(
            error, status,
            "%zu torsions and %zu heavy atoms beside side chains with %zu and %zu (%s) "
            "are more than the %d and %d that move together; choose fewer residues",
            ligand->moves.tree.count, heavy->count, chains->flexible.tree.count,
            chains->heavy.count, chains->costs, BERTH_FLEXIBLE_TORSIONS_MAX,
            BERTH_LIGAND_FLEXIBLE_MAX);
    }
    BERTH_THEN(berth_pack_flexible(&joined, &all, &packed->flexible, error));
    packed->torsions += chains->flexible.tree.count;
    berth_flexible_clear(&joined);
    berth_heavy_atoms_clear(&all);
    return status;
}

/* Packs the flexible torsions, of which the ligand's own are so many. */
static enum berth_status pack_moves(struct berth_stream_ligand *ligand, size_t torsions,
                                    const struct berth_heavy_atoms *heavy,
                                    const struct berth_stream_settings *settings,
                                    struct berth_error *error)
{
    if (ligand->moves.fixed) {
        berth_flexible_warn(&ligand->moves, ligand->title, settings->log);
    }
    for (size_t v = 0; v < ligand->packed_count; v++) {
        struct berth_packed_ligand *packed = &ligand->packed[v];
        packed->torsions = torsions;
        if (settings->side_chains) {
            BERTH_TRY(pack_together(ligand, heavy, &settings->side_chains[v], packed, error));
        } else if (ligand->moves.tree.count) {
            BERTH_TRY(berth_pack_flexible(&ligand->moves, heavy, &packed->flexible, error));
        }
    }
    return BERTH_OK;
}

/* Packs what turns in an adduct. */
static enum berth_status pack_adduct(struct berth_stream_ligand *ligand,
                                     const struct berth_heavy_atoms *heavy,
                                     const struct berth_stream_settings *settings,
                                     struct berth_error *error)
{
    struct berth_covalent_moves moves;
    enum berth_status status =
        berth_covalent_turn(settings->covalent, settings->scoring,
                            &ligand->whole.ligand.conformers[0], heavy, &moves, error);
    BERTH_THEN(
        berth_pack_flexible(&moves.flexible, &moves.heavy, &ligand->packed->flexible, error));
    if (!status) {
        ligand->rotors = moves.rotors;
        ligand->packed->torsions = moves.tree.count;
        berth_torsion_tree_clear(&ligand->whole.tree);
        ligand->whole.tree = moves.tree;
        memset(&moves.tree, 0, sizeof moves.tree);
    }
    if (!status && moves.flexible.fixed) {
        berth_flexible_warn(&moves.flexible, ligand->title, settings->log);
    }
    berth_covalent_moves_clear(&moves);
    return status;
}

/* What the first conformer says of the whole ligand. */
static enum berth_status describe(struct berth_stream_ligand *ligand,
                                  const struct berth_stream_conformer *conformer,
                                  const struct berth_stream_settings *settings,
                                  struct berth_error *error)
{
    const struct berth_docking_ligand *streamed = conformer->streamed;
    const size_t heavy_count = conformer->heavy->count;
    const struct berth_molecule *molecule = ligand->whole.ligand.conformers;
    const bool torsional = is_torsional(settings, heavy_count);
    ligand->title = berth_copy_text(streamed ? streamed->title : ligand->whole.ligand.name);
    ligand->result.title = ligand->title;
    ligand->result.heavy_count = heavy_count;
    if (!ligand->title) {
        return berth_out_of_memory(error, NULL);
    }
    if (settings->covalent) {
        return pack_adduct(ligand, conformer->heavy, settings, error);
    }
    enum berth_status status = BERTH_OK;
    if (streamed) {
        ligand->rotors = streamed->rotors;
    } else {
        struct berth_facts facts;
        status = berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, error);
        BERTH_THEN(berth_rotors_count(&facts, &ligand->rotors, error));
        berth_facts_clear(&facts);
    }
    const bool turns = is_flexible(settings, heavy_count, ligand->title);
    if (!status && settings->side_chains && !turns) {
        status = berth_fail(error, BERTH_E_USAGE,
                            "%zu heavy atoms; beside flexible side chains there may be %d",
                            heavy_count, BERTH_LIGAND_FLEXIBLE_MAX);
    }
    if (!status && turns && !streamed) {
        status = berth_torsion_tree_find(molecule, &ligand->whole.tree, error);
    }
    const size_t torsions = streamed ? streamed->tree.count : ligand->whole.tree.count;
    if (!status && (turns || torsional)) {
        status = find_moves(ligand, conformer, settings, error);
    }
    if (!status && turns) {
        status = pack_moves(ligand, torsions, conformer->heavy, settings, error);
    }
    if (!torsional || ligand->packed->flexible.torsions) {
        berth_flexible_clear(&ligand->moves);
    }
    return status;
}

/* Puts judge k's types, of the ligand's heavy_count atoms (heavy; or none, where it lacks one) and
 * of side chains beside it (or NULL), where they belong. */
static void put_judged(const struct berth_heavy_atoms *heavy, size_t heavy_count,
                       const struct berth_side_chains *chains, size_t k, berth_int32 *judged)
{
    const size_t fixed = chains ? chains->heavy.count : 0;
    judged += k * (heavy_count + fixed);
    for (size_t i = 0; i < heavy->count; i++) {
        judged[i] = heavy->atoms[i].type;
    }
    for (size_t i = 0; i < fixed; i++) {
        judged[heavy_count + i] = chains->receptor->judges[k].heavy.atoms[chains->atoms[i]].type;
    }
}

/* Types the ligand, which is there as a whole, by those who judge; one that lacks a type says
 * nothing of it, unless it searches, too. */
static enum berth_status type_for_judges(struct berth_stream_ligand *ligand,
                                         const struct berth_stream_settings *settings,
                                         struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t v = 0; !status && v < ligand->packed_count; v++) {
        const size_t fixed = settings->side_chains ? settings->side_chains[v].heavy.count : 0;
        berth_int32 **judged = &ligand->packed[v].judged;
        status = berth_make(judged, settings->judge_count * (ligand->result.heavy_count + fixed),
                            sizeof **judged, NULL, error);
    }
    for (size_t k = 0; !status && k < settings->judge_count; k++) {
        struct berth_heavy_atoms heavy = {0};
        const struct berth_scoring *judge = &settings->judges[k].scoring;
        const struct berth_molecule *molecule = &ligand->whole.ligand.conformers[0];
        status = settings->covalent
                     ? berth_covalent_assign(judge, molecule, settings->log, &heavy, error)
                     : berth_scoring_assign(judge, molecule, settings->log, &heavy, error);
        if (status == BERTH_E_TYPE && !berth_pool_has(settings->pool, k + 1)) {
            status = BERTH_OK;
            ligand->unjudged |= 1U << k;
            berth_warn(settings->log, settings->judges[k].scoring.name,
                       "ligand %s: %s has no types for all of its atoms, and is left out of "
                       "what ranks its poses",
                       ligand->result.title, settings->judges[k].scoring.name);
        }
        for (size_t v = 0; !status && v < ligand->packed_count; v++) {
            const struct berth_side_chains *chains =
                settings->side_chains ? &settings->side_chains[v] : NULL;
            put_judged(&heavy, ligand->result.heavy_count, chains, k, ligand->packed[v].judged);
        }
        berth_heavy_atoms_clear(&heavy);
    }
    return status;
}

static const struct berth_restrained *restrained_of(const struct berth_stream_ligand *ligand)
{
    return ligand->restrained.restraints ? &ligand->restrained : NULL;
}

/* Finds what of the ligand, which is there as a whole, is restrained. */
static enum berth_status restrain(struct berth_stream_ligand *ligand,
                                  const struct berth_stream_settings *settings,
                                  struct berth_error *error)
{
    if (!settings->restraints || ligand->result.heavy_count > BERTH_LIGAND_FLEXIBLE_MAX) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_restraints_match(settings->restraints, &ligand->whole.ligand.conformers[0],
                                     &ligand->restrained, error));
    if (ligand->restrained.acid) {
        berth_warn(settings->log, ligand->restrained.acid,
                   "ligand %s: its %s has the proton that the metal in the site takes: draw it as "
                   "an anion, and dock what `berth prep ligands --keep_protonation` (in Python "
                   "Library.prepare) makes of that",
                   ligand->result.title, ligand->restrained.acid);
    }
    return BERTH_OK;
}

/* What stands beside the packed conformer (heavy), and what is known of its ligand. */
static enum berth_status complete(const struct berth_stream_ligand *ligand, size_t v,
                                  const struct berth_heavy_atoms *heavy,
                                  const struct berth_stream_settings *settings,
                                  struct berth_error *error)
{
    const struct berth_packed_ligand *whole = &ligand->packed[v];
    struct berth_packed_conformer *packed = &whole->conformers[ligand->result.conformer_count - 1];
    if (settings->side_chains) {
        BERTH_TRY(
            berth_pack_fixed(&settings->side_chains[v].heavy, settings->center, packed, error));
    }
    if (settings->covalent) {
        berth_pack_held(heavy, settings->center, packed);
    }
    packed->flexible = whole->flexible.torsions ? &whole->flexible : NULL;
    packed->restrained = restrained_of(ligand);
    packed->rotors = ligand->rotors;
    packed->judged = whole->judged;
    if (!packed->flexible && is_torsional(settings, heavy->count)) {
        packed->torsional = berth_flexible_torsional(settings->scoring, &ligand->moves, heavy);
        packed->torsional_term = berth_scoring_pair_terms(settings->scoring);
    }
    return BERTH_OK;
}

enum berth_status berth_stream_ligand_add(struct berth_stream_ligand *ligand,
                                          const struct berth_stream_conformer *conformer,
                                          const struct berth_stream_settings *settings,
                                          struct berth_error *error)
{
    const size_t last = ligand->result.conformer_count;
    BERTH_TRY(reserve_conformer(ligand, error));
    if (conformer->molecule) {
        BERTH_TRY(berth_ligand_add(&ligand->whole.ligand, conformer->molecule,
                                   conformer->whole_title, error));
    }
    ligand->result.conformer_count++;
    const char *name = conformer->streamed ? conformer->streamed->title : ligand->whole.ligand.name;
    const uint32_t key = settings->nameless ? 0 : berth_ligand_key(name);
    for (size_t v = 0; v < ligand->packed_count; v++) {
        BERTH_TRY(berth_pack_conformer(conformer->heavy, key, (uint32_t)last + 1,
                                       &ligand->packed[v].conformers[last], error));
    }
    if (!last && conformer->known) {
        BERTH_TRY(berth_library_ligand_tell(conformer->known, &ligand->whole, error));
    }
    if (!last) {
        BERTH_TRY(describe(ligand, conformer, settings, error));
        if (settings->judge_count && !conformer->streamed) {
            BERTH_TRY(type_for_judges(ligand, settings, error));
        }
        if (!conformer->streamed) {
            BERTH_TRY(restrain(ligand, settings, error));
        }
    }
    for (size_t v = 0; v < ligand->packed_count; v++) {
        BERTH_TRY(complete(ligand, v, conformer->heavy, settings, error));
    }
    ligand->strains[last] = conformer->strain;
    ligand->moved = conformer->moved;
    return BERTH_OK;
}

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

static enum berth_status add_streamed(const struct berth_docking_ligand *ligand,
                                      const struct berth_stream_settings *settings,
                                      struct berth_stream_ligand *made, struct berth_error *error)
{
    struct berth_heavy_atoms heavy = {.count = ligand->heavy_count};
    heavy.atoms = berth_alloc(heavy.count, sizeof *heavy.atoms);
    enum berth_status status = heavy.atoms ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (size_t c = 0; !status && c < ligand->conformer_count; c++) {
        const struct berth_stream_conformer conformer = {
            .heavy = &heavy,
            .strain = round((double)ligand->strains[c] * 100) / 100,
            .streamed = ligand};
        place_heavy(ligand, c, &heavy);
        status = berth_stream_ligand_add(made, &conformer, settings, error);
    }
    berth_heavy_atoms_clear(&heavy);
    return status;
}

/* Adds the conformers of a library's adduct, hung from the residue. */
static enum berth_status add_adducts(const struct berth_docking_ligand *ligand,
                                     const struct berth_stream_settings *settings,
                                     struct berth_stream_ligand *made, struct berth_error *error)
{
    const struct berth_ligand *given = &made->given.ligand;
    enum berth_status status = BERTH_OK;
    for (size_t c = 0; !status && c < given->conformer_count; c++) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = berth_molecule_copy(&given->conformers[c], &molecule)
                     ? berth_covalent_attach(settings->covalent, &molecule, error)
                     : berth_out_of_memory(error, ligand->title);
        BERTH_THEN(
            berth_covalent_assign(settings->scoring, &molecule, settings->log, &heavy, error));
        const struct berth_stream_conformer conformer = {
            .heavy = &heavy,
            .strain = round((double)ligand->strains[c] * 100) / 100,
            .molecule = &molecule,
            .whole_title = true};
        BERTH_THEN(berth_stream_ligand_add(made, &conformer, settings, error));
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
    }
    return status;
}

enum berth_status berth_stream_ligand_create(const struct berth_docking_ligand *ligand,
                                             const struct berth_stream_settings *settings,
                                             struct berth_library_ligand *whole,
                                             struct berth_stream_ligand **made,
                                             struct berth_error *error)
{
    enum berth_status status = berth_stream_ligand_begin(ligand->ordinal, settings, made, error);
    if (!status && settings->covalent) {
        (*made)->given = *whole;
        memset(whole, 0, sizeof *whole);
        status = add_adducts(ligand, settings, *made, error);
    } else {
        BERTH_THEN(add_streamed(ligand, settings, *made, error));
    }
    if (!status && !settings->covalent) {
        (*made)->whole = *whole;
        memset(whole, 0, sizeof *whole);
    }
    if (!status && settings->judge_count && !settings->covalent) {
        status = type_for_judges(*made, settings, error);
    }
    BERTH_THEN(settings->covalent ? BERTH_OK : restrain(*made, settings, error));
    for (size_t v = 0; !status && v < (*made)->packed_count; v++) {
        struct berth_packed_ligand *packed = &(*made)->packed[v];
        for (size_t c = 0; c < (*made)->result.conformer_count; c++) {
            packed->conformers[c].judged = packed->judged;
            packed->conformers[c].restrained = restrained_of(*made);
        }
    }
    if (status) {
        berth_stream_ligand_destroy(*made);
        *made = NULL;
    }
    return status;
}

enum berth_status berth_stream_ligand_create_failed(uint64_t ordinal, const char *title,
                                                    const char *reason,
                                                    struct berth_stream_ligand **made,
                                                    struct berth_error *error)
{
    static const struct berth_stream_settings NONE = {0};
    enum berth_status status = berth_stream_ligand_begin(ordinal, &NONE, made, error);
    if (!status) {
        (*made)->title = berth_copy_text(title ? title : "");
        (*made)->failure = berth_copy_text(reason);
        (*made)->result.title = (*made)->title;
        (*made)->result.failure = (*made)->failure;
        status = (*made)->title && (*made)->failure ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    if (status) {
        berth_stream_ligand_destroy(*made);
        *made = NULL;
    }
    return status;
}

static void clear_packed(struct berth_packed_ligand *packed, size_t conformers)
{
    for (size_t c = 0; packed->conformers && c < conformers; c++) {
        berth_packed_conformer_clear(&packed->conformers[c]);
    }
    berth_packed_flexible_clear(&packed->flexible);
    free(packed->conformers);
    free(packed->judged);
}

void berth_stream_ligand_destroy(struct berth_stream_ligand *ligand)
{
    if (!ligand) {
        return;
    }
    for (size_t v = 0; v < ligand->packed_count; v++) {
        clear_packed(&ligand->packed[v], ligand->result.conformer_count);
    }
    const size_t dockings = berth_stream_dockings(ligand) * ligand->receptors;
    for (size_t i = 0; ligand->found && i < dockings; i++) {
        free(ligand->found[i].poses);
    }
    berth_flexible_clear(&ligand->moves);
    berth_restrained_clear(&ligand->restrained);
    free(ligand->packed);
    free(ligand->strains);
    free(ligand->found);
    berth_modes_clear(&ligand->result.modes);
    free(ligand->title);
    free(ligand->failure);
    berth_library_ligand_clear(&ligand->whole);
    berth_library_ligand_clear(&ligand->given);
    free(ligand);
}

bool berth_stream_ligand_is_unweighted(const struct berth_stream_ligand *ligand, double weight)
{
    return weight > 0 && !berth_strains_known(ligand->strains, ligand->result.conformer_count);
}

enum berth_status berth_stream_ligand_fail(struct berth_stream_ligand *ligand, const char *reason,
                                           const struct berth_log *log, struct berth_error *error)
{
    ligand->failure = berth_copy_text(reason);
    ligand->result.failure = ligand->failure;
    if (!ligand->failure) {
        return berth_out_of_memory(error, NULL);
    }
    berth_text_drop_name(ligand->failure, ligand->result.title);
    berth_log_failure(log, NULL, "ligand %s: %s", ligand->result.title, ligand->failure);
    return BERTH_OK;
}

/* --- Its modes --- */

/* How far the molecule is from the reference, if that has its stereo. */
static enum berth_status measure(const struct berth_molecule *molecule,
                                 const struct berth_mode_settings *settings,
                                 struct berth_pose *mode, struct berth_error *error)
{
    const struct berth_molecule *reference = settings->reference;
    bool agrees = true;
    BERTH_TRY(berth_molecule_rmsd(molecule, reference, &mode->rmsd, error));
    if (mode->rmsd >= 0 && !settings->choice.any_stereo) {
        BERTH_TRY(berth_stereo_agrees(molecule, NULL, reference, &agrees, error));
    }
    mode->other_stereo = !agrees;
    mode->rmsd = agrees ? mode->rmsd : -1;
    return BERTH_OK;
}

/* The one mode of a molecule that stands where it stood. */
static enum berth_status stand(const struct berth_stream_ligand *ligand,
                               const struct berth_mode_settings *settings,
                               struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->whole.ligand.conformers[0];
    const struct berth_pose *found = berth_stream_found(ligand, 0, 0, 0)->poses;
    const struct berth_terms terms = found->terms;
    const struct berth_pose_energies energies = {
        .energy = berth_terms_sum(&terms),
        .torsional = berth_scoring_torsional(settings->scoring, &terms),
        .rotors = ligand->rotors};
    const double value = berth_scoring_total(settings->scoring, &energies);
    struct berth_pose mode = berth_pose_of(value, energies.energy, &terms);
    mode.conformer_strain = settings->strains[0];
    mode.rotors = ligand->rotors;
    memcpy(mode.scores + 1, found->scores + 1, sizeof mode.scores - sizeof *mode.scores);
    mode.rmsd = ligand->moved;
    BERTH_TRY(settings->reference ? measure(molecule, settings, &mode, error) : BERTH_OK);
    BERTH_TRY(berth_reserve(&modes->modes, &modes->capacity, 1, sizeof *modes->modes, error));
    BERTH_TRY(berth_clash_where_it_stands(settings->shapes[0], ligand->packed->conformers,
                                          &mode.clash, error));
    if (!isfinite(value)) {
        return BERTH_OK;
    }
    BERTH_TRY(
        berth_make(&mode.positions, molecule->atom_count, sizeof *mode.positions, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(mode.positions[i], molecule->atoms[i].position, sizeof mode.positions[i]);
    }
    modes->modes[modes->count++] = mode;
    return BERTH_OK;
}

/* What was docked in a receptor, with the seeds from one to before another. */
static struct berth_docked docked_in(const struct berth_stream_ligand *ligand,
                                     struct berth_span seeds, size_t receptor)
{
    const struct berth_packed_ligand *packed =
        &ligand->packed[ligand->packed_count > 1 ? receptor : 0];
    return (struct berth_docked){.conformers = packed->conformers,
                                 .found = ligand->found,
                                 .count = ligand->result.conformer_count,
                                 .receptors = ligand->receptors,
                                 .receptor = receptor,
                                 .seeds = ligand->seeds,
                                 .with = seeds,
                                 .torsions = packed->torsions,
                                 .ligand = &ligand->whole.ligand,
                                 .tree = &ligand->whole.tree};
}

/* All seeds that the ligand was docked with. */
static struct berth_span all_seeds(const struct berth_stream_ligand *ligand)
{
    return (struct berth_span){0, ligand->seeds};
}

/* Forgets what judges without types for the ligand made of its modes. */
static void leave_unjudged(const struct berth_stream_ligand *ligand, struct berth_modes *modes)
{
    for (size_t i = 0; ligand->unjudged && i < modes->count; i++) {
        for (size_t k = 0; k + 1 < BERTH_FUNCTIONS_MAX; k++) {
            double *score = &modes->modes[i].scores[k + 1];
            *score = ligand->unjudged >> k & 1 ? NAN : *score;
        }
    }
}

/* The modes that these seeds found, in all receptors. */
static enum berth_status find(const struct berth_mode_settings *settings,
                              const struct berth_stream_ligand *ligand, struct berth_span seeds,
                              struct berth_modes *modes, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t t = 0; !status && t < ligand->receptors; t++) {
        const struct berth_docked docked = docked_in(ligand, seeds, t);
        struct berth_modes more = {0};
        status = berth_modes_find(&docked, settings, &more, error);
        BERTH_THEN(berth_modes_join(modes, &more, error));
        berth_modes_clear(&more);
    }
    leave_unjudged(ligand, modes);
    return status;
}

/* Orders the modes by the ranking, if there is one, and notes the confidence in the first. */
static enum berth_status order(const struct berth_stream_ligand *ligand,
                               const struct berth_ranker *ranker, struct berth_modes *modes,
                               struct berth_error *error)
{
    if (!ranker || !ranker->poses || !modes->count) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_modes_rank(modes, ranker, &ligand->result, error));
    return berth_confidence_find(modes, ranker, &ligand->whole.ligand.conformers[0],
                                 &ligand->result, error);
}

/* Relaxes the modes, more than are wanted, and keeps those that are best then; by a ranking they
 * are ordered where there is one. */
static enum berth_status relax(const struct berth_stream_ligand *ligand,
                               const struct berth_mode_settings *settings,
                               struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_docked docked = docked_in(ligand, all_seeds(ligand), 0);
    BERTH_TRY(berth_modes_relax(&docked, settings, modes, error));
    BERTH_TRY(order(ligand, settings->ranker, modes, error));
    return berth_modes_thin(&docked, &settings->choice, modes, error);
}

/* Counts for each mode which of several seeds put their first pose there. */
static enum berth_status ask_seeds(const struct berth_stream_ligand *ligand,
                                   const struct berth_mode_settings *settings,
                                   struct berth_modes *modes, struct berth_error *error)
{
    struct berth_modes firsts = {0};
    enum berth_status status = BERTH_OK;
    for (size_t s = 0; !status && s < ligand->seeds; s++) {
        struct berth_modes own = {0};
        status = find(settings, ligand, (struct berth_span){s, s + 1}, &own, error);
        BERTH_THEN(order(ligand, settings->ranker, &own, error));
        if (!status && own.count) {
            berth_modes_cut(&own, 1);
            status = berth_modes_join(&firsts, &own, error);
        }
        berth_modes_clear(&own);
    }
    BERTH_THEN(berth_seeds_count(&firsts, &ligand->whole.ligand.conformers[0], modes, error));
    berth_modes_clear(&firsts);
    return status;
}

enum berth_status berth_stream_ligand_choose(struct berth_stream_ligand *ligand,
                                             enum berth_mode_kind kind,
                                             const struct berth_mode_settings *settings,
                                             const struct berth_log *log, struct berth_modes *modes,
                                             struct berth_error *error)
{
    struct berth_mode_settings own = *settings;
    enum berth_status status = BERTH_OK;
    if (own.mode_relaxer && own.choice.num_modes < BERTH_RELAXED_MODES) {
        own.choice.num_modes = BERTH_RELAXED_MODES;
    }
    if (kind != BERTH_MODES_MINIMIZED) {
        own.strains = ligand->strains;
    } else if (!own.reference) {
        own.reference = &ligand->whole.ligand.conformers[0];
        own.choice.any_stereo = true; /* it is itself */
    }
    if (kind == BERTH_MODES_STANDING) {
        status = stand(ligand, &own, modes, error);
        leave_unjudged(ligand, modes);
    }
    if (!status && kind != BERTH_MODES_STANDING) {
        status = find(&own, ligand, all_seeds(ligand), modes, error);
    }
    BERTH_THEN(order(ligand, own.ranker, modes, error));
    if (!status && own.ranker && own.ranker->poses) {
        berth_modes_cut(modes, own.choice.num_modes);
    }
    if (!status && modes->count && own.mode_relaxer) {
        status = relax(ligand, settings, modes, error);
    }
    if (!status && modes->count && ligand->seeds > 1) {
        status = ask_seeds(ligand, &own, modes, error);
    }
    if (!status && !modes->count && !modes->clashing) {
        char reason[BERTH_ADVICE_SIZE + BERTH_OUTSIDE_REASON];
        if (modes->outside) {
            berth_modes_outside(modes, reason);
        } else {
            berth_total_reason(settings->scoring, reason);
        }
        status = berth_stream_ligand_fail(ligand, reason, log, error);
    }
    return status;
}

double berth_stream_ligand_ranking(const struct berth_stream_ligand *ligand,
                                   const struct berth_ranker *ranker,
                                   const struct berth_modes *modes)
{
    struct berth_result result = ligand->result;
    result.modes = *modes;
    return berth_result_ranking(ranker, &result);
}

enum berth_status berth_stream_ligand_rescore(const struct berth_stream_ligand *ligand,
                                              const struct berth_ranker *ranker,
                                              struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_rescored rescored = {&ligand->whole.ligand, modes};
    if (!ranker->rescorer || !modes->count) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_rescorer_run(ranker->rescorer, &rescored, 1, error));
    return berth_confidence_learns(ranker) ? order(ligand, ranker, modes, error) : BERTH_OK;
}
