/* libFuzzer: the reader of libraries.  The first byte says what the others are:
 *
 *   even  a library, byte for byte (checksums end most of these early)
 *   odd   changes to the raw bytes of a good library's two blocks: 3 bytes of place (the lowest bit
 *         says which block) and 1 byte of value each; a place behind the end cuts the block to that
 *         length modulo its size.  The blocks then get right checksums and sizes, so that the
 *         records' reader sees them.
 *
 * Whatever is accepted must keep its promises. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "format/library/library_format.h"
#include "fuzz.h"

enum { TYPES = 40, HEAVY = 5, ATOMS = 8, CONFORMERS = 3, LIGANDS = 2, EDIT = 4 };

static void check_tree(const struct berth_torsion_tree *tree, size_t atoms)
{
    for (size_t t = 0; t < tree->count; t++) {
        const struct berth_torsion *torsion = &tree->torsions[t];
        demand(torsion->first < atoms && torsion->second < atoms);
        demand(torsion->moved_start + torsion->moved_count <= tree->moved_count);
        for (size_t i = 0; i < torsion->moved_count; i++) {
            demand(tree->moved[torsion->moved_start + i] < atoms);
        }
    }
}

/* A function that has types for carbons alone. */
static char names[TYPES][BERTH_SYMBOL_SIZE] = {"C_H", "C_P"};
static struct berth_definition definition = {.types = names, .type_count = TYPES};
static const struct berth_scoring SCORING = {
    .typing = BERTH_TYPING_VINA, .type_count = TYPES, .definition = &definition};

static void check_docking(const struct berth_docking_ligand *ligand)
{
    demand(strlen(ligand->title) < BERTH_LIBRARY_RAW_MAX);
    demand(ligand->heavy_count >= 1 && ligand->heavy_count <= BERTH_LIGAND_ATOMS_MAX);
    for (size_t i = 0; i < ligand->heavy_count; i++) {
        demand(ligand->types[i] < TYPES);
    }
    double sum = 0;
    for (size_t c = 0; c < ligand->conformer_count; c++) {
        sum += ligand->origins[c][0] + ligand->origins[c][1] + ligand->origins[c][2];
        for (size_t i = 0; i < ligand->heavy_count; i++) {
            const float *position = ligand->positions[c * ligand->heavy_count + i];
            sum += (double)(position[0] + position[1] + position[2]);
        }
        demand(isnan(ligand->strains[c]) || isfinite(ligand->strains[c]));
    }
    demand(isfinite(sum));
    check_tree(&ligand->tree, ligand->heavy_count);
}

static void check_ligand(const struct berth_library_ligand *ligand)
{
    demand(ligand->ligand.name && ligand->smiles && ligand->source && ligand->strains);
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    for (size_t i = 0; i < molecule->bond_count; i++) {
        demand(molecule->bonds[i].first < molecule->atom_count);
        demand(molecule->bonds[i].second < molecule->atom_count);
    }
    check_tree(&ligand->tree, molecule->atom_count);
}

/* True where nothing was wrong with it. */
static bool read_library(const void *bytes, size_t size)
{
    struct berth_library_reader *reader;
    struct berth_error error;
    if (berth_library_open_memory("fuzz", bytes, size, &SCORING, &reader, &error)) {
        demand(error.status == BERTH_E_FORMAT && !reader);
        return false;
    }
    struct berth_library_range range = berth_library_shard(reader, 0, 1);
    struct berth_docking_block block = {0};
    for (bool end = false; !end;) {
        if (berth_library_next(reader, &range, &block, &end, &error)) {
            demand(error.status == BERTH_E_FORMAT && !end && block.count == 0);
        }
        for (size_t i = 0; i < block.count; i++) {
            struct berth_library_ligand ligand;
            check_docking(&block.ligands[i]);
            if (!berth_library_fetch(reader, block.ligands[i].ordinal, &ligand, &error)) {
                check_ligand(&ligand);
            }
            berth_library_ligand_clear(&ligand);
        }
    }
    const uint64_t blocks = berth_library_info(reader).blocks;
    bool whole = true;
    for (uint64_t number = 0; number < blocks; number++) {
        whole = !berth_library_verify(reader, number, &error) && whole;
    }
    berth_docking_block_clear(&block);
    berth_library_close(reader);
    return whole;
}

/* Raw blocks of a good library. */
static void make_base(struct berth_library_raw *docking, struct berth_library_raw *rest)
{
    static struct berth_atom atoms[CONFORMERS][ATOMS];
    static struct berth_bond bonds[] = {{0, 1, "1"}, {1, 2, "ar"}, {2, 5, "am"}};
    static struct berth_molecule conformers[CONFORMERS];
    static char name[] = "name", text[] = "CCO";
    static double strains[CONFORMERS] = {0, 12.5, -1};
    static struct berth_torsion torsions[] = {{0, 1, 0, 4}, {1, 2, 1, 3}};
    static uint32_t moved[] = {2, 3, 5, 7};
    static struct berth_property properties[] = {{name, text}};
    for (int c = 0; c < CONFORMERS; c++) {
        conformers[c] = (struct berth_molecule){.atoms = atoms[c],
                                                .atom_count = ATOMS,
                                                .bonds = bonds,
                                                .bond_count = sizeof bonds / sizeof *bonds};
        for (int i = 0; i < ATOMS; i++) {
            atoms[c][i] = (struct berth_atom){
                {i * 1.5, c * 40.0 * i, -0.7 * i}, "C1", "C.3", "LIG", 1, 6, i < HEAVY};
        }
    }
    const struct berth_library_ligand ligand = {
        .ligand = {name, conformers, CONFORMERS, CONFORMERS},
        .strains = strains,
        .tree = {torsions, 2, 2, moved, 4, 4},
        .smiles = text,
        .properties = properties,
        .property_count = 1};
    for (int i = 0; i < LIGANDS; i++) {
        demand(!berth_library_put_docking(docking, &ligand, NULL));
        demand(!berth_library_put_rest(rest, &ligand, NULL));
    }
}

/* The raw bytes as berth_library_pack would pack them. */
static struct berth_bytes raw_bytes(const struct berth_library_raw *raw)
{
    struct berth_bytes stored = {0}, scratch = {0};
    demand(!berth_library_pack(raw, &scratch, &stored, NULL));
    berth_bytes_clear(&stored);
    return scratch;
}

static void apply(struct berth_bytes raw[2], const uint8_t *edits, size_t size)
{
    for (; size >= EDIT; edits += EDIT, size -= EDIT) {
        const size_t code = (size_t)(edits[0] | edits[1] << 8 | edits[2] << 16);
        struct berth_bytes *block = &raw[code & 1];
        if (code / 2 < block->count) {
            block->data[code / 2] = edits[3];
        } else if (block->count) {
            block->count = code / 2 % block->count;
        }
    }
}

static struct berth_library_block put_raw(struct berth_bytes *file, const struct berth_bytes *raw,
                                          uint32_t kind)
{
    uLongf size = compressBound((uLong)raw->count);
    unsigned char *stored = malloc(size);
    demand(stored && compress2(stored, &size, raw->data, (uLong)raw->count, 1) == Z_OK);
    const struct berth_library_block head = {.kind = kind,
                                             .stored = (uint32_t)size,
                                             .raw = (uint32_t)raw->count,
                                             .ligands = LIGANDS,
                                             .conformers = LIGANDS * CONFORMERS};
    berth_library_put_block(file, &head, stored);
    berth_bytes_put(file, stored, size);
    free(stored);
    return head;
}

static void read_edited(const uint8_t *edits, size_t size)
{
    struct berth_library_raw docking = {0}, rest = {0};
    make_base(&docking, &rest);
    struct berth_bytes raw[2] = {raw_bytes(&docking), raw_bytes(&rest)}, file = {0};
    apply(raw, edits, size);
    char forcefield[] = "ff", note[] = "note";
    const struct berth_library_identity identity = {forcefield, note, 1, TYPES};
    berth_library_put_header(&file, &identity);
    struct berth_library_trailer trailer = {.index = file.count};
    struct berth_bytes index = {0};
    struct berth_library_pair pair = {0};
    struct berth_error error;
    pair.docking_head = put_raw(&file, &raw[0], BERTH_LIBRARY_DOCKING);
    pair.rest_head = put_raw(&file, &raw[1], BERTH_LIBRARY_REST);
    demand(!berth_library_count_pair(&pair, &trailer, &index, &error));
    demand(trailer.index == file.count);
    berth_bytes_put(&file, index.data, index.count);
    berth_bytes_clear(&index);
    berth_library_put_trailer(&file, &trailer);
    demand(!file.failed);
    const bool whole = read_library(file.data, file.count);
    demand(whole || size >= EDIT);
    berth_bytes_clear(&file);
    berth_bytes_clear(&raw[0]);
    berth_bytes_clear(&raw[1]);
    berth_library_raw_clear(&docking);
    berth_library_raw_clear(&rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size && bytes[0] % 2) {
        read_edited(bytes + 1, size - 1);
    } else if (size) {
        read_library(bytes + 1, size - 1);
    }
    return 0;
}
