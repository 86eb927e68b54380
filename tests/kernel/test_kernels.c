/* Every kernel on every OpenCL device present, in many variants, and that planted faults are
 * noticed, by the users' selftest, too.  The seed is fresh and printed; BERTH_TEST_SEED repeats
 * one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check/selftest.h"
#include "checks/checks.h"
#include "score/forcefield.h"
#include "score/score_ref.h"
#include "support/faults.h"
#include "support/slice.h"

enum {
    ALL_KERNELS = 25,
    OTHER_KERNELS = 20, /* than those with large ligands or restraints */
    MAPPED_KERNELS = 3,
    LARGE_KERNELS = 3,
    USER_CHECKS = 19,
    OTHER_CHECKS = 14
};

/* What all tests share. */
struct fixture {
    struct berth_devices devices;
    struct berth_scoring scoring;
    uint64_t seed;
};

/* What a selftest reported. */
struct outcome {
    char failures[2048];
    size_t passed;
};

static void take_report(void *context, const char *kernel, const char *failure)
{
    struct outcome *outcome = context;
    if (!failure) {
        outcome->passed++;
        return;
    }
    const size_t used = strlen(outcome->failures);
    snprintf(outcome->failures + used, sizeof outcome->failures - used, "[%s] %s\n", kernel,
             failure);
}

static const struct berth_scoring_choice BUDE = {.scoring = "bude"};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct berth_error error;
    const char *seed = getenv("BERTH_TEST_SEED");
    if (!fixture || berth_devices_enumerate("all", NULL, &fixture->devices, &error) ||
        berth_scoring_read(&BUDE, NULL, &fixture->scoring, &error)) {
        return -1;
    }
    fixture->seed = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    print_message("# seed %llu\n", (unsigned long long)fixture->seed);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    berth_devices_clear(&fixture->devices);
    berth_scoring_clear(&fixture->scoring);
    free(fixture);
    return 0;
}

/* What a selftest is run with. */
struct trial {
    const struct berth_scoring *scoring;
    const struct berth_variant *variant;
    const char *only; /* NULL: all */
    bool user;        /* what `berth selftest` does, and no kernel alone */
};

static struct outcome run(const struct fixture *fixture, const struct berth_device *device,
                          const struct trial *trial)
{
    struct outcome outcome = {.passed = 0};
    struct berth_error error = {0};
    size_t failed = 0;
    const struct berth_selftest_setup setup = {.device = device,
                                               .variant =
                                                   berth_variant_with(device, trial->variant),
                                               .only = trial->only,
                                               .scoring = trial->scoring,
                                               .seed = fixture->seed,
                                               .report = take_report,
                                               .context = &outcome};
    if ((trial->user ? berth_selftest_run : checks_run)(&setup, &failed, &error)) {
        fail_msg("%s: %s", device->name, error.message);
    }
    return outcome;
}

static bool can_do(const struct berth_device *device, const struct berth_variant *given)
{
    const struct berth_variant variant = berth_variant_with(device, given);
    struct berth_error error;
    return berth_variant_check(&variant, device, &error) == BERTH_OK;
}

/* The trial passes on every device that can do its variant, with so many kernels. */
static void try_all(const struct fixture *fixture, const struct trial *trial, size_t kernels)
{
    for (size_t i = 0; i < fixture->devices.count; i++) {
        const struct berth_device *device = &fixture->devices.devices[i];
        if (!can_do(device, trial->variant)) {
            continue;
        }
        const struct outcome outcome = run(fixture, device, trial);
        if (*outcome.failures) {
            fail_msg("%s, seed %llu: %s", device->name, (unsigned long long)fixture->seed,
                     outcome.failures);
        }
        assert_int_equal(outcome.passed, kernels);
    }
}

/* Kernels whose names begin with `only` (NULL: all) pass in the variant; so many there are. */
static void expect_pass(const struct fixture *fixture, const struct berth_variant *given,
                        const char *only, size_t kernels)
{
    const struct trial trial = {&fixture->scoring, given, only, false};
    try_all(fixture, &trial, kernels);
}

/* The checks that begin with these names (the last is NULL) pass; so many there are in all. */
static void expect_parts(const struct fixture *fixture, struct trial trial,
                         const char *const *names, size_t count)
{
    const struct berth_device *device = &fixture->devices.devices[0];
    size_t passed = 0;
    for (; *names; names++) {
        trial.only = *names;
        const struct outcome outcome = run(fixture, device, &trial);
        if (*outcome.failures) {
            fail_msg("%s, seed %llu: %s", device->name, (unsigned long long)fixture->seed,
                     outcome.failures);
        }
        passed += outcome.passed;
    }
    assert_int_equal(passed, count);
}

/* Without large ligands and restraints, which take a compiler as long as all the others and differ
 * from them in little (test_all_kernels). */
static void test_default_variant(void **state)
{
    static const char *const OTHERS[] = {
        "philox", "pair", "energy", "generation", "evolve", "metropolis", "select",
        "refine", "make", "mapped", "find",       "score",  "densities",  NULL};
    const struct fixture *fixture = *state;
    const struct berth_variant unset = berth_variant_unset();
    const struct trial trial = {&fixture->scoring, &unset, NULL, false};
    expect_parts(fixture, trial, OTHERS, OTHER_KERNELS);
    expect_pass(fixture, &unset, "docking", 1);
}

static void test_all_kernels(void **state)
{
    const struct berth_variant unset = berth_variant_unset();
    expect_pass(*state, &unset, NULL, ALL_KERNELS);
}

/* The widest vectors that the fixture's CPUs have. */
static int widest(const struct fixture *fixture)
{
    int width = 16;
    for (size_t i = 0; i < fixture->devices.count; i++) {
        const struct berth_device *device = &fixture->devices.devices[i];
        if (device->kind == BERTH_DEVICE_CPU && (int)device->vector_width < width) {
            width = (int)device->vector_width;
        }
    }
    return width;
}

/* The energies in all widths that the devices have; all kernels as a GPU has them, too.  (In 4 and
 * 8 lanes: tests/cli/test_older_cpu.sh.) */
static void test_vector_widths(void **state)
{
    for (int width = 1; width <= widest(*state); width *= 2) {
        struct berth_variant variant = berth_variant_unset();
        variant.vector_width = width;
        variant.ppwi = width == 4 ? 3 : 1;
        expect_pass(*state, &variant, width == 1 ? NULL : "energy", width == 1 ? ALL_KERNELS : 2);
    }
}

/* A variant that a device cannot build is refused, with the reason: no compiler is asked. */
static void test_refuses_what_a_device_lacks(void **state)
{
    struct berth_device device = {.kind = BERTH_DEVICE_CPU,
                                  .name = "narrow",
                                  .platform = "a CPU's",
                                  .work_group_size = 4096,
                                  .local_memory = 65536,
                                  .vector_width = 8};
    struct berth_variant variant = berth_variant_default(&device);
    struct berth_error error;
    (void)state;
    assert_int_equal(variant.vector_width, 8);
    assert_int_equal(berth_variant_check(&variant, &device, &error), BERTH_OK);
    variant.vector_width = 16;
    assert_int_equal(berth_variant_check(&variant, &device, &error), BERTH_E_USAGE);
    assert_string_equal(error.message, "vector width 16: narrow has vectors of 8 floats");
    device.kind = BERTH_DEVICE_GPU;
    assert_int_equal(berth_variant_check(&variant, &device, &error), BERTH_OK);
    device.scalar = true;
    assert_int_equal(berth_variant_check(&variant, &device, &error), BERTH_E_USAGE);
    variant.vector_width = 1;
    assert_int_equal(berth_variant_check(&variant, &device, &error), BERTH_OK);
    variant.square_root = 3;
    assert_int_equal(berth_variant_check(&variant, &device, &error), BERTH_E_USAGE);
    assert_string_equal(error.message, "square root 3: narrow is no GPU of NVIDIA's");
}

static void test_work_groups_and_tiles(void **state)
{
    static const int SIZES[][2] = {{1, 0}, {32, 64}, {7, 50}, {64, 1024}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        struct berth_variant variant = berth_variant_unset();
        variant.wgsize = SIZES[i][0];
        expect_pass(*state, &variant, "energy", 2);
        variant.tile = SIZES[i][1];
        variant.lists = 0;
        expect_pass(*state, &variant, "energy", 2);
    }
}

/* A selection by many work-items, as on a GPU, of whatever width. */
static void test_selecting_work_groups(void **state)
{
    static const int SIZES[][2] = {{256, 1}, {7, 4}, {1, 1}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        struct berth_variant variant = berth_variant_unset();
        variant.select_wgsize = SIZES[i][0];
        variant.vector_width = SIZES[i][1] < widest(*state) ? SIZES[i][1] : widest(*state);
        expect_pass(*state, &variant, "select", 3);
    }
}

/* Each value of each choice, though not all combinations: a build takes seconds on a CPU. */
static void test_arithmetic(void **state)
{
    for (int i = 0; i < 3; i++) {
        struct berth_variant variant = berth_variant_unset();
        variant.expanded = i & 1;
        variant.saturate = i < 2;
        variant.square_root = i;
        variant.unroll = 1 + i;
        expect_pass(*state, &variant, "energy", 2);
    }
}

/* Atoms in lanes of any width, poses shared by any number of work-items, with and without lists. */
static void test_refinement(void **state)
{
    static const char *const VARIANTS[] = {"vector_width=1 refine_wgsize=32",
                                           "vector_width=2 refine_wgsize=5 lists=0 tile=50",
                                           "vector_width=4 ppwi=1"};
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        struct berth_variant variant = berth_variant_unset();
        struct berth_error error;
        assert_int_equal(berth_variant_parse(VARIANTS[i], &variant, &error), BERTH_OK);
        expect_pass(*state, &variant, "refine", 3);
    }
}

/* Ligands that no local memory holds, up to the largest: as a GPU has them, and in tiles of the
 * receptor, too.  (As a CPU has them: test_default_variant.) */
static void test_large_ligands(void **state)
{
    static const char *const VARIANTS[] = {
        "vector_width=1 ppwi=2 wgsize=32 refine_wgsize=32 expanded=1",
        "vector_width=4 refine_wgsize=5 wgsize=7 lists=0 tile=50"};
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        struct berth_variant variant = berth_variant_unset();
        struct berth_error error;
        assert_int_equal(berth_variant_parse(VARIANTS[i], &variant, &error), BERTH_OK);
        expect_pass(*state, &variant, "large", LARGE_KERNELS);
    }
}

/* A function's pairs, energies and gradients on all devices. */
static void expect_function(const struct fixture *fixture, const char *name, const char *variant)
{
    static const struct {
        const char *kernels;
        size_t count;
    } CHECKS[] = {{"pair", 1}, {"energy", 2}, {"refine", 3}};
    const struct berth_scoring_choice choice = {.scoring = name};
    struct berth_variant given = berth_variant_unset();
    struct berth_scoring scoring;
    struct berth_error error;
    if (berth_variant_parse(variant, &given, &error) ||
        berth_scoring_read(&choice, NULL, &scoring, &error)) {
        fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS; i++) {
        const struct trial trial = {&scoring, &given, CHECKS[i].kernels, false};
        try_all(fixture, &trial, CHECKS[i].count);
    }
    berth_scoring_clear(&scoring);
}

/* As CPUs and GPUs take them: clamps that are free, or not; x86's estimate of a root. */
static void test_functions(void **state)
{
    static const char *const FUNCTIONS[][2] = {
        {"plp", ""},
        {"tests/fixtures/scoring/far.score", ""},
        {"plp", "lists=0 tile=50 vector_width=4 square_root=2"},
        {"vina", ""},
        {"vina", "vector_width=1 ppwi=2 wgsize=32 refine_wgsize=32 saturate=1"},
        {"vinardo", "vector_width=8 ppwi=2 square_root=2"}};
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        expect_function(*state, FUNCTIONS[i][0], FUNCTIONS[i][1]);
    }
}

/* Each .score file of the folder: a function more takes nothing but its file. */
static void test_functions_of_users(void **state)
{
    static const char FOLDER[] = "tests/fixtures/scoring";
    static const char *const VARIANTS[] = {"square_root=2", "lists=0 saturate=1 vector_width=4"};
    DIR *folder = opendir(FOLDER);
    size_t count = 0;
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[300];
        if (strstr(entry->d_name, ".score")) {
            snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
            expect_function(*state, path, VARIANTS[count++ % 2]);
        }
    }
    closedir(folder);
    assert_true(count >= 2);
}

/* Maps and the search on them as CPUs and GPUs take them, in each way by a function of another
 * kind. */
static void test_search_on_maps(void **state)
{
    static const char *const WAYS[][2] = {
        {"plp", ""},
        {"vina", "vector_width=1 refine_wgsize=1"},
        {"tests/fixtures/scoring/torsional.score", "vector_width=1 refine_wgsize=32"},
        {"bude", "vector_width=2 refine_wgsize=3 lists=0 tile=50"}};
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        const struct berth_scoring_choice choice = {.scoring = WAYS[i][0]};
        struct berth_variant variant = berth_variant_unset();
        struct berth_scoring scoring;
        struct berth_error error;
        assert_int_equal(berth_variant_parse(WAYS[i][1], &variant, &error), BERTH_OK);
        assert_int_equal(berth_scoring_read(&choice, NULL, &scoring, &error), BERTH_OK);
        const struct trial maps = {&scoring, &variant, "make_maps", false};
        const struct trial search = {&scoring, &variant, "mapped", false};
        try_all(*state, &maps, 1);
        try_all(*state, &search, MAPPED_KERNELS);
        berth_scoring_clear(&scoring);
    }
}

/* Each check, names with blanks between, fails: by one of a few seeds, since random inputs may be
 * such that a fault makes no difference (one in ten, of the user's restrained refinement). */
static void expect_failures(const struct fixture *fixture, const struct berth_scoring *scoring,
                            const char *checks, bool user)
{
    enum { SEEDS = 4 };
    const struct berth_variant unset = berth_variant_unset();
    char name[64], line[70];
    int length;
    for (const char *at = checks; sscanf(at, " %63s%n", name, &length) == 1; at += length) {
        const struct trial trial = {scoring, &unset, name, user};
        struct fixture seeded = *fixture;
        bool noticed = false;
        snprintf(line, sizeof line, "[%s]", name);
        for (int i = 0; i < SEEDS && !noticed; i++) {
            seeded.seed = fixture->seed + (uint64_t)i;
            const struct outcome outcome = run(&seeded, &fixture->devices.devices[0], &trial);
            noticed = strstr(outcome.failures, line) != NULL;
        }
        if (!noticed) {
            fail_msg("%s passed%s", name, user ? " in the selftest" : "");
        }
    }
}

/* Kernels that compute wrongly (tests/faults): several faults in a program, each in kernels of its
 * own, so that a program does for all of them; the checks of these kernels, and those of the
 * selftest that are to notice the fault in what users do. */
static void expect_noticed(const struct fixture *fixture, const struct berth_scoring *scoring,
                           const char *faults, const char *kernels, const char *user)
{
    if (!faults_plant(faults)) {
        fail_msg("%s: no such fault", faults);
    }
    print_message("# %s\n", faults);
    expect_failures(fixture, scoring, kernels, false);
    expect_failures(fixture, scoring, user, true);
    if (!faults_planted()) {
        fail_msg("the text of one of the faults %s is not in the kernels", faults);
    }
    faults_plant(NULL);
}

/* Of a test that failed, too: those after it are to fail for reasons of their own. */
static int remove_faults(void **state)
{
    (void)state;
    return faults_plant(NULL) ? 0 : -1;
}

/* Where a search begins too many descents users do not see it. */
static void test_faults_are_noticed(void **state)
{
    static const char *const FAULTS[][3] = {
        {"generation_zero,look_up,refine,make_maps,distinct,starts,density",
         "generation_zero mapped_generation refine make_maps mapped_recombine mapped_choose "
         "find_starts score_starts densities",
         "selection map_slopes refinement maps map_search starts"},
        {"evolve,inner,strain,refine_begin,pairs",
         "evolve mapped_generation refine refine_begin pair_table",
         "evolution map_search refinement pairs"},
        {"metropolis,mapped_metropolis", "metropolis mapped_generation", "evolution map_search"},
        {"select_bins,closing", "select_bins mapped_generation", "selection map_search"},
        {"select_merge,torques,child", "select_merge mapped_generation refine mapped_recombine",
         "selection map_slopes refinement map_search"},
        {"select_parents,walls,beside,nearby",
         "select_parents mapped_generation refine mapped_choose", "selection map_search"},
        {"energy,mapped_choose,centre",
         "energy energy_terms large_energy mapped_choose large_refine",
         "energy energy_terms large_energy map_search large_refinement"},
        {"philox,lists,refine_again,still", "philox_words energy refine_again mapped_generation",
         "random_numbers energy"},
        {"restraint", "restrained_refine restrained_generation", "restrained_refinement"},
        {"core", "", "core_starts"},
        {"hanging", "", "hanging_search"}};
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        expect_noticed(fixture, &fixture->scoring, FAULTS[i][0], FAULTS[i][1], FAULTS[i][2]);
    }
}

/* A function with a torsional term on maps, and broken kernels that only such a one has. */
static void test_torsional_term(void **state)
{
    const struct berth_scoring_choice choice = {.scoring =
                                                    "tests/fixtures/scoring/torsional.score"};
    const struct fixture *fixture = *state;
    const struct berth_variant unset = berth_variant_unset();
    struct berth_scoring scoring;
    struct berth_error error;
    assert_int_equal(berth_scoring_read(&choice, NULL, &scoring, &error), BERTH_OK);
    const struct trial search = {&scoring, &unset, "mapped", false};
    try_all(fixture, &search, MAPPED_KERNELS);
    expect_noticed(fixture, &scoring, "torsional", "mapped_generation", "refinement");
    expect_noticed(fixture, &scoring, "twist", "refine", "refinement");
    berth_scoring_clear(&scoring);
}

/* What users run passes as it is, by the function whose kernels are there, without large ligands
 * and restraints. */
static void test_selftest(void **state)
{
    static const char *const OTHERS[] = {"random",    "pairs",   "energy", "selection",
                                         "evolution", "map",     "starts", "refinement",
                                         "core",      "hanging", NULL};
    const struct berth_variant unset = berth_variant_unset();
    const struct fixture *fixture = *state;
    const struct trial trial = {&fixture->scoring, &unset, NULL, true};
    expect_parts(fixture, trial, OTHERS, OTHER_CHECKS);
}

/* All of it, for a function of each kind. */
static void test_selftest_of_functions(void **state)
{
    static const char *const SCORINGS[] = {"bude", "vina",
                                           "tests/fixtures/scoring/torsional.score"};
    const struct berth_variant unset = berth_variant_unset();
    for (size_t i = 0; i < sizeof SCORINGS / sizeof *SCORINGS; i++) {
        const struct berth_scoring_choice choice = {.scoring = SCORINGS[i]};
        struct berth_scoring scoring;
        struct berth_error error;
        assert_int_equal(berth_scoring_read(&choice, NULL, &scoring, &error), BERTH_OK);
        const struct trial trial = {&scoring, &unset, NULL, true};
        try_all(*state, &trial, USER_CHECKS);
        berth_scoring_clear(&scoring);
    }
}

static void test_refused_build_shows_the_log(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_context *context;
    struct berth_program *program;
    struct berth_error error;
    const struct berth_device *device = &fixture->devices.devices[0];
    const struct berth_variant variant = berth_variant_default(device);
    assert_int_equal(berth_context_create(device, &context, &error), BERTH_OK);
    assert_int_equal(berth_variant_build(context, &variant, &fixture->scoring,
                                         "-DBERTH_PPWI=banana", &program, &error),
                     BERTH_E_DEVICE);
    assert_null(program);
    assert_non_null(strstr(error.message, "refused to build the kernels"));
    assert_non_null(strstr(error.message, "banana"));
    berth_context_destroy(context);
}

/* Drivers' warnings are ours to mend.  NVIDIA's remark on every kernel ("overriding noinline
 * attribute") is about its own compiler. */
static void expect_no_warning(const struct berth_device *device, const char *log)
{
    for (const char *line = log; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) : strlen(line);
        const char *remark = strstr(line, "overriding noinline attribute");
        if (length && !(remark && remark < line + length)) {
            fail_msg("%s: %s", device->name, log);
        }
    }
}

/* In the default's vectors, and in the narrowest. */
static void test_build_has_no_warnings(void **state)
{
    const struct fixture *fixture = *state;
    setenv("BERTH_CACHE_DIR", "", 1); /* what comes from the cache has no log */
    for (size_t i = 0; i < 2 * fixture->devices.count; i++) {
        struct berth_context *context;
        struct berth_program *program;
        struct berth_error error;
        const struct berth_device *device = &fixture->devices.devices[i / 2];
        struct berth_variant variant = berth_variant_default(device);
        variant.vector_width = i % 2 ? 1 : variant.vector_width;
        assert_int_equal(berth_context_create(device, &context, &error), BERTH_OK);
        /* Compilers are asked to keep quiet about warnings otherwise: see device/program.c. */
        if (berth_variant_build(context, &variant, &fixture->scoring, "-Werror", &program,
                                &error)) {
            fail_msg("%s", error.message);
        }
        expect_no_warning(device, berth_program_log(program));
        berth_program_destroy(program);
        berth_context_destroy(context);
    }
}

/* What a compiler remarks goes to the build's log, not to the user's terminal. */
static void test_compilers_are_quiet(void **state)
{
    const struct fixture *fixture = *state;
    setenv("BERTH_CACHE_DIR", "", 1);
    for (size_t i = 0; i < fixture->devices.count; i++) {
        struct berth_context *context;
        struct berth_program *program;
        struct berth_error error;
        const struct berth_device *device = &fixture->devices.devices[i];
        const struct berth_variant variant = berth_variant_default(device);
        char twice[64], said[256] = "";
        snprintf(twice, sizeof twice, "-DTWICE=%ld -DTWICE=0", (long)getpid()); /* a warning */
        FILE *file = tmpfile();
        assert_non_null(file);
        assert_int_equal(berth_context_create(device, &context, &error), BERTH_OK);
        const int kept = dup(STDERR_FILENO);
        dup2(fileno(file), STDERR_FILENO);
        const enum berth_status status =
            berth_variant_build(context, &variant, &fixture->scoring, twice, &program, &error);
        dup2(kept, STDERR_FILENO);
        close(kept);
        assert_int_equal(status, BERTH_OK);
        rewind(file);
        said[fread(said, 1, sizeof said - 1, file)] = '\0';
        assert_string_equal(said, "");
        fclose(file);
        berth_program_destroy(program);
        berth_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest variants[] = {cmocka_unit_test(test_all_kernels),
                                          cmocka_unit_test(test_vector_widths),
                                          cmocka_unit_test(test_work_groups_and_tiles),
                                          cmocka_unit_test(test_selecting_work_groups),
                                          cmocka_unit_test(test_arithmetic),
                                          cmocka_unit_test(test_refinement),
                                          cmocka_unit_test(test_large_ligands)};
    const struct CMUnitTest functions[] = {
        cmocka_unit_test(test_selftest_of_functions), cmocka_unit_test(test_search_on_maps),
        cmocka_unit_test(test_functions), cmocka_unit_test(test_functions_of_users),
        cmocka_unit_test_teardown(test_torsional_term, remove_faults)};
    const struct CMUnitTest faults[] = {
        cmocka_unit_test_teardown(test_faults_are_noticed, remove_faults)};
    const struct CMUnitTest kernels[] = {cmocka_unit_test(test_default_variant),
                                         cmocka_unit_test(test_build_has_no_warnings),
                                         cmocka_unit_test(test_compilers_are_quiet),
                                         cmocka_unit_test(test_selftest),
                                         cmocka_unit_test(test_refuses_what_a_device_lacks),
                                         cmocka_unit_test(test_refused_build_shows_the_log)};
    /* A compiler takes minutes for each of these. */
    int failed = 0;
    if (in_slice("variants")) {
        failed += cmocka_run_group_tests_name("variants of kernels", variants, set_up, tear_down);
    }
    if (in_slice("functions")) {
        failed += cmocka_run_group_tests_name("scoring functions", functions, set_up, tear_down);
    }
    if (in_slice("faults")) {
        failed += cmocka_run_group_tests_name("planted faults", faults, set_up, tear_down);
    }
    return failed + cmocka_run_group_tests_name("kernels", kernels, set_up, tear_down);
}
