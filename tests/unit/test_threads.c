/* What berth.h promises about threads, promise by promise; tests/tsan.sh looks for data races in it. */
#include "unit/io_support.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "berth.h"

#define RECEPTOR "tests/fixtures/pocket.mol2"
#define LIGAND   "data/demo/1hpv_ligand.mol2"
#define LIBRARY  "tests/fixtures/screen/library.blib"

enum { THREADS = 4, PROCESSES = 3 };

/* What one thread makes, and what it came to; asserted by the main thread alone. */
struct job {
    struct berth_error error;
    enum berth_status status;
    const berth_devices *devices;   /* shared; NULL: its own */
    const berth_receptor *receptor; /* likewise */
    const char *library, *out;      /* of a screen */
    berth_docking *docking;         /* that is in progress */
    pthread_t thread;
    double energy;
    size_t calls, refused, elsewhere; /* elsewhere: calls by another thread, or in its locale */
    atomic_bool stop;
    bool frees, stops, dots;
};

static struct berth_search_options search_of(void)
{
    struct berth_search_options search;
    berth_search_defaults(&search, sizeof search);
    search.search = "fast";
    search.poses = 64;
    search.generations = 2;
    search.refine = 1;
    return search;
}

static bool take(void *context, const struct berth_docked_ligand *ligand)
{
    struct job *job = context;
    job->energy = ligand->failure ? 0 : ligand->poses[0]->energy;
    job->elsewhere += !pthread_equal(pthread_self(), job->thread) ||
                      uselocale((locale_t)0) == LC_GLOBAL_LOCALE;
    job->calls++;
    return false;
}

/* Opens a docking and docks, with what the job has, or its own. */
static void *dock(void *context)
{
    struct job *job = context;
    struct berth_search_options search = search_of();
    struct berth_dock_options options;
    berth_devices *devices = NULL;
    berth_receptor *receptor = NULL;
    berth_docking *docking = NULL;
    const struct berth_ligand_calls calls = {.ligand = take, .context = job};
    job->thread = pthread_self();
    berth_dock_defaults(&options, sizeof options);
    options.search = &search;
    options.stop = &job->stop;
    if (!job->devices) {
        job->status = berth_devices_find(NULL, NULL, &devices, &job->error);
    }
    if (!job->status && !job->receptor) {
        job->status = berth_receptor_load(RECEPTOR, NULL, NULL, &receptor, &job->error);
    }
    if (receptor) {
        job->status = berth_receptor_site_about(receptor, LIGAND, 4, NULL, &job->error);
    }
    if (!job->status) {
        job->status =
            berth_docking_open(job->receptor ? job->receptor : receptor,
                               job->devices ? job->devices : devices, &options, NULL, &docking,
                               &job->error);
    }
    if (!job->status) {
        job->status = berth_docking_file(docking, LIGAND, &calls, &job->error);
    }
    berth_docking_free(docking);
    berth_receptor_free(receptor);
    berth_devices_free(devices);
    return NULL;
}

/* Has threads do it at once, each with a job; how many ended well. */
static size_t at_once(void *(*work)(void *context), struct job *jobs, size_t count)
{
    pthread_t threads[THREADS];
    size_t good = 0;
    for (size_t i = 0; i < count; i++) {
        if (pthread_create(&threads[i], NULL, work, &jobs[i])) {
            abort();
        }
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        good += jobs[i].status == BERTH_OK;
    }
    return good;
}

/* Of processes that have not used devices: drivers start once, whoever is first.  Each thread has
 * handles of its own, and gets what the others get. */
static void threads_begin_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < PROCESSES; i++) {
        int ended = 0;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct job jobs[THREADS] = {0};
            bool good = at_once(dock, jobs, THREADS) == THREADS;
            for (int k = 0; k < THREADS; k++) {
                good = good && jobs[k].energy < 0 && jobs[k].energy == jobs[0].energy;
                fprintf(stderr, "%s", jobs[k].status ? jobs[k].error.message : "");
            }
            _exit(good ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_int_equal(ended, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_begin_at_once),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
