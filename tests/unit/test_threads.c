/* What berth.h promises about threads, promise by promise; tests/tsan.sh looks for data races in
 * it. */
#include "unit/io_support.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "unit/make_options.h"

#define FIXTURES "tests/fixtures/screen/"
#define RECEPTOR FIXTURES "receptor.brec"
#define LIBRARY  FIXTURES "library.blib"

enum { THREADS = 4, PROCESSES = 2, LIGANDS = 3 };

/* What all threads of a test share. */
struct shared {
    berth_devices *devices;   /* NULL: each has its own */
    berth_receptor *receptor; /* likewise */
    berth_docking *docking;   /* likewise */
    char out[PATH_SIZE];      /* a folder, for screens, or a library; empty: none */
    pthread_barrier_t opened; /* by all of them */
    atomic_bool stop;
    atomic_size_t lines; /* of the log */
};

/* What one thread does, and what it came to; asserted by the main thread alone. */
struct job {
    struct shared *shared;
    size_t number;
    struct berth_error error;
    enum berth_status status;
    pthread_t thread;
    double energy;                 /* the sum of its ligands' */
    size_t calls, elsewhere;       /* of callbacks; by another thread, or in its locale */
    bool (*tend)(struct job *job); /* what else a callback does; true: stop.  NULL: nothing */
};

static void count_line(void *context, const struct berth_log_line *line)
{
    struct shared *shared = context;
    atomic_fetch_add(&shared->lines, *line->text != '\0');
}

static bool note_call(struct job *job)
{
    job->calls++;
    job->elsewhere +=
        !pthread_equal(pthread_self(), job->thread) || uselocale((locale_t)0) == LC_GLOBAL_LOCALE;
    return job->tend && job->tend(job);
}

static bool take(void *context, const struct berth_docked_ligand *ligand)
{
    struct job *job = context;
    job->energy += ligand->failure ? 0 : ligand->poses[0]->energy;
    return note_call(job);
}

static void take_result(void *context, const struct berth_screen_result *result)
{
    struct job *job = context;
    job->energy += result->failure ? 0 : result->energy;
    note_call(job);
}

static bool show(void *context, const struct berth_progress *progress)
{
    (void)progress;
    return note_call(context);
}

/* Of a run that searches little. */
static berth_options *options_of(const char *run)
{
    return make_options(run, "search", "fast", "poses", "64", "generations", "2", "refine", "1");
}

/* --- What threads do; errors go to their jobs --- */

static void open_inputs(struct job *job, berth_devices **devices, berth_receptor **receptor)
{
    berth_options *options = make_options("dock", "scoring", "bude");
    *devices = job->shared->devices;
    *receptor = job->shared->receptor;
    job->thread = pthread_self();
    if (!*devices) {
        job->status = berth_devices_find(NULL, NULL, devices, &job->error);
    }
    if (!job->status && !*receptor) {
        job->status = berth_receptor_load(RECEPTOR, options, NULL, receptor, &job->error);
    }
    berth_options_free(options);
}

static void close_inputs(const struct job *job, berth_devices *devices, berth_receptor *receptor)
{
    berth_devices_free(job->shared->devices ? NULL : devices);
    berth_receptor_free(job->shared->receptor ? NULL : receptor);
}

/* Opens a docking, where none is shared, and docks. */
static void *dock(void *context)
{
    struct job *job = context;
    const struct berth_log log = {count_line, job->shared};
    const struct berth_ligand_calls calls = {.ligand = take, .progress = show, .context = job};
    berth_options *options = options_of("dock");
    berth_devices *devices;
    berth_receptor *receptor;
    berth_docking *docking = job->shared->docking;
    open_inputs(job, &devices, &receptor);
    berth_options_stop_at(options, &job->shared->stop);
    if (!job->status && !docking) {
        job->status = berth_docking_open((const berth_receptor *const *)&receptor, 1, devices,
                                         options, &log, &docking, &job->error);
    }
    berth_options_free(options);
    if (!job->status) {
        job->status = berth_docking_file(docking, LIBRARY, &calls, &job->error);
    }
    berth_docking_free(job->shared->docking ? NULL : docking);
    close_inputs(job, devices, receptor);
    return NULL;
}

/* Scores what stands in the site. */
static void *score(void *context)
{
    struct job *job = context;
    const struct berth_ligand_calls calls = {.ligand = take, .context = job};
    berth_devices *devices;
    berth_receptor *receptor;
    open_inputs(job, &devices, &receptor);
    if (!job->status) {
        job->status = berth_score_file(receptor, devices, LIBRARY, NULL, &calls, NULL, &job->error);
    }
    close_inputs(job, devices, receptor);
    return NULL;
}

/* Screens, once all threads have opened theirs. */
static void *screen(void *context)
{
    struct job *job = context;
    const struct berth_screen_calls calls = {take_result, job};
    berth_options *options = options_of("screen");
    berth_devices *devices;
    berth_receptor *receptor;
    berth_screen *opened = NULL;
    open_inputs(job, &devices, &receptor);
    set_option(options, "library", LIBRARY);
    set_option(options, "out", job->shared->out);
    set_option(options, "overwrite", "true");
    if (!job->status) {
        job->status = berth_screen_open((const berth_receptor *const *)&receptor, 1, devices,
                                        options, &calls, NULL, &opened, &job->error);
    }
    berth_options_free(options);
    pthread_barrier_wait(&job->shared->opened);
    if (!job->status) {
        job->status = berth_screen_run(opened, NULL, NULL, &job->error);
    }
    berth_screen_free(opened);
    close_inputs(job, devices, receptor);
    return NULL;
}

/* Prepares molecules, into a library of its own where its number is in the name. */
static void *prepare(void *context)
{
    struct job *job = context;
    static const char SMILES[] = "CC(=O)Oc1ccccc1C(=O)O aspirin\n";
    struct berth_progress done;
    char name[32], path[PATH_SIZE], failures[PATH_SIZE], smiles[PATH_SIZE];
    const char *const inputs[] = {smiles};
    job->thread = pthread_self();
    snprintf(name, sizeof name, "%zu", job->number);
    join(failures, job->shared->out, name);
    snprintf(path, sizeof path, "%.*s.blib", PATH_SIZE - 8, failures);
    snprintf(smiles, sizeof smiles, "%.*s.smi", PATH_SIZE - 8, failures);
    write_file(smiles, SMILES, sizeof SMILES - 1);
    berth_options *options =
        make_options("prep ligands", "out", path, "failures", failures, "jobs", "1");
    job->status = berth_prepare_ligands(inputs, 1, options, NULL, show, job, &done, &job->error);
    berth_options_free(options);
    unlink(path);
    unlink(failures);
    unlink(smiles);
    return NULL;
}

/* --- Having them do it at once --- */

static struct job *at_once(void *(*work)(void *context), struct shared *shared,
                           bool (*tend)(struct job *job), struct job jobs[THREADS])
{
    pthread_t threads[THREADS];
    if (pthread_barrier_init(&shared->opened, NULL, THREADS)) {
        abort();
    }
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){.shared = shared, .number = i, .tend = tend};
        if (pthread_create(&threads[i], NULL, work, &jobs[i])) {
            abort();
        }
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&shared->opened);
    return jobs;
}

/* All ended well, with the same energies, and were called back by their own threads, in the
 * library's locale. */
static bool are_alike(const struct job jobs[THREADS])
{
    bool alike = true;
    for (size_t i = 0; i < THREADS; i++) {
        alike = alike && !jobs[i].status && jobs[i].energy == jobs[0].energy && jobs[i].calls > 0 &&
                !jobs[i].elsewhere;
        if (jobs[i].status) {
            fprintf(stderr, "thread %zu: %s\n", i, jobs[i].error.message);
        }
    }
    return alike && uselocale((locale_t)0) == LC_GLOBAL_LOCALE;
}

/* How many ended so; the message of each of these has the text. */
static size_t count_ends(const struct job jobs[THREADS], enum berth_status status, const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < THREADS; i++) {
        count += jobs[i].status == status;
        if (status && jobs[i].status == status && !strstr(jobs[i].error.message, text)) {
            fail_msg("'%s' is not in: %s", text, jobs[i].error.message);
        }
    }
    return count;
}

static void open_shared(struct shared *shared)
{
    struct job job = {.shared = shared};
    open_inputs(&job, &shared->devices, &shared->receptor);
    assert_int_equal(job.status, BERTH_OK);
}

static void close_shared(struct shared *shared)
{
    berth_receptor_free(shared->receptor);
    berth_devices_free(shared->devices);
}

static void open_docking(struct shared *shared)
{
    berth_options *options = options_of("dock");
    struct berth_error error;
    open_shared(shared);
    assert_int_equal(berth_docking_open((const berth_receptor *const *)&shared->receptor, 1,
                                        shared->devices, options, NULL, &shared->docking, &error),
                     BERTH_OK);
    berth_options_free(options);
}

/* --- The promises --- */

/* In a process of its own, which has not used devices yet, and whose leaks do not count. */
static void in_a_child(bool (*check)(void))
{
    int ended = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(check() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

static bool begin_at_once(void)
{
    struct shared shared = {.devices = NULL};
    struct job jobs[THREADS];
    return are_alike(at_once(dock, &shared, NULL, jobs));
}

/* Different handles may be used by different threads, also for the first time: drivers start once,
 * whoever is first. */
static void threads_begin_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < PROCESSES; i++) {
        in_a_child(begin_at_once);
    }
}

static bool have_all_stopped(struct job *job)
{
    atomic_store(&job->shared->stop, true);
    return false;
}

static bool stop_calls(void)
{
    struct shared shared = {.devices = NULL};
    struct job jobs[THREADS];
    open_shared(&shared);
    at_once(dock, &shared, have_all_stopped, jobs);
    const bool ended =
        count_ends(jobs, BERTH_OK, "") + count_ends(jobs, BERTH_E_USAGE, "interrupted") == THREADS;
    at_once(dock, &shared, NULL, jobs);
    return ended && count_ends(jobs, BERTH_E_USAGE, "interrupted") == THREADS;
}

/* A flag that another thread, or a signal, sets ends calls; devices are left at their work, with
 * its memory. */
static void a_flag_stops_calls(void **state)
{
    (void)state;
    in_a_child(stop_calls);
}

/* One receptor, and one choice of devices, serve several threads. */
static void threads_share_what_they_dock_into(void **state)
{
    (void)state;
    struct shared shared = {.devices = NULL};
    struct job jobs[THREADS];
    open_shared(&shared);
    assert_true(are_alike(at_once(dock, &shared, NULL, jobs)));
    assert_true(are_alike(at_once(score, &shared, NULL, jobs)));
    close_shared(&shared);
}

/* A docking is for one call at a time. */
static void a_docking_in_use_is_refused(void **state)
{
    (void)state;
    struct shared shared = {.devices = NULL};
    struct job jobs[THREADS];
    open_docking(&shared);
    at_once(dock, &shared, NULL, jobs);
    const size_t good = count_ends(jobs, BERTH_OK, "");
    assert_true(good > 0 && good + count_ends(jobs, BERTH_E_USAGE, "in use") == THREADS);
    berth_docking_free(shared.docking);
    close_shared(&shared);
}

static void *free_docking(void *context)
{
    berth_docking_free(context);
    return NULL;
}

static bool have_it_freed(struct job *job)
{
    pthread_t other;
    if (job->calls == 1 && (pthread_create(&other, NULL, free_docking, job->shared->docking) ||
                            pthread_join(other, NULL))) {
        abort();
    }
    return false;
}

/* One that another thread frees during a call goes when that ends. */
static void a_docking_is_freed_in_use(void **state)
{
    (void)state;
    struct shared shared = {.devices = NULL};
    struct job job = {.shared = &shared, .tend = have_it_freed};
    open_docking(&shared);
    dock(&job);
    assert_int_equal(job.status, BERTH_OK);
    assert_true(job.energy < 0);
    close_shared(&shared);
}

/* A folder, too, is for one screen at a time. */
static void a_folder_in_use_is_refused(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"scores.csv", "hits.sdf", "failures.csv", "run.json",
                                        "journal"};
    struct shared shared = {.devices = NULL};
    struct job jobs[THREADS];
    char path[PATH_SIZE];
    size_t lines = 0;
    open_shared(&shared);
    make_scratch(shared.out);
    at_once(screen, &shared, NULL, jobs);
    assert_int_equal(count_ends(jobs, BERTH_OK, ""), 1);
    assert_int_equal(count_ends(jobs, BERTH_E_IO, shared.out), THREADS - 1);
    join(path, shared.out, "scores.csv");
    char *text = read_file(path);
    for (const char *at = text; (at = strchr(at, '\n')); at++) {
        lines++;
    }
    free(text);
    assert_int_equal(lines, 1 + LIGANDS);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        join(path, shared.out, NAMES[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(shared.out), 0);
    close_shared(&shared);
}

/* Threads that prepare ligands share the store of fragments. */
static void threads_prepare_at_once(void **state)
{
    (void)state;
    struct shared shared = {.devices = NULL};
    struct job jobs[THREADS];
    make_scratch(shared.out);
    assert_true(are_alike(at_once(prepare, &shared, NULL, jobs)));
    assert_int_equal(rmdir(shared.out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_begin_at_once), /* children, before this process uses devices */
        cmocka_unit_test(a_flag_stops_calls),
        cmocka_unit_test(threads_share_what_they_dock_into),
        cmocka_unit_test(a_docking_in_use_is_refused),
        cmocka_unit_test(a_docking_is_freed_in_use),
        cmocka_unit_test(a_folder_in_use_is_refused),
        cmocka_unit_test(threads_prepare_at_once),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
