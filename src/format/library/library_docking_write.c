/* Records of the docking stream: writing. */
#include "format/library/library_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/torsion.h"
#include "chem/traits.h"

/* What one record is made from; arrays of [heavy_count]. */
struct plan {
    const struct berth_library_ligand *ligand; /* borrowed */
    size_t heavy_count;
    size_t *atoms;           /* owned; indices of the heavy atoms in the molecule */
    size_t *order;           /* owned; the tree: heavy atoms, each behind its parent */
    size_t *parents;         /* owned; place in order of each one's parent */
    double *distances;       /* owned; of a heavy atom to the tree, squared, Å² */
    size_t *nearest;         /* owned; place in order of the one nearest to a heavy atom */
    int32_t (*positions)[3]; /* owned; of a conformer, on the grid */
};

static void plan_clear(struct plan *plan)
{
    free(plan->atoms);
    free(plan->order);
    free(plan->parents);
    free(plan->distances);
    free(plan->nearest);
    free(plan->positions);
}

static enum berth_status plan_create(struct plan *plan, const struct berth_library_ligand *ligand,
                                     size_t heavy_count, struct berth_error *error)
{
    *plan = (struct plan){
        .ligand = ligand,
        .heavy_count = heavy_count,
        .atoms = berth_alloc(heavy_count, sizeof *plan->atoms),
        .order = berth_alloc(heavy_count, sizeof *plan->order),
        .parents = berth_alloc(heavy_count, sizeof *plan->parents),
        .distances = berth_alloc(heavy_count, sizeof *plan->distances),
        .nearest = berth_alloc(heavy_count, sizeof *plan->nearest),
        .positions = berth_alloc(heavy_count, sizeof *plan->positions),
    };
    if (!plan->atoms || !plan->order || !plan->parents || !plan->distances || !plan->nearest ||
        !plan->positions) {
        plan_clear(plan);
        return berth_out_of_memory(error, ligand->ligand.name);
    }
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    for (size_t i = 0, heavy = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            plan->atoms[heavy++] = i;
        }
    }
    return BERTH_OK;
}

static double squared_distance(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* Prim's algorithm over the heavy atoms of the first conformer. */
static void find_tree(struct plan *plan)
{
    const struct berth_atom *atoms = plan->ligand->ligand.conformers[0].atoms;
    for (size_t i = 0; i < plan->heavy_count; i++) {
        plan->distances[i] = HUGE_VAL;
    }
    for (size_t place = 0, next = 0; place < plan->heavy_count; place++) {
        plan->order[place] = next;
        plan->parents[place] = plan->nearest[next];
        plan->distances[next] = -1; /* in the tree */
        const double *from = atoms[plan->atoms[next]].position;
        double least = HUGE_VAL;
        for (size_t i = 0; i < plan->heavy_count; i++) {
            if (plan->distances[i] < 0) {
                continue;
            }
            const double distance = squared_distance(from, atoms[plan->atoms[i]].position);
            if (distance < plan->distances[i]) {
                plan->distances[i] = distance;
                plan->nearest[i] = place;
            }
            if (plan->distances[i] < least) {
                least = plan->distances[i];
                next = i;
            }
        }
    }
}

static void put_tree(struct berth_bytes *records, const struct plan *plan)
{
    int64_t before = -1;
    for (size_t place = 0; place < plan->heavy_count; place++) {
        berth_bytes_put_signed(records, (int64_t)plan->order[place] - before - 1);
        before = (int64_t)plan->order[place];
        if (place) {
            berth_bytes_put_varint(records, place - 1 - plan->parents[place]);
        }
    }
}

/* Root positions go to the record, differences to the planes. */
static void put_positions(struct berth_library_raw *raw, const struct plan *plan)
{
    const struct berth_ligand *ligand = &plan->ligand->ligand;
    int32_t root[3] = {0, 0, 0};
    for (size_t c = 0; c < ligand->conformer_count; c++) {
        for (size_t i = 0; i < plan->heavy_count; i++) {
            const double *position = ligand->conformers[c].atoms[plan->atoms[i]].position;
            for (int axis = 0; axis < 3; axis++) {
                plan->positions[i][axis] = berth_library_to_grid(position[axis]);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            const int32_t now = plan->positions[plan->order[0]][axis];
            berth_bytes_put_signed(&raw->records, now - root[axis]);
            root[axis] = now;
        }
        for (size_t place = 1; place < plan->heavy_count; place++) {
            berth_library_put_step(raw, plan->positions[plan->order[plan->parents[place]]],
                                   plan->positions[plan->order[place]]);
        }
    }
}

static void put_strains(struct berth_bytes *records, const struct berth_library_ligand *ligand)
{
    for (size_t c = 0; c < ligand->ligand.conformer_count; c++) {
        if (!ligand->strains || isnan(ligand->strains[c])) {
            berth_bytes_put_varint(records, 0);
        } else {
            const int64_t hundredths = llround(ligand->strains[c] * 100);
            const uint64_t twice = (uint64_t)hundredths << 1;
            berth_bytes_put_varint(records, (hundredths < 0 ? ~twice : twice) + 1);
        }
    }
}

/* Index of an atom among the heavy atoms, or heavy_count for a light one. */
static size_t heavy_index(const struct plan *plan, size_t atom)
{
    size_t low = 0, high = plan->heavy_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (plan->atoms[middle] < atom) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < plan->heavy_count && plan->atoms[low] == atom ? low : plan->heavy_count;
}

/* The torsions; returns how many heavy atoms they move. */
static size_t put_torsions(struct berth_bytes *records, const struct plan *plan)
{
    const struct berth_torsion_tree *tree = &plan->ligand->tree;
    size_t moved = 0;
    berth_bytes_put_varint(records, tree->count);
    for (size_t t = 0; t < tree->count; t++) {
        const struct berth_torsion *torsion = &tree->torsions[t];
        unsigned char bits[(BERTH_LIGAND_ATOMS_MAX + 7) / 8] = {0};
        for (size_t i = 0; i < torsion->moved_count; i++) {
            const size_t heavy = heavy_index(plan, tree->moved[torsion->moved_start + i]);
            if (heavy < plan->heavy_count) {
                bits[heavy / 8] |= (unsigned char)(1u << heavy % 8);
                moved++;
            }
        }
        berth_bytes_put_varint(records, heavy_index(plan, torsion->first));
        berth_bytes_put_varint(records, heavy_index(plan, torsion->second));
        berth_bytes_put(records, bits, (plan->heavy_count + 7) / 8);
    }
    return moved;
}

/* What the atoms are, and how many bonds turn. */
static enum berth_status put_chemistry(struct berth_library_raw *raw, const struct plan *plan,
                                       struct berth_error *error)
{
    const struct berth_molecule *molecule = &plan->ligand->ligand.conformers[0];
    struct berth_traits *traits = berth_alloc(molecule->atom_count, sizeof *traits);
    double rotors = 0;
    enum berth_status status = traits ? berth_traits_find(molecule, traits, error)
                                      : berth_out_of_memory(error, molecule->title);
    BERTH_THEN(berth_rotors_count(molecule, &rotors, error));
    for (size_t i = 0; !status && i < plan->heavy_count; i++) {
        const size_t atom = plan->atoms[i];
        status = berth_library_put_kind(&raw->records, &raw->kinds, &molecule->atoms[atom],
                                        &traits[atom], error);
    }
    berth_bytes_put_varint(&raw->records, (uint64_t)(2 * rotors));
    free(traits);
    return status;
}

enum berth_status berth_library_put_docking(struct berth_library_raw *raw,
                                            const struct berth_library_ligand *ligand,
                                            struct berth_error *error)
{
    struct plan plan;
    const size_t heavy = berth_heavy_count(&ligand->ligand.conformers[0]);
    enum berth_status status = plan_create(&plan, ligand, heavy, error);
    if (status) {
        return status;
    }
    const size_t conformers = ligand->ligand.conformer_count;
    berth_bytes_put_text(&raw->records, ligand->ligand.name);
    berth_bytes_put_varint(&raw->records, heavy);
    berth_bytes_put_varint(&raw->records, conformers);
    status = put_chemistry(raw, &plan, error);
    find_tree(&plan);
    put_tree(&raw->records, &plan);
    put_positions(raw, &plan);
    put_strains(&raw->records, ligand);
    const size_t moved = put_torsions(&raw->records, &plan);
    berth_library_put_large(raw);
    plan_clear(&plan);
    raw->sums[BERTH_LIBRARY_SUM_LIGANDS]++;
    raw->sums[BERTH_LIBRARY_SUM_CONFORMERS] += (uint32_t)conformers;
    raw->sums[BERTH_LIBRARY_SUM_HEAVY] += (uint32_t)heavy;
    raw->sums[BERTH_LIBRARY_SUM_POSITIONS] += (uint32_t)(heavy * conformers);
    raw->sums[BERTH_LIBRARY_SUM_TORSIONS] += (uint32_t)ligand->tree.count;
    raw->sums[BERTH_LIBRARY_SUM_MOVED] += (uint32_t)moved;
    return !status && berth_library_raw_failed(raw)
               ? berth_out_of_memory(error, ligand->ligand.name)
               : status;
}
