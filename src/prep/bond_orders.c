#include "prep/bond_orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "chem/geometry.h"
#include "chem/residue_types.h"
#include "chem/rmsd.h"
#include "chem/stereo.h"
#include "format/mol2/mol2.h"
#include "format/records.h"
#include "format/sdf/sdf.h"
#include "format/smiles/smiles.h"
#include "prep/openbabel.h"
#include "prep/perception.h"

/* Å: coordinates that Open Babel has rounded are equal within. */
#define ROUNDING 0.002

/* Å: no two atoms of a ligand that are bonded are further apart. */
#define LONGEST_BOND 2.6

static enum berth_status convert(const char *format, const char *const *options,
                                 const struct berth_bytes *input, double limit,
                                 struct berth_bytes *output, struct berth_error *error)
{
    const struct berth_openbabel_job job = {
        .format = format, .options = options, .input = input, .limit = limit};
    return berth_openbabel_run(&job, output, error);
}

/* --- SDF --- */

static const char HEAD[] = "\n  berth             3D\n\n"; /* "3D" in columns 21 and 22 */
static const char TAIL[] = "M  END\n$$$$\n";

enum { V2000_ATOMS = 1000 };

static void put_atom(const double place[3], const char *symbol, struct berth_bytes *to)
{
    char line[128];
    snprintf(line, sizeof line, "%10.4f%10.4f%10.4f %-3.3s 0  0  0  0  0  0  0  0  0  0  0  0\n",
             place[0], place[1], place[2], symbol);
    berth_bytes_put(to, line, strlen(line));
}

/* Copies the line at `from` and returns where the next one starts, NULL at the end. */
static const char *copy_line(const char *from, const char *end, char *line, size_t size)
{
    const char *stop = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
    if (!stop) {
        return NULL;
    }
    snprintf(line, size, "%.*s", (int)(stop - from), from);
    return stop + 1;
}

/* Appends the SDF record anew, without its title, which is nobody's, as 3D, without the valences
 * that Open Babel puts beside atoms whose hydrogens it has seen, and with the atoms at positions
 * (NULL: where they are; Å). */
static enum berth_status rewrite(const struct berth_bytes *from, const double (*positions)[3],
                                 struct berth_bytes *to, struct berth_error *error)
{
    const char *at = (const char *)from->data, *end = at + from->count;
    char line[256];
    for (int i = 0; at && i < 4; i++) {
        at = copy_line(at, end, line, sizeof line);
    }
    size_t atoms = 0;
    if (!at || sscanf(line, "%3zu", &atoms) != 1 || !strstr(line, "V2000")) {
        return berth_fail(
            error, BERTH_E_FORMAT,
            "Open Babel gave no SDF record of less than 1000 atoms; is it a ligand, and "
            "no receptor?");
    }
    berth_bytes_put(to, HEAD, sizeof HEAD - 1);
    berth_bytes_put(to, line, strlen(line));
    berth_bytes_put8(to, '\n');
    for (size_t i = 0; i < atoms; i++) {
        double place[3];
        char symbol[4];
        at = copy_line(at, end, line, sizeof line);
        if (!at || sscanf(line, "%lf %lf %lf %3s", &place[0], &place[1], &place[2], symbol) != 4) {
            return berth_fail(error, BERTH_E_FORMAT, "Open Babel gave an SDF record cut short");
        }
        for (int k = 0; positions && k < 3; k++) {
            place[k] = positions[i][k];
        }
        put_atom(place, symbol, to);
    }
    berth_bytes_put(to, at, (size_t)(end - at));
    return to->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* --- Perception, and whether the file contradicts it --- */

/* What Open Babel made of the structure, and how far the file contradicts it. */
struct draft {
    struct berth_bytes sdf;
    struct berth_molecule molecule; /* with all hydrogens, heavy atoms in the structure's order */
    size_t differences;             /* of hydrogens on nitrogens, and of aromatic carbons */
    char contradiction[256];        /* what cannot be true; "" where nothing is */
};

static void draft_clear(struct draft *draft)
{
    berth_bytes_clear(&draft->sdf);
    berth_molecule_clear(&draft->molecule);
}

static size_t hydrogens_perceived(const struct berth_molecule *molecule, size_t atom)
{
    size_t count = 0;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        count += (bond->first == atom && molecule->atoms[bond->second].element == HYDROGEN) ||
                 (bond->second == atom && molecule->atoms[bond->first].element == HYDROGEN);
    }
    return count;
}

/* Holds one atom of the draft (number: of the molecule) against the file's (atom).  A nitrogen that
 * has more hydrogens in the file may just be protonated; one that has fewer cannot be what was
 * perceived, nor an oxygen whose hydrogen is lost, and no aromatic carbon is sp3. */
static void compare_atom(const struct berth_structure *structure, size_t atom, size_t number,
                         struct draft *draft)
{
    const struct berth_structure_atom *from = &structure->atoms[atom];
    const struct berth_atom *to = &draft->molecule.atoms[number];
    char text[256] = "";
    if (from->aromatic && strcmp(to->type, "C.3") == 0) {
        draft->differences += 2;
        snprintf(text, sizeof text, "atom %zu (%s) is aromatic in the file, sp3 by its bonds",
                 number + 1, from->name);
    } else if (from->element == NITROGEN || from->element == OXYGEN) {
        const size_t there = berth_hydrogens_on(structure, atom);
        const size_t here = hydrogens_perceived(&draft->molecule, number);
        const bool nitrogen = from->element == NITROGEN; /* acids' oxygens may be ions */
        if (nitrogen || there > here) {
            draft->differences += there > here ? there - here : here - there;
        }
        if (nitrogen ? here > there : there > here) {
            snprintf(text, sizeof text,
                     "atom %zu (%s) has %zu hydrogens in the file, %zu by its bonds", number + 1,
                     from->name, there, here);
        }
    }
    if (*text && !*draft->contradiction) {
        memcpy(draft->contradiction, text, sizeof text);
    }
}

/* What cannot be true whatever the file says of hydrogens. */
static enum berth_status check_geometry(struct draft *draft, struct berth_error *error)
{
    char text[BERTH_CONTRADICTION_SIZE];
    BERTH_TRY(berth_contradiction_find(&draft->molecule, text, error));
    if (*text) {
        draft->differences += 2;
        memcpy(draft->contradiction, text, sizeof text);
    }
    return BERTH_OK;
}

/* Open Babel must have kept the heavy atoms, in their order. */
static enum berth_status compare(const struct berth_structure *structure, struct draft *draft,
                                 struct berth_error *error)
{
    const double *origin = structure->atoms[0].position;
    const size_t heavy =
        berth_residue_heavy_count(structure, (struct berth_span){0, structure->count});
    size_t number = 0;
    for (size_t i = 0; i < structure->count; i++) {
        if (berth_is_hydrogen(&structure->atoms[i])) {
            continue;
        }
        bool same = number < draft->molecule.atom_count && draft->molecule.atoms[number].heavy;
        for (int k = 0; same && k < 3; k++) {
            same = fabs(structure->atoms[i].position[k] - origin[k] -
                        draft->molecule.atoms[number].position[k]) < ROUNDING;
        }
        if (!same) {
            return berth_fail(error, BERTH_E_IO,
                              "Open Babel moved or lost heavy atom %zu; give SMILES, SDF or Mol2",
                              number + 1);
        }
        if (heavy < structure->count) { /* without hydrogens, the file says nothing about them */
            compare_atom(structure, i, number, draft);
        }
        number++;
    }
    if (number != berth_heavy_count(&draft->molecule)) {
        return berth_fail(error, BERTH_E_IO, "Open Babel added heavy atoms");
    }
    return check_geometry(draft, error);
}

/* Who perceives, and from what. */
enum way { BERTH_HEAVY, OPENBABEL_ALL, OPENBABEL_HEAVY, WAYS };

/* The record that is perceived; *found is false where there is none. */
static enum berth_status perceive_record(const struct berth_structure *structure, enum way way,
                                         double limit, struct berth_bytes *raw, bool *found,
                                         struct berth_error *error)
{
    if (way == BERTH_HEAVY) {
        return berth_perception_sdf(structure, raw, found, error);
    }
    const char *const options[] = {"-osdf", way == OPENBABEL_ALL ? "-d" : NULL, NULL};
    struct berth_bytes pdb = {0};
    *found = true;
    berth_perception_pdb(structure, way == OPENBABEL_ALL, &pdb);
    const enum berth_status status = convert("pdb", options, &pdb, limit, raw, error);
    berth_bytes_clear(&pdb);
    return status;
}

static enum berth_status perceive(const struct berth_structure *structure, enum way way,
                                  double limit, struct draft *draft, struct berth_error *error)
{
    static const char *const ADD_HYDROGENS[] = {"-omol2", "-h", NULL};
    const struct berth_openbabel_job add_hydrogens = {
        .format = "sdf", .options = ADD_HYDROGENS, .input = &draft->sdf, .limit = limit};
    struct berth_bytes raw = {0};
    bool found;
    memset(draft, 0, sizeof *draft);
    enum berth_status status = perceive_record(structure, way, limit, &raw, &found, error);
    if (!status && !found) {
        draft->differences = SIZE_MAX;
        return BERTH_OK;
    }
    BERTH_THEN(rewrite(&raw, NULL, &draft->sdf, error));
    BERTH_THEN(berth_openbabel_molecule(&add_hydrogens, &draft->molecule, error));
    BERTH_THEN(compare(structure, draft, error));
    berth_bytes_clear(&raw);
    return status;
}

/* The best of all ways to perceive: the first of equals, which is Open Babel's where hydrogens say
 * what there is, else berth's. */
static enum berth_status perceive_best(const struct berth_structure *structure, double limit,
                                       struct draft *best, struct berth_error *error)
{
    static const enum way WITH[WAYS] = {OPENBABEL_ALL, BERTH_HEAVY, OPENBABEL_HEAVY};
    static const enum way WITHOUT[WAYS] = {BERTH_HEAVY, OPENBABEL_ALL, OPENBABEL_HEAVY};
    const enum way *ways = berth_perception_full(structure) ? WITH : WITHOUT;
    enum berth_status status = perceive(structure, ways[0], limit, best, error);
    for (size_t i = 1; !status && i < WAYS && best->differences; i++) {
        struct draft other;
        status = perceive(structure, ways[i], limit, &other, error);
        if (!status && other.differences < best->differences) {
            const struct draft worse = *best;
            *best = other;
            other = worse;
        }
        draft_clear(&other);
    }
    return status;
}

/* --- What is charged --- */

/* True for an atom with a single bond alone, to one that has a double bond to an oxygen. */
static bool is_acid(const struct berth_molecule *graph, size_t atom)
{
    size_t bonds = 0, middle = SIZE_MAX;
    bool single = false, doubled = false;
    for (size_t i = 0; i < graph->bond_count; i++) {
        const struct berth_bond *bond = &graph->bonds[i];
        if (bond->first == atom || bond->second == atom) {
            bonds++;
            single = strcmp(bond->type, "1") == 0;
            middle = bond->first == atom ? bond->second : bond->first;
        }
    }
    for (size_t i = 0; i < graph->bond_count; i++) {
        const struct berth_bond *bond = &graph->bonds[i];
        const size_t other = bond->first == middle ? bond->second : bond->first;
        doubled =
            doubled || ((bond->first == middle || bond->second == middle) &&
                        graph->atoms[other].element == OXYGEN && strcmp(bond->type, "2") == 0);
    }
    return bonds == 1 && single && doubled;
}

/* Charges the acids of a record whose heavy atoms are the structure's.  PDBQT has the hydrogens of
 * oxygens: an acid without is an ion, and none of its bonds a rotor. */
static enum berth_status charge_acids(const struct berth_structure *structure,
                                      struct berth_bytes *sdf, struct berth_error *error)
{
    static const char END[] = "\nM  END";
    struct berth_molecule graph;
    struct berth_bytes charged = {0};
    size_t end = 0;
    BERTH_TRY(berth_molfile_read((const char *)sdf->data, sdf->count, &graph, error));
    while (end + sizeof END <= sdf->count && memcmp(sdf->data + end, END, sizeof END - 1) != 0) {
        end++;
    }
    berth_bytes_put(&charged, sdf->data, end);
    for (size_t i = 0, heavy = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const size_t number = heavy;
        heavy += !berth_is_hydrogen(atom);
        if (atom->element == OXYGEN && atom->accepts && !berth_hydrogens_on(structure, i) &&
            is_acid(&graph, number)) {
            char line[32];
            snprintf(line, sizeof line, "\nM  CHG  1 %3zu  -1", number + 1);
            berth_bytes_put(&charged, line, strlen(line));
        }
    }
    berth_bytes_put(&charged, sdf->data + end, sdf->count - end);
    berth_molecule_clear(&graph);
    berth_bytes_clear(sdf);
    *sdf = charged;
    return sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* --- What is asked for --- */

/* The perceived record of best quality, with its atoms where the structure has them. */
static enum berth_status perceive_bonds(const struct berth_structure *structure, double limit,
                                        struct berth_bytes *sdf, struct berth_error *error)
{
    struct draft draft = {0};
    enum berth_status status = perceive_best(structure, limit, &draft, error);
    if (!status && *draft.contradiction) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "perception of bonds contradicts the file: %s; give the SMILES "
                            "(in PDB and PDBQT, a line `REMARK SMILES ...` will do), or SDF",
                            draft.contradiction);
    }
    double(*positions)[3] = NULL;
    BERTH_THEN(berth_make(&positions, structure->count, sizeof *positions, NULL, error));
    for (size_t i = 0, heavy = 0; !status && i < structure->count; i++) {
        if (!berth_is_hydrogen(&structure->atoms[i])) {
            memcpy(positions[heavy++], structure->atoms[i].position, sizeof *positions);
        }
    }
    BERTH_THEN(rewrite(&draft.sdf, (const double(*)[3])positions, sdf, error));
    BERTH_THEN(charge_acids(structure, sdf, error));
    free(positions);
    draft_clear(&draft);
    return status;
}

/* The bonds of the molecule must be as long as bonds are, with its atoms at positions. */
static enum berth_status check_places(const struct berth_molecule *molecule,
                                      const double (*positions)[3], size_t count,
                                      struct berth_error *error)
{
    if (molecule->atom_count != count) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "REMARK SMILES has %zu atoms, REMARK SMILES IDX places %zu",
                          molecule->atom_count, count);
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (berth_distance_squared(positions[bond->first], positions[bond->second]) >
            LONGEST_BOND * LONGEST_BOND) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "atoms %zu and %zu of its REMARK SMILES are bonded, and lie apart in "
                              "the file",
                              bond->first + 1, bond->second + 1);
        }
    }
    return BERTH_OK;
}

/* The SMILES as SDF without coordinates, its atoms in its order, and as a graph; heavy: without
 * hydrogens that are atoms of it. */
static enum berth_status read_smiles(const char *smiles, bool heavy, double limit,
                                     struct berth_bytes *sdf, struct berth_molecule *graph,
                                     struct berth_error *error)
{
    const char *const options[] = {"-osdf", heavy ? "-d" : NULL, NULL};
    struct berth_bytes text = {0};
    berth_bytes_put(&text, smiles, strlen(smiles));
    berth_bytes_put8(&text, '\n');
    enum berth_status status = convert("smi", options, &text, limit, sdf, error);
    BERTH_THEN(berth_molfile_read((const char *)sdf->data, sdf->count, graph, error));
    berth_bytes_clear(&text);
    return status;
}

/* Which atom of `to`, where it stands, each atom of the SMILES (graph `from`) is: *places, [atoms],
 * owned by the caller.  Their stereo, as far as they say it, is to be that of the place. */
static enum berth_status match_smiles(const char *smiles, const struct berth_molecule *from,
                                      const struct berth_molecule *to, size_t **places,
                                      struct berth_error *error)
{
    struct berth_stereo stereo = {0};
    struct berth_matches matches = {0};
    size_t atoms = 0;
    bool agrees = true;
    enum berth_status status = berth_smiles_check(smiles, strlen(smiles), error);
    BERTH_THEN(berth_make(places, from->atom_count, sizeof **places, NULL, error));
    BERTH_THEN(berth_matches_find(from, to, &matches, error));
    if (!status && !matches.count) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "the %zu heavy atoms and their bonds are not those of the SMILES, "
                            "which has %zu",
                            to->atom_count, from->atom_count);
    }
    BERTH_THEN(berth_smiles_stereo(smiles, &stereo, &atoms, error));
    if (!status) {
        memcpy(*places, matches.atoms, from->atom_count * sizeof **places);
    }
    if (!status && stereo.count && atoms == from->atom_count) {
        status = berth_stereo_compare(from, &stereo, to, &agrees, *places, error);
    }
    if (!status && !agrees) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "the SMILES is of another stereoisomer than stands there: at a centre "
                            "(@, @@) or double bond (/, \\) it says what the coordinates "
                            "contradict; write it without these marks to have what stands there");
    }
    berth_stereo_clear(&stereo);
    berth_matches_clear(&matches);
    return status;
}

enum berth_status berth_bond_orders_place(const char *smiles, const double (*positions)[3],
                                          size_t count, double limit, struct berth_bytes *sdf,
                                          struct berth_error *error)
{
    struct berth_bytes flat = {0};
    struct berth_molecule graph = {0};
    size_t *places = NULL;
    enum berth_status status = read_smiles(smiles, false, limit, &flat, &graph, error);
    BERTH_THEN(check_places(&graph, positions, count, error));
    for (size_t i = 0; !status && i < count; i++) {
        memcpy(graph.atoms[i].position, positions[i], sizeof *positions);
    }
    BERTH_THEN(match_smiles(smiles, &graph, &graph, &places, error));
    free(places);
    BERTH_THEN(rewrite(&flat, positions, sdf, error));
    berth_molecule_clear(&graph);
    berth_bytes_clear(&flat);
    return status;
}

/* The record of the SMILES, its atoms where the structure has them: by which of the structure's
 * atoms are near enough to be bonded, which says nothing of orders. */
static enum berth_status lay_smiles(const struct berth_structure *structure, const char *smiles,
                                    double limit, struct berth_bytes *sdf,
                                    struct berth_error *error)
{
    struct berth_bytes flat = {0};
    struct berth_molecule from = {0}, to = {0};
    size_t *places = NULL;
    double(*positions)[3] = NULL;
    enum berth_status status = berth_plain_molecule(structure, &to, error);
    BERTH_THEN(read_smiles(smiles, true, limit, &flat, &from, error));
    BERTH_THEN(match_smiles(smiles, &from, &to, &places, error));
    BERTH_THEN(berth_make(&positions, from.atom_count, sizeof *positions, NULL, error));
    for (size_t i = 0; !status && i < from.atom_count; i++) {
        memcpy(positions[i], to.atoms[places[i]].position, sizeof *positions);
    }
    BERTH_THEN(rewrite(&flat, (const double(*)[3])positions, sdf, error));
    free(positions);
    free(places);
    berth_molecule_clear(&from);
    berth_molecule_clear(&to);
    berth_bytes_clear(&flat);
    return status;
}

enum berth_status berth_bond_orders_find(const struct berth_structure *structure,
                                         const char *smiles, double limit, struct berth_bytes *sdf,
                                         struct berth_error *error)
{
    return smiles ? lay_smiles(structure, smiles, limit, sdf, error)
                  : perceive_bonds(structure, limit, sdf, error);
}

enum berth_status berth_bond_orders_molecule(const struct berth_structure *structure,
                                             const char *smiles, double limit,
                                             struct berth_molecule *molecule,
                                             struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-omol2", "-p", BERTH_PH_TEXT, NULL};
    struct berth_bytes sdf = {0};
    const struct berth_openbabel_job job = {
        .format = "sdf", .options = OPTIONS, .input = &sdf, .limit = limit};
    enum berth_status status = berth_bond_orders_find(structure, smiles, limit, &sdf, error);
    BERTH_THEN(berth_openbabel_molecule(&job, molecule, error));
    BERTH_THEN(berth_perception_restore(structure, (const double[3]){0}, molecule, error));
    berth_bytes_clear(&sdf);
    return status;
}

/* True for a molecule whose bonds have orders, so that its hydrogens follow from them. */
static bool has_orders(const struct berth_molecule *molecule)
{
    bool has = molecule->atom_count && molecule->atom_count < V2000_ATOMS;
    for (size_t i = 0; has && i < molecule->bond_count; i++) {
        has = strcmp(molecule->bonds[i].type, "ar") != 0;
    }
    return has;
}

/* Appends the bonds between atoms that have a number, and these atoms' charges; *count: bonds. */
static void put_bonds(const struct berth_molecule *molecule, const size_t *numbers,
                      struct berth_bytes *text, size_t *count)
{
    char line[64];
    *count = 0;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (numbers[bond->first] && numbers[bond->second]) {
            ++*count;
            snprintf(line, sizeof line, "%3zu%3zu%3s  0  0  0  0\n", numbers[bond->first],
                     numbers[bond->second], bond->type);
            berth_bytes_put(text, line, strlen(line));
        }
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (numbers[i] && molecule->atoms[i].charge) {
            snprintf(line, sizeof line, "M  CHG  1 %3zu %3d\n", numbers[i],
                     molecule->atoms[i].charge);
            berth_bytes_put(text, line, strlen(line));
        }
    }
}

/* Appends the molecule's heavy atoms, the bonds between them and their charges. */
static enum berth_status put_heavy(const struct berth_molecule *molecule, struct berth_bytes *sdf,
                                   struct berth_error *error)
{
    struct berth_bytes atoms = {0}, bonds = {0};
    size_t *numbers, heavy = 0, bonded;
    char line[64];
    BERTH_TRY(berth_make(&numbers, molecule->atom_count + 1, sizeof *numbers, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        numbers[i] = atom->heavy ? ++heavy : 0;
        if (atom->heavy) {
            put_atom(atom->position, atom->type, &atoms);
        }
    }
    put_bonds(molecule, numbers, &bonds, &bonded);
    snprintf(line, sizeof line, "%3zu%3zu  0  0  0  0  0  0  0  0999 V2000\n", heavy, bonded);
    berth_bytes_put(sdf, HEAD, sizeof HEAD - 1);
    berth_bytes_put(sdf, line, strlen(line));
    berth_bytes_put(sdf, atoms.data, atoms.count);
    berth_bytes_put(sdf, bonds.data, bonds.count);
    berth_bytes_put(sdf, TAIL, sizeof TAIL - 1);
    const bool failed = atoms.failed || bonds.failed || sdf->failed;
    berth_bytes_clear(&atoms);
    berth_bytes_clear(&bonds);
    free(numbers);
    return failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Of SDF that says all, the one molecule; *found is false for another file. */
static enum berth_status read_whole(const char *path, struct berth_bytes *sdf, bool *found,
                                    struct berth_error *error)
{
    struct berth_molecule molecule;
    struct berth_record record;
    BERTH_TRY(berth_record_read_one(path, BERTH_RECORD_SDF, &record, error));
    const char *text = (const char *)record.text.data;
    enum berth_status status = berth_molfile_check(text, record.text.count, error);
    BERTH_THEN(berth_molfile_read(text, record.text.count, &molecule, error));
    if (!status) {
        *found = has_orders(&molecule);
        status = *found ? put_heavy(&molecule, sdf, error) : BERTH_OK;
        berth_molecule_clear(&molecule);
    }
    berth_record_clear(&record);
    return status;
}

enum berth_status berth_bond_orders_read(const char *path, const char *format, double limit,
                                         struct berth_bytes *sdf, struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-osdf", "-d", NULL};
    struct berth_bytes text = {0}, raw = {0};
    bool found = false;
    enum berth_status status = berth_record_kind_of(format) == BERTH_RECORD_SDF
                                   ? read_whole(path, sdf, &found, error)
                                   : BERTH_OK;
    if (found || status) {
        return status;
    }
    status = berth_input_read_all(path, NULL, &text, error);
    BERTH_THEN(convert(format, OPTIONS, &text, limit, &raw, error));
    BERTH_THEN(rewrite(&raw, NULL, sdf, error));
    berth_bytes_clear(&text);
    berth_bytes_clear(&raw);
    return status;
}
