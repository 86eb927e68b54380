#include "prep/receptor/prepare_receptor.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/pockets.h"
#include "chem/residue_types.h"
#include "chem/selection.h"
#include "format/mol2/mol2.h"
#include "format/output.h"
#include "prep/receptor/autodock_types.h"
#include "prep/receptor/account.h"
#include "prep/receptor/metals.h"
#include "prep/receptor/prepare_structure.h"
#include "prep/receptor/protonation.h"
#include "prep/receptor/reference.h"
#include "prep/receptor/waters.h"
#include "prep/perception.h"
#include "prep/site_checks.h"
#include "score/scoring.h"

/* A receptor in preparation. */
struct work {
    const struct berth_receptor_settings *settings; /* borrowed */
    const struct berth_log *log;                    /* borrowed */
    struct berth_receptor_prepared *prepared;       /* borrowed */
};

/* Reads what an option says of residues; *unmatched is NULL or names none of the structure's. */
static enum berth_status select_by(const struct work *work, const char *option, const char *text,
                                   struct berth_selection *selection,
                                   const struct berth_selector **unmatched,
                                   struct berth_error *error)
{
    const enum berth_status status = berth_selection_parse(text, selection, error);
    if (status) {
        berth_fail_in(error, option);
        error->option = option;
        return status;
    }
    berth_selection_resolve(selection, &work->prepared->structure);
    *unmatched = berth_selection_unmatched(selection, &work->prepared->structure);
    return BERTH_OK;
}

/* --- The site --- */

/* A box around residues, autobox_add wider on each side. */
static enum berth_status box_of_residues(const struct work *work, struct berth_site *site,
                                         struct berth_error *error)
{
    const struct berth_structure *structure = &work->prepared->structure;
    const struct berth_selector *unmatched;
    struct berth_selection selection;
    BERTH_TRY(select_by(work, "residues", work->settings->residues, &selection, &unmatched, error));
    if (unmatched) {
        return berth_fail_option(error, BERTH_E_USAGE, "residues",
                                 "residues: no residue %s in the receptor", unmatched->text);
    }
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < structure->count; i++) {
            const struct berth_structure_atom *atom = &structure->atoms[i];
            if (!berth_is_hydrogen(atom) && berth_selection_matches(&selection, &atom->residue)) {
                low = fmin(low, atom->position[k]);
                high = fmax(high, atom->position[k]);
            }
        }
        site->center[k] = (low + high) / 2;
        site->size[k] = high - low + 2 * work->settings->autobox_add;
    }
    return BERTH_OK;
}

/* The site that the settings ask for; *given is false where they ask for none. */
static enum berth_status find_site(const struct work *work, bool *given, struct berth_site *site,
                                   struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    *given = true;
    if (settings->box) {
        *site = *settings->box;
    } else if (settings->residues) {
        return box_of_residues(work, site, error);
    } else {
        *given = !settings->sites && !settings->siteless &&
                 berth_site_about(&work->prepared->reference, settings->autobox_add, false, site);
    }
    return BERTH_OK;
}

/* --- Which residues become the receptor --- */

enum { TALLY_MAX = 40, LINE_SIZE = 600, LISTED_MAX = 10 };

/* How many residues of each name. */
struct tally {
    struct {
        char name[BERTH_LABEL_SIZE];
        size_t count;
    } rows[TALLY_MAX];
    size_t count;
};

static void tally_add(struct tally *tally, const char *name)
{
    size_t i = 0;
    while (i < tally->count && strcmp(tally->rows[i].name, name) != 0) {
        i++;
    }
    if (i == TALLY_MAX) {
        return;
    }
    if (i == tally->count) {
        snprintf(tally->rows[tally->count++].name, BERTH_LABEL_SIZE, "%s", name);
    }
    tally->rows[i].count++;
}

/* "what: 3 SO4, 1 HEM" */
static void say_what(const struct berth_log *log, const char *what, const struct tally *tally)
{
    char text[LINE_SIZE] = "";
    for (size_t i = 0; i < tally->count && strlen(text) < LINE_SIZE - 40; i++) {
        berth_text_append(text, sizeof text, "%s%zu %s", i ? ", " : "", tally->rows[i].count,
                          tally->rows[i].name);
    }
    if (tally->count) {
        berth_note(log, "%s: %s", what, text);
    }
}

/* Residues by name and place, for a message. */
struct listing {
    char text[LINE_SIZE];
    size_t count;
};

static void list_residue(struct listing *listing, const struct berth_residue_id *residue)
{
    char text[BERTH_RESIDUE_TEXT_SIZE];
    if (++listing->count <= LISTED_MAX) {
        berth_residue_text(residue, text);
        berth_text_append(listing->text, LINE_SIZE, "%s%s", *listing->text ? ", " : "", text);
    }
}

/* Says how many more there are than are listed. */
static void end_listing(struct listing *listing)
{
    if (listing->count > LISTED_MAX) {
        berth_text_append(listing->text, LINE_SIZE, " and %zu more", listing->count - LISTED_MAX);
    }
}

/* The residues that people select: all but protein, nucleic acid and, where there are others,
 * waters. */
static void list_selectable(const struct berth_structure *structure, struct listing *listing)
{
    size_t waters = 0;
    memset(listing, 0, sizeof *listing);
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const struct berth_residue_id *residue = &structure->atoms[span.begin].residue;
        if (berth_is_water_name(residue->name)) {
            waters++;
        } else if (!berth_is_standard_residue(residue->name)) {
            list_residue(listing, residue);
        }
    }
    end_listing(listing);
    if (waters) {
        berth_text_append(listing->text, LINE_SIZE, "%s%zu water%s", *listing->text ? ", " : "",
                          waters, waters == 1 ? "" : "s");
    }
    if (!*listing->text) {
        snprintf(listing->text, LINE_SIZE, "nothing");
    }
}

/* The choices that the options make. */
struct choice {
    const struct work *work;
    struct berth_selection ligand, keep, drop, waters, displaceable;
    bool keep_all, drop_hetero, near; /* near: waters by distance */
    bool bridging;                    /* waters that bridge are kept */
    bool displacing;                  /* and are those that a ligand may displace */
    struct berth_site box;            /* what they are near to where there is no ligand */
    bool has_box;
    struct tally kept, additives, dropped, water;
    size_t standard; /* residues of protein and nucleic acid that were kept */
};

static enum berth_status parse_choices(struct choice *choice, struct berth_error *error)
{
    const struct berth_receptor_settings *settings = choice->work->settings;
    choice->keep_all = settings->keep && strcmp(settings->keep, "all") == 0;
    choice->bridging = settings->keep_waters && strcmp(settings->keep_waters, "bridging") == 0;
    choice->displacing =
        settings->displaceable_waters && strcmp(settings->displaceable_waters, "bridging") == 0;
    choice->drop_hetero = settings->drop && strcmp(settings->drop, "hetero") == 0;
    const struct {
        const char *option, *text;
        struct berth_selection *selection;
        bool must_match;
    } all[] = {
        {"ligand_id", settings->ligand_id, &choice->ligand, true},
        {"keep", choice->keep_all ? NULL : settings->keep, &choice->keep, false},
        {"drop", choice->drop_hetero ? NULL : settings->drop, &choice->drop, false},
        {"keep_waters", choice->bridging ? NULL : settings->keep_waters, &choice->waters, true},
        {"displaceable_waters", choice->displacing ? NULL : settings->displaceable_waters,
         &choice->displaceable, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct berth_selector *unmatched;
        BERTH_TRY(select_by(choice->work, all[i].option, all[i].text, all[i].selection, &unmatched,
                            error));
        if (!unmatched) {
            continue;
        }
        struct listing there;
        list_selectable(&choice->work->prepared->structure, &there);
        berth_fail_option(error, BERTH_E_USAGE, all[i].option,
                          "%s: no residue %s in %s; beside protein and nucleic acid it has %s",
                          all[i].option, unmatched->text, settings->path, there.text);
        if (all[i].must_match) {
            return BERTH_E_USAGE;
        }
        berth_warn(choice->work->log, NULL, "%s", error->message);
    }
    return BERTH_OK;
}

/* A selector that could mean several residues must not: unless it names a whole chain. */
static enum berth_status check_unique(const struct choice *choice, struct berth_error *error)
{
    const struct berth_structure *structure = &choice->work->prepared->structure;
    for (size_t s = 0; s < choice->ligand.count; s++) {
        const struct berth_selector *selector = &choice->ligand.selectors[s];
        struct listing found = {.count = 0};
        for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
             span = berth_residue_at(structure, span.end)) {
            const struct berth_residue_id *residue = &structure->atoms[span.begin].residue;
            if (berth_selector_matches(selector, residue)) {
                list_residue(&found, residue);
            }
        }
        end_listing(&found);
        const bool chain = !selector->any_chain && selector->any_number && !*selector->name;
        if (found.count > 1 && !chain) {
            return berth_fail_option(error, BERTH_E_USAGE, "ligand_id",
                                     "ligand_id: %s may be one of %zu residues (%s); name one, as "
                                     "CHAIN:NUMBER",
                                     selector->text, found.count, found.text);
        }
    }
    return BERTH_OK;
}

static enum berth_status cut_ligand(struct choice *choice, bool *keep, struct berth_error *error)
{
    struct berth_receptor_prepared *prep = choice->work->prepared;
    BERTH_TRY(check_unique(choice, error));
    for (size_t i = 0; i < prep->structure.count; i++) {
        const struct berth_structure_atom *atom = &prep->structure.atoms[i];
        keep[i] = !berth_selection_matches(&choice->ligand, &atom->residue);
        if (!keep[i]) {
            BERTH_TRY(berth_structure_add(&prep->ligand, atom, error));
        }
    }
    if (prep->ligand.count) {
        prep->ligand.title = berth_copy_text(prep->ligand.atoms[0].residue.name);
        berth_structure_filter(&prep->structure, keep);
        char text[BERTH_RESIDUE_TEXT_SIZE];
        const size_t heavy =
            berth_residue_heavy_count(&prep->ligand, (struct berth_span){0, prep->ligand.count});
        berth_residue_text(&prep->ligand.atoms[0].residue, text);
        berth_note(choice->work->log, "ligand: %s, %zu heavy atoms", text, heavy);
    }
    return BERTH_OK;
}

/* Å between a point and a box, 0 inside. */
static double outside(const struct berth_site *box, const double point[3])
{
    double squared = 0;
    for (int k = 0; k < 3; k++) {
        const double d = fmax(fabs(point[k] - box->center[k]) - box->size[k] / 2, 0);
        squared += d * d;
    }
    return sqrt(squared);
}

static bool is_near(const struct choice *choice, struct berth_span span)
{
    const struct berth_receptor_prepared *prep = choice->work->prepared;
    const double limit = choice->work->settings->keep_waters_within;
    for (size_t i = span.begin; choice->near && i < span.end; i++) {
        const struct berth_structure_atom *atom = &prep->structure.atoms[i];
        if (berth_is_hydrogen(atom)) {
            continue;
        }
        for (size_t j = 0; j < prep->ligand.count; j++) {
            if (!berth_is_hydrogen(&prep->ligand.atoms[j]) &&
                berth_distance_squared(prep->ligand.atoms[j].position, atom->position) <=
                    limit * limit) {
                return true;
            }
        }
        if (choice->has_box && outside(&choice->box, atom->position) <= limit) {
            return true;
        }
    }
    return false;
}

/* Whether a water bridges to the ligand. */
static bool is_bridge(const struct choice *choice, struct berth_span span)
{
    struct berth_water water;
    berth_water_look(&choice->work->prepared->structure, &choice->work->prepared->ligand, span,
                     &water);
    return water.bridges;
}

/* Says that an option about waters finds none in the file. */
static void warn_of_no_water(const struct choice *choice)
{
    const struct berth_receptor_settings *settings = choice->work->settings;
    const struct berth_structure *structure = &choice->work->prepared->structure;
    const char *option = settings->keep_waters              ? "keep_waters"
                         : settings->displaceable_waters    ? "displaceable_waters"
                         : settings->keep_waters_within > 0 ? "keep_waters_within"
                         : settings->waters                 ? "waters"
                                                            : NULL;
    size_t i = 0;
    while (i < structure->count && !berth_is_water_name(structure->atoms[i].residue.name)) {
        i++;
    }
    if (option && i == structure->count) {
        berth_warn(choice->work->log, NULL, "%s holds no water: %s finds nothing", settings->path,
                   option);
    }
}

/* Tells what holds each water near the ligand. */
static enum berth_status tell_waters(const struct choice *choice, struct berth_error *error)
{
    const struct berth_receptor_prepared *prep = choice->work->prepared;
    const char *option = choice->bridging     ? "keep_waters"
                         : choice->displacing ? "displaceable_waters"
                                              : "waters";
    size_t bridges = 0;
    if (!choice->work->settings->waters && !choice->bridging && !choice->displacing) {
        return BERTH_OK;
    }
    if (!prep->ligand.count) {
        return berth_fail_option(error, BERTH_E_USAGE, option,
                                 "%s: waters bridge to a ligand; name it by ligand_id", option);
    }
    for (struct berth_span span = berth_residue_at(&prep->structure, 0);
         choice->work->settings->waters && span.begin < span.end;
         span = berth_residue_at(&prep->structure, span.end)) {
        const struct berth_residue_id *residue = &prep->structure.atoms[span.begin].residue;
        char name[BERTH_RESIDUE_TEXT_SIZE], text[BERTH_WATER_TEXT];
        struct berth_water water;
        if (!berth_is_water_name(residue->name)) {
            continue;
        }
        berth_water_look(&prep->structure, &prep->ligand, span, &water);
        if (water.ligand) {
            berth_residue_text(residue, name);
            berth_water_text(&water, text);
            berth_note(choice->work->log, "water %s %s", name, text);
            bridges += water.bridges;
        }
    }
    if (choice->work->settings->waters && !choice->bridging) {
        berth_note(choice->work->log, "keep_waters bridging would keep %zu", bridges);
    }
    return BERTH_OK;
}

/* True where the residue stays; counts it either way. */
static bool decide_residue(struct choice *choice, struct berth_span span)
{
    const struct berth_residue_id *residue =
        &choice->work->prepared->structure.atoms[span.begin].residue;
    const struct berth_residue_type *type = berth_residue_type_find(residue->name);
    const bool standard = type && type->kind != BERTH_RESIDUE_COFACTOR;
    const bool water = berth_is_water_name(residue->name);
    const bool displaced = water && (berth_selection_matches(&choice->displaceable, residue) ||
                                     (choice->displacing && is_bridge(choice, span)));
    const bool kept =
        berth_selection_matches(&choice->keep, residue) ||
        (water && (berth_selection_matches(&choice->waters, residue) || is_near(choice, span) ||
                   displaced || (choice->bridging && is_bridge(choice, span))));
    const bool dropped =
        berth_selection_matches(&choice->drop, residue) || (choice->drop_hetero && !standard);
    const bool additive = !choice->keep_all && berth_is_additive_name(residue->name);
    if (displaced) {
        berth_displaceable_add(&choice->work->prepared->displaceable, residue);
    }
    struct tally *tally = kept       ? &choice->kept
                          : water    ? &choice->water
                          : dropped  ? &choice->dropped
                          : additive ? &choice->additives
                                     : &choice->kept;
    if (tally == &choice->kept && !kept && standard) {
        choice->standard++;
    } else {
        tally_add(tally, residue->name);
    }
    return tally == &choice->kept;
}

/* Waters near the site: its box is needed before the receptor is there. */
static enum berth_status find_box(struct choice *choice, struct berth_error *error)
{
    choice->near = choice->work->settings->keep_waters_within > 0;
    if (!choice->near || choice->work->prepared->ligand.count) {
        return BERTH_OK;
    }
    enum berth_status status = find_site(choice->work, &choice->has_box, &choice->box, error);
    if (!status && !choice->has_box) {
        status = berth_fail_option(error, BERTH_E_USAGE, "keep_waters_within",
                                   "keep_waters_within: no place to measure from; name the ligand, "
                                   "or give a site");
    }
    return status;
}

/* Warns of residues that were kept though they look like ligands; those that `keep` names belong
 * there. */
static void warn_of_ligands(const struct choice *choice)
{
    const struct berth_structure *structure = &choice->work->prepared->structure;
    const struct berth_log *log = choice->work->log;
    const struct berth_residue_id *first = NULL;
    size_t heavy = 0;
    struct listing found = {.count = 0};
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const struct berth_residue_id *residue = &structure->atoms[span.begin].residue;
        if (!berth_selection_matches(&choice->keep, residue) &&
            berth_looks_like_ligand(structure, span)) {
            heavy = berth_residue_heavy_count(structure, span);
            first = first ? first : residue;
            list_residue(&found, residue);
        }
    }
    end_listing(&found);
    if (found.count == 1) {
        berth_warn(log, NULL,
                   "%s (%zu heavy atoms) looks like a ligand and stays in the receptor: ligand_id "
                   "%s cuts it out, drop %s leaves it out, keep %s keeps it without this warning",
                   found.text, heavy, first->name, first->name, first->name);
    } else if (found.count) {
        const char insertion[] = {first->insertion, '\0'};
        berth_warn(log, NULL,
                   "%zu residues look like ligands and stay in the receptor: %s; ligand_id "
                   "%s:%d%s cuts one out, drop %s leaves them out, keep %s keeps them without "
                   "this warning",
                   found.count, found.text, first->chain, first->number, insertion, first->name,
                   first->name);
    }
}

/* Filters the structure; keep is [structure->count]. */
static void filter_residues(struct choice *choice, bool *keep)
{
    struct berth_structure *structure = &choice->work->prepared->structure;
    const struct berth_log *log = choice->work->log;
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const bool stays = decide_residue(choice, span);
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = stays;
        }
    }
    berth_structure_filter(structure, keep);
    berth_note(log, "kept: %zu residues of protein or nucleic acid", choice->standard);
    say_what(log, "kept besides", &choice->kept);
    say_what(log, "left out, waters", &choice->water);
    say_what(log, "left out, crystallisation additives (keep NAME keeps them)", &choice->additives);
    say_what(log, "left out, as asked for", &choice->dropped);
}

/* Cuts the ligand out of the structure and leaves waters, additives and what settings->drop names
 * out of it; says what it did. */
static enum berth_status select_residues(const struct work *work, struct berth_error *error)
{
    struct choice choice = {.work = work};
    bool *keep;
    BERTH_TRY(berth_make(&keep, work->prepared->structure.count, sizeof *keep, NULL, error));
    enum berth_status status = parse_choices(&choice, error);
    BERTH_THEN(cut_ligand(&choice, keep, error));
    BERTH_THEN(tell_waters(&choice, error));
    BERTH_THEN(find_box(&choice, error));
    if (!status) {
        warn_of_no_water(&choice);
        filter_residues(&choice, keep);
        warn_of_ligands(&choice);
        if (!work->prepared->structure.count) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s: nothing is left of the receptor",
                                work->settings->path);
        }
    }
    BERTH_THEN(berth_displaceable_check(&work->prepared->displaceable, error));
    free(keep);
    return status;
}

/* --- Sites by a scan over the whole receptor --- */

/* "SITE" of "SITE.brec". */
static int stem_length(const char *path)
{
    const char *dot = strrchr(path, '.');
    return (int)(dot && dot > path && strcmp(dot, ".brec") == 0 ? (size_t)(dot - path)
                                                                : strlen(path));
}

void berth_receptor_scan_path(const char *out, size_t site, char *path)
{
    const int stem = stem_length(out);
    if (site) {
        snprintf(path, PATH_MAX, "%.*s_%zu.brec", stem, out, site);
    } else {
        snprintf(path, PATH_MAX, "%.*s_sites.csv", stem, out);
    }
}

static enum berth_status write_table(const char *out, const struct berth_pocket *pockets,
                                     size_t count, struct berth_error *error)
{
    char path[PATH_MAX], file[PATH_MAX];
    struct berth_output *output;
    berth_receptor_scan_path(out, 0, path);
    BERTH_TRY(berth_output_create(path, &output, error));
    berth_output_print(output, "site,file,center_x,center_y,center_z,size_x,size_y,size_z,volume,"
                               "burial,score\n");
    for (size_t i = 0; i < count; i++) {
        const struct berth_pocket *pocket = &pockets[i];
        berth_receptor_scan_path(out, i + 1, file);
        berth_output_print(output, "%zu,", i + 1);
        berth_output_csv(output, file, ',');
        for (int k = 0; k < 6; k++) {
            berth_output_print(output, k < 3 ? "%.3f," : "%.2f,",
                               k < 3 ? pocket->center[k] : pocket->size[k - 3]);
        }
        berth_output_print(output, "%.0f,%.2f,%.1f\n", pocket->volume, pocket->burial,
                           pocket->score);
    }
    return berth_output_commit(output, error);
}

/* Scans the receptor for sites and writes one receptor file for each, and the table of them. */
static enum berth_status scan_for_sites(const struct work *work, const char *out,
                                        struct berth_error *error)
{
    struct berth_receptor *receptor = &work->prepared->receptor;
    const size_t most = work->settings->sites;
    size_t found = 0;
    struct berth_pocket *pockets;
    BERTH_TRY(berth_make(&pockets, most, sizeof *pockets, NULL, error));
    enum berth_status status =
        berth_pockets_find(&receptor->molecule, most, pockets, &found, error);
    if (!status && !found) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: no pocket was found; give a site (centre and size)",
                            work->settings->path);
    }
    for (size_t i = 0; !status && i < found; i++) {
        char path[PATH_MAX];
        berth_receptor_scan_path(out, i + 1, path);
        receptor->has_site = true;
        memcpy(receptor->center, pockets[i].center, sizeof receptor->center);
        memcpy(receptor->size, pockets[i].size, sizeof receptor->size);
        status = berth_receptor_write(path, receptor, error);
        if (!status) {
            berth_note(work->log, "%s: site %zu (%.3f, %.3f, %.3f), %.0f \xc3\x85^3, score %.1f",
                       path, i + 1, pockets[i].center[0], pockets[i].center[1],
                       pockets[i].center[2], pockets[i].volume, pockets[i].score);
        }
    }
    BERTH_THEN(write_table(out, pockets, found, error));
    free(pockets);
    return status;
}

/* --- The steps --- */

static enum berth_status read_structure(const struct work *work, struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    struct berth_structure *structure = &work->prepared->structure;
    size_t alternates = 0;
    BERTH_TRY(berth_structure_read(settings->path, settings->format, structure, error));
    berth_note(work->log, "%s: %zu atoms", settings->path, structure->count);
    if (structure->models > 1) {
        berth_note(work->log, "the first of %zu models is used", structure->models);
    }
    if (structure->blocks > 1) {
        berth_note(work->log, "the atoms of %zu data blocks are taken together", structure->blocks);
    }
    BERTH_TRY(berth_structure_gather(structure, error));
    BERTH_TRY(berth_alternates_resolve(structure, &alternates, error));
    if (alternates) {
        berth_note(work->log, "alternate locations: the one of highest occupancy, in %zu residue%s",
                   alternates, alternates == 1 ? "" : "s");
    }
    return BERTH_OK;
}

static enum berth_status make_reference(const struct work *work, struct berth_error *error)
{
    return berth_receptor_reference(work->settings, work->log, work->prepared, error);
}

static enum berth_status type_atoms(const struct work *work, struct berth_error *error)
{
    struct berth_receptor_typing typing = {0};
    size_t perceived = 0;
    if (!work->settings->keep_types) {
        berth_receptor_type(&work->prepared->structure, &typing);
    }
    BERTH_TRY(berth_perceive_types(&work->prepared->structure, work->log, &perceived, error));
    if (typing.changed) {
        berth_note(work->log, "types: %zu differ from the file's (keep_types keeps those)",
                   typing.changed);
    }
    if (perceived) {
        berth_note(work->log, "types: %zu atoms by Open Babel", perceived);
    }
    return BERTH_OK;
}

/* Makes the receptor, and sees to it that the forcefield knows all of its types. */
static enum berth_status make_receptor(const struct work *work, struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    struct berth_gatherer warnings = {.next = work->log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_forcefield forcefield = {0};
    struct berth_heavy_atoms heavy = {0};
    struct berth_receptor *receptor = &work->prepared->receptor;
    enum berth_status status = berth_bhff_read(settings->forcefield, &log, &forcefield, error);
    BERTH_THEN(berth_receptor_from_structure(&work->prepared->structure, receptor, error));
    if (!status) {
        const struct berth_scoring typing = {.typing = BERTH_TYPING_BUDE, .forcefield = forcefield};
        status = berth_scoring_assign(&typing, &receptor->molecule, &log, &heavy, error);
        if (status == BERTH_E_TYPE) {
            berth_fail_in(error, "leave the residue out, or");
        }
    }
    if (!status && !heavy.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: the receptor has no heavy atoms",
                            settings->path);
    }
    if (!status) {
        receptor->source = berth_copy_text(settings->path);
        receptor->forcefield = berth_copy_text(forcefield.name);
        receptor->forcefield_hash = berth_forcefield_hash(&forcefield);
        if (!receptor->source || !receptor->forcefield) {
            status = berth_out_of_memory(error, NULL);
        }
    }
    berth_gatherer_flush(&warnings);
    berth_heavy_atoms_clear(&heavy);
    berth_forcefield_clear(&forcefield);
    return status;
}

static enum berth_status check_structure(const struct work *work, struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = work->log};
    const struct berth_log log = berth_gather(&warnings);
    const struct berth_receptor *receptor = &work->prepared->receptor;
    struct berth_site site;
    memcpy(site.center, receptor->center, sizeof site.center);
    memcpy(site.size, receptor->size, sizeof site.size);
    if (!work->settings->keep_types) {
        berth_receptor_note_protonation(&work->prepared->structure,
                                        receptor->has_site ? &site : NULL, work->log);
    }
    if (work->settings->format == BERTH_STRUCTURE_PDBQT) {
        berth_receptor_note_acceptors(&work->prepared->structure, &receptor->molecule,
                                      receptor->has_site ? &site : NULL, work->log);
    }
    const enum berth_status status = berth_receptor_check(
        &work->prepared->structure, receptor->has_site ? &site : NULL, &log, error);
    if (work->prepared->ligand.count) {
        const struct berth_site_surroundings surroundings = {&receptor->molecule,
                                                             receptor->residues, false};
        char text[BERTH_RESIDUE_TEXT_SIZE];
        berth_residue_text(&work->prepared->ligand.atoms[0].residue, text);
        berth_site_check_overlap(&work->prepared->reference, text, &surroundings, &log);
    }
    berth_gatherer_flush(&warnings);
    return status;
}

static enum berth_status place_site(const struct work *work, struct berth_error *error)
{
    struct berth_receptor *receptor = &work->prepared->receptor;
    struct berth_site site;
    BERTH_TRY(find_site(work, &receptor->has_site, &site, error));
    if (receptor->has_site) {
        memcpy(receptor->center, site.center, sizeof receptor->center);
        memcpy(receptor->size, site.size, sizeof receptor->size);
        if (!work->settings->docked) {
            berth_site_check_structure(&site, &work->prepared->structure, NULL, work->log);
        }
        if (work->prepared->ligand.count && !work->settings->box && !work->settings->residues) {
            berth_receptor_mark_bystanders(receptor, &work->prepared->ligand);
        }
        berth_receptor_note_metals(receptor, work->log);
    }
    return BERTH_OK;
}

enum berth_status berth_receptor_prepare(const struct berth_receptor_settings *settings,
                                         const struct berth_log *log,
                                         struct berth_receptor_prepared *prepared,
                                         struct berth_error *error)
{
    static enum berth_status (*const STEPS[])(const struct work *, struct berth_error *) = {
        read_structure, select_residues, type_atoms,     make_receptor,
        make_reference, place_site,      check_structure};
    memset(prepared, 0, sizeof *prepared);
    struct berth_account account = {.next = log};
    const struct berth_log kept = berth_account_log(&account);
    const struct work work = {settings, &kept, prepared};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof STEPS / sizeof *STEPS; i++) {
        status = STEPS[i](&work, error);
    }
    char *said = NULL;
    BERTH_THEN(berth_account_take(&account, &said, error));
    berth_bytes_clear(&account.text);
    prepared->receptor.preparation = said;
    return status;
}

static enum berth_status write_receptor(const struct work *work, const char *out,
                                        struct berth_error *error)
{
    const struct berth_receptor *receptor = &work->prepared->receptor;
    BERTH_TRY(berth_receptor_write(out, receptor, error));
    if (receptor->has_site) {
        berth_note(work->log,
                   "%s: %zu heavy atoms, site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f "
                   "\xc3\x85",
                   out, receptor->molecule.atom_count, receptor->center[0], receptor->center[1],
                   receptor->center[2], receptor->size[0], receptor->size[1], receptor->size[2]);
    } else {
        berth_note(work->log, "%s: %zu heavy atoms, no site", out, receptor->molecule.atom_count);
    }
    return BERTH_OK;
}

enum berth_status berth_receptor_prepared_write(const struct berth_receptor_settings *settings,
                                                const struct berth_receptor_outputs *outputs,
                                                const struct berth_log *log,
                                                struct berth_receptor_prepared *prepared,
                                                struct berth_error *error)
{
    const struct work work = {settings, log, prepared};
    const struct berth_displaceable_outputs further = {outputs->out, outputs->overwrite};
    BERTH_TRY(berth_displaceable_write(&prepared->displaceable, &prepared->receptor, &further, log,
                                       error));
    BERTH_TRY(settings->sites ? scan_for_sites(&work, outputs->out, error)
                              : write_receptor(&work, outputs->out, error));
    if (outputs->reference) {
        BERTH_TRY(berth_mol2_write_one(outputs->reference, &prepared->reference, error));
    }
    if (outputs->mol2) {
        BERTH_TRY(berth_bonds_by_distance(&prepared->receptor.molecule, error));
        BERTH_TRY(berth_mol2_write_one(outputs->mol2, &prepared->receptor.molecule, error));
    }
    return BERTH_OK;
}

void berth_receptor_prepared_clear(struct berth_receptor_prepared *prepared)
{
    berth_structure_clear(&prepared->structure);
    berth_structure_clear(&prepared->ligand);
    berth_molecule_clear(&prepared->reference);
    berth_receptor_clear(&prepared->receptor);
}
