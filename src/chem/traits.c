#include "chem/traits.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"

/* A bond is as long as the sum of covalent radii, and so much more. */
#define ALLOWANCE    1.1
#define LONGEST_BOND (2 * ALLOWANCE * BERTH_COVALENT_RADIUS_MAX)

/* --- Bonds of a molecule that has none --- */

static double limit_of(const struct berth_atom *a, const struct berth_atom *b)
{
    const bool bonded =
        a->element && b->element && (a->element != HYDROGEN || b->element != HYDROGEN);
    return bonded
               ? ALLOWANCE * (berth_covalent_radius(a->element) + berth_covalent_radius(b->element))
               : 0;
}

/* --- Traits --- */

struct work {
    const struct berth_molecule *molecule; /* with bonds */
    const struct berth_adjacency *adjacency;
    bool *protonated; /* [atom_count]: hydrogens of the atom's residue are there */
};

static const struct berth_atom *neighbour(const struct work *work, size_t k)
{
    return &work->molecule->atoms[work->adjacency->neighbour[k]];
}

/* A bond of this type or order, "2", "3" or "ar", beside the bond `but`. */
static bool has_multiple_bond(const struct work *work, size_t atom, size_t but)
{
    BERTH_EACH_BOND (k, work->adjacency, atom) {
        const char *type = work->molecule->bonds[work->adjacency->bond[k]].type;
        if (work->adjacency->bond[k] != but && (strchr("23", *type) || strcmp(type, "ar") == 0)) {
            return true;
        }
    }
    return false;
}

/* Bonds may be single all over, as those that are found by distance are: the Mol2 type knows. */
static bool has_pi_type(const struct berth_atom *atom)
{
    return berth_text_lists("C.2 C.1 C.ar C.cat N.2 N.1 N.ar", ' ', atom->type);
}

/* The lone pair of a nitrogen with three neighbours is part of a pi system: it has a double bond or
 * is beside an atom of the second period that has one. */
static bool is_planar(const struct work *work, size_t atom)
{
    if (has_multiple_bond(work, atom, SIZE_MAX)) {
        return true;
    }
    BERTH_EACH_BOND (k, work->adjacency, atom) {
        const int element = neighbour(work, k)->element;
        const size_t bond = work->adjacency->bond[k];
        if (strcmp(work->molecule->bonds[bond].type, "am") == 0 ||
            ((element == CARBON || element == NITROGEN || element == OXYGEN) &&
             (has_pi_type(neighbour(work, k)) ||
              has_multiple_bond(work, work->adjacency->neighbour[k], bond)))) {
            return true;
        }
    }
    return false;
}

/* A metal's bond takes a lone pair. */
static bool holds_metal(const struct work *work, size_t atom)
{
    BERTH_EACH_BOND (k, work->adjacency, atom) {
        if (berth_is_metal(neighbour(work, k)->element)) {
            return true;
        }
    }
    return false;
}

/* Bonds of order "un" tell nothing: the Mol2 type does. */
static bool takes_hydrogen_bond(const struct work *work, size_t atom,
                                const struct berth_traits *traits)
{
    const struct berth_atom *this = &work->molecule->atoms[atom];
    const size_t degree =
        (size_t)traits->neighbours + traits->hydrogens + (holds_metal(work, atom) ? 1 : 0);
    if (this->element != NITROGEN) {
        return this->element == OXYGEN;
    }
    const size_t first = work->adjacency->start[atom];
    const bool ordered =
        first < work->adjacency->start[atom + 1] &&
        strcmp(work->molecule->bonds[work->adjacency->bond[first]].type, "un") != 0;
    if (ordered) {
        return degree <= 2 || (degree == 3 && !is_planar(work, atom));
    }
    return strcmp(this->type, "N.3") == 0 ||
           (degree <= 2 && strcmp(this->type, "N.4") != 0 && strcmp(this->type, "N.am") != 0);
}

/* Hydrogens that an atom of this type must have where none are given. */
static uint8_t missing_hydrogens(const struct berth_atom *atom, size_t neighbours)
{
    static const struct {
        const char *type;
        uint8_t bonds;
    } FULL[] = {{"N.4", 4}, {"N.3", 3},  {"N.am", 3}, {"N.pl3", 3}, {"N.pl", 3},  {"N.plc", 3},
                {"N.2", 2}, {"O.3h", 2}, {"O.3", 2},  {"O.t3p", 2}, {"O.spc", 2}, {"S.3", 2}};
    for (size_t i = 0; i < sizeof FULL / sizeof *FULL; i++) {
        if (strcmp(atom->type, FULL[i].type) == 0 && FULL[i].bonds > neighbours) {
            return (uint8_t)(FULL[i].bonds - neighbours);
        }
    }
    return 0;
}

/* Nitrogens of amino acids that always bear what their type says (backbones, Trp, Arg, Asn, Gln,
 * and the one of His that has it): programs that add hydrogens leave some of them bare. */
static bool is_planar_of_protein(const struct berth_atom *atom)
{
    char name[BERTH_NAME_SIZE];
    if (strcmp(atom->type, "N.am") != 0 && strcmp(atom->type, "N.pl3") != 0) {
        return false;
    }
    berth_residue_stem(atom->residue, name);
    const struct berth_residue_type *type = berth_residue_type_find(name);
    return type && type->kind == BERTH_RESIDUE_AMINO;
}

static struct berth_traits traits_of(const struct work *work, size_t atom)
{
    struct berth_traits traits = {0};
    BERTH_EACH_BOND (k, work->adjacency, atom) {
        const struct berth_atom *other = neighbour(work, k);
        traits.hydrogens += other->element == HYDROGEN && traits.hydrogens < UINT8_MAX;
        traits.neighbours +=
            other->heavy && !berth_is_metal(other->element) && traits.neighbours < UINT8_MAX;
        traits.hetero = traits.hetero || (other->heavy && other->element != CARBON);
    }
    if (!work->protonated[atom] || is_planar_of_protein(&work->molecule->atoms[atom])) {
        traits.hydrogens = missing_hydrogens(&work->molecule->atoms[atom], traits.neighbours);
    }
    traits.acceptor = takes_hydrogen_bond(work, atom, &traits);
    return traits;
}

static bool is_same_residue(const struct berth_atom *a, const struct berth_atom *b)
{
    return a->residue_id == b->residue_id && strcmp(a->residue, b->residue) == 0;
}

static bool bears_hydrogen(const struct work *work, size_t atom)
{
    BERTH_EACH_BOND (k, work->adjacency, atom) {
        if (neighbour(work, k)->element == HYDROGEN) {
            return true;
        }
    }
    return false;
}

/* Marks the atoms of residues (runs of atoms) whose atoms bear hydrogens, wherever in the file
 * these stand. */
static void find_protonated(const struct work *work)
{
    const struct berth_molecule *molecule = work->molecule;
    for (size_t begin = 0, end; begin < molecule->atom_count; begin = end) {
        bool any = false;
        for (end = begin; end < molecule->atom_count &&
                          is_same_residue(&molecule->atoms[begin], &molecule->atoms[end]);
             end++) {
            any = any || bears_hydrogen(work, end);
        }
        for (size_t i = begin; i < end; i++) {
            work->protonated[i] = any;
        }
    }
}

/* By the bonds of the molecule. */
static enum berth_status perceive(const struct berth_molecule *molecule,
                                  const struct berth_adjacency *adjacency,
                                  struct berth_traits *traits, struct berth_error *error)
{
    struct work work = {.molecule = molecule, .adjacency = adjacency};
    BERTH_TRY(berth_make(&work.protonated, molecule->atom_count, sizeof *work.protonated,
                         molecule->title, error));
    find_protonated(&work);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        traits[i] = molecule->atoms[i].heavy ? traits_of(&work, i) : (struct berth_traits){0};
    }
    free(work.protonated);
    return BERTH_OK;
}

enum berth_status berth_traits_find(const struct berth_molecule *molecule,
                                    const struct berth_adjacency *adjacency,
                                    struct berth_traits *traits, struct berth_error *error)
{
    static const struct berth_bond_rule RULE = {limit_of, LONGEST_BOND, LONGEST_BOND, "un"};
    struct berth_molecule bonded = *molecule;
    struct berth_adjacency found = {0};
    for (size_t i = 0; molecule->has_traits && i < molecule->atom_count; i++) {
        traits[i] = molecule->atoms[i].traits;
    }
    if (molecule->has_traits || molecule->bond_count) {
        return molecule->has_traits ? BERTH_OK : perceive(molecule, adjacency, traits, error);
    }
    enum berth_status status =
        berth_bonds_search(molecule, &RULE, &bonded.bonds, &bonded.bond_count, error);
    BERTH_THEN(berth_adjacency_find(&bonded, &found, error));
    BERTH_THEN(perceive(&bonded, &found, traits, error));
    berth_adjacency_clear(&found);
    free(bonded.bonds);
    return status;
}

/* --- As bytes --- */

enum { HETERO = 1, ACCEPTOR = 2, BYSTANDER = 4, FLAGS = HETERO | ACCEPTOR | BYSTANDER };

void berth_put_traits(struct berth_bytes *bytes, const struct berth_traits *traits)
{
    berth_bytes_put8(bytes, traits->neighbours);
    berth_bytes_put8(bytes, traits->hydrogens);
    berth_bytes_put8(bytes,
                     (uint8_t)((traits->hetero ? HETERO : 0) | (traits->acceptor ? ACCEPTOR : 0) |
                               (traits->bystander ? BYSTANDER : 0)));
}

bool berth_get_traits(struct berth_cursor *cursor, struct berth_traits *traits)
{
    traits->neighbours = berth_cursor_get8(cursor);
    traits->hydrogens = berth_cursor_get8(cursor);
    const uint8_t flags = berth_cursor_get8(cursor);
    traits->hetero = flags & HETERO;
    traits->acceptor = flags & ACCEPTOR;
    traits->bystander = flags & BYSTANDER;
    return flags <= FLAGS && !cursor->failed;
}

/* --- Hybridisation --- */

enum berth_hybrid berth_hybrid_of_type(const char *type)
{
    static const struct {
        enum berth_hybrid hybrid;
        const char *suffixes; /* of types; or whole types without one */
    } ROWS[] = {{BERTH_HYBRID_LINEAR, "1"},
                {BERTH_HYBRID_SP3, "3 4 3h t3p spc o o2 O O2 P Si"},
                {BERTH_HYBRID_SP2, "2 am pl3 pl plc cat co2"},
                {BERTH_HYBRID_AROMATIC, "ar ar5 ar6"}};
    const char *dot = strchr(type, '.');
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (berth_text_lists(ROWS[i].suffixes, ' ', dot ? dot + 1 : type)) {
            return ROWS[i].hybrid;
        }
    }
    return BERTH_HYBRID_OTHER;
}
