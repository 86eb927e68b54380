#include "dock/relax/relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"
#include "format/sdf/sdf.h"
#include "prep/worker.h"

/* Of L-BFGS (J. Nocedal, Math. Comput. 35 (1980) 773): steps, those that it remembers, and tries of
 * a length for each. */
enum { STEPS = 1000, MEMORY = 8, TRIES = 12 };

/* Å: how far an atom may go in a step, and in all: the receptor's atoms in reach are looked for
 * once. */
static const double STRIDE = 0.2, TRAVEL = 3;

/* Where it ends: the energy falls by less in a step, in kJ/mol. */
static const double FLAT = 1e-3;

/* Å between the points of a table; MB that RDKit's process may use; seconds for a request. */
static const double GRAIN = 0.01;
static const size_t WORKER_MEMORY = 2000;
static const double LIMIT = 60;

struct berth_relaxer {
    const struct berth_scoring *scoring;
    struct berth_rdkit rdkit;
    struct berth_worker *worker;
    double unit;          /* kJ/mol */
    double reach;         /* Å: of all pairs of types */
    size_t points;        /* of a table */
    double (**tables)[2]; /* owned: [types][types]: energy and slope, kJ/mol (/Å), or NULL yet */
    struct berth_heavy_atoms near; /* owned: the receptor's in reach; room for: */
    size_t room;
};

/* The pose on its way. */
struct descent {
    struct berth_relaxer *relaxer;
    const struct berth_molecule *molecule;
    const struct berth_heavy_atoms *heavy; /* their types */
    char *text;                            /* owned: the molecule as SDF */
    size_t text_size, size;                /* size: coordinates, 3 an atom */
    double *memory;                        /* owned: all of these: [size] each */
    double *from, *x, *slope, *last_x, *last_slope, *direction, *s[MEMORY], *y[MEMORY];
    double inverse[MEMORY]; /* 1 / (s y) */
    size_t remembered;      /* steps so far, of which the last MEMORY are there */
    double energy;          /* kJ/mol, at x */
};

enum berth_status berth_relaxer_create(const struct berth_scoring *scoring,
                                       struct berth_relaxer **relaxer, struct berth_error *error)
{
    struct berth_relaxer *made;
    const size_t types = scoring->type_count;
    const bool kcal = strcmp(scoring->unit, "kcal/mol") == 0;
    if (!kcal && strcmp(scoring->unit, "kJ/mol") != 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "relax",
                                 "relax: %s is in %s; MMFF94s' energies can be added to such in "
                                 "kJ/mol or kcal/mol (vina, vinardo, bude)",
                                 scoring->name, scoring->unit);
    }
    BERTH_TRY(berth_make(relaxer, 1, sizeof *made, NULL, error));
    made = *relaxer;
    made->scoring = scoring;
    made->unit = kcal ? 4.184 : 1;
    made->reach = berth_score_longest_reach(scoring->program);
    made->points = (size_t)(made->reach / GRAIN) + 2;
    const struct berth_worker_setup setup = {&made->rdkit, WORKER_MEMORY * 1000000, NULL};
    enum berth_status status = berth_rdkit_find(&made->rdkit, error);
    BERTH_THEN(berth_worker_create(&setup, &made->worker, error));
    BERTH_THEN(berth_make(&made->tables, types * types, sizeof *made->tables, NULL, error));
    if (status) {
        berth_relaxer_destroy(made);
        *relaxer = NULL;
    }
    return status;
}

void berth_relaxer_destroy(struct berth_relaxer *relaxer)
{
    if (!relaxer) {
        return;
    }
    const size_t types = relaxer->scoring->type_count;
    for (size_t i = 0; relaxer->tables && i < types * types; i++) {
        free(relaxer->tables[i]);
    }
    free(relaxer->tables);
    free(relaxer->near.atoms);
    berth_worker_destroy(relaxer->worker);
    free(relaxer);
}

/* --- The receptor's field --- */

/* Energies and slopes of a pair of types, at each GRAIN. */
static enum berth_status tabulate(struct berth_relaxer *relaxer, int first, int second,
                                  struct berth_error *error)
{
    double(**table)[2] =
        &relaxer->tables[(size_t)first * relaxer->scoring->type_count + (size_t)second];
    if (*table) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(table, relaxer->points, sizeof **table, NULL, error));
    for (size_t i = 0; i < relaxer->points; i++) {
        struct berth_terms terms, slopes;
        berth_score_evaluate(relaxer->scoring->program, first, second, fmax((double)i, 1) * GRAIN,
                             &terms, &slopes);
        (*table)[i][0] = relaxer->unit * berth_terms_sum(&terms);
        (*table)[i][1] = relaxer->unit * berth_terms_sum(&slopes);
    }
    return BERTH_OK;
}

/* The receptor's atoms that may come into reach, and the tables of what they do to the ligand's. */
static enum berth_status gather(struct berth_relaxer *relaxer,
                                const struct berth_heavy_atoms *receptor,
                                const struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&relaxer->near.atoms, &relaxer->room, receptor->count,
                            sizeof *relaxer->near.atoms, error));
    relaxer->near.count = 0;
    for (size_t i = 0; i < receptor->count; i++) {
        const struct berth_heavy_atom *atom = &receptor->atoms[i];
        bool near = false;
        for (size_t j = 0; !near && j < heavy->count; j++) {
            near =
                berth_distance(atom->position, heavy->atoms[j].position) < relaxer->reach + TRAVEL;
        }
        for (size_t j = 0; near && j < heavy->count; j++) {
            BERTH_TRY(tabulate(relaxer, atom->type, heavy->atoms[j].type, error));
        }
        if (near) {
            relaxer->near.atoms[relaxer->near.count++] = *atom;
        }
    }
    return BERTH_OK;
}

/* The table's cubic through both neighbours of r: one energy, whose derivative the slope is. */
static double look_up(double (*table)[2], double r, double *slope)
{
    const size_t i = (size_t)(r / GRAIN);
    const double t = r / GRAIN - (double)i, u = 1 - t;
    const double rise = table[i + 1][0] - table[i][0];
    const double a = GRAIN * table[i][1] - rise, b = rise - GRAIN * table[i + 1][1];
    *slope = (rise + (u - t) * (u * a + t * b) + t * u * (b - a)) / GRAIN;
    return u * table[i][0] + t * table[i + 1][0] + t * u * (u * a + t * b);
}

/* Adds the field's slopes at x, and gives its energy. */
static double add_field(const struct descent *descent, const double *x, double *slope)
{
    const struct berth_relaxer *relaxer = descent->relaxer;
    double energy = 0;
    for (size_t a = 0, j = 0; a < descent->molecule->atom_count; a++) {
        if (!descent->molecule->atoms[a].heavy) {
            continue;
        }
        const int type = descent->heavy->atoms[j++].type;
        for (size_t i = 0; i < relaxer->near.count; i++) {
            const struct berth_heavy_atom *atom = &relaxer->near.atoms[i];
            const double squared = berth_distance_squared(atom->position, x + 3 * a);
            if (squared >= relaxer->reach * relaxer->reach) {
                continue;
            }
            double pull;
            const double r = fmax(sqrt(squared), GRAIN);
            energy += look_up(
                relaxer->tables[(size_t)atom->type * relaxer->scoring->type_count + (size_t)type],
                r, &pull);
            for (int k = 0; k < 3; k++) {
                slope[3 * a + (size_t)k] += pull * (x[3 * a + (size_t)k] - atom->position[k]) / r;
            }
        }
    }
    return energy;
}

/* --- The molecule's own --- */

/* What tools/rdkit/strain.py says of the pose at x: count doubles. */
static enum berth_status ask(const struct descent *descent, const char *options, const double *x,
                             double *values, size_t count, struct berth_error *error)
{
    struct berth_answer answer = {0};
    struct berth_bytes places = {0};
    double used = 0;
    for (size_t i = 0; i < descent->size; i++) {
        uint64_t word;
        memcpy(&word, &x[i], sizeof word);
        berth_bytes_put64(&places, word);
    }
    const struct berth_request request = {.fields = {berth_text_field("strain"),
                                                     berth_text_field(options),
                                                     {descent->text, descent->text_size},
                                                     {places.data, places.count}},
                                          .count = 4,
                                          .limit = LIMIT,
                                          .used = &used};
    enum berth_status status =
        places.failed ? berth_out_of_memory(error, NULL)
                      : berth_worker_ask(descent->relaxer->worker, &request, &answer, error);
    if (!status && (answer.count != 2 || answer.fields[1].size != count * sizeof *values)) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "the RDKit worker gave no energies: a defect in "
                            "berth, please report it, with the molecule");
    }
    struct berth_cursor cursor =
        berth_cursor_over(status ? "" : answer.fields[1].data, status ? 0 : answer.fields[1].size);
    for (size_t i = 0; !status && i < count; i++) {
        const uint64_t word = berth_cursor_get64(&cursor);
        memcpy(&values[i], &word, sizeof values[i]);
    }
    berth_answer_clear(&answer);
    berth_bytes_clear(&places);
    return status;
}

/* All of the energy at x, with slope. */
static enum berth_status evaluate(struct descent *descent, struct berth_error *error)
{
    double *own = descent->direction + descent->size; /* 1 + size of them */
    BERTH_TRY(ask(descent, "", descent->x, own, 1 + descent->size, error));
    memcpy(descent->slope, own + 1, descent->size * sizeof *own);
    descent->energy = own[0] + add_field(descent, descent->x, descent->slope);
    return BERTH_OK;
}

/* --- Downhill --- */

static double product(const double *a, const double *b, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void add(double *to, double factor, const double *what, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] += factor * what[i];
    }
}

/* The direction, by what is remembered. */
static void aim(struct descent *descent)
{
    const size_t size = descent->size, end = descent->remembered;
    const size_t begin = end > MEMORY ? end - MEMORY : 0;
    double *d = descent->direction, share[MEMORY] = {0};
    for (size_t i = 0; i < size; i++) {
        d[i] = -descent->slope[i];
    }
    for (size_t n = end; n-- > begin;) {
        const size_t k = n % MEMORY;
        share[k] = descent->inverse[k] * product(descent->s[k], d, size);
        add(d, -share[k], descent->y[k], size);
    }
    if (end) {
        const size_t k = (end - 1) % MEMORY;
        const double scale =
            1 / (descent->inverse[k] * product(descent->y[k], descent->y[k], size));
        for (size_t i = 0; i < size; i++) {
            d[i] *= scale;
        }
    }
    for (size_t n = begin; n < end; n++) {
        const size_t k = n % MEMORY;
        add(d, share[k] - descent->inverse[k] * product(descent->y[k], d, size), descent->s[k],
            size);
    }
}

/* Goes along the direction until the energy is less; *gain: by how much, 0 where it is nowhere. */
static enum berth_status step(struct descent *descent, double *gain, struct berth_error *error)
{
    const size_t size = descent->size;
    const double before = descent->energy;
    double most = 0, status_slope = product(descent->direction, descent->slope, size);
    for (size_t i = 0; i < size; i++) {
        most = fmax(most, fabs(descent->direction[i]));
    }
    *gain = 0;
    memcpy(descent->last_x, descent->x, size * sizeof *descent->x);
    memcpy(descent->last_slope, descent->slope, size * sizeof *descent->slope);
    double length = fmin(1, STRIDE / fmax(most, 1e-12));
    for (int i = 0; status_slope < 0 && i < TRIES && *gain <= 0; i++, length /= 2) {
        memcpy(descent->x, descent->last_x, size * sizeof *descent->x);
        add(descent->x, length, descent->direction, size);
        BERTH_TRY(evaluate(descent, error));
        const bool enough = descent->energy <= before + 1e-4 * length * status_slope;
        *gain = enough ? before - descent->energy : 0;
    }
    if (*gain <= 0) {
        memcpy(descent->x, descent->last_x, size * sizeof *descent->x);
        memcpy(descent->slope, descent->last_slope, size * sizeof *descent->slope);
        descent->energy = before;
    }
    return BERTH_OK;
}

/* Remembers the step that was made. */
static void remember(struct descent *descent)
{
    const size_t size = descent->size, k = descent->remembered % MEMORY;
    memcpy(descent->s[k], descent->x, size * sizeof *descent->x);
    memcpy(descent->y[k], descent->slope, size * sizeof *descent->x);
    add(descent->s[k], -1, descent->last_x, size);
    add(descent->y[k], -1, descent->last_slope, size);
    const double curvature = product(descent->s[k], descent->y[k], size);
    descent->inverse[k] = 1 / curvature;
    descent->remembered = curvature > 1e-10 ? descent->remembered + 1 : 0;
}

static bool has_gone_far(const struct descent *descent)
{
    bool far = false;
    for (size_t i = 0; i < descent->size; i += 3) {
        far = far || berth_distance(descent->x + i, descent->from + i) > TRAVEL - STRIDE * 2;
    }
    return far;
}

static enum berth_status descend(struct descent *descent, struct berth_error *error)
{
    BERTH_TRY(evaluate(descent, error));
    for (int i = 0, small = 0; i < STEPS && small < 3 && !has_gone_far(descent); i++) {
        double gain;
        aim(descent);
        BERTH_TRY(step(descent, &gain, error));
        if (gain <= 0 && !descent->remembered) {
            return BERTH_OK; /* not even along the slope */
        }
        if (gain > 0) {
            remember(descent);
        } else {
            descent->remembered = 0;
        }
        small = gain < FLAT ? small + 1 : 0;
    }
    return BERTH_OK;
}

/* Places of vectors in one piece of memory: behind `direction` is what RDKit says, 1 + size. */
static enum berth_status begin_descent(struct descent *descent, struct berth_error *error)
{
    const size_t size = descent->size = 3 * descent->molecule->atom_count;
    BERTH_TRY(
        berth_make(&descent->memory, (7 + 2 * MEMORY) * size + 1, sizeof(double), NULL, error));
    double *at = descent->memory, **vectors[] = {&descent->from, &descent->x, &descent->slope,
                                                 &descent->last_x, &descent->last_slope};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, at += size) {
        *vectors[i] = at;
    }
    for (size_t i = 0; i < MEMORY; i++, at += 2 * size) {
        descent->s[i] = at;
        descent->y[i] = at + size;
    }
    descent->direction = at;
    for (size_t i = 0; i < size; i++) {
        descent->x[i] = descent->from[i] = descent->molecule->atoms[i / 3].position[i % 3];
    }
    return berth_sdf_text(descent->molecule, &descent->text, &descent->text_size, error);
}

enum berth_status berth_relax(struct berth_relaxer *relaxer,
                              const struct berth_heavy_atoms *receptor,
                              struct berth_molecule *molecule, struct berth_heavy_atoms *heavy,
                              double *strain, struct berth_error *error)
{
    struct descent descent = {.relaxer = relaxer, .molecule = molecule, .heavy = heavy};
    double own = 0, alone = 0;
    enum berth_status status = begin_descent(&descent, error);
    BERTH_THEN(gather(relaxer, receptor, heavy, error));
    BERTH_THEN(descend(&descent, error));
    own = status ? 0 : descent.energy - add_field(&descent, descent.x, descent.slope);
    BERTH_THEN(ask(&descent, "free=1", descent.x, &alone, 1, error));
    for (size_t a = 0, j = 0; !status && a < molecule->atom_count; a++) {
        memcpy(molecule->atoms[a].position, descent.x + 3 * a, 3 * sizeof(double));
        if (molecule->atoms[a].heavy) {
            memcpy(heavy->atoms[j++].position, descent.x + 3 * a, 3 * sizeof(double));
        }
    }
    *strain = own - alone;
    free(descent.memory);
    free(descent.text);
    return status ? berth_fail_in(error, molecule->title) : BERTH_OK;
}
