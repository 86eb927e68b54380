/* Which residues of a structure become the receptor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/residue_types.h"
#include "chem/selection.h"
#include "prep/receptor/receptor_internal.h"

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
        snprintf(tally->rows[i].name, BERTH_LABEL_SIZE, "%s", name);
        tally->rows[i].count = 0;
        tally->count++;
    }
    tally->rows[i].count++;
}

/* "3 SO4, 1 HEM" into text. */
static void tally_text(const struct tally *tally, char text[LINE_SIZE])
{
    size_t length = 0;
    *text = '\0';
    for (size_t i = 0; i < tally->count && length < LINE_SIZE - 40; i++) {
        length += (size_t)snprintf(text + length, LINE_SIZE - length, "%s%zu %s", i ? ", " : "",
                                   tally->rows[i].count, tally->rows[i].name);
    }
}

/* Residues by name and place, for a message. */
struct listing {
    char text[LINE_SIZE];
    size_t length, count, left_out;
};

static void list_residue(struct listing *listing, const struct berth_residue_id *residue)
{
    char text[BERTH_RESIDUE_TEXT_SIZE];
    listing->count++;
    if (listing->count - listing->left_out > LISTED_MAX) {
        listing->left_out++;
        return;
    }
    berth_residue_text(residue, text);
    listing->length +=
        (size_t)snprintf(listing->text + listing->length, LINE_SIZE - listing->length, "%s%s",
                         listing->length ? ", " : "", text);
}

/* Says how many more there are than are listed. */
static void end_listing(struct listing *listing)
{
    if (listing->left_out) {
        snprintf(listing->text + listing->length, LINE_SIZE - listing->length, " and %zu more",
                 listing->left_out);
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
        const size_t length = strlen(listing->text);
        snprintf(listing->text + length, LINE_SIZE - length, "%s%zu water%s", length ? ", " : "",
                 waters, waters == 1 ? "" : "s");
    }
    if (!*listing->text) {
        snprintf(listing->text, LINE_SIZE, "nothing");
    }
}

/* The choices that the options make. */
struct choice {
    const struct berth_receptor_work *work;
    struct berth_selection ligand, keep, drop, waters;
    bool keep_all, drop_hetero, near; /* near: waters by distance */
    struct berth_site box;            /* what they are near to where there is no ligand */
    bool has_box;
    struct tally kept, additives, dropped, water;
    size_t standard; /* residues of protein and nucleic acid that were kept */
};

static enum berth_status parse(struct choice *choice, struct berth_error *error)
{
    const struct berth_receptor_settings *settings = choice->work->settings;
    choice->keep_all = settings->keep && strcmp(settings->keep, "all") == 0;
    choice->drop_hetero = settings->drop && strcmp(settings->drop, "hetero") == 0;
    const struct {
        const char *option, *text;
        struct berth_selection *selection;
        bool must_match;
    } all[] = {{"--ligand_id", settings->ligand_id, &choice->ligand, true},
               {"--keep", choice->keep_all ? NULL : settings->keep, &choice->keep, false},
               {"--drop", choice->drop_hetero ? NULL : settings->drop, &choice->drop, false},
               {"--keep_waters", settings->keep_waters, &choice->waters, true}};
    const struct berth_structure *structure = &choice->work->prepared->structure;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        enum berth_status status = berth_selection_parse(all[i].text, all[i].selection, error);
        if (status) {
            return berth_fail_in(error, all[i].option);
        }
        berth_selection_resolve(all[i].selection, structure);
        const struct berth_selector *unmatched =
            berth_selection_unmatched(all[i].selection, structure);
        if (!unmatched) {
            continue;
        }
        struct listing there;
        list_selectable(structure, &there);
        if (all[i].must_match) {
            return berth_fail(error, BERTH_E_USAGE,
                              "%s: no residue %s in %s; beside protein and nucleic acid it has %s",
                              all[i].option, unmatched->text, settings->path, there.text);
        }
        berth_warn(choice->work->log, NULL,
                   "%s: no residue %s in %s; beside protein and nucleic acid it has %s",
                   all[i].option, unmatched->text, settings->path, there.text);
    }
    return BERTH_OK;
}

/* A selector that could mean several residues must not: unless it names a whole chain. */
static enum berth_status check_unique(const struct choice *choice, struct berth_error *error)
{
    const struct berth_structure *structure = &choice->work->prepared->structure;
    for (size_t s = 0; s < choice->ligand.count; s++) {
        const struct berth_selector *selector = &choice->ligand.selectors[s];
        struct listing found = {.length = 0};
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
            return berth_fail(error, BERTH_E_USAGE,
                              "--ligand_id %s may be one of %zu residues (%s); name one, as "
                              "CHAIN:NUMBER",
                              selector->text, found.count, found.text);
        }
    }
    return BERTH_OK;
}

static enum berth_status cut_ligand(struct choice *choice, bool *keep, struct berth_error *error)
{
    struct berth_receptor_prepared *prep = choice->work->prepared;
    enum berth_status status = check_unique(choice, error);
    for (size_t i = 0; !status && i < prep->structure.count; i++) {
        const struct berth_structure_atom *atom = &prep->structure.atoms[i];
        keep[i] = !berth_selection_matches(&choice->ligand, &atom->residue);
        if (!keep[i]) {
            status = berth_structure_add(&prep->ligand, atom, error);
        }
    }
    if (!status && prep->ligand.count) {
        prep->ligand.title = berth_copy_text(prep->ligand.atoms[0].residue.name);
        berth_structure_filter(&prep->structure, keep);
        char text[BERTH_RESIDUE_TEXT_SIZE];
        size_t heavy = 0;
        for (size_t i = 0; i < prep->ligand.count; i++) {
            heavy += !berth_is_hydrogen(&prep->ligand.atoms[i]);
        }
        berth_residue_text(&prep->ligand.atoms[0].residue, text);
        berth_note(choice->work->log, "ligand: %s, %zu heavy atoms", text, heavy);
    }
    return status;
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

/* True where the residue stays; counts it either way. */
static bool decide(struct choice *choice, struct berth_span span)
{
    const struct berth_residue_id *residue =
        &choice->work->prepared->structure.atoms[span.begin].residue;
    const struct berth_residue_type *type = berth_residue_type_find(residue->name);
    const bool standard = type && type->kind != BERTH_RESIDUE_COFACTOR;
    const bool water = berth_is_water_name(residue->name);
    if (berth_selection_matches(&choice->keep, residue) ||
        (water && (berth_selection_matches(&choice->waters, residue) || is_near(choice, span)))) {
        tally_add(&choice->kept, residue->name);
        return true;
    }
    if (water) {
        tally_add(&choice->water, residue->name);
        return false;
    }
    if (berth_selection_matches(&choice->drop, residue) || (choice->drop_hetero && !standard)) {
        tally_add(&choice->dropped, residue->name);
        return false;
    }
    if (!choice->keep_all && berth_is_additive_name(residue->name)) {
        tally_add(&choice->additives, residue->name);
        return false;
    }
    if (standard) {
        choice->standard++;
    } else {
        tally_add(&choice->kept, residue->name);
    }
    return true;
}

/* Waters near the site: its box is needed before the receptor is there. */
static enum berth_status find_box(struct choice *choice, struct berth_error *error)
{
    choice->near = choice->work->settings->keep_waters_within > 0;
    if (!choice->near || choice->work->prepared->ligand.count) {
        return BERTH_OK;
    }
    enum berth_status status =
        berth_receptor_site(choice->work, &choice->has_box, &choice->box, error);
    if (!status && !choice->has_box) {
        status = berth_fail(error, BERTH_E_USAGE,
                            "--keep_waters_within needs a place to measure from: give --ligand_id "
                            "or a site");
    }
    return status;
}

static void say_what(const struct berth_log *log, const char *what, const struct tally *tally)
{
    char text[LINE_SIZE];
    if (tally->count) {
        tally_text(tally, text);
        berth_note(log, "%s: %s", what, text);
    }
}

/* Warns of residues that were kept though they look like ligands; those that --keep names belong
 * there. */
static void warn_of_ligands(const struct choice *choice)
{
    const struct berth_structure *structure = &choice->work->prepared->structure;
    const struct berth_log *log = choice->work->log;
    const struct berth_residue_id *first = NULL;
    size_t heavy = 0;
    struct listing found = {.length = 0};
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
        berth_warn(
            log, NULL,
            "%s (%zu heavy atoms) looks like a ligand and stays in the receptor: --ligand_id "
            "%s cuts it out, --drop %s leaves it out, --keep %s keeps it without this "
            "warning",
            found.text, heavy, first->name, first->name, first->name);
    } else if (found.count) {
        const char insertion[] = {first->insertion, '\0'};
        berth_warn(log, NULL,
                   "%zu residues look like ligands and stay in the receptor: %s; --ligand_id "
                   "%s:%d%s cuts one out, --drop %s leaves them out, --keep %s keeps them without "
                   "this warning",
                   found.count, found.text, first->chain, first->number, insertion, first->name,
                   first->name);
    }
}

/* Filters the structure; keep is [structure->count]. */
static void filter(struct choice *choice, bool *keep)
{
    struct berth_structure *structure = &choice->work->prepared->structure;
    const struct berth_log *log = choice->work->log;
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const bool stays = decide(choice, span);
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = stays;
        }
    }
    berth_structure_filter(structure, keep);
    berth_note(log, "kept: %zu residues of protein or nucleic acid", choice->standard);
    say_what(log, "kept besides", &choice->kept);
    say_what(log, "left out, waters", &choice->water);
    say_what(log, "left out, crystallisation additives (--keep NAME keeps them)",
             &choice->additives);
    say_what(log, "left out, as --drop says", &choice->dropped);
}

enum berth_status berth_receptor_select(const struct berth_receptor_work *work,
                                        struct berth_error *error)
{
    struct choice *choice = berth_alloc(1, sizeof *choice);
    bool *keep = berth_alloc(work->prepared->structure.count, sizeof *keep);
    enum berth_status status = BERTH_OK;
    if (!choice || !keep) {
        status = berth_out_of_memory(error, NULL);
    } else {
        choice->work = work;
        status = parse(choice, error);
    }
    BERTH_THEN(cut_ligand(choice, keep, error));
    BERTH_THEN(find_box(choice, error));
    if (!status) {
        filter(choice, keep);
        warn_of_ligands(choice);
        if (!work->prepared->structure.count) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s: nothing is left of the receptor",
                                work->settings->path);
        }
    }
    free(choice);
    free(keep);
    return status;
}
