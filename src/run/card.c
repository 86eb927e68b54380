#include "run/card.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/embedded.h"
#include "base/sha256.h"
#include "base/text.h"
#include "chem/twist.h"
#include "chem/vectors.h"
#include "dock/covalent/covalent.h"
#include "dock/flexible/side_chains.h"

/* --- Hashes --- */

static const char *end_digest(struct berth_sha256 *hash, struct berth_run_card *card)
{
    unsigned char digest[BERTH_SHA256_SIZE];
    char text[BERTH_SHA256_TEXT];
    berth_sha256_end(hash, digest);
    berth_sha256_print(digest, text);
    return berth_run_card_text(card, "%s", text);
}

const char *berth_run_hash(struct berth_run_card *card, const void *bytes, size_t size)
{
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, bytes, size);
    return end_digest(&hash, card);
}

static const char *hash_kernels(struct berth_run_card *card)
{
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    for (const struct berth_embedded *file = berth_embedded_kernels; file->name; file++) {
        berth_sha256_add(&hash, file->name, strlen(file->name) + 1);
        berth_sha256_add(&hash, file->text, file->size);
    }
    return end_digest(&hash, card);
}

static const char *hash_forcefield(struct berth_run_card *card, const struct berth_scoring *scoring)
{
    return berth_run_card_text(card, "%016llx",
                               (unsigned long long)berth_forcefield_hash(&scoring->forcefield));
}

/* Of a function that is not built in: a file may be changed under its name. */
static const char *hash_function(const struct berth_scoring *scoring, char text[BERTH_SHA256_TEXT])
{
    berth_sha256_print(scoring->definition->digest, text);
    return scoring->built_in ? NULL : text;
}

/* Of what the energy sees: the heavy atoms' positions and types. */
static const char *hash_receptor(const struct berth_heavy_atoms *heavy, struct berth_run_card *card)
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
    const char *text = berth_run_hash(card, bytes.data, bytes.count);
    card->failed = card->failed || bytes.failed;
    berth_bytes_clear(&bytes);
    return text;
}

/* What a judge sees: its definition, its forcefield, and the receptors as it types them. */
static const char *hash_judge(const struct berth_run *run, size_t number,
                              struct berth_run_card *card)
{
    const struct berth_ensemble *receptors = &run->receptors;
    const struct berth_scoring *scoring = run->ranker.functions[number];
    const uint64_t forcefield = berth_forcefield_hash(&scoring->forcefield);
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, scoring->definition->digest, sizeof scoring->definition->digest);
    berth_sha256_add(&hash, &forcefield, sizeof forcefield);
    for (size_t i = 0; i < receptors->count; i++) {
        const char *text = hash_receptor(&receptors->receptors[i]->judges[number - 1].heavy, card);
        berth_sha256_add(&hash, text, strlen(text));
    }
    return end_digest(&hash, card);
}

/* --- What rows say --- */

/* A row's value, as its kind has it; of numbers NAN: there is none. */
#define FILL_TEXT(member, value)                                 member = keep(card, value);
#define FILL_NUMBER(member, value)                               member = (double)(value);
#define FILL_NUMBERS(member, ...)                                memcpy(member, (const double[]){__VA_ARGS__}, sizeof(member));
#define FILL(member, kind, count, digits, rule, by, causes, ...) FILL_##kind(member, __VA_ARGS__)
#define FILL_IDENTITY(name, ...)                                 FILL(card->identity.name, __VA_ARGS__)
#define FILL_FILES(name, ...)                                    FILL(card->files.name, __VA_ARGS__)
#define LATER(...)
#define ON_MAPS(member) (search->mapped.poses ? (double)search->mapped.member : (double)NAN)
#define UNLESS_0(value) ((value) ? (double)(value) : (double)NAN)

static bool is_screen(const struct berth_run *run)
{
    return run->options.run & BERTH_RUNS_SCREEN;
}

static const char *keep(struct berth_run_card *card, const char *text)
{
    return text ? berth_run_card_text(card, "%s", text) : "";
}

/* Settings that options do not set are in the program, and so in its version. */
static void fill(const struct berth_run *run, const struct berth_site *site,
                 struct berth_run_card *card)
{
    const struct berth_ensemble *receptors = &run->receptors;
    const struct berth_scoring *scoring = &receptors->receptors[0]->scoring;
    const struct berth_search_settings *search = &run->search;
    const struct berth_judges *names = &run->ranker.names;
    char function[BERTH_SHA256_TEXT];
    BERTH_RUN_IDENTITY_ROWS(FILL_IDENTITY, LATER)
    BERTH_RUN_FILES_ROWS(FILL_FILES, LATER)
}

/* --- What receptors are --- */

/* What preparing a receptor said, as far as a line holds it, its lines with bars between. */
static const char *join_lines(const char *lines, struct berth_run_card *card)
{
    char text[PATH_MAX] = "";
    for (; lines && *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
        berth_text_append(text, sizeof text, "%s%.*s", *text ? " | " : "",
                          (int)strcspn(lines, "\n"), lines);
    }
    return keep(card, text);
}

/* Adds a receptor's text to a list, unless there is none. */
static void fill_named(struct berth_run_named *list, const char *of, const char *text,
                       struct berth_run_card *card)
{
    while (list->of) {
        list++;
    }
    if (text && *text) {
        *list = (struct berth_run_named){of, keep(card, text)};
    }
}

static void fill_receptors(const struct berth_run *run, struct berth_run_card *card)
{
    const struct berth_ensemble *receptors = &run->receptors;
    for (size_t i = 0; i < receptors->count; i++) {
        const struct berth_typed_receptor *receptor = receptors->receptors[i];
        const char *of = keep(card, berth_receptor_name(&receptors->names, i));
        card->identity.receptor[i] =
            (struct berth_run_named){of, hash_receptor(&receptor->heavy, card)};
        card->files.receptor[i] =
            (struct berth_run_named){of, berth_run_card_path(card, receptors->paths[i])};
        fill_named(card->files.prepared_receptor, of, join_lines(receptor->preparation, card),
                   card);
        fill_named(card->files.keep, of, receptor->keep, card);
        fill_named(card->files.drop, of, receptor->drop, card);
        if (receptors->side_chains) {
            char *moving = berth_side_chains_names(&receptors->side_chains[i]);
            card->failed = card->failed || !moving;
            card->identity.side_chains[i] = (struct berth_run_named){of, keep(card, moving)};
            free(moving);
        }
        if (run->ranker.names.displaces) {
            card->identity.displacement[i] = run->ranker.names.displacement[i];
        }
    }
    if (receptors->covalent) {
        card->identity.covalent = berth_run_card_text(card, "%s %s", receptors->covalent->text,
                                                      receptors->covalent->atom);
    }
}

/* A restraint's places in a receptor. */
static void fill_places(const struct berth_restraint_rule *rule, const struct berth_place *places,
                        struct berth_run_places *filled, struct berth_run_card *card)
{
    filled->at = berth_run_card_keep(card, rule->places[1] - rule->places[0], sizeof *filled->at);
    for (size_t i = rule->places[0]; filled->at && i < rule->places[1]; i++) {
        if (berth_length(places[i].position) < BERTH_RESTRAINT_NOWHERE) {
            memcpy(filled->at[filled->count++], places[i].position, sizeof *filled->at);
        }
    }
}

static void fill_restraints(const struct berth_run *run, struct berth_run_card *card)
{
    const struct berth_ensemble *receptors = &run->receptors;
    const struct berth_restraints *restraints = receptors->restraints;
    const struct berth_judges *names = &run->ranker.names;
    char digest[BERTH_SHA256_TEXT];
    berth_restraints_hash(restraints, receptors->count, digest);
    card->identity.restraints = keep(card, digest);
    card->identity.restraint_count = (double)restraints->count;
    if (restraints->metals) {
        card->identity.metal_sites = (struct berth_run_metals){
            (double)restraints->metals, names->metal_weight, names->metal_radius, true};
    }
    for (size_t i = 0; i < restraints->count; i++) {
        const struct berth_restraint_rule *rule = &restraints->rules[i];
        struct berth_run_restraint *filled = &card->files.restraint[i];
        filled->text = keep(card, rule->text);
        filled->reference = rule->reference ? berth_run_card_path(card, rule->reference) : NULL;
        filled->required = rule->required;
        filled->avoided = rule->avoided;
        filled->radius = restraints->places[0].places[rule->places[0]].radius;
        for (size_t k = 0; k < receptors->count; k++) {
            filled->places[k].of = card->files.receptor[k].of;
            fill_places(rule, restraints->places[k].places, &filled->places[k], card);
        }
    }
}

/* --- Who judges --- */

/* Where functions of the user's own files are; the identity names the first of all alone. */
static void fill_functions(const struct berth_typed_receptor *receptor, struct berth_run_card *card)
{
    size_t count = 0;
    for (size_t i = 0; i <= receptor->judge_count; i++) {
        const struct berth_scoring *scoring =
            i ? &receptor->judges[i - 1].scoring : &receptor->scoring;
        if (!scoring->built_in) {
            card->files.function[count++] =
                (struct berth_run_named){keep(card, receptor->functions.names[i]),
                                         berth_run_card_path(card, scoring->definition->file)};
        }
    }
    card->files.terms = receptor->scoring.terms;
}

/* The functions that search, with commas between; NULL: the first alone. */
static const char *pool_text(const struct berth_run *run, struct berth_run_card *card)
{
    const struct berth_judges *functions = &run->ranker.names;
    char text[BERTH_FUNCTIONS_MAX * BERTH_TERM_NAME_SIZE] = "";
    for (size_t f = 0; f < functions->count; f++) {
        if (berth_pool_has(run->search.pool, f)) {
            berth_text_append(text, sizeof text, "%s%s", *text ? "," : "", functions->names[f]);
        }
    }
    return run->search.pool > 1 ? keep(card, text) : NULL;
}

/* The functions, and how poses and ligands are ranked. */
static void fill_ranker(const struct berth_run *run, struct berth_run_card *card)
{
    const struct berth_ranker *ranker = &run->ranker;
    if (ranker->names.count < 2 && !ranker->names.ranked) {
        return;
    }
    card->identity.functions.count = ranker->names.count;
    memcpy(card->identity.functions.names, ranker->names.names, sizeof ranker->names.names);
    for (size_t k = 1; k < ranker->names.count; k++) {
        card->identity.judge[k - 1] =
            (struct berth_run_named){keep(card, ranker->names.names[k]), hash_judge(run, k, card)};
    }
    card->identity.pool = pool_text(run, card);
    if (ranker->names.ranked) {
        card->identity.rank_poses = keep(card, ranker->texts.poses);
        card->identity.rank_ligands = keep(card, ranker->texts.ligands);
        card->identity.rank_confidence =
            ranker->names.confident ? keep(card, ranker->texts.confidence) : "";
    }
}

/* The model: both of its files, what it says, and of how many ligands. */
static enum berth_status fill_model(const struct berth_run *run, struct berth_run_card *card,
                                    struct berth_error *error)
{
    const struct berth_judges *names = &run->ranker.names;
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    BERTH_TRY(berth_sha256_add_file(&hash, run->options.rescore, run->options.stop, error));
    BERTH_TRY(berth_sha256_add_file(&hash, berth_rescorer_model(run->ranker.rescorer)->network,
                                    run->options.stop, error));
    card->identity.model = end_digest(&hash, card);
    card->identity.learned.count = names->learned_count;
    memcpy(card->identity.learned.names, names->learned, sizeof names->learned);
    card->identity.rescore_top = is_screen(run) ? UNLESS_0(run->options.rescore_top) : (double)NAN;
    return BERTH_OK;
}

enum berth_status berth_run_describe(const struct berth_run *run, const struct berth_site *site,
                                     struct berth_run_card *card, struct berth_error *error)
{
    fill(run, site, card);
    fill_receptors(run, card);
    fill_functions(run->receptors.receptors[0], card);
    fill_ranker(run, card);
    if (run->receptors.restraints) {
        fill_restraints(run, card);
    }
    BERTH_TRY(run->ranker.rescorer ? fill_model(run, card, error) : BERTH_OK);
    return card->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* --- What came of it --- */

static struct berth_run_used used(const struct berth_known_device *device)
{
    return (struct berth_run_used){.name = device->texts[BERTH_KNOWN_NAME],
                                   .platform = device->texts[BERTH_KNOWN_PLATFORM],
                                   .driver = device->texts[BERTH_KNOWN_DRIVER],
                                   .variant = device->texts[BERTH_KNOWN_VARIANT]};
}

static void fill_work(const struct berth_run_summary *run, struct berth_run_card *card)
{
    const struct berth_run_work *work = run->work;
    const double seconds = fmax(work->seconds, 1e-9);
    card->done = berth_run_card_keep(card, work->count, sizeof *card->done);
    card->done_count = card->done ? work->count : 0;
    for (size_t i = 0; i < card->done_count; i++) {
        const struct berth_run_share *share = &work->shares[i];
        struct berth_run_used *done = &card->done[i];
        *done = used(&run->devices->devices[share->device]);
        done->index = (double)share->index;
        done->conformers = (double)share->conformers;
        done->failed = share->failed;
    }
    card->work.seconds = seconds;
    card->work.ligands_per_second = (double)work->ligands / seconds;
    card->work.conformers_per_second = (double)run->conformers / seconds;
    if (run->pairs_per_atom > 0) {
        card->work.interactions_per_second = work->atoms * run->pairs_per_atom / seconds;
    }
    if (run->preparing > 0) {
        card->work.preparation_seconds = run->preparing;
        card->work.processor_seconds = run->processor;
        card->work.preparation_share = run->preparing / fmax(run->processor, run->preparing);
    }
    card->work.devices_busy = run->busy;
}

void berth_run_sum_up(const struct berth_run_summary *summary, struct berth_run_card *card)
{
    const struct berth_known_devices *devices = summary->devices;
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    card->result.program = "berth " BERTH_VERSION;
    card->result.finished = keep(card, date);
    card->result.ligands = (double)summary->ligands;
    card->result.failed = (double)summary->failed;
    card->result.conformers = (double)summary->conformers;
    card->devices = berth_run_card_keep(card, devices->count, sizeof *card->devices);
    card->device_count = card->devices ? devices->count : 0;
    for (size_t i = 0; i < card->device_count; i++) {
        card->devices[i] = used(&devices->devices[i]);
    }
    if (summary->work && summary->ligands && summary->work->ligands == summary->ligands) {
        fill_work(summary, card);
    }
}
