/* run.json: what a screen was and how fast it went. */
#include <limits.h>
#include <string.h>
#include <time.h>

#include "cli/screen_run.h"

/* A text in quotes. */
static void print_text(struct berth_output *output, const char *text)
{
    berth_output_print(output, "\"");
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            berth_output_print(output, "\\%c", c);
        } else if (c < 0x20) {
            berth_output_print(output, "\\u%04x", c);
        } else {
            berth_output_print(output, "%c", c);
        }
    }
    berth_output_print(output, "\"");
}

static void print_member(struct berth_output *output, const char *name, const char *value)
{
    berth_output_print(output, "  \"%s\": ", name);
    print_text(output, value);
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
            print_text(output, line);
            berth_output_print(output, ": ");
            print_text(output, value + 3);
        }
        lines += length + (lines[length] != '\0');
    }
    berth_output_print(output, "\n  },\n");
}

/* The devices of this run, and what each did. */
static void print_devices(const struct screen_run *run, struct berth_output *output)
{
    berth_output_print(output, "  \"devices\": [");
    for (size_t i = 0; i < run->devices.count; i++) {
        const struct berth_device *device = &run->devices.devices[i];
        const struct berth_variant variant = berth_docking_variant(run->docking, i);
        char text[BERTH_VARIANT_TEXT];
        berth_variant_print(&variant, text);
        berth_output_print(output, "%s\n    {\"index\": %zu, \"name\": ", i ? "," : "",
                           device->index);
        print_text(output, device->name);
        berth_output_print(output, ", \"platform\": ");
        print_text(output, device->platform);
        berth_output_print(output, ", \"driver\": ");
        print_text(output, device->driver);
        berth_output_print(output, ", \"variant\": ");
        print_text(output, text);
        berth_output_print(output, ", \"conformers\": %zu, \"failed\": %s}", run->window->docked[i],
                           run->window->lost[i] ? "true" : "false");
    }
    berth_output_print(output, "\n  ],\n");
}

/* Devices that earlier parts of the run had, too. */
static void print_names(const struct screen_devices *devices, struct berth_output *output)
{
    berth_output_print(output, "  \"unlike_devices\": [");
    for (size_t i = 0; i < devices->count; i++) {
        berth_output_print(output, "%s", i ? ", " : "");
        print_text(output, devices->devices[i].name);
    }
    berth_output_print(output, "],\n");
}

static void print_rates(const struct screen_run *run, struct berth_output *output)
{
    const struct screen_progress *progress = &run->progress;
    struct berth_profile profile;
    struct berth_error ignored;
    double busy = 0;
    if (berth_docking_profile(run->docking, &profile, &busy, &ignored)) {
        busy = 0;
    }
    size_t conformers = 0;
    for (size_t i = 0; i < run->devices.count; i++) {
        conformers += run->window->docked[i];
    }
    const double seconds = run->seconds > 0 ? run->seconds : 1e-9;
    const unsigned long long docked = progress->done - progress->before;
    berth_output_print(
        output,
        "  \"this_run\": {\"ligands\": %llu, \"conformers\": %zu, \"seconds\": %.3f, "
        "\"ligands_per_second\": %.6g, \"conformers_per_second\": %.6g, "
        "\"interactions_per_second\": %.6g, \"devices_busy\": %.4f}\n",
        docked, conformers, seconds, (double)docked / seconds, (double)conformers / seconds,
        run->window->atoms * progress->pairs_per_atom / seconds, busy);
}

enum berth_status screen_json_write(const struct screen_run *run, struct berth_error *error)
{
    char path[PATH_MAX], date[32] = "";
    struct berth_output *output = NULL;
    enum berth_status status = screen_path(run->values->out, "run.json", path, sizeof path, error);
    if (!status) {
        status = berth_output_create(path, &output, error);
    }
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
    print_lines(output, "identity", (const char *)run->identity.data);
    print_lines(output, "files", (const char *)run->facts.data);
    berth_output_print(output, "  \"ligands\": %llu,\n  \"failed\": %llu,\n",
                       (unsigned long long)run->progress.total, (unsigned long long)run->failed);
    print_devices(run, output);
    print_names(&run->records.devices, output);
    print_rates(run, output);
    berth_output_print(output, "}\n");
    return berth_output_commit(output, error);
}
