/* Memory that runs out, at every allocation in turn: each gives BERTH_E_MEMORY, spoils nothing and
 * leaks nothing (the sanitizers' run sees that).  The linker puts these functions in the place of
 * the library's malloc, calloc and realloc (Makefile). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parallel.h"
#include "chem/torsion.h"
#include "screen/records.h"
#include "dock/source.h"
#include "dock/stream/ligand.h"
#include "dock/typed_receptor.h"
#include "format/output.h"
#include "eval/screen/ligands.h"
#include "report/show.h"
#include "score/flexible.h"

#define FIXTURES "tests/fixtures/screen/"
#define LIGAND   "data/demo/1hpv_ligand.mol2"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

/* Allocations since the scenario began, and the one that fails (from 1; 0: none). */
static size_t allocations, failing;

static bool fails(void)
{
    return ++allocations == failing;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

typedef enum berth_status scenario(struct berth_error *error);

static enum berth_status read_receptor(const char *path, struct berth_error *error)
{
    const struct berth_scoring_choice choice = berth_scoring_published();
    struct berth_typed_receptor receptor;
    const enum berth_status status =
        berth_typed_receptor_read(&choice, path, NULL, NULL, &receptor, error);
    berth_typed_receptor_clear(&receptor);
    return status;
}

static enum berth_status read_mol2_receptor(struct berth_error *error)
{
    return read_receptor(LIGAND, error); /* a small one */
}

static enum berth_status read_brec(struct berth_error *error)
{
    return read_receptor(FIXTURES "receptor.brec", error);
}

/* All molecules of a source, typed by a function. */
static enum berth_status read_source(const char *path, const char *function,
                                     struct berth_error *error)
{
    const struct berth_scoring_choice choice = {.scoring = function};
    struct berth_scoring scoring = {0};
    struct berth_failures failures = {0};
    struct berth_source source = {.path = path, .scoring = &scoring, .failures = &failures};
    bool end = false;
    enum berth_status status = berth_scoring_read(&choice, NULL, &scoring, error);
    if (!status) {
        status = berth_failures_create(NULL, &failures, error);
    }
    if (!status) {
        status = berth_source_open(&source, error);
    }
    while (!status && !end) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        struct berth_flexible flexible = {0};
        status = berth_source_next(&source, &molecule, &heavy, &end, error);
        if (!status && !end) {
            status = berth_flexible_find(&molecule, 4, &flexible, error);
        }
        if (!status && !end) {
            status = berth_flexible_twist(&scoring, &heavy, &flexible, error);
        }
        berth_flexible_clear(&flexible);
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
    }
    berth_source_close(&source);
    berth_scoring_clear(&scoring);
    return status;
}

static enum berth_status read_ligands(struct berth_error *error)
{
    return read_source(LIGAND, "bude", error);
}

static enum berth_status read_library(struct berth_error *error)
{
    return read_source(FIXTURES "library.blib", "bude", error);
}

static enum berth_status read_torsions(struct berth_error *error)
{
    return read_source(LIGAND, "tests/fixtures/scoring/torsional.score", error);
}

/* A ligand of more conformers than it has room for at first, for the devices. */
static enum berth_status add_conformers(const struct berth_scoring *scoring,
                                        const struct berth_molecule *molecule,
                                        const struct berth_heavy_atoms *heavy,
                                        struct berth_error *error)
{
    enum { CONFORMERS = 20 };
    const struct berth_stream_settings settings = {
        .receptors = 1, .flexible = true, .scoring = scoring};
    struct berth_stream_ligand *ligand;
    enum berth_status status = berth_stream_ligand_begin(0, &settings, &ligand, error);
    for (int i = 0; !status && i < CONFORMERS; i++) {
        struct berth_molecule copy = {0};
        const struct berth_stream_conformer conformer = {.heavy = heavy, .molecule = &copy};
        status = berth_molecule_copy(molecule, &copy)
                     ? berth_stream_ligand_add(ligand, &conformer, &settings, error)
                     : berth_fail(error, BERTH_E_MEMORY, "out of memory");
        berth_molecule_clear(&copy);
    }
    berth_stream_ligand_destroy(ligand);
    return status;
}

static enum berth_status make_ligand(struct berth_error *error)
{
    const struct berth_scoring_choice choice = {.scoring = "bude"};
    struct berth_scoring scoring = {0};
    struct berth_source source = {.path = LIGAND, .scoring = &scoring};
    struct berth_molecule molecule = {0};
    struct berth_heavy_atoms heavy = {0};
    bool end;
    enum berth_status status = berth_scoring_read(&choice, NULL, &scoring, error);
    if (!status) {
        status = berth_source_open(&source, error);
    }
    if (!status) {
        status = berth_source_next(&source, &molecule, &heavy, &end, error);
    }
    if (!status) {
        status = add_conformers(&scoring, &molecule, &heavy, error);
    }
    berth_molecule_clear(&molecule);
    berth_heavy_atoms_clear(&heavy);
    berth_source_close(&source);
    berth_scoring_clear(&scoring);
    return status;
}

static enum berth_status read_journals(struct berth_error *error)
{
    static const char *const PATHS[] = {FIXTURES "part1/journal", FIXTURES "part2/journal"};
    struct berth_run_records records = {
        .paths = PATHS, .count = 2, .max_clash = INFINITY, .terms = {.count = 3}};
    bool end = false;
    enum berth_status status = BERTH_OK;
    berth_run_records_rewind(&records, 0);
    while (!status && !end) {
        status = berth_run_records_next(&records, &end, error);
    }
    berth_run_records_clear(&records);
    return status;
}

static enum berth_status write_output(struct berth_error *error)
{
    struct berth_output *output;
    char path[64];
    snprintf(path, sizeof path, "/tmp/berth-test-%ld.csv", (long)getpid());
    enum berth_status status = berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    berth_output_csv(output, "a name, with \x1b", '\n');
    status = berth_output_commit(output, error);
    if (!status) { /* what failed was of no use to the file: looking for leftovers beside it */
        char line[64] = "";
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, "\"a name, with \\x1b\"\n");
        fclose(file);
    }
    remove(path);
    return status;
}

/* optional: some allocations are for what may be left undone. */
static void try_each(scenario *try, bool optional)
{
    struct berth_error error;
    failing = allocations = 0;
    assert_int_equal(try(&error), BERTH_OK);
    const size_t all = allocations;
    assert_true(all > 0);
    for (size_t k = 1; k <= all; k++) {
        failing = k;
        allocations = 0;
        error.message[0] = '\0';
        const enum berth_status status = try(&error);
        failing = 0;
        if (status ? !strstr(error.message, "memory") : !optional) {
            fail_msg("allocation %zu of %zu failed: status %d, \"%s\"", k, all, (int)status,
                     status ? error.message : "");
        }
    }
    allocations = 0;
    assert_int_equal(try(&error), BERTH_OK);
}

/* A table of scores, a list of actives, and what is written. */
enum { SCORES, ACTIVES, SHOWN, TABLES };
static char paths[TABLES][64];

static FILE *open_table(int table, const char *ending)
{
    snprintf(paths[table], sizeof *paths, "/tmp/berth-test-%ld-%d.%s", (long)getpid(), table,
             ending);
    FILE *file = fopen(paths[table], "w");
    assert_non_null(file);
    return file;
}

static void write_tables(void)
{
    FILE *scores = open_table(SCORES, "csv"), *actives = open_table(ACTIVES, "txt");
    fclose(open_table(SHOWN, "json"));
    fprintf(scores, "ligand,score,energy,heavy_atoms\n");
    for (int i = 0; i < 20; i++) {
        fprintf(scores, "'=lig\"\"%d,%d,%d,%d\n", i, i * 7 % 20, -i, 10 + i % 5);
    }
    fprintf(actives, "=lig\"\"3\n=lig\"\"4\n");
    fclose(scores);
    fclose(actives);
}

static void remove_tables(void)
{
    for (int i = 0; i < TABLES; i++) {
        unlink(paths[i]);
    }
}

/* What is read of a screen for Python to evaluate. */
static enum berth_status evaluate(struct berth_error *error)
{
    const struct berth_known_setup actives = {.path = paths[ACTIVES]};
    struct berth_bytes request = {0};
    struct berth_score_table table;
    enum berth_status status =
        berth_score_table_read(paths[SCORES], "score + energy/2", &table, error);
    berth_score_table_put(&table, &request);
    berth_score_table_clear(&table);
    BERTH_THEN(berth_known_put(&actives, "actives", &request, error));
    BERTH_THEN(request.failed ? berth_out_of_memory(error, NULL) : BERTH_OK);
    berth_bytes_clear(&request);
    return status;
}

static enum berth_status show(struct berth_error *error)
{
    const struct berth_show_settings settings = {.results = paths[SCORES],
                                                 .filter = "energy < -2 and heavy_atoms > 10",
                                                 .sort = "energy",
                                                 .top = 5,
                                                 .out = paths[SHOWN],
                                                 .sorted = true};
    return berth_show_write(&settings, error);
}

static void evaluates_a_screen(void **state)
{
    (void)state;
    write_tables();
    try_each(evaluate, false);
    remove_tables();
}

static void shows_a_table(void **state)
{
    (void)state;
    write_tables();
    try_each(show, true);
    remove_tables();
}

static void reads_a_receptor(void **state)
{
    (void)state;
    try_each(read_mol2_receptor, false);
}

static void reads_a_receptor_file(void **state)
{
    (void)state;
    try_each(read_brec, false);
}

static void reads_mol2(void **state)
{
    (void)state;
    try_each(read_ligands, false);
}

static void reads_a_library(void **state)
{
    (void)state;
    try_each(read_library, false);
}

static void finds_dihedrals(void **state)
{
    (void)state;
    try_each(read_torsions, false);
}

static void makes_a_ligand_of_many_conformers(void **state)
{
    (void)state;
    try_each(make_ligand, false);
}

static void reads_journals(void **state)
{
    (void)state;
    try_each(read_journals, false);
}

static void writes_an_output(void **state)
{
    (void)state;
    try_each(write_output, true);
}

static void count_piece(void *context, size_t k)
{
    ((int *)context)[k]++;
}

/* Without memory for threads the caller does all of the work. */
static void works_without_threads(void **state)
{
    (void)state;
    int done[3] = {0};
    allocations = 0;
    failing = 1;
    berth_in_parallel(3, count_piece, done);
    failing = 0;
    assert_true(done[0] == 1 && done[1] == 1 && done[2] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_receptor),     cmocka_unit_test(reads_a_receptor_file),
        cmocka_unit_test(reads_mol2),           cmocka_unit_test(reads_a_library),
        cmocka_unit_test(finds_dihedrals),      cmocka_unit_test(makes_a_ligand_of_many_conformers),
        cmocka_unit_test(reads_journals),       cmocka_unit_test(writes_an_output),
        cmocka_unit_test(evaluates_a_screen),   cmocka_unit_test(shows_a_table),
        cmocka_unit_test(works_without_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
