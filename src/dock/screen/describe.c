/* What is said of a screen's run: in its journal the identity, which determines every result, and
 * facts; and run.json, with how fast it went. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/sha256.h"
#include "dock/screen/screen.h"
#include "dock/side_chains.h"
#include "format/output.h"

/* --- In the journal --- */

static void add_line(struct berth_bytes *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_line(struct berth_bytes *text, const char *format, ...)
{
    char line[2 * PATH_MAX + 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c; c++) {
        *c = (char)(*c == '\n' || *c == '\r' ? ' ' : *c); /* a file's name may hold anything */
    }
    berth_bytes_put(text, line, strlen(line));
    berth_bytes_put8(text, '\n');
}

static void end_digest(struct berth_sha256 *hash, char text[BERTH_SHA256_TEXT])
{
    unsigned char digest[BERTH_SHA256_SIZE];
    berth_sha256_end(hash, digest);
    berth_sha256_print(digest, text);
}

static void hash_kernels(char text[BERTH_SHA256_TEXT])
{
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    for (const struct berth_embedded *file = berth_embedded_kernels; file->name; file++) {
        berth_sha256_add(&hash, file->name, strlen(file->name) + 1);
        berth_sha256_add(&hash, file->text, file->size);
    }
    end_digest(&hash, text);
}

/* Of what the energy sees: the heavy atoms' positions and types. */
static enum berth_status hash_receptor(const struct berth_heavy_atoms *heavy,
                                       char text[BERTH_SHA256_TEXT], struct berth_error *error)
{
    struct berth_bytes bytes = {0};
    for (size_t i = 0; i < heavy->count; i++) {
        for (int k = 0; k < 3; k++) {
            uint64_t word;
            memcpy(&word, &heavy->atoms[i].position[k], sizeof word);
            berth_bytes_put64(&bytes, word);
        }
        berth_bytes_put32(&bytes, (uint32_t)heavy->atoms[i].type);
    }
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, bytes.data, bytes.count);
    end_digest(&hash, text);
    const bool failed = bytes.failed;
    berth_bytes_clear(&bytes);
    return failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Settings that options do not set are in the program, and so in its version. */
static void add_mapped(struct berth_bytes *text, const struct berth_mapped_settings *mapped)
{
    if (!mapped->poses) {
        return;
    }
    add_line(text, "mapped = %zu %zu %zu %zu %zu", mapped->poses, mapped->generations,
             mapped->parents, mapped->hops, mapped->evaluations);
    add_line(text, "mapped_shares = %.9g %.9g", (double)mapped->fresh, (double)mapped->temperature);
    add_line(text, "mapped_distinct = %.9g", (double)mapped->distinct);
    add_line(text, "maps = %.9g %.9g %.9g %.9g %.9g", (double)mapped->maps.spacing,
             (double)mapped->maps.margin, (double)mapped->maps.radius, (double)mapped->maps.wall,
             (double)mapped->maps.most);
}

static void add_search(struct berth_bytes *text, const struct berth_screen_settings *settings)
{
    const struct berth_search_settings search = settings->search;
    add_line(text, "seed = %llu", (unsigned long long)search.seed);
    add_line(text, "poses = %zu", search.poses);
    add_line(text, "generations = %zu", search.generations);
    add_line(text, "parents = %zu", search.parents);
    add_line(text, "exchange = %.9g", (double)search.exchange);
    add_line(text, "shift = %.9g %.9g", (double)search.shift_first, (double)search.shift_last);
    add_line(text, "turn = %.9g %.9g", (double)search.turn_first, (double)search.turn_last);
    add_line(text, "temperature = %.9g %.9g", (double)search.temperature_first,
             (double)search.temperature_last);
    add_line(text, "distinct = %.9g %.9g %.9g", (double)search.distinct_first,
             (double)search.distinct_last, (double)search.distinct_modes);
    add_line(text, "niche = %.9g %zu", (double)search.niche, search.niche_places);
    add_line(text, "soft = %.9g %zu", (double)search.steric_first, search.soft_generations);
    add_mapped(text, &search.mapped);
    add_line(text, "refine = %zu", search.refine.poses);
    add_line(text, "refine_evaluations = %zu", search.refine.evaluations);
    add_line(text, "hops = %zu", search.refine.hops);
    add_line(text, "hop_temperature = %.9g", (double)search.refine.temperature);
    add_line(text, "refine_torsions = %s", search.refine.torsions ? "yes" : "no");
    add_line(text, "strain_weight = %.17g", settings->modes.strain_weight);
    add_line(text, "variant = %s", settings->variant ? settings->variant : "by device");
    add_line(text, "num_modes = %zu", settings->modes.num_modes);
    add_line(text, "min_rmsd = %.17g", settings->modes.min_rmsd);
}

/* The absolute path, so that a merge elsewhere finds the file. */
static void add_path(struct berth_bytes *text, const char *name, const char *path)
{
    char folder[PATH_MAX];
    if (*path == '/' || !getcwd(folder, sizeof folder)) {
        add_line(text, "%s = %s", name, path);
    } else {
        add_line(text, "%s = %s/%s", name, folder, path);
    }
}

static void add_terms(struct berth_bytes *text, const struct berth_term_names *terms)
{
    char names[BERTH_TERMS_MAX * BERTH_TERM_NAME_SIZE] = "";
    for (size_t i = 0; i < terms->count; i++) {
        strcat(strcat(names, i ? " " : ""), terms->names[i]);
    }
    add_line(text, "terms = %s", names);
}

/* The hash of each receptor. */
static enum berth_status add_receptors(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_ensemble *receptors = run->settings.receptors;
    for (size_t i = 0; i < receptors->count; i++) {
        char hash[BERTH_SHA256_TEXT], key[BERTH_RECEPTOR_KEY];
        BERTH_TRY(hash_receptor(&receptors->receptors[i]->heavy, hash, error));
        berth_receptor_key(&receptors->names, i, key);
        add_line(&run->identity, "%s = %s", key, hash);
    }
    return BERTH_OK;
}

/* What a judge sees: its definition, its forcefield, and the receptors as it types them. */
static enum berth_status add_judge(struct berth_screen *run, size_t number,
                                   struct berth_error *error)
{
    const struct berth_ensemble *receptors = run->settings.receptors;
    const struct berth_scoring *scoring = run->settings.judging->functions[number + 1];
    const uint64_t forcefield = berth_forcefield_hash(&scoring->forcefield);
    char text[BERTH_SHA256_TEXT];
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, scoring->definition->digest, sizeof scoring->definition->digest);
    berth_sha256_add(&hash, &forcefield, sizeof forcefield);
    for (size_t i = 0; i < receptors->count; i++) {
        BERTH_TRY(hash_receptor(&receptors->receptors[i]->judges[number].heavy, text, error));
        berth_sha256_add(&hash, text, strlen(text));
    }
    end_digest(&hash, text);
    add_line(&run->identity, "judge_%s = %s", run->settings.judging->names.names[number + 1], text);
    return BERTH_OK;
}

static enum berth_status add_file(struct berth_sha256 *hash, const char *path,
                                  struct berth_error *error)
{
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return berth_io_error(path, "open", errno, error);
    }
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        berth_sha256_add(hash, bytes, count);
    }
    const bool failed = ferror(file);
    fclose(file);
    return failed ? berth_io_error(path, "read", EIO, error) : BERTH_OK;
}

/* The model: both of its files, what it says, and of how many ligands. */
static enum berth_status add_model(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_screen_settings *settings = &run->settings;
    const struct berth_judges *judges = &settings->judging->names;
    char text[BERTH_SHA256_TEXT], names[BERTH_LEARNED_MAX * BERTH_TERM_NAME_SIZE] = "";
    unsigned char digest[BERTH_SHA256_SIZE];
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    BERTH_TRY(add_file(&hash, settings->rescore, error));
    BERTH_TRY(add_file(&hash, berth_rescorer_model(settings->judging->rescorer)->network, error));
    berth_sha256_end(&hash, digest);
    berth_sha256_print(digest, text);
    for (size_t k = 0; k < judges->learned_count; k++) {
        strcat(strcat(names, k ? " " : ""), judges->learned[k]);
    }
    add_line(&run->identity, "model = %s", text);
    add_line(&run->identity, "learned = %s", names);
    add_line(&run->identity, "rescore_top = %zu", settings->rescore_top);
    return BERTH_OK;
}

/* Who judges, and how poses and ligands are ranked. */
static enum berth_status add_judging(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_judging *judging = run->settings.judging;
    char names[BERTH_FUNCTIONS_MAX * BERTH_TERM_NAME_SIZE] = "";
    if (judging->names.count < 2 && !judging->names.ranked) {
        return BERTH_OK;
    }
    for (size_t k = 0; k < judging->names.count; k++) {
        strcat(strcat(names, k ? " " : ""), judging->names.names[k]);
    }
    add_line(&run->identity, "functions = %s", names);
    for (size_t k = 0; k + 1 < judging->names.count; k++) {
        BERTH_TRY(add_judge(run, k, error));
    }
    if (run->settings.search.pool > 1) {
        add_line(&run->identity, "pool = %zu", run->settings.search.pool);
    }
    if (judging->names.ranked) {
        add_line(&run->identity, "rank_poses = %s", judging->texts.poses);
        add_line(&run->identity, "rank_ligands = %s", judging->texts.ligands);
    }
    return BERTH_OK;
}

/* The residues whose side chains move, of all receptors. */
static enum berth_status add_side_chains(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_side_chains *chains = run->settings.receptors->side_chains;
    if (!chains) {
        return BERTH_OK;
    }
    char *names = berth_side_chains_names(chains);
    add_line(&run->identity, "side_chains = %s", names ? names : "");
    free(names);
    return names ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* A library, or what makes it: a hash stands for what is longer than a line. */
static enum berth_status add_library(struct berth_screen *run, struct berth_error *error)
{
    struct berth_bytes *text = &run->identity;
    char digest[BERTH_SHA256_TEXT];
    if (run->preparation) {
        const char *note = berth_screen_preparation_note(run->preparation);
        struct berth_sha256 hash;
        berth_sha256_start(&hash);
        berth_sha256_add(&hash, note, strlen(note));
        end_digest(&hash, digest);
        add_line(text, "prepare = %s", note);
        add_line(text, "prepare_hash = %s", digest);
        add_line(text, "input_bytes = %llu",
                 (unsigned long long)berth_screen_preparation_bytes(run->preparation));
        return BERTH_OK;
    }
    unsigned char bytes[BERTH_LIBRARY_HASH_SIZE];
    BERTH_TRY(berth_library_hash(run->library, bytes, error));
    berth_sha256_print(bytes, digest);
    add_line(text, "library = %s", digest);
    add_line(text, "ligands = %llu", (unsigned long long)berth_library_info(run->library).ligands);
    return BERTH_OK;
}

/* What else is known of the run: a run that goes on may differ in it. */
static void add_facts(struct berth_screen *run)
{
    const struct berth_ensemble *receptors = run->settings.receptors;
    const struct berth_scoring *scoring = &receptors->receptors[0]->scoring;
    if (run->preparation) {
        add_line(&run->facts, "molecules = %s", run->settings.library_path);
    } else {
        add_path(&run->facts, "library", run->settings.library_path);
    }
    for (size_t i = 0; i < receptors->count; i++) {
        char key[BERTH_RECEPTOR_KEY];
        berth_receptor_key(&receptors->names, i, key);
        add_path(&run->facts, key, receptors->paths[i]);
    }
    if (scoring->forcefield.name) {
        add_line(&run->facts, "forcefield = %s", scoring->forcefield.name);
    }
    add_terms(&run->facts, &scoring->terms);
    add_line(&run->facts, "top = %zu", run->settings.top);
    if (isfinite(run->settings.modes.max_clash)) {
        add_line(&run->facts, "max_clash = %.15g", run->settings.modes.max_clash);
    }
    if (run->settings.require) {
        add_line(&run->facts, "require = %s", run->settings.require);
    }
    berth_bytes_put8(&run->facts, 0);
}

enum berth_status berth_run_describe(struct berth_screen *run, struct berth_error *error)
{
    struct berth_bytes *text = &run->identity;
    char kernels[BERTH_SHA256_TEXT];
    const struct berth_ensemble *receptors = run->settings.receptors;
    const struct berth_scoring *scoring = &receptors->receptors[0]->scoring;
    const double *center = run->settings.site.center, *size = run->settings.site.size;
    hash_kernels(kernels);
    add_line(text, "berth = %s", BERTH_VERSION);
    add_line(text, "kernels = %s", kernels);
    add_line(text, "forcefield = %016llx",
             (unsigned long long)berth_forcefield_hash(&scoring->forcefield));
    add_line(text, "scoring = %.*s", (int)strcspn(run->settings.scoring, ","),
             run->settings.scoring);
    if (scoring->formula == BERTH_FORMULA_NONE) { /* a file may be changed under its name */
        char function[BERTH_SHA256_TEXT];
        berth_sha256_print(scoring->definition->digest, function);
        add_line(text, "function = %s", function);
    }
    BERTH_TRY(add_receptors(run, error));
    add_line(text, "center = %.17g %.17g %.17g", center[0], center[1], center[2]);
    add_line(text, "size = %.17g %.17g %.17g", size[0], size[1], size[2]);
    BERTH_TRY(add_library(run, error));
    add_search(text, &run->settings);
    BERTH_TRY(add_judging(run, error));
    if (run->settings.judging->rescorer) {
        BERTH_TRY(add_model(run, error));
    }
    if (receptors->restraints) {
        char digest[BERTH_SHA256_TEXT];
        berth_restraints_hash(receptors->restraints, receptors->count, digest);
        add_line(text, "restraints = %s", digest);
        add_line(text, "restraint_count = %zu", receptors->restraints->count);
    }
    BERTH_TRY(add_side_chains(run, error));
    add_line(text, "shard = %llu/%llu", (unsigned long long)run->settings.shard.number,
             (unsigned long long)run->settings.shard.count);
    berth_bytes_put8(text, 0);
    add_facts(run);
    return text->failed || run->facts.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* --- run.json --- */

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
    static const char *const NAMES[BERTH_KNOWN] = {"name", "platform", "driver", "variant"};
    berth_output_print(output, "  \"devices\": [");
    for (size_t i = 0; i < devices->count; i++) {
        berth_output_print(output, "%s\n    {", i ? "," : "");
        for (size_t k = 0; k < BERTH_KNOWN; k++) {
            berth_output_print(output, "%s\"%s\": ", k ? ", " : "", NAMES[k]);
            berth_output_json(output, devices->devices[i].texts[k]);
        }
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
    if (berth_docking_times(run->docking, &profile, &busy, &ignored)) {
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
    if (run->preparing > 0) {
        const double share = run->preparing / fmax(run->processor, run->preparing);
        berth_output_print(output,
                           ",\n    \"preparation_seconds\": %.3f,\n"
                           "    \"processor_seconds\": %.3f,\n    \"preparation_share\": %.4f",
                           run->preparing, run->processor, share);
    }
    berth_output_print(output, ",\n    \"devices_busy\": %.4f\n  }", busy);
}

enum berth_status berth_run_json_write(const struct berth_run_summary *summary,
                                       const struct berth_screen *run, struct berth_error *error)
{
    char path[PATH_MAX], date[32] = "";
    struct berth_output *output = NULL;
    BERTH_TRY(berth_path_in(summary->folder, "run.json", path, sizeof path, error));
    BERTH_TRY(berth_output_create(path, &output, error));
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
