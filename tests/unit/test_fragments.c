/* Fragments: their records, the store that keeps them, and molecules that are joined from them. */
#include "io_support.h"

#include <fcntl.h>
#include <math.h>
#include <sys/wait.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/embedded.h"
#include "base/lock.h"
#include "chem/vectors.h"
#include "prep/fragments/join.h"
#include "prep/fragments/store.h"

/* --- Records --- */

static void put16(struct berth_bytes *bytes, unsigned value)
{
    berth_bytes_put8(bytes, (uint8_t)value);
    berth_bytes_put8(bytes, (uint8_t)(value >> 8));
}

static void put_float(struct berth_bytes *bytes, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    berth_bytes_put32(bytes, word);
}

static void put_atom(struct berth_bytes *bytes, int element, const char *type)
{
    char field[6] = "";
    memcpy(field, type, strlen(type));
    berth_bytes_put8(bytes, (uint8_t)element);
    berth_bytes_put8(bytes, 0);
    berth_bytes_put(bytes, field, sizeof field);
}

/* An atom with `hydrogens` of them and caps, four bonds in all, in the directions of a tetrahedron:
 * caps first, at `length` Å, hydrogens at 1.09 Å.  Two shapes where `shapes` is 2, the second of
 * 5 kJ/mol more and with its last two neighbours exchanged. */
static struct berth_bytes carbon(int caps, int shapes, double length)
{
    static const double WAYS[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    struct berth_bytes bytes = {0};
    put16(&bytes, 1 + (unsigned)caps);
    put16(&bytes, 4 - (unsigned)caps);
    put16(&bytes, (unsigned)caps);
    put16(&bytes, (unsigned)shapes);
    put_atom(&bytes, 6, "C.3");
    for (int i = 0; i < caps; i++) {
        put_atom(&bytes, 0, "C.3");
    }
    for (int i = caps; i < 4; i++) {
        put16(&bytes, 0);
    }
    for (unsigned i = 0; i < (unsigned)caps; i++) {
        put16(&bytes, 0);
        put16(&bytes, i + 1);
        put16(&bytes, 1 | 1 << 8);
    }
    for (int shape = 0; shape < shapes; shape++) {
        put_float(&bytes, 5 * (float)shape);
        for (int k = 0; k < 3; k++) {
            put_float(&bytes, 0);
        }
        for (int i = 0; i < 4; i++) {
            const int way = shape && i > 1 ? 5 - i : i;
            const double far = (i < caps ? length : 1.09) / sqrt(3);
            for (int k = 0; k < 3; k++) {
                put_float(&bytes, (float)(far * WAYS[way][k]));
            }
        }
    }
    assert_false(bytes.failed);
    return bytes;
}

static void a_record_is_read(void **state)
{
    (void)state;
    struct berth_bytes record = carbon(2, 2, 1.5);
    struct berth_fragment fragment;
    struct berth_error error;
    assert_int_equal(berth_fragment_read(record.data, record.count, &fragment, &error), BERTH_OK);
    assert_int_equal(fragment.atom_count, 3);
    assert_int_equal(fragment.hydrogen_count, 2);
    assert_int_equal(fragment.shape_count, 2);
    assert_string_equal(fragment.atoms[0].type, "C.3");
    assert_int_equal(fragment.atoms[1].element, 0);
    assert_string_equal(fragment.bonds[1].type, "1");
    assert_float_equal(fragment.energies[1], 5, 0);
    assert_float_equal(berth_fragment_shape(&fragment, 1)[1][0], 1.5 / sqrt(3), 1e-6);
    berth_fragment_clear(&fragment);
    berth_bytes_clear(&record);
}

/* Every prefix is refused, and what is changed in any byte is refused or read without harm. */
static void a_broken_record_is_refused(void **state)
{
    (void)state;
    struct berth_bytes record = carbon(1, 1, 1.5);
    struct berth_fragment fragment;
    for (size_t size = 1; size < record.count; size++) {
        assert_int_equal(berth_fragment_read(record.data, size, &fragment, NULL), BERTH_E_FORMAT);
        berth_fragment_clear(&fragment);
    }
    for (size_t i = 0; i < record.count; i++) {
        record.data[i] ^= 0xff;
        berth_fragment_read(record.data, record.count, &fragment, NULL);
        berth_fragment_clear(&fragment);
        record.data[i] ^= 0xff;
    }
    berth_bytes_clear(&record);
}

/* Water, whose types are such as the worker gives, in two structures. */
static struct berth_bytes water(void)
{
    struct berth_bytes bytes = {0};
    put16(&bytes, 3);
    put16(&bytes, 2);
    put16(&bytes, 2);
    put_atom(&bytes, 8, "O.3");
    put_atom(&bytes, 1, "H");
    put_atom(&bytes, 1, "H");
    for (unsigned i = 1; i <= 2; i++) {
        put16(&bytes, 0);
        put16(&bytes, i);
        put16(&bytes, 1 | 1 << 8);
    }
    for (int i = 0; i < 2 * 3 * 3; i++) {
        berth_bytes_put_double(&bytes, i / 3.0);
    }
    assert_false(bytes.failed);
    return bytes;
}

static void a_molecule_of_the_worker_is_read(void **state)
{
    (void)state;
    struct berth_bytes record = water();
    struct berth_molecule molecule;
    struct berth_conformers structures;
    struct berth_error error;
    assert_int_equal(
        berth_worker_molecule_read(record.data, record.count, &molecule, &structures, &error),
        BERTH_OK);
    assert_int_equal(molecule.atom_count, 3);
    assert_string_equal(molecule.atoms[0].type, "O.3");
    assert_true(molecule.atoms[0].heavy && !molecule.atoms[2].heavy && molecule.has_orders);
    assert_int_equal(molecule.bonds[1].second, 2);
    assert_float_equal(molecule.atoms[2].position[2], 8 / 3.0, 0);
    assert_int_equal(structures.count, 2);
    assert_float_equal(structures.positions[5][0], 15 / 3.0, 0);
    berth_molecule_clear(&molecule);
    berth_conformers_clear(&structures);
    berth_bytes_clear(&record);
}

static void a_broken_molecule_is_refused(void **state)
{
    (void)state;
    struct berth_bytes record = water();
    struct berth_molecule molecule;
    struct berth_conformers structures;
    for (size_t size = 0; size < record.count; size++) {
        assert_int_equal(
            berth_worker_molecule_read(record.data, size, &molecule, &structures, NULL),
            BERTH_E_FORMAT);
        berth_molecule_clear(&molecule);
        berth_conformers_clear(&structures);
    }
    const size_t graph = 6 + 3 * 8 + 2 * 6; /* any place is as good as another */
    for (size_t i = 0; i < graph; i++) {
        record.data[i] ^= 0xff;
        const bool charge = i >= 6 && i < 30 && i % 8 == 7; /* any is as good as another */
        assert_true(charge || berth_worker_molecule_read(record.data, record.count, &molecule, NULL,
                                                         NULL) == BERTH_E_FORMAT);
        berth_molecule_clear(&molecule);
        record.data[i] ^= 0xff;
    }
    berth_bytes_clear(&record);
}

/* --- The store --- */

struct scratch {
    char directory[PATH_SIZE], path[PATH_SIZE];
};

static int set_up(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    assert_non_null(scratch);
    make_scratch(scratch->directory);
    join(scratch->path, scratch->directory, "store");
    *state = scratch;
    return 0;
}

static int tear_down(void **state)
{
    struct scratch *scratch = *state;
    unlink(scratch->path);
    assert_int_equal(rmdir(scratch->directory), 0);
    free(scratch);
    return 0;
}

static struct berth_fragment_store *open_store(const char *path)
{
    const struct berth_fragment_store_setup setup = {.path = path, .version = "2026.9"};
    struct berth_fragment_store *store;
    struct berth_error error;
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_OK);
    return store;
}

static void add(struct berth_fragment_store *store, const char *key, double length)
{
    struct berth_bytes record = carbon(1, 1, length);
    const struct berth_fragment *fragment;
    struct berth_error error;
    assert_int_equal(
        berth_fragment_store_add(store, key, record.data, record.count, &fragment, &error),
        BERTH_OK);
    assert_ptr_equal(fragment, berth_fragment_store_find(store, key));
    berth_bytes_clear(&record);
}

static bool knows(struct berth_fragment_store *store, const char *key)
{
    return berth_fragment_store_find(store, key) != NULL;
}

static size_t size_of(const char *path)
{
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return (size_t)facts.st_size;
}

static void what_is_added_comes_back(void **state)
{
    struct scratch *scratch = *state;
    struct berth_fragment_store *store = open_store(scratch->path);
    const struct berth_fragment *none;
    assert_false(knows(store, "[1*]C"));
    add(store, "[1*]C", 1.5);
    assert_int_equal(berth_fragment_store_add(store, "[2*]Xx", "", 0, &none, NULL), BERTH_OK);
    assert_int_equal(none->atom_count, 0);
    berth_fragment_store_destroy(store);
    store = open_store(scratch->path);
    assert_int_equal(berth_fragment_store_count(store), 2);
    assert_true(knows(store, "[1*]C") && knows(store, "[2*]Xx") && !knows(store, "[1*]"));
    const size_t size = size_of(scratch->path);
    add(store, "[1*]C", 1.7); /* the first stays */
    assert_float_equal(berth_fragment_store_find(store, "[1*]C")->positions[1][0], 1.5 / sqrt(3),
                       1e-6);
    assert_int_equal(size_of(scratch->path), size);
    berth_fragment_store_destroy(store);
}

static void many_fit(void **state)
{
    (void)state;
    struct berth_fragment_store *store = open_store(NULL);
    char key[32];
    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key%d", i);
        add(store, key, 1.5);
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key%d", i);
        assert_true(knows(store, key));
    }
    assert_int_equal(berth_fragment_store_count(store), 5000);
    berth_fragment_store_destroy(store);
}

/* A store of two records: its bytes, how many the first ends behind, and all. */
static char *write_two(const char *path, size_t *first, size_t *whole)
{
    struct berth_fragment_store *store = open_store(path);
    add(store, "first", 1.5);
    *first = size_of(path);
    add(store, "second", 1.5);
    berth_fragment_store_destroy(store);
    *whole = size_of(path);
    return read_file(path);
}

/* Whatever a killed process has left of the last record, or of the head, is cut off. */
static void a_torn_tail_is_cut(void **state)
{
    struct scratch *scratch = *state;
    struct berth_fragment_store *store;
    size_t first, whole;
    char *bytes = write_two(scratch->path, &first, &whole);
    for (size_t size = 0; size < whole; size++) {
        if (size > first - 5 && size < first) {
            continue; /* a torn first record is like a torn second one */
        }
        write_file(scratch->path, bytes, size);
        store = open_store(scratch->path);
        assert_int_equal(berth_fragment_store_count(store), size >= first);
        add(store, "third", 1.5);
        berth_fragment_store_destroy(store);
        store = open_store(scratch->path);
        assert_true(knows(store, "third"));
        assert_int_equal(berth_fragment_store_count(store), 1 + (size >= first));
        berth_fragment_store_destroy(store);
    }
    free(bytes);
}

/* A flipped bit costs its record and those behind it, and never more than that. */
static void a_wrong_crc_is_seen(void **state)
{
    struct scratch *scratch = *state;
    struct berth_fragment_store *store;
    size_t first, whole;
    char *bytes = write_two(scratch->path, &first, &whole);
    for (size_t at = first; at < whole; at++) {
        bytes[at] ^= 4;
        write_file(scratch->path, bytes, whole);
        store = open_store(scratch->path);
        assert_true(knows(store, "first"));
        assert_int_equal(berth_fragment_store_count(store), 1);
        add(store, "third", 1.5);
        berth_fragment_store_destroy(store);
        store = open_store(scratch->path);
        assert_true(knows(store, "first") && knows(store, "third") && !knows(store, "second"));
        berth_fragment_store_destroy(store);
        bytes[at] ^= 4;
    }
    free(bytes);
}

static void other_files_are_refused(void **state)
{
    struct scratch *scratch = *state;
    struct berth_fragment_store *store = open_store(scratch->path);
    add(store, "first", 1.5);
    berth_fragment_store_destroy(store);
    const struct berth_fragment_store_setup other = {.path = scratch->path, .version = "2022.9"};
    struct berth_error error;
    assert_int_equal(berth_fragment_store_create(&other, &store, &error), BERTH_E_USAGE);
    assert_non_null(strstr(error.message, "those of RDKit 2026.9, recipe "));
    assert_non_null(strstr(error.message, "and this is RDKit 2022.9, recipe "));
    assert_null(store);
    static const char TEXT[] = "this is somebody's diary";
    write_file(scratch->path, TEXT, sizeof TEXT);
    assert_int_equal(berth_fragment_store_create(&other, &store, &error), BERTH_E_FORMAT);
    char *bytes = read_file(scratch->path);
    assert_string_equal(bytes, TEXT); /* and left alone */
    free(bytes);
}

/* A fragment's mirror image is made of it, whichever of the two is kept. */
static void mirror_images_are_known(void **state)
{
    (void)state;
    static const char KEY[] = "[1*][C@](F)(Cl)Br", IMAGE[] = "[1*][C@@](F)(Cl)Br";
    struct berth_fragment_store *store = open_store(NULL);
    char *kept = berth_fragment_store_key(KEY), *same = berth_fragment_store_key(IMAGE);
    assert_string_equal(kept, same);
    free(kept);
    free(same);
    add(store, KEY, 1.5);
    const struct berth_fragment *fragment = berth_fragment_store_find(store, KEY);
    const struct berth_fragment *image = berth_fragment_store_find(store, IMAGE);
    assert_non_null(image);
    assert_ptr_not_equal(image, fragment);
    assert_ptr_equal(berth_fragment_store_find(store, IMAGE), image);
    assert_int_equal(image->atom_count, fragment->atom_count);
    assert_int_equal(image->hydrogen_count, fragment->hydrogen_count);
    for (size_t i = 0; i < fragment->atom_count + fragment->hydrogen_count; i++) {
        assert_float_equal(image->positions[i][0], -fragment->positions[i][0], 1e-9);
        assert_float_equal(image->positions[i][1], fragment->positions[i][1], 1e-9);
        assert_float_equal(image->positions[i][2], fragment->positions[i][2], 1e-9);
    }
    assert_false(knows(store, "[1*][C@](F)(Cl)I"));
    berth_fragment_store_destroy(store);
}

/* --- What ships --- */

/* Deflates a store's file as one ships, and removes it; how many bytes come out. */
static size_t deflate_file(const char *path, unsigned char *deflated, size_t size)
{
    char *bytes = read_file(path);
    const size_t count = size_of(path);
    uLongf left = (uLongf)size - 4;
    assert_int_equal(compress(deflated + 4, &left, (const Bytef *)bytes, (uLong)count), Z_OK);
    for (int i = 0; i < 4; i++) {
        deflated[i] = (unsigned char)(count >> 8 * i);
    }
    free(bytes);
    assert_int_equal(unlink(path), 0);
    return 4 + (size_t)left;
}

static void what_ships_comes_first(void **state)
{
    struct scratch *scratch = *state;
    unsigned char deflated[4096];
    struct berth_error error;
    struct berth_fragment_store_setup setup = {.path = scratch->path, .version = "shipped"};
    struct berth_fragment_store *store;
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_OK);
    add(store, "common", 1.5);
    berth_fragment_store_destroy(store);
    const size_t size = deflate_file(scratch->path, deflated, sizeof deflated);
    setup.version = "2026.9";
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_OK);
    add(store, "common", 1.7); /* before it shipped, say */
    add(store, "rare", 1.7);
    berth_fragment_store_destroy(store);
    setup.shipped = deflated;
    setup.shipped_size = size;
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_OK);
    assert_true(knows(store, "rare"));
    assert_int_equal(berth_fragment_store_count(store), 2);
    assert_float_equal(berth_fragment_store_find(store, "common")->positions[1][0], 1.5 / sqrt(3),
                       1e-6);
    berth_fragment_store_destroy(store);
    deflated[size / 2] ^= 4;
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "that ship with berth are torn"));
}

/* It is of this recipe, whole, and has what nearly every molecule has. */
static void what_ships_can_be_read(void **state)
{
    (void)state;
    const struct berth_fragment_store_setup setup = {.version = "2026.9",
                                                     .shipped = berth_embedded_fragments.text,
                                                     .shipped_size = berth_embedded_fragments.size};
    struct berth_fragment_store *store;
    struct berth_error error;
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_OK);
    assert_true(knows(store, "c1ccccc1") && knows(store, "[1*]C[1*]"));
    berth_fragment_store_destroy(store);
}

/* Processes that append at the same time lose nothing and write nothing twice. */
static void processes_share_a_file(void **state)
{
    enum { PROCESSES = 4, KEYS = 60 };
    struct scratch *scratch = *state;
    char key[32];
    for (int k = 0; k < PROCESSES; k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct berth_fragment_store *store = open_store(scratch->path);
            for (int i = 0; i < KEYS; i++) { /* half of them its own */
                snprintf(key, sizeof key, "key%d-%d", i, i % 2 ? k : 0);
                add(store, key, 1.5);
            }
            berth_fragment_store_destroy(store);
            _exit(0);
        }
    }
    for (int k = 0; k < PROCESSES; k++) {
        int result;
        assert_true(wait(&result) > 0);
        assert_int_equal(result, 0);
    }
    struct berth_fragment_store *store = open_store(scratch->path);
    assert_int_equal(berth_fragment_store_count(store), KEYS / 2 + PROCESSES * KEYS / 2);
    struct berth_bytes record = carbon(1, 1, 1.5);
    const int version = snprintf(key, sizeof key, "2026.9, recipe %d", (int)BERTH_FRAGMENT_RECIPE);
    const size_t head = 8 + 4 + (size_t)version + 4;
    size_t expected = head;
    for (int i = 0; i < KEYS; i++) {
        const int length = snprintf(key, sizeof key, "key%d-%d", i, 0);
        expected += (i % 2 ? PROCESSES : 1) * (12 + (size_t)length + record.count);
    }
    assert_int_equal(size_of(scratch->path), expected);
    berth_bytes_clear(&record);
    berth_fragment_store_destroy(store);
}

/* --- Joining --- */

/* A chain of `count` carbons: CH3, CH2 ..., CH3. */
struct chain {
    struct berth_fragment end, middle;
    const struct berth_fragment *fragments[16];
    uint32_t order[48];
    uint16_t cuts[16][2], caps[32][2];
    struct berth_fragment_parts parts;
    struct berth_molecule molecule;
    struct berth_conformers structures;
};

static void make_chain(struct chain *chain, size_t count, int shapes)
{
    struct berth_bytes end = carbon(1, 1, 1.5), middle = carbon(2, shapes, 1.6);
    assert_int_equal(berth_fragment_read(end.data, end.count, &chain->end, NULL), BERTH_OK);
    assert_int_equal(berth_fragment_read(middle.data, middle.count, &chain->middle, NULL),
                     BERTH_OK);
    size_t order = 0, caps = 0;
    for (size_t i = 0; i < count; i++) {
        chain->fragments[i] = i == 0 || i == count - 1 ? &chain->end : &chain->middle;
        chain->order[order++] = (uint32_t)i;
        for (size_t side = 0; side < 2; side++) {
            const size_t beyond = side ? i + 1 : i - 1; /* SIZE_MAX before the first */
            if (beyond < count) {
                chain->caps[caps][0] = (uint16_t)beyond;
                chain->caps[caps][1] = (uint16_t)i;
                chain->order[order++] = (uint32_t)(count + caps++);
            }
        }
        if (i + 1 < count) {
            chain->cuts[i][0] = (uint16_t)i;
            chain->cuts[i][1] = (uint16_t)(i + 1);
        }
    }
    chain->parts = (struct berth_fragment_parts){.fragments = chain->fragments,
                                                 .fragment_count = count,
                                                 .order = chain->order,
                                                 .order_count = order,
                                                 .atom_count = count,
                                                 .cuts = chain->cuts,
                                                 .cut_count = count - 1,
                                                 .caps = chain->caps,
                                                 .cap_count = caps};
    berth_bytes_clear(&end);
    berth_bytes_clear(&middle);
}

static void clear_result(struct chain *chain)
{
    berth_molecule_clear(&chain->molecule);
    berth_conformers_clear(&chain->structures);
}

static void clear_chain(struct chain *chain)
{
    clear_result(chain);
    berth_fragment_clear(&chain->end);
    berth_fragment_clear(&chain->middle);
}

static enum berth_status join_chain(struct chain *chain, size_t structures, double window,
                                    struct berth_error *error)
{
    return berth_fragments_join(&chain->parts, structures, window, &chain->molecule,
                                &chain->structures, error);
}

/* The torsion angle of four atoms, degrees, without its sign. */
static double torsion(const double (*at)[3], const size_t atoms[4])
{
    double axis[3], u[3], v[3];
    berth_direction(at[atoms[1]], at[atoms[2]], axis);
    berth_direction(at[atoms[1]], at[atoms[0]], u);
    berth_direction(at[atoms[2]], at[atoms[3]], v);
    berth_add_scaled(u, -berth_dot(u, axis), axis, u);
    berth_add_scaled(v, -berth_dot(v, axis), axis, v);
    return berth_angle(u, v);
}

static void joined_bonds_are_as_the_fragments_say(void **state)
{
    (void)state;
    struct chain chain = {.structures = {.count = 0}};
    struct berth_error error;
    make_chain(&chain, 5, 1);
    assert_int_equal(join_chain(&chain, 5, 100, &error), BERTH_OK);
    assert_int_equal(chain.structures.count, 1);
    const struct berth_molecule *molecule = &chain.molecule;
    assert_int_equal(molecule->atom_count, 5 + 12);
    assert_int_equal(molecule->bond_count, 16);
    assert_true(molecule->has_orders);
    const double(*at)[3] = (const double(*)[3])chain.structures.positions;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        const bool hydrogen = molecule->atoms[bond->second].element == 1;
        const bool end = bond->first == 0 || bond->second == 4;
        assert_string_equal(bond->type, "1");
        assert_int_equal(bond->order, 1);
        assert_float_equal(berth_distance(at[bond->first], at[bond->second]),
                           hydrogen ? 1.09
                           : end    ? 1.55 /* the mean of what the two say */
                                    : 1.6,
                           1e-5);
        for (size_t k = 0; k < i; k++) {
            const struct berth_bond *other = &molecule->bonds[k];
            if (other->first == bond->first) {
                assert_float_equal(
                    berth_angle_at(at[bond->second], at[bond->first], at[other->second]), 109.4712,
                    1e-3);
            }
        }
    }
    for (size_t i = 0; i + 3 < 5; i++) {
        const size_t atoms[] = {i, i + 1, i + 2, i + 3};
        assert_float_equal(torsion(at, atoms), 180, 1e-3);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        assert_string_equal(molecule->atoms[i].name, i < 5 ? "C" : "H");
        assert_string_equal(molecule->atoms[i].type, i < 5 ? "C.3" : "H");
        assert_memory_equal(molecule->atoms[i].position, at[i], sizeof at[i]);
    }
    clear_chain(&chain);
}

static void structures_are_the_lowest_combinations_of_shapes(void **state)
{
    (void)state;
    struct chain chain = {.structures = {.count = 0}};
    struct berth_error error;
    make_chain(&chain, 5, 2); /* three fragments of two shapes, 5 kJ/mol apart */
    assert_int_equal(join_chain(&chain, 5, 100, &error), BERTH_OK);
    assert_int_equal(chain.structures.count, 5);
    static const double LOWEST[] = {0, 5, 5, 5, 10};
    for (size_t i = 0; i < 5; i++) {
        assert_float_equal(chain.structures.energies[i], LOWEST[i], 1e-9);
    }
    clear_result(&chain);
    assert_int_equal(join_chain(&chain, 100, 12, &error), BERTH_OK);
    assert_int_equal(chain.structures.count, 7); /* the eighth has 15 kJ/mol */
    clear_chain(&chain);
}

/* Degrees: the largest angle of a structure's chain of five carbons. */
static double widest(const double (*at)[3])
{
    double angle = 0;
    for (size_t i = 0; i + 2 < 5; i++) {
        angle = fmax(angle, berth_angle_at(at[i], at[i + 1], at[i + 2]));
    }
    return angle;
}

/* Short bonds crowd what is beyond: angles open, otherwise where bonds are turned otherwise. */
static void crowded_bonds_are_bent(void **state)
{
    (void)state;
    struct chain chain = {.structures = {.count = 0}};
    struct berth_error error;
    make_chain(&chain, 5, 1);
    for (size_t i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) {
            chain.middle.positions[i][k] *= 0.7F;
        }
    }
    assert_int_equal(join_chain(&chain, 5, 100, &error), BERTH_OK);
    assert_in_range(chain.structures.count, 2, 5);
    const size_t atoms = chain.molecule.atom_count;
    double angles[5] = {0};
    for (size_t i = 0; i < chain.structures.count; i++) {
        const double(*at)[3] = (const double(*)[3])chain.structures.positions + i * atoms;
        angles[i] = widest(at);
        assert_true(angles[i] > 109.5 + 1 && angles[i] < 109.5 + 2 * 12.1);
        assert_float_equal(berth_distance(at[1], at[2]), 1.12, 1e-5);
        assert_float_equal(chain.structures.energies[i], 0, 0);
    }
    assert_true(fabs(angles[1] - angles[0]) > 0.5);
    clear_chain(&chain);
}

static void parts_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (int fault = 0; fault < 7; fault++) {
        struct chain chain = {.structures = {.count = 0}};
        struct berth_error error;
        make_chain(&chain, 5, 1);
        switch (fault) {
        case 0:
            chain.order[0] = 3;
            break; /* an atom twice */
        case 1:
            chain.order[1] = 2;
            break; /* an atom where a cap is */
        case 2:
            chain.order[1] = 100;
            break; /* nothing */
        case 3:
            chain.cuts[0][1] = 3;
            break; /* a bond without caps */
        case 4:
            chain.cuts[1][0] = 500;
            break; /* no atom */
        case 5:
            chain.parts.cut_count--;
            break; /* parts that lie apart */
        default:
            chain.parts.order_count--;
        }
        assert_int_equal(join_chain(&chain, 1, 100, &error), BERTH_E_FORMAT);
        assert_non_null(strstr(error.message, "do not fit each other"));
        clear_chain(&chain);
    }
}

/* Bonds of half the length leave no room at any angle. */
static void what_clashes_is_refused(void **state)
{
    (void)state;
    struct chain chain = {.structures = {.count = 0}};
    struct berth_error error;
    make_chain(&chain, 7, 1);
    for (size_t i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) {
            chain.middle.positions[i][k] *= 0.5F;
        }
    }
    assert_int_equal(join_chain(&chain, 1, 100, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "clash"));
    clear_chain(&chain);
}

/* --- The lock --- */

struct waiting {
    char told[256];
    atomic_bool stop;
};

/* Ends the wait that it is told of. */
static void stop_waiting(void *context, const struct berth_log_line *line)
{
    struct waiting *waiting = context;
    snprintf(waiting->told, sizeof waiting->told, "%s", line->text);
    atomic_store(&waiting->stop, true);
}

/* Another has the file locked: that it is waited for is said, and a stop ends it. */
static void a_lock_is_waited_for(void **state)
{
    struct scratch *scratch = *state;
    struct waiting waiting = {.told = ""};
    const struct berth_log log = {stop_waiting, &waiting};
    const struct berth_fragment_store_setup setup = {
        .path = scratch->path, .version = "2026.9", .log = &log, .stops = {NULL, &waiting.stop}};
    struct berth_fragment_store *store;
    struct berth_error error;
    struct berth_lock lock;
    berth_fragment_store_destroy(open_store(scratch->path));
    const int file = open(scratch->path, O_RDWR);
    assert_int_equal(berth_lock_take(&lock, file, true), 0);
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_E_USAGE);
    assert_non_null(strstr(waiting.told, scratch->path));
    berth_lock_release(&lock);

    atomic_store(&waiting.stop, false);
    *waiting.told = '\0';
    assert_int_equal(berth_fragment_store_create(&setup, &store, &error), BERTH_OK);
    assert_int_equal(berth_lock_take(&lock, file, true), 0);
    add(store, "[1*]C", 1.5); /* in memory alone */
    assert_non_null(strstr(waiting.told, scratch->path));
    berth_lock_release(&lock);
    berth_fragment_store_destroy(store);
    assert_int_equal(size_of(scratch->path), 0);
    close(file);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_read),
        cmocka_unit_test(a_broken_record_is_refused),
        cmocka_unit_test(a_molecule_of_the_worker_is_read),
        cmocka_unit_test(a_broken_molecule_is_refused),
        IN_SCRATCH(what_is_added_comes_back),
        cmocka_unit_test(many_fit),
        IN_SCRATCH(a_torn_tail_is_cut),
        IN_SCRATCH(a_wrong_crc_is_seen),
        IN_SCRATCH(other_files_are_refused),
        cmocka_unit_test(mirror_images_are_known),
        IN_SCRATCH(what_ships_comes_first),
        cmocka_unit_test(what_ships_can_be_read),
        IN_SCRATCH(processes_share_a_file),
        IN_SCRATCH(a_lock_is_waited_for),
        cmocka_unit_test(joined_bonds_are_as_the_fragments_say),
        cmocka_unit_test(structures_are_the_lowest_combinations_of_shapes),
        cmocka_unit_test(crowded_bonds_are_bent),
        cmocka_unit_test(parts_that_do_not_fit_are_refused),
        cmocka_unit_test(what_clashes_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
