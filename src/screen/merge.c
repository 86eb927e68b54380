#include "screen/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "screen/required.h"
#include "screen/results.h"
#include "run/card.h"
#include "screen/screen.h"
#include "dock/flexible/side_chains.h"
#include "format/output.h"
#include "format/run_difference.h"
#include "format/run_json.h"

/* A shard's journal. */
struct part {
    const char *folder; /* borrowed */
    char *path;         /* owned */
    struct berth_shard shard;
};

struct merge {
    const struct berth_merge_settings *settings;
    const char *const *folders; /* borrowed; [folder_count] */
    size_t folder_count;
    struct part *parts; /* owned; [count], in the library's order once they are checked */
    const char **paths; /* owned, not its elements; [count] */
    size_t count;
    struct berth_run_card card; /* of the first part, and of the whole in the end */
    bool known;                 /* the card is */
    struct berth_receptor_names receptors;
    struct berth_ranker ranker; /* by the functions of all parts, and their ranking or another */
    size_t functions;           /* whose scores are recorded */
    struct berth_library_reader *library;
    bool prepared;     /* each part has made its own library */
    char **libraries;  /* owned; [count], of these */
    char **unprepared; /* owned; [count]: lists of what is in none of them */
    struct berth_run_records records;
    struct berth_required required; /* what poses must make */
    struct berth_merge_counts counts;
};

/* A number of a card as a count; 0: it is not there. */
static size_t count_of(double number)
{
    return number > 0 ? (size_t)number : 0;
}

/* The receptors, where there are several. */
static void name_receptors(const struct berth_run_card *card, struct berth_receptor_names *names)
{
    const struct berth_run_named *list = card->identity.receptor;
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && list[i].of && *list[i].of; i++) {
        snprintf(names->columns[names->count++], BERTH_RECEPTOR_NAME_SIZE, "%s%s",
                 BERTH_COLUMN_SCORE_IN, list[i].of);
    }
}

/* What judged the run: its functions, the one alone, too, and its model; and what moved. */
static enum berth_status find_judges(const struct berth_run_card *card, struct berth_judges *judges,
                                     struct berth_error *error)
{
    const struct berth_term_names *learned = &card->identity.learned;
    const struct berth_run_metals *metals = &card->identity.metal_sites;
    const double *core = card->identity.soft_core;
    *judges = (struct berth_judges){.count = card->identity.functions.count};
    memcpy(judges->names, card->identity.functions.names, sizeof judges->names);
    if (!judges->count) {
        snprintf(judges->names[judges->count++], BERTH_TERM_NAME_SIZE, "%s",
                 card->identity.scoring);
    }
    judges->learned_count = learned->count < BERTH_LEARNED_MAX ? learned->count : BERTH_LEARNED_MAX;
    memcpy(judges->learned, learned->names, sizeof judges->learned);
    judges->receptor_moves = card->identity.side_chains->of;
    judges->restraints = count_of(card->identity.restraint_count);
    judges->restraints =
        judges->restraints < BERTH_RESTRAINTS_MAX ? judges->restraints : BERTH_RESTRAINTS_MAX;
    if (count_of(metals->count) > judges->restraints) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "metal_sites = %g %g %g: not of a run of this version of berth",
                          metals->count, metals->weight, metals->radius);
    }
    if (metals->count > 0) {
        judges->metals = count_of(metals->count);
        judges->metal_weight = metals->weight;
        judges->metal_radius = metals->radius;
        judges->binding = metals->binding;
    }
    if (!isnan(core[2]) && count_of(core[0]) <= judges->restraints) {
        judges->core = count_of(core[0]);
        judges->core_radius = core[1];
        judges->core_weight = core[2];
    }
    judges->twists = !isnan(card->identity.twists);
    judges->gnina_tags = *card->files.tags;
    judges->displaces = !isnan(card->identity.displacement[0]);
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX; i++) {
        const double price = card->identity.displacement[i];
        judges->displacement[i] = isnan(price) ? 0 : price;
    }
    return BERTH_OK;
}

/* The functions and the ranking of the run, or the one that is asked for instead. */
static enum berth_status find_ranker(struct merge *merge, struct berth_error *error)
{
    const char *rank = merge->settings->rank;
    const char *poses = merge->card.identity.rank_poses;
    const char *ligands = merge->card.identity.rank_ligands;
    struct berth_judges judges;
    struct berth_ranking_texts texts = {0};
    BERTH_TRY(find_judges(&merge->card, &judges, error));
    enum berth_status status = rank ? berth_ranking_find(rank, &texts, error) : BERTH_OK;
    judges.ranked = *ligands ? BERTH_LIGANDS_RANKED : BERTH_UNRANKED;
    judges.confident = *merge->card.identity.rank_confidence;
    merge->functions = berth_run_recorded(&judges);
    if (!status && rank) {
        judges.ranked = BERTH_LIGANDS_RANKED;
        status = berth_ranker_recall(&judges, &merge->card.files.terms, texts.poses, texts.ligands,
                                     &merge->ranker, error);
        merge->ranker.texts = texts; /* which the caller clears with it */
    } else if (!status) {
        status = berth_ranker_recall(&judges, &merge->card.files.terms, *poses ? poses : NULL,
                                     *ligands ? ligands : NULL, &merge->ranker, error);
    } else {
        berth_ranking_texts_clear(&texts);
    }
    return status;
}

/* BERTH_E_FORMAT for a journal of a later version of berth, whose records may hold more. */
static enum berth_status check_version(const struct berth_journal *journal, const char *version,
                                       struct berth_error *error)
{
    long there[3] = {0}, here[3] = {0};
    size_t i = 0;
    sscanf(version, "%ld.%ld.%ld", &there[0], &there[1], &there[2]);
    sscanf(BERTH_VERSION, "%ld.%ld.%ld", &here[0], &here[1], &here[2]);
    while (i < 2 && there[i] == here[i]) {
        i++;
    }
    return there[i] <= here[i]
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "%s: a journal of berth %s, and this is berth %s: take that one, or a "
                            "later one",
                            berth_journal_path(journal), version, BERTH_VERSION);
}

/* The part must be of the same run as the first one. */
static enum berth_status check_same(const struct merge *merge, const struct part *part,
                                    const struct berth_run_card *card, struct berth_error *error)
{
    struct berth_bytes first = {0}, own = {0};
    char text[BERTH_RUN_DIFFERENCE];
    berth_run_card_lines(&merge->card, BERTH_RUN_IDENTITY, &first);
    berth_run_card_lines(card, BERTH_RUN_IDENTITY, &own);
    enum berth_status status =
        first.failed || own.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    if (!status && strcmp((const char *)first.data, (const char *)own.data) != 0) {
        berth_run_difference(&merge->card, card, " and ", text);
        status = berth_fail(error, BERTH_E_FORMAT, "%s and %s are of different runs: %s",
                            merge->parts[0].folder, part->folder, text);
    }
    berth_bytes_clear(&first);
    berth_bytes_clear(&own);
    return status;
}

/* What a part's card says about it; the first one's becomes the merge's. */
static enum berth_status take_card(struct merge *merge, struct part *part,
                                   const struct berth_journal *journal, struct berth_run_card *card,
                                   struct berth_error *error)
{
    struct berth_error why;
    const enum berth_status read = berth_run_card_read(berth_journal_identity(journal),
                                                       berth_journal_facts(journal), card, &why);
    BERTH_TRY(check_version(journal, card->identity.berth, error));
    if (read) {
        *error = why;
        return berth_fail_in(error, berth_journal_path(journal));
    }
    BERTH_TRY(berth_shard_parse(card->identity.shard, &part->shard, error));
    card->identity.shard = "";
    if (merge->known) {
        return check_same(merge, part, card, error);
    }
    merge->card = *card;
    merge->known = true;
    berth_run_card_start(card);
    merge->prepared = *merge->card.identity.prepare_hash;
    name_receptors(&merge->card, &merge->receptors);
    return find_ranker(merge, error) ? berth_fail_in(error, berth_journal_path(journal)) : BERTH_OK;
}

static enum berth_status read_part(struct merge *merge, struct part *part,
                                   struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_run_card card = {.failed = false};
    struct berth_journal *journal = NULL;
    enum berth_status status = berth_path_in(part->folder, "journal", path, sizeof path, error);
    if (!status && access(part->folder, F_OK) != 0) {
        return berth_io_error(part->folder, "open", errno, error);
    }
    if (!status && access(path, F_OK) != 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: there is no journal here, which a screen writes; what `berth merge` "
                          "wrote has none: give the folders that it merged",
                          part->folder);
    }
    if (!status) {
        part->path = berth_copy_text(path);
        status = part->path ? berth_journal_open(path, &journal, error)
                            : berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(take_card(merge, part, journal, &card, error));
    berth_run_card_clear(&card);
    berth_journal_close(journal);
    return status;
}

/* Every shard once; puts them into the library's order. */
static enum berth_status check_parts(struct merge *merge, struct berth_error *error)
{
    struct berth_shard *shards = NULL;
    size_t *order = NULL;
    struct part *parts = NULL;
    enum berth_status status = berth_make(&shards, merge->count, sizeof *shards, NULL, error);
    BERTH_THEN(berth_make(&order, merge->count, sizeof *order, NULL, error));
    BERTH_THEN(berth_make(&parts, merge->count, sizeof *parts, NULL, error));
    for (size_t i = 0; !status && i < merge->count; i++) {
        shards[i] = merge->parts[i].shard;
    }
    BERTH_THEN(berth_shards_order(shards, merge->folders, merge->count, order, error));
    for (size_t i = 0; !status && i < merge->count; i++) {
        parts[i] = merge->parts[order[i]];
        merge->paths[i] = parts[i].path;
    }
    if (!status) {
        memcpy(merge->parts, parts, merge->count * sizeof *parts);
    }
    free(shards);
    free(order);
    free(parts);
    return status;
}

/* Opens the library that the shards were docked from. */
static enum berth_status open_library(struct merge *merge, struct berth_error *error)
{
    const char *path =
        merge->settings->library ? merge->settings->library : merge->card.files.library;
    char found[BERTH_SHA256_TEXT];
    unsigned char digest[BERTH_SHA256_SIZE];
    BERTH_TRY(berth_library_open(path, NULL, &merge->library, error));
    BERTH_TRY(berth_library_hash(merge->library, digest, error));
    berth_sha256_print(digest, found);
    if (strcmp(found, merge->card.identity.library) != 0) {
        return berth_fail_option(
            error, BERTH_E_FORMAT, "library",
            "%s: is not the library that the shards were docked from; name that one", path);
    }
    return BERTH_OK;
}

static enum berth_status copy_path(const char *folder, const char *name, char **copy,
                                   struct berth_error *error)
{
    char path[PATH_MAX];
    BERTH_TRY(berth_path_in(folder, name, path, sizeof path, error));
    *copy = berth_copy_text(path);
    return *copy ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* What each part has prepared. */
static enum berth_status find_prepared(struct merge *merge, struct berth_error *error)
{
    BERTH_TRY(berth_make(&merge->libraries, merge->count, sizeof *merge->libraries, NULL, error));
    BERTH_TRY(berth_make(&merge->unprepared, merge->count, sizeof *merge->unprepared, NULL, error));
    for (size_t i = 0; i < merge->count; i++) {
        const char *folder = merge->parts[i].folder;
        BERTH_TRY(copy_path(folder, BERTH_SCREEN_LIBRARY, &merge->libraries[i], error));
        BERTH_TRY(copy_path(folder, BERTH_SCREEN_UNPREPARED, &merge->unprepared[i], error));
        if (access(merge->libraries[i], F_OK) != 0) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s: its molecules are not all prepared; finish the shard first: "
                              "resume its run",
                              folder);
        }
    }
    return BERTH_OK;
}

/* Joins the parts' libraries into that of the whole, in the folder for the results. */
static enum berth_status join_prepared(struct merge *merge, struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_library_progress ignored;
    BERTH_TRY(berth_path_in(merge->settings->out, BERTH_SCREEN_LIBRARY, path, sizeof path, error));
    BERTH_TRY(berth_libraries_merge(path, (const char *const *)merge->libraries, merge->count,
                                    &ignored, error));
    return berth_library_open(path, NULL, &merge->library, error);
}

/* The ligands of a part: of its own library, or of the one that all have. */
static enum berth_status find_range(const struct merge *merge, size_t number,
                                    struct berth_library_range *range, struct berth_error *error)
{
    const struct part *part = &merge->parts[number];
    if (!merge->prepared) {
        *range = berth_library_shard(merge->library, part->shard.number - 1, part->shard.count);
        return BERTH_OK;
    }
    struct berth_library_reader *library;
    BERTH_TRY(berth_library_open(merge->libraries[number], NULL, &library, error));
    *range = berth_library_shard(library, 0, 1);
    berth_library_close(library);
    return BERTH_OK;
}

/* A shard that is not finished has fewer ligands than it should. */
static enum berth_status check_finished(struct merge *merge, size_t number,
                                        struct berth_error *error)
{
    const struct part *part = &merge->parts[number];
    struct berth_library_range range;
    BERTH_TRY(find_range(merge, number, &range, error));
    const char *path = part->path;
    struct berth_run_records records = {.paths = &path,
                                        .count = 1,
                                        .max_clash = INFINITY,
                                        .terms = merge->card.files.terms,
                                        .receptors = merge->receptors,
                                        .functions = merge->functions,
                                        .judges = merge->ranker.names};
    berth_run_records_rewind(&records, range.next);
    bool end = false;
    enum berth_status status = BERTH_OK;
    while (!status && !end) {
        status = berth_run_records_next(&records, &end, error);
    }
    if (!status && records.ordinal != range.end) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: %" PRIu64 " of its %" PRIu64 " ligands are done; finish the shard "
                            "first: resume its run",
                            part->folder, records.ordinal - range.next, range.end - range.next);
    }
    berth_run_records_clear(&records);
    return status;
}

/* The folder for the results must not be that of a run. */
static enum berth_status make_folder(const struct merge *merge, struct berth_error *error)
{
    char path[PATH_MAX];
    struct stat facts;
    BERTH_TRY(berth_folder_make(merge->settings->out, error));
    BERTH_TRY(berth_path_in(merge->settings->out, "journal", path, sizeof path, error));
    return stat(path, &facts) == 0
               ? berth_fail(error, BERTH_E_USAGE,
                            "%s: holds a run of `berth screen`; give another folder",
                            merge->settings->out)
               : BERTH_OK;
}

/* Poses that clash by more are left out, Å: what the first part was run with, unless the settings
 * say otherwise. */
static double find_max_clash(const struct merge *merge)
{
    const double own = merge->card.files.max_clash;
    return merge->settings->max_clash >= 0 ? merge->settings->max_clash
           : isnan(own)                    ? INFINITY
                                           : own;
}

/* What poses must make: likewise; "": anything. */
static const char *find_require(const struct merge *merge)
{
    const char *require = merge->settings->require;
    return !require ? merge->card.files.require : strcmp(require, "any") == 0 ? "" : require;
}

/* Makes the first part's card that of the whole. */
static void describe_whole(struct merge *merge, size_t top, double max_clash)
{
    const struct berth_merge_settings *settings = merge->settings;
    struct berth_run_card *card = &merge->card;
    if (settings->library && *card->files.library) {
        card->files.library = berth_run_card_path(card, settings->library);
    }
    card->files.top = (double)top;
    card->files.max_clash = isfinite(max_clash) ? max_clash : (double)NAN;
    card->files.require = find_require(merge);
    card->identity.shard = "1/1";
    if (settings->rank) {
        card->files.rank = settings->rank;
        card->identity.rank_poses = merge->ranker.texts.poses;
        card->identity.rank_ligands = merge->ranker.texts.ligands;
        card->identity.rank_confidence = "";
    }
}

/* Ligands that a model may have judged: as many as it was to judge in a run of the whole; or all
 * that it has judged, where another ranking is asked for. */
static size_t find_judged_top(const struct merge *merge)
{
    return merge->settings->rank ? SIZE_MAX : count_of(merge->card.identity.rescore_top);
}

/* The receptors whose side chains move, from where they were. */
struct moving {
    struct berth_typed_receptor receptors[BERTH_RECEPTORS_MAX]; /* owned; [count] */
    struct berth_side_chains chains[BERTH_RECEPTORS_MAX];       /* owned; [count] */
    size_t count;
};

/* What is typed does not matter: places and names alone do. */
static enum berth_status read_moving(const struct merge *merge, struct moving *moving,
                                     struct berth_error *error)
{
    const struct berth_run_card *card = &merge->card;
    const struct berth_scoring_choice choice = {.scoring = "vina"};
    while (moving->count < BERTH_RECEPTORS_MAX && card->files.receptor[moving->count].of) {
        const struct berth_run_named *named = &card->files.receptor[moving->count];
        struct berth_typed_receptor *receptor = &moving->receptors[moving->count];
        const struct berth_side_chain_choice chosen = {
            .residues =
                berth_run_named_find(card->identity.side_chains, BERTH_RECEPTORS_MAX, named->of),
            .whole = !isnan(card->files.full_flex_output)};
        const struct berth_receptor_place place = {.asked = berth_run_residues(card, named->of)};
        enum berth_status status =
            berth_typed_receptor_read(&choice, named->text, &place, NULL, receptor, error);
        if (!status) {
            status =
                berth_side_chains_create(receptor, &chosen, &moving->chains[moving->count], error);
        }
        if (status) {
            berth_side_chains_clear(&moving->chains[moving->count]);
            berth_typed_receptor_clear(receptor);
            return status;
        }
        moving->count++;
    }
    return BERTH_OK;
}

static void clear_moving(struct moving *moving)
{
    for (size_t i = 0; i < moving->count; i++) {
        berth_side_chains_clear(&moving->chains[i]);
        berth_typed_receptor_clear(&moving->receptors[i]);
    }
    free(moving);
}

static enum berth_status write_files(struct merge *merge, struct berth_screen_outcome *outcome,
                                     struct berth_error *error)
{
    const struct berth_run_card *card = &merge->card;
    const char *receptors[BERTH_RECEPTORS_MAX];
    struct moving *moving = NULL;
    struct berth_required_setup setup = {.require = find_require(merge), .receptors = receptors};
    snprintf(setup.covalent, sizeof setup.covalent, "%s", card->identity.covalent);
    while (setup.count < BERTH_RECEPTORS_MAX && card->files.receptor[setup.count].of) {
        receptors[setup.count] = card->files.receptor[setup.count].text;
        setup.asked[setup.count] = berth_run_residues(card, card->files.receptor[setup.count].of);
        setup.count++;
    }
    outcome->required_setup = *setup.require ? &setup : NULL;
    enum berth_status status = BERTH_OK;
    if (merge->ranker.names.receptor_moves) {
        status = berth_make(&moving, 1, sizeof *moving, NULL, error);
        BERTH_THEN(read_moving(merge, moving, error));
        outcome->poses.side_chains = moving ? moving->chains : NULL;
    }
    BERTH_THEN(berth_screen_results_write(outcome, error));
    outcome->required_setup = NULL;
    outcome->poses.side_chains = NULL;
    if (moving) {
        clear_moving(moving);
    }
    return status;
}

static enum berth_status write_results(struct merge *merge, struct berth_error *error)
{
    const struct berth_library_info info = berth_library_info(merge->library);
    const double *center = merge->card.identity.center;
    const size_t num_modes = count_of(merge->card.identity.num_modes);
    merge->records = (struct berth_run_records){.paths = merge->paths,
                                                .count = merge->count,
                                                .num_modes = num_modes,
                                                .max_clash = find_max_clash(merge),
                                                .apart = merge->prepared,
                                                .terms = merge->card.files.terms,
                                                .receptors = merge->receptors,
                                                .functions = merge->functions,
                                                .judges = merge->ranker.names};
    struct berth_screen_outcome outcome = {.folder = merge->settings->out,
                                           .poses.library = merge->library,
                                           .poses.range = {.next = 0, .end = info.ligands},
                                           .poses.records = &merge->records,
                                           .ranker = &merge->ranker,
                                           .judged_top = find_judged_top(merge),
                                           .again = merge->settings->rank != NULL,
                                           .top = merge->settings->top >= 0
                                                      ? (size_t)merge->settings->top
                                                      : count_of(merge->card.files.top),
                                           .poses.num_modes = num_modes,
                                           .unprepared = (const char *const *)merge->unprepared,
                                           .unprepared_count = merge->prepared ? merge->count : 0,
                                           .seed = strtoull(merge->card.identity.seed, NULL, 10),
                                           .required = &merge->required};
    memcpy(outcome.poses.center, center, sizeof outcome.poses.center);
    if (isnan(center[2])) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: the journal does not say where the site is",
                          merge->parts[0].folder);
    }
    BERTH_TRY(berth_run_records_learn(&merge->records, 0, error));
    char path[PATH_MAX];
    enum berth_status status = write_files(merge, &outcome, error);
    merge->counts = (struct berth_merge_counts){.ligands = info.ligands,
                                                .docked = outcome.docked,
                                                .failed = outcome.failed,
                                                .left_out = merge->records.left_out,
                                                .few = merge->records.few,
                                                .num_modes = num_modes};
    describe_whole(merge, outcome.top, merge->records.max_clash);
    const struct berth_run_summary summary = {.ligands = info.ligands,
                                              .failed = outcome.failed,
                                              .conformers = merge->records.conformers,
                                              .devices = &merge->records.devices,
                                              .busy = NAN};
    BERTH_THEN(berth_path_in(merge->settings->out, "run.json", path, sizeof path, error));
    if (!status) {
        berth_run_sum_up(&summary, &merge->card);
        status = berth_run_json_write(path, &merge->card, error);
    }
    return status;
}

static enum berth_status merge_shards(struct merge *merge, struct berth_error *error)
{
    BERTH_TRY(berth_make(&merge->parts, merge->folder_count, sizeof *merge->parts, NULL, error));
    BERTH_TRY(berth_make(&merge->paths, merge->folder_count, sizeof *merge->paths, NULL, error));
    BERTH_TRY(berth_screen_folder_check(merge->settings->out, error));
    while (merge->count < merge->folder_count) {
        struct part *part = &merge->parts[merge->count];
        part->folder = merge->folders[merge->count++];
        BERTH_TRY(read_part(merge, part, error));
    }
    BERTH_TRY(check_parts(merge, error));
    BERTH_TRY(merge->prepared ? find_prepared(merge, error) : open_library(merge, error));
    for (size_t i = 0; i < merge->count; i++) {
        BERTH_TRY(check_finished(merge, i, error));
    }
    BERTH_TRY(make_folder(merge, error));
    if (merge->prepared) {
        BERTH_TRY(join_prepared(merge, error));
    }
    return write_results(merge, error);
}

static void close_merge(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        free(merge->parts[i].path);
        if (merge->libraries) {
            free(merge->libraries[i]);
        }
        if (merge->unprepared) {
            free(merge->unprepared[i]);
        }
    }
    free(merge->libraries);
    free(merge->unprepared);
    free(merge->parts);
    free(merge->paths);
    berth_run_records_clear(&merge->records);
    berth_required_clear(&merge->required);
    berth_ranker_clear(&merge->ranker);
    berth_library_close(merge->library);
    berth_run_card_clear(&merge->card);
}

enum berth_status berth_merge_run(const char *const *folders, size_t count,
                                  const struct berth_merge_settings *settings,
                                  struct berth_merge_counts *counts, struct berth_error *error)
{
    struct merge merge = {.settings = settings, .folders = folders, .folder_count = count};
    const enum berth_status status = merge_shards(&merge, error);
    *counts = merge.counts;
    close_merge(&merge);
    return status;
}
