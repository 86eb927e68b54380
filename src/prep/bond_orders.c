#include "prep/bond_orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "format/mol2/mol2.h"
#include "format/sdf/sdf.h"
#include "prep/contradiction.h"
#include "prep/openbabel.h"
#include "prep/perception.h"
#include "chem/rmsd.h"
#include "chem/geometry.h"

/* Å: a hydrogen is bonded to what is nearer; coordinates that Open Babel has rounded are equal
 * within. */
#define HYDROGEN_BOND 1.3
#define ROUNDING      0.002

/* Å: no two atoms of a ligand that are bonded are further apart. */
#define LONGEST_BOND 2.6

enum { NITROGEN = 7 };

static enum berth_status convert(const char *format, const char *const *options,
                                 const struct berth_bytes *input, double limit,
                                 struct berth_bytes *output, struct berth_error *error)
{
    if (input->failed) {
        return berth_out_of_memory(error, NULL);
    }
    const struct berth_openbabel_job job = {.format = format,
                                            .options = options,
                                            .input = input->data,
                                            .input_size = input->count,
                                            .limit = limit};
    return berth_openbabel_run(&job, output, error);
}

/* The SDF record as a molecule; hydrogens: with those that its valences ask for, behind the others.
 */
static enum berth_status molecule_of(const struct berth_bytes *sdf, bool hydrogens, double limit,
                                     struct berth_molecule *molecule, struct berth_error *error)
{
    const char *const options[] = {"-omol2", hydrogens ? "-h" : NULL, NULL};
    struct berth_bytes text = {0};
    struct berth_mol2_reader *reader = NULL;
    bool end = false;
    enum berth_status status = convert("sdf", options, sdf, limit, &text, error);
    BERTH_THEN(berth_mol2_reader_create_memory("Open Babel's output", text.data, text.count,
                                               &reader, error));
    BERTH_THEN(berth_mol2_next(reader, molecule, &end, error));
    if (!status && end) {
        status = berth_fail(error, BERTH_E_IO, "Open Babel gave no molecule");
    }
    berth_mol2_reader_destroy(reader);
    berth_bytes_clear(&text);
    return status;
}

/* --- SDF --- */

/* Copies the line at `from` and returns where the next one starts, NULL at the end. */
static const char *take_line(const char *from, const char *end, char *line, size_t size)
{
    const char *stop = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
    if (!stop) {
        return NULL;
    }
    snprintf(line, size, "%.*s", (int)(stop - from), from);
    return stop + 1;
}

/* Writes the SDF record anew, as 3D, without the valences that Open Babel puts beside atoms whose
 * hydrogens it has seen, and with the atoms at positions (NULL: where they are; Å, about origin).
 */
static enum berth_status rewrite(const struct berth_bytes *from, const double (*positions)[3],
                                 const double origin[3], struct berth_bytes *to,
                                 struct berth_error *error)
{
    static const char HEAD[] = "x\n  berth             3D\n\n"; /* "3D" in columns 21 and 22 */
    const char *at = (const char *)from->data, *end = at + from->count;
    char line[256], out[128];
    for (int i = 0; at && i < 3; i++) {
        at = take_line(at, end, line, sizeof line);
    }
    at = at ? take_line(at, end, line, sizeof line) : NULL;
    size_t atoms = 0;
    if (!at || sscanf(line, "%3zu", &atoms) != 1 || !strstr(line, "V2000")) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "Open Babel gave no SDF record of less than 1000 atoms");
    }
    berth_bytes_put(to, HEAD, sizeof HEAD - 1);
    berth_bytes_put(to, line, strlen(line));
    berth_bytes_put8(to, '\n');
    for (size_t i = 0; i < atoms; i++) {
        double place[3];
        char symbol[4];
        at = take_line(at, end, line, sizeof line);
        if (!at || sscanf(line, "%lf %lf %lf %3s", &place[0], &place[1], &place[2], symbol) != 4) {
            return berth_fail(error, BERTH_E_FORMAT, "Open Babel gave an SDF record cut short");
        }
        for (int k = 0; positions && k < 3; k++) {
            place[k] = positions[i][k] - origin[k];
        }
        snprintf(out, sizeof out, "%10.4f%10.4f%10.4f %-3s 0  0  0  0  0  0  0  0  0  0  0  0\n",
                 place[0], place[1], place[2], symbol);
        berth_bytes_put(to, out, strlen(out));
    }
    berth_bytes_put(to, at, (size_t)(end - at));
    return to->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

static const double ZERO[3] = {0, 0, 0};

/* Appends a record without its title, which is nobody's. */
static void put_untitled(const struct berth_bytes *record, struct berth_bytes *sdf)
{
    const unsigned char *end = memchr(record->data, '\n', record->count);
    if (end) {
        berth_bytes_put(sdf, end, record->count - (size_t)(end - record->data));
    }
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

/* Hydrogens on an atom, by the structure's distances. */
static size_t hydrogens_in_file(const struct berth_structure *structure, size_t atom)
{
    size_t count = 0;
    for (size_t i = 0; i < structure->count; i++) {
        count +=
            berth_is_hydrogen(&structure->atoms[i]) &&
            berth_distance_squared(structure->atoms[i].position, structure->atoms[atom].position) <
                HYDROGEN_BOND * HYDROGEN_BOND;
    }
    return count;
}

static size_t hydrogens_perceived(const struct berth_molecule *molecule, size_t atom)
{
    size_t count = 0;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        count += (bond->first == atom && molecule->atoms[bond->second].element == 1) ||
                 (bond->second == atom && molecule->atoms[bond->first].element == 1);
    }
    return count;
}

/* Holds one atom of the draft (number: of the molecule) against the file's (atom).  A nitrogen that
 * has more hydrogens in the file may just be protonated; one that has fewer cannot be what was
 * perceived, and no aromatic carbon is sp3. */
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
    } else if (from->element == NITROGEN) {
        const size_t there = hydrogens_in_file(structure, atom);
        const size_t here = hydrogens_perceived(&draft->molecule, number);
        draft->differences += there > here ? there - here : here - there;
        if (here > there) {
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
    const enum berth_status status = berth_contradiction_find(&draft->molecule, text, error);
    if (!status && *text) {
        draft->differences += 2;
        memcpy(draft->contradiction, text, sizeof text);
    }
    return status;
}

/* Open Babel must have kept the heavy atoms, in their order. */
static enum berth_status compare(const struct berth_structure *structure, struct draft *draft,
                                 struct berth_error *error)
{
    const double *origin = structure->atoms[0].position;
    bool hydrogens = false;
    for (size_t i = 0; i < structure->count; i++) {
        hydrogens = hydrogens || berth_is_hydrogen(&structure->atoms[i]);
    }
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
            return berth_fail(error, BERTH_E_IO, "Open Babel moved or lost heavy atom %zu",
                              number + 1);
        }
        if (hydrogens) { /* without any, the file says nothing about them */
            compare_atom(structure, i, number, draft);
        }
        number++;
    }
    if (number != berth_heavy_count(&draft->molecule)) {
        return berth_fail(error, BERTH_E_IO, "Open Babel added heavy atoms");
    }
    return check_geometry(draft, error);
}

static enum berth_status perceive(const struct berth_structure *structure, bool hydrogens,
                                  double limit, struct draft *draft, struct berth_error *error)
{
    const char *const options[] = {"-osdf", hydrogens ? "-d" : NULL, NULL};
    struct berth_bytes pdb = {0}, raw = {0};
    memset(draft, 0, sizeof *draft);
    berth_perception_pdb(structure, hydrogens, &pdb);
    enum berth_status status = convert("pdb", options, &pdb, limit, &raw, error);
    BERTH_THEN(rewrite(&raw, NULL, NULL, &draft->sdf, error));
    BERTH_THEN(molecule_of(&draft->sdf, true, limit, &draft->molecule, error));
    BERTH_THEN(compare(structure, draft, error));
    berth_bytes_clear(&pdb);
    berth_bytes_clear(&raw);
    return status;
}

/* The better of both ways to perceive. */
static enum berth_status perceive_best(const struct berth_structure *structure, double limit,
                                       struct draft *best, struct berth_error *error)
{
    struct draft other;
    enum berth_status status = perceive(structure, true, limit, best, error);
    if (!status) {
        status = perceive(structure, false, limit, &other, error);
        if (!status && other.differences < best->differences) {
            draft_clear(best);
            *best = other;
        } else {
            draft_clear(&other);
        }
    }
    return status;
}

/* --- What is asked for --- */

/* The draft's heavy atoms, which come first and lie in the structure's order, at its positions. */
static void take_graph(const struct berth_structure *structure, struct berth_molecule *molecule)
{
    size_t heavy = 0, bonds = 0;
    for (size_t i = 0; i < structure->count; i++) {
        if (!berth_is_hydrogen(&structure->atoms[i])) {
            memcpy(molecule->atoms[heavy++].position, structure->atoms[i].position,
                   sizeof molecule->atoms->position);
        }
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        if (molecule->bonds[i].first < heavy && molecule->bonds[i].second < heavy) {
            molecule->bonds[bonds++] = molecule->bonds[i];
        }
    }
    molecule->atom_count = heavy;
    molecule->bond_count = bonds;
}

/* Puts the template's bonds (an SDF record without coordinates) on the atoms of the graph. */
static enum berth_status lay_template(const struct berth_bytes *template_sdf,
                                      const struct berth_molecule *template_graph,
                                      struct berth_bonded_ligand *bonded, struct berth_error *error)
{
    struct berth_matches matches;
    enum berth_status status = berth_matches_find(template_graph, &bonded->graph, &matches, error);
    if (status) {
        return status;
    }
    const size_t count = template_graph->atom_count;
    double(*positions)[3] = berth_alloc(count, sizeof *positions);
    if (!matches.count) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "the %zu heavy atoms and their bonds are not those of the SMILES, "
                            "which has %zu",
                            bonded->graph.atom_count, count);
    } else if (!positions) {
        status = berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; !status && i < count; i++) {
        memcpy(positions[i], bonded->graph.atoms[matches.atoms[i]].position, sizeof *positions);
    }
    if (!status) {
        memcpy(bonded->origin, positions[0], sizeof bonded->origin);
        status =
            rewrite(template_sdf, (const double(*)[3])positions, positions[0], &bonded->sdf, error);
    }
    free(positions);
    berth_matches_clear(&matches);
    return status;
}

/* The SMILES as SDF without coordinates, its atoms in its order. */
static enum berth_status smiles_to_sdf(const char *smiles, double limit, struct berth_bytes *sdf,
                                       struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-osdf", NULL};
    struct berth_bytes text = {0};
    berth_bytes_put(&text, smiles, strlen(smiles));
    berth_bytes_put8(&text, '\n');
    const enum berth_status status = convert("smi", OPTIONS, &text, limit, sdf, error);
    berth_bytes_clear(&text);
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

enum berth_status berth_bond_orders_place(const char *smiles, const double (*positions)[3],
                                          size_t count, double limit, struct berth_bytes *sdf,
                                          struct berth_error *error)
{
    struct berth_bytes flat = {0}, placed = {0};
    struct berth_molecule molecule = {0};
    enum berth_status status = smiles_to_sdf(smiles, limit, &flat, error);
    BERTH_THEN(berth_molfile_read((const char *)flat.data, flat.count, &molecule, error));
    BERTH_THEN(check_places(&molecule, positions, count, error));
    BERTH_THEN(rewrite(&flat, positions, ZERO, &placed, error));
    if (!status) {
        put_untitled(&placed, sdf);
        status = sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    }
    berth_molecule_clear(&molecule);
    berth_bytes_clear(&flat);
    berth_bytes_clear(&placed);
    return status;
}

static enum berth_status take_smiles(const char *smiles, double limit,
                                     struct berth_bonded_ligand *bonded, struct berth_error *error)
{
    struct berth_bytes sdf = {0};
    struct berth_molecule graph = {0};
    enum berth_status status = smiles_to_sdf(smiles, limit, &sdf, error);
    BERTH_THEN(molecule_of(&sdf, false, limit, &graph, error));
    BERTH_THEN(lay_template(&sdf, &graph, bonded, error));
    berth_molecule_clear(&graph);
    berth_bytes_clear(&sdf);
    return status;
}

enum berth_status berth_bond_orders_find(const struct berth_structure *structure,
                                         const char *smiles, double limit,
                                         struct berth_bonded_ligand *bonded,
                                         struct berth_error *error)
{
    struct draft draft = {0};
    memset(bonded, 0, sizeof *bonded);
    enum berth_status status = perceive_best(structure, limit, &draft, error);
    if (!status && !smiles && *draft.contradiction) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "perception of bonds contradicts the file: %s; give the SMILES "
                            "(in PDB and PDBQT, a line `REMARK SMILES ...` will do), or SDF",
                            draft.contradiction);
    }
    if (!status) {
        bonded->graph = draft.molecule;
        memset(&draft.molecule, 0, sizeof draft.molecule);
        take_graph(structure, &bonded->graph);
        memcpy(bonded->origin, structure->atoms[0].position, sizeof bonded->origin);
    }
    if (!status && smiles) {
        status = take_smiles(smiles, limit, bonded, error);
    } else if (!status) {
        bonded->sdf = draft.sdf;
        memset(&draft.sdf, 0, sizeof draft.sdf);
    }
    draft_clear(&draft);
    if (status) {
        berth_bonded_ligand_clear(bonded);
    }
    return status;
}

enum berth_status berth_bond_orders_read(const char *path, const char *format, double limit,
                                         struct berth_bonded_ligand *bonded,
                                         struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-osdf", "-d", NULL};
    struct berth_bytes text = {0}, raw = {0};
    memset(bonded, 0, sizeof *bonded);
    enum berth_status status = berth_input_read_all(path, NULL, &text, error);
    BERTH_THEN(convert(format, OPTIONS, &text, limit, &raw, error));
    BERTH_THEN(rewrite(&raw, NULL, NULL, &bonded->sdf, error));
    BERTH_THEN(molecule_of(&bonded->sdf, false, limit, &bonded->graph, error));
    berth_bytes_clear(&text);
    berth_bytes_clear(&raw);
    if (status) {
        berth_bonded_ligand_clear(bonded);
    }
    return status;
}

enum berth_status berth_bonded_ligand_put(const struct berth_bonded_ligand *bonded,
                                          struct berth_bytes *sdf, struct berth_error *error)
{
    struct berth_bytes placed = {0};
    struct berth_molecule molecule;
    enum berth_status status =
        berth_molfile_read((const char *)bonded->sdf.data, bonded->sdf.count, &molecule, error);
    double(*positions)[3] = status ? NULL : berth_alloc(molecule.atom_count, sizeof *positions);
    if (!status && !positions) {
        status = berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; !status && i < molecule.atom_count; i++) {
        for (int k = 0; k < 3; k++) {
            positions[i][k] = molecule.atoms[i].position[k] + bonded->origin[k];
        }
    }
    BERTH_THEN(rewrite(&bonded->sdf, (const double(*)[3])positions, ZERO, &placed, error));
    if (!status) {
        put_untitled(&placed, sdf);
        status = sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    }
    free(positions);
    berth_molecule_clear(&molecule);
    berth_bytes_clear(&placed);
    return status;
}

void berth_bonded_ligand_clear(struct berth_bonded_ligand *bonded)
{
    berth_bytes_clear(&bonded->sdf);
    berth_molecule_clear(&bonded->graph);
}
