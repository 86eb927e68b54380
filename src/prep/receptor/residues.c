#include "prep/receptor/residues.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/cells.h"
#include "chem/polymers.h"
#include "chem/residue_types.h"
#include "chem/selection.h"
#include "chem/structure.h"
#include "prep/receptor/prepare_structure.h"

/* --- What holds waters --- */

/* Which waters of a structure bridge between receptor and ligand: `berth prep receptor --waters`.
 */

/* What holds a water, and whether it would be kept. */
struct water {
    size_t receptor, ligand, waters; /* hydrogen bonds with these; metals count as receptor's */
    double b_factor, mean;           /* Å²: its own, of the receptor's atoms; 0: unknown */
    double occupancy;
    bool bridges;
};

/* B factors above this times the receptor's mean, or occupancies below that, are of waters that
 * may not be there. */
#define BERTH_WATER_B 1.5

#define BERTH_WATER_OCCUPANCY 0.5

enum { WATER_TEXT = 200 };

/* Å: from a water's oxygen to a nitrogen or oxygen that it has a hydrogen bond with; degrees: the
 * least angle at that between what it is bonded to and the water, 120 or 109 when it is ideal. */
#define BOND  3.5
#define ANGLE 85.0

/* A structure whose atoms may have hydrogen bonds with a water. */
struct partners {
    const struct berth_structure *structure; /* borrowed */
    struct berth_cells cells;                /* owned; of its atoms */
    struct berth_span water;                 /* that is looked at; of another structure: empty */
    const double *at;                        /* its oxygen */
    size_t atom;                             /* that may be a partner, */
    bool hidden;                             /* and is bonded to what is in the way */
    size_t waters, others;                   /* partners so far */
};

/* Looks whether an atom that the partner is bonded to is in the water's way. */
static void meet_bonded(void *context, size_t index, double squared)
{
    struct partners *partners = context;
    const struct berth_structure_atom *atom = &partners->structure->atoms[partners->atom];
    const struct berth_structure_atom *other = &partners->structure->atoms[index];
    double to_other[3], to_water[3];
    (void)squared;
    if (index != partners->atom && !berth_is_hydrogen(other)) {
        berth_direction(atom->position, other->position, to_other);
        berth_direction(atom->position, partners->at, to_water);
        partners->hidden = partners->hidden || berth_angle(to_other, to_water) < ANGLE;
    }
}

/* Counts an atom that can have a hydrogen bond with the water, by element, distance and what it is
 * bonded to. */
static void meet_partner(void *context, size_t index, double squared)
{
    struct partners *partners = context;
    const struct berth_structure_atom *atom = &partners->structure->atoms[index];
    const bool metal = berth_is_metal(atom->element);
    const bool proline = strcmp(atom->residue.name, "PRO") == 0 && strcmp(atom->name, "N") == 0;
    const bool own = index >= partners->water.begin && index < partners->water.end;
    if (own || (metal && sqrt(squared) > BERTH_BOND_METAL) ||
        (!metal && atom->element != NITROGEN && atom->element != OXYGEN) || proline ||
        (partners->water.end && berth_is_additive_name(atom->residue.name))) {
        return;
    }
    partners->atom = index;
    partners->hidden = false;
    if (!metal) {
        berth_cells_each(&partners->cells, atom->position, BERTH_BOND_HEAVY, meet_bonded, partners);
    }
    if (!partners->hidden) {
        *(berth_is_water_name(atom->residue.name) ? &partners->waters : &partners->others) += 1;
    }
}

static void count_partners(struct partners *partners, struct berth_span water, const double at[3])
{
    partners->water = water;
    partners->at = at;
    partners->waters = partners->others = 0;
    berth_cells_each(&partners->cells, at, BOND, meet_partner, partners);
}

static const struct berth_structure_atom *oxygen_of(const struct berth_structure *structure,
                                                    struct berth_span span)
{
    for (size_t i = span.begin; i < span.end; i++) {
        if (structure->atoms[i].element == OXYGEN) {
            return &structure->atoms[i];
        }
    }
    return NULL;
}

/* The mean of what becomes a receptor; 0: the file has none. */
static double mean_b_factor(const struct berth_structure *structure)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const bool counts = !berth_is_water_name(atom->residue.name) && !berth_is_hydrogen(atom);
        sum += counts ? atom->b_factor : 0;
        count += counts;
    }
    return count ? sum / (double)count : 0;
}

/* What may hold waters: the structure that the ligand was cut out of, and that. */
struct holders {
    struct partners receptor, ligand;
    double mean; /* Å²: the receptor's B factor */
};

static enum berth_status holders_make(const struct berth_receptor_prepared *prepared,
                                      struct holders *holders, struct berth_error *error)
{
    *holders = (struct holders){.receptor.structure = &prepared->structure,
                                .ligand.structure = &prepared->ligand,
                                .mean = mean_b_factor(&prepared->structure)};
    BERTH_TRY(berth_structure_cells(&prepared->structure, BOND, &holders->receptor.cells, error));
    return berth_structure_cells(&prepared->ligand, BOND, &holders->ligand.cells, error);
}

static void holders_clear(struct holders *holders)
{
    berth_cells_clear(&holders->receptor.cells);
    berth_cells_clear(&holders->ligand.cells);
}

/* Looks at the water `span` of the structure.  It bridges if it has two hydrogen bonds with the
 * receptor or more, one with the ligand or more, and is well seen. */
static void water_look(struct holders *holders, struct berth_span span, struct water *water)
{
    const struct berth_structure_atom *oxygen = oxygen_of(holders->receptor.structure, span);
    *water = (struct water){.mean = holders->mean};
    if (!oxygen) {
        return;
    }
    count_partners(&holders->ligand, (struct berth_span){0, 0}, oxygen->position);
    count_partners(&holders->receptor, span, oxygen->position);
    water->b_factor = oxygen->b_factor;
    water->occupancy = oxygen->occupancy;
    water->ligand = holders->ligand.waters + holders->ligand.others;
    water->receptor = holders->receptor.others;
    water->waters = holders->receptor.waters;
    water->bridges = water->receptor >= 2 && water->ligand >= 1 &&
                     water->occupancy >= BERTH_WATER_OCCUPANCY &&
                     (water->mean <= 0 || water->b_factor <= BERTH_WATER_B * water->mean);
}

/* "bridges: 3 hydrogen bonds with the receptor, 1 with the ligand, B 14 (receptor's mean 22)". */
static void water_text(const struct water *water, char text[WATER_TEXT])
{
    const bool held = water->receptor >= 2 && water->ligand >= 1;
    snprintf(text, WATER_TEXT,
             "%s: %zu hydrogen bond%s with the receptor, %zu with the ligand, %zu with waters",
             water->bridges ? "bridges"
             : held         ? "bridges, but is badly seen"
                            : "does not bridge",
             water->receptor, water->receptor == 1 ? "" : "s", water->ligand, water->waters);
    if (water->mean > 0) {
        berth_text_append(text, WATER_TEXT, ", B %.0f (receptor's mean %.0f)", water->b_factor,
                          water->mean);
    }
    if (water->occupancy < 1) {
        berth_text_append(text, WATER_TEXT, ", occupancy %.2f", water->occupancy);
    }
}

/* Reads what an option says of residues; *unmatched is NULL or names none of the structure's. */
static enum berth_status select_by(const struct berth_receptor_work *work, const char *option,
                                   const char *text, struct berth_selection *selection,
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
static enum berth_status box_of_residues(const struct berth_receptor_work *work,
                                         struct berth_site *site, struct berth_error *error)
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
enum berth_status berth_receptor_find_site(const struct berth_receptor_work *work, bool *given,
                                           struct berth_site *site, struct berth_error *error)
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

enum { NAME_SIZE = 64, TALLY_MAX = 40, LINE_SIZE = 600, LISTED_MAX = 10 };

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

/* "what: 3 SO4, 1 HEM", and how to have it otherwise, or "". */
static void say_what(const struct berth_log *log, const char *what, const struct tally *tally,
                     const char *hint)
{
    char text[LINE_SIZE] = "";
    for (size_t i = 0; i < tally->count && strlen(text) < LINE_SIZE - 40; i++) {
        berth_text_append(text, sizeof text, "%s%zu %s", i ? ", " : "", tally->rows[i].count,
                          tally->rows[i].name);
    }
    if (tally->count) {
        berth_note(log, "%s: %s%s", what, text, hint);
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

/* The choices that the options make. */
struct choice {
    const struct berth_receptor_work *work;
    struct berth_polymers polymers; /* owned: of the structure as it is at the moment */
    struct berth_selection ligand, keep, drop, waters, displaceable;
    bool keep_all, drop_hetero, near;     /* near: waters by distance */
    bool bridging;                        /* waters that bridge are kept */
    bool displacing;                      /* and are those that a ligand may displace */
    struct holders holders;               /* owned: of waters, where they are asked about */
    bool *kept_by_name, *dropped_by_name; /* owned; [residues] */
    struct berth_site box;                /* what they are near to where there is no ligand */
    bool has_box;
    struct tally kept, additives, dropped, instead, water; /* instead: of the ligand */
    size_t standard; /* residues of protein and nucleic acid that were kept */
};

/* What the structure is made of, once more where it has changed. */
static enum berth_status look_again(struct choice *choice, struct berth_error *error)
{
    berth_polymers_clear(&choice->polymers);
    return berth_polymers_find(&choice->work->prepared->structure, &choice->polymers, error);
}

static const struct berth_residue_id *residue_at(const struct choice *choice, size_t i)
{
    return &choice->work->prepared->structure.atoms[choice->polymers.residues[i].begin].residue;
}

/* The residues that people select: all but protein, nucleic acid and, where there are others,
 * waters. */
static void list_selectable(const struct choice *choice, struct listing *listing)
{
    size_t waters = 0;
    memset(listing, 0, sizeof *listing);
    for (size_t i = 0; i < choice->polymers.count; i++) {
        const struct berth_residue_id *residue = residue_at(choice, i);
        if (berth_is_water_name(residue->name)) {
            waters++;
        } else if (choice->polymers.molecule[i] || !berth_is_standard_residue(residue->name)) {
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

/* Leaves what is to be dropped of copies of chains to who adds them (prep/receptor/assembly.c);
 * gives the first of the others that is not there. */
static const struct berth_selector *leave_copies(struct berth_receptor_prepared *prepared,
                                                 struct berth_selection *drop)
{
    struct berth_selection *copies = &prepared->drop_of_copies;
    size_t count = 0;
    for (size_t i = 0; i < drop->count; i++) {
        const struct berth_selection one = {.selectors = {drop->selectors[i]}, .count = 1};
        const bool of_copy = berth_selector_is_of_copy(&one.selectors[0]) &&
                             berth_selection_unmatched(&one, &prepared->structure);
        *(of_copy ? &copies->selectors[copies->count++] : &drop->selectors[count++]) =
            one.selectors[0];
    }
    drop->count = count;
    return berth_selection_unmatched(drop, &prepared->structure);
}

static enum berth_status parse_choices(struct choice *choice, struct berth_error *error)
{
    const struct berth_receptor_settings *settings = choice->work->settings;
    const bool named_all = settings->asked.keep && strcmp(settings->asked.keep, "all") == 0;
    choice->keep_all = named_all || settings->whole;
    choice->bridging = settings->keep_waters && strcmp(settings->keep_waters, "bridging") == 0;
    choice->displacing =
        settings->displaceable_waters && strcmp(settings->displaceable_waters, "bridging") == 0;
    choice->drop_hetero = settings->asked.drop && strcmp(settings->asked.drop, "hetero") == 0;
    const struct {
        const char *option, *text;
        struct berth_selection *selection;
        bool must_match;
    } all[] = {
        {"ligand_id", settings->asked.ligand_id, &choice->ligand, true},
        {"keep", named_all ? NULL : settings->asked.keep, &choice->keep, false},
        {"drop", choice->drop_hetero ? NULL : settings->asked.drop, &choice->drop, false},
        {"keep_waters", choice->bridging ? NULL : settings->keep_waters, &choice->waters, true},
        {"displaceable_waters", choice->displacing ? NULL : settings->displaceable_waters,
         &choice->displaceable, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct berth_selector *unmatched;
        BERTH_TRY(select_by(choice->work, all[i].option, all[i].text, all[i].selection, &unmatched,
                            error));
        if (all[i].selection == &choice->drop) {
            unmatched = leave_copies(choice->work->prepared, &choice->drop);
        }
        if (!unmatched) {
            continue;
        }
        struct listing there;
        list_selectable(choice, &there);
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

/* A selector that could mean several molecules must not: unless it names a whole chain. */
static enum berth_status check_unique(const struct choice *choice, struct berth_error *error)
{
    const struct berth_polymers *polymers = &choice->polymers;
    for (size_t s = 0; s < choice->ligand.count; s++) {
        const struct berth_selector *selector = &choice->ligand.selectors[s];
        struct listing found = {.count = 0};
        size_t molecule = 0;
        for (size_t i = 0; i < polymers->count; i++) {
            const bool other = !molecule || polymers->molecule[i] != molecule;
            if (other && berth_selector_matches(selector, residue_at(choice, i))) {
                list_residue(&found, residue_at(choice, i));
                molecule = polymers->molecule[i];
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

/* Which residues are named themselves, or of a molecule that another residue of is: a new array
 * [residues], in *selected, which the caller frees. */
static enum berth_status select_residues(const struct choice *choice,
                                         const struct berth_selection *selection, bool **selected,
                                         struct berth_error *error)
{
    const struct berth_polymers *polymers = &choice->polymers;
    bool *named;
    BERTH_TRY(berth_make(selected, polymers->count, sizeof **selected, NULL, error));
    BERTH_TRY(berth_make(&named, polymers->molecule_count + 1, sizeof *named, NULL, error));
    for (size_t i = 0; i < polymers->count; i++) {
        (*selected)[i] = berth_selection_matches(selection, residue_at(choice, i));
        named[polymers->molecule[i]] = named[polymers->molecule[i]] || (*selected)[i];
    }
    for (size_t i = 0; i < polymers->count; i++) {
        (*selected)[i] = (*selected)[i] || (polymers->molecule[i] && named[polymers->molecule[i]]);
    }
    free(named);
    return BERTH_OK;
}

/* Says what is cut out, and what it is bonded to. */
static void note_ligand(const struct choice *choice, const bool *cut)
{
    const struct berth_structure *structure = &choice->work->prepared->structure;
    const struct berth_polymers *polymers = &choice->polymers;
    struct listing listing = {.count = 0};
    char bonds[BERTH_MOLECULE_TEXT_SIZE] = "";
    size_t heavy = 0;
    for (size_t i = 0; i < polymers->count; i++) {
        if (cut[i]) {
            list_residue(&listing, residue_at(choice, i));
            heavy += berth_residue_heavy_count(structure, polymers->residues[i]);
            if (polymers->molecule[i]) {
                berth_polymers_bonds(polymers, structure, polymers->molecule[i], bonds);
            }
        }
    }
    end_listing(&listing);
    berth_note(choice->work->log, "ligand: %s, %zu heavy atoms%s%s", listing.text, heavy,
               *bonds ? "; " : "", bonds);
}

/* Takes the residues that are cut out of the structure; keep: [structure->count]. */
static enum berth_status take_ligand(struct choice *choice, const bool *cut, bool *keep,
                                     struct berth_error *error)
{
    struct berth_receptor_prepared *prep = choice->work->prepared;
    for (size_t r = 0; r < choice->polymers.count; r++) {
        const struct berth_span span = choice->polymers.residues[r];
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = !cut[r];
            if (cut[r]) {
                BERTH_TRY(berth_structure_add(&prep->ligand, &prep->structure.atoms[i], error));
            }
        }
    }
    if (prep->ligand.count) {
        note_ligand(choice, cut);
        /* "02J-ALA-VAL-LEU-PJE-010": the names of the ligand's residues. */
        char text[NAME_SIZE] = "";
        for (struct berth_span span = berth_residue_at(&prep->ligand, 0);
             span.begin < span.end && strlen(text) < NAME_SIZE - BERTH_LABEL_SIZE - 4;
             span = berth_residue_at(&prep->ligand, span.end)) {
            berth_text_append(text, NAME_SIZE, "%s%s", *text ? "-" : "",
                              prep->ligand.atoms[span.begin].residue.name);
        }
        prep->ligand.title = berth_copy_text(text);
        berth_structure_filter(&prep->structure, keep);
        return look_again(choice, error);
    }
    return BERTH_OK;
}

/* Refuses water alone as the ligand. */
static enum berth_status check_ligand(const struct choice *choice, const bool *cut,
                                      struct berth_error *error)
{
    const struct berth_residue_id *water = NULL;
    char text[BERTH_RESIDUE_TEXT_SIZE];
    for (size_t i = 0; i < choice->polymers.count; i++) {
        if (cut[i] && !berth_is_water_name(residue_at(choice, i)->name)) {
            return BERTH_OK;
        }
        water = cut[i] ? residue_at(choice, i) : water;
    }
    if (!water) {
        return BERTH_OK;
    }
    berth_residue_text(water, text);
    return berth_fail_option(error, BERTH_E_USAGE, "ligand_id", "ligand_id: %s is water", text);
}

static enum berth_status cut_ligand(struct choice *choice, bool *keep, struct berth_error *error)
{
    bool *cut = NULL;
    enum berth_status status = check_unique(choice, error);
    BERTH_THEN(select_residues(choice, &choice->ligand, &cut, error));
    BERTH_THEN(check_ligand(choice, cut, error));
    BERTH_THEN(take_ligand(choice, cut, keep, error));
    free(cut);
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

/* Whether a water bridges to the ligand. */
static bool is_bridge(struct choice *choice, struct berth_span span)
{
    struct water water;
    water_look(&choice->holders, span, &water);
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
static enum berth_status tell_waters(struct choice *choice, struct berth_error *error)
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
    BERTH_TRY(holders_make(prep, &choice->holders, error));
    for (struct berth_span span = berth_residue_at(&prep->structure, 0);
         choice->work->settings->waters && span.begin < span.end;
         span = berth_residue_at(&prep->structure, span.end)) {
        const struct berth_residue_id *residue = &prep->structure.atoms[span.begin].residue;
        char name[BERTH_RESIDUE_TEXT_SIZE], text[WATER_TEXT];
        struct water water;
        if (!berth_is_water_name(residue->name)) {
            continue;
        }
        water_look(&choice->holders, span, &water);
        if (water.ligand) {
            berth_residue_text(residue, name);
            water_text(&water, text);
            berth_note(choice->work->log, "water %s %s", name, text);
            bridges += water.bridges;
        }
    }
    if (choice->work->settings->waters && !choice->bridging) {
        berth_note(choice->work->log, "keep_waters bridging would keep %zu", bridges);
    }
    return BERTH_OK;
}

/* True where the crystal has the residue in place of the ligand. */
static bool is_instead(const struct choice *choice, struct berth_span span)
{
    const struct berth_receptor_prepared *prep = choice->work->prepared;
    bool instead = false;
    for (size_t i = 0; !instead && i < prep->ligand.count; i++) {
        instead = !berth_is_hydrogen(&prep->ligand.atoms[i]) &&
                  berth_residue_gives_way(&prep->structure, span, prep->ligand.atoms[i].position);
    }
    return instead;
}

/* True where the residue stays; counts it either way. */
static bool decide_residue(struct choice *choice, size_t i)
{
    const struct berth_residue_id *residue = residue_at(choice, i);
    const struct berth_span span = choice->polymers.residues[i];
    const bool polymer = !choice->polymers.molecule[i];
    const bool standard = polymer && berth_is_standard_residue(residue->name);
    const bool water = berth_is_water_name(residue->name);
    const bool displaced = water && (berth_selection_matches(&choice->displaceable, residue) ||
                                     (choice->displacing && is_bridge(choice, span)));
    const bool kept =
        choice->kept_by_name[i] ||
        (water && (berth_selection_matches(&choice->waters, residue) || is_near(choice, span) ||
                   displaced || (choice->bridging && is_bridge(choice, span))));
    const bool dropped = choice->dropped_by_name[i] || (choice->drop_hetero && !polymer);
    const bool additive = !choice->keep_all && berth_is_additive_name(residue->name);
    const bool instead = !polymer && is_instead(choice, span);
    if (displaced) {
        berth_displaceable_add(&choice->work->prepared->displaceable, residue);
    }
    struct tally *tally = kept       ? &choice->kept
                          : water    ? &choice->water
                          : dropped  ? &choice->dropped
                          : instead  ? &choice->instead
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
    enum berth_status status =
        berth_receptor_find_site(choice->work, &choice->has_box, &choice->box, error);
    if (!status && !choice->has_box) {
        status = berth_fail_option(error, BERTH_E_USAGE, "keep_waters_within",
                                   "keep_waters_within: no place to measure from; name the ligand, "
                                   "or give a site");
    }
    return status;
}

/* What names the molecule of this residue alone: its name, or its place where others have that. */
static void select_molecule(const struct choice *choice, size_t residue,
                            char text[BERTH_SELECTOR_TEXT])
{
    const struct berth_polymers *polymers = &choice->polymers;
    const struct berth_residue_id *id = residue_at(choice, residue);
    const char insertion[] = {id->insertion, '\0'};
    bool alone = !berth_is_standard_residue(id->name);
    for (size_t i = 0; alone && i < polymers->count; i++) {
        alone = polymers->molecule[i] == polymers->molecule[residue] ||
                strcmp(residue_at(choice, i)->name, id->name) != 0;
    }
    if (alone) {
        snprintf(text, BERTH_SELECTOR_TEXT, "%s", id->name);
    } else {
        snprintf(text, BERTH_SELECTOR_TEXT, "%s:%d%s", id->chain, id->number, insertion);
    }
}

/* What looks like a ligand and was kept, one residue of each; those that `keep` names belong there.
 */
struct left {
    struct listing listing;
    char selectors[LINE_SIZE]; /* "A:401,A:406": of those that are listed */
    size_t first;              /* residue */
};

static void list_ligands(const struct choice *choice, struct left *left)
{
    const struct berth_polymers *polymers = &choice->polymers;
    size_t seen = 0; /* molecules are numbered by their first residues */
    for (size_t i = 0; i < polymers->count; i++) {
        const size_t molecule = polymers->molecule[i];
        char selector[BERTH_SELECTOR_TEXT];
        if (molecule > seen && !choice->kept_by_name[i] &&
            berth_polymers_ligand(polymers, &choice->work->prepared->structure, molecule)) {
            select_molecule(choice, i, selector);
            left->first = left->listing.count ? left->first : i;
            list_residue(&left->listing, residue_at(choice, i));
            if (left->listing.count <= LISTED_MAX) {
                berth_text_append(left->selectors, LINE_SIZE, "%s%s", *left->selectors ? "," : "",
                                  selector);
            }
        }
        seen = molecule > seen ? molecule : seen;
    }
    end_listing(&left->listing);
}

/* Warns of molecules that were kept though they look like ligands. */
static void warn_of_ligands(const struct choice *choice)
{
    const struct berth_polymers *polymers = &choice->polymers;
    char residues[BERTH_MOLECULE_TEXT_SIZE], bonds[BERTH_MOLECULE_TEXT_SIZE];
    struct left left = {.listing = {.count = 0}};
    list_ligands(choice, &left);
    const char *selectors = left.selectors;
    if (left.listing.count > 1) {
        berth_warn(choice->work->log, NULL,
                   "%zu molecules look like ligands and stay in the receptor: %s; ligand_id %.*s "
                   "cuts one out, drop %s leaves them out, keep %s keeps them without this warning",
                   left.listing.count, left.listing.text, (int)strcspn(selectors, ","), selectors,
                   selectors, selectors);
    } else if (left.listing.count) {
        const struct berth_structure *structure = &choice->work->prepared->structure;
        const size_t molecule = polymers->molecule[left.first];
        berth_polymers_residues(polymers, structure, molecule, residues);
        berth_polymers_bonds(polymers, structure, molecule, bonds);
        berth_warn(choice->work->log, NULL,
                   "%s (%zu heavy atoms%s%s) looks like a ligand and stays in the receptor: "
                   "ligand_id %s cuts it out, drop %s leaves it out, keep %s keeps it without this "
                   "warning",
                   residues, polymers->heavy[molecule], *bonds ? "; " : "", bonds, selectors,
                   selectors, selectors);
    }
}

/* Filters the structure; keep is [structure->count]. */
static enum berth_status filter_residues(struct choice *choice, bool *keep,
                                         struct berth_error *error)
{
    struct berth_structure *structure = &choice->work->prepared->structure;
    const struct berth_log *log = choice->work->log;
    BERTH_TRY(select_residues(choice, &choice->keep, &choice->kept_by_name, error));
    BERTH_TRY(select_residues(choice, &choice->drop, &choice->dropped_by_name, error));
    for (size_t r = 0; r < choice->polymers.count; r++) {
        const bool stays = decide_residue(choice, r);
        const struct berth_span span = choice->polymers.residues[r];
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = stays;
        }
    }
    berth_structure_filter(structure, keep);
    berth_note(log, "kept: %zu residues of protein or nucleic acid", choice->standard);
    say_what(log, "kept besides", &choice->kept, "");
    say_what(log, "left out, waters", &choice->water, "");
    say_what(log, "left out, additives", &choice->additives, " (keep NAME keeps them)");
    say_what(log, "left out, as asked for", &choice->dropped, "");
    say_what(log, "left out, alternate locations where the ligand stands", &choice->instead,
             " (keep NAME keeps them)");
    free(choice->kept_by_name);
    choice->kept_by_name = NULL;
    BERTH_TRY(look_again(choice, error));
    return select_residues(choice, &choice->keep, &choice->kept_by_name, error);
}

/* Cuts the ligand out of the structure and leaves waters, additives and what settings->asked.drop
 * names out of it; says what it did. */
enum berth_status berth_receptor_select(const struct berth_receptor_work *work,
                                        struct berth_error *error)
{
    struct choice choice = {.work = work};
    bool *keep;
    BERTH_TRY(berth_make(&keep, work->prepared->structure.count, sizeof *keep, NULL, error));
    enum berth_status status = look_again(&choice, error);
    BERTH_THEN(parse_choices(&choice, error));
    BERTH_THEN(cut_ligand(&choice, keep, error));
    BERTH_THEN(tell_waters(&choice, error));
    BERTH_THEN(find_box(&choice, error));
    if (!status) {
        warn_of_no_water(&choice);
        status = filter_residues(&choice, keep, error);
    }
    if (!status) {
        warn_of_ligands(&choice);
        if (!work->prepared->structure.count) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s: nothing is left of the receptor",
                                work->settings->path);
        }
    }
    BERTH_THEN(berth_displaceable_check(&work->prepared->displaceable, error));
    berth_polymers_clear(&choice.polymers);
    holders_clear(&choice.holders);
    free(choice.kept_by_name);
    free(choice.dropped_by_name);
    free(keep);
    return status;
}
