#include "pose/interactions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"

/* Å and degrees; PLIP's (docs/interactions.md). */
#define CONTACT_REACH     4.0
#define HYDROGEN_ANGLE    100.0
#define WEAK_REACH        3.5
#define WEAK_ANGLE        120.0
#define STACKING_ANGLE    30.0
#define OFFSET            2.0
#define HALOGEN_ANGLE     165.0
#define HALOGEN_ACCEPTOR  120.0
#define HALOGEN_TOLERANCE 30.0

const char *const BERTH_INTERACTION[BERTH_INTERACTION_KINDS] = {
    "hydrogen_bond", "salt_bridge", "metal",       "halogen_bond", "stacking",
    "stacking_t",    "cation_pi",   "hydrophobic", "contact"};

/* --- Texts --- */

const char *const BERTH_INTERACTION_COLUMN[BERTH_INTERACTION_COLUMNS] = {
    "kind",     "residue", "chain",  "number", "receptor_atoms", "ligand_atoms", "donor",
    "distance", "angle",   "offset", "weak"};

void berth_residue_name(const struct berth_residue_id *residue, char text[BERTH_RESIDUE_NAME])
{
    snprintf(text, BERTH_RESIDUE_NAME, "%s %s%s%d%.1s", residue->name, residue->chain,
             *residue->chain ? ":" : "", residue->number,
             residue->insertion ? (const char[]){residue->insertion, '\0'} : "");
}

/* What a table has of it; numbers have three decimals. */
static void put_cells(const struct berth_interaction *interaction,
                      const struct berth_residue_id *residue, struct berth_interaction_texts *texts)
{
    const double measured[] = {interaction->distance, interaction->angle, interaction->offset};
    const bool directed = interaction->kind == BERTH_INTERACTION_HYDROGEN_BOND;
    const char *const cells[BERTH_INTERACTION_COLUMNS] = {
        BERTH_INTERACTION[interaction->kind],
        residue->name,
        residue->chain,
        texts->numbers[0],
        texts->receptor,
        texts->ligand,
        !directed                   ? ""
        : interaction->ligand_gives ? "ligand"
                                    : "receptor",
        texts->numbers[1],
        texts->numbers[2],
        texts->numbers[3],
        berth_interaction_is_weak(interaction) ? "1" : ""};
    snprintf(texts->numbers[0], sizeof texts->numbers[0], "%d%.1s", residue->number,
             residue->insertion ? (const char[]){residue->insertion, '\0'} : "");
    for (int k = 0; k < 3; k++) {
        if (isfinite(measured[k])) {
            snprintf(texts->numbers[k + 1], sizeof *texts->numbers, "%.3f", measured[k]);
        }
    }
    memcpy(texts->cells, cells, sizeof cells);
}

void berth_interaction_texts(const struct berth_interaction *interaction,
                             const struct berth_complex *complex, const struct berth_molecule *pose,
                             struct berth_interaction_texts *texts)
{
    const struct berth_molecule *receptor = &complex->receptor.molecule;
    memset(texts, 0, sizeof *texts);
    berth_residue_name(&complex->receptor.residues[interaction->residue], texts->residue);
    for (size_t i = 0, used = 0; i < interaction->receptor.count; i++) {
        used +=
            (size_t)snprintf(texts->receptor + used, sizeof texts->receptor - used, "%s%.6s",
                             i ? " " : "", receptor->atoms[interaction->receptor.atoms[i]].name);
    }
    for (size_t i = 0, used = 0; i < interaction->ligand.count; i++) {
        const size_t number = interaction->ligand.atoms[i];
        const struct berth_atom *atom = &pose->atoms[number];
        char called[24];
        snprintf(called, sizeof called, "%s%zu", berth_element_symbol(atom->element), number + 1);
        used += (size_t)snprintf(texts->ligand + used, sizeof texts->ligand - used, "%s%s",
                                 i ? " " : "", complex->named ? atom->name : called);
    }
    put_cells(interaction, &complex->receptor.residues[interaction->residue], texts);
}

/* --- Pairs --- */

/* A pose beside its receptor. */
struct meeting {
    const struct berth_featured *receptor, *ligand;
    struct berth_interactions *found;
    const bool *held; /* see berth_complex */
};

/* taken: the donor's hydrogens that make other bonds (see berth_donor_angle). */
static bool fits_hydrogen_bond(const struct meeting *meeting, unsigned taken,
                               struct berth_interaction *pair)
{
    pair->angle = pair->ligand_gives
                      ? berth_donor_angle(meeting->ligand, pair->ligand.atoms[0], taken,
                                          pair->receptor.center, &pair->hydrogen)
                      : berth_donor_angle(meeting->receptor, pair->receptor.atoms[0], taken,
                                          pair->ligand.center, &pair->hydrogen);
    return pair->angle >= HYDROGEN_ANGLE;
}

static bool can_bond(const struct meeting *meeting, struct berth_interaction *pair)
{
    return fits_hydrogen_bond(meeting, 0, pair);
}

/* How far from a ring's centre the foot of a perpendicular from `at` on its plane lies. */
static double offset_on(const struct berth_feature *ring, const double at[3])
{
    double to[3];
    berth_add_scaled(at, -1, ring->center, to);
    berth_add_scaled(to, -berth_dot(to, ring->normal), ring->normal, to);
    return berth_length(to);
}

static bool fits_stacking(const struct meeting *meeting, struct berth_interaction *pair)
{
    (void)meeting;
    const double angle = berth_angle(pair->receptor.normal, pair->ligand.normal);
    pair->angle = fmin(angle, 180 - angle);
    pair->offset = fmin(offset_on(&pair->receptor, pair->ligand.center),
                        offset_on(&pair->ligand, pair->receptor.center));
    pair->kind = pair->angle <= STACKING_ANGLE ? BERTH_INTERACTION_STACKING_PARALLEL
                                               : BERTH_INTERACTION_STACKING_T;
    return pair->offset <= OFFSET &&
           (pair->angle <= STACKING_ANGLE || pair->angle >= 90 - STACKING_ANGLE);
}

static bool fits_cation_pi(const struct meeting *meeting, struct berth_interaction *pair)
{
    (void)meeting;
    const bool ring = pair->ligand.kind == BERTH_FEATURE_RING;
    pair->offset = ring ? offset_on(&pair->ligand, pair->receptor.center)
                        : offset_on(&pair->receptor, pair->ligand.center);
    return pair->offset <= OFFSET;
}

static const double *neighbour_of(const struct berth_featured *featured, size_t atom)
{
    const size_t first = featured->facts.adjacency.start[atom];
    return first < featured->facts.adjacency.start[atom + 1]
               ? featured->molecule->atoms[featured->facts.adjacency.neighbour[first]].position
               : NULL;
}

/* Carbon, halogen and acceptor lie nearly on a line; the acceptor's lone pair is beside its bond.
 */
static bool fits_halogen(const struct meeting *meeting, struct berth_interaction *pair)
{
    const double *carbon = neighbour_of(meeting->ligand, pair->ligand.atoms[0]);
    const double *behind = neighbour_of(meeting->receptor, pair->receptor.atoms[0]);
    pair->angle = berth_angle_at(carbon, pair->ligand.center, pair->receptor.center);
    return fabs(pair->angle - HALOGEN_ANGLE) <= HALOGEN_TOLERANCE &&
           (!behind || fabs(berth_angle_at(pair->ligand.center, pair->receptor.center, behind) -
                            HALOGEN_ACCEPTOR) <= HALOGEN_TOLERANCE);
}

/* Which features meet, and how near they come. */
static const struct rule {
    enum berth_interaction_kind kind;
    enum berth_feature_kind receptor, ligand;
    double reach;                                                                /* Å */
    bool (*fits)(const struct meeting *meeting, struct berth_interaction *pair); /* NULL: always */
    bool ligand_gives;
} RULES[] = {
    {BERTH_INTERACTION_HYDROGEN_BOND, BERTH_FEATURE_DONOR, BERTH_FEATURE_ACCEPTOR, 4.1, can_bond,
     false},
    {BERTH_INTERACTION_HYDROGEN_BOND, BERTH_FEATURE_ACCEPTOR, BERTH_FEATURE_DONOR, 4.1, can_bond,
     true},
    {BERTH_INTERACTION_SALT_BRIDGE, BERTH_FEATURE_CATION, BERTH_FEATURE_ANION, 5.5, NULL, false},
    {BERTH_INTERACTION_SALT_BRIDGE, BERTH_FEATURE_ANION, BERTH_FEATURE_CATION, 5.5, NULL, true},
    {BERTH_INTERACTION_METAL, BERTH_FEATURE_METAL, BERTH_FEATURE_LIGATOR, 3.0, NULL, false},
    {BERTH_INTERACTION_METAL, BERTH_FEATURE_LIGATOR, BERTH_FEATURE_METAL, 3.0, NULL, true},
    {BERTH_INTERACTION_HALOGEN_BOND, BERTH_FEATURE_ACCEPTOR, BERTH_FEATURE_HALOGEN, 4.0,
     fits_halogen, true},
    {BERTH_INTERACTION_STACKING_PARALLEL, BERTH_FEATURE_RING, BERTH_FEATURE_RING, 5.5,
     fits_stacking, false},
    {BERTH_INTERACTION_CATION_PI, BERTH_FEATURE_CATION, BERTH_FEATURE_RING, 6.0, fits_cation_pi,
     false},
    {BERTH_INTERACTION_CATION_PI, BERTH_FEATURE_RING, BERTH_FEATURE_CATION, 6.0, fits_cation_pi,
     true},
    {BERTH_INTERACTION_HYDROPHOBIC, BERTH_FEATURE_APOLAR, BERTH_FEATURE_APOLAR, 4.0, NULL, false}};
enum { RULE_COUNT = sizeof RULES / sizeof *RULES };

bool berth_interaction_is_of(enum berth_interaction_kind kind, enum berth_feature_kind receptor)
{
    const enum berth_interaction_kind found =
        kind == BERTH_INTERACTION_STACKING_T ? BERTH_INTERACTION_STACKING_PARALLEL : kind;
    bool is_of = kind == BERTH_INTERACTION_CONTACT;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        is_of = is_of || (RULES[i].kind == found && RULES[i].receptor == receptor);
    }
    return is_of;
}

static size_t residue_of(const struct meeting *meeting, size_t atom)
{
    return (size_t)meeting->receptor->molecule->atoms[atom].residue_id - 1;
}

static bool is_held(const struct meeting *meeting, size_t atom)
{
    return meeting->held && meeting->held[atom];
}

static enum berth_status add_interaction(const struct meeting *meeting,
                                         const struct berth_interaction *pair,
                                         struct berth_error *error)
{
    struct berth_interactions *found = meeting->found;
    BERTH_TRY(berth_reserve(&found->items, &found->capacity, found->count + 1, sizeof *found->items,
                            error));
    found->items[found->count++] = *pair;
    return BERTH_OK;
}

/* All interactions of two features. */
static enum berth_status meet_features(const struct meeting *meeting,
                                       const struct berth_feature *receptor,
                                       const struct berth_feature *ligand,
                                       struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    const double distance = berth_distance(receptor->center, ligand->center);
    for (size_t i = 0; !status && i < RULE_COUNT; i++) {
        const struct rule *rule = &RULES[i];
        if (rule->receptor != receptor->kind || rule->ligand != ligand->kind ||
            distance > rule->reach) {
            continue;
        }
        struct berth_interaction pair = {.kind = rule->kind,
                                         .residue = residue_of(meeting, receptor->atoms[0]),
                                         .receptor = *receptor,
                                         .ligand = *ligand,
                                         .distance = distance,
                                         .angle = NAN,
                                         .offset = NAN,
                                         .ligand_gives = rule->ligand_gives};
        if (!rule->fits || rule->fits(meeting, &pair)) {
            status = add_interaction(meeting, &pair, error);
        }
    }
    return status;
}

/* --- The box about a pose, outside of which nothing is looked at --- */

struct box {
    double low[3], high[3];
};

static struct box box_of(const struct berth_molecule *pose, double margin)
{
    struct box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < pose->atom_count; i++) {
        for (int k = 0; k < 3; k++) {
            box.low[k] = fmin(box.low[k], pose->atoms[i].position[k] - margin);
            box.high[k] = fmax(box.high[k], pose->atoms[i].position[k] + margin);
        }
    }
    return box;
}

static bool is_inside(const struct box *box, const double at[3])
{
    return at[0] >= box->low[0] && at[0] <= box->high[0] && at[1] >= box->low[1] &&
           at[1] <= box->high[1] && at[2] >= box->low[2] && at[2] <= box->high[2];
}

static enum berth_status meet_all(const struct meeting *meeting, struct berth_error *error)
{
    const struct box box = box_of(meeting->ligand->molecule, 6);
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; i < meeting->receptor->count; i++) {
        const struct berth_feature *receptor = &meeting->receptor->features[i];
        const bool meets =
            is_inside(&box, receptor->center) && !is_held(meeting, receptor->atoms[0]);
        for (size_t j = 0; !status && meets && j < meeting->ligand->count; j++) {
            status = meet_features(meeting, receptor, &meeting->ligand->features[j], error);
        }
    }
    return status;
}

/* --- Contacts: the nearest pair of atoms of each residue --- */

/* The heavy atom of the pose that is nearest to `at`, and how far it is (Å). */
static size_t nearest_atom(const struct berth_molecule *pose, const double at[3], double *distance)
{
    size_t nearest = 0;
    *distance = INFINITY;
    for (size_t i = 0; i < pose->atom_count; i++) {
        const double here = berth_distance(pose->atoms[i].position, at);
        if (pose->atoms[i].heavy && here < *distance) {
            *distance = here;
            nearest = i;
        }
    }
    return nearest;
}

/* Atoms of one residue stand together. */
static enum berth_status add_contacts(const struct meeting *meeting, struct berth_error *error)
{
    const struct berth_molecule *receptor = meeting->receptor->molecule;
    const struct berth_molecule *pose = meeting->ligand->molecule;
    const struct box box = box_of(pose, CONTACT_REACH);
    struct berth_interaction best = {.distance = INFINITY};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < receptor->atom_count; i++) {
        const struct berth_atom *atom = &receptor->atoms[i];
        double distance = INFINITY;
        const bool meets = is_inside(&box, atom->position) && !is_held(meeting, i);
        const size_t near = meets ? nearest_atom(pose, atom->position, &distance) : 0;
        if (distance < best.distance && distance <= CONTACT_REACH) {
            best = (struct berth_interaction){
                .kind = BERTH_INTERACTION_CONTACT,
                .residue = residue_of(meeting, i),
                .receptor = berth_feature_of(BERTH_FEATURE_APOLAR, receptor, i),
                .ligand = berth_feature_of(BERTH_FEATURE_APOLAR, pose, near),
                .distance = distance,
                .angle = NAN,
                .offset = NAN};
        }
        const bool last =
            i + 1 == receptor->atom_count || receptor->atoms[i + 1].residue_id != atom->residue_id;
        if (last && isfinite(best.distance)) {
            status = add_interaction(meeting, &best, error);
            best.distance = INFINITY;
        }
    }
    return status;
}

/* --- What counts once --- */

/* Of two hydrogen bonds between the same atoms the straighter one comes first, else the ligand's.
 */
static int compare_distance(const void *a, const void *b)
{
    const struct berth_interaction *x = a, *y = b;
    return x->distance != y->distance           ? (x->distance < y->distance ? -1 : 1)
           : x->angle > y->angle                ? -1
           : y->angle > x->angle                ? 1
           : x->ligand_gives != y->ligand_gives ? (x->ligand_gives ? -1 : 1)
                                                : 0;
}

static int compare_place(const void *a, const void *b)
{
    const struct berth_interaction *x = a, *y = b;
    const size_t first = x->ligand.atoms[0], second = y->ligand.atoms[0];
    const int nearer = compare_distance(a, b);
    return x->kind != y->kind         ? (x->kind < y->kind ? -1 : 1)
           : x->residue != y->residue ? (x->residue < y->residue ? -1 : 1)
           : nearer                   ? nearer
                                      : (first > second) - (first < second);
}

/* A donor has one hydrogen bond for each of its hydrogens, the shortest, and two atoms one between
 * them, though each could give its hydrogen.  What is left has the angle at a hydrogen that is
 * free. */
static bool is_spent(const struct meeting *meeting, size_t kept, struct berth_interaction *bond)
{
    const bool gives = bond->ligand_gives;
    const size_t donor = gives ? bond->ligand.atoms[0] : bond->receptor.atoms[0];
    const size_t hydrogens =
        (gives ? meeting->ligand : meeting->receptor)->facts.traits[donor].hydrogens;
    size_t count = 0;
    unsigned taken = 0;
    for (size_t i = 0; i < kept; i++) {
        const struct berth_interaction *other = &meeting->found->items[i];
        if (other->kind == BERTH_INTERACTION_HYDROGEN_BOND &&
            other->ligand.atoms[0] == bond->ligand.atoms[0] &&
            other->receptor.atoms[0] == bond->receptor.atoms[0]) {
            return true;
        }
        if (other->kind == BERTH_INTERACTION_HYDROGEN_BOND && other->ligand_gives == gives &&
            (gives ? other->ligand.atoms[0] : other->receptor.atoms[0]) == donor) {
            count++;
            taken |= other->hydrogen == BERTH_HYDROGEN_TURNS ? 0 : 1U << other->hydrogen;
        }
    }
    return count >= hydrogens || (taken && !fits_hydrogen_bond(meeting, taken, bond));
}

/* A ligand's atom counts once with each residue, a receptor's atom once, and none of rings that
 * stack. */
static bool is_repeated(const struct meeting *meeting, size_t kept,
                        const struct berth_interaction *contact)
{
    const size_t receptor = contact->receptor.atoms[0], ligand = contact->ligand.atoms[0];
    for (size_t i = 0; i < meeting->found->count; i++) {
        const struct berth_interaction *other = &meeting->found->items[i];
        const bool stacks = other->kind == BERTH_INTERACTION_STACKING_PARALLEL ||
                            other->kind == BERTH_INTERACTION_STACKING_T;
        if (stacks && berth_feature_has(&other->receptor, receptor) &&
            berth_feature_has(&other->ligand, ligand)) {
            return true;
        }
        if (i < kept && other->kind == BERTH_INTERACTION_HYDROPHOBIC &&
            (other->receptor.atoms[0] == receptor ||
             (other->ligand.atoms[0] == ligand && other->residue == contact->residue))) {
            return true;
        }
    }
    return false;
}

static void drop_repeated(const struct meeting *meeting)
{
    struct berth_interactions *found = meeting->found;
    size_t kept = 0;
    if (found->count) {
        qsort(found->items, found->count, sizeof *found->items, compare_distance);
    }
    for (size_t i = 0; i < found->count; i++) {
        struct berth_interaction *item = &found->items[i];
        const bool leave =
            item->kind == BERTH_INTERACTION_HYDROGEN_BOND ? is_spent(meeting, kept, item)
            : item->kind == BERTH_INTERACTION_HYDROPHOBIC ? is_repeated(meeting, kept, item)
                                                          : false;
        if (!leave) {
            /* what is left out goes behind: rings that stack are still looked for there */
            const struct berth_interaction moved = found->items[kept];
            found->items[kept++] = *item;
            found->items[i] = moved;
        }
    }
    found->count = kept;
    if (kept) {
        qsort(found->items, kept, sizeof *found->items, compare_place);
    }
}

/* --- All of a pose --- */

enum berth_status berth_interactions_find(const struct berth_complex *complex,
                                          const struct berth_molecule *pose,
                                          struct berth_interactions *interactions,
                                          struct berth_error *error)
{
    struct berth_featured ligand = {0};
    const struct meeting meeting = {&complex->featured, &ligand, interactions, complex->held};
    memset(interactions, 0, sizeof *interactions);
    if (!berth_has_hydrogens(pose)) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "the pose has no hydrogens, which tell donors and charges; add them, for "
                          "example with `obabel IN -O OUT -h`");
    }
    enum berth_status status = berth_features_find(pose, &ligand, error);
    BERTH_THEN(meet_all(&meeting, error));
    BERTH_THEN(add_contacts(&meeting, error));
    if (!status) {
        drop_repeated(&meeting);
    }
    berth_featured_clear(&ligand);
    return status;
}

bool berth_interaction_is_weak(const struct berth_interaction *interaction)
{
    return interaction->kind == BERTH_INTERACTION_HYDROGEN_BOND &&
           (interaction->distance > WEAK_REACH || interaction->angle < WEAK_ANGLE);
}

void berth_interactions_clear(struct berth_interactions *interactions)
{
    free(interactions->items);
    memset(interactions, 0, sizeof *interactions);
}
