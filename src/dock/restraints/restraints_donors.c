/* What of a ligand binds metals.  SMARTS of each stands beside it; as in SMARTS, a capital is an
 * atom that is not aromatic, and D1 one with a single heavy neighbour. */
#include <string.h>

#include "dock/restraints/restraints_internal.h"

/* Bonds as SMARTS ask for them. */
enum bond_asked { ANY = 0, SINGLE, DOUBLE, PLAIN }; /* ~, -, =, and none: single or aromatic */

/* An atom as SMARTS ask for it. */
struct asked {
    int element;
    bool terminal; /* D1 */
    bool aromatic;
};

static const struct asked O1 = {OXYGEN, true, false}, O = {OXYGEN, false, false},
                          C = {CARBON, false, false}, c = {CARBON, false, true},
                          N = {NITROGEN, false, false}, P = {PHOSPHORUS, false, false},
                          S = {SULFUR, false, false};

static size_t heavy_degree(const struct berth_facts *facts, size_t atom)
{
    return berth_heavy_degree(facts->molecule, &facts->adjacency, atom);
}

static size_t hydrogens(const struct berth_facts *facts, size_t atom)
{
    return berth_degree(&facts->adjacency, atom) - heavy_degree(facts, atom);
}

static bool is(const struct berth_facts *facts, size_t atom, struct asked asked)
{
    return facts->molecule->atoms[atom].element == asked.element &&
           facts->aromatic[atom] == asked.aromatic &&
           (!asked.terminal || heavy_degree(facts, atom) == 1);
}

static bool bond_is_aromatic(const struct berth_facts *facts, size_t bond)
{
    const struct berth_bond *ends = &facts->molecule->bonds[bond];
    return facts->rings[bond] && facts->aromatic[ends->first] && facts->aromatic[ends->second];
}

static bool bond_is(const struct berth_facts *facts, size_t bond, enum bond_asked asked)
{
    const bool aromatic = bond_is_aromatic(facts, bond);
    const int order = facts->orders[bond];
    return asked == ANY || (asked == PLAIN && aromatic) ||
           (!aromatic && order == (asked == DOUBLE ? 2 : 1));
}

/* How many neighbours of the atom, but for one (SIZE_MAX: none), are so and bonded so. */
static size_t neighbours(const struct berth_facts *facts, size_t atom, size_t but,
                         enum bond_asked bond, struct asked asked)
{
    const struct berth_adjacency *all = &facts->adjacency;
    size_t count = 0;
    BERTH_EACH_BOND (k, all, atom) {
        count += all->neighbour[k] != but && bond_is(facts, all->bond[k], bond) &&
                 is(facts, all->neighbour[k], asked);
    }
    return count;
}

/* Atoms in the middle of a chelate, whose oxygens are on neighbouring atoms in a plane, as of
 * hydroxamates, catechols and pyridinones: [$(C=[O;D1]),c], and [$([#7]-[O;D1]),c]. */
static bool is_beside_carbon(const struct berth_facts *facts, size_t atom)
{
    return is(facts, atom, c) ||
           (is(facts, atom, C) && neighbours(facts, atom, SIZE_MAX, DOUBLE, O1));
}

static bool is_beside_other(const struct berth_facts *facts, size_t atom)
{
    return is(facts, atom, c) || (facts->molecule->atoms[atom].element == NITROGEN &&
                                  neighbours(facts, atom, SIZE_MAX, SINGLE, O1));
}

/* Gives the chelates that begin at the atom, an oxygen: [O;D1]~CARBON~OTHER~[O;D1], or with
 * `turned` the other way round.  take: NULL to find whether there is one. */
static bool find_chelates(const struct berth_facts *facts, size_t first, bool turned,
                          restraints_chelate_taker *take, void *context)
{
    const struct berth_adjacency *all = &facts->adjacency;
    bool found = false;
    if (!is(facts, first, O1)) {
        return false;
    }
    BERTH_EACH_BOND (a, all, first) {
        const size_t near = all->neighbour[a];
        if (!(turned ? is_beside_other : is_beside_carbon)(facts, near)) {
            continue;
        }
        BERTH_EACH_BOND (b, all, near) {
            const size_t far = all->neighbour[b];
            if (far == first || !(turned ? is_beside_carbon : is_beside_other)(facts, far)) {
                continue;
            }
            BERTH_EACH_BOND (k, all, far) {
                const size_t last = all->neighbour[k];
                if (last != first && last != near && is(facts, last, O1)) {
                    found = true;
                    if (take) {
                        take(context, first, last);
                    }
                }
            }
        }
    }
    return found;
}

void restraints_find_chelates(const struct berth_facts *facts, restraints_chelate_taker *take,
                              void *context)
{
    for (size_t atom = 0; atom < facts->molecule->atom_count; atom++) {
        find_chelates(facts, atom, false, take, context);
    }
}

/* Oxygen of acids of carbon, phosphorus and sulphur, of phenols, hydroxamates and N-oxides, bonded
 * to this atom. */
static bool is_oxygen_of(const struct berth_facts *facts, size_t oxygen, size_t bond, size_t to)
{
    const size_t others = neighbours(facts, to, oxygen, ANY, O1);
    return (is(facts, to, C) && others) ||                       /* [O;D1]~C~[O;D1] */
           is(facts, to, P) ||                                   /* [O;D1]~P */
           (is(facts, to, S) && others >= 2) ||                  /* [O;D1]~S(~[O;D1])~[O;D1] */
           (is(facts, to, c) && bond_is(facts, bond, SINGLE)) || /* [O;D1]-c */
           (is(facts, to, N) && bond_is(facts, bond, SINGLE) &&  /* [O;D1]-[N;!$(N=O)] */
            !neighbours(facts, to, SIZE_MAX, DOUBLE, O));
}

/* Whether a nitrogen's lone pair is drawn into its neighbour's double, triple or aromatic bond:
 * N~*=,#,:* */
static bool is_conjugated(const struct berth_facts *facts, size_t nitrogen)
{
    const struct berth_adjacency *all = &facts->adjacency;
    BERTH_EACH_BOND (a, all, nitrogen) {
        const size_t near = all->neighbour[a];
        BERTH_EACH_BOND (b, all, near) {
            const int order = facts->orders[all->bond[b]];
            if (all->neighbour[b] != nitrogen &&
                (bond_is_aromatic(facts, all->bond[b]) || order == 2 || order == 3)) {
                return true;
            }
        }
    }
    return false;
}

/* Nitrogen of imines, nitriles and amines that have no charge, [N;D1,D2;+0;!$(N~*=,#,:*)], and of
 * sulphonamides, which lose a proton, [N;D1]S(=O)=O. */
static bool is_nitrogen(const struct berth_facts *facts, size_t atom)
{
    const struct berth_adjacency *all = &facts->adjacency;
    const size_t degree = heavy_degree(facts, atom);
    BERTH_EACH_BOND (k, all, atom) {
        if (degree == 1 && bond_is(facts, all->bond[k], PLAIN) && is(facts, all->neighbour[k], S) &&
            neighbours(facts, all->neighbour[k], SIZE_MAX, DOUBLE, O) >= 2) {
            return true;
        }
    }
    return (degree == 1 || degree == 2) && !facts->charges[atom] && !is_conjugated(facts, atom);
}

bool restraints_binds_metal(const struct berth_facts *facts, size_t atom)
{
    const struct berth_adjacency *all = &facts->adjacency;
    bool oxygen = false;
    BERTH_EACH_BOND (k, all, atom) {
        oxygen = oxygen || (is(facts, atom, O1) &&
                            is_oxygen_of(facts, atom, all->bond[k], all->neighbour[k]));
    }
    return (oxygen && !find_chelates(facts, atom, false, NULL, NULL) &&
            !find_chelates(facts, atom, true, NULL, NULL)) ||
           is(facts, atom, (struct asked){SULFUR, true, false}) ||    /* thiols */
           (is(facts, atom, (struct asked){NITROGEN, false, true}) && /* [n;D2;H0] */
            heavy_degree(facts, atom) == 2 && !hydrogens(facts, atom)) ||
           (is(facts, atom, N) && is_nitrogen(facts, atom));
}

/* Acids that are neutral at pH 7.4 in water, and anions on a metal.  Sulphonamides are so, too, but
 * the hydrogen that the anion lacks is what no function that ranks does without: as drawn they lie
 * nearer to the crystal pose, at the same score or a lower one (docs/restraints.md). */

/* [O;D1;H1]NC=O */
static bool is_hydroxamic(const struct berth_facts *facts, size_t oxygen)
{
    const struct berth_adjacency *all = &facts->adjacency;
    BERTH_EACH_BOND (a, all, oxygen) {
        const size_t nitrogen = all->neighbour[a];
        BERTH_EACH_BOND (b, all, nitrogen) {
            const size_t carbon = all->neighbour[b];
            if (is(facts, oxygen, O1) && is(facts, nitrogen, N) && is(facts, carbon, C) &&
                bond_is(facts, all->bond[a], PLAIN) && bond_is(facts, all->bond[b], PLAIN) &&
                neighbours(facts, carbon, oxygen, DOUBLE, O)) {
                return true;
            }
        }
    }
    return false;
}

const char *restraints_metal_acid_at(const struct berth_facts *facts, size_t atom)
{
    const struct asked thiol = {SULFUR, true, false};
    return hydrogens(facts, atom) != 1  ? NULL
           : is_hydroxamic(facts, atom) ? "hydroxamic acid"
           : is(facts, atom, thiol) && neighbours(facts, atom, SIZE_MAX, PLAIN, C) +
                                           neighbours(facts, atom, SIZE_MAX, PLAIN, c)
               ? "thiol" /* [S;D1;H1][#6] */
               : NULL;
}
