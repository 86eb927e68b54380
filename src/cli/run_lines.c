#include "cli/run_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/bytes.h"
#include "eval/screen/ligands.h"
#include "dock/requirement.h"
#include "score/fields.h"
#include "screen/required.h"
#include "report/places.h"
#include "format/run_json.h"
#include "cli/common.h"

/* s between lines, and between updates on a terminal. */
#define LINE_INTERVAL   30.0
#define UPDATE_INTERVAL 0.5

enum {
    PATIENCE = 3, /* s before it is said why nothing happens */
    UNMET_TEXT = BERTH_STANDING_NAMED * (BERTH_STANDING_NAME + 2) + 16
};

static void print_receptor(const char *path, const char *name, size_t heavy, const char *forcefield,
                           const char *scoring)
{
    cli_print("receptor %s%s%s: %zu heavy atoms, %s%s%sscoring %s", path, *name ? ", called " : "",
              name, heavy, forcefield ? "forcefield " : "", forcefield ? forcefield : "",
              forcefield ? ", " : "", scoring);
}

static void print_site(const struct berth_run_facts *facts)
{
    const double *center = facts->center, *size = facts->edges;
    printf("site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f \xc3\x85\n", center[0], center[1],
           center[2], size[0], size[1], size[2]);
}

static void print_surface(const struct berth_run_facts *facts)
{
    if (facts->searches) {
        printf("surface: %zu searches in %zu part%s, whose maps take %.0f MiB\n", facts->searches,
               facts->parts, facts->parts == 1 ? "" : "s", facts->map_bytes / 1048576);
    }
}

static void print_targets(const struct cli_receptors *receptors,
                          const struct berth_run_facts *facts)
{
    for (size_t i = 0; i < receptors->count; i++) {
        const struct berth_receptor_facts *receptor =
            berth_receptor_describe(receptors->handles[i]);
        print_receptor(receptor->path, facts->receptors[i], receptor->heavy_count,
                       receptor->forcefield, receptor->scoring);
    }
    print_site(facts);
}

static void print_seed(const struct berth_run_facts *facts)
{
    printf("seed%s %llu", facts->seeds > 1 ? "s" : "", (unsigned long long)facts->seed);
    if (facts->seeds > 1) {
        printf(" to %llu", (unsigned long long)facts->seed + facts->seeds - 1);
    }
}

static void print_search(const struct berth_run_facts *facts)
{
    for (size_t i = 0; i < facts->device_count; i++) {
        printf("device %zu: %s, variant %s\n", facts->devices[i].number, facts->devices[i].name,
               facts->devices[i].variant);
    }
    print_seed(facts);
    printf(", %zu poses x %zu generations\n", facts->poses, facts->generations);
    if (facts->maps) {
        printf("refined: the best %zu poses, which a ligand's conformers share, with torsions\n",
               facts->refine);
    } else if (facts->refine) {
        printf("refined: the best %zu poses of each conformer, %s, %zu hop%s\n", facts->refine,
               facts->refine_torsions ? "with torsions" : "rigid", facts->hops,
               facts->hops == 1 ? "" : "s");
    }
}

/* The receptors and the site in a line. */
static void print_target(const struct cli_receptors *receptors, const struct berth_run_facts *facts)
{
    enum { SHOWN = 3 };
    const double *center = facts->center, *size = facts->edges;
    struct berth_bytes line = {.data = NULL};
    for (size_t i = 0; i < receptors->count && i < SHOWN; i++) {
        const struct berth_receptor_facts *receptor =
            berth_receptor_describe(receptors->handles[i]);
        berth_bytes_print(&line, "%s%s: %zu heavy atoms", i ? ", " : "", receptor->path,
                          receptor->heavy_count);
    }
    if (receptors->count > SHOWN) {
        berth_bytes_print(&line, " and %zu more", receptors->count - SHOWN);
    }
    berth_bytes_put8(&line, 0);
    if (!line.failed) {
        cli_print("receptor%s %s; site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f \xc3\x85",
                  receptors->count > 1 ? "s" : "", (const char *)line.data, center[0], center[1],
                  center[2], size[0], size[1], size[2]);
    }
    berth_bytes_clear(&line);
}

/* The devices' names in a line, equal ones once. */
static void print_devices(const struct berth_run_facts *facts)
{
    printf("device%s", facts->device_count > 1 ? "s" : "");
    for (size_t i = 0, equal; i < facts->device_count; i += equal) {
        const char *name = facts->devices[i].name;
        equal = 1;
        while (i + equal < facts->device_count &&
               strcmp(facts->devices[i + equal].name, name) == 0) {
            equal++;
        }
        printf("%s %s", i ? "," : "", name);
        if (equal > 1) {
            printf(" (%zu)", equal);
        }
    }
    printf("\n");
}

/* What ranks, in words. */
static void print_ranked(const struct berth_receptor_facts *scoring,
                         const struct berth_options *options, bool strained)
{
    const size_t count = scoring->function_count;
    struct berth_bytes names = {.data = NULL}; /* "vina, vinardo and plp" */
    for (size_t i = 0; i < count; i++) {
        berth_bytes_print(&names, "%s%s",
                          !i              ? ""
                          : i + 1 < count ? ", "
                                          : " and ",
                          scoring->functions[i]);
    }
    berth_bytes_put8(&names, 0);
    if (options->rank && !names.failed) {
        cli_print("ranked by %s of %s; the affinity is that of %s", options->rank,
                  (const char *)names.data, scoring->functions[0]);
    } else if (options->strain_weight > 0) {
        cli_print("ranked by energy%s + %g x conformer_strain, scoring %s",
                  strained ? " + strain" : "", options->strain_weight, scoring->functions[0]);
    } else {
        cli_print("ranked by affinity, scoring %s", scoring->functions[0]);
    }
    berth_bytes_clear(&names);
}

void cli_head(const struct cli_receptors *receptors, const struct berth_run_facts *facts,
              const struct berth_options *options, const char *library)
{
    const bool strained = facts->refine && facts->refine_torsions;
    if (options->verbose) {
        print_targets(receptors, facts);
    } else {
        print_target(receptors, facts);
    }
    print_surface(facts);
    if (library) {
        cli_print("library %s", library);
    }
    if (!options->verbose) {
        print_devices(facts);
        print_seed(facts);
        printf(", search %s (%zu poses x %zu generations)\n", options->search, facts->poses,
               facts->generations);
        print_ranked(berth_receptor_describe(receptors->handles[0]), options, strained && !library);
    } else {
        print_search(facts);
        if (options->rank) {
            cli_print("ranked by %s, of %s", options->rank, options->scoring);
        } else if (options->strain_weight > 0) {
            printf("ranked by energy%s + %g x conformer_strain\n",
                   strained && !library ? " + strain" : "", options->strain_weight);
        }
    }
    fflush(stdout);
}

void cli_progress_start(struct cli_progress_line *line, FILE *file, const char *unit)
{
    line->file = file;
    line->unit = unit;
    line->what = line->what ? line->what : "ligand";
    line->terminal = isatty(fileno(file));
    line->start = berth_now();
    line->next = line->start + (line->terminal ? UPDATE_INTERVAL : LINE_INTERVAL);
}

void cli_progress_note(struct cli_progress_line *line, const char *name, double value)
{
    if (!*line->best_name || value < line->best) {
        line->best = value;
        snprintf(line->best_name, sizeof line->best_name, "%s",
                 *name ? name : "a ligand without a name");
    }
}

/* "1:02:03" */
static void print_time(double seconds, char *text, size_t size)
{
    const unsigned long long whole = (unsigned long long)(seconds + 0.5);
    snprintf(text, size, "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60, whole % 60);
}

/* "; device 0 48 %; device 1 52 %"; nothing for a device alone. */
static void print_shares(const struct berth_progress *progress, char *text, size_t size)
{
    const uint64_t sum = progress->conformers;
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0;
         progress->device_count > 1 && sum && i < progress->device_count && used < size; i++) {
        const struct berth_device_share *share = &progress->devices[i];
        used += (size_t)snprintf(text + used, size - used, "; device %zu%s %.0f %%", share->number,
                                 share->lost ? " (lost)" : "",
                                 100 * (double)share->conformers / (double)sum);
    }
}

/* Cuts the line to the terminal's width: only a line that is not wrapped can be written over. */
static void fit_terminal(FILE *file, char *line)
{
    struct winsize size;
    if (ioctl(fileno(file), TIOCGWINSZ, &size) != 0 || !size.ws_col) {
        return;
    }
    size_t columns = 0;
    for (; *line; line++) {
        const bool starts = ((unsigned char)*line & 0xC0) != 0x80; /* of a character, in UTF-8 */
        columns += starts;
        if (starts && columns >= size.ws_col) {
            *line = '\0';
            return;
        }
    }
}

/* "12 of 345 ligands (3.5 %)", or "12 ligands" where nobody knows how many come. */
static void print_count(const struct berth_progress *progress, const char *what, char *text,
                        size_t size)
{
    const unsigned long long done = progress->done, total = progress->total;
    if (total) {
        snprintf(text, size, "%llu of %s%llu %ss (%.1f %%)", done,
                 progress->estimated ? "about " : "", total, what,
                 100 * (double)done / (double)total);
    } else {
        snprintf(text, size, "%llu %s%s", done, what, done == 1 ? "" : "s");
    }
}

static void print_line(const struct cli_progress_line *shown, const struct berth_progress *progress,
                       double seconds)
{
    const double rate = (double)(progress->done - progress->before) / seconds;
    char count[64], left[48] = "", best[128] = "", shares[1024];
    print_count(progress, shown->what, count, sizeof count);
    print_shares(progress, shares, sizeof shares);
    if (progress->total && rate > 0) {
        char time[32];
        print_time((double)(progress->total - progress->done) / rate, time, sizeof time);
        snprintf(left, sizeof left, ", %s left", time);
    } else if (progress->total) {
        snprintf(left, sizeof left, ", unknown left");
    }
    if (*shown->best_name) {
        char *name = berth_text_escape(shown->best_name, "");
        snprintf(best, sizeof best, "; best ranking %.2f%s%s (%.80s)", shown->best,
                 *shown->unit ? " " : "", shown->unit, name ? name : "");
        free(name);
    }
    char line[2048];
    char pairs[48] = "", speed[48] = "";
    if (rate > 0) { /* from 100 on %.3g would round, from 1000 on show an exponent */
        snprintf(speed, sizeof speed, rate < 100 ? ", %.3g %ss/s" : ", %.0f %ss/s", rate,
                 shown->what);
    }
    if (progress->interactions > 0) {
        snprintf(pairs, sizeof pairs, ", %.3g interactions/s", progress->interactions / seconds);
    }
    snprintf(line, sizeof line, "berth: %s%s%s%s%s%s", count, speed, pairs, left, best, shares);
    if (shown->terminal) {
        fit_terminal(shown->file, line);
    }
    fprintf(shown->file, shown->terminal ? "\r\033[K%s" : "%s\n", line);
}

void cli_progress_show(struct cli_progress_line *line, const struct berth_progress *progress)
{
    const double now = berth_now();
    if (now < line->next && !progress->computed) {
        return;
    }
    line->next = now + (line->terminal ? UPDATE_INTERVAL : LINE_INTERVAL);
    print_line(line, progress, now > line->start ? now - line->start : 1e-9);
    if (progress->computed && line->terminal) {
        fprintf(line->file, "\n");
    }
    fflush(line->file);
}

void cli_progress_hide(const struct cli_progress_line *line)
{
    if (line->terminal) {
        fprintf(line->file, "\r\033[K");
    }
}

void cli_foot_file(const char *scores)
{
    if (scores) {
        cli_print("; every column: %s", scores);
    } else {
        printf("\n");
    }
}

void cli_foot_left_out(unsigned long long poses)
{
    if (poses) {
        printf("%llu pose%s left out by --max_clash\n", poses, poses == 1 ? "" : "s");
    }
}

static void print_names(const struct cli_few *few)
{
    const size_t named = few->count < CLI_FEW_NAMED ? few->count : CLI_FEW_NAMED;
    for (size_t i = 0; i < named; i++) {
        printf("%s%s", i ? ", " : " (", few->names[i]);
    }
    printf("%s%s", few->count > named ? ", ..." : "", few->count ? ")" : "");
}

void cli_foot_few(const struct berth_progress *progress, const struct berth_run_facts *facts,
                  size_t num_modes, const struct cli_few *which)
{
    const unsigned long long few = progress->few, near = progress->few_near,
                             beyond = progress->few_beyond, refined = progress->few_refined;
    const char *before = ":";
    if (!few) {
        return;
    }
    printf("%llu ligand%s fewer than %zu poses", few, few == 1 ? " has" : "s have", num_modes);
    if (which) {
        print_names(which);
    }
    if (near) {
        printf("%s %llu further pose%s nearer than --min_rmsd to a better one", before, near,
               near == 1 ? " is" : "s are");
        if (facts->refine && facts->refine < facts->poses) {
            printf(" (a --refine above %zu refines more)", facts->refine);
        }
        before = ",";
    }
    if (beyond) {
        printf("%s %llu %s beyond --energy_range", before, beyond, beyond == 1 ? "is" : "are");
        before = ",";
    }
    if (refined) {
        printf("%s of %llu ligand%s no more poses were found (--refine, --search)", before, refined,
               refined == 1 ? "" : "s");
    }
    printf("\n");
}

void cli_foot_few_found(unsigned long long few, size_t num_modes)
{
    if (few) {
        printf("%llu ligand%s fewer than %zu poses: no more were found that are --min_rmsd apart "
               "(--refine, --search)\n",
               few, few == 1 ? " has" : "s have", num_modes);
    }
}

void cli_foot_work(const struct berth_progress *progress, double seconds)
{
    if (progress->interactions > 0) {
        printf(", %.3g interactions/s", progress->interactions / seconds);
    }
    printf("\n");
    cli_foot_left_out(progress->left_out);
}

size_t cli_count_required(const struct berth_run_facts *facts)
{
    size_t required = 0;
    for (size_t k = 0; k < facts->restraint_count; k++) {
        required += facts->required >> k & 1;
    }
    return required;
}

void cli_restraint_within(const struct berth_run_facts *facts, size_t k, char text[CLI_WITHIN_TEXT])
{
    const bool avoided = facts->avoided >> k & 1;
    snprintf(text, CLI_WITHIN_TEXT, "%s %g %c %.2f \xc3\x85", avoided ? "beyond" : "within",
             facts->radii[k], avoided ? '-' : '+', BERTH_RESTRAINT_SLACK);
}

/* What --require takes for a restraint that asks for a hydrogen bond with an atom, or one of
 * several; false: it asks for none.  The atom of a metal ion has the residue's name. */
static bool name_bonds(const char *text, char list[BERTH_REQUIREMENT_TEXT])
{
    char word[64];
    int length;
    size_t used = 0, begin = 0;
    static const char *const BONDS[] = {"donor to ", "acceptor to ", "donor or acceptor to ",
                                        "acceptor or donor to "};
    for (size_t i = 0; !begin && i < sizeof BONDS / sizeof *BONDS; i++) {
        const size_t words = strlen(BONDS[i]);
        begin = strncmp(text, BONDS[i], words) == 0 ? words : 0;
    }
    for (const char *rest = text + begin;
         begin && used < BERTH_REQUIREMENT_TEXT && sscanf(rest, "%63s%n", word, &length) == 1;
         rest += length) {
        struct berth_spot spot = {.number = 0};
        if (berth_spot_read(word, &spot) && *spot.atom && strcasecmp(spot.atom, spot.name) != 0) {
            used += (size_t)snprintf(list + used, BERTH_REQUIREMENT_TEXT - used,
                                     "%sstrong hydrogen_bond %s", used ? " or " : "", word);
        }
    }
    return used && used < BERTH_REQUIREMENT_TEXT;
}

/* What judges a hydrogen bond of the run's, where one is asked for. */
static void print_angle(FILE *file, const struct berth_run_facts *facts)
{
    char bonds[BERTH_REQUIREMENT_TEXT];
    for (size_t k = 0; k < facts->restraint_count; k++) {
        if (name_bonds(facts->restraints[k], bonds)) {
            fprintf(file,
                    "of donors and acceptors only the distance counts: --require '%s' of berth "
                    "show and berth interactions judges the angle\n",
                    bonds);
            return;
        }
    }
}

void cli_foot_unmet(FILE *file, const struct berth_run_facts *facts)
{
    const size_t required = cli_count_required(facts);
    print_angle(file, facts);
    if (required) {
        fprintf(file, "column unmet: how many required restraints (of %zu) a pose does not meet\n",
                required);
    } else if (facts->restraint_count > facts->metal_count) {
        fprintf(file, "column unmet: 0, as it counts restraints that are required, and none is\n");
    }
}

/* ", not by NAME, NAME" where all but a few meet restraint k, else "". */
static void name_unmet(const struct berth_standing_counts *counts, size_t k, char text[UNMET_TEXT])
{
    size_t used = 0;
    *text = '\0';
    const bool few = counts->met[k] && counts->unmet[k] <= BERTH_STANDING_NAMED;
    for (size_t i = 0; few && i < counts->unmet[k]; i++) {
        used += (size_t)snprintf(text + used, UNMET_TEXT - used, "%s%s", i ? ", " : ", not by ",
                                 counts->named[k][i]);
    }
}

void cli_foot_restraints(const struct berth_run_facts *facts,
                         const struct berth_standing_counts *counts, bool all)
{
    const size_t shown = facts->restraint_count - (all ? 0 : facts->metal_count);
    for (size_t k = 0; k < shown; k++) {
        char apart[64] = "", unmet[UNMET_TEXT], within[CLI_WITHIN_TEXT];
        name_unmet(counts, k, unmet);
        if (counts->apart[k]) {
            snprintf(apart, sizeof apart, ", %s to %zu", BERTH_STANDS[BERTH_STANDS_APART],
                     counts->apart[k]);
        }
        cli_restraint_within(facts, k, within);
        const bool metal = k >= facts->restraint_count - facts->metal_count;
        cli_print("restraint %zu%s: %s by %zu of %zu ligands' best poses%s%s: %s (%s)", k + 1,
                  metal ? CLI_OF_METAL : "", metal ? "taken" : "met", counts->met[k], counts->of,
                  metal ? "" : unmet, apart, facts->restraints[k], within);
    }
    if (all) {
        cli_foot_unmet(stdout, facts);
    }
}

/* What the lines about restraints say of a run, of what its run.json has; the texts are borrowed.
 */
static struct berth_run_facts facts_of(const struct berth_run_card *card,
                                       const char *texts[BERTH_RESTRAINTS_MAX],
                                       double radii[BERTH_RESTRAINTS_MAX])
{
    struct berth_run_facts facts = {
        .restraints = texts, .radii = radii, .restraint_count = berth_restraint_count(card)};
    for (size_t i = 0; i < facts.restraint_count; i++) {
        const struct berth_run_restraint *item = &card->files.restraint[i];
        texts[i] = item->text;
        radii[i] = item->radius;
        facts.required |= (unsigned)item->required << i;
        facts.avoided |= (unsigned)item->avoided << i;
        facts.metal_count += berth_restraint_is_metal(item);
    }
    return facts;
}

enum berth_status cli_foot_restrained(const char *folder, bool all, struct berth_error *error)
{
    struct berth_standing_counts counts;
    struct berth_run_card card;
    const char *texts[BERTH_RESTRAINTS_MAX];
    double radii[BERTH_RESTRAINTS_MAX];
    char run[PATH_MAX], table[PATH_MAX];
    BERTH_TRY(berth_path_in(folder, "run.json", run, sizeof run, error));
    BERTH_TRY(berth_path_in(folder, "scores.csv", table, sizeof table, error));
    enum berth_status status = berth_run_json_read(run, NULL, &card, error);
    if (!status && berth_restraint_count(&card)) {
        const struct berth_run_facts facts = facts_of(&card, texts, radii);
        status = berth_shown_places_count(&card, table, &counts, error);
        if (!status) {
            cli_foot_restraints(&facts, &counts, all);
        }
        if (!status && all && facts.metal_count) {
            printf("coordination, what a metal's open sites are worth to a pose by how near its "
                   "donors are, is part of score and ranking, not of energy\n");
        }
    }
    berth_run_card_clear(&card);
    return status;
}

void cli_foot_affinity(const char *function, const struct cli_lowest *lowest, const char *energy,
                       const char *how)
{
    static const char *const AFFINITIES[][2] = {{"vina", "Vina's"}, {"vinardo", "Vinardo's"}};
    for (size_t i = 0; i < sizeof AFFINITIES / sizeof *AFFINITIES; i++) {
        if (strcmp(function, AFFINITIES[i][0]) == 0) {
            printf("score is %s affinity%s (kcal/mol): energy, and strain above that of the pose "
                   "lowest by ",
                   AFFINITIES[i][1], lowest->flexible ? " and receptor_strain" : "");
            if (lowest->flexible || lowest->coordinated) {
                printf("score with all its strain");
            } else {
                printf("%s + strain", function);
            }
            printf("%s, divided by 1 + 0.05846 rotors%s; %s is not divided%s\n",
                   lowest->restrained ? " of those that miss the fewest restraints" : "",
                   lowest->flexible ? ", and receptor_strain undivided" : "", energy, how);
        }
    }
}

/* Says that a column is the energy by one of these functions without what open sites of metals and
 * displaced waters are worth, and which ranking has that. */
static void print_beside(const struct berth_run_card *run, const char *column)
{
    const struct berth_term_names *functions = &run->identity.functions;
    const bool sites = !isnan(run->identity.metal_sites.count);
    const bool waters = !isnan(run->identity.displacement[0]);
    const char *function = strcmp(column, "energy") == 0 ? functions->names[0] : column;
    for (size_t i = 0; (sites || waters) && i < functions->count; i++) {
        if (strcmp(functions->names[i], function) == 0) {
            cli_print("%s is without %s%s%s, which `--rank %s` of `berth screen` and `berth merge` "
                      "adds to it",
                      column, sites ? "coordination" : "", sites && waters ? " and " : "",
                      waters ? "displacement" : "", function);
        }
    }
}

enum berth_status cli_foot_ranked(const char *results, const char *column, const char *how,
                                  struct berth_error *error)
{
    char table[PATH_MAX];
    struct berth_run_card run;
    BERTH_TRY(berth_scores_find(results, table, error));
    const enum berth_status status = berth_run_json_beside(table, &run, error);
    const bool named = column && strcmp(column, BERTH_COLUMN_RANKING) != 0;
    const char *function = run.identity.scoring;
    const char *by = named ? column : run.identity.rank_ligands;
    const bool energy = berth_text_has_word(by, "energy");
    if (!status && (energy || berth_text_has_word(by, function)) &&
        !berth_text_has_word(by, "rotors")) {
        const bool own = named ? !energy : run.identity.functions.count > 1;
        const struct berth_run_named *moved = run.identity.side_chains;
        const struct cli_lowest lowest = {.coordinated = !isnan(run.identity.metal_sites.count),
                                          .flexible = moved->of && *moved->text};
        cli_foot_affinity(function, &lowest, own ? function : "energy", how);
    }
    berth_run_card_clear(&run);
    return status;
}

enum berth_status cli_head_ranked(const char *results, const char *column,
                                  struct berth_error *error)
{
    char table[PATH_MAX];
    struct berth_run_card run;
    BERTH_TRY(berth_scores_find(results, table, error));
    const enum berth_status status = berth_run_json_beside(table, &run, error);
    if (!status) {
        print_beside(&run, column);
    }
    berth_run_card_clear(&run);
    return status;
}

enum berth_status cli_foot_best(const char *folder, struct berth_error *error)
{
    char path[PATH_MAX], *ligand = NULL, *score = NULL;
    struct berth_csv *csv = NULL;
    double best = INFINITY, value;
    bool end = false;
    enum berth_status status = berth_scores_find(folder, path, error);
    BERTH_THEN(berth_csv_open(path, ',', &csv, error));
    size_t columns[BERTH_SCORES_COLUMNS];
    berth_scores_columns_find(status ? NULL : csv, columns);
    const size_t name = columns[BERTH_SCORES_NAME], ranking = columns[BERTH_SCORES_RANK];
    const size_t rank = status ? SIZE_MAX : berth_csv_find(csv, BERTH_COLUMN_RANK);
    const size_t by = rank != SIZE_MAX ? rank : ranking; /* a model may have ranked a part alone */
    while (!status && name != SIZE_MAX && ranking != SIZE_MAX &&
           !(status = berth_csv_next(csv, &end, error)) && !end) {
        if (berth_csv_real(csv, by, &value) && value < best) {
            best = value;
            free(ligand);
            free(score);
            ligand = berth_csv_text(csv, name);
            score = berth_copy_text(berth_csv_field(csv, ranking));
        }
    }
    if (ligand && score && *score) {
        cli_print("best: %s, %s %s", ligand, berth_csv_column(csv, ranking), score);
    }
    free(ligand);
    free(score);
    berth_csv_close(csv);
    return status;
}

/* A hit of the table. */
struct hit {
    double by;                     /* what ranks, the lower the better */
    char *name, *score, *receptor; /* owned; as the table has them */
};

static void hit_clear(struct hit *hit)
{
    free(hit->name);
    free(hit->score);
    free(hit->receptor);
}

/* Keeps the row among the best so far, if it is one of them. */
static void keep_hit(struct hit hits[CLI_BEST + 1], size_t *count, struct hit hit)
{
    size_t place = *count;
    for (; place && hit.by < hits[place - 1].by; place--) {
        hits[place] = hits[place - 1];
    }
    hits[place] = hit;
    if (*count < CLI_BEST) {
        ++*count;
    } else {
        hit_clear(&hits[CLI_BEST]);
    }
}

static enum berth_status read_hits(const char *folder, struct hit hits[CLI_BEST + 1], size_t *count,
                                   size_t *of, struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_csv *csv = NULL;
    bool end = false;
    enum berth_status status = berth_scores_find(folder, path, error);
    BERTH_THEN(berth_csv_open(path, ',', &csv, error));
    size_t columns[BERTH_SCORES_COLUMNS];
    berth_scores_columns_find(status ? NULL : csv, columns);
    const size_t rank = status ? SIZE_MAX : berth_csv_find(csv, BERTH_COLUMN_RANK);
    const size_t score = status ? SIZE_MAX : berth_csv_find(csv, BERTH_COLUMN_SCORE);
    const size_t receptor = status ? SIZE_MAX : berth_csv_find(csv, BERTH_COLUMN_RECEPTOR);
    const size_t by = rank != SIZE_MAX ? rank : columns[BERTH_SCORES_RANK];
    const size_t name = columns[BERTH_SCORES_NAME];
    while (!status && by != SIZE_MAX && name != SIZE_MAX &&
           !(status = berth_csv_next(csv, &end, error)) && !end) {
        struct hit hit = {.by = berth_scores_number(csv, by, INFINITY)};
        ++*of;
        if (hit.by < (*count < CLI_BEST ? INFINITY : hits[CLI_BEST - 1].by)) {
            hit.name = berth_csv_text(csv, name);
            hit.score = berth_copy_text(berth_scores_field(csv, score));
            hit.receptor = berth_copy_text(berth_scores_field(csv, receptor));
            keep_hit(hits, count, hit);
        }
    }
    berth_csv_close(csv);
    return status;
}

void cli_head_hits(const char *unit)
{
    printf(" rank  " BERTH_HEAD_SCORE "  ligand\n");
    if (*unit) {
        printf("%15s\n", unit);
    }
    printf("-----------------------------\n");
}

enum berth_status cli_print_hits(const char *folder, const char *unit, struct berth_error *error)
{
    struct hit hits[CLI_BEST + 1];
    size_t count = 0, of = 0;
    const enum berth_status status = read_hits(folder, hits, &count, &of, error);
    if (count) {
        printf("\n");
        cli_head_hits(unit);
    }
    for (size_t i = 0; i < count; i++) {
        const struct hit *hit = &hits[i];
        cli_print("%5zu %9.2f  %s%s%s", i + 1, strtod(hit->score ? hit->score : "nan", NULL),
                  hit->name ? hit->name : "", hit->receptor && *hit->receptor ? "  in " : "",
                  hit->receptor ? hit->receptor : "");
        hit_clear(&hits[i]);
    }
    if (of > count) {
        printf("  ... %zu more\n", of - count);
    }
    if (count) {
        printf("\n");
    }
    return status;
}

enum berth_status cli_foot_required(const char *folder, struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_csv *csv = NULL;
    double made = 0, of = 0;
    bool end = false;
    BERTH_TRY(berth_path_in(folder, BERTH_REQUIRED_TABLE, path, sizeof path, error));
    if (access(path, F_OK) != 0) {
        return BERTH_OK;
    }
    enum berth_status status = berth_csv_open(path, ',', &csv, error);
    BERTH_THEN(berth_csv_next(csv, &end, error));
    while (!status && !end) { /* the last row is of all */
        berth_csv_real(csv, 1, &made);
        berth_csv_real(csv, 2, &of);
        status = berth_csv_next(csv, &end, error);
    }
    berth_csv_close(csv);
    if (!status && made < of) {
        printf("%.0f ligand%s dropped: no pose that was kept makes what is required (%s)\n",
               of - made, of - made == 1 ? " was" : "s were", BERTH_REQUIRED_TABLE);
    }
    return status;
}

void cli_profile_take(void *profile, const struct berth_kernel_profile *kernel)
{
    struct cli_profile *kept = profile;
    const size_t at = kept->count;
    if (at < sizeof kept->kernels / sizeof *kept->kernels) {
        snprintf(kept->kernels[at].kernel, sizeof kept->kernels[at].kernel, "%s", kernel->kernel);
        kept->kernels[at].launches = kernel->launches;
        kept->kernels[at].seconds = kernel->seconds;
        kept->count++;
    }
}

void cli_profile_print(const struct cli_profile *profile, const struct berth_device_use *use)
{
    double all = 0;
    for (size_t i = 0; i < profile->count; i++) {
        all += profile->kernels[i].seconds;
    }
    printf("%-16s %8s %12s %7s\n", "kernel", "launches", "device s", "share");
    for (size_t i = 0; i < profile->count; i++) {
        const double seconds = profile->kernels[i].seconds;
        printf("%-16s %8zu %12.6f %6.2f%%\n", profile->kernels[i].kernel,
               profile->kernels[i].launches, seconds, 100 * seconds / all);
    }
    printf("busy %.2f %% of the time between the first kernel's start and the last one's end\n",
           100 * use->busy);
    printf("%.3f MB to the device, %.3f MB from it\n", 1e-6 * (double)use->bytes_written,
           1e-6 * (double)use->bytes_read);
}

/* A line that stays one, with the seconds, so that a first run is seen to go on. */
static void *wait_and_say(void *context)
{
    struct cli_patience *patience = context;
    const double start = berth_now();
    pthread_mutex_lock(&patience->lock);
    for (int passed = PATIENCE; !patience->ended;) { /* s */
        if (!berth_condition_await(&patience->changed, &patience->lock, start + passed)) {
            fprintf(stderr,
                    "\r\033[Kberth: the first time, kernels are compiled for the device, which "
                    "takes up "
                    "to two minutes: %d s",
                    passed++);
            patience->said = true;
        }
    }
    if (patience->said) {
        fprintf(stderr, "\r\033[K");
    }
    pthread_mutex_unlock(&patience->lock);
    return NULL;
}

void cli_patience_start(struct cli_patience *patience)
{
    if (isatty(STDERR_FILENO)) {
        pthread_mutex_init(&patience->lock, NULL);
        berth_condition_create(&patience->changed);
        patience->started = !pthread_create(&patience->thread, NULL, wait_and_say, patience);
    }
}

void cli_patience_end(struct cli_patience *patience)
{
    if (patience->started) {
        pthread_mutex_lock(&patience->lock);
        patience->ended = true;
        pthread_cond_signal(&patience->changed);
        pthread_mutex_unlock(&patience->lock);
        pthread_join(patience->thread, NULL);
        patience->started = false;
    }
}
