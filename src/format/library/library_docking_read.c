/* Records of the docking stream: reading. */
#include "format/library/library_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The arrays that the ligands of a block point into, with their capacities. */
struct berth_docking_storage {
    struct berth_bytes stored, raw; /* titles lie in raw */
    struct berth_docking_ligand *ligands;
    uint16_t *types;
    unsigned char *hybrids;
    double (*origins)[3];
    float (*positions)[3];
    float *strains;
    struct berth_torsion *torsions;
    uint32_t *moved;
    size_t capacity[8];
    /* What the record being read takes: see struct record. */
    uint16_t *order, *parents;
    bool *seen;
    int32_t (*grid)[3];
    size_t record_capacity[4];
    size_t used[BERTH_LIBRARY_SUMS]; /* of the sums */
    struct berth_library_kinds kinds;
};

/* The record being read. */
struct record {
    struct berth_docking_ligand *ligand; /* borrowed */
    struct berth_cursor roots;           /* positions of the root, which come before the strains */
    /* Borrowed from the storage, [heavy_count]. */
    uint16_t *order, *parents; /* atoms, not places */
    bool *seen;
    int32_t (*grid)[3]; /* positions of one conformer */
};

static enum berth_status absurd(struct berth_error *error, const char *what)
{
    return berth_fail(error, BERTH_E_FORMAT, "its %s make no sense", what);
}

enum berth_status berth_docking_block_buffers(struct berth_docking_block *block,
                                              struct berth_bytes **stored, struct berth_bytes **raw,
                                              struct berth_error *error)
{
    if (!block->storage) {
        block->storage = berth_alloc(1, sizeof *block->storage);
    }
    if (!block->storage) {
        return berth_out_of_memory(error, NULL);
    }
    block->ligands = NULL;
    block->count = 0;
    *stored = &block->storage->stored;
    *raw = &block->storage->raw;
    return BERTH_OK;
}

/* Room for what the sums promise, where a block of that size can hold it. */
static enum berth_status reserve(struct berth_docking_storage *storage, const uint32_t *sums,
                                 struct berth_error *error)
{
    for (int i = 0; i < BERTH_LIBRARY_SUMS; i++) {
        const size_t most = storage->raw.count * (i == BERTH_LIBRARY_SUM_MOVED ? 8 : 1);
        if (sums[i] > most) {
            return absurd(error, "sums");
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

/* Room for a record of so many heavy atoms, none of which was seen. */
static enum berth_status reserve_record(struct berth_docking_storage *storage, size_t atoms,
                                        struct record *record, struct berth_error *error)
{
    const struct {
        void *items;
        size_t size;
    } ARRAYS[] = {{&storage->order, sizeof *storage->order},
                  {&storage->parents, sizeof *storage->parents},
                  {&storage->seen, sizeof *storage->seen},
                  {&storage->grid, sizeof *storage->grid}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof ARRAYS / sizeof *ARRAYS; i++) {
        status = berth_reserve(ARRAYS[i].items, &storage->record_capacity[i], atoms, ARRAYS[i].size,
                               error);
    }
    if (!status) {
        memset(storage->seen, 0, atoms * sizeof *storage->seen);
    }
    record->order = storage->order;
    record->parents = storage->parents;
    record->seen = storage->seen;
    record->grid = storage->grid;
    return status;
}

/* Takes count places of one of the sums; false where that is more than was promised. */
static bool take(struct berth_docking_storage *storage, const uint32_t *sums, int which,
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
        status = berth_library_get_kind(records, kinds, &number, error);
        into[i] = (uint16_t)number;
    }
    const uint64_t halves = berth_cursor_get_varint(records);
    ligand->rotors = (double)halves / 2;
    return !status && halves > 4 * BERTH_LIGAND_ATOMS_MAX ? absurd(error, "rotatable bonds")
                                                          : status;
}

/* Numbers of kinds become types, and say how atoms are hybridised. */
static enum berth_status type_ligands(struct berth_docking_storage *storage, size_t ligands,
                                      const struct berth_scoring *scoring,
                                      struct berth_error *error)
{
    const struct berth_library_kinds *kinds = &storage->kinds;
    int *types = berth_alloc(kinds->count, sizeof *types);
    unsigned char *hybrids = berth_alloc(kinds->count, sizeof *hybrids);
    if (!types || !hybrids) {
        free(types);
        free(hybrids);
        return berth_out_of_memory(error, NULL);
    }
    for (size_t k = 0; k < kinds->count; k++) {
        types[k] = berth_scoring_type(scoring, &kinds->kinds[k], NULL, "");
        hybrids[k] = (unsigned char)berth_hybrid_of_type(kinds->kinds[k].type);
    }
    uint16_t *at = storage->types;
    for (size_t l = 0; l < ligands; l++) {
        struct berth_docking_ligand *ligand = &storage->ligands[l];
        for (size_t i = 0; i < ligand->heavy_count; i++, at++) {
            if (types[*at] < 0 && !ligand->untyped) {
                ligand->untyped = &kinds->kinds[*at];
                ligand->untyped_number = i;
            }
            storage->hybrids[at - storage->types] = hybrids[*at];
            *at = (uint16_t)(types[*at] < 0 ? 0 : types[*at]);
        }
    }
    free(types);
    free(hybrids);
    return BERTH_OK;
}

/* Every atom once, each behind its parent. */
static enum berth_status get_tree(struct berth_cursor *records, struct record *record,
                                  struct berth_error *error)
{
    bool *seen = record->seen;
    const size_t count = record->ligand->heavy_count;
    int64_t atom = -1;
    for (size_t place = 0; place < count; place++) {
        const int64_t jump = berth_cursor_get_signed(records);
        if (jump < -BERTH_LIGAND_ATOMS_MAX || jump > BERTH_LIGAND_ATOMS_MAX) {
            return absurd(error, "trees");
        }
        atom += jump + 1;
        const uint64_t back = place ? berth_cursor_get_varint(records) : 0;
        if (atom < 0 || atom >= (int64_t)count || seen[atom] || (place && back >= place)) {
            return absurd(error, "trees");
        }
        seen[atom] = true;
        record->order[place] = (uint16_t)atom;
        record->parents[place] = place ? record->order[place - 1 - back] : 0;
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
            if (!take(storage, sums, BERTH_LIBRARY_SUM_MOVED, 1)) {
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
    if (!take(storage, planes->sums, BERTH_LIBRARY_SUM_TORSIONS, count)) {
        return absurd(error, "torsions");
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
            return absurd(error, "torsions");
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
static void split_centroid(const int32_t (*grid)[3], size_t count, double origin[3],
                           float (*positions)[3])
{
    int64_t sum[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += grid[i][axis];
        }
    }
    int32_t center[3];
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = (int32_t)lround((double)sum[axis] / (double)count);
        origin[axis] = berth_library_from_grid(center[axis]);
    }
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            positions[i][axis] = (float)(grid[i][axis] - center[axis]) / 1000.0f;
        }
    }
}

/* The conformers' positions: roots from the record, differences from the planes. */
static enum berth_status get_positions(struct berth_library_planes *planes, struct record *record,
                                       double (*origins)[3], float (*positions)[3],
                                       struct berth_error *error)
{
    const struct berth_docking_ligand *ligand = record->ligand;
    const size_t count = ligand->heavy_count;
    int32_t(*const grid)[3] = record->grid;
    int32_t root[3] = {0, 0, 0};
    if ((uint64_t)3 * (count - 1) * ligand->conformer_count > planes->left) {
        return absurd(error, "planes");
    }
    for (size_t c = 0; c < ligand->conformer_count; c++) {
        for (int axis = 0; axis < 3; axis++) {
            root[axis] = berth_library_add_step(&record->roots, root[axis]);
            grid[record->order[0]][axis] = root[axis];
        }
        if (record->roots.failed) {
            return absurd(error, "positions");
        }
        for (size_t place = 1; place < count; place++) {
            berth_library_get_step(planes, grid[record->parents[place]],
                                   grid[record->order[place]]);
        }
        split_centroid((const int32_t(*)[3])grid, count, origins[c], positions + c * count);
    }
    return BERTH_OK;
}

/* Passes over the roots, which are read once the rest of the record is. */
static void skip_roots(struct berth_cursor *records, struct record *record)
{
    record->roots = *records;
    for (size_t i = 0; i < 3 * record->ligand->conformer_count && !records->failed; i++) {
        berth_cursor_get_varint(records);
    }
}

static enum berth_status get_record(struct berth_docking_storage *storage,
                                    struct berth_library_planes *planes, struct record *record,
                                    struct berth_error *error)
{
    struct berth_docking_ligand *ligand = record->ligand;
    struct berth_cursor *records = &planes->records;
    const size_t conformer = storage->used[BERTH_LIBRARY_SUM_CONFORMERS],
                 heavy = storage->used[BERTH_LIBRARY_SUM_HEAVY];
    const size_t position = storage->used[BERTH_LIBRARY_SUM_POSITIONS];
    ligand->title = berth_cursor_get_text(records);
    const uint64_t atoms = berth_cursor_get_varint(records);
    const uint64_t conformers = berth_cursor_get_varint(records);
    if (atoms < 1 || atoms > BERTH_LIGAND_ATOMS_MAX || conformers < 1 ||
        conformers > BERTH_LIGAND_CONFORMERS_MAX ||
        !take(storage, planes->sums, BERTH_LIBRARY_SUM_HEAVY, atoms) ||
        !take(storage, planes->sums, BERTH_LIBRARY_SUM_CONFORMERS, conformers) ||
        !take(storage, planes->sums, BERTH_LIBRARY_SUM_POSITIONS, atoms * conformers)) {
        return absurd(error, "numbers of atoms and conformers");
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
    enum berth_status status = reserve_record(storage, ligand->heavy_count, record, error);
    BERTH_THEN(get_kinds(records, &storage->kinds, ligand, storage->types + heavy, error));
    BERTH_THEN(get_tree(records, record, error));
    if (!status) {
        skip_roots(records, record);
        get_strains(records, ligand->conformer_count, storage->strains + conformer);
        status = get_torsions(storage, planes, ligand, error);
    }
    BERTH_THEN(get_positions(planes, record, storage->origins + conformer,
                             storage->positions + position, error));
    return !status && records->failed ? absurd(error, "records") : status;
}

enum berth_status berth_library_get_docking(const struct berth_library_block *head,
                                            const struct berth_scoring *scoring,
                                            struct berth_library_planes *planes,
                                            struct berth_docking_block *block,
                                            struct berth_error *error)
{
    struct berth_docking_storage *storage = block->storage;
    storage->kinds.count = 0;
    enum berth_status status = reserve(storage, planes->sums, error);
    if (!status && (planes->sums[BERTH_LIBRARY_SUM_LIGANDS] != head->ligands ||
                    planes->sums[BERTH_LIBRARY_SUM_CONFORMERS] != head->conformers)) {
        status = absurd(error, "sums");
    }
    for (uint32_t i = 0; !status && i < head->ligands; i++) {
        struct record record;
        record.ligand = &storage->ligands[i];
        record.ligand->ordinal = head->first + i;
        status = get_record(storage, planes, &record, error);
    }
    for (int i = BERTH_LIBRARY_SUM_CONFORMERS; !status && i < BERTH_LIBRARY_SUMS; i++) {
        if (storage->used[i] != planes->sums[i]) {
            status = absurd(error, "sums");
        }
    }
    if (!status && (planes->left || berth_cursor_left(&planes->records))) {
        status = absurd(error, "sizes");
    }
    if (!status && scoring) {
        status = type_ligands(storage, head->ligands, scoring, error);
    }
    if (!status) {
        block->ligands = storage->ligands;
        block->count = head->ligands;
    }
    return status;
}

enum berth_status berth_library_recover_kinds(const struct berth_library_block *head,
                                              const struct berth_bytes *stored,
                                              struct berth_library_kinds *kinds,
                                              struct berth_error *error)
{
    struct berth_docking_block block = {0};
    struct berth_bytes *ignored = NULL, *raw = NULL;
    struct berth_library_planes planes;
    enum berth_status status = berth_docking_block_buffers(&block, &ignored, &raw, error);
    BERTH_THEN(berth_library_unpack(head, stored, raw, &planes, error));
    BERTH_THEN(berth_library_get_docking(head, NULL, &planes, &block, error));
    if (!status) {
        *kinds = block.storage->kinds;
        memset(&block.storage->kinds, 0, sizeof block.storage->kinds);
    }
    berth_docking_block_clear(&block);
    return status;
}

void berth_docking_block_clear(struct berth_docking_block *block)
{
    struct berth_docking_storage *storage = block->storage;
    if (storage) {
        berth_bytes_clear(&storage->stored);
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
        free(storage->order);
        free(storage->parents);
        free(storage->seen);
        free(storage->grid);
        free(storage);
    }
    memset(block, 0, sizeof *block);
}
