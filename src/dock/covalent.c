#include "dock/covalent.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/selection.h"
#include "chem/vectors.h"

/* Å: heavy atoms of one residue nearer than this are bonded. */
static const double BOND = 2.1;

/* Atoms of the backbone that an adduct hangs from, CA and CB aside. */
static const char *const BACKBONE[] = {"N", "C", "O", "OXT"};

enum { CARBON = 6, ATOMS_MAX = 64, NONE = ATOMS_MAX };

static enum berth_status refuse(struct berth_error *error, const char *text, const char *why)
{
    return berth_fail_option(error, BERTH_E_USAGE, "covalent", "covalent %s: %s", text, why);
}

/* --- The residue --- */

/* Its heavy atoms: numbers in the receptor's molecule, and bonds as bits. */
struct residue {
    const struct berth_molecule *molecule;
    size_t atoms[ATOMS_MAX], count;
    uint64_t bonds[ATOMS_MAX];
};

static const struct berth_atom *atom_of(const struct residue *residue, size_t i)
{
    return &residue->molecule->atoms[residue->atoms[i]];
}

static size_t find_atom(const struct residue *residue, const char *name)
{
    size_t i = 0;
    while (i < residue->count && strcmp(atom_of(residue, i)->name, name) != 0) {
        i++;
    }
    return i < residue->count ? i : NONE;
}

static bool is_backbone(const char *name)
{
    bool found = false;
    for (size_t k = 0; k < sizeof BACKBONE / sizeof *BACKBONE; k++) {
        found = found || strcmp(name, BACKBONE[k]) == 0;
    }
    return found;
}

static void find_atoms(const struct berth_molecule *molecule, size_t number,
                       struct residue *residue)
{
    *residue = (struct residue){.molecule = molecule};
    for (size_t i = 0; i < molecule->atom_count && residue->count < ATOMS_MAX; i++) {
        if (molecule->atoms[i].heavy && molecule->atoms[i].residue_id == (int)number + 1) {
            residue->atoms[residue->count++] = i;
        }
    }
    for (size_t i = 0; i < residue->count; i++) {
        for (size_t j = 0; j < residue->count; j++) {
            const double distance =
                berth_distance(atom_of(residue, i)->position, atom_of(residue, j)->position);
            residue->bonds[i] |= (uint64_t)(i != j && distance < BOND) << j;
        }
    }
}

/* A residue and an atom of it as they are named: "A:CYS25:SG". */
struct name {
    char selector[48]; /* "CYS:A:25": see chem/selection.h */
    char atom[BERTH_NAME_SIZE];
};

static bool read_name(const char *text, struct name *name)
{
    const char *last = strrchr(text, ':');
    if (!last || last == text || strlen(last + 1) < 1 || strlen(last + 1) >= sizeof name->atom ||
        (size_t)(last - text) >= 32) {
        return false;
    }
    strcpy(name->atom, last + 1);
    char place[32] = "", chain[32] = "", kind[32] = "";
    memcpy(place, text, (size_t)(last - text));
    char *colon = strrchr(place, ':');
    const char *number = colon ? colon + 1 : place;
    size_t letters = 0;
    while (isalpha((unsigned char)number[letters])) {
        letters++;
    }
    memcpy(kind, number, letters);
    if (colon) {
        memcpy(chain, place, (size_t)(colon - place));
        berth_text_append(name->selector, sizeof name->selector, "%s%s%s:%s", kind,
                          letters ? ":" : "", chain, number + letters);
    } else {
        berth_text_append(name->selector, sizeof name->selector, "%s%s%s", kind, letters ? ":" : "",
                          number + letters);
    }
    return true;
}

static enum berth_status find_residue(const struct berth_typed_receptor *receptor, const char *text,
                                      const char *selector, size_t *number,
                                      struct berth_error *error)
{
    struct berth_structure structure = {0};
    struct berth_selection selection;
    size_t found = 0;
    enum berth_status status = berth_selection_parse(selector, &selection, error);
    for (size_t i = 0; !status && i < receptor->residue_count; i++) {
        const struct berth_structure_atom atom = {.residue = receptor->residues[i]};
        status = berth_structure_add(&structure, &atom, error);
    }
    if (!status) {
        berth_selection_resolve(&selection, &structure);
        for (size_t i = 0; i < receptor->residue_count; i++) {
            if (berth_selection_matches(&selection, &receptor->residues[i])) {
                *number = i;
                found++;
            }
        }
        status = found == 1 ? BERTH_OK
                            : refuse(error, text,
                                     found ? "several residues of the receptor are called so; "
                                             "name the chain, as in A:CYS25:SG"
                                           : "the receptor has no such residue");
    }
    berth_structure_clear(&structure);
    return status;
}

/* The side chain from CA on, as far as bonds lead. */
static bool find_chain(const struct residue *residue, struct berth_covalent *covalent,
                       size_t order[BERTH_COVALENT_ATOMS_MAX])
{
    const size_t alpha = find_atom(residue, "CA"), beta = find_atom(residue, "CB");
    uint64_t seen;
    if (alpha == NONE || beta == NONE || !(residue->bonds[alpha] >> beta & 1)) {
        return false;
    }
    order[0] = alpha;
    order[1] = beta;
    covalent->count = 2;
    seen = (uint64_t)1 << alpha | (uint64_t)1 << beta;
    for (size_t at = 1; at < covalent->count; at++) {
        for (size_t i = 0; i < residue->count; i++) {
            if (!(residue->bonds[order[at]] & ~seen & (uint64_t)1 << i)) {
                continue;
            }
            if (covalent->count == BERTH_COVALENT_ATOMS_MAX) {
                return false;
            }
            order[covalent->count++] = i;
            seen |= (uint64_t)1 << i;
        }
    }
    for (size_t i = 0; i < covalent->count; i++) {
        covalent->atoms[i] = *atom_of(residue, order[i]);
        for (size_t j = 0; j < covalent->count; j++) {
            covalent->bonds[i] |= (uint32_t)(residue->bonds[order[i]] >> order[j] & 1) << j;
        }
    }
    return true;
}

/* The frame: CA, CB and the backbone stay, and the receptor lacks all of the residue. */
static enum berth_status make_frame(const struct berth_typed_receptor *receptor,
                                    const struct residue *residue, struct berth_covalent *covalent,
                                    struct berth_error *error)
{
    struct berth_side_chains *frame = &covalent->frame;
    size_t leaving[ATOMS_MAX], heavy = 0;
    frame->receptor = receptor;
    for (size_t i = 0, k = 0; k < residue->count; i++) { /* their numbers among the heavy ones */
        if (i == residue->atoms[k]) {
            leaving[k++] = heavy;
        }
        heavy += receptor->molecule.atoms[i].heavy;
    }
    BERTH_TRY(
        berth_make(&frame->heavy.atoms, residue->count, sizeof *frame->heavy.atoms, NULL, error));
    BERTH_TRY(berth_make(&frame->atoms, residue->count, sizeof *frame->atoms, NULL, error));
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < residue->count; i++) {
            const char *name = atom_of(residue, i)->name;
            const int when = strcmp(name, "CA") == 0   ? 0
                             : strcmp(name, "CB") == 0 ? 1
                             : is_backbone(name)       ? 2
                                                       : 3;
            if (when == pass) {
                frame->atoms[frame->heavy.count] = leaving[i];
                frame->heavy.atoms[frame->heavy.count++] = receptor->heavy.atoms[leaving[i]];
            }
        }
    }
    return berth_side_chains_leave(frame, leaving, residue->count, error);
}

enum berth_status berth_covalent_find(const struct berth_typed_receptor *receptor, const char *text,
                                      struct berth_covalent *covalent, struct berth_error *error)
{
    struct name name = {0};
    struct residue residue;
    size_t number = 0, order[BERTH_COVALENT_ATOMS_MAX];
    memset(covalent, 0, sizeof *covalent);
    if (!read_name(text, &name)) {
        return refuse(error, text, "name a residue and its atom, as in A:CYS25:SG");
    }
    if (!receptor->residues) {
        return refuse(error, text,
                      "the receptor has no chains and residues; give a .brec, PDB, mmCIF or PDBQT");
    }
    BERTH_TRY(find_residue(receptor, text, name.selector, &number, error));
    berth_residue_text(&receptor->residues[number], covalent->text);
    find_atoms(&receptor->molecule, number, &residue);
    const size_t bonded = find_atom(&residue, name.atom);
    if (bonded == NONE) {
        return refuse(error, text, "the residue has no such heavy atom");
    }
    if (!berth_text_lists("SG OG OG1 NZ OH", ' ', name.atom)) {
        return refuse(error, text,
                      "no nucleophile: Cys SG, Ser OG, Thr OG1, Lys NZ and Tyr OH are");
    }
    if (!find_chain(&residue, covalent, order)) {
        return refuse(error, text, "the residue's side chain is incomplete: CA or CB is missing");
    }
    strcpy(covalent->atom, name.atom);
    while (covalent->bonded < covalent->count && order[covalent->bonded] != bonded) {
        covalent->bonded++;
    }
    if (covalent->bonded == covalent->count) {
        return refuse(error, text, "no bonds lead from CB to the atom");
    }
    return make_frame(receptor, &residue, covalent, error);
}

/* --- The adduct --- */

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
    size_t found; /* matches whose bonded atom is another */
    int rank;     /* of the best: 2: CA is the first atom; 1: it is called so; 0: neither */
};

static size_t degree_of(const struct matching *matching, size_t atom)
{
    size_t degree = 0;
    for (size_t k = matching->adjacency.start[atom]; k < matching->adjacency.start[atom + 1]; k++) {
        degree += matching->molecule->atoms[matching->adjacency.neighbour[k]].element > 1;
    }
    return degree;
}

static bool are_bonded(const struct matching *matching, size_t a, size_t b)
{
    bool bonded = false;
    for (size_t k = matching->adjacency.start[a]; k < matching->adjacency.start[a + 1]; k++) {
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
                                    const struct berth_molecule *molecule, struct match *match,
                                    struct berth_error *error)
{
    struct matching matching = {.covalent = covalent, .molecule = molecule};
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
                            "to %s, and be bonded there",
                      molecule->title, covalent->text, covalent->atom);
}

/* An orthonormal frame: along a - b, and c in its plane. */
static void frame_of(const double a[3], const double b[3], const double c[3], double axes[3][3])
{
    double other[3];
    berth_direction(a, b, axes[0]);
    berth_direction(a, c, other);
    berth_cross(axes[0], other, axes[2]);
    berth_normalise(axes[2]);
    berth_cross(axes[2], axes[0], axes[1]);
}

enum berth_status berth_covalent_attach(const struct berth_covalent *covalent,
                                        struct berth_molecule *molecule, struct berth_error *error)
{
    struct match match;
    BERTH_TRY(find_match(covalent, molecule, &match, error));
    const struct berth_atom *own = covalent->atoms;
    struct berth_atom *atoms = molecule->atoms;
    double to[3][3], from[3][3], origin[3];
    frame_of(own[0].position, own[1].position, own[2].position, to);
    frame_of(atoms[match.atoms[0]].position, atoms[match.atoms[1]].position,
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
    const enum berth_status status = find_match(covalent, molecule, &match, error);
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
        status = berth_rotors_count(&whole, &moves->rotors, error);
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

void berth_covalent_clear(struct berth_covalent *covalent)
{
    berth_side_chains_clear(&covalent->frame);
    memset(covalent, 0, sizeof *covalent);
}
