/* run.json: what a screen was and how fast it went. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dock/screen/screen.h"
#include "format/output.h"

static void print_member(struct berth_output *output, const char *name, const char *value)
{
    berth_output_print(output, "  \"%s\": ", name);
    berth_output_json(output, value);
    berth_output_print(output, ",\n");
}

/* Lines "name = value" as an object. */
static void print_lines(struct berth_output *output, const char *name, const char *lines)
{
    berth_output_print(output, "  \"%s\": {", name);
    for (const char *comma = ""; *lines; comma = ",") {
        char line[2 * PATH_MAX + 64];
        const size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        char *value = strstr(line, " = ");
        if (value) {
            *value = '\0';
            berth_output_print(output, "%s\n    ", comma);
            berth_output_json(output, line);
            berth_output_print(output, ": ");
            berth_output_json(output, value + 3);
        }
        lines += length + (lines[length] != '\0');
    }
    berth_output_print(output, "\n  },\n");
}

/* All devices that docked something, in this run or earlier ones.  Unlike ones round differently.
 */
static void print_all_devices(const struct berth_known_devices *devices,
                              struct berth_output *output)
{
    berth_output_print(output, "  \"devices\": [");
    for (size_t i = 0; i < devices->count; i++) {
        const struct berth_known_device *device = &devices->devices[i];
        berth_output_print(output, "%s\n    {\"name\": ", i ? "," : "");
        berth_output_json(output, device->name);
        berth_output_print(output, ", \"platform\": ");
        berth_output_json(output, device->platform);
        berth_output_print(output, ", \"driver\": ");
        berth_output_json(output, device->driver);
        berth_output_print(output, ", \"variant\": ");
        berth_output_json(output, device->variant);
        berth_output_print(output, "}");
    }
    berth_output_print(output, "\n  ],\n  \"unlike_devices\": %s",
                       devices->count > 1 ? "true" : "false");
}

/* A device of this run, and what it did. */
static void print_share(const struct berth_screen *run, size_t i, struct berth_output *output)
{
    const struct berth_device *device = &run->settings.devices->devices[i];
    const struct berth_variant variant = berth_docking_variant(run->docking, i);
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(&variant, text);
    berth_output_print(output, "%s\n      {\"index\": %zu, \"name\": ", i ? "," : "",
                       device->index);
    berth_output_json(output, device->name);
    berth_output_print(output, ", \"variant\": ");
    berth_output_json(output, text);
    berth_output_print(output, ", \"conformers\": %zu, \"failed\": %s}", run->window->docked[i],
                       run->window->lost[i] ? "true" : "false");
}

static void print_run(const struct berth_screen *run, struct berth_output *output)
{
    struct berth_profile profile;
    struct berth_error ignored;
    double busy = 0;
    if (berth_docking_profile(run->docking, &profile, &busy, &ignored)) {
        busy = 0;
    }
    size_t conformers = 0;
    berth_output_print(output, ",\n  \"this_run\": {\n    \"devices\": [");
    for (size_t i = 0; i < run->settings.devices->count; i++) {
        print_share(run, i, output);
        conformers += run->window->docked[i];
    }
    const double seconds = run->seconds > 0 ? run->seconds : 1e-9;
    const unsigned long long docked = run->done - run->before;
    berth_output_print(output,
                       "\n    ],\n    \"ligands\": %llu,\n    \"conformers\": %zu,\n"
                       "    \"seconds\": %.3f,\n    \"ligands_per_second\": %.6g,\n"
                       "    \"conformers_per_second\": %.6g",
                       docked, conformers, seconds, (double)docked / seconds,
                       (double)conformers / seconds);
    if (run->pairs_per_atom > 0) {
        berth_output_print(output, ",\n    \"interactions_per_second\": %.6g",
                           run->window->atoms * run->pairs_per_atom / seconds);
    }
    berth_output_print(output, ",\n    \"devices_busy\": %.4f\n  }", busy);
}

enum berth_status berth_run_json_write(const struct berth_run_summary *summary,
                                       const struct berth_screen *run, struct berth_error *error)
{
    char path[PATH_MAX], date[32] = "";
    struct berth_output *output = NULL;
    enum berth_status status = berth_path_in(summary->folder, "run.json", path, sizeof path, error);
    BERTH_THEN(berth_output_create(path, &output, error));
    if (status) {
        return status;
    }
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    berth_output_print(output, "{\n");
    print_member(output, "program", "berth " BERTH_VERSION);
    print_member(output, "finished", date);
    print_lines(output, "identity", summary->identity);
    print_lines(output, "files", summary->facts);
    berth_output_print(output, "  \"ligands\": %llu,\n  \"failed\": %llu,\n",
                       (unsigned long long)summary->ligands, (unsigned long long)summary->failed);
    print_all_devices(summary->devices, output);
    if (run && run->done > run->before) {
        print_run(run, output);
    }
    berth_output_print(output, "\n}\n");
    return berth_output_commit(output, error);
}
