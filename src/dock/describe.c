#include "dock/describe.h"

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
#include "base/text.h"
#include "chem/twist.h"
#include "chem/vectors.h"
#include "dock/covalent.h"
#include "dock/side_chains.h"
#include "format/journal.h"
#include "format/output.h"

/* --- Lines --- */

void berth_run_line(struct berth_bytes *text, const char *format, ...)
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

void berth_run_path(struct berth_bytes *text, const char *name, const char *path)
{
    char folder[PATH_MAX];
    if (*path == '/' || strcmp(path, "-") == 0 || !getcwd(folder, sizeof folder)) {
        berth_run_line(text, "%s = %s", name, path);
    } else {
        berth_run_line(text, "%s = %s/%s", name, folder, path);
    }
}

static void end_digest(struct berth_sha256 *hash, char text[BERTH_SHA256_TEXT])
{
    unsigned char digest[BERTH_SHA256_SIZE];
    berth_sha256_end(hash, digest);
    berth_sha256_print(digest, text);
}

void berth_run_digest(const char *text, char digest[BERTH_SHA256_TEXT])
{
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, text, strlen(text));
    end_digest(&hash, digest);
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
    berth_run_line(text, "mapped = %zu %zu %zu %zu %zu", mapped->poses, mapped->generations,
                   mapped->parents, mapped->hops, mapped->evaluations);
    berth_run_line(text, "mapped_shares = %.9g %.9g", (double)mapped->fresh,
                   (double)mapped->temperature);
    berth_run_line(text, "mapped_distinct = %.9g", (double)mapped->distinct);
    berth_run_line(text, "maps = %.9g %.9g %.9g %.9g %.9g", (double)mapped->maps.spacing,
                   (double)mapped->maps.margin, (double)mapped->maps.radius,
                   (double)mapped->maps.wall, (double)mapped->maps.most);
}

static void add_search(struct berth_bytes *text, const struct berth_run_identity *run)
{
    const struct berth_search_settings search = *run->search;
    berth_run_line(text, "seed = %llu", (unsigned long long)search.seed);
    berth_run_line(text, "poses = %zu", search.poses);
    berth_run_line(text, "generations = %zu", search.generations);
    berth_run_line(text, "parents = %zu", search.parents);
    berth_run_line(text, "exchange = %.9g", (double)search.exchange);
    berth_run_line(text, "shift = %.9g %.9g", (double)search.shift_first,
                   (double)search.shift_last);
    berth_run_line(text, "turn = %.9g %.9g", (double)search.turn_first, (double)search.turn_last);
    berth_run_line(text, "temperature = %.9g %.9g", (double)search.temperature_first,
                   (double)search.temperature_last);
    berth_run_line(text, "distinct = %.9g %.9g %.9g", (double)search.distinct_first,
                   (double)search.distinct_last, (double)search.distinct_modes);
    berth_run_line(text, "niche = %.9g %zu", (double)search.niche, search.niche_places);
    berth_run_line(text, "soft = %.9g %zu", (double)search.steric_first, search.soft_generations);
    add_mapped(text, &search.mapped);
    berth_run_line(text, "refine = %zu", search.refine.poses);
    berth_run_line(text, "refine_evaluations = %zu", search.refine.evaluations);
    berth_run_line(text, "hops = %zu", search.refine.hops);
    berth_run_line(text, "hop_temperature = %.9g", (double)search.refine.temperature);
    berth_run_line(text, "refine_torsions = %s", search.refine.torsions ? "yes" : "no");
    berth_run_line(text, "strain_weight = %.17g", run->modes->strain_weight);
    if (run->relax) {
        berth_run_line(text, "relax = 1");
    }
    berth_run_line(text, "variant = %s", run->variant ? run->variant : "by device");
    berth_run_line(text, "num_modes = %zu", run->modes->num_modes);
    berth_run_line(text, "min_rmsd = %.17g", run->modes->min_rmsd);
}

static void add_terms(struct berth_bytes *text, const struct berth_term_names *terms)
{
    char names[BERTH_TERMS_MAX * BERTH_TERM_NAME_SIZE] = "";
    for (size_t i = 0; i < terms->count; i++) {
        strcat(strcat(names, i ? " " : ""), terms->names[i]);
    }
    berth_run_line(text, "terms = %s", names);
}

/* The hash of each receptor. */
static enum berth_status add_receptors(const struct berth_run_identity *run,
                                       struct berth_error *error)
{
    const struct berth_ensemble *receptors = run->receptors;
    for (size_t i = 0; i < receptors->count; i++) {
        char hash[BERTH_SHA256_TEXT], key[BERTH_RECEPTOR_KEY];
        BERTH_TRY(hash_receptor(&receptors->receptors[i]->heavy, hash, error));
        berth_receptor_key(&receptors->names, i, key);
        berth_run_line(run->text, "%s = %s", key, hash);
    }
    return BERTH_OK;
}

/* What a judge sees: its definition, its forcefield, and the receptors as it types them. */
static enum berth_status add_judge(const struct berth_run_identity *run, size_t number,
                                   struct berth_error *error)
{
    const struct berth_ensemble *receptors = run->receptors;
    const struct berth_scoring *scoring = run->judging->functions[number + 1];
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
    berth_run_line(run->text, "judge_%s = %s", run->judging->names.names[number + 1], text);
    return BERTH_OK;
}

/* The model: both of its files, what it says, and of how many ligands. */
static enum berth_status add_model(const struct berth_run_identity *run, struct berth_error *error)
{
    const struct berth_judges *judges = &run->judging->names;
    char text[BERTH_SHA256_TEXT], names[BERTH_LEARNED_MAX * BERTH_TERM_NAME_SIZE] = "";
    unsigned char digest[BERTH_SHA256_SIZE];
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    BERTH_TRY(berth_sha256_add_file(&hash, run->rescore, error));
    BERTH_TRY(
        berth_sha256_add_file(&hash, berth_rescorer_model(run->judging->rescorer)->network, error));
    berth_sha256_end(&hash, digest);
    berth_sha256_print(digest, text);
    for (size_t k = 0; k < judges->learned_count; k++) {
        strcat(strcat(names, k ? " " : ""), judges->learned[k]);
    }
    berth_run_line(run->text, "model = %s", text);
    berth_run_line(run->text, "learned = %s", names);
    if (run->rescore_top) {
        berth_run_line(run->text, "rescore_top = %zu", run->rescore_top);
    }
    return BERTH_OK;
}

/* Who judges, and how poses and ligands are ranked. */
static enum berth_status add_judging(const struct berth_run_identity *run,
                                     struct berth_error *error)
{
    const struct berth_judging *judging = run->judging;
    char names[BERTH_FUNCTIONS_MAX * BERTH_TERM_NAME_SIZE] = "";
    if (judging->names.count < 2 && !judging->names.ranked) {
        return BERTH_OK;
    }
    for (size_t k = 0; k < judging->names.count; k++) {
        strcat(strcat(names, k ? " " : ""), judging->names.names[k]);
    }
    berth_run_line(run->text, "functions = %s", names);
    for (size_t k = 0; k + 1 < judging->names.count; k++) {
        BERTH_TRY(add_judge(run, k, error));
    }
    if (run->search->pool > 1) {
        berth_run_line(run->text, "pool = %zu", run->search->pool);
    }
    if (judging->names.ranked) {
        berth_run_line(run->text, "rank_poses = %s", judging->texts.poses);
        berth_run_line(run->text, "rank_ligands = %s", judging->texts.ligands);
    }
    return BERTH_OK;
}

/* The residues whose side chains move, of each receptor. */
static enum berth_status add_side_chains(const struct berth_run_identity *run,
                                         struct berth_error *error)
{
    const struct berth_ensemble *receptors = run->receptors;
    for (size_t i = 0; receptors->side_chains && i < receptors->count; i++) {
        char key[BERTH_RECEPTOR_KEY];
        char *names = berth_side_chains_names(&receptors->side_chains[i]);
        if (!names) {
            return berth_out_of_memory(error, NULL);
        }
        berth_receptor_own_key(&receptors->names, i, BERTH_SIDE_CHAINS_KEY, key);
        berth_run_line(run->text, "%s = %s", key, names);
        free(names);
    }
    return BERTH_OK;
}

enum berth_status berth_run_identify_target(const struct berth_run_identity *run,
                                            struct berth_error *error)
{
    struct berth_bytes *text = run->text;
    char kernels[BERTH_SHA256_TEXT];
    const struct berth_scoring *scoring = &run->receptors->receptors[0]->scoring;
    const double *center = run->site->center, *size = run->site->size;
    hash_kernels(kernels);
    berth_run_line(text, "berth = %s", BERTH_VERSION);
    berth_run_line(text, "kernels = %s", kernels);
    berth_run_line(text, "forcefield = %016llx",
                   (unsigned long long)berth_forcefield_hash(&scoring->forcefield));
    berth_run_line(text, "scoring = %.*s", (int)strcspn(run->scoring, ","), run->scoring);
    if (scoring->formula == BERTH_FORMULA_NONE) { /* a file may be changed under its name */
        char function[BERTH_SHA256_TEXT];
        berth_sha256_print(scoring->definition->digest, function);
        berth_run_line(text, "function = %s", function);
    }
    BERTH_TRY(add_receptors(run, error));
    berth_run_line(text, "center = %.17g %.17g %.17g", center[0], center[1], center[2]);
    berth_run_line(text, "size = %.17g %.17g %.17g", size[0], size[1], size[2]);
    return BERTH_OK;
}

/* What waters cost in each receptor. */
static void add_displacement(const struct berth_run_identity *run)
{
    char text[PATH_MAX] = "";
    for (size_t i = 0, used = 0; i < run->receptors->count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.9g", i ? " " : "",
                                 run->judging->names.displacement[i]);
    }
    berth_run_line(run->text, "displacement = %s", text);
}

enum berth_status berth_run_identify_search(const struct berth_run_identity *run,
                                            struct berth_error *error)
{
    const struct berth_ensemble *receptors = run->receptors;
    add_search(run->text, run);
    BERTH_TRY(add_judging(run, error));
    if (run->judging->rescorer) {
        BERTH_TRY(add_model(run, error));
    }
    if (receptors->covalent) {
        berth_run_line(run->text, "covalent = %s %s", receptors->covalent->text,
                       receptors->covalent->atom);
    }
    if (receptors->restraints) {
        char digest[BERTH_SHA256_TEXT];
        berth_restraints_hash(receptors->restraints, receptors->count, digest);
        berth_run_line(run->text, "restraints = %s", digest);
        berth_run_line(run->text, "restraint_count = %zu", receptors->restraints->count);
        if (run->judging->names.core) {
            berth_run_line(run->text, "soft_core = %zu %.9g %.9g", run->judging->names.core,
                           run->judging->names.core_radius, run->judging->names.core_weight);
        }
        if (receptors->restraints->metals) {
            berth_run_line(run->text, "metal_sites = %zu %g %g binding",
                           receptors->restraints->metals, run->judging->names.metal_weight,
                           run->judging->names.metal_radius);
        }
    }
    if (run->judging->names.displaces) {
        add_displacement(run);
    }
    if (run->judging->names.twists) {
        berth_run_line(run->text, "twists = %g",
                       berth_twist_price(90, receptors->receptors[0]->scoring.unit));
    }
    return add_side_chains(run, error);
}

/* A restraint's text, and for each receptor "required|wished [avoided] RADIUS X Y Z X Y Z ...",
 * as many places as a reader's line holds. */
static void add_places(const struct berth_ensemble *receptors, size_t i, struct berth_bytes *facts)
{
    const struct berth_restraint_rule *rule = &receptors->restraints->rules[i];
    berth_run_line(facts, "restraint_%zu = %s", i + 1, rule->text);
    if (rule->reference) { /* there is one core at most */
        berth_run_path(facts, "template", rule->reference);
    }
    for (size_t k = 0; k < receptors->count; k++) {
        const struct berth_place *places = receptors->restraints->places[k].places;
        char key[BERTH_RECEPTOR_KEY], text[PATH_MAX];
        berth_receptor_key(&receptors->names, k, key);
        size_t used =
            (size_t)snprintf(text, sizeof text, "%s%s %g", rule->required ? "required" : "wished",
                             rule->avoided ? " avoided" : "", places[rule->places[0]].radius);
        for (size_t p = rule->places[0]; p < rule->places[1] && used + 64 < sizeof text; p++) {
            const double *at = places[p].position;
            if (berth_length(at) < BERTH_RESTRAINT_NOWHERE) {
                used += (size_t)snprintf(text + used, sizeof text - used, " %.3f %.3f %.3f", at[0],
                                         at[1], at[2]);
            }
        }
        berth_run_line(facts, "restraint_%zu_%s = %s", i + 1, key, text);
    }
}

/* Where functions of the user's own files are; the identity names the first of all alone. */
static void add_functions(const struct berth_typed_receptor *receptor, struct berth_bytes *facts)
{
    for (size_t i = 0; i <= receptor->judge_count; i++) {
        const struct berth_scoring *scoring =
            i ? &receptor->judges[i - 1].scoring : &receptor->scoring;
        char key[BERTH_TERM_NAME_SIZE + 16];
        if (scoring->formula == BERTH_FORMULA_NONE) {
            snprintf(key, sizeof key, "function_%s", receptor->functions.names[i]);
            berth_run_path(facts, key, scoring->definition->file);
        }
    }
}

/* What preparing each receptor said, as far as a line holds it, its lines with bars between. */
static void add_preparations(const struct berth_ensemble *receptors, struct berth_bytes *facts)
{
    for (size_t i = 0; i < receptors->count; i++) {
        char key[BERTH_RECEPTOR_KEY], text[PATH_MAX] = "";
        const char *said = receptors->receptors[i]->preparation;
        for (; said && *said; said += strcspn(said, "\n"), said += *said == '\n') {
            berth_text_append(text, sizeof text, "%s%.*s", *text ? " | " : "",
                              (int)strcspn(said, "\n"), said);
        }
        if (*text) {
            berth_receptor_key(&receptors->names, i, key);
            berth_run_line(facts, "prepared_%s = %s", key, text);
        }
    }
}

void berth_run_known(const struct berth_ensemble *receptors, struct berth_bytes *facts)
{
    const struct berth_scoring *scoring = &receptors->receptors[0]->scoring;
    for (size_t i = 0; i < receptors->count; i++) {
        char key[BERTH_RECEPTOR_KEY];
        berth_receptor_key(&receptors->names, i, key);
        berth_run_path(facts, key, receptors->paths[i]);
    }
    add_preparations(receptors, facts);
    if (receptors->receptors[0]->ligand_id) {
        berth_run_line(facts, "ligand_id = %s", receptors->receptors[0]->ligand_id);
    }
    if (scoring->forcefield.name) {
        berth_run_line(facts, "forcefield = %s", scoring->forcefield.name);
    }
    add_functions(receptors->receptors[0], facts);
    add_terms(facts, &scoring->terms);
    for (size_t i = 0; receptors->restraints && i < receptors->restraints->count; i++) {
        add_places(receptors, i, facts);
    }
}

/* --- run.json --- */

/* Options whose values the line `mapped` begins with: poses, generations, parents, hops. */
enum { MAPPED_OPTIONS = 4 };

static void print_member(struct berth_output *output, const char *name, const char *value)
{
    berth_output_print(output, "  \"%s\": ", name);
    berth_output_json(output, value);
    berth_output_print(output, ",\n");
}

/* Of a search on maps: true where the line is of the rigid search, with what the search on maps has
 * in its place, cut out of the line `mapped`; "": it has nothing such. */
static bool find_mapped(const char *name, const char *mapped, char value[32])
{
    static const char *const LINES[] = {"poses",    "generations", "parents", "hops",
                                        "exchange", "shift",       "turn",    "temperature",
                                        "distinct", "niche",       "soft"};
    size_t i = 0;
    while (i < sizeof LINES / sizeof *LINES && strcmp(name, LINES[i]) != 0) {
        i++;
    }
    for (size_t k = 0; k < i; k++) {
        mapped += strcspn(mapped, " ");
        mapped += *mapped == ' ';
    }
    snprintf(value, 32, "%.*s", i < MAPPED_OPTIONS ? (int)strcspn(mapped, " ") : 0, mapped);
    return i < sizeof LINES / sizeof *LINES;
}

/* Lines "name = value" as an object; of a search on maps without those that it does not use. */
static void print_lines(struct berth_output *output, const char *name, const char *lines)
{
    char mapped[128] = "", used[32];
    berth_journal_value(lines, "mapped", mapped, sizeof mapped);
    berth_output_print(output, "  \"%s\": {", name);
    for (const char *comma = ""; *lines;) {
        char line[2 * PATH_MAX + 64];
        const size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        char *value = strstr(line, " = ");
        if (value) {
            *value = '\0';
            value += 3;
        }
        if (value && *mapped && find_mapped(line, mapped, used)) {
            value = *used ? used : NULL;
        }
        if (value) {
            berth_output_print(output, "%s\n    ", comma);
            berth_output_json(output, line);
            berth_output_print(output, ": ");
            berth_output_json(output, value);
            comma = ",";
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

/* A device, and what it did. */
static void print_share(const struct berth_run_summary *run, size_t i, struct berth_output *output)
{
    const struct berth_run_share *share = &run->work->shares[i];
    const struct berth_known_device *device = &run->devices->devices[share->device];
    berth_output_print(output, "%s\n      {\"index\": %zu, \"name\": ", i ? "," : "", share->index);
    berth_output_json(output, device->texts[BERTH_KNOWN_NAME]);
    berth_output_print(output, ", \"variant\": ");
    berth_output_json(output, device->texts[BERTH_KNOWN_VARIANT]);
    berth_output_print(output, ", \"conformers\": %llu, \"failed\": %s}",
                       (unsigned long long)share->conformers, share->failed ? "true" : "false");
}

static void print_work(const struct berth_run_summary *run, struct berth_output *output)
{
    const struct berth_run_work *work = run->work;
    const double seconds = fmax(work->seconds, 1e-9);
    berth_output_print(output, ",\n  \"this_run\": {\n    \"devices\": [");
    for (size_t i = 0; i < work->count; i++) {
        print_share(run, i, output);
    }
    berth_output_print(output,
                       "\n    ],\n    \"seconds\": %.3f,\n    \"ligands_per_second\": %.6g,\n"
                       "    \"conformers_per_second\": %.6g",
                       seconds, (double)work->ligands / seconds, (double)run->conformers / seconds);
    if (run->pairs_per_atom > 0) {
        berth_output_print(output, ",\n    \"interactions_per_second\": %.6g",
                           work->atoms * run->pairs_per_atom / seconds);
    }
    if (run->preparing > 0) {
        const double share = run->preparing / fmax(run->processor, run->preparing);
        berth_output_print(output,
                           ",\n    \"preparation_seconds\": %.3f,\n"
                           "    \"processor_seconds\": %.3f,\n    \"preparation_share\": %.4f",
                           run->preparing, run->processor, share);
    }
    if (!isnan(run->busy)) {
        berth_output_print(output, ",\n    \"devices_busy\": %.4f", run->busy);
    }
    berth_output_print(output, "\n  }");
}

enum berth_status berth_run_json_write(const char *path, const struct berth_run_summary *summary,
                                       struct berth_error *error)
{
    char date[32] = "";
    struct berth_output *output = NULL;
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
    berth_output_print(output,
                       "  \"ligands\": %llu,\n  \"failed\": %llu,\n  \"conformers\": %llu,\n",
                       (unsigned long long)summary->ligands, (unsigned long long)summary->failed,
                       (unsigned long long)summary->conformers);
    print_all_devices(summary->devices, output);
    if (summary->work && summary->ligands && summary->work->ligands == summary->ligands) {
        print_work(summary, output);
    }
    berth_output_print(output, "\n}\n");
    return berth_output_commit(output, error);
}
