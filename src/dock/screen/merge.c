#include "dock/screen/merge.h"

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
#include "dock/screen/required.h"
#include "dock/screen/results.h"
#include "dock/describe.h"
#include "dock/run_difference.h"
#include "dock/screen/screen.h"
#include "dock/side_chains.h"
#include "format/output.h"

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
    struct berth_bytes identity, facts; /* texts; of the first part */
    struct berth_term_names terms;      /* of all parts' energies */
    struct berth_receptor_names receptors;
    struct berth_judging judging; /* by the functions of all parts, and their ranking or another */
    size_t functions;             /* whose scores are recorded */
    struct berth_library_reader *library;
    bool prepared;     /* each part has made its own library */
    char **libraries;  /* owned; [count], of these */
    char **unprepared; /* owned; [count]: lists of what is in none of them */
    struct berth_run_records records;
    struct berth_required required; /* what poses must make */
    struct berth_merge_counts counts;
};

/* The line about the shard is the last one of an identity. */
static size_t without_shard(const char *identity)
{
    const char *line = strstr(identity, "\nshard = ");
    return line ? (size_t)(line - identity) + 1 : strlen(identity);
}

/* Names with blanks between; how many there are. */
static size_t split_names(const char *text, char (*names)[BERTH_TERM_NAME_SIZE], size_t most)
{
    size_t count = 0;
    while (*text && count < most) {
        const size_t length = strcspn(text, " ");
        snprintf(names[count++], BERTH_TERM_NAME_SIZE, "%.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
    return count;
}

/* The names of the terms. */
static void read_terms(const char *facts, struct berth_term_names *terms)
{
    char text[BERTH_TERMS_MAX * BERTH_TERM_NAME_SIZE] = "";
    berth_journal_value(facts, "terms", text, sizeof text);
    *terms = (struct berth_term_names){0};
    terms->count = split_names(text, terms->names, BERTH_TERMS_MAX);
}

/* What a berth says of the sites of metals: earlier versions nothing of the donors next to them;
 * later ones may say more, which would stand in each record. */
static enum berth_status read_metals(const char *identity, struct berth_judges *judges,
                                     struct berth_error *error)
{
    char text[256] = "", binding[16] = "", more[2] = "";
    if (!berth_journal_value(identity, "metal_sites", text, sizeof text)) {
        return BERTH_OK;
    }
    const int count = sscanf(text, "%zu %lf %lf %15s %1s", &judges->metals, &judges->metal_weight,
                             &judges->metal_radius, binding, more);
    judges->binding = count == 4 && strcmp(binding, "binding") == 0;
    return judges->metals <= judges->restraints && (count == 3 || judges->binding)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "metal_sites = %s: not of a run of this version of berth", text);
}

/* What judged the run: its functions, the one alone, too, and its model; and what moved. */
static enum berth_status read_judges(const char *identity,
                                     const struct berth_receptor_names *receptors,
                                     struct berth_judges *judges, struct berth_error *error)
{
    char text[BERTH_RECEPTORS_MAX * BERTH_TERM_NAME_SIZE] = "";
    *judges = (struct berth_judges){.count = 0};
    if (!berth_journal_value(identity, "functions", text, sizeof text)) {
        berth_journal_value(identity, "scoring", text, sizeof text);
    }
    judges->count = split_names(text, judges->names, BERTH_FUNCTIONS_MAX);
    *text = '\0';
    berth_journal_value(identity, "learned", text, sizeof text);
    judges->learned_count = split_names(text, judges->learned, BERTH_LEARNED_MAX);
    char number[16] = "";
    berth_journal_value(identity, "restraint_count", number, sizeof number);
    judges->restraints = (size_t)strtoul(number, NULL, 10);
    char moves[BERTH_RECEPTOR_KEY];
    berth_receptor_own_key(receptors, 0, BERTH_SIDE_CHAINS_KEY, moves);
    judges->receptor_moves = berth_journal_value(identity, moves, number, sizeof number);
    judges->restraints =
        judges->restraints < BERTH_RESTRAINTS_MAX ? judges->restraints : BERTH_RESTRAINTS_MAX;
    BERTH_TRY(read_metals(identity, judges, error));
    *text = '\0';
    berth_journal_value(identity, "soft_core", text, sizeof text);
    if (sscanf(text, "%zu %lf %lf", &judges->core, &judges->core_radius, &judges->core_weight) !=
            3 ||
        judges->core > judges->restraints) {
        judges->core = 0;
    }
    judges->twists = berth_journal_value(identity, "twists", text, sizeof text);
    *text = '\0';
    judges->displaces = berth_journal_value(identity, "displacement", text, sizeof text);
    char *rest = text;
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX; i++) {
        judges->displacement[i] = strtod(rest, &rest);
    }
    return BERTH_OK;
}

/* The functions and the ranking of the run, or the one that is asked for instead. */
static enum berth_status read_judging(struct merge *merge, const struct berth_journal *journal,
                                      struct berth_error *error)
{
    const char *rank = merge->settings->rank, *identity = berth_journal_identity(journal);
    char poses[2 * PATH_MAX] = "", ligands[2 * PATH_MAX] = "";
    struct berth_judges judges = {.count = 0};
    struct berth_ranking_texts texts = {0};
    if (read_judges(identity, &merge->receptors, &judges, error)) {
        return berth_fail_in(error, berth_journal_path(journal));
    }
    enum berth_status status = rank ? berth_ranking_find(rank, &texts, error) : BERTH_OK;
    berth_journal_value(identity, "rank_poses", poses, sizeof poses);
    berth_journal_value(identity, "rank_ligands", ligands, sizeof ligands);
    judges.ranked = *ligands ? BERTH_LIGANDS_RANKED : BERTH_UNRANKED;
    merge->functions = berth_run_recorded(&judges);
    if (!status && rank) {
        judges.ranked = BERTH_LIGANDS_RANKED;
        status = berth_judging_recall(&judges, &merge->terms, texts.poses, texts.ligands,
                                      &merge->judging, error);
        merge->judging.texts = texts; /* which the caller clears with it */
    } else if (!status) {
        status = berth_judging_recall(&judges, &merge->terms, *poses ? poses : NULL,
                                      *ligands ? ligands : NULL, &merge->judging, error);
    } else {
        berth_ranking_texts_clear(&texts);
    }
    return status;
}

/* BERTH_E_FORMAT for a journal of a later version of berth, whose records may hold more. */
static enum berth_status check_version(const struct berth_journal *journal,
                                       struct berth_error *error)
{
    char text[64] = "";
    long there[3] = {0}, here[3] = {0};
    size_t i = 0;
    berth_journal_value(berth_journal_identity(journal), "berth", text, sizeof text);
    sscanf(text, "%ld.%ld.%ld", &there[0], &there[1], &there[2]);
    sscanf(BERTH_VERSION, "%ld.%ld.%ld", &here[0], &here[1], &here[2]);
    while (i < 2 && there[i] == here[i]) {
        i++;
    }
    return there[i] <= here[i]
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "%s: a journal of berth %s, and this is berth %s: take that one, or a "
                            "later one",
                            berth_journal_path(journal), text, BERTH_VERSION);
}

/* The part is of another run than the first one. */
static enum berth_status refuse_part(const struct merge *merge, const struct part *part,
                                     const struct berth_journal *journal, struct berth_error *error)
{
    const char *first = (const char *)merge->identity.data;
    const char *identity = berth_journal_identity(journal);
    char *one = strndup(first, without_shard(first));
    char *other = strndup(identity, without_shard(identity));
    char text[BERTH_RUN_DIFFERENCE];
    if (one && other) {
        berth_run_difference(&(struct berth_run_lines){one, (const char *)merge->facts.data},
                             &(struct berth_run_lines){other, berth_journal_facts(journal)},
                             " and ", text);
        berth_fail(error, BERTH_E_FORMAT, "%s and %s are of different runs: %s",
                   merge->parts[0].folder, part->folder, text);
    } else {
        berth_out_of_memory(error, NULL);
    }
    free(one);
    free(other);
    return error->status;
}

/* What a part's journal says about it; the first one's becomes the merge's. */
static enum berth_status take_identity(struct merge *merge, struct part *part,
                                       const struct berth_journal *journal,
                                       struct berth_error *error)
{
    const char *identity = berth_journal_identity(journal);
    const char *facts = berth_journal_facts(journal);
    char text[64] = "";
    BERTH_TRY(check_version(journal, error));
    if (!merge->identity.count) {
        berth_bytes_put_text(&merge->identity, identity);
        berth_bytes_put_text(&merge->facts, facts);
        if (merge->identity.failed || merge->facts.failed) {
            return berth_out_of_memory(error, NULL);
        }
        merge->prepared = berth_journal_value(identity, "prepare_hash", text, sizeof text);
        read_terms(facts, &merge->terms);
        berth_receptor_names_read(identity, &merge->receptors);
        BERTH_TRY(read_judging(merge, journal, error));
    }
    const char *first = (const char *)merge->identity.data;
    const size_t length = without_shard(first);
    if (without_shard(identity) != length || strncmp(first, identity, length) != 0) {
        return refuse_part(merge, part, journal, error);
    }
    berth_journal_value(identity, "shard", text, sizeof text);
    return berth_shard_parse(text, &part->shard, error);
}

static enum berth_status read_part(struct merge *merge, struct part *part,
                                   struct berth_error *error)
{
    char path[PATH_MAX];
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
    BERTH_THEN(take_identity(merge, part, journal, error));
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
    char path[PATH_MAX] = "", wanted[BERTH_SHA256_TEXT] = "", found[BERTH_SHA256_TEXT];
    unsigned char digest[BERTH_SHA256_SIZE];
    berth_journal_value((const char *)merge->facts.data, "library", path, sizeof path);
    berth_journal_value((const char *)merge->identity.data, "library", wanted, sizeof wanted);
    if (merge->settings->library) {
        snprintf(path, sizeof path, "%s", merge->settings->library);
    }
    BERTH_TRY(berth_library_open(path, NULL, &merge->library, error));
    BERTH_TRY(berth_library_hash(merge->library, digest, error));
    berth_sha256_print(digest, found);
    if (strcmp(found, wanted) != 0) {
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
                                        .terms = merge->terms,
                                        .receptors = merge->receptors,
                                        .functions = merge->functions,
                                        .judges = merge->judging.names};
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

/* Ends the lines after `length` bytes with this one. */
static void end_lines(struct berth_bytes *lines, size_t length, const char *last)
{
    lines->count = length;
    berth_bytes_put_text(lines, last);
}

/* Makes the identity's expressions those that rank now, which a report names. */
static void name_ranking(struct merge *merge)
{
    static const char *const OLD[] = {"rank_poses = ", "rank_ligands = "};
    const struct berth_ranking_texts *texts = &merge->judging.texts;
    struct berth_bytes lines = {0};
    for (const char *line = (const char *)merge->identity.data; *line;) {
        const size_t size = strcspn(line, "\n") + 1;
        bool old = false;
        for (size_t i = 0; i < sizeof OLD / sizeof *OLD; i++) {
            old = old || strncmp(line, OLD[i], strlen(OLD[i])) == 0;
        }
        berth_bytes_put(&lines, line, old ? 0 : size);
        line += size;
    }
    berth_run_line(&lines, "rank_poses = %s", texts->poses);
    berth_run_line(&lines, "rank_ligands = %s", texts->ligands);
    berth_bytes_put8(&lines, 0);
    berth_bytes_clear(&merge->identity);
    merge->identity = lines;
}

/* What the first part was run with, unless the settings say otherwise. */
static double find_max_clash(const struct merge *merge)
{
    char text[64] = "";
    if (merge->settings->max_clash >= 0) {
        return merge->settings->max_clash;
    }
    berth_journal_value((const char *)merge->facts.data, "max_clash", text, sizeof text);
    return *text ? strtod(text, NULL) : INFINITY;
}

/* What poses must make: likewise; "": anything. */
static void find_require(const struct merge *merge, char text[PATH_MAX])
{
    *text = '\0';
    if (merge->settings->require && strcmp(merge->settings->require, "any") != 0) {
        snprintf(text, PATH_MAX, "%s", merge->settings->require);
    } else if (!merge->settings->require) {
        berth_journal_value((const char *)merge->facts.data, "require", text, PATH_MAX);
    }
}

/* Where the receptors of the run were. */
struct receptor_paths {
    char texts[BERTH_RECEPTORS_MAX][PATH_MAX];
    const char *paths[BERTH_RECEPTORS_MAX];
    size_t count;
    char ligand_id[PATH_MAX]; /* of the residue to cut out of the first; "": none */
};

static void find_receptors(const struct merge *merge, struct receptor_paths *receptors)
{
    const char *facts = (const char *)merge->facts.data;
    receptors->count = merge->receptors.count ? merge->receptors.count : 1;
    for (size_t i = 0; i < receptors->count; i++) {
        char key[BERTH_RECEPTOR_KEY];
        berth_receptor_key(&merge->receptors, i, key);
        *receptors->texts[i] = '\0';
        berth_journal_value(facts, key, receptors->texts[i], PATH_MAX);
        receptors->paths[i] = receptors->texts[i];
    }
    berth_journal_value(facts, "ligand_id", receptors->ligand_id, PATH_MAX);
}

/* The library that was named because it is not where it was, in the facts. */
static void name_library(struct merge *merge)
{
    static const char KEY[] = "library = ";
    const char *path = merge->settings->library;
    const char *rest = strchr((const char *)merge->facts.data, '\n');
    if (!path || !rest || strncmp((const char *)merge->facts.data, KEY, sizeof KEY - 1) != 0) {
        return;
    }
    struct berth_bytes facts = {0};
    berth_run_path(&facts, "library", path);
    berth_bytes_put_text(&facts, rest + 1);
    berth_bytes_clear(&merge->facts);
    merge->facts = facts;
}

/* Makes the first part's description that of the whole, for run.json. */
static enum berth_status describe_whole(struct merge *merge, size_t top, double max_clash,
                                        struct berth_error *error)
{
    name_library(merge);
    if (merge->facts.failed) {
        return berth_out_of_memory(error, NULL);
    }
    const char *facts = (const char *)merge->facts.data;
    const char *line = strstr(facts, "\ntop = ");
    char last[128 + 3 * PATH_MAX], require[PATH_MAX];
    find_require(merge, require);
    int used = snprintf(last, sizeof last, "top = %zu\n", top);
    if (merge->settings->rank) {
        used += snprintf(last + used, 2 * PATH_MAX, "rank = %s\n", merge->settings->rank);
    }
    if (isfinite(max_clash) && (size_t)used < sizeof last) {
        used += snprintf(last + used, sizeof last - (size_t)used, "max_clash = %.15g\n", max_clash);
    }
    if (*require) {
        snprintf(last + used, sizeof last - (size_t)used, "require = %s\n", require);
    }
    end_lines(&merge->facts, line ? (size_t)(line - facts) + 1 : strlen(facts), last);
    end_lines(&merge->identity, without_shard((const char *)merge->identity.data), "shard = 1/1\n");
    if (merge->settings->rank && !merge->identity.failed) {
        name_ranking(merge);
    }
    return merge->facts.failed || merge->identity.failed ? berth_out_of_memory(error, NULL)
                                                         : BERTH_OK;
}

/* Ligands that a model may have judged: as many as it was to judge in a run of the whole; or all
 * that it has judged, where another ranking is asked for. */
static size_t find_judged_top(const struct merge *merge)
{
    char text[32] = "";
    berth_journal_value((const char *)merge->identity.data, "rescore_top", text, sizeof text);
    return merge->settings->rank ? SIZE_MAX : (size_t)strtoull(text, NULL, 10);
}

/* The receptors whose side chains move, from where they were. */
struct moving {
    struct berth_typed_receptor receptors[BERTH_RECEPTORS_MAX]; /* owned; [count] */
    struct berth_side_chains chains[BERTH_RECEPTORS_MAX];       /* owned; [count] */
    size_t count;
};

/* What is typed does not matter: places and names alone do. */
static enum berth_status read_moving(const struct merge *merge,
                                     const struct receptor_paths *receptors, struct moving *moving,
                                     struct berth_error *error)
{
    const struct berth_scoring_choice choice = {.scoring = "vina"};
    const struct berth_receptor_place place = {.ligand_id = receptors->ligand_id};
    for (; moving->count < receptors->count; moving->count++) {
        struct berth_typed_receptor *receptor = &moving->receptors[moving->count];
        char residues[2 * PATH_MAX] = "", key[BERTH_RECEPTOR_KEY];
        berth_receptor_own_key(&merge->receptors, moving->count, BERTH_SIDE_CHAINS_KEY, key);
        berth_journal_value((const char *)merge->identity.data, key, residues, sizeof residues);
        const struct berth_side_chain_choice chosen = {.residues = residues};
        enum berth_status status = berth_typed_receptor_read(
            &choice, receptors->paths[moving->count],
            moving->count || !*place.ligand_id ? NULL : &place, NULL, receptor, error);
        if (!status) {
            status =
                berth_side_chains_create(receptor, &chosen, &moving->chains[moving->count], error);
        }
        if (status) {
            berth_side_chains_clear(&moving->chains[moving->count]);
            berth_typed_receptor_clear(receptor);
            return status;
        }
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
    struct receptor_paths *receptors;
    struct moving *moving = NULL;
    char require[PATH_MAX];
    find_require(merge, require);
    BERTH_TRY(berth_make(&receptors, 1, sizeof *receptors, NULL, error));
    find_receptors(merge, receptors);
    struct berth_required_setup setup = {.require = require,
                                         .receptors = receptors->paths,
                                         .ligand_id = receptors->ligand_id,
                                         .count = receptors->count};
    berth_journal_value((const char *)merge->identity.data, "covalent", setup.covalent,
                        sizeof setup.covalent);
    outcome->required_setup = *require ? &setup : NULL;
    enum berth_status status = BERTH_OK;
    if (merge->judging.names.receptor_moves) {
        status = berth_make(&moving, 1, sizeof *moving, NULL, error);
        BERTH_THEN(read_moving(merge, receptors, moving, error));
        outcome->side_chains = moving ? moving->chains : NULL;
    }
    BERTH_THEN(berth_screen_results_write(outcome, error));
    outcome->required_setup = NULL;
    outcome->side_chains = NULL;
    if (moving) {
        clear_moving(moving);
    }
    free(receptors);
    return status;
}

static enum berth_status write_results(struct merge *merge, struct berth_error *error)
{
    const struct berth_library_info info = berth_library_info(merge->library);
    const char *identity = (const char *)merge->identity.data;
    char center[128] = "", seed[32] = "", top[32] = "", modes[32] = "";
    berth_journal_value(identity, "center", center, sizeof center);
    berth_journal_value(identity, "seed", seed, sizeof seed);
    berth_journal_value(identity, "num_modes", modes, sizeof modes);
    berth_journal_value((const char *)merge->facts.data, "top", top, sizeof top);
    const size_t num_modes = (size_t)strtoull(modes, NULL, 10);
    merge->records = (struct berth_run_records){.paths = merge->paths,
                                                .count = merge->count,
                                                .num_modes = num_modes,
                                                .max_clash = find_max_clash(merge),
                                                .apart = merge->prepared,
                                                .terms = merge->terms,
                                                .receptors = merge->receptors,
                                                .functions = merge->functions,
                                                .judges = merge->judging.names};
    struct berth_screen_outcome outcome = {.folder = merge->settings->out,
                                           .library = merge->library,
                                           .range = {.next = 0, .end = info.ligands},
                                           .records = &merge->records,
                                           .judging = &merge->judging,
                                           .judged_top = find_judged_top(merge),
                                           .again = merge->settings->rank != NULL,
                                           .top = merge->settings->top >= 0
                                                      ? (size_t)merge->settings->top
                                                      : (size_t)strtoull(top, NULL, 10),
                                           .num_modes = num_modes,
                                           .unprepared = (const char *const *)merge->unprepared,
                                           .unprepared_count = merge->prepared ? merge->count : 0,
                                           .seed = strtoull(seed, NULL, 10),
                                           .required = &merge->required};
    if (sscanf(center, "%lf %lf %lf", &outcome.center[0], &outcome.center[1], &outcome.center[2]) !=
        3) {
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
    BERTH_THEN(describe_whole(merge, outcome.top, merge->records.max_clash, error));
    const struct berth_run_summary summary = {.identity = (const char *)merge->identity.data,
                                              .facts = (const char *)merge->facts.data,
                                              .ligands = info.ligands,
                                              .failed = outcome.failed,
                                              .conformers = merge->records.conformers,
                                              .devices = &merge->records.devices,
                                              .busy = NAN};
    BERTH_THEN(berth_path_in(merge->settings->out, "run.json", path, sizeof path, error));
    BERTH_THEN(berth_run_json_write(path, &summary, error));
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
    berth_judging_clear(&merge->judging);
    berth_library_close(merge->library);
    berth_bytes_clear(&merge->identity);
    berth_bytes_clear(&merge->facts);
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
