/* Contents
 *   1. sets: what belongs together
 *   2. links between residues
 *   3. strands: what peptide bonds and phosphodiesters join
 *   4. chains: strands across gaps, and which of them are polymers
 *   5. molecules: what is beside the polymers
 *   6. what is asked of molecules
 */
#include "chem/polymers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"

/* Å: atoms that are nearer stand in one place; no link is longer; bonds of a carbonyl, a
 * thiocarbonyl and of a sugar's ring are shorter. */
#define LEAST_BOND 1.15
#define LONGEST    2.3
#define CARBONYL   1.45
#define THIO       1.75
#define RING_BOND  1.65
/* Å that a residue of a protein or a nucleic acid spans at most, and what a model may be off by. */
#define AMINO_SPAN      3.9
#define NUCLEOTIDE_SPAN 7.5
#define SLACK           4.0

enum {
    LIGAND_LEAST = 6,    /* heavy atoms of a ligand */
    AMINO_LEAST = 4,     /* of a free amino acid */
    LIGAND_MOST = 200,   /* of one of several residues, too: a peptide of 25 */
    OLIGONUCLEOTIDE = 5, /* residues of a nucleic acid that is a ligand, at most */
    GAP_MOST = 100,      /* residues that may be missing in a chain */
    LONE_GAP = 10,       /* in front of one that has an end: else it is a free amino acid */
    CUT_STRAND = 25,     /* residues to a gap: there are fewer where a receptor was cut */
    RESIDUES_TOLD = 6,
    LINKS_TOLD = 3
};

/* --- 1. Sets --- */

/* The first of what i belongs together with; set[i] is i where it is the first. */
static size_t first_of(const size_t *set, size_t i)
{
    while (set[i] != i) {
        i = set[i];
    }
    return i;
}

static void join(size_t *set, size_t a, size_t b)
{
    const size_t first = first_of(set, a), second = first_of(set, b);
    set[first > second ? first : second] = first > second ? second : first;
}

/* A structure that is being told apart: */
struct work {
    const struct berth_structure *structure;
    struct berth_polymers *polymers;
    size_t *residue_of; /* owned; [atoms] */
    size_t *strand;     /* owned; [residues]: sets */
    size_t *chain;      /* owned; [residues]: sets, of strands' first residues */
    bool *linked;  /* owned; [residues]: a peptide bond or phosphodiester joins it to another */
    bool *polymer; /* owned; [residues] */
};

static const struct berth_structure_atom *atom_of(const struct work *work, size_t residue)
{
    return &work->structure->atoms[work->polymers->residues[residue].begin];
}

static const struct berth_residue_type *type_of(const struct work *work, size_t residue)
{
    return berth_residue_type_find(atom_of(work, residue)->residue.name);
}

static const struct berth_structure_atom *named(const struct work *work, size_t residue,
                                                const char *name)
{
    return berth_residue_atom(work->structure, work->polymers->residues[residue], name);
}

/* --- 2. Links --- */

static bool may_bond(const struct berth_structure_atom *atom)
{
    return !berth_is_hydrogen(atom) && !berth_is_metal(atom->element) &&
           !berth_is_water_name(atom->residue.name);
}

/* Whether an atom of a polymer may be bonded to another residue: of an amino acid the chain's ends
 * and what a ligand or a sugar hangs from.  What lies as near to any other atom stands in its
 * place.
 */
static bool may_link(const struct berth_structure_atom *atom)
{
    static const char NAMES[] =
        "N C SG OG OG1 OH NZ ND1 ND2 NE2 OD1 OD2 OE1 OE2 OXT SE SD NH1 NH2 CD1";
    const struct berth_residue_type *type = berth_residue_type_find(atom->residue.name);
    return may_bond(atom) &&
           (!type || type->kind != BERTH_RESIDUE_AMINO || berth_text_lists(NAMES, ' ', atom->name));
}

/* The search for links; clashes are pairs of residues of which one stands in the other's place. */
struct search {
    const struct work *work;
    size_t atom;
    struct berth_structure_link *clashes; /* owned */
    size_t clash_count, clash_capacity, link_capacity;
    enum berth_status status;
    struct berth_error *error;
};

static void add_pair(struct search *search, bool clash, size_t other)
{
    struct berth_polymers *polymers = search->work->polymers;
    struct berth_structure_link **pairs = clash ? &search->clashes : &polymers->links;
    size_t *count = clash ? &search->clash_count : &polymers->link_count;
    size_t *capacity = clash ? &search->clash_capacity : &search->link_capacity;
    search->status = berth_reserve(pairs, capacity, *count + 1, sizeof **pairs, search->error);
    if (!search->status) {
        (*pairs)[(*count)++] = (struct berth_structure_link){search->atom, other};
    }
}

static void look(void *context, size_t other, double squared)
{
    struct search *search = context;
    const struct work *work = search->work;
    const struct berth_structure_atom *a = &work->structure->atoms[search->atom];
    const struct berth_structure_atom *b = &work->structure->atoms[other];
    const double limit = berth_bond_limit(BERTH_BOND_OF_RESIDUES, a->element, b->element);
    if (search->status || other <= search->atom || !may_bond(b) ||
        work->residue_of[search->atom] == work->residue_of[other] || squared >= limit * limit ||
        (a->alternate && b->alternate && a->alternate != b->alternate)) {
        return;
    }
    add_pair(search, squared <= LEAST_BOND * LEAST_BOND, other);
}

static int by_residues(const void *left, const void *right)
{
    const struct berth_structure_link *a = left, *b = right;
    return a->first != b->first ? (a->first < b->first ? -1 : 1)
                                : (a->second > b->second) - (a->second < b->second);
}

/* Forgets links between residues of which one stands in the other's place. */
static void drop_clashing(const struct search *search)
{
    struct berth_polymers *polymers = search->work->polymers;
    const size_t *of = search->work->residue_of;
    size_t kept = 0;
    if (!search->clash_count) {
        return;
    }
    for (size_t k = 0; k < search->clash_count; k++) {
        struct berth_structure_link *clash = &search->clashes[k];
        *clash = (struct berth_structure_link){of[clash->first], of[clash->second]};
    }
    qsort(search->clashes, search->clash_count, sizeof *search->clashes, by_residues);
    for (size_t i = 0; i < polymers->link_count; i++) {
        const struct berth_structure_link link = polymers->links[i];
        const struct berth_structure_link residues = {of[link.first], of[link.second]};
        if (!bsearch(&residues, search->clashes, search->clash_count, sizeof residues,
                     by_residues)) {
            polymers->links[kept++] = link;
        }
    }
    polymers->link_count = kept;
}

static enum berth_status find_links(const struct work *work, struct berth_error *error)
{
    const struct berth_structure *structure = work->structure;
    struct berth_cells cells;
    struct search search = {.work = work, .error = error};
    BERTH_TRY(berth_structure_cells(structure, 3, &cells, error));
    for (; search.atom < structure->count; search.atom++) {
        if (may_bond(&structure->atoms[search.atom])) {
            berth_cells_each(&cells, structure->atoms[search.atom].position, LONGEST, look,
                             &search);
        }
    }
    drop_clashing(&search);
    berth_cells_clear(&cells);
    free(search.clashes);
    return search.status;
}

/* --- 3. Strands --- */

/* Whether the atom of this number is called so, in an amino acid, modified or not. */
static bool is_backbone(const struct work *work, size_t atom, const char *name)
{
    return strcmp(work->structure->atoms[atom].name, name) == 0 &&
           named(work, work->residue_of[atom], "CA");
}

/* Whether an oxygen or sulphur of its residue hangs on the carbon by a double bond. */
static bool is_carbonyl(const struct work *work, size_t carbon)
{
    const struct berth_structure_atom *atoms = work->structure->atoms;
    const struct berth_span span = work->polymers->residues[work->residue_of[carbon]];
    for (size_t i = span.begin; i < span.end; i++) {
        const double limit = atoms[i].element == OXYGEN   ? CARBONYL
                             : atoms[i].element == SULFUR ? THIO
                                                          : 0;
        if (berth_distance_squared(atoms[i].position, atoms[carbon].position) < limit * limit) {
            return true;
        }
    }
    return false;
}

/* A peptide bond, one end of which has the names of a backbone, or a phosphodiester. */
static bool is_chain_link(const struct work *work, const struct berth_structure_link *link)
{
    const struct berth_structure_atom *atoms = work->structure->atoms;
    if (!may_link(&atoms[link->first]) || !may_link(&atoms[link->second])) {
        return false;
    }
    const bool forth = atoms[link->first].element == CARBON;
    const size_t a = forth ? link->first : link->second, b = forth ? link->second : link->first;
    if (atoms[a].element == CARBON && atoms[b].element == NITROGEN) {
        const bool from = is_backbone(work, a, "C"), to = is_backbone(work, b, "N");
        return (from && to) || ((from || to) && is_carbonyl(work, a));
    }
    const bool up = atoms[link->first].element == PHOSPHORUS;
    const size_t p = up ? link->first : link->second, o = up ? link->second : link->first;
    return strcmp(atoms[p].name, "P") == 0 && strcmp(atoms[o].name, "O3'") == 0;
}

static void find_strands(struct work *work)
{
    const struct berth_polymers *polymers = work->polymers;
    for (size_t i = 0; i < polymers->count; i++) {
        work->strand[i] = work->chain[i] = i;
    }
    for (size_t i = 0; i < polymers->link_count; i++) {
        const struct berth_structure_link *link = &polymers->links[i];
        if (is_chain_link(work, link)) {
            const size_t a = work->residue_of[link->first], b = work->residue_of[link->second];
            join(work->strand, a, b);
            work->linked[a] = work->linked[b] = true;
        }
    }
}

/* --- 4. Chains --- */

static bool is_nucleotide(const struct work *work, size_t residue)
{
    const struct berth_residue_type *type = type_of(work, residue);
    return type ? type->kind == BERTH_RESIDUE_NUCLEOTIDE
                : named(work, residue, "C1'") && named(work, residue, "O3'");
}

/* What strands are of: residues that are joined to others, and amino acids and nucleotides that
 * are not. */
static bool is_strand(const struct work *work, size_t residue)
{
    const struct berth_residue_type *type = type_of(work, residue);
    return work->linked[residue] ||
           (type && (type->kind == BERTH_RESIDUE_AMINO || type->kind == BERTH_RESIDUE_NUCLEOTIDE));
}

/* Whether the file calls a residue hetero though chains are made of it: of a chain it would not. */
static bool is_set_apart(const struct work *work, size_t residue)
{
    static const char MODIFIED[] = "MSE SEP TPO PTR HYP";
    const struct berth_residue_type *type = type_of(work, residue);
    return atom_of(work, residue)->hetero && type && !berth_text_lists(MODIFIED, ' ', type->name);
}

static bool ends(const struct work *work, size_t residue)
{
    return named(work, residue, "OXT") || named(work, residue, "OT2");
}

/* Whether residues that are missing can span what is between the last residue of a strand and the
 * first of the next: as many as the numbers say. */
static bool can_span(const struct work *work, size_t before, size_t after)
{
    const struct berth_residue_id *last = &atom_of(work, before)->residue;
    const struct berth_residue_id *next = &atom_of(work, after)->residue;
    const int gap = next->number - last->number;
    const bool nucleic = is_nucleotide(work, after);
    const struct berth_structure_atom *from = named(work, before, nucleic ? "O3'" : "C");
    const struct berth_structure_atom *to = named(work, after, nucleic ? "P" : "N");
    const double *at = (from ? from : atom_of(work, before))->position;
    const double *there = (to ? to : atom_of(work, after))->position;
    const double reach = (gap > 0 ? gap : 1) * (nucleic ? NUCLEOTIDE_SPAN : AMINO_SPAN) + SLACK;
    return gap >= 0 && gap <= GAP_MOST && nucleic == is_nucleotide(work, before) &&
           berth_distance(at, there) <= reach;
}

/* Whether two strands that follow each other, by these residues, are of one chain. */
static bool is_continued(const struct work *work, size_t before, size_t after)
{
    const struct berth_structure_atom *last = atom_of(work, before), *next = atom_of(work, after);
    if (strcmp(last->residue.chain, next->residue.chain) != 0) {
        return false;
    }
    if (last->listed == BERTH_LISTING_INSIDE && next->listed == BERTH_LISTING_INSIDE) {
        return true;
    }
    return last->listed != BERTH_LISTING_OUTSIDE && next->listed != BERTH_LISTING_OUTSIDE &&
           is_set_apart(work, before) == is_set_apart(work, after) && !ends(work, before) &&
           (work->linked[after] || !ends(work, after) ||
            next->residue.number - last->residue.number <= LONE_GAP) &&
           can_span(work, before, after);
}

/* Joins strands of one chain that follow each other across a gap, and those that a disulphide
 * joins. */
static void find_chains(struct work *work)
{
    const struct berth_polymers *polymers = work->polymers;
    size_t before = polymers->count;
    for (size_t i = 0; i < polymers->count; i++) {
        if (!is_strand(work, i)) {
            continue;
        }
        join(work->chain, i, first_of(work->strand, i));
        if (before < polymers->count &&
            first_of(work->strand, before) != first_of(work->strand, i) &&
            is_continued(work, before, i)) {
            join(work->chain, before, i);
        }
        before = i;
    }
    for (size_t i = 0; i < polymers->link_count; i++) {
        const struct berth_structure_atom *a = &work->structure->atoms[polymers->links[i].first];
        const struct berth_structure_atom *b = &work->structure->atoms[polymers->links[i].second];
        if (strcmp(a->name, "SG") == 0 && strcmp(b->name, "SG") == 0) {
            join(work->chain, work->residue_of[polymers->links[i].first],
                 work->residue_of[polymers->links[i].second]);
        }
    }
}

/* What is known of a chain. */
struct chain {
    size_t heavy, residues, nucleotides, strands;
    bool listed;  /* a sequence of its own holds it */
    bool outside; /* the sequences do not */
    bool hetero;  /* the file calls all of it so */
    bool whole;   /* has an end, or something that no cut-out has */
};

static void add_residue(const struct work *work, size_t residue, struct chain *chain)
{
    const struct berth_structure_atom *atom = atom_of(work, residue);
    const struct berth_residue_type *type = type_of(work, residue);
    chain->hetero = atom->hetero && (!chain->residues || chain->hetero);
    chain->residues++;
    chain->heavy += berth_residue_heavy_count(work->structure, work->polymers->residues[residue]);
    chain->nucleotides += is_nucleotide(work, residue);
    chain->strands += first_of(work->strand, residue) == residue;
    chain->listed = chain->listed || atom->listed == BERTH_LISTING_INSIDE;
    chain->outside = chain->outside || atom->listed == BERTH_LISTING_OUTSIDE;
    chain->whole = chain->whole || ends(work, residue) || !type ||
                   (type->kind != BERTH_RESIDUE_AMINO && type->kind != BERTH_RESIDUE_NUCLEOTIDE);
}

/* All chains together. */
struct summary {
    size_t largest;        /* heavy atoms of the largest chain, */
    bool hetero;           /* and whether the file calls all of it so */
    size_t residues, gaps; /* of all chains */
};

/* Whether a chain is a polymer beside the others, and not a peptide or an oligonucleotide that is
 * bound to them.  Of receptors that were cut about a site, the ends of further chains are left:
 * only what has an end of its own is told from these. */
static bool is_polymer(const struct chain *chain, const struct summary *all)
{
    const bool nucleic = 2 * chain->nucleotides > chain->residues;
    const bool large = nucleic ? chain->residues > OLIGONUCLEOTIDE : chain->heavy > LIGAND_MOST;
    const bool cut = all->residues < CUT_STRAND * all->gaps;
    if (large || !chain->heavy || 2 * chain->heavy > all->largest) {
        return true;
    }
    if (chain->listed || chain->outside || (chain->hetero && !all->hetero)) {
        return false;
    }
    return chain->strands > 1 || (cut && !chain->whole);
}

/* Which residues are of a polymer.  chains: [residues], those of the first residue of each. */
static void find_polymers(struct work *work, struct chain *chains)
{
    const size_t count = work->polymers->count;
    struct summary all = {.largest = 0};
    for (size_t i = 0; i < count; i++) {
        if (is_strand(work, i)) {
            add_residue(work, i, &chains[first_of(work->chain, i)]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (chains[i].heavy > all.largest) {
            all.largest = chains[i].heavy;
            all.hetero = chains[i].hetero;
        }
        all.residues += chains[i].residues;
        all.gaps += chains[i].strands ? chains[i].strands - 1 : 0;
    }
    for (size_t i = 0; i < count; i++) {
        work->polymer[i] =
            is_strand(work, i) && is_polymer(&chains[first_of(work->chain, i)], &all);
    }
}

/* --- 5. Molecules --- */

/* True for a pyranose, a furanose or a sialic acid, by its atoms' names. */
static bool is_sugar(const struct berth_structure *structure, struct berth_span span)
{
    static const char *const RINGS[][6] = {{"C1", "C2", "C3", "C4", "C5", "O5"},
                                           {"C2", "C3", "C4", "C5", "C6", "O6"}};
    bool sugar = false;
    for (size_t r = 0; !sugar && r < sizeof RINGS / sizeof *RINGS; r++) {
        const struct berth_structure_atom *first = berth_residue_atom(structure, span, RINGS[r][0]);
        const struct berth_structure_atom *ring = berth_residue_atom(structure, span, RINGS[r][5]);
        sugar = first && ring && berth_distance(first->position, ring->position) < RING_BOND;
        for (size_t k = 1; sugar && k < 5; k++) {
            sugar = berth_residue_atom(structure, span, RINGS[r][k]) != NULL;
        }
    }
    for (size_t i = span.begin; sugar && i < span.end; i++) {
        const int element = structure->atoms[i].element;
        sugar = element == HYDROGEN || (element >= 6 && element <= 8) || element == PHOSPHORUS ||
                element == SULFUR;
    }
    return sugar;
}

static bool is_sugar_of(const struct work *work, size_t residue)
{
    return is_sugar(work->structure, work->polymers->residues[residue]);
}

/* The atoms of a protein that sugars hang from, but for those of acids, which a glycosidase holds
 * its substrate by. */
static bool is_glycosylated(const struct berth_structure_atom *atom)
{
    return berth_text_lists("ND2 OG OG1 OD1 CD1 NH1 NH2", ' ', atom->name) &&
           berth_text_lists("ASN SER THR TRP ARG HYP", ' ', atom->residue.name);
}

/* Makes sugars that hang on a polymer, or on another one that does, the polymer's. */
static void find_glycans(struct work *work)
{
    const struct berth_polymers *polymers = work->polymers;
    bool found = true;
    while (found) {
        found = false;
        for (size_t i = 0; i < 2 * polymers->link_count; i++) {
            const struct berth_structure_link *link = &polymers->links[i / 2];
            const size_t from = i % 2 ? link->second : link->first;
            const size_t to = i % 2 ? link->first : link->second;
            const size_t on = work->residue_of[from], sugar = work->residue_of[to];
            const bool holds =
                work->polymer[on] &&
                (is_sugar_of(work, on) || is_glycosylated(&work->structure->atoms[from]));
            if (!work->polymer[sugar] && holds && is_sugar_of(work, sugar)) {
                work->polymer[sugar] = found = true;
            }
        }
    }
}

/* What is a molecule of its own whatever it is bonded to: waters, ions, and cofactors by name. */
static bool is_apart(const struct work *work, size_t residue)
{
    const struct berth_span span = work->polymers->residues[residue];
    const char *name = atom_of(work, residue)->residue.name;
    return berth_is_water_name(name) || berth_residue_heavy_count(work->structure, span) < 2 ||
           (berth_is_cofactor_name(name) && !is_sugar(work->structure, span));
}

/* Numbers the molecules.  set: [residues], to work with. */
static void number_molecules(struct work *work, size_t *set)
{
    struct berth_polymers *polymers = work->polymers;
    for (size_t i = 0; i < polymers->count; i++) {
        set[i] = i;
    }
    for (size_t i = 0; i < polymers->count; i++) {
        const size_t first = first_of(work->chain, i);
        if (!work->polymer[i] && !work->polymer[first]) {
            join(set, i, first);
        }
    }
    for (size_t i = 0; i < polymers->link_count; i++) {
        const size_t a = work->residue_of[polymers->links[i].first];
        const size_t b = work->residue_of[polymers->links[i].second];
        if (!work->polymer[a] && !work->polymer[b] && !is_apart(work, a) && !is_apart(work, b)) {
            join(set, a, b);
        }
    }
    for (size_t i = 0; i < polymers->count; i++) {
        const size_t first = first_of(set, i);
        polymers->molecule[i] = work->polymer[i] ? 0
                                : first < i      ? polymers->molecule[first]
                                                 : ++polymers->molecule_count;
    }
}

/* Counts what each molecule has, and lists its residues. */
static enum berth_status list_members(struct work *work, struct berth_error *error)
{
    struct berth_polymers *polymers = work->polymers;
    const size_t count = polymers->molecule_count + 1;
    BERTH_TRY(berth_make(&polymers->heavy, count, sizeof *polymers->heavy, NULL, error));
    BERTH_TRY(berth_make(&polymers->starts, count + 2, sizeof *polymers->starts, NULL, error));
    BERTH_TRY(
        berth_make(&polymers->members, polymers->count, sizeof *polymers->members, NULL, error));
    size_t *ahead = polymers->starts + 1; /* while members are filled in */
    for (size_t i = 0; i < polymers->count; i++) {
        polymers->heavy[polymers->molecule[i]] +=
            berth_residue_heavy_count(work->structure, polymers->residues[i]);
        ahead[polymers->molecule[i] + 1]++;
    }
    for (size_t m = 0; m < count; m++) {
        ahead[m + 1] += ahead[m];
    }
    for (size_t i = 0; i < polymers->count; i++) {
        polymers->members[ahead[polymers->molecule[i]]++] = i;
    }
    return BERTH_OK;
}

static void list_residues(struct work *work)
{
    struct berth_polymers *polymers = work->polymers;
    for (struct berth_span span = berth_residue_at(work->structure, 0); span.begin < span.end;
         span = berth_residue_at(work->structure, span.end)) {
        for (size_t i = span.begin; i < span.end; i++) {
            work->residue_of[i] = polymers->count;
        }
        polymers->residues[polymers->count++] = span;
    }
}

/* Room for as many residues as there are atoms. */
static enum berth_status make_room(struct work *work, struct berth_error *error)
{
    const size_t count = work->structure->count;
    struct berth_polymers *polymers = work->polymers;
    BERTH_TRY(berth_make(&polymers->residues, count, sizeof *polymers->residues, NULL, error));
    BERTH_TRY(berth_make(&polymers->molecule, count, sizeof *polymers->molecule, NULL, error));
    BERTH_TRY(berth_make(&work->residue_of, count, sizeof *work->residue_of, NULL, error));
    BERTH_TRY(berth_make(&work->strand, count, sizeof *work->strand, NULL, error));
    BERTH_TRY(berth_make(&work->chain, count, sizeof *work->chain, NULL, error));
    BERTH_TRY(berth_make(&work->linked, count, sizeof *work->linked, NULL, error));
    return berth_make(&work->polymer, count, sizeof *work->polymer, NULL, error);
}

static enum berth_status tell_apart(struct work *work, struct berth_error *error)
{
    struct chain *chains = NULL;
    BERTH_TRY(find_links(work, error));
    BERTH_TRY(berth_make(&chains, work->polymers->count, sizeof *chains, NULL, error));
    find_strands(work);
    find_chains(work);
    find_polymers(work, chains);
    free(chains);
    /* Forgets links to what of a polymer is not to be linked. */
    struct berth_polymers *polymers = work->polymers;
    size_t kept = 0;
    for (size_t i = 0; i < polymers->link_count; i++) {
        const struct berth_structure_link link = polymers->links[i];
        const size_t a = work->residue_of[link.first], b = work->residue_of[link.second];
        if ((!work->polymer[a] || may_link(&work->structure->atoms[link.first])) &&
            (!work->polymer[b] || may_link(&work->structure->atoms[link.second]))) {
            polymers->links[kept++] = link;
        }
    }
    polymers->link_count = kept;
    find_glycans(work);
    number_molecules(work, work->strand);
    return list_members(work, error);
}

enum berth_status berth_polymers_find(const struct berth_structure *structure,
                                      struct berth_polymers *polymers, struct berth_error *error)
{
    struct work work = {.structure = structure, .polymers = polymers};
    memset(polymers, 0, sizeof *polymers);
    if (!structure->count) {
        return BERTH_OK;
    }
    enum berth_status status = make_room(&work, error);
    if (!status) {
        list_residues(&work);
    }
    BERTH_THEN(tell_apart(&work, error));
    free(work.residue_of);
    free(work.strand);
    free(work.chain);
    free(work.linked);
    free(work.polymer);
    return status;
}

void berth_polymers_clear(struct berth_polymers *polymers)
{
    free(polymers->residues);
    free(polymers->molecule);
    free(polymers->links);
    free(polymers->heavy);
    free(polymers->starts);
    free(polymers->members);
    memset(polymers, 0, sizeof *polymers);
}

/* --- 6. What is asked of molecules --- */

size_t berth_polymers_molecule(const struct berth_polymers *polymers, size_t atom)
{
    size_t low = 0, high = polymers->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (polymers->residues[middle].begin <= atom) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return polymers->molecule[low];
}

bool berth_polymers_ligand(const struct berth_polymers *polymers,
                           const struct berth_structure *structure, size_t molecule)
{
    const size_t heavy = molecule ? polymers->heavy[molecule] : 0;
    bool carbon = false, known = true;
    size_t least = LIGAND_LEAST;
    if (heavy < AMINO_LEAST || heavy > LIGAND_MOST) {
        return false;
    }
    for (size_t m = polymers->starts[molecule]; m < polymers->starts[molecule + 1]; m++) {
        const struct berth_span span = polymers->residues[polymers->members[m]];
        const char *name = structure->atoms[span.begin].residue.name;
        least = berth_is_standard_residue(name) ? AMINO_LEAST : least;
        known = known && (berth_is_additive_name(name) ||
                          (berth_is_cofactor_name(name) && !is_sugar(structure, span)));
        for (size_t k = span.begin; k < span.end; k++) {
            carbon = carbon || structure->atoms[k].element == CARBON;
        }
    }
    return carbon && !known && heavy >= least;
}

void berth_polymers_residues(const struct berth_polymers *polymers,
                             const struct berth_structure *structure, size_t molecule,
                             char text[BERTH_MOLECULE_TEXT_SIZE])
{
    const size_t *members = &polymers->members[polymers->starts[molecule]];
    const size_t count = polymers->starts[molecule + 1] - polymers->starts[molecule];
    *text = '\0';
    for (size_t i = 0; i < count && i < RESIDUES_TOLD; i++) {
        char residue[BERTH_RESIDUE_TEXT_SIZE];
        const size_t first = polymers->residues[members[i]].begin;
        berth_residue_text(&structure->atoms[first].residue, residue);
        berth_text_append(text, BERTH_MOLECULE_TEXT_SIZE, "%s%s", i ? ", " : "", residue);
    }
    if (count > RESIDUES_TOLD) {
        berth_text_append(text, BERTH_MOLECULE_TEXT_SIZE, " and %zu more", count - RESIDUES_TOLD);
    }
}

void berth_polymers_bonds(const struct berth_polymers *polymers,
                          const struct berth_structure *structure, size_t molecule,
                          char text[BERTH_MOLECULE_TEXT_SIZE])
{
    size_t told = 0;
    *text = '\0';
    for (size_t i = 0; i < polymers->link_count && told < LINKS_TOLD; i++) {
        const struct berth_structure_link *link = &polymers->links[i];
        const bool forth = berth_polymers_molecule(polymers, link->first) == molecule;
        const bool back = berth_polymers_molecule(polymers, link->second) == molecule;
        const struct berth_structure_atom *from =
            &structure->atoms[forth ? link->first : link->second];
        const struct berth_structure_atom *to =
            &structure->atoms[forth ? link->second : link->first];
        char own[BERTH_RESIDUE_TEXT_SIZE], other[BERTH_RESIDUE_TEXT_SIZE];
        if (forth == back) {
            continue;
        }
        berth_residue_text(&from->residue, own);
        berth_residue_text(&to->residue, other);
        berth_text_append(text, BERTH_MOLECULE_TEXT_SIZE,
                          "%s%s of %s bonded to %s of %s (%.2f \xc3\x85)", told++ ? ", " : "",
                          from->name, own, to->name, other,
                          berth_distance(from->position, to->position));
    }
}
