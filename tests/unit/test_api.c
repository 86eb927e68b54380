/* The public functions, by berth.h alone: what they refuse, and that what they give agrees. Screens
 * that are stopped and killed are in tests/cli/test_api.sh. */
#include "unit/io_support.h"

#include <math.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/slice.h"
#include "unit/make_options.h"

#define RECEPTOR "tests/fixtures/pocket.mol2"
#define LIGAND   "data/demo/1hpv_ligand.mol2"
#define DRUGS    "data/demo/ten_drugs.mol2.gz"

static struct {
    char folder[PATH_SIZE], library[PATH_SIZE];
    berth_devices *devices;
    berth_receptor *receptor;
    const berth_receptor *receptors[1]; /* that one */
} all;

static struct berth_error error;

static void need(enum berth_status status)
{
    if (status) {
        fail_msg("%s", error.message);
    }
}

static void refused(enum berth_status status, const char *text)
{
    assert_int_equal(status, BERTH_E_USAGE);
    if (!strstr(error.message, text)) {
        fail_msg("'%s' is not in: %s", text, error.message);
    }
}

/* Of a run whose search takes no time. */
static berth_options *quick(const char *run)
{
    return make_options(run, "search", "fast", "poses", "64", "generations", "2", "refine", "1",
                        "hops", "1");
}

/* A docking into the one receptor with these options, which are freed. */
static berth_docking *open_docking(berth_options *options)
{
    berth_docking *docking;
    need(berth_docking_open(all.receptors, 1, all.devices, options, NULL, &docking, &error));
    berth_options_free(options);
    return docking;
}

/* One that is refused for this. */
static void no_docking(const berth_options *options, const char *text)
{
    berth_docking *docking;
    refused(berth_docking_open(all.receptors, 1, all.devices, options, NULL, &docking, &error),
            text);
    assert_null(docking);
}

static int set_up(void **state)
{
    (void)state;
    struct berth_progress done;
    const char *const inputs[] = {DRUGS};
    make_scratch(all.folder);
    join(all.library, all.folder, "drugs.blib");
    berth_options *options = make_options("prep ligands", "out", all.library);
    need(berth_prepare_ligands(inputs, 1, options, NULL, NULL, NULL, &done, &error));
    assert_true(done.finished && done.done >= 10 && !done.failed);
    refused(berth_prepare_ligands(inputs, 1, options, NULL, NULL, NULL, NULL, &error),
            "exists already");
    berth_options_free(options);
    need(berth_devices_find(NULL, NULL, &all.devices, &error));
    need(berth_receptor_load(RECEPTOR, NULL, NULL, &all.receptor, &error));
    need(berth_receptor_site_about(all.receptor, LIGAND, 4, NULL, &error));
    all.receptors[0] = all.receptor;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    berth_receptor_free(all.receptor);
    berth_devices_free(all.devices);
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", all.folder);
    return system(command);
}

/* What setting an option is refused for, of which the error names the option. */
static void no_value(berth_options *options, const char *name, const char *value, const char *text)
{
    refused(berth_options_set(options, name, value, &error), text);
    assert_string_equal(error.option, name);
}

static void test_values(void **state)
{
    (void)state;
    berth_options *options, *none;
    need(berth_options_create("dock", &options, &error));
    refused(berth_options_create("redock", &none, &error), "'redock' is no run");
    assert_null(none);
    refused(berth_options_set(options, "num_mode", "3", &error), "did you mean num_modes?");
    refused(berth_options_set(options, "rotor", "3", &error), "'rotor'");
    refused(berth_options_set(options, "top", "3", &error), "'top'"); /* a screen's */
    no_value(options, "num_modes", "many", "num_modes: 'many' is not a whole number");
    no_value(options, "num_modes", "2.5", "num_modes: '2.5' is not a whole number");
    no_value(options, "num_modes", "0", "num_modes: 0 ");
    no_value(options, "seed", "-1", "seed: -1 ");
    no_value(options, "min_rmsd", "1,5", "min_rmsd: '1,5' is not a number");
    no_value(options, "min_rmsd", "101", "min_rmsd: 101 ");
    no_value(options, "separate", "perhaps", "separate: 'perhaps' ");
    no_value(options, "out", "", "out: the value is missing");
    refused(berth_options_set(options, NULL, "3", &error), "name is NULL");
    refused(berth_options_set(NULL, "seed", "3", &error), "options is NULL");
    berth_options_free(options);
    berth_options_free(NULL);
}

/* What a docking was opened with stays; what was set and taken back, or refused, was not. */
static void test_options_of_a_docking(void **state)
{
    (void)state;
    char level[] = "fast";
    berth_options *options =
        make_options("dock", "seed", "5", "search", level, "poses", "64", "generations", "3");
    berth_docking *first, *second;
    memset(level, 'x', sizeof level - 1); /* texts are copied */
    set_option(options, "generations", "2");
    set_option(options, "poses", NULL); /* by the level */
    no_value(options, "generations", "none", "generations: 'none' ");
    need(berth_docking_open(all.receptors, 1, all.devices, options, NULL, &first, &error));
    set_option(options, "seed", NULL);
    set_option(options, "search", "rigid_fast");
    set_option(options, "generations", "4");
    need(berth_docking_open(all.receptors, 1, all.devices, options, NULL, &second, &error));
    berth_options_free(options);
    const struct berth_run_facts *of = berth_docking_describe(first);
    assert_true(of->seed == 5 && of->poses == 96 && of->generations == 2 && of->maps);
    of = berth_docking_describe(second);
    assert_true(of->seed == 1 && of->poses == 4096 && of->generations == 4 && !of->maps);
    berth_docking_free(first);
    berth_docking_free(second);
}

/* Functions take the options of runs that have what they need to know, and no others. */
static void test_options_of_another_run(void **state)
{
    (void)state;
    berth_options *merging = make_options("merge", NULL), *screening = make_options("screen", NULL);
    const char *const inputs[] = {DRUGS};
    const struct berth_ligand_calls calls = {.ligand = NULL};
    berth_receptor *receptor;
    berth_devices *devices;
    refused(berth_receptor_load(RECEPTOR, merging, NULL, &receptor, &error), "merge");
    refused(berth_devices_find(merging, NULL, &devices, &error), "merge");
    no_docking(screening, "screen");
    refused(berth_score_file(all.receptor, all.devices, LIGAND, screening, &calls, NULL, &error),
            "screen");
    refused(berth_prepare_ligands(inputs, 1, merging, NULL, NULL, NULL, NULL, &error), "merge");
    need(berth_receptor_load(RECEPTOR, screening, NULL, &receptor, &error));
    berth_receptor_free(receptor);
    berth_options_free(merging);
    berth_options_free(screening);
}

static void test_constants(void **state)
{
    (void)state;
    assert_string_equal(berth_status_text(BERTH_E_MEMORY), "out of memory");
    assert_string_equal(berth_status_text((enum berth_status)99), "an unknown status");
    snprintf(error.message, sizeof error.message, "%d.%d.%d", BERTH_VERSION_MAJOR,
             BERTH_VERSION_MINOR, BERTH_VERSION_PATCH);
    assert_string_equal(berth_version(), error.message);
}

/* What is listed of an option. */
static void note_option(void *context, const struct berth_option_info *option)
{
    struct berth_option_info *kept = context;
    if (strcmp(option->name, kept->name) == 0) {
        *kept = *option;
    }
}

static void test_table(void **state)
{
    (void)state;
    struct berth_option_info option = {.name = "min_rmsd"};
    need(berth_options_list("dock", note_option, &option, &error));
    assert_true(option.standard == 1 && option.min == 0 && option.max == 100);
    assert_int_equal(option.kind, BERTH_VALUE_REAL);
    assert_string_equal(option.group, "Output");
    assert_string_equal(option.unit, "Å");
    option.name = "structures";
    need(berth_options_list("prep ligands", note_option, &option, &error));
    assert_true(option.kind == BERTH_VALUE_WHOLE && option.standard == 5 && !option.unit);
    refused(berth_options_list("redock", note_option, &option, &error), "no run");
}

/* A scoring function as text: as a file that holds it, under a name of its own. */
static void test_scoring_text(void **state)
{
    (void)state;
    berth_receptor *receptor;
    char *text = read_file("data/scoring/vinardo.score");
    berth_options *options = make_options("dock", "scoring_text", text);
    refused(berth_receptor_load(RECEPTOR, options, NULL, &receptor, &error), "built-in one");
    set_option(options, "scoring", "mine");
    need(berth_receptor_load(RECEPTOR, options, NULL, &receptor, &error));
    const struct berth_receptor_facts *facts = berth_receptor_describe(receptor);
    assert_string_equal(facts->scoring, "mine");
    assert_string_equal(facts->terms[0], "gauss");
    berth_receptor_free(receptor);
    set_option(options, "scoring_text", "nonsense");
    assert_int_equal(berth_receptor_load(RECEPTOR, options, NULL, &receptor, &error),
                     BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "mine"));
    berth_options_free(options);
    free(text);
}

static void test_receptor(void **state)
{
    (void)state;
    const struct berth_receptor_facts *facts = berth_receptor_describe(all.receptor);
    assert_string_equal(facts->unit, "kcal/mol");
    assert_string_equal(facts->path, RECEPTOR);
    double(*positions)[3] = calloc(facts->heavy_count, sizeof *positions);
    assert_non_null(positions);
    refused(berth_receptor_write_ligand(all.receptor, "build/none.pdb", NULL, &error),
            "no ligand was cut");
    refused(berth_receptor_write_pdb(all.receptor, "build/none.pdb", &error), "without chains");
    refused(berth_receptor_write_bonded(all.receptor, "A:CYS67:SG", "build/none.smi", NULL, &error),
            "no ligand was cut");
    berth_receptor_positions(all.receptor, positions);
    for (size_t i = 0; i < facts->heavy_count; i++) {
        assert_true(fabs(positions[i][0]) < 100 && positions[i][0] != 0);
    }
    free(positions);
    double center[3], edges[3], again[3];
    const double flat[3] = {20, 0, 20}, nowhere[3] = {0, NAN, 0};
    assert_true(berth_receptor_get_site(all.receptor, center, edges));
    refused(berth_receptor_set_site(all.receptor, center, flat, &error), "edge of 0");
    refused(berth_receptor_set_site(all.receptor, nowhere, edges, &error), "a site from nan");
    assert_true(berth_receptor_get_site(all.receptor, again, edges));
    assert_memory_equal(center, again, sizeof center);
}

/* What was checked: the text of its names. */
static void note_check(void *context, const char *check, const char *failure)
{
    assert_null(failure);
    strcat(strcat(context, check), " ");
}

static void test_devices(void **state)
{
    (void)state;
    berth_devices *none;
    size_t failed;
    char checks[1024] = "";
    const size_t count = berth_devices_count(all.devices);
    assert_true(count >= 1 && berth_devices_get(all.devices, count - 1)->compute_units > 0);
    assert_null(berth_devices_get(all.devices, count));
    berth_options *named = make_options("score", "device", "no such device");
    refused(berth_devices_find(named, NULL, &none, &error), "no such device");
    assert_null(none);
    berth_options_free(named);
    berth_options *options = make_options("selftest", "check", "selection", "small", "true");
    need(berth_devices_selftest(all.devices, 0, options, note_check, checks, &failed, &error));
    assert_int_equal(failed, 0);
    assert_memory_equal(checks, "selection", 9);
    refused(berth_devices_selftest(all.devices, count, options, NULL, NULL, &failed, &error),
            "no device");
    berth_options_free(options);
}

static bool count_name(void *context, uint64_t ordinal, const char *name)
{
    size_t *count = context;
    assert_true(*name && ordinal == 2 + *count);
    return ++*count == 5;
}

static void test_library(void **state)
{
    (void)state;
    berth_library *library;
    berth_ligand *ligand;
    uint64_t damaged;
    size_t names = 0;
    need(berth_library_load(all.library, &library, &error));
    const struct berth_library_facts *facts = berth_library_describe(library);
    assert_int_equal(facts->ligands, 10);
    need(berth_library_names(library, 2, 3, count_name, &names, &error));
    assert_int_equal(names, 3);
    need(berth_library_names(library, 2 + names, UINT64_MAX, count_name, &names, &error));
    assert_int_equal(names, 5); /* where it was stopped */
    need(berth_library_verify_all(library, NULL, &damaged, &error));
    assert_int_equal(damaged, 0);
    refused(berth_library_ligand(library, 10, &ligand, &error), "");
    need(berth_library_ligand(library, 3, &ligand, &error));
    const struct berth_ligand_facts *of = berth_ligand_describe(ligand);
    double(*positions)[3] = calloc(of->atom_count, sizeof *positions);
    assert_non_null(positions);
    size_t heavy = 0;
    for (size_t i = 0; i < of->atom_count; i++) {
        heavy += of->elements[i] > 1;
    }
    assert_int_equal(heavy, of->heavy_count);
    assert_true(berth_ligand_positions(ligand, of->conformer_count - 1, positions));
    assert_false(berth_ligand_positions(ligand, of->conformer_count, positions));
    free(positions);
    berth_ligand_free(ligand);
    berth_library_free(library);

    char twice[PATH_SIZE];
    const char *const paths[] = {all.library, all.library};
    join(twice, all.folder, "twice.blib");
    need(berth_library_merge(twice, paths, 2, &error));
    need(berth_library_load(twice, &library, &error));
    assert_int_equal(berth_library_describe(library)->ligands, 20);
    berth_library_free(library);
}

struct taken {
    size_t count, most;
    double energy, rmsd, clash; /* of the last one */
    char *sdf;                  /* room for all of it, or NULL: there is to be none */
};

static bool take(void *context, const struct berth_docked_ligand *ligand)
{
    struct taken *taken = context;
    assert_null(ligand->failure);
    assert_int_equal(ligand->ordinal, taken->count);
    taken->energy = ligand->poses[0]->energy;
    taken->rmsd = ligand->poses[0]->rmsd;
    taken->clash = ligand->poses[0]->clash;
    for (size_t i = 0; i < ligand->pose_count; i++) {
        assert_true(!taken->sdf == !ligand->poses[i]->sdf);
        if (taken->sdf) {
            strcat(taken->sdf, ligand->poses[i]->sdf);
        }
    }
    return ++taken->count == taken->most;
}

static void test_docking(void **state)
{
    (void)state;
    struct taken taken = {.most = 0};
    const struct berth_ligand_calls calls = {.ligand = take, .context = &taken};
    berth_options *options = quick("dock");
    set_option(options, "num_modes", "2");
    berth_docking *docking = open_docking(options);
    need(berth_docking_file(docking, LIGAND, &calls, &error));
    assert_int_equal(taken.count, 1);
    taken = (struct taken){.most = 2};
    need(berth_docking_file(docking, all.library, &calls, &error));
    assert_int_equal(taken.count, 2); /* of ten: stopped */
    assert_int_equal(berth_docking_file(docking, "none.mol2", &calls, &error), BERTH_E_IO);
    assert_false(berth_docking_is_stuck(docking));
    berth_docking_free(docking);

    taken = (struct taken){.most = 0};
    need(berth_score_file(all.receptor, all.devices, LIGAND, NULL, &calls, NULL, &error));
    assert_true(taken.count == 1 && taken.energy > -12.7 && taken.energy < -12.6);
    assert_true(taken.clash > 0.13 && taken.clash < 0.14);
}

static void test_list_of_devices(void **state)
{
    (void)state;
    berth_devices *devices;
    bool matters;
    size_t standard = 0;
    need(berth_devices_list(NULL, &devices, &error));
    for (size_t i = 0; i < berth_devices_count(devices); i++) {
        const struct berth_device_info *device = berth_devices_get(devices, i);
        assert_true(device->number == i && device->vector_width && strchr(device->code, ':'));
        standard += device->standard;
    }
    assert_int_equal(standard, 1);
    assert_non_null(berth_devices_note(devices, &matters));
    berth_devices_free(devices);
}

/* The files of a docking, what it tells of itself, and a stop like a signal's. */
static void test_docking_files(void **state)
{
    (void)state;
    char out[PATH_SIZE], scores[PATH_SIZE];
    atomic_bool stop = false;
    struct taken taken = {.most = 0};
    const struct berth_ligand_calls calls = {.ligand = take, .context = &taken};
    berth_options *options = quick("dock");
    join(out, all.folder, "docked.sdf");
    join(scores, all.folder, "docked.csv");
    set_option(options, "out", out);
    set_option(options, "scores", scores);
    berth_options_stop_at(options, &stop);
    berth_docking *docking = open_docking(options);
    const struct berth_run_facts *facts = berth_docking_describe(docking);
    assert_true(facts->receptor_count == 1 && facts->maps && facts->poses == 64 &&
                !facts->searches);
    need(berth_docking_file(docking, LIGAND, &calls, &error));
    const struct berth_progress *progress = berth_docking_progress(docking);
    assert_true(progress->finished && progress->done == 1 && !progress->failed);
    assert_int_equal(progress->conformers, 1);
    char *poses = read_file(out), *rows = read_file(scores);
    assert_memory_equal(poses, "amprenavir\n", 11);
    assert_non_null(strstr(rows, "\n0,amprenavir,1,"));
    atomic_store(&stop, true);
    refused(berth_docking_file(docking, all.library, &calls, &error), "interrupted");
    assert_true(taken.count == 1 && !progress->finished);
    char *left = read_file(out);
    assert_string_equal(left, poses);
    free(left);
    free(poses);
    free(rows);
    berth_docking_free(docking);
}

struct pockets {
    size_t count, most; /* ligands of one, at most */
};

static void take_pocket(void *context, const struct berth_docked_pocket *pocket)
{
    struct pockets *pockets = context;
    assert_int_equal(pocket->rank, ++pockets->count);
    assert_string_equal(pocket->ligand, "amprenavir");
    assert_true(pocket->value < 0 && pocket->edges[0] > 0 && *pocket->residues);
    pockets->most = pocket->ligands > pockets->most ? pocket->ligands : pockets->most;
}

static void test_surface(void **state)
{
    (void)state;
    struct pockets pockets = {.count = 0};
    struct taken taken = {.most = 0};
    const struct berth_ligand_calls calls = {.ligand = take, .context = &taken};
    berth_options *options = quick("dock");
    set_option(options, "poses", "4");
    set_option(options, "refine_evaluations", "20");
    set_option(options, "num_modes", "2");
    set_option(options, "site", "everywhere");
    no_docking(options, "site: 'everywhere' is not known");
    set_option(options, "site", "surface");
    berth_docking *docking = open_docking(options);
    assert_true(berth_docking_describe(docking)->searches > 10);
    need(berth_docking_file(docking, LIGAND, &calls, &error));
    need(berth_docking_pockets(docking, false, take_pocket, &pockets, &error));
    assert_true(pockets.count == 2 && pockets.most == 1);
    pockets.count = 0;
    need(berth_docking_pockets(docking, true, take_pocket, &pockets, &error));
    assert_true(pockets.count > 0 && pockets.most == 1);
    berth_docking_free(docking);
}

/* What a docking's own callback, and a thread beside it, may do with it. */
struct misused {
    berth_docking *docking;
    size_t refused;
};

static bool misuse(void *context, const struct berth_docked_ligand *ligand)
{
    struct misused *misused = context;
    const struct berth_ligand_calls calls = {.ligand = misuse, .context = context};
    assert_null(ligand->failure);
    refused(berth_docking_file(misused->docking, LIGAND, &calls, &error), "the docking is in use");
    misused->refused++;
    berth_docking_free(misused->docking); /* when the call ends */
    return false;
}

static void test_docking_in_use(void **state)
{
    (void)state;
    struct misused misused = {.docking = open_docking(quick("dock"))};
    const struct berth_ligand_calls calls = {.ligand = misuse, .context = &misused};
    need(berth_docking_file(misused.docking, LIGAND, &calls, &error));
    assert_int_equal(misused.refused, 1);
}

/* Devices of the process that this one was forked from: drivers would wait for ever. */
static void test_fork(void **state)
{
    (void)state;
    int ended = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        berth_devices *devices;
        const bool good = berth_devices_find(NULL, NULL, &devices, &error) == BERTH_E_USAGE &&
                          strstr(error.message, "forked");
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

/* What several receptors came to: the best pose's, and the best value in each. */
struct in_both {
    size_t receptor;
    double value, values[2];
};

static bool take_in_both(void *context, const struct berth_docked_ligand *ligand)
{
    struct in_both *both = context;
    assert_null(ligand->failure);
    both->receptor = ligand->poses[0]->receptor;
    both->value = ligand->poses[0]->value;
    memcpy(both->values, ligand->values, sizeof both->values);
    return false;
}

static bool note_both(void *context, const struct berth_screen_result *result)
{
    struct in_both *both = context;
    both->receptor = result->receptor;
    both->value = result->value;
    memcpy(both->values, result->values, sizeof both->values);
    return false;
}

/* The same atoms under two names: equal values, and the first counts. */
static void expect_both(const struct in_both *both)
{
    assert_true(both->receptor == 0 && both->value < 0 && both->values[0] == both->value &&
                both->values[1] == both->value);
}

static void test_several_receptors(void **state)
{
    (void)state;
    slice("screening");
    char path[PATH_SIZE], folder[PATH_SIZE];
    double center[3], edges[3];
    berth_receptor *twin;
    berth_docking *docking;
    berth_screen *screen;
    struct in_both both = {.receptor = 9};
    const struct berth_ligand_calls calls = {.ligand = take_in_both, .context = &both};
    join(path, all.folder, "twin.mol2");
    char *text = read_file(RECEPTOR);
    write_file(path, text, strlen(text));
    free(text);
    need(berth_receptor_load(path, NULL, NULL, &twin, &error));
    assert_true(berth_receptor_get_site(all.receptor, center, edges));
    const berth_receptor *receptors[] = {all.receptor, twin};
    berth_options *options = quick("dock"), *screening = quick("screen");
    need(berth_docking_open(receptors, 2, all.devices, options, NULL, &docking, &error));
    need(berth_docking_file(docking, LIGAND, &calls, &error));
    expect_both(&both);
    berth_docking_free(docking);

    join(folder, all.folder, "both");
    set_option(screening, "library", all.library);
    set_option(screening, "out", folder);
    need(berth_screen_open(receptors, 2, all.devices, screening, NULL, NULL, &screen, &error));
    berth_options_free(screening);
    need(berth_screen_run(screen, NULL, NULL, &error));
    need(berth_screen_results(screen, note_both, &both, &error));
    expect_both(&both);
    berth_screen_free(screen);

    receptors[1] = all.receptor;
    refused(berth_docking_open(receptors, 2, all.devices, options, NULL, &docking, &error),
            "given twice");
    receptors[1] = NULL;
    refused(berth_docking_open(receptors, 2, all.devices, options, NULL, &docking, &error),
            "receptors");
    refused(berth_docking_open(receptors, 0, all.devices, options, NULL, &docking, &error),
            "receptors");
    berth_options_free(options);
    berth_receptor_free(twin);
}

/* Poses as records of an SDF file. */
static void test_sdf(void **state)
{
    (void)state;
    static char sdf[1 << 17];
    struct taken taken = {.sdf = sdf};
    const struct berth_ligand_calls calls = {.ligand = take, .context = &taken};
    berth_options *options = quick("dock");
    set_option(options, "sdf", "true");
    set_option(options, "num_modes", "2");
    set_option(options, "seed", "5");
    berth_docking *docking = open_docking(options);
    need(berth_docking_file(docking, LIGAND, &calls, &error));
    berth_docking_free(docking);
    assert_memory_equal(sdf, "amprenavir\n", 11);
    assert_non_null(strstr(sdf, ">  <ordinal>\n0\n"));
    assert_non_null(strstr(sdf, ">  <device>\n"));
    assert_non_null(strstr(sdf, ">  <seed>\n5\n"));
    assert_string_equal(sdf + strlen(sdf) - 5, "$$$$\n");
    *sdf = '\0';
    options = make_options("score", "sdf", "true");
    taken.count = 0;
    need(berth_score_file(all.receptor, all.devices, LIGAND, options, &calls, NULL, &error));
    berth_options_free(options);
    assert_non_null(strstr(sdf, ">  <energy>\n-12.62"));
    assert_null(strstr(sdf, "<device>"));
}

/* As the command does: ligands that are prepared on the way, a reference of any format, and no
 * weight for strains that nobody knows. */
static void test_docking_what_is_at_hand(void **state)
{
    (void)state;
    static const char METHANOL[] =
        "HETATM    1  C   MOH A   1       9.900  16.200   8.800  1.00 10.00           C\n"
        "HETATM    2  O   MOH A   1      11.300  16.200   8.800  1.00 10.00           O\n";
    char smiles[PATH_SIZE], pose[PATH_SIZE];
    struct taken taken = {.most = 0};
    const struct berth_ligand_calls calls = {.ligand = take, .context = &taken};
    berth_options *options = quick("dock");
    join(smiles, all.folder, "methanol.smi");
    join(pose, all.folder, "methanol.pdb");
    write_file(smiles, "CO methanol\n", 12);
    write_file(pose, METHANOL, sizeof METHANOL - 1);
    set_option(options, "reference", pose);
    set_option(options, "strain_weight", "1");
    berth_docking *docking = open_docking(options);
    need(berth_docking_file(docking, smiles, &calls, &error));
    assert_int_equal(taken.count, 1);
    assert_true(taken.rmsd > 0);
    refused(berth_docking_file(docking, LIGAND, &calls, &error), "strain");
    berth_docking_free(docking);
}

static bool join_name(void *context, uint64_t ordinal, const char *name)
{
    (void)ordinal;
    strcat(strcat(context, name), " ");
    return false;
}

/* The names of the ligands that these options make of four molecules, in the library `path`, and
 * how many conformers. */
static void expect_prepared(const char *const inputs[1], const berth_options *options,
                            const char *path, const char *names, uint64_t conformers)
{
    char found[200] = "";
    berth_library *library;
    need(berth_prepare_ligands(inputs, 1, options, NULL, NULL, NULL, NULL, &error));
    need(berth_library_load(path, &library, &error));
    need(berth_library_names(library, 0, UINT64_MAX, join_name, found, &error));
    assert_string_equal(found, names);
    assert_true(!conformers || berth_library_describe(library)->conformers == conformers);
    berth_library_free(library);
}

static void test_forms_and_filters(void **state)
{
    (void)state;
    slice("screening");
    static const char SMILES[] = "CC(O)c1ccccc1 open\nCN1CCOCC1 base\nCN1CCOCC1 again\n"
                                 "OC(=O)c1ccccc1 acid\nFCBr halide\n";
    char smiles[PATH_SIZE], patterns[PATH_SIZE], path[PATH_SIZE];
    join(smiles, all.folder, "several.smi");
    join(patterns, all.folder, "patterns");
    join(path, all.folder, "several.blib");
    write_file(smiles, SMILES, sizeof SMILES - 1);
    write_file(patterns, "[CX3](=O)[OX2H] acid\n", 21);
    const char *const inputs[] = {smiles};
    berth_options *options = make_options("prep ligands", "out", path, "overwrite", "true",
                                          "builder", "rdkit", "structures", "1");
    if (berth_prepare_ligands(inputs, 1, options, NULL, NULL, NULL, NULL, &error) == BERTH_E_IO) {
        print_message("# RDKit is not installed: skipped\n");
        skip();
    }
    expect_prepared(inputs, options, path, "open base again acid halide ", 5);
    set_option(options, "stereo", "3");
    set_option(options, "protomers", "2");
    set_option(options, "drop_duplicates", "true");
    expect_prepared(inputs, options, path, "open_1 open_2 base_1 base_2 acid_1 acid_2 halide ", 7);
    set_option(options, "protomers", NULL);
    set_option(options, "stereo", NULL);
    set_option(options, "exclude", patterns);
    set_option(options, "elements", "C,N,O");
    set_option(options, "mw", "100-1000");
    expect_prepared(inputs, options, path, "open base ", 2);
    set_option(options, "mw", "heavy");
    refused(berth_prepare_ligands(inputs, 1, options, NULL, NULL, NULL, NULL, &error),
            "mw: 'heavy'");
    berth_options_free(options);
}

static bool add_energy(void *context, const struct berth_screen_result *result)
{
    assert_null(result->failure);
    *(double *)context += result->energy;
    return false;
}

static void count_result(void *context, const struct berth_screen_result *result)
{
    size_t *count = context;
    assert_int_equal(result->ordinal, *count % 10);
    assert_true(isfinite(result->energy) && result->terms);
    ++*count;
}

/* Results as they come: in a run that is resumed, those of the earlier one first. */
static void test_results_as_they_come(void **state)
{
    (void)state;
    berth_screen *screen, *again;
    char folder[PATH_SIZE];
    size_t count = 0;
    const struct berth_screen_calls calls = {count_result, &count};
    berth_options *options = quick("screen");
    join(folder, all.folder, "told");
    set_option(options, "library", all.library);
    set_option(options, "out", folder);
    need(berth_screen_open(all.receptors, 1, all.devices, options, &calls, NULL, &screen, &error));
    assert_int_equal(count, 0);
    need(berth_screen_run(screen, NULL, NULL, &error));
    assert_int_equal(count, 10);
    set_option(options, "resume", "true"); /* while the handle of the run that has ended is there */
    need(berth_screen_open(all.receptors, 1, all.devices, options, &calls, NULL, &again, &error));
    berth_options_free(options);
    assert_int_equal(count, 20);
    berth_screen_free(screen);
    berth_screen_free(again);
}

/* A screen of a shard into a folder of this name, whose path it writes; the sum of its energies. */
static double screen(const char *name, const char *shard, char *folder)
{
    berth_options *options = quick("screen");
    berth_screen *screen;
    double sum = 0;
    join(folder, all.folder, name);
    set_option(options, "library", all.library);
    set_option(options, "out", folder);
    set_option(options, "shard", shard);
    need(berth_screen_open(all.receptors, 1, all.devices, options, NULL, NULL, &screen, &error));
    berth_options_free(options);
    refused(berth_screen_results(screen, add_energy, &sum, &error), "once the screen has been run");
    need(berth_screen_run(screen, NULL, NULL, &error));
    refused(berth_screen_run(screen, NULL, NULL, &error), "has been run already");
    const struct berth_progress *progress = berth_screen_progress(screen);
    assert_true(progress->finished && progress->done == progress->total && !progress->failed);
    need(berth_screen_results(screen, add_energy, &sum, &error));
    assert_false(berth_screen_is_stuck(screen));
    berth_screen_free(screen);
    return sum;
}

static void test_shards(void **state)
{
    (void)state;
    slice("screening");
    char whole[PATH_SIZE], first[PATH_SIZE], second[PATH_SIZE], joined[PATH_SIZE];
    char paths[2][PATH_SIZE];
    struct berth_merge_counts counts;
    const double sum = screen("whole", NULL, whole);
    assert_true(fabs(screen("first", "1/2", first) + screen("second", "2/2", second) - sum) < 1e-6);
    const char *const folders[] = {second, first};
    join(joined, all.folder, "joined");
    berth_options *merging = make_options("merge", "out", joined);
    refused(berth_screen_merge(folders, 0, merging, &counts, &error), "no folder");
    need(berth_screen_merge(folders, 2, merging, &counts, &error));
    berth_options_free(merging);
    assert_int_equal(counts.failed, 0);
    assert_int_equal(counts.ligands, 10);
    join(paths[0], whole, "scores.csv");
    join(paths[1], joined, "scores.csv");
    char *one = read_file(paths[0]), *other = read_file(paths[1]);
    assert_string_equal(one, other);
    free(one);
    free(other);

    berth_screen *none;
    berth_options *options = make_options("screen", "out", joined);
    refused(berth_screen_open(all.receptors, 1, all.devices, options, NULL, NULL, &none, &error),
            "library");
    assert_null(none);
    berth_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_options_of_a_docking),
                                       cmocka_unit_test(test_options_of_another_run),
                                       cmocka_unit_test(test_constants),
                                       cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_receptor),
                                       cmocka_unit_test(test_scoring_text),
                                       cmocka_unit_test(test_sdf),
                                       cmocka_unit_test(test_results_as_they_come),
                                       cmocka_unit_test(test_devices),
                                       cmocka_unit_test(test_library),
                                       cmocka_unit_test(test_docking),
                                       cmocka_unit_test(test_list_of_devices),
                                       cmocka_unit_test(test_docking_files),
                                       cmocka_unit_test(test_surface),
                                       cmocka_unit_test(test_docking_in_use),
                                       cmocka_unit_test(test_fork),
                                       cmocka_unit_test(test_several_receptors),
                                       cmocka_unit_test(test_docking_what_is_at_hand),
                                       cmocka_unit_test(test_forms_and_filters),
                                       cmocka_unit_test(test_shards)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
