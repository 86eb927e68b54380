/* Adducts: finding the side chain in one, hanging it from the residue, and what turns. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/vectors.h"
#include "dock/covalent/covalent.h"

/* Where the side chain is in a molecule. */
struct match {
    size_t atoms[BERTH_COVALENT_ATOMS_MAX];
};

/* The search for it. */
struct matching {
    const struct berth_covalent *covalent;
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    struct match now, best;
    bool told;    /* CA has to be the first atom, or called so */
    size_t found; /* matches whose bonded atom is another */
    int rank;     /* of the best: 2: CA is the first atom; 1: it is called so; 0: neither */
};

static size_t degree_of(const struct matching *matching, size_t atom)
{
    size_t degree = 0;
    BERTH_EACH_BOND (k, &matching->adjacency, atom) {
        degree += matching->molecule->atoms[matching->adjacency.neighbour[k]].element > 1;
    }
    return degree;
}

static bool are_bonded(const struct matching *matching, size_t a, size_t b)
{
    bool bonded = false;
    BERTH_EACH_BOND (k, &matching->adjacency, a) {
        bonded = bonded || matching->adjacency.neighbour[k] == b;
    }
    return bonded;
}

/* Can the molecule's atom be number i of the side chain, behind those that were found? */
static bool fits(const struct matching *matching, size_t i, size_t atom)
{
    const struct berth_covalent *covalent = matching->covalent;
    size_t degree = i == covalent->bonded;
    bool right = matching->molecule->atoms[atom].element == covalent->atoms[i].element;
    for (size_t j = 0; j < covalent->count; j++) {
        degree += covalent->bonds[i] >> j & 1;
    }
    for (size_t j = 0; right && j < i; j++) {
        right = matching->now.atoms[j] != atom &&
                are_bonded(matching, matching->now.atoms[j], atom) == (covalent->bonds[i] >> j & 1);
    }
    const size_t found = degree_of(matching, atom);
    return right && (i == covalent->bonded ? found >= degree : found == degree);
}

/* On which side of CA - CB and the first atom behind CB the second one lies; 0: there is none. */
static double hand_of(const double alpha[3], const double beta[3], const double first[3],
                      const double second[3])
{
    double a[3], b[3], c[3], across[3];
    berth_add_scaled(alpha, -1, beta, a);
    berth_add_scaled(first, -1, beta, b);
    berth_add_scaled(second, -1, beta, c);
    berth_cross(a, b, across);
    return berth_dot(across, c);
}

/* Has CB the residue's configuration (threonine)? */
static bool is_of_hand(const struct matching *matching)
{
    const struct berth_covalent *covalent = matching->covalent;
    size_t behind[2], count = 0;
    for (size_t i = 2; i < covalent->count && count < 2; i++) {
        if (covalent->bonds[1] >> i & 1) {
            behind[count++] = i;
        }
    }
    if (count < 2) {
        return true;
    }
    const struct berth_atom *own = covalent->atoms, *other = matching->molecule->atoms;
    const size_t *at = matching->now.atoms;
    return hand_of(own[0].position, own[1].position, own[behind[0]].position,
                   own[behind[1]].position) *
               hand_of(other[at[0]].position, other[at[1]].position, other[at[behind[0]]].position,
                       other[at[behind[1]]].position) >
           0;
}

/* Is it the other methyl group of a threonine?  Which of the two is CA follows from CB's
 * configuration alone. */
static bool is_beside_alpha(const struct matching *matching, size_t atom)
{
    const struct berth_covalent *covalent = matching->covalent;
    bool beside = false;
    for (size_t i = 2; i < covalent->count; i++) {
        beside = beside || (i != covalent->bonded && covalent->bonds[i] == 1u << 1 &&
                            matching->now.atoms[i] == atom);
    }
    return beside;
}

/* Notes a match: the one that is marked as the side chain goes before others. */
static void note(struct matching *matching)
{
    const struct berth_atom *atoms = matching->molecule->atoms;
    const size_t alpha = matching->now.atoms[0], bonded = matching->covalent->bonded;
    if (!is_of_hand(matching)) {
        return;
    }
    size_t first = 0;
    while (atoms[first].element <= 1) {
        first++;
    }
    const int rank = alpha == first ? 2 : strcmp(atoms[alpha].name, "CA") == 0;
    if (!rank && matching->told && !is_beside_alpha(matching, first)) { /* any ethyl group */
        return;
    }
    if (!matching->found || rank > matching->rank) {
        matching->best = matching->now;
        matching->rank = rank;
        matching->found = 1;
    } else if (rank == matching->rank &&
               matching->now.atoms[bonded] != matching->best.atoms[bonded]) {
        matching->found++;
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a side chain has atoms */
static void match_from(struct matching *matching, size_t i)
{
    if (i == matching->covalent->count) {
        note(matching);
        return;
    }
    for (size_t atom = 0; atom < matching->molecule->atom_count; atom++) {
        if (fits(matching, i, atom)) {
            matching->now.atoms[i] = atom;
            match_from(matching, i + 1);
        }
    }
}

static enum berth_status find_match(const struct berth_covalent *covalent,
                                    const struct berth_molecule *molecule, bool told,
                                    struct match *match, struct berth_error *error)
{
    struct matching matching = {.covalent = covalent, .molecule = molecule, .told = told};
    BERTH_TRY(berth_adjacency_find(molecule, &matching.adjacency, error));
    match_from(&matching, 0);
    berth_adjacency_clear(&matching.adjacency);
    *match = matching.best;
    if (matching.found == 1) {
        return BERTH_OK;
    }
    return berth_fail(error, BERTH_E_FORMAT,
                      matching.found
                          ? "molecule %s: the side chain of %s, to %s, is there twice; let the "
                            "adduct begin with its CA, or call it so"
                          : "molecule %s: no adduct of %s: it has to hold the side chain from CA "
                            "to %s, CA first or called so, and be bonded there",
                      molecule->title, covalent->text, covalent->atom);
}

enum berth_status berth_covalent_check_library(const struct berth_covalent *covalent,
                                               const struct berth_library_reader *library,
                                               const char *path, struct berth_error *error)
{
    char place[BERTH_NAME_SIZE + 2] = ":";
    berth_text_append(place, sizeof place, "%s", covalent->atom);
    const char *kind = berth_covalent_kind(place);
    const char *made = strstr(berth_library_info(library).note, " --adducts ");
    if (made && strncmp(made + strlen(" --adducts "), kind, strlen(kind)) == 0) {
        return BERTH_OK;
    }
    return berth_fail_option(error, BERTH_E_USAGE, "covalent",
                             "covalent: %s holds no adducts of %s: make them of the molecules "
                             "(prep ligands, adducts %s)",
                             path, kind, kind);
}

enum berth_status berth_covalent_attach(const struct berth_covalent *covalent,
                                        struct berth_molecule *molecule, struct berth_error *error)
{
    struct match match;
    BERTH_TRY(find_match(covalent, molecule, true, &match, error));
    const struct berth_atom *own = covalent->atoms;
    struct berth_atom *atoms = molecule->atoms;
    double to[3][3], from[3][3], origin[3];
    berth_frame(own[0].position, own[1].position, own[2].position, to);
    berth_frame(atoms[match.atoms[0]].position, atoms[match.atoms[1]].position,
                atoms[match.atoms[2]].position, from);
    memcpy(origin, atoms[match.atoms[0]].position, sizeof origin);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        double at[3];
        berth_add_scaled(atoms[i].position, -1, origin, at);
        memcpy(atoms[i].position, own[0].position, sizeof at);
        for (int k = 0; k < 3; k++) {
            berth_add_scaled(atoms[i].position, berth_dot(at, from[k]), to[k], atoms[i].position);
        }
    }
    atoms[match.atoms[0]].heavy = atoms[match.atoms[1]].heavy = false;
    return BERTH_OK;
}

enum berth_status berth_covalent_mark(const struct berth_covalent *covalent,
                                      struct berth_molecule *molecule, struct berth_error *error)
{
    struct match match;
    const enum berth_status status = find_match(covalent, molecule, false, &match, error);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        molecule->atoms[i].heavy = molecule->atoms[i].heavy && molecule->atoms[i].element &&
                                   i != match.atoms[0] && i != match.atoms[1];
    }
    return status == BERTH_E_MEMORY ? status : BERTH_OK;
}

static bool is_held(const struct berth_atom *atom)
{
    return !atom->heavy && atom->element > 1;
}

/* A copy of the molecule whose CA and CB are heavy again. */
static enum berth_status copy_whole(const struct berth_molecule *molecule, size_t room,
                                    struct berth_molecule *whole, struct berth_error *error)
{
    *whole = *molecule;
    whole->atoms = NULL;
    BERTH_TRY(
        berth_make(&whole->atoms, molecule->atom_count + room, sizeof *whole->atoms, NULL, error));
    memcpy(whole->atoms, molecule->atoms, molecule->atom_count * sizeof *whole->atoms);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        whole->atoms[i].heavy = molecule->atoms[i].heavy || is_held(&molecule->atoms[i]);
    }
    return BERTH_OK;
}

enum berth_status berth_covalent_assign(const struct berth_scoring *scoring,
                                        const struct berth_molecule *molecule,
                                        const struct berth_log *log,
                                        struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    struct berth_molecule whole;
    size_t kept = 0, next = 0;
    BERTH_TRY(copy_whole(molecule, 0, &whole, error));
    const enum berth_status status = berth_scoring_assign(scoring, &whole, log, heavy, error);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            heavy->atoms[kept++] = heavy->atoms[next];
        }
        next += whole.atoms[i].heavy;
    }
    heavy->count = kept;
    free(whole.atoms);
    return status;
}

/* The adduct with the backbone behind its atoms, whose bonds do not turn. */
static enum berth_status extend(const struct berth_covalent *covalent,
                                const struct berth_molecule *molecule, const size_t held[2],
                                struct berth_molecule *whole, struct berth_error *error)
{
    const struct berth_side_chains *frame = &covalent->frame;
    const size_t more = frame->heavy.count - 2;
    BERTH_TRY(copy_whole(molecule, more, whole, error));
    whole->bonds = NULL;
    BERTH_TRY(
        berth_make(&whole->bonds, molecule->bond_count + more, sizeof *whole->bonds, NULL, error));
    memcpy(whole->bonds, molecule->bonds, molecule->bond_count * sizeof *whole->bonds);
    size_t carbonyl = held[0];
    for (size_t i = 0; i < more; i++) {
        const size_t heavy = frame->atoms[i + 2];
        size_t at = 0;
        for (size_t seen = 0; seen <= heavy; at++) {
            seen += frame->receptor->molecule.atoms[at].heavy;
        }
        const struct berth_atom *atom = &frame->receptor->molecule.atoms[at - 1];
        const bool oxygen = atom->name[0] == 'O';
        whole->bonds[whole->bond_count++] =
            (struct berth_bond){.first = oxygen ? carbonyl : held[0],
                                .second = whole->atom_count,
                                .type = "am",
                                .order = 1};
        carbonyl = strcmp(atom->name, "C") == 0 ? whole->atom_count : carbonyl;
        whole->atoms[whole->atom_count++] = *atom;
    }
    return BERTH_OK;
}

/* CA and CB: of the two that are held, CB is the one with a heavy neighbour. */
static void find_held(const struct berth_molecule *molecule, size_t held[2])
{
    size_t count = 0;
    for (size_t i = 0; i < molecule->atom_count && count < 2; i++) {
        if (is_held(&molecule->atoms[i])) {
            held[count++] = i;
        }
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        const bool heavy =
            molecule->atoms[bond->first].heavy || molecule->atoms[bond->second].heavy;
        if (heavy && (bond->first == held[0] || bond->second == held[0])) {
            const size_t alpha = held[1];
            held[1] = held[0];
            held[0] = alpha;
            return;
        }
    }
}

/* The places of the extended molecule's atoms: heavy ones, CA, CB, backbone. */
static void give_places(const struct berth_molecule *molecule, const struct berth_molecule *whole,
                        const size_t held[2], size_t *places)
{
    size_t count = 0;
    for (size_t i = 0; i < whole->atom_count; i++) {
        const bool counts = i < molecule->atom_count && molecule->atoms[i].heavy;
        places[i] = counts ? count++ : SIZE_MAX;
    }
    places[held[0]] = count++;
    places[held[1]] = count++;
    for (size_t i = molecule->atom_count; i < whole->atom_count; i++) {
        places[i] = count++;
    }
}

/* The molecule's heavy atoms, and what it hangs from. */
static enum berth_status join(const struct berth_covalent *covalent,
                              const struct berth_heavy_atoms *heavy, struct berth_heavy_atoms *all,
                              struct berth_error *error)
{
    const struct berth_heavy_atoms *fixed = &covalent->frame.heavy;
    all->count = heavy->count + fixed->count;
    BERTH_TRY(berth_make(&all->atoms, all->count, sizeof *all->atoms, NULL, error));
    memcpy(all->atoms, heavy->atoms, heavy->count * sizeof *all->atoms);
    memcpy(all->atoms + heavy->count, fixed->atoms, fixed->count * sizeof *all->atoms);
    return BERTH_OK;
}

enum berth_status berth_covalent_turn(const struct berth_covalent *covalent,
                                      const struct berth_scoring *scoring,
                                      const struct berth_molecule *molecule,
                                      const struct berth_heavy_atoms *heavy,
                                      struct berth_covalent_moves *moves, struct berth_error *error)
{
    struct berth_molecule whole = {0};
    size_t held[2] = {0, 0}, *places = NULL;
    memset(moves, 0, sizeof *moves);
    find_held(molecule, held);
    enum berth_status status = join(covalent, heavy, &moves->heavy, error);
    BERTH_THEN(extend(covalent, molecule, held, &whole, error));
    BERTH_THEN(berth_make(&places, whole.atom_count, sizeof *places, NULL, error));
    if (!status) {
        give_places(molecule, &whole, held, places);
        const struct berth_held found = {held[0], places, moves->heavy.count,
                                         covalent->frame.heavy.count};
        struct berth_facts facts;
        status = berth_facts_find(&whole, BERTH_FACT_TRAITS, &facts, error);
        BERTH_THEN(berth_rotors_count(&facts, &moves->rotors, error));
        berth_facts_clear(&facts);
        BERTH_THEN(berth_torsion_tree_find_from(&whole, held[0], &moves->tree, error));
        BERTH_THEN(berth_flexible_find_held(&whole, &found, berth_scoring_apart(scoring),
                                            &moves->flexible, error));
        BERTH_THEN(berth_flexible_twist(scoring, &moves->heavy, &moves->flexible, error));
    }
    free(places);
    free(whole.atoms);
    if (whole.bonds != molecule->bonds) {
        free(whole.bonds);
    }
    return status;
}

void berth_covalent_moves_clear(struct berth_covalent_moves *moves)
{
    berth_torsion_tree_clear(&moves->tree);
    berth_flexible_clear(&moves->flexible);
    berth_heavy_atoms_clear(&moves->heavy);
}
