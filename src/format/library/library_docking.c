/* Records of the docking stream. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/facts.h"
#include "chem/residue_types.h"
#include "chem/structure.h"
#include "chem/torsion.h"
#include "chem/traits.h"
#include "format/library/library_format.h"

/* --- Kinds of atoms: what typing rules need to know of an atom, once for all of a block that are
 * alike --- */

/* True for a residue that a forcefield by residue may know: others only make atoms differ. */
static bool is_standard(const char *residue)
{
    char name[BERTH_NAME_SIZE];
    berth_residue_stem(residue, name);
    return strlen(name) > 1 && berth_residue_type_find(name);
}

/* The kind of an atom: without its place, and without a name where that says nothing.  The atoms of
 * a residue follow each other, so that each name is looked up once. */
static struct berth_atom kind_of(struct berth_library_kinds *kinds, const struct berth_atom *atom,
                                 const struct berth_traits *traits)
{
    struct berth_atom kind = {.element = atom->element, .heavy = true, .traits = *traits};
    snprintf(kind.type, sizeof kind.type, "%s", atom->type);
    if (strcmp(kinds->residue, atom->residue) != 0) {
        snprintf(kinds->residue, sizeof kinds->residue, "%s", atom->residue);
        kinds->standard = is_standard(atom->residue);
    }
    if (kinds->standard) {
        snprintf(kind.residue, sizeof kind.residue, "%s", atom->residue);
        snprintf(kind.name, sizeof kind.name, "%s", atom->name);
    }
    return kind;
}

static bool is_same(const struct berth_atom *a, const struct berth_atom *b)
{
    return strcmp(a->type, b->type) == 0 && a->traits.neighbours == b->traits.neighbours &&
           a->traits.hydrogens == b->traits.hydrogens && a->traits.hetero == b->traits.hetero &&
           a->traits.acceptor == b->traits.acceptor && strcmp(a->residue, b->residue) == 0 &&
           strcmp(a->name, b->name) == 0;
}

static enum berth_status add_kind(struct berth_library_kinds *kinds, const struct berth_atom *kind,
                                  struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&kinds->kinds, &kinds->capacity, kinds->count + 1, sizeof *kinds->kinds,
                            error));
    kinds->kinds[kinds->count++] = *kind;
    return BERTH_OK;
}

/* Puts the number of an atom's kind, and behind that of a new one what it is.  Errors:
 * BERTH_E_MEMORY. */
static enum berth_status put_kind(struct berth_bytes *bytes, struct berth_library_kinds *kinds,
                                  const struct berth_atom *atom, const struct berth_traits *traits,
                                  struct berth_error *error)
{
    const struct berth_atom kind = kind_of(kinds, atom, traits);
    size_t number = 0;
    while (number < kinds->count && !is_same(&kinds->kinds[number], &kind)) {
        number++;
    }
    berth_bytes_put_varint(bytes, number);
    if (number < kinds->count) {
        return BERTH_OK;
    }
    berth_bytes_put_text(bytes, kind.type);
    berth_put_traits(bytes, traits);
    berth_bytes_put_text(bytes, kind.residue);
    berth_bytes_put_text(bytes, kind.name);
    return add_kind(kinds, &kind, error);
}

/* Takes it back; new kinds are added.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
static enum berth_status get_kind(struct berth_cursor *records, struct berth_library_kinds *kinds,
                                  size_t *number, struct berth_error *error)
{
    const uint64_t index = berth_cursor_get_varint(records);
    *number = (size_t)index;
    if (index < kinds->count && !records->failed) {
        return BERTH_OK;
    }
    struct berth_atom kind = {.heavy = true};
    const bool good = index == kinds->count && index < UINT16_MAX &&
                      berth_cursor_get_name(records, kind.type, BERTH_NAME_SIZE) &&
                      berth_get_traits(records, &kind.traits) &&
                      berth_cursor_get_name(records, kind.residue, BERTH_NAME_SIZE) &&
                      berth_cursor_get_name(records, kind.name, BERTH_NAME_SIZE) &&
                      !records->failed;
    kind.element = berth_element_of_type(kind.type);
    return good ? add_kind(kinds, &kind, error)
                : berth_fail(error, BERTH_E_FORMAT, "its kinds of atoms make no sense");
}

/* --- Writing --- */

/* A record being made: one of these for each heavy atom, and for each place of the tree, in which
 * every atom stands behind its parent. */
struct plan {
    size_t atom;         /* index in the molecule */
    double distance;     /* of the atom to the tree, squared, Å²; below 0: in it */
    size_t nearest;      /* place of the one in the tree that is nearest to the atom */
    int32_t position[3]; /* of the atom in a conformer, on the grid */
    size_t order;        /* which heavy atom has the place */
    size_t parent;       /* place of its parent */
};

/* Prim's algorithm over the heavy atoms. */
static void find_tree(const struct berth_atom *atoms, struct plan *plan, size_t count)
{
    for (size_t place = 0, next = 0; place < count; place++) {
        plan[place].order = next;
        plan[place].parent = plan[next].nearest;
        plan[next].distance = -1;
        const double *from = atoms[plan[next].atom].position;
        double least = HUGE_VAL;
        for (size_t i = 0; i < count; i++) {
            if (plan[i].distance < 0) {
                continue;
            }
            const double distance = berth_distance_squared(from, atoms[plan[i].atom].position);
            if (distance < plan[i].distance) {
                plan[i].distance = distance;
                plan[i].nearest = place;
            }
            if (plan[i].distance < least) {
                least = plan[i].distance;
                next = i;
            }
        }
    }
}

/* The caller frees *plan and *numbers, also after an error; numbers: [atoms],
 * berth_heavy_numbers. */
static enum berth_status make_plan(const struct berth_library_ligand *ligand, size_t count,
                                   struct plan **plan, size_t **numbers, struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    const char *name = ligand->ligand.name;
    BERTH_TRY(berth_make(plan, count, sizeof **plan, name, error));
    *numbers = berth_heavy_numbers(molecule);
    BERTH_TRY(*numbers ? BERTH_OK : berth_out_of_memory(error, name));
    for (size_t i = 0, heavy = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            (*plan)[heavy].distance = HUGE_VAL;
            (*plan)[heavy++].atom = i;
        }
    }
    find_tree(molecule->atoms, *plan, count);
    return BERTH_OK;
}

static void put_tree(struct berth_bytes *records, const struct plan *plan, size_t count)
{
    int64_t before = -1;
    for (size_t place = 0; place < count; place++) {
        berth_bytes_put_signed(records, (int64_t)plan[place].order - before - 1);
        before = (int64_t)plan[place].order;
        if (place) {
            berth_bytes_put_varint(records, place - 1 - plan[place].parent);
        }
    }
}

/* Root positions go to the record, differences to the planes. */
static void put_positions(struct berth_library_raw *raw, const struct berth_ligand *ligand,
                          struct plan *plan, size_t count)
{
    int32_t root[3] = {0, 0, 0};
    for (size_t c = 0; c < ligand->conformer_count; c++) {
        for (size_t i = 0; i < count; i++) {
            berth_library_to_grid(ligand->conformers[c].atoms[plan[i].atom].position,
                                  plan[i].position);
        }
        for (int axis = 0; axis < 3; axis++) {
            const int32_t now = plan[plan[0].order].position[axis];
            berth_bytes_put_signed(&raw->records, now - root[axis]);
            root[axis] = now;
        }
        for (size_t place = 1; place < count; place++) {
            berth_library_put_step(raw, plan[plan[plan[place].parent].order].position,
                                   plan[plan[place].order].position);
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

/* The torsions; returns how many heavy atoms they move.  numbers: [atoms],
 * berth_heavy_numbers. */
static size_t put_torsions(struct berth_bytes *records, const struct berth_torsion_tree *tree,
                           const size_t *numbers, size_t count)
{
    size_t moved = 0;
    berth_bytes_put_varint(records, tree->count);
    for (size_t t = 0; t < tree->count; t++) {
        berth_bytes_put_varint(records, numbers[tree->torsions[t].first]);
        berth_bytes_put_varint(records, numbers[tree->torsions[t].second]);
        moved += berth_library_put_moved(records, tree, t, numbers, count);
    }
    return moved;
}

/* What the heavy atoms are, and how many bonds turn. */
static enum berth_status put_chemistry(struct berth_library_raw *raw,
                                       const struct berth_molecule *molecule,
                                       struct berth_error *error)
{
    struct berth_facts facts;
    double rotors = 0;
    enum berth_status status = berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, error);
    BERTH_THEN(berth_rotors_count(&facts, &rotors, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            status =
                put_kind(&raw->records, &raw->kinds, &molecule->atoms[i], &facts.traits[i], error);
        }
    }
    berth_bytes_put_varint(&raw->records, (uint64_t)(2 * rotors));
    berth_facts_clear(&facts);
    return status;
}

enum berth_status berth_library_put_docking(struct berth_library_raw *raw,
                                            const struct berth_library_ligand *ligand,
                                            struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    const size_t heavy = berth_heavy_count(molecule), conformers = ligand->ligand.conformer_count;
    struct plan *plan = NULL;
    size_t *numbers = NULL;
    enum berth_status status = make_plan(ligand, heavy, &plan, &numbers, error);
    if (status) {
        free(plan);
        return status;
    }
    berth_bytes_put_text(&raw->records, ligand->ligand.name);
    berth_bytes_put_varint(&raw->records, heavy);
    berth_bytes_put_varint(&raw->records, conformers);
    status = put_chemistry(raw, molecule, error);
    put_tree(&raw->records, plan, heavy);
    put_positions(raw, &ligand->ligand, plan, heavy);
    put_strains(&raw->records, ligand);
    const size_t moved = put_torsions(&raw->records, &ligand->tree, numbers, heavy);
    berth_library_put_large(raw);
    free(plan);
    free(numbers);
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

/* --- Reading --- */

/* For each heavy atom of the record being read, and for each place of its tree. */
struct atom_being_read {
    uint16_t order, parent; /* the atom that has the place, and its parent; atoms, not places */
    bool seen;              /* the atom was */
    int32_t position[3];    /* of the atom in one conformer, on the grid */
};

/* The arrays that the ligands of a block point into, with their capacities. */
struct berth_docking_storage {
    struct berth_bytes raw; /* the block, unpacked; titles lie in it */
    struct berth_docking_ligand *ligands;
    uint16_t *types;
    unsigned char *hybrids;
    double (*origins)[3];
    float (*positions)[3];
    float *strains;
    struct berth_torsion *torsions;
    uint32_t *moved;
    size_t capacity[8];
    struct atom_being_read *record; /* [heavy_count] of the record being read */
    size_t record_capacity;
    struct berth_cursor roots;       /* its positions of the root, which come before the strains */
    size_t used[BERTH_LIBRARY_SUMS]; /* of the sums */
    struct berth_library_kinds kinds;
};

/* Room for what the sums promise, where a block of that size can hold it. */
static enum berth_status reserve_block(struct berth_docking_storage *storage, const uint32_t *sums,
                                       struct berth_error *error)
{
    for (int i = 0; i < BERTH_LIBRARY_SUMS; i++) {
        const size_t most = storage->raw.count * (i == BERTH_LIBRARY_SUM_MOVED ? 8 : 1);
        if (sums[i] > most) {
            return berth_library_absurd(error, "sums");
        }
    }
    const struct {
        void *items;
        size_t needed, size;
    } ARRAYS[] = {
        {&storage->ligands, sums[BERTH_LIBRARY_SUM_LIGANDS], sizeof *storage->ligands},
        {&storage->types, sums[BERTH_LIBRARY_SUM_HEAVY], sizeof *storage->types},
        {&storage->hybrids, sums[BERTH_LIBRARY_SUM_HEAVY], sizeof *storage->hybrids},
        {&storage->origins, sums[BERTH_LIBRARY_SUM_CONFORMERS], sizeof *storage->origins},
        {&storage->positions, sums[BERTH_LIBRARY_SUM_POSITIONS], sizeof *storage->positions},
        {&storage->strains, sums[BERTH_LIBRARY_SUM_CONFORMERS], sizeof *storage->strains},
        {&storage->torsions, sums[BERTH_LIBRARY_SUM_TORSIONS], sizeof *storage->torsions},
        {&storage->moved, sums[BERTH_LIBRARY_SUM_MOVED], sizeof *storage->moved}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof ARRAYS / sizeof *ARRAYS; i++) {
        status = berth_reserve(ARRAYS[i].items, &storage->capacity[i], ARRAYS[i].needed + 1,
                               ARRAYS[i].size, error);
    }
    memset(storage->used, 0, sizeof storage->used);
    return status;
}

/* Takes count places of one of the sums; false where that is more than was promised. */
static bool take_places(struct berth_docking_storage *storage, const uint32_t *sums, int which,
                        uint64_t count)
{
    if (count > sums[which] - storage->used[which]) {
        return false;
    }
    storage->used[which] += (size_t)count;
    return true;
}

/* What the atoms are, whose types the scoring function tells. */
static enum berth_status get_kinds(struct berth_cursor *records, struct berth_library_kinds *kinds,
                                   struct berth_docking_ligand *ligand, uint16_t *into,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < ligand->heavy_count; i++) {
        size_t number = 0;
        status = get_kind(records, kinds, &number, error);
        into[i] = (uint16_t)number;
    }
    const uint64_t halves = berth_cursor_get_varint(records);
    ligand->rotors = (double)halves / 2;
    return !status && halves > 4 * BERTH_LIGAND_ATOMS_MAX
               ? berth_library_absurd(error, "rotatable bonds")
               : status;
}

/* Numbers of kinds become types, and say how atoms are hybridised. */
static enum berth_status type_ligands(struct berth_docking_storage *storage, size_t ligands,
                                      const struct berth_scoring *scoring,
                                      struct berth_error *error)
{
    const struct berth_library_kinds *kinds = &storage->kinds;
    struct {
        int type;
        unsigned char hybrid;
    } * known;
    BERTH_TRY(berth_make(&known, kinds->count, sizeof *known, NULL, error));
    for (size_t k = 0; k < kinds->count; k++) {
        known[k].type = berth_scoring_type(scoring, &kinds->kinds[k], NULL, "");
        known[k].hybrid = (unsigned char)berth_hybrid_of_type(kinds->kinds[k].type);
    }
    uint16_t *at = storage->types;
    for (size_t l = 0; l < ligands; l++) {
        struct berth_docking_ligand *ligand = &storage->ligands[l];
        for (size_t i = 0; i < ligand->heavy_count; i++, at++) {
            const int type = known[*at].type;
            if (type < 0 && !ligand->untyped) {
                ligand->untyped = &kinds->kinds[*at];
                ligand->untyped_number = i;
            }
            storage->hybrids[at - storage->types] = known[*at].hybrid;
            *at = (uint16_t)(type < 0 ? 0 : type);
        }
    }
    free(known);
    return BERTH_OK;
}

/* Every atom once, each behind its parent. */
static enum berth_status get_tree(struct berth_cursor *records,
                                  struct berth_docking_storage *storage, size_t count,
                                  struct berth_error *error)
{
    struct atom_being_read *atoms = storage->record;
    int64_t atom = -1;
    for (size_t place = 0; place < count; place++) {
        const int64_t jump = berth_cursor_get_signed(records);
        if (jump < -BERTH_LIGAND_ATOMS_MAX || jump > BERTH_LIGAND_ATOMS_MAX) {
            return berth_library_absurd(error, "trees");
        }
        atom += jump + 1;
        const uint64_t back = place ? berth_cursor_get_varint(records) : 0;
        if (atom < 0 || atom >= (int64_t)count || atoms[atom].seen || (place && back >= place)) {
            return berth_library_absurd(error, "trees");
        }
        atoms[atom].seen = true;
        atoms[place].order = (uint16_t)atom;
        atoms[place].parent = place ? atoms[place - 1 - back].order : 0;
    }
    return BERTH_OK;
}

static void get_strains(struct berth_cursor *records, size_t count, float *strains)
{
    for (size_t c = 0; c < count; c++) {
        const uint64_t code = berth_cursor_get_varint(records);
        const int64_t half = code ? (int64_t)((code - 1) >> 1) : 0;
        const int64_t hundredths = code && (code - 1) & 1 ? -half - 1 : half;
        strains[c] = code ? (float)((double)hundredths / 100) : NAN;
    }
}

/* The atoms whose bits are set, ascending; false where there is no room for them. */
static bool get_moved(struct berth_docking_storage *storage, const uint32_t *sums,
                      const unsigned char *bits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bits[i / 8] >> i % 8 & 1) {
            const size_t place = storage->used[BERTH_LIBRARY_SUM_MOVED];
            if (!take_places(storage, sums, BERTH_LIBRARY_SUM_MOVED, 1)) {
                return false;
            }
            storage->moved[place] = (uint32_t)i;
        }
    }
    return true;
}

static enum berth_status get_torsions(struct berth_docking_storage *storage,
                                      struct berth_library_planes *planes,
                                      struct berth_docking_ligand *ligand,
                                      struct berth_error *error)
{
    const uint64_t count = berth_cursor_get_varint(&planes->records);
    const size_t heavy = ligand->heavy_count, start = storage->used[BERTH_LIBRARY_SUM_MOVED];
    struct berth_torsion *torsions = storage->torsions + storage->used[BERTH_LIBRARY_SUM_TORSIONS];
    if (!take_places(storage, planes->sums, BERTH_LIBRARY_SUM_TORSIONS, count)) {
        return berth_library_absurd(error, "torsions");
    }
    ligand->tree = (struct berth_torsion_tree){
        .torsions = torsions, .count = (size_t)count, .moved = storage->moved + start};
    for (uint64_t t = 0; t < count; t++) {
        const uint64_t first = berth_cursor_get_varint(&planes->records);
        const uint64_t second = berth_cursor_get_varint(&planes->records);
        const unsigned char *bits = berth_cursor_take(&planes->records, (heavy + 7) / 8);
        torsions[t].moved_start = storage->used[BERTH_LIBRARY_SUM_MOVED] - start;
        if (!bits || first >= heavy || second >= heavy || first == second ||
            !get_moved(storage, planes->sums, bits, heavy)) {
            return berth_library_absurd(error, "torsions");
        }
        torsions[t].first = (uint32_t)first;
        torsions[t].second = (uint32_t)second;
        torsions[t].moved_count =
            storage->used[BERTH_LIBRARY_SUM_MOVED] - start - torsions[t].moved_start;
    }
    ligand->tree.moved_count = storage->used[BERTH_LIBRARY_SUM_MOVED] - start;
    return BERTH_OK;
}

/* Splits positions on the grid into their centroid, rounded, and what is left. */
static void split_centroid(const struct atom_being_read *atoms, size_t count, double origin[3],
                           float (*positions)[3])
{
    int64_t sum[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += atoms[i].position[axis];
        }
    }
    int32_t center[3];
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = (int32_t)lround((double)sum[axis] / (double)count);
    }
    berth_library_from_grid(center, origin);
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            positions[i][axis] = (float)(atoms[i].position[axis] - center[axis]) / 1000.0f;
        }
    }
}

/* The conformers' positions: roots from the record, differences from the planes. */
static enum berth_status get_positions(struct berth_library_planes *planes,
                                       struct berth_docking_storage *storage,
                                       const struct berth_docking_ligand *ligand,
                                       struct berth_error *error)
{
    const size_t count = ligand->heavy_count, conformers = ligand->conformer_count;
    double(*origins)[3] =
        storage->origins + storage->used[BERTH_LIBRARY_SUM_CONFORMERS] - conformers;
    float(*positions)[3] =
        storage->positions + storage->used[BERTH_LIBRARY_SUM_POSITIONS] - count * conformers;
    struct atom_being_read *atoms = storage->record;
    int32_t root[3] = {0, 0, 0};
    if ((uint64_t)3 * (count - 1) * conformers > planes->left) {
        return berth_library_absurd(error, "planes");
    }
    for (size_t c = 0; c < conformers; c++) {
        for (int axis = 0; axis < 3; axis++) {
            root[axis] = berth_library_add_step(&storage->roots, root[axis]);
            atoms[atoms[0].order].position[axis] = root[axis];
        }
        if (storage->roots.failed) {
            return berth_library_absurd(error, "positions");
        }
        for (size_t place = 1; place < count; place++) {
            berth_library_get_step(planes, atoms[atoms[place].parent].position,
                                   atoms[atoms[place].order].position);
        }
        split_centroid(atoms, count, origins[c], positions + c * count);
    }
    return BERTH_OK;
}

static enum berth_status get_record(struct berth_docking_storage *storage,
                                    struct berth_library_planes *planes,
                                    struct berth_docking_ligand *ligand, struct berth_error *error)
{
    struct berth_cursor *records = &planes->records;
    const size_t conformer = storage->used[BERTH_LIBRARY_SUM_CONFORMERS],
                 heavy = storage->used[BERTH_LIBRARY_SUM_HEAVY];
    const size_t position = storage->used[BERTH_LIBRARY_SUM_POSITIONS];
    ligand->title = berth_cursor_get_text(records);
    const uint64_t atoms = berth_cursor_get_varint(records);
    const uint64_t conformers = berth_cursor_get_varint(records);
    if (atoms < 1 || atoms > BERTH_LIGAND_ATOMS_MAX || conformers < 1 ||
        conformers > BERTH_LIGAND_CONFORMERS_MAX ||
        !take_places(storage, planes->sums, BERTH_LIBRARY_SUM_HEAVY, atoms) ||
        !take_places(storage, planes->sums, BERTH_LIBRARY_SUM_CONFORMERS, conformers) ||
        !take_places(storage, planes->sums, BERTH_LIBRARY_SUM_POSITIONS, atoms * conformers)) {
        return berth_library_absurd(error, "numbers of atoms and conformers");
    }
    ligand->heavy_count = (size_t)atoms;
    ligand->conformer_count = (size_t)conformers;
    ligand->origins = (const double(*)[3])(storage->origins + conformer);
    ligand->positions = (const float(*)[3])(storage->positions + position);
    ligand->strains = storage->strains + conformer;
    ligand->types = storage->types + heavy;
    ligand->hybrids = storage->hybrids + heavy;
    ligand->untyped = NULL;
    memset(storage->hybrids + heavy, BERTH_HYBRID_OTHER, ligand->heavy_count);
    BERTH_TRY(berth_reserve(&storage->record, &storage->record_capacity, ligand->heavy_count,
                            sizeof *storage->record, error));
    memset(storage->record, 0, ligand->heavy_count * sizeof *storage->record);
    BERTH_TRY(get_kinds(records, &storage->kinds, ligand, storage->types + heavy, error));
    BERTH_TRY(get_tree(records, storage, ligand->heavy_count, error));
    storage->roots = *records; /* read once the rest of the record is */
    for (size_t i = 0; i < 3 * ligand->conformer_count && !records->failed; i++) {
        berth_cursor_get_varint(records);
    }
    get_strains(records, ligand->conformer_count, storage->strains + conformer);
    BERTH_TRY(get_torsions(storage, planes, ligand, error));
    BERTH_TRY(get_positions(planes, storage, ligand, error));
    return records->failed ? berth_library_absurd(error, "records") : BERTH_OK;
}

/* Makes the block's ligands of its planes, which lie in its storage. */
static enum berth_status get_records(const struct berth_library_block *head,
                                     struct berth_library_planes *planes,
                                     struct berth_docking_storage *storage,
                                     struct berth_error *error)
{
    storage->kinds.count = 0;
    BERTH_TRY(reserve_block(storage, planes->sums, error));
    if (planes->sums[BERTH_LIBRARY_SUM_LIGANDS] != head->ligands ||
        planes->sums[BERTH_LIBRARY_SUM_CONFORMERS] != head->conformers) {
        return berth_library_absurd(error, "sums");
    }
    for (uint32_t i = 0; i < head->ligands; i++) {
        storage->ligands[i].ordinal = head->first + i;
        BERTH_TRY(get_record(storage, planes, &storage->ligands[i], error));
    }
    for (int i = BERTH_LIBRARY_SUM_CONFORMERS; i < BERTH_LIBRARY_SUMS; i++) {
        if (storage->used[i] != planes->sums[i]) {
            return berth_library_absurd(error, "sums");
        }
    }
    return planes->left || berth_cursor_left(&planes->records)
               ? berth_library_absurd(error, "sizes")
               : BERTH_OK;
}

enum berth_status berth_library_get_docking(const struct berth_library_block *head,
                                            const struct berth_bytes *stored,
                                            const struct berth_scoring *scoring,
                                            struct berth_docking_block *block,
                                            struct berth_error *error)
{
    struct berth_library_planes planes;
    if (!block->storage) {
        BERTH_TRY(berth_make(&block->storage, 1, sizeof *block->storage, NULL, error));
    }
    struct berth_docking_storage *storage = block->storage;
    block->ligands = NULL;
    block->count = 0;
    BERTH_TRY(berth_library_unpack(head, stored, &storage->raw, &planes, error));
    BERTH_TRY(get_records(head, &planes, storage, error));
    if (scoring) {
        BERTH_TRY(type_ligands(storage, head->ligands, scoring, error));
    }
    block->ligands = storage->ligands;
    block->count = head->ligands;
    return BERTH_OK;
}

void berth_docking_block_clear(struct berth_docking_block *block)
{
    struct berth_docking_storage *storage = block->storage;
    if (storage) {
        berth_bytes_clear(&storage->raw);
        free(storage->ligands);
        free(storage->types);
        free(storage->hybrids);
        free(storage->kinds.kinds);
        free(storage->origins);
        free(storage->positions);
        free(storage->strains);
        free(storage->torsions);
        free(storage->moved);
        free(storage->record);
        free(storage);
    }
    berth_bytes_clear(&block->stored);
    memset(block, 0, sizeof *block);
}
