/* A client of the shared library (tests/cli/test_api.sh): screens a library, or goes on with a
 * screen. Usage: client_screen RECEPTOR SITE_LIGAND LIBRARY FOLDER [stop | kill] stop: it is
 * stopped by the callback after some ligands; kill: it kills itself there. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth.h>

static void need(enum berth_status status, const struct berth_error *error)
{
    if (status) {
        fprintf(stderr, "client: %s\n", error->message);
        exit(1);
    }
}

static void warn(void *context, const struct berth_log_line *line)
{
    fprintf(context, "%s\n", line->text);
}

/* Once some ligands are done, more than before: what the caller wants. */
static bool tend(void *context, const struct berth_progress *progress)
{
    const char *wish = context;
    if (progress->done <= progress->before || !wish) {
        return false;
    }
    if (strcmp(wish, "kill") == 0) {
        raise(SIGKILL);
    }
    return true;
}

/* The best result so far. */
struct best {
    char name[64];
    double value;
    size_t count;
};

static bool compare(void *context, const struct berth_screen_result *result)
{
    struct best *best = context;
    best->count++;
    if (!result->failure && result->value < best->value) {
        snprintf(best->name, sizeof best->name, "%s", result->name);
        best->value = result->value;
    }
    return false;
}

int main(int argc, char **argv)
{
    struct berth_error error;
    const struct berth_log log = {warn, stderr};
    berth_options *options;
    struct best best = {"", 1e9, 0};
    berth_devices *devices;
    berth_receptor *receptor;
    berth_screen *screen;
    if (argc < 5) {
        return 1;
    }
    need(berth_devices_find(NULL, &log, &devices, &error), &error);
    need(berth_receptor_load(argv[1], NULL, &log, &receptor, &error), &error);
    need(berth_receptor_site_about(receptor, argv[2], 4, &log, &error), &error);
    const char *const values[][2] = {{"library", argv[3]}, {"out", argv[4]}, {"resume", "true"},
                                     {"checkpoint", "0"},  {"poses", "32"},  {"generations", "2"},
                                     {"batch", "1"}};
    need(berth_options_create("screen", &options, &error), &error);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        need(berth_options_set(options, values[i][0], values[i][1], &error), &error);
    }
    const berth_receptor *const receptors[] = {receptor};
    need(berth_screen_open(receptors, 1, devices, options, NULL, &log, &screen, &error), &error);
    berth_options_free(options);
    need(berth_screen_run(screen, tend, argv[5], &error), &error);
    const struct berth_progress *progress = berth_screen_progress(screen);
    need(berth_screen_results(screen, compare, &best, &error), &error);
    printf("%s %zu of %d, best %s %.4f\n", progress->finished ? "finished" : "stopped", best.count,
           (int)progress->total, best.name, best.value);
    berth_screen_free(screen);
    berth_receptor_free(receptor);
    berth_devices_free(devices);
    return 0;
}
