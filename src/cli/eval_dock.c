/* Docking a complex in one way or the other, and measuring what came out. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/dock.h"
#include "cli/eval.h"
#include "check/reference.h"

enum { FIRST_MODES = 5 };

/* A docking of a complex in one mode. */
struct attempt {
    const struct eval_docking *with;
    const struct eval_complex *complex;
    struct berth_docking *docking; /* owned by eval_dock; serves all modes */
    enum eval_mode mode;
    struct eval_given crystal; /* the crystal pose */
    struct berth_queue queue;  /* the one ligand */
    struct berth_modes modes;
};

/* A uniformly random rotation (K. Shoemake, Graphics Gems III (1992) 124), row-major. */
static void random_rotation(struct berth_random *random, double rotation[9])
{
    const double pi = 3.14159265358979323846;
    const double u = berth_random_between(random, 0, 1);
    const double v = berth_random_between(random, 0, 2 * pi);
    const double w = berth_random_between(random, 0, 2 * pi);
    const double x = sqrt(1 - u) * sin(v), y = sqrt(1 - u) * cos(v);
    const double z = sqrt(u) * sin(w), s = sqrt(u) * cos(w);
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * s),     2 * (x * z + y * s),
        2 * (x * y + z * s),     1 - 2 * (x * x + z * z), 2 * (y * z - x * s),
        2 * (x * z - y * s),     2 * (y * z + x * s),     1 - 2 * (x * x + y * y)};
    memcpy(rotation, rows, sizeof rows);
}

/* Turns the molecule about the origin, so that nothing of how it lies in the crystal is left. */
static void turn(struct berth_molecule *molecule, uint64_t seed)
{
    struct berth_random random = {.seed = seed ^ berth_ligand_key(molecule->title)};
    double rotation[9], center[3];
    random_rotation(&random, rotation);
    berth_heavy_centroid(molecule, center);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        double arm[3];
        for (int k = 0; k < 3; k++) {
            arm[k] = molecule->atoms[i].position[k] - center[k];
        }
        for (int k = 0; k < 3; k++) {
            molecule->atoms[i].position[k] = rotation[3 * k] * arm[0] +
                                             rotation[3 * k + 1] * arm[1] +
                                             rotation[3 * k + 2] * arm[2];
        }
    }
}

/* Queues a copy of a conformer; strain: kJ/mol, NAN where unknown. */
static enum berth_status add_conformer(struct attempt *attempt, const struct berth_molecule *from,
                                       double strain, struct berth_error *error)
{
    struct berth_molecule copy = {0};
    struct berth_heavy_atoms heavy = {0};
    if (!berth_molecule_copy(from, &copy)) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (attempt->mode == EVAL_CRYSTAL) {
        turn(&copy, attempt->with->values->seed);
    }
    enum berth_status status = berth_forcefield_assign(attempt->with->forcefield, &copy,
                                                       attempt->complex->log, &heavy, error);
    if (!status) {
        const struct berth_queued_conformer conformer = {&copy, &heavy, strain};
        status = berth_queue_add(&attempt->queue, &conformer, false, error);
    }
    berth_molecule_clear(&copy);
    berth_heavy_atoms_clear(&heavy);
    return status;
}

static enum berth_status add_all(struct attempt *attempt, struct berth_error *error)
{
    const struct berth_ligand *generated = &attempt->complex->ligand.ligand;
    enum berth_status status = BERTH_OK;
    if (attempt->mode == EVAL_CRYSTAL) {
        return add_conformer(attempt, &attempt->complex->crystal, NAN, error);
    }
    const double *strains = attempt->complex->ligand.strains;
    for (size_t c = 0; !status && c < generated->conformer_count; c++) {
        status =
            add_conformer(attempt, &generated->conformers[c], strains ? strains[c] : NAN, error);
    }
    return status;
}

static enum berth_status find_modes(struct attempt *attempt, struct berth_error *error)
{
    const struct eval_values *values = attempt->with->values;
    const struct berth_queued_ligand *ligand = &attempt->queue.ligands[0];
    const size_t count = ligand->ligand.conformer_count;
    struct berth_mode_settings settings = {.count = (size_t)values->num_modes,
                                           .min_rmsd = values->min_rmsd,
                                           .energy_range = INFINITY,
                                           .strains = ligand->strains,
                                           .strain_weight = values->strain_weight,
                                           .reference = &attempt->complex->crystal};
    memcpy(settings.center, attempt->complex->site.center, sizeof settings.center);
    struct berth_found found;
    berth_queue_close(&attempt->queue);
    enum berth_status status =
        berth_found_create(berth_docking_settings(attempt->docking), count, &found, error);
    if (!status) {
        status = berth_docking_run(attempt->docking, ligand->packed, count, &found, error);
    }
    if (!status) {
        const struct berth_docked docked = {ligand->packed, found.poses, found.counts, found.stride,
                                            found.angles,   found.given, &ligand->tree};
        status = berth_modes_find(&ligand->ligand, &docked, &settings, &attempt->modes, error);
    }
    if (!status && attempt->modes.modes[0].rmsd < 0) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: docked and crystal ligand do not match",
                            attempt->complex->entry->name);
    }
    berth_found_clear(&found);
    return status;
}

static enum berth_status write_poses(const struct attempt *attempt, struct berth_error *error)
{
    const struct eval_values *values = attempt->with->values;
    const struct berth_ligand *ligand = &attempt->queue.ligands[0].ligand;
    struct berth_output *output;
    char path[PATH_MAX], name[64];
    snprintf(name, sizeof name, "%s_poses.sdf", eval_mode_name(attempt->mode));
    eval_path(values, attempt->complex->entry->name, name, path);
    enum berth_status status = berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    for (size_t i = 0; !status && i < attempt->modes.count; i++) {
        const struct berth_mode *mode = &attempt->modes.modes[i];
        const struct berth_pose_record record = {.conformer = &ligand->conformers[mode->conformer],
                                                 .positions = (const double(*)[3])mode->positions,
                                                 .ligand = ligand->name,
                                                 .conformer_number = mode->conformer + 1,
                                                 .mode = (int)i + 1,
                                                 .energy = mode->energy,
                                                 .terms = mode->terms,
                                                 .rmsd = mode->rmsd,
                                                 .strain = mode->turned ? mode->strain : NAN,
                                                 .conformer_strain = mode->conformer_strain,
                                                 .seed = values->seed};
        status = berth_pose_write(output, &BERTH_POSE_SDF, &record, error);
    }
    if (status) {
        berth_output_discard(output);
        return status;
    }
    return berth_output_commit(output, error);
}

/* The RMSDs and energies of the modes. */
static void measure(const struct attempt *attempt, struct eval_row *row)
{
    const struct berth_modes *modes = &attempt->modes;
    size_t nearest = 0;
    row->top[0] = row->top[1] = row->top[2] = modes->modes[0].rmsd;
    for (size_t i = 1; i < modes->count; i++) {
        const double rmsd = modes->modes[i].rmsd;
        nearest = rmsd < modes->modes[nearest].rmsd ? i : nearest;
        row->top[1] = i < FIRST_MODES ? fmin(row->top[1], rmsd) : row->top[1];
    }
    row->top[2] = modes->modes[nearest].rmsd;
    row->top_energy = modes->modes[0].energy;
    row->top_strain = modes->modes[0].conformer_strain;
    row->best_energy = modes->modes[nearest].energy;
}

/* Whose failure a wrong top pose is.  What the conformers could reach in the crystal's place is
 * found only where it decides. */
static enum berth_status judge(const struct attempt *attempt, struct eval_row *row,
                               struct berth_error *error)
{
    const double crystal = attempt->crystal.minimised;
    struct berth_redock_facts facts = {row->top[0], row->top_energy, crystal, crystal};
    enum berth_status status = BERTH_OK;
    row->outcome = berth_redock_outcome_of(&facts);
    row->placed = NAN;
    if (row->outcome != BERTH_REDOCK_RIGHT && row->outcome != BERTH_REDOCK_SCORING) {
        if (attempt->mode == EVAL_GENERATED) {
            status = eval_place(attempt->complex, attempt->with->forcefield, &facts.placed_energy,
                                error);
        }
        row->placed = facts.placed_energy;
        row->outcome = berth_redock_outcome_of(&facts);
    }
    return status;
}

static enum berth_status dock_mode(struct attempt *attempt, struct eval_row *row,
                                   struct berth_error *error)
{
    const struct eval_complex *complex = attempt->complex;
    const double start = berth_now();
    *row = (struct eval_row){.entry = complex->entry,
                             .mode = attempt->mode,
                             .heavy_atoms = complex->crystal_heavy.count,
                             .torsions = complex->ligand.tree.count,
                             .nearest = {.given = attempt->crystal},
                             .crystal = attempt->crystal,
                             .prepare_seconds = complex->seconds,
                             .smiles = berth_copy_text(complex->ligand.smiles)};
    attempt->queue.log = complex->log;
    attempt->queue.flexible =
        attempt->with->values->search.refine.poses && attempt->with->values->search.refine.torsions;
    enum berth_status status =
        row->smiles ? add_all(attempt, error) : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    if (!status) {
        row->conformers = attempt->queue.conformer_count;
        status = find_modes(attempt, error);
        row->seconds = berth_now() - start;
    }
    if (!status) {
        status = write_poses(attempt, error);
    }
    if (!status && attempt->mode == EVAL_GENERATED) {
        status = eval_find_nearest(complex, attempt->with->forcefield, &row->nearest, error);
    }
    if (!status) {
        measure(attempt, row);
        status = judge(attempt, row, error);
    }
    berth_queue_clear(&attempt->queue);
    berth_modes_clear(&attempt->modes);
    return status;
}

static enum berth_status open_docking(const struct eval_docking *with,
                                      const struct eval_complex *complex,
                                      struct berth_docking **docking, struct berth_error *error)
{
    const struct eval_values *values = with->values;
    struct berth_docking_setup setup = {
        .target = {with->forcefield, &complex->receptor_heavy, complex->site},
        .search = cli_search_settings(&values->search),
        .devices = with->devices->devices,
        .device_count = with->devices->count,
        .variant = berth_variant_unset(),
        .check = cli_check_signals};
    setup.search.seed = values->seed;
    setup.search.distinct_modes = fminf(setup.search.distinct_modes, (float)values->min_rmsd);
    return berth_docking_create(&setup, docking, error);
}

enum berth_status eval_dock(const struct eval_docking *docking, const struct eval_complex *complex,
                            struct eval_row rows[EVAL_MODES], size_t *count,
                            struct berth_error *error)
{
    const char *wanted = docking->values->mode;
    struct attempt attempt = {.with = docking, .complex = complex};
    enum berth_status status = open_docking(docking, complex, &attempt.docking, error);
    if (!status) {
        status = eval_crystal(complex, docking->forcefield, &attempt.crystal, error);
    }
    *count = 0;
    for (int mode = 0; !status && mode < EVAL_MODES; mode++) {
        attempt.mode = (enum eval_mode)mode;
        if (strcmp(wanted, "both") == 0 || strcmp(wanted, eval_mode_name(attempt.mode)) == 0) {
            status = dock_mode(&attempt, &rows[(*count)++], error);
        }
    }
    *docking->at_work = attempt.docking && berth_docking_hangs(attempt.docking);
    berth_docking_destroy(attempt.docking);
    return status;
}
