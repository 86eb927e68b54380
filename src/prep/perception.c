#include "prep/perception.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bond_perception.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"
#include "chem/type_rules.h"
#include "chem/vectors.h"
#include "format/sdf/sdf.h"
#include "prep/openbabel.h"

/* --- Whether bonds can be true --- */

enum { NEIGHBOURS = 4 };

/* Degrees: a linear atom is not bent by more. */
#define BENT 150.0
/* Å from the plane of its three neighbours: 0 for sp2, 0.5 for sp3. */
#define PYRAMID 0.35
#define FLAT    0.12
/* Å: no single bond between sp3 atoms is shorter (they have 1.53, 1.47 and 1.43). */
#define SHORT_CC 1.42
#define SHORT_CN 1.37
#define SHORT_CO 1.30

/* What an atom's bonds say of it. */
struct bonding {
    double order; /* their sum; aromatic ones count 1.5 */
    int doubles, triples, aromatics, hydrogens;
    size_t heavy[NEIGHBOURS]; /* heavy neighbours, where there are no more */
    size_t heavy_count;
};

static void add_bond(struct bonding *bonding, const char *type, const struct berth_atom *other,
                     size_t number)
{
    const bool two = strcmp(type, "2") == 0, three = strcmp(type, "3") == 0;
    const bool aromatic = strcmp(type, "ar") == 0;
    bonding->doubles += two;
    bonding->triples += three;
    bonding->aromatics += aromatic;
    bonding->order += two ? 2 : three ? 3 : aromatic ? 1.5 : 1;
    if (other->element == HYDROGEN) {
        bonding->hydrogens++;
    } else {
        bonding->heavy[bonding->heavy_count % NEIGHBOURS] = number;
        bonding->heavy_count++;
    }
}

/* More bonds than any charge allows, of the elements whose bonds are perceived wrongly: five of
 * nitrogen, as files draw nitro groups. */
static double most_bonds(int element)
{
    return element == HYDROGEN || element == FLUORINE ? 1
           : element == CARBON                        ? 4
           : element == NITROGEN                      ? 5
           : element == OXYGEN                        ? 3
                                                      : INFINITY;
}

/* Å between an atom and the plane of three others. */
static double height(const struct berth_atom *atoms, const struct berth_atom *atom,
                     const size_t plane[3])
{
    double u[3], v[3], w[3], normal[3];
    berth_add_scaled(atoms[plane[1]].position, -1, atoms[plane[0]].position, u);
    berth_add_scaled(atoms[plane[2]].position, -1, atoms[plane[0]].position, v);
    berth_add_scaled(atom->position, -1, atoms[plane[0]].position, w);
    berth_cross(u, v, normal);
    const double length = berth_length(normal);
    return length > 0 ? fabs(berth_dot(w, normal)) / length : 0;
}

static bool is_saturated(const struct bonding *bonding)
{
    return !bonding->doubles && !bonding->triples && !bonding->aromatics;
}

/* Valence: full says that the molecule has all its hydrogens. */
static void check_valence(const struct berth_molecule *molecule, const struct bonding *bondings,
                          size_t atom, bool full, char text[BERTH_CONTRADICTION_SIZE])
{
    const struct berth_atom *at = &molecule->atoms[atom];
    const struct bonding *bonding = &bondings[atom];
    /* aromatic carbons at which rings meet have three bonds of 1.5; pyridones' C=O is double beside
     * two aromatic ones */
    const bool oxo = bonding->aromatics == 2 && bonding->doubles == 1;
    const double order = bonding->order - (bonding->aromatics == 3 ? 0.5 : oxo ? 1 : 0);
    if (order > most_bonds(at->element) + 0.25) {
        snprintf(text, BERTH_CONTRADICTION_SIZE, "atom %zu (%s) has bonds of order %g in all",
                 atom + 1, at->name, order);
    } else if (full && at->element == CARBON && order < 3.75) {
        snprintf(text, BERTH_CONTRADICTION_SIZE, "atom %zu (%s) lacks a hydrogen, or a double bond",
                 atom + 1, at->name);
    }
}

static void check_shape(const struct berth_molecule *molecule, const struct bonding *bondings,
                        size_t atom, char text[BERTH_CONTRADICTION_SIZE])
{
    const struct berth_atom *atoms = molecule->atoms, *at = &atoms[atom];
    const struct bonding *bonding = &bondings[atom];
    const bool linear = bonding->triples > 0 || bonding->doubles > 1;
    if (linear && bonding->heavy_count == 2) {
        const double bent = berth_angle_at(atoms[bonding->heavy[0]].position, at->position,
                                           atoms[bonding->heavy[1]].position);
        if (bent < BENT) {
            snprintf(text, BERTH_CONTRADICTION_SIZE,
                     "atom %zu (%s) is linear by its bonds, and bent (%.0f degrees) in the file",
                     atom + 1, at->name, bent);
        }
    } else if (at->element == CARBON && bonding->heavy_count == 3) {
        const double above = height(atoms, at, bonding->heavy);
        const bool saturated = is_saturated(bonding);
        if (saturated ? above < FLAT : above > PYRAMID) {
            snprintf(text, BERTH_CONTRADICTION_SIZE,
                     "atom %zu (%s) is %s by its bonds, and %s in the file", atom + 1, at->name,
                     saturated ? "tetrahedral" : "flat", saturated ? "flat" : "a pyramid");
        }
    }
}

static void check_length(const struct berth_molecule *molecule, const struct bonding *bondings,
                         const struct berth_bond *bond, char text[BERTH_CONTRADICTION_SIZE])
{
    const struct berth_atom *a = &molecule->atoms[bond->first], *b = &molecule->atoms[bond->second];
    if (*text || a->element != CARBON || !is_saturated(&bondings[bond->first]) ||
        !is_saturated(&bondings[bond->second])) {
        return;
    }
    const double least = b->element == CARBON && a->element == CARBON ? SHORT_CC
                         : b->element == NITROGEN                     ? SHORT_CN
                         : b->element == OXYGEN                       ? SHORT_CO
                                                                      : 0;
    const double length = berth_distance(a->position, b->position);
    /* nitrogen and oxygen conjugate with what is next to them: only sp3 carbons tell */
    if (length < least) {
        snprintf(text, BERTH_CONTRADICTION_SIZE,
                 "the single bond of atoms %zu (%s) and %zu (%s) is %.2f Å long", bond->first + 1,
                 a->name, bond->second + 1, b->name, length);
    }
}

enum berth_status berth_contradiction_find(const struct berth_molecule *molecule,
                                           char text[BERTH_CONTRADICTION_SIZE],
                                           struct berth_error *error)
{
    struct bonding *bondings;
    *text = '\0';
    BERTH_TRY(berth_make(&bondings, molecule->atom_count, sizeof *bondings, NULL, error));
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        add_bond(&bondings[bond->first], bond->type, &molecule->atoms[bond->second], bond->second);
        add_bond(&bondings[bond->second], bond->type, &molecule->atoms[bond->first], bond->first);
    }
    /* where a carbon has hydrogens all have theirs (PDBQT has those of N, O and S alone) */
    bool full = false;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        full = full || (molecule->atoms[i].element == CARBON && bondings[i].hydrogens);
    }
    for (size_t i = 0; !*text && i < molecule->atom_count; i++) {
        check_valence(molecule, bondings, i, full, text);
    }
    for (size_t i = 0; !*text && i < molecule->atom_count; i++) {
        check_shape(molecule, bondings, i, text);
    }
    for (size_t i = 0; !*text && i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i],
                                back = {bond->second, bond->first, "", 0};
        check_length(molecule, bondings, bond, text);
        check_length(molecule, bondings, &back, text);
    }
    free(bondings);
    return BERTH_OK;
}

/* --- Perceiving them --- */

/* Seconds for one residue or group of them; Å: from carbon to a hydrogen, a coordinate rounded by
 * PDB and Mol2. */
#define TIME_LIMIT  60.0
#define TO_HYDROGEN 1.2
#define ROUNDING    0.002

void berth_perception_pdb(const struct berth_structure *structure, bool hydrogens,
                          struct berth_bytes *bytes)
{
    const double *origin = structure->atoms[0].position;
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const char *symbol = berth_element_symbol(atom->element);
        char line[128];
        if (berth_is_hydrogen(atom) && !hydrogens) {
            continue;
        }
        const int length = snprintf(
            line, sizeof line,
            "HETATM%5zu %s%-*.4s %3.3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n",
            (i + 1) % 100000, symbol[1] ? "" : " ", symbol[1] ? 4 : 3, atom->name,
            atom->residue.name, abs(atom->residue.number) % 10000, atom->position[0] - origin[0],
            atom->position[1] - origin[1], atom->position[2] - origin[2], symbol);
        berth_bytes_put(bytes, line, (size_t)length);
    }
    static const char END[] = "END\n";
    berth_bytes_put(bytes, END, sizeof END - 1);
}

/* The heavy atom of the structure at a position relative to the origin, or NULL. */
static const struct berth_structure_atom *atom_at(const struct berth_structure *structure,
                                                  const double origin[3], const double relative[3])
{
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        bool same = !berth_is_hydrogen(atom);
        for (int k = 0; k < 3; k++) {
            same = same && fabs(atom->position[k] - origin[k] - relative[k]) < ROUNDING;
        }
        if (same) {
            return atom;
        }
    }
    return NULL;
}

static void name_atom(struct berth_atom *atom, const struct berth_structure_atom *from)
{
    char residue[32];
    snprintf(residue, sizeof residue, "%s%d", from->residue.name, from->residue.number);
    snprintf(atom->residue, sizeof atom->residue, "%.15s", residue);
    snprintf(atom->name, sizeof atom->name, "%s",
             *from->name ? from->name : berth_element_symbol(from->element));
    for (char *at = atom->name; *at; at++) {
        *at = *at == ' ' ? '_' : *at; /* Mol2 separates by blanks */
    }
    memcpy(atom->position, from->position, sizeof atom->position);
    atom->residue_id = 1;
}

/* Open Babel renames atoms when it adds hydrogens: names and exact positions come back. */
static enum berth_status restore_atoms(const struct berth_structure *structure,
                                       const double origin[3], struct berth_molecule *molecule,
                                       struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        const struct berth_structure_atom *from =
            atom->heavy ? atom_at(structure, origin, atom->position) : NULL;
        if (from) {
            name_atom(atom, from);
        } else if (atom->heavy) {
            return berth_fail(error, BERTH_E_IO, "Open Babel moved or added a heavy atom");
        } else {
            for (int k = 0; k < 3; k++) {
                atom->position[k] += origin[k];
            }
            atom->residue_id = 1;
            snprintf(atom->residue, sizeof atom->residue, "%s", structure->atoms[0].residue.name);
        }
    }
    return BERTH_OK;
}

bool berth_perception_full(const struct berth_structure *structure)
{
    for (size_t i = 0; i < structure->count; i++) {
        for (size_t j = 0; j < structure->count; j++) {
            if (structure->atoms[i].element == CARBON && structure->atoms[j].element == HYDROGEN &&
                berth_distance_squared(structure->atoms[i].position, structure->atoms[j].position) <
                    TO_HYDROGEN * TO_HYDROGEN) {
                return true;
            }
        }
    }
    return false;
}

static size_t heavy_count(const struct berth_structure *structure)
{
    return berth_residue_heavy_count(structure, (struct berth_span){0, structure->count});
}

static enum berth_status set_title(const struct berth_structure *structure,
                                   struct berth_molecule *molecule, struct berth_error *error)
{
    free(molecule->title);
    molecule->title =
        berth_copy_text(structure->title ? structure->title : structure->atoms[0].residue.name);
    return molecule->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

enum berth_status berth_perception_restore(const struct berth_structure *structure,
                                           const double origin[3], struct berth_molecule *molecule,
                                           struct berth_error *error)
{
    enum berth_status status = restore_atoms(structure, origin, molecule, error);
    if (!status && berth_heavy_count(molecule) != heavy_count(structure)) {
        status = berth_fail(error, BERTH_E_IO, "Open Babel lost heavy atoms");
    }
    BERTH_THEN(berth_types_correct(molecule, error));
    BERTH_THEN(set_title(structure, molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}

enum berth_status berth_perception_sdf(const struct berth_structure *structure,
                                       struct berth_bytes *bytes, bool *found,
                                       struct berth_error *error)
{
    const double *origin = structure->atoms[0].position;
    struct berth_molecule molecule = {0};
    bool *hydrogens;
    char *text = NULL;
    size_t size = 0;
    *found = false;
    /* Which heavy atoms have hydrogens in the structure. */
    BERTH_TRY(berth_make(&hydrogens, heavy_count(structure), sizeof *hydrogens, NULL, error));
    for (size_t i = 0, heavy = 0; i < structure->count; i++) {
        if (!berth_is_hydrogen(&structure->atoms[i])) {
            (hydrogens)[heavy++] = berth_hydrogens_on(structure, i) > 0;
        }
    }
    enum berth_status status = berth_plain_molecule(structure, &molecule, error);
    BERTH_THEN(berth_bonds_perceive(&molecule, hydrogens, found, error));
    for (size_t i = 0; i < molecule.atom_count; i++) {
        berth_add_scaled(molecule.atoms[i].position, -1, origin, molecule.atoms[i].position);
    }
    if (!status && *found) {
        status = berth_sdf_text(&molecule, &text, &size, error);
    }
    if (text) {
        berth_bytes_put(bytes, text, size);
    }
    free(text);
    free(hydrogens);
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_perceive_molecule(const struct berth_structure *structure,
                                          struct berth_molecule *molecule,
                                          struct berth_error *error)
{
    const bool hydrogens = berth_perception_full(structure);
    const char *const options[] = {"-omol2", hydrogens ? NULL : "-p", BERTH_PH_TEXT, NULL};
    struct berth_bytes input = {0};
    bool found = false;
    memset(molecule, 0, sizeof *molecule);
    enum berth_status status = BERTH_OK;
    if (!hydrogens) {
        status = berth_perception_sdf(structure, &input, &found, error);
    }
    if (!status && !found) {
        berth_perception_pdb(structure, hydrogens, &input);
    }
    const struct berth_openbabel_job job = {
        .format = found ? "sdf" : "pdb", .options = options, .input = &input, .limit = TIME_LIMIT};
    BERTH_THEN(berth_openbabel_molecule(&job, molecule, error));
    BERTH_THEN(berth_perception_restore(structure, structure->atoms[0].position, molecule, error));
    berth_bytes_clear(&input);
    return status;
}

enum berth_status berth_plain_molecule(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    memset(molecule, 0, sizeof *molecule);
    enum berth_status status =
        berth_make(&molecule->atoms, heavy_count(structure), sizeof *molecule->atoms, NULL, error);
    BERTH_THEN(set_title(structure, molecule, error));
    for (size_t i = 0; !status && i < structure->count; i++) {
        const struct berth_structure_atom *from = &structure->atoms[i];
        if (berth_is_hydrogen(from)) {
            continue;
        }
        struct berth_atom *atom = &molecule->atoms[molecule->atom_count];
        name_atom(atom, from);
        const bool tetrahedral = strchr("CNOSP", *berth_element_symbol(from->element)) &&
                                 !berth_element_symbol(from->element)[1];
        snprintf(atom->type, sizeof atom->type, "%s%s", berth_element_symbol(from->element),
                 tetrahedral ? ".3" : "");
        atom->element = from->element;
        atom->heavy = true;
        molecule->atom_count++;
    }
    BERTH_THEN(berth_bonds_by_distance(molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}

/* True for a residue with a heavy atom that has no type yet. */
static bool needs_types(const struct berth_structure *structure, struct berth_span span)
{
    for (size_t i = span.begin; i < span.end; i++) {
        if (!berth_is_hydrogen(&structure->atoms[i]) && !*structure->atoms[i].type) {
            return true;
        }
    }
    return false;
}

static bool touches(const struct berth_structure *structure, struct berth_span span,
                    const struct berth_structure *group)
{
    for (size_t i = span.begin; i < span.end; i++) {
        for (size_t j = 0; j < group->count; j++) {
            if (!berth_is_hydrogen(&structure->atoms[i]) &&
                berth_distance_squared(structure->atoms[i].position, group->atoms[j].position) <
                    BERTH_BOND_PERCEIVED * BERTH_BOND_PERCEIVED) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the span's heavy atoms to the group, and marks them. */
static enum berth_status add_span(const struct berth_structure *structure, struct berth_span span,
                                  bool *taken, struct berth_structure *group,
                                  struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = span.begin; !status && i < span.end; i++) {
        taken[i] = true;
        if (!berth_is_hydrogen(&structure->atoms[i])) {
            status = berth_structure_add(group, &structure->atoms[i], error);
        }
    }
    return status;
}

/* Gathers the residues that need types and hang together with the one at `first`. */
static enum berth_status gather_group(const struct berth_structure *structure,
                                      struct berth_span first, bool *taken,
                                      struct berth_structure *group, struct berth_error *error)
{
    enum berth_status status = add_span(structure, first, taken, group, error);
    for (bool grown = true; !status && grown;) {
        grown = false;
        for (struct berth_span span = berth_residue_at(structure, first.end);
             !status && span.begin < span.end; span = berth_residue_at(structure, span.end)) {
            if (!taken[span.begin] && needs_types(structure, span) &&
                touches(structure, span, group)) {
                status = add_span(structure, span, taken, group, error);
                grown = true;
            }
        }
    }
    return status;
}

/* Copies the types of the molecule's atoms to the structure's that have none. */
static void copy_types(struct berth_structure *structure, const struct berth_molecule *molecule,
                       size_t *typed)
{
    for (size_t m = 0; m < molecule->atom_count; m++) {
        const struct berth_atom *from = &molecule->atoms[m];
        for (size_t i = 0; from->heavy && i < structure->count; i++) {
            struct berth_structure_atom *atom = &structure->atoms[i];
            if (!*atom->type && !berth_is_hydrogen(atom) &&
                memcmp(atom->position, from->position, sizeof atom->position) == 0) {
                snprintf(atom->type, sizeof atom->type, "%.7s", from->type);
                ++*typed;
            }
        }
    }
}

/* Says what cannot be true of a residue's bonds, which gave its types. */
static enum berth_status warn_of(const struct berth_structure *group,
                                 const struct berth_molecule *molecule, const struct berth_log *log,
                                 struct berth_error *error)
{
    char residue[BERTH_RESIDUE_TEXT_SIZE], text[BERTH_CONTRADICTION_SIZE];
    BERTH_TRY(berth_contradiction_find(molecule, text, error));
    if (*text) {
        berth_residue_text(&group->atoms[0].residue, residue);
        berth_warn(log, NULL,
                   "%s: its types may be wrong, since the bonds that were perceived contradict "
                   "its geometry: %s; give the receptor as Mol2, or drop the residue",
                   residue, text);
    }
    return BERTH_OK;
}

static enum berth_status type_group(struct berth_structure *structure,
                                    const struct berth_structure *group,
                                    const struct berth_log *log, size_t *typed,
                                    struct berth_error *error)
{
    struct berth_molecule molecule;
    enum berth_status status = berth_perceive_molecule(group, &molecule, error);
    if (status) {
        char residue[BERTH_RESIDUE_TEXT_SIZE], context[128];
        berth_residue_text(&group->atoms[0].residue, residue);
        snprintf(context, sizeof context, "the types of %s are not known (try again, or drop it)",
                 residue);
        return berth_fail_in(error, context);
    }
    copy_types(structure, &molecule, typed);
    status = warn_of(group, &molecule, log, error);
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_perceive_types(struct berth_structure *structure,
                                       const struct berth_log *log, size_t *typed,
                                       struct berth_error *error)
{
    *typed = 0;
    bool *taken;
    BERTH_TRY(berth_make(&taken, structure->count, sizeof *taken, NULL, error));
    enum berth_status status = BERTH_OK;
    for (struct berth_span span = berth_residue_at(structure, 0); !status && span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        struct berth_structure group = {0};
        if (!taken[span.begin] && needs_types(structure, span)) {
            status = gather_group(structure, span, taken, &group, error);
            BERTH_THEN(type_group(structure, &group, log, typed, error));
        }
        berth_structure_clear(&group);
    }
    free(taken);
    return status;
}
