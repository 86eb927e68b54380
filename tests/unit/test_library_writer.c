/* Writing libraries: what is refused, what a killed run leaves, resuming, merging; and Mol2 records
 * gathered into ligands. */
#include "library_support.h"

#include <signal.h>
#include <sys/wait.h>

/* A scratch folder with the path of a library in it, its partial name, and the forcefield. */
struct fixture {
    char directory[PATH_SIZE], path[PATH_SIZE], part[PATH_SIZE], other[PATH_SIZE];
    struct berth_scoring scoring;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    make_scratch(fixture->directory);
    join(fixture->path, fixture->directory, "x.blib");
    join(fixture->part, fixture->directory, "x.blib.part");
    join(fixture->other, fixture->directory, "y.blib");
    fixture->scoring = built_in();
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    unlink(fixture->path);
    unlink(fixture->part);
    unlink(fixture->other);
    assert_int_equal(rmdir(fixture->directory), 0);
    berth_scoring_clear(&fixture->scoring);
    free(fixture);
    return 0;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void expect_same_file(const char *path, const char *other)
{
    const size_t size = file_size(path);
    assert_int_equal(file_size(other), size);
    char *a = read_file(path), *b = read_file(other);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
}

static void appears_at_commit(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_writer *writer =
        begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    add_series(writer, 0, 3, false);
    assert_true(!exists(fixture->path) && exists(fixture->part));
    assert_int_equal(berth_library_writer_progress(writer).ligands, 3);
    assert_int_equal(berth_library_writer_progress(writer).conformers, 9);
    expect_ok(berth_library_commit(writer, &error), &error);
    assert_true(exists(fixture->path) && !exists(fixture->part));
    expect_whole(fixture->path);
    berth_library_discard(begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield));
    assert_false(exists(fixture->part));
    berth_library_discard(NULL);
    expect_whole(fixture->path);
}

/* Wherever a run is killed, a resumed one gives the file of an uninterrupted one. */
static void resumes_after_any_cut(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_writer *writer =
        begin(fixture->other, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    add_series(writer, 0, 3, true);
    add_series(writer, 3, 6, false);
    expect_ok(berth_library_commit(writer, &error), &error);
    const size_t size = file_size(fixture->other);
    char *bytes = read_file(fixture->other);
    const size_t header = 36 + strlen("built-in") + strlen("a test") + 4;
    /* Behind the header, inside and behind blocks, in index and trailer. */
    const size_t cuts[] = {0,        header,   header + 1, size / 6, size / 3,
                           size / 2, size - 7, size - 100, size};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        write_file(fixture->part, bytes, cuts[i]);
        writer = begin(fixture->path, BERTH_LIBRARY_RESUME, &fixture->scoring.forcefield);
        struct berth_library_progress progress = berth_library_writer_progress(writer);
        assert_int_equal(progress.consumed, progress.ligands);
        assert_in_range(progress.ligands, 0, 6);
        assert_true(cuts[i] < size - 100 || progress.ligands == 6);
        assert_true(cuts[i] > header || progress.ligands == 0);
        assert_int_equal(progress.kept, progress.ligands);
        assert_int_equal(file_size(fixture->part), progress.bytes);
        if (progress.ligands < 3) {
            add_series(writer, progress.ligands, 3, true);
            progress.ligands = 3;
        }
        add_series(writer, progress.ligands, 6, false);
        expect_ok(berth_library_commit(writer, &error), &error);
        expect_same_file(fixture->path, fixture->other);
    }
    /* A block that the disk spoiled ends what is kept. */
    bytes[size / 2] ^= 1;
    write_file(fixture->part, bytes, size);
    writer = begin(fixture->path, BERTH_LIBRARY_RESUME, &fixture->scoring.forcefield);
    assert_in_range(berth_library_writer_progress(writer).ligands, 1, 2);
    expect_ok(berth_library_keep(writer, &error), &error);
    assert_true(exists(fixture->part));
    free(bytes);
}

static void a_killed_run_leaves_its_blocks(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct berth_library_writer *writer =
            begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
        add_series(writer, 0, 2, true);
        add_series(writer, 2, 3, false);
        raise(SIGKILL);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_true(!exists(fixture->path) && exists(fixture->part));
    struct berth_library_writer *writer;
    const struct berth_library_setup again = {.path = fixture->path,
                                              .forcefield = &fixture->scoring.forcefield,
                                              .mode = BERTH_LIBRARY_NEW};
    assert_int_equal(berth_library_create(&again, &writer, &error), BERTH_E_IO);
    assert_string_equal(error.option, "resume");
    writer = begin(fixture->path, BERTH_LIBRARY_RESUME, &fixture->scoring.forcefield);
    struct berth_library_progress progress = berth_library_writer_progress(writer);
    assert_int_equal(progress.ligands, 2);
    assert_int_equal(progress.consumed, 2);
    expect_ok(berth_library_commit(writer, &error), &error);
    expect_whole(fixture->path);
}

/* A record of so many ligands that they fill several blocks: one that ends inside it is not kept,
 * for nobody could tell which of the record's ligands are in it. */
static void a_record_is_kept_as_a_whole(void **state)
{
    enum { LIGANDS = 70 };
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_ligand ligand = make_ligand("large", 30, 50000 / 30);
    struct berth_library_writer *writer =
        begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    expect_ok(berth_library_add(writer, &ligand, 1, &error), &error);
    for (size_t i = 0; i < LIGANDS; i++) {
        expect_ok(berth_library_add(writer, &ligand, 2, &error), &error);
    }
    assert_in_range(berth_library_writer_progress(writer).kept, 2, LIGANDS);
    expect_ok(berth_library_keep(writer, &error), &error);
    writer = begin(fixture->path, BERTH_LIBRARY_RESUME, &fixture->scoring.forcefield);
    assert_int_equal(berth_library_writer_progress(writer).ligands, 1);
    assert_int_equal(berth_library_writer_progress(writer).consumed, 1);
    for (size_t i = 0; i < LIGANDS; i++) {
        expect_ok(berth_library_add(writer, &ligand, 2, &error), &error);
    }
    expect_ok(berth_library_add(writer, &ligand, 3, &error), &error);
    expect_ok(berth_library_keep(writer, &error), &error);
    writer = begin(fixture->path, BERTH_LIBRARY_RESUME, &fixture->scoring.forcefield);
    assert_int_equal(berth_library_writer_progress(writer).ligands, 1 + LIGANDS);
    assert_int_equal(berth_library_writer_progress(writer).consumed, 2);
    expect_ok(berth_library_commit(writer, &error), &error);
    expect_whole(fixture->path);
    berth_library_ligand_clear(&ligand);
}

/* Adds small ligands, which consume the records first .. last - 1 and fill no block. */
static void add_small(struct berth_library_writer *writer, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        struct berth_error error;
        struct berth_library_ligand ligand = make_ligand("small", 4 + i % 7, 1);
        expect_ok(berth_library_add(writer, &ligand, i + 1, &error), &error);
        berth_library_ligand_clear(&ligand);
    }
}

/* What is in whole blocks is kept, and no more: a block that was being filled would end elsewhere
 * than that of an uninterrupted run. */
static void a_stopped_run_keeps_whole_blocks(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_writer *writer =
        begin(fixture->other, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    add_small(writer, 0, BERTH_LIBRARY_CHUNK + 4);
    expect_ok(berth_library_commit(writer, &error), &error);
    writer = begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    add_small(writer, 0, BERTH_LIBRARY_CHUNK);
    assert_int_equal(berth_library_writer_progress(writer).kept, 0);
    add_small(writer, BERTH_LIBRARY_CHUNK, BERTH_LIBRARY_CHUNK + 2);
    assert_int_equal(berth_library_writer_progress(writer).ligands, BERTH_LIBRARY_CHUNK + 2);
    assert_int_equal(berth_library_writer_progress(writer).kept, BERTH_LIBRARY_CHUNK);
    expect_ok(berth_library_keep(writer, &error), &error);
    writer = begin(fixture->path, BERTH_LIBRARY_RESUME, &fixture->scoring.forcefield);
    assert_int_equal(berth_library_writer_progress(writer).ligands, BERTH_LIBRARY_CHUNK);
    assert_int_equal(berth_library_writer_progress(writer).consumed, BERTH_LIBRARY_CHUNK);
    add_small(writer, BERTH_LIBRARY_CHUNK, BERTH_LIBRARY_CHUNK + 4);
    expect_ok(berth_library_commit(writer, &error), &error);
    expect_same_file(fixture->path, fixture->other);
}

/* True where the file that is being written is refused. */
static bool is_refused(const struct fixture *fixture, enum berth_library_mode mode)
{
    struct berth_error error;
    struct berth_library_writer *second;
    const struct berth_library_setup setup = {.path = fixture->path,
                                              .forcefield = &fixture->scoring.forcefield,
                                              .note = "a test",
                                              .mode = mode};
    return berth_library_create(&setup, &second, &error) == BERTH_E_IO &&
           strstr(error.message, ".part: another process") != NULL;
}

/* Nor two writers of one process, of threads say. */
static void two_processes_do_not_mix(void **state)
{
    struct fixture *fixture = *state;
    struct berth_library_writer *writer =
        begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    assert_true(is_refused(fixture, BERTH_LIBRARY_RESUME));
    assert_true(is_refused(fixture, BERTH_LIBRARY_NEW));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(is_refused(fixture, BERTH_LIBRARY_RESUME) ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    berth_library_discard(writer);
}

static void resumes_only_what_is_the_same(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_writer *writer =
        begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    expect_ok(berth_library_keep(writer, &error), &error);
    struct berth_library_setup setup = {.path = fixture->path,
                                        .forcefield = &fixture->scoring.forcefield,
                                        .note = "another test",
                                        .mode = BERTH_LIBRARY_RESUME};
    assert_int_equal(berth_library_create(&setup, &writer, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message,
                           "x.blib.part: begun in another way (a test); give the same "
                           "options and inputs, or remove the file"));
    setup.note = "a test";
    fixture->scoring.forcefield.types[0].radius += 1e-9;
    assert_int_equal(berth_library_create(&setup, &writer, &error), BERTH_E_FORMAT);
    assert_non_null(
        strstr(error.message, "begun with another forcefield, built-in; give that one"));
    write_file(fixture->part, "text", 4);
    assert_int_equal(berth_library_create(&setup, &writer, &error), BERTH_E_FORMAT);
    setup.mode = BERTH_LIBRARY_REPLACE;
    expect_ok(berth_library_create(&setup, &writer, &error), &error);
    berth_library_discard(writer);
}

static void refuses_paths(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_writer *writer;
    struct berth_library_setup setup = {.path = "-", .forcefield = &fixture->scoring.forcefield};
    assert_int_equal(berth_library_create(&setup, &writer, &error), BERTH_E_USAGE);
    assert_string_equal(error.message,
                        "a library cannot be written to standard output; name a file");
    setup.path = fixture->directory;
    assert_int_equal(berth_library_create(&setup, &writer, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, fixture->directory));
    setup.path = "/nowhere/x.blib";
    assert_int_equal(berth_library_create(&setup, &writer, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/nowhere/x.blib.part: "));
    setup.path = fixture->path;
    setup.forcefield = NULL;
    assert_int_equal(berth_library_create(&setup, &writer, &error), BERTH_E_USAGE);
}

/* Each is refused with its reason, and the writer goes on. */
static void refuses_ligands(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_writer *writer =
        begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    static const char *const MESSAGES[] = {
        "ligand bad: it has no name or no conformer; give it both",
        "ligand bad: 0 heavy atoms; a ligand has 1 to 20000",
        "ligand bad: its conformers differ in atoms or bonds; split them",
        "ligand bad: a coordinate is beyond 10000 Å or no number; correct it",
        "ligand bad: a coordinate is beyond 10000 Å or no number; correct it",
        "ligand bad: its atoms lie more than 1000 Å apart; correct it",
        "ligand bad: a strain is beyond 100000 kJ/mol; correct it",
        "ligand bad: a bond or torsion names an atom that cannot be; correct it",
        "ligand bad: a bond or torsion names an atom that cannot be; correct it",
        "ligand bad: a bond or torsion names an atom that cannot be; correct it"};
    for (size_t i = 0; i < sizeof MESSAGES / sizeof *MESSAGES; i++) {
        struct berth_library_ligand ligand = make_ligand("bad", 5, 2);
        struct berth_molecule *second = &ligand.ligand.conformers[1];
        switch (i) {
        case 0:
            for (int c = 0; c < 2; c++) {
                berth_molecule_clear(&ligand.ligand.conformers[c]);
            }
            ligand.ligand.conformer_count = 0;
            break;
        case 1:
            for (int k = 0; k < 10; k++) {
                ligand.ligand.conformers[0].atoms[k].heavy = false;
            }
            break;
        case 2:
            second->bond_count--;
            break;
        case 3:
            second->atoms[9].position[2] = (double)NAN;
            break;
        case 4:
            second->atoms[9].position[2] = -10000.001;
            break;
        case 5:
            second->atoms[9].position[2] = 1100;
            break;
        case 6:
            ligand.strains[1] = 100001;
            break;
        case 7:
            ligand.ligand.conformers[0].bonds[0].second = 10;
            break;
        case 8:
            ligand.tree.torsions[1].second = 3; /* a hydrogen */
            break;
        default:
            ligand.tree.moved[1] = 77;
        }
        assert_int_equal(berth_library_add(writer, &ligand, 1, &error), BERTH_E_FORMAT);
        assert_string_equal(error.message, MESSAGES[i]);
        berth_library_ligand_clear(&ligand);
    }
    struct berth_library_ligand ligand = make_ligand("typed", 5, 2);
    strcpy(ligand.ligand.conformers[0].atoms[2].type, "Zz");
    assert_int_equal(berth_library_add(writer, &ligand, 1, &error), BERTH_E_TYPE);
    berth_library_ligand_clear(&ligand);
    add_series(writer, 0, 1, false);
    expect_ok(berth_library_commit(writer, &error), &error);
    struct berth_library_reader *reader = open_library(fixture->path);
    assert_int_equal(berth_library_info(reader).ligands, 1);
    berth_library_close(reader);
    expect_whole(fixture->path);
}

static void merges_in_order(void **state)
{
    struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_library_writer *writer =
        begin(fixture->path, BERTH_LIBRARY_NEW, &fixture->scoring.forcefield);
    add_series(writer, 0, 2, true);
    add_series(writer, 2, 4, false);
    expect_ok(berth_library_commit(writer, &error), &error);
    const char *const paths[] = {fixture->path, fixture->path, fixture->path};
    struct berth_library_progress progress;
    expect_ok(berth_libraries_merge(fixture->other, paths, 3, &progress, &error), &error);
    assert_int_equal(progress.ligands, 12);
    expect_whole(fixture->other);
    struct berth_library_reader *reader = open_library(fixture->other);
    assert_string_equal(berth_library_info(reader).note,
                        "merged from 3, the first made by: a test");
    for (uint64_t i = 0; i < 12; i++) {
        char name[32];
        struct berth_library_ligand ligand;
        snprintf(name, sizeof name, "ligand%d", (int)(i % 4));
        expect_ok(berth_library_fetch(reader, i, &ligand, &error), &error);
        assert_string_equal(ligand.ligand.name, name);
        berth_library_ligand_clear(&ligand);
    }
    berth_library_close(reader);
    /* Of another version, or corrupt: nothing is written. */
    char joint[PATH_SIZE];
    join(joint, fixture->directory, "joint.blib");
    const size_t size = file_size(fixture->path);
    char *bytes = read_file(fixture->path);
    bytes[8] = 1;
    write_file(fixture->path, bytes, size);
    assert_int_equal(berth_libraries_merge(joint, paths, 2, &progress, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "x.blib: version 1 "));
    bytes[8] = 2;
    bytes[1000] ^= 1;
    write_file(fixture->path, bytes, size);
    free(bytes);
    assert_int_equal(berth_libraries_merge(joint, paths, 2, &progress, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "x.blib: block 0 at byte 54 (ligands 0 to 0): "));
    assert_false(exists(joint));
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {WITH_FIXTURE(appears_at_commit),
                                       WITH_FIXTURE(resumes_after_any_cut),
                                       WITH_FIXTURE(a_killed_run_leaves_its_blocks),
                                       WITH_FIXTURE(a_stopped_run_keeps_whole_blocks),
                                       WITH_FIXTURE(a_record_is_kept_as_a_whole),
                                       WITH_FIXTURE(two_processes_do_not_mix),
                                       WITH_FIXTURE(resumes_only_what_is_the_same),
                                       WITH_FIXTURE(refuses_paths),
                                       WITH_FIXTURE(refuses_ligands),
                                       WITH_FIXTURE(merges_in_order)};
    return cmocka_run_group_tests_name("library writer", tests, NULL, NULL);
}
