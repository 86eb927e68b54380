#include "cli/text_devices.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "format/output.h"
#include "device/tuning.h"
#include "check/bench.h"
#include "check/demo.h"
#include "check/tune.h"

/* --- The kernels' source --- */

/* Prints the options' macros as definitions, so that what is printed stands by itself. */
static void print_definitions(const char *options)
{
    for (const char *at = strstr(options, "-D"); at; at = strstr(at, " -D")) {
        at += strspn(at, " -") + 1;
        const size_t name = strcspn(at, "= "), all = strcspn(at, " ");
        const int has_value = all > name;
        printf("#define %.*s %.*s\n", (int)name, at, has_value ? (int)(all - name - 1) : 1,
               has_value ? at + name + 1 : "1");
    }
}

enum berth_status cli_print_kernel(const struct berth_device *device,
                                   const struct berth_scoring *scoring, const char *tunables,
                                   struct berth_error *error)
{
    struct berth_variant set = berth_variant_unset();
    char options[BERTH_OPTIONS_TEXT], text[BERTH_VARIANT_TEXT];
    enum berth_status status = tunables ? berth_variant_parse(tunables, &set, error) : BERTH_OK;
    const struct berth_variant variant = berth_variant_with(device, &set);
    BERTH_THEN(berth_variant_options(&variant, device, NULL, options, error));
    char *source = status ? NULL : berth_variant_source(scoring);
    if (!status && !source) {
        status = berth_out_of_memory(error, NULL);
    }
    if (!status) {
        berth_variant_print(&variant, text);
        printf("/* device %zu: %s, driver %s\n * variant: %s\n * options: %s */\n", device->index,
               device->name, device->driver, text, options);
        print_definitions(options);
        fputs(source, stdout);
    }
    free(source);
    return status;
}

/* --- Tuning --- */

static void print_candidate(void *context, const struct berth_candidate *candidate)
{
    (void)context;
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(&candidate->variant, text);
    if (*candidate->refusal) {
        printf("%12s  %8s  %s: %s\n", "-", "-", text, candidate->refusal);
    } else {
        printf("%12.4g  %8.5f  %s\n", candidate->interactions_per_s, candidate->largest_error,
               text);
    }
    fflush(stdout);
}

enum berth_status cli_tune_device(const struct berth_device *device,
                                  const struct berth_scoring *scoring, bool dry_run,
                                  struct berth_error *error)
{
    const struct berth_tune_setup setup = {device, scoring, print_candidate, NULL};
    struct berth_candidate best;
    char text[BERTH_VARIANT_TEXT];
    char *path = NULL;
    printf("device %zu: %s, driver %s\n%12s  %8s  variant\n", device->index, device->name,
           device->driver, "covered/s", "error");
    if (fflush(stdout) != 0) { /* which is said in the end, but a minute's work is for nothing */
        return BERTH_OK;
    }
    enum berth_status status = berth_tune_run(&setup, &best, error);
    if (status) {
        return status;
    }
    berth_variant_print(&best.variant, text);
    printf("fastest: %s\n", text);
    if (!dry_run) {
        status = berth_tuning_store(device, text, &path, error);
    }
    if (path) {
        cli_print("stored in %s", path);
    }
    free(path);
    return status;
}

/* --- Throughput --- */

static void print_bench_head(const char *name, const struct berth_deck *deck)
{
    cli_print("deck %s: %zu receptor atoms, %zu ligand atoms", name, deck->protein.count,
              deck->ligand.count);
    printf("%-40s %9s %8s %6s %10s %10s %12s  %-5s %s\n", "device", "poses", "w x ppwi", "wgsize",
           "ms median", "ms min", "interact./s", "valid", "max diff %");
    fflush(stdout);
}

static void print_bench_row(const struct berth_device *device,
                            const struct berth_bench_setup *setup,
                            const struct berth_bench_result *result)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%d x %-2d", setup->variant.vector_width, setup->variant.ppwi);
    printf("%-40.40s %9zu %8s %6d %10.3f %10.3f %12.4g  %-5s %.4f\n", device->name,
           setup->poses_wanted, shape, setup->variant.wgsize, result->ms_median, result->ms_min,
           result->interactions_per_s, result->valid ? "yes" : "NO", result->max_diff_pct);
    fflush(stdout);
}

static void write_bench_row(struct berth_output *csv, const struct berth_device *device,
                            const struct berth_bench_setup *setup,
                            const struct berth_bench_result *result)
{
    char variant[BERTH_VARIANT_TEXT];
    berth_variant_print(&setup->variant, variant);
    berth_output_csv(csv, device->name, ',');
    berth_output_csv(csv, device->driver, ',');
    berth_output_print(csv, "%zu,%d,%d,%d,%s,%.4f,%.4f,%.5g,%s,%.5f\n", setup->poses_wanted,
                       setup->variant.vector_width, setup->variant.ppwi, setup->variant.wgsize,
                       variant, result->ms_median, result->ms_min, result->interactions_per_s,
                       result->valid ? "yes" : "no", result->max_diff_pct);
}

static enum berth_status bench_all(const struct cli_bench_settings *settings,
                                   const struct berth_deck *deck, struct berth_output *csv,
                                   bool *valid, struct berth_error *error)
{
    struct berth_bench_setup setup = berth_bench_of_deck(deck, settings->poses, settings->repeats);
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < settings->devices->count; i++) {
        const struct berth_device *device = &settings->devices->devices[i];
        struct berth_bench_result result;
        setup.variant = berth_variant_with(device, &settings->variant);
        if (settings->variant.lists < 0) {
            setup.variant.lists = 0; /* every interaction of the deck is to be done */
        }
        status = berth_bench_run(device, &setup, &result, error);
        if (!status && !settings->quiet) {
            print_bench_row(device, &setup, &result);
        }
        if (!status && csv) {
            write_bench_row(csv, device, &setup, &result);
        }
        *valid = *valid && (status || result.valid);
    }
    return status;
}

enum berth_status cli_bench_devices(const struct cli_bench_settings *settings, bool *valid,
                                    struct berth_error *error)
{
    struct berth_output *csv = NULL;
    struct berth_deck deck = {0};
    enum berth_status status =
        settings->csv ? berth_output_create(settings->csv, &csv, error) : BERTH_OK;
    *valid = true;
    BERTH_THEN(settings->deck ? berth_deck_read(settings->deck, &deck, error)
                              : berth_demo_deck(settings->data, settings->scoring, settings->log,
                                                &deck, error));
    if (!status && !settings->quiet) {
        print_bench_head(settings->deck ? settings->deck : "of the demo complex", &deck);
    }
    if (!status && csv) {
        berth_output_print(csv, "device,driver,poses,vector_width,ppwi,wgsize,variant,ms_median,"
                                "ms_min,interactions_per_s,valid,max_diff_pct\n");
    }
    BERTH_THEN(bench_all(settings, &deck, csv, valid, error));
    berth_deck_clear(&deck);
    return berth_output_finish(csv, status, error);
}
