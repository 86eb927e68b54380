#include "dock/flexible/side_chains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"
#include "chem/vectors.h"
#include "dock/residue_atoms.h"
#include "format/pdb/pdb.h"
#include "score/bodies.h"

/* Å: carbon and nitrogen that are nearer are bonded by a bond that does not turn. */
static const double CONJUGATED = 1.42;

enum {
    WHY_SIZE = 64 + BERTH_NAME_SIZE + BERTH_RESIDUE_TEXT_SIZE,
    STIFF_SIZE = sizeof((struct berth_side_chains *)0)->stiff,
    BEYOND_SIZE = sizeof((struct berth_side_chains *)0)->beyond
};

/* A residue, and its side chain as a body. */
struct residue {
    size_t number; /* of the receptor's */
    struct berth_residue_atoms own;
    size_t alpha;                   /* its CA; own.count: there is none */
    uint64_t moved;                 /* what any torsion moves */
    struct berth_torsion_tree tree; /* over its atoms; owned */
    double distance;                /* Å, to what it is to be near to */
    struct berth_flexible flexible; /* owned; over: */
    struct berth_heavy_atoms heavy; /* owned; the atoms that move, and those near in bonds */
    size_t chosen[BERTH_RESIDUE_ATOMS_MAX]; /* [heavy.count]: which of `atoms` these are */
};

static void clear_residue(struct residue *residue)
{
    berth_torsion_tree_clear(&residue->tree);
    berth_flexible_clear(&residue->flexible);
    berth_heavy_atoms_clear(&residue->heavy);
}

/* All atoms that bonds lead to from `from`, itself included, not by way of `but`. */
static uint64_t reach(const struct residue *residue, size_t from, size_t but)
{
    uint64_t reached = (uint64_t)1 << from, before = 0;
    while (reached != before) {
        before = reached;
        for (size_t i = 0; i < residue->own.count; i++) {
            if (before >> i & 1) {
                reached |= residue->own.bonds[i] & ~((uint64_t)1 << but);
            }
        }
    }
    return reached;
}

/* True where the bond of two neighbours turns what lies behind the second. */
static bool turns(const struct residue *residue, size_t first, size_t second)
{
    const uint64_t behind = reach(residue, second, first) & ~((uint64_t)1 << second);
    const uint64_t others = residue->own.bonds[first] & ~((uint64_t)1 << second);
    const struct berth_atom *from = berth_residue_heavy(&residue->own, first);
    const struct berth_atom *to = berth_residue_heavy(&residue->own, second);
    const int a = from->element, b = to->element;
    const bool conjugated = ((a == 6 && b == 7) || (a == 7 && b == 6)) &&
                            berth_distance(from->position, to->position) < CONJUGATED;
    return behind && !(behind & others) && !conjugated;
}

static enum berth_status add_torsion(struct residue *residue, size_t first, size_t second,
                                     struct berth_error *error)
{
    struct berth_torsion_tree *tree = &residue->tree;
    const uint64_t moved = reach(residue, second, first) & ~((uint64_t)1 << second);
    struct berth_torsion torsion = {(uint32_t)first, (uint32_t)second, tree->moved_count, 0};
    BERTH_TRY(berth_reserve(&tree->torsions, &tree->capacity, tree->count + 1,
                            sizeof *tree->torsions, error));
    BERTH_TRY(berth_reserve(&tree->moved, &tree->moved_capacity,
                            tree->moved_count + BERTH_RESIDUE_ATOMS_MAX, sizeof *tree->moved,
                            error));
    for (size_t i = 0; i < residue->own.count; i++) {
        if (moved >> i & 1) {
            tree->moved[tree->moved_count++] = (uint32_t)i;
            torsion.moved_count++;
        }
    }
    tree->torsions[tree->count++] = torsion;
    residue->moved |= moved;
    return BERTH_OK;
}

static bool is_backbone(const struct berth_atom *atom)
{
    return strcmp(atom->name, "N") == 0 || strcmp(atom->name, "C") == 0;
}

/* Its torsions from CA on, those nearer to it first; none where the side chain leads back to the
 * backbone. */
static enum berth_status find_torsions(struct residue *residue, struct berth_error *error)
{
    size_t queue[BERTH_RESIDUE_ATOMS_MAX], parents[BERTH_RESIDUE_ATOMS_MAX], count = 0;
    uint64_t seen = 0;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; residue->alpha < residue->own.count && i < residue->own.count; i++) {
        const bool bonded = residue->own.bonds[residue->alpha] >> i & 1;
        if (bonded && !is_backbone(berth_residue_heavy(&residue->own, i))) {
            queue[count] = i;
            parents[count++] = residue->alpha;
            seen |= (uint64_t)1 << i;
        }
    }
    seen |= (uint64_t)1 << (residue->alpha % BERTH_RESIDUE_ATOMS_MAX);
    for (size_t at = 0; !status && at < count; at++) {
        const size_t second = queue[at];
        if (turns(residue, parents[at], second)) {
            status = add_torsion(residue, parents[at], second, error);
        }
        for (size_t i = 0; i < residue->own.count; i++) {
            if (residue->own.bonds[second] & ~seen & (uint64_t)1 << i) {
                queue[count] = i;
                parents[count++] = second;
                seen |= (uint64_t)1 << i;
            }
        }
    }
    return status;
}

/* Whether its kind has a side chain that turns: where it has none itself, atoms are missing. */
static bool should_turn(const struct berth_residue_id *residue)
{
    const struct berth_residue_type *type = berth_residue_type_find(residue->name);
    return type && type->kind == BERTH_RESIDUE_AMINO &&
           !berth_text_lists("GLY ALA PRO", ' ', type->name);
}

/* Writes why the side chain cannot turn, as in "has a side chain bonded to atom SG of CYS A:30"; ""
 * where it can. */
static void explain(const struct berth_typed_receptor *receptor, const struct residue *residue,
                    char why[WHY_SIZE])
{
    const struct berth_molecule *molecule = &receptor->molecule;
    snprintf(why, WHY_SIZE, "%s",
             residue->tree.count                                 ? ""
             : should_turn(&receptor->residues[residue->number]) ? "lacks atoms of its side chain"
                                                                 : "has no side chain that turns");
    for (size_t i = 0; i < residue->own.count; i++) {
        const struct berth_atom *own = berth_residue_heavy(&residue->own, i);
        for (size_t j = 0; (residue->moved >> i & 1) && !*why && j < molecule->atom_count; j++) {
            const struct berth_atom *other = &molecule->atoms[j];
            if (berth_is_link(own, other)) {
                char text[BERTH_RESIDUE_TEXT_SIZE];
                berth_residue_text(&receptor->residues[other->residue_id - 1], text);
                snprintf(why, WHY_SIZE, "has a side chain bonded to atom %s of %s", other->name,
                         text);
            }
        }
    }
}

/* The body: what moves, and what is so near to it in bonds that not all of their pairs count. */
static enum berth_status make_body(const struct berth_typed_receptor *receptor, const size_t *heavy,
                                   struct residue *residue, struct berth_error *error)
{
    const size_t apart = berth_scoring_apart(&receptor->scoring);
    uint64_t near = residue->moved;
    for (size_t step = 1; step < apart; step++) {
        const uint64_t before = near;
        for (size_t i = 0; i < residue->own.count; i++) {
            near |= before >> i & 1 ? residue->own.bonds[i] : 0;
        }
    }
    size_t places[BERTH_RESIDUE_ATOMS_MAX] = {0};
    BERTH_TRY(berth_make(&residue->heavy.atoms, residue->own.count, sizeof *residue->heavy.atoms,
                         NULL, error));
    for (size_t i = 0; i < residue->own.count; i++) {
        if (near >> i & 1) {
            places[i] = residue->heavy.count;
            residue->chosen[residue->heavy.count] = i;
            residue->heavy.atoms[residue->heavy.count++] =
                receptor->heavy.atoms[heavy[residue->own.atoms[i]]];
        }
    }
    struct berth_torsion_tree *tree = &residue->tree;
    for (size_t i = 0; i < tree->moved_count; i++) {
        tree->moved[i] = (uint32_t)places[tree->moved[i]];
    }
    for (size_t t = 0; t < tree->count; t++) {
        tree->torsions[t].first = (uint32_t)places[tree->torsions[t].first];
        tree->torsions[t].second = (uint32_t)places[tree->torsions[t].second];
    }
    return berth_flexible_from_tree(&residue->heavy, tree, apart, &residue->flexible, error);
}

/* --- Choosing --- */

struct choosing {
    const struct berth_typed_receptor *receptor;
    const struct berth_side_chain_choice *choice;
    struct residue *residues; /* owned; [count]: those that are chosen */
    size_t count, capacity;
    size_t *heavy; /* owned; [molecule's atoms]: their numbers among the heavy ones */
    char *stiff;   /* [STIFF_SIZE]: what is near, and cannot turn */
    char *beyond;  /* [BEYOND_SIZE]: what is near, and more than may move */
};

/* Å: from the atoms that move, or all where none does, to the nearest heavy atom of what they are
 * to be near to. */
static double distance_to(const struct choosing *choosing, const struct residue *residue)
{
    const uint64_t mobile = residue->moved ? residue->moved : UINT64_MAX;
    const struct berth_molecule *near = choosing->choice->near;
    double least = INFINITY;
    for (size_t i = 0; near && i < residue->own.count; i++) {
        for (size_t j = 0; (mobile >> i & 1) && j < near->atom_count; j++) {
            if (near->atoms[j].heavy) {
                least = fmin(least, berth_distance(berth_residue_heavy(&residue->own, i)->position,
                                                   near->atoms[j].position));
            }
        }
    }
    return least;
}

/* Takes the residue, or says why that is not possible: as an error where it was named, and beside
 * those that are taken where it is near enough and of a kind that turns. */
static enum berth_status consider(struct choosing *choosing, size_t number, bool named,
                                  struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = choosing->receptor;
    char text[BERTH_RESIDUE_TEXT_SIZE], why[WHY_SIZE];
    struct residue *residue;
    berth_residue_text(&receptor->residues[number], text);
    BERTH_TRY(berth_reserve(&choosing->residues, &choosing->capacity, choosing->count + 1,
                            sizeof *choosing->residues, error));
    residue = &choosing->residues[choosing->count];
    *residue = (struct residue){.number = number};
    enum berth_status status = BERTH_OK;
    if (berth_residue_atoms_find(&receptor->molecule, number, &residue->own)) {
        residue->alpha = berth_residue_heavy_named(&residue->own, "CA");
        status = find_torsions(residue, error);
    }
    explain(receptor, residue, why);
    if (!status && named && *why) {
        status = berth_fail_option(error, BERTH_E_USAGE, "flexible_residues",
                                   "flexible_residues: %s %s; leave it out", text, why);
    }
    residue->distance = distance_to(choosing, residue);
    const bool chosen = named || residue->distance <= choosing->choice->within;
    if (!status && chosen && !*why) {
        choosing->count++;
        return BERTH_OK;
    }
    if (chosen && should_turn(&receptor->residues[number])) {
        berth_text_append(choosing->stiff, STIFF_SIZE, "%s%s %s", *choosing->stiff ? ", " : "",
                          text, why);
    }
    clear_residue(residue);
    return status;
}

static bool is_chosen(const struct choosing *choosing, size_t number)
{
    bool chosen = false;
    for (size_t i = 0; !chosen && i < choosing->count; i++) {
        chosen = choosing->residues[i].number == number;
    }
    return chosen;
}

/* "A:16": what the receptor lacks; said with the first residue of that number that it has, under
 * another name or in another chain. */
static enum berth_status refuse_missing(const struct berth_typed_receptor *receptor,
                                        const char *selector, struct berth_error *error)
{
    const char *colon = strrchr(selector, ':');
    const char *digits = colon ? colon + 1 : selector;
    char beside[BERTH_BESIDE_TEXT] = "";
    digits += strcspn(digits, "0123456789");
    if (*digits) {
        berth_residue_beside(receptor->residues, receptor->residue_count, "", atoi(digits), beside);
    }
    return berth_fail(error, BERTH_E_USAGE, "the receptor has no residue %s%s", selector, beside);
}

/* Those that are named. */
static enum berth_status choose_named(struct choosing *choosing, struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = choosing->receptor;
    struct berth_selection selection;
    const struct berth_selector *missing = NULL;
    enum berth_status status =
        berth_residues_select(receptor, choosing->choice->residues, &selection, &missing, error);
    if (missing) {
        status = refuse_missing(receptor, missing->text, error);
    }
    for (size_t i = 0; !status && i < receptor->residue_count; i++) {
        if (berth_selection_matches(&selection, &receptor->residues[i])) {
            status = consider(choosing, i, true, error);
        }
    }
    if (status == BERTH_E_USAGE && error) {
        error->option = "flexible_residues";
    }
    return status;
}

static int by_distance(const void *left, const void *right)
{
    const struct residue *a = left, *b = right;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

static int by_number(const void *left, const void *right)
{
    const struct residue *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Leaves those from number `first` on rigid, and notes which they are. */
static void leave_rigid(struct choosing *choosing, size_t first)
{
    for (size_t i = first; i < choosing->count; i++) {
        struct residue *residue = &choosing->residues[i];
        char text[BERTH_RESIDUE_TEXT_SIZE];
        berth_residue_text(&choosing->receptor->residues[residue->number], text);
        berth_text_append(choosing->beyond, BEYOND_SIZE, "%s%s (%.1f \xc3\x85)",
                          *choosing->beyond ? ", " : "", text, residue->distance);
        clear_residue(residue);
    }
    choosing->count = first < choosing->count ? first : choosing->count;
}

/* The nearest ones of those that are near. */
static enum berth_status choose_near(struct choosing *choosing, struct berth_error *error)
{
    const size_t named = choosing->count;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < choosing->receptor->residue_count; i++) {
        status = is_chosen(choosing, i) ? BERTH_OK : consider(choosing, i, false, error);
    }
    qsort(choosing->residues + named, choosing->count - named, sizeof *choosing->residues,
          by_distance);
    leave_rigid(choosing, named + choosing->choice->most);
    if (!status && choosing->count == 0) {
        status = berth_fail_option(error, BERTH_E_USAGE, "flexible_within",
                                   "flexible_within: no side chain that turns lies within %g Å%s%s",
                                   choosing->choice->within, *choosing->stiff ? ": " : "",
                                   choosing->stiff);
    }
    return status;
}

/* --- Joining --- */

/* "ASP A:25 2, ILE A:84 2": the torsions of each, the most expensive ones where all do not fit. */
static void print_costs(const struct choosing *choosing, char *costs, size_t size)
{
    size_t used = 0;
    for (size_t torsions = BERTH_RESIDUE_ATOMS_MAX; torsions > 0; torsions--) {
        for (size_t i = 0; i < choosing->count; i++) {
            const struct residue *residue = &choosing->residues[i];
            char text[BERTH_RESIDUE_TEXT_SIZE];
            berth_residue_text(&choosing->receptor->residues[residue->number], text);
            if (residue->tree.count == torsions && used + 2 * BERTH_RESIDUE_TEXT_SIZE < size) {
                berth_text_append(costs, size, "%s%s %zu", used ? ", " : "", text, torsions);
                used = strlen(costs);
            }
        }
    }
}

/* BERTH_E_USAGE where more torsions turn than a pose has room for. */
static enum berth_status check_cost(const struct choosing *choosing,
                                    struct berth_side_chains *chains, struct berth_error *error)
{
    size_t torsions = 0;
    for (size_t i = 0; i < choosing->count; i++) {
        torsions += choosing->residues[i].tree.count;
    }
    print_costs(choosing, chains->costs, sizeof chains->costs);
    return torsions > BERTH_FLEXIBLE_TORSIONS_MAX
               ? berth_fail_option(
                     error, BERTH_E_USAGE,
                     choosing->choice->residues ? "flexible_residues" : "flexible_within",
                     "the side chains have %zu torsions, and a pose has room for %d, the ligand's "
                     "included; choose fewer (%s)",
                     torsions, BERTH_FLEXIBLE_TORSIONS_MAX, chains->costs)
               : BERTH_OK;
}

/* Which of the receptor's heavy atoms the joined ones are: they stand there, each once. */
static void find_sources(const struct choosing *choosing, struct berth_side_chains *chains)
{
    for (size_t place = 0; place < chains->heavy.count; place++) {
        for (size_t r = 0; r < choosing->count; r++) {
            const struct residue *residue = &choosing->residues[r];
            for (size_t i = 0; i < residue->heavy.count; i++) {
                if (memcmp(residue->heavy.atoms[i].position, chains->heavy.atoms[place].position,
                           sizeof(double[3])) == 0) {
                    chains->atoms[place] = choosing->heavy[residue->own.atoms[residue->chosen[i]]];
                }
            }
        }
    }
}

static enum berth_status join(const struct choosing *choosing, struct berth_side_chains *chains,
                              struct berth_error *error)
{
    struct berth_body *bodies = NULL;
    enum berth_status status =
        berth_make(&chains->residues, choosing->count, sizeof *chains->residues, NULL, error);
    BERTH_THEN(berth_make(&bodies, choosing->count, sizeof *bodies, NULL, error));
    for (size_t i = 0; !status && i < choosing->count; i++) {
        struct residue *residue = &choosing->residues[i];
        status = make_body(choosing->receptor, choosing->heavy, residue, error);
        bodies[i] = (struct berth_body){&residue->flexible, &residue->heavy};
        chains->residues[chains->count++] = residue->number;
    }
    BERTH_THEN(
        berth_bodies_join(bodies, choosing->count, 0, &chains->flexible, &chains->heavy, error));
    BERTH_THEN(berth_make(&chains->atoms, chains->heavy.count, sizeof *chains->atoms, NULL, error));
    if (!status) {
        find_sources(choosing, chains);
    }
    free(bodies);
    return status;
}

enum berth_status berth_side_chains_leave(struct berth_side_chains *chains, const size_t *atoms,
                                          size_t leaving, struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = chains->receptor;
    const size_t count = receptor->heavy.count;
    bool *leaves;
    enum berth_status status = BERTH_OK;
    BERTH_TRY(berth_make(&leaves, count, sizeof *leaves, NULL, error));
    for (size_t i = 0; i < leaving; i++) {
        leaves[atoms[i]] = true;
    }
    for (size_t k = 0; !status && k <= receptor->judge_count; k++) {
        const struct berth_heavy_atoms *all = k ? &receptor->judges[k - 1].heavy : &receptor->heavy;
        struct berth_heavy_atoms *rest = &chains->rest[k];
        status = berth_make(&rest->atoms, count, sizeof *rest->atoms, NULL, error);
        for (size_t i = 0; !status && i < count; i++) {
            if (!leaves[i]) {
                rest->atoms[rest->count++] = all->atoms[i];
            }
        }
    }
    free(leaves);
    return status;
}

/* All heavy atoms of the residues, or of the receptor, in its order. */
static enum berth_status find_shown(const struct choosing *choosing,
                                    struct berth_side_chains *chains, struct berth_error *error)
{
    const struct berth_molecule *molecule = &chains->receptor->molecule;
    struct berth_molecule *shown = &chains->shown;
    BERTH_TRY(berth_make(&shown->atoms, molecule->atom_count, sizeof *shown->atoms, NULL, error));
    BERTH_TRY(berth_make(&chains->moved, molecule->atom_count, sizeof *chains->moved, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (!atom->heavy ||
            !(choosing->choice->whole || is_chosen(choosing, (size_t)atom->residue_id - 1))) {
            continue;
        }
        size_t *moved = &chains->moved[shown->atom_count];
        *moved = SIZE_MAX;
        for (size_t k = 0; k < chains->heavy.count; k++) {
            *moved = chains->atoms[k] == choosing->heavy[i] ? k : *moved;
        }
        shown->atoms[shown->atom_count++] = *atom;
    }
    return BERTH_OK;
}

static enum berth_status choose(struct choosing *choosing, struct berth_side_chains *chains,
                                struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = choosing->receptor;
    const struct berth_side_chain_choice *choice = choosing->choice;
    if (!receptor->residues) {
        return berth_fail_option(error, BERTH_E_USAGE,
                                 choice->residues ? "flexible_residues" : "flexible_within",
                                 "flexible side chains need a receptor with chains and residues: "
                                 ".brec, PDB, mmCIF or PDBQT");
    }
    BERTH_TRY(berth_make(&choosing->heavy, receptor->molecule.atom_count, sizeof *choosing->heavy,
                         NULL, error));
    for (size_t i = 0, heavy = 0; i < receptor->molecule.atom_count; i++) {
        choosing->heavy[i] = heavy;
        heavy += receptor->molecule.atoms[i].heavy;
    }
    BERTH_TRY(choice->residues ? choose_named(choosing, error) : BERTH_OK);
    BERTH_TRY(choice->within > 0 ? choose_near(choosing, error) : BERTH_OK);
    BERTH_TRY(check_cost(choosing, chains, error));
    qsort(choosing->residues, choosing->count, sizeof *choosing->residues, by_number);
    return BERTH_OK;
}

enum berth_status berth_side_chains_create(const struct berth_typed_receptor *receptor,
                                           const struct berth_side_chain_choice *choice,
                                           struct berth_side_chains *chains,
                                           struct berth_error *error)
{
    struct choosing choosing = {
        .receptor = receptor, .choice = choice, .stiff = chains->stiff, .beyond = chains->beyond};
    memset(chains, 0, sizeof *chains);
    chains->receptor = receptor;
    enum berth_status status = choose(&choosing, chains, error);
    BERTH_THEN(join(&choosing, chains, error));
    BERTH_THEN(berth_side_chains_leave(chains, chains->atoms, chains->heavy.count, error));
    BERTH_THEN(find_shown(&choosing, chains, error));
    for (size_t i = 0; i < choosing.count; i++) {
        clear_residue(&choosing.residues[i]);
    }
    free(choosing.residues);
    free(choosing.heavy);
    return status;
}

void berth_side_chains_aim(const struct berth_side_chains *chains, size_t target,
                           struct berth_docking_setup *setup)
{
    setup->targets[target].receptor = &chains->rest[0];
    for (size_t k = 0; k < setup->judge_count; k++) {
        setup->judges[target][k].receptor = &chains->rest[k + 1];
    }
}

void berth_side_chains_note(const struct berth_side_chains *chains, const char *receptor,
                            const struct berth_log *log)
{
    const size_t torsions = chains->flexible.tree.count;
    berth_note(log, "flexible%s%s: %zu torsion%s: %s%s%s%s%s", *receptor ? " in " : "", receptor,
               torsions, torsions == 1 ? "" : "s", chains->costs,
               *chains->stiff ? "; near enough, but cannot turn: " : "", chains->stiff,
               *chains->beyond ? "; near enough, but beyond flexible_most: " : "", chains->beyond);
}

/* Å outside the box: a ligand in it hardly reaches what is farther, and what is as far by far is
 * not of this site. */
#define REACHED 8.0
#define LOST    15.0

enum berth_status berth_side_chains_check(const struct berth_side_chains *chains,
                                          const struct berth_site *site,
                                          const struct berth_log *log, struct berth_error *error)
{
    for (size_t r = 0; r < chains->count; r++) {
        char text[BERTH_RESIDUE_TEXT_SIZE];
        double nearest = INFINITY;
        for (size_t i = 0; i < chains->shown.atom_count; i++) {
            const struct berth_atom *atom = &chains->shown.atoms[i];
            if ((size_t)atom->residue_id == chains->residues[r] + 1) {
                nearest = fmin(nearest, berth_site_outside(site, atom->position));
            }
        }
        berth_residue_text(&chains->receptor->residues[chains->residues[r]], text);
        if (isfinite(nearest) && nearest > LOST) {
            return berth_fail_option(error, BERTH_E_USAGE, "flexible_residues",
                                     "flexible_residues: %s lies %.0f Å outside the box, where no "
                                     "ligand reaches it, and would only add noise to every score; "
                                     "leave it out, or give the box that is meant",
                                     text, nearest);
        }
        if (isfinite(nearest) && nearest > REACHED) {
            berth_warn(log, "flexible_residues",
                       "flexible_residues: %s lies %.0f Å outside the box: what it does there adds "
                       "noise to every score; leave it out unless ligands reach it",
                       text, nearest);
        }
    }
    return BERTH_OK;
}

char *berth_side_chains_names(const struct berth_side_chains *chains)
{
    const size_t size = chains->count * (BERTH_SELECTOR_TEXT + 1) + 1;
    char *names = berth_alloc(size, 1);
    for (size_t i = 0; names && i < chains->count; i++) {
        char text[BERTH_SELECTOR_TEXT];
        berth_selector_of(&chains->receptor->residues[chains->residues[i]], text);
        berth_text_append(names, size, "%s%s", i ? "," : "", text);
    }
    return names;
}

enum berth_status berth_side_chains_place(const struct berth_side_chains *chains,
                                          const struct berth_pose *pose, double (*places)[3],
                                          struct berth_error *error)
{
    const struct berth_torsion_tree *tree = &chains->flexible.tree;
    struct berth_heavy_atom *atoms;
    BERTH_TRY(berth_make(&atoms, chains->heavy.count, sizeof *atoms, NULL, error));
    memcpy(atoms, chains->heavy.atoms, chains->heavy.count * sizeof *atoms);
    for (size_t t = 0; t < tree->count; t++) { /* behind the ligand's */
        berth_torsion_turn(tree, t, pose->angles[pose->torsions - tree->count + t], atoms->position,
                           sizeof *atoms);
    }
    for (size_t i = 0; i < chains->shown.atom_count; i++) {
        const size_t moved = chains->moved[i];
        memcpy(places[i],
               moved == SIZE_MAX ? chains->shown.atoms[i].position : atoms[moved].position,
               sizeof places[i]);
    }
    free(atoms);
    return BERTH_OK;
}

char *berth_side_chains_text(const struct berth_side_chains *chains, const struct berth_pose *pose)
{
    enum { ATOM = BERTH_SELECTOR_TEXT + BERTH_NAME_SIZE + 48 };
    const struct berth_molecule *shown = &chains->shown;
    double(*places)[3] = berth_alloc(shown->atom_count, sizeof *places);
    char *text = berth_alloc(shown->atom_count * ATOM + 1, 1);
    size_t used = 0;
    if (!places || !text || berth_side_chains_place(chains, pose, places, NULL)) {
        free(text);
        text = NULL;
    }
    for (size_t i = 0; text && i < shown->atom_count; i++) {
        const struct berth_atom *atom = &shown->atoms[i];
        char residue[BERTH_SELECTOR_TEXT];
        if (chains->moved[i] < chains->heavy.count - chains->flexible.still_count) {
            berth_selector_of(&chains->receptor->residues[atom->residue_id - 1], residue);
            used += (size_t)snprintf(text + used, ATOM, "%s%s %s %.3f %.3f %.3f", used ? "; " : "",
                                     residue, atom->name, places[i][0], places[i][1], places[i][2]);
        }
    }
    free(places);
    return text;
}

/* How far a residue's atoms that turn are from where they stood: their RMSD, Å, atom by atom, so
 * that a ring or carboxylate that has turned over has moved. */
static double distance_moved(const struct berth_side_chains *chains, size_t residue,
                             const double (*places)[3])
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < chains->shown.atom_count; i++) {
        const struct berth_atom *atom = &chains->shown.atoms[i];
        if ((size_t)atom->residue_id == residue + 1 &&
            chains->moved[i] < chains->heavy.count - chains->flexible.still_count) {
            const double distance = berth_distance(places[i], atom->position);
            sum += distance * distance;
            count++;
        }
    }
    return count ? sqrt(sum / (double)count) : 0;
}

enum berth_status berth_side_chains_print(const struct berth_side_chains *chains,
                                          const struct berth_pose *pose, const char *ligand,
                                          size_t mode, size_t number, struct berth_output *output,
                                          struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = chains->receptor;
    const struct berth_pdb_source source = {&chains->shown, receptor->residues,
                                            receptor->residue_count, NULL};
    double(*places)[3] = NULL;
    int serial = 0;
    BERTH_TRY(berth_make(&places, chains->shown.atom_count, sizeof *places, NULL, error));
    const enum berth_status status = berth_side_chains_place(chains, pose, places, error);
    if (!status) {
        berth_output_print(output, "MODEL     %4zu\nREMARK   6 MODE %zu OF LIGAND ", number, mode);
        berth_output_text(output, ligand);
        berth_output_print(output, "\n");
        for (size_t i = 0; i < chains->count; i++) {
            char residue[BERTH_SELECTOR_TEXT];
            berth_selector_of(&receptor->residues[chains->residues[i]], residue);
            berth_output_print(
                output, "REMARK   6 %s MOVED %.2f A\n", residue,
                distance_moved(chains, chains->residues[i], (const double(*)[3])places));
        }
        berth_pdb_write_atoms(output, &source, (const double(*)[3])places, &serial);
        berth_output_print(output, "ENDMDL\n");
    }
    free(places);
    return status ? status : berth_output_check(output, error);
}

void berth_side_chains_clear(struct berth_side_chains *chains)
{
    berth_flexible_clear(&chains->flexible);
    berth_heavy_atoms_clear(&chains->heavy);
    for (size_t k = 0; k < BERTH_FUNCTIONS_MAX; k++) {
        berth_heavy_atoms_clear(&chains->rest[k]);
    }
    free(chains->atoms);
    free(chains->residues);
    free(chains->shown.atoms);
    free(chains->moved);
    memset(chains, 0, sizeof *chains);
}
