#include "eval/validity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chem/residue_types.h"

/* Å about a pose: what of the receptor its checks ask for. */
#define MARGIN 7.0

/* Seconds of processor time for a pose. */
static const double LIMIT = 300;

const char *const BERTH_VALIDITY_CHECK[BERTH_VALIDITY_CHECKS] = {
    "chemistry",       "connected",      "no_radicals",       "stereo",          "bond_lengths",
    "bond_angles",     "internal_clash", "aromatic_rings",    "saturated_rings", "double_bonds",
    "internal_energy", "in_receptor",    "receptor_distance", "receptor_overlap"};

const char *const BERTH_VALIDITY_FIGURE[BERTH_VALIDITY_FIGURES] = {
    "worst_bond",   "worst_angle",      "nearest_internal", "aromatic_plane", "double_bond_plane",
    "energy_ratio", "nearest_distance", "nearest_ratio",    "overlap"};

/* What an atom's residue is to the checks, by number: tools/rdkit/validity.py has the list. */
enum kind { PROTEIN, COFACTOR, INORGANIC, WATER };

static enum kind kind_of(const struct berth_atom *atom, const struct berth_residue_id *residue)
{
    const struct berth_residue_type *type = berth_residue_type_find(residue->name);
    if (berth_is_metal(atom->element) || atom->element == CHLORINE || atom->element == BROMINE ||
        berth_text_lists("FES MOS PO3 PO4 PPK SO3 SO4 VO4", ' ', residue->name)) {
        return INORGANIC;
    }
    return berth_is_water_name(residue->name) ? WATER
           : type && type->kind != BERTH_RESIDUE_OTHER && type->kind != BERTH_RESIDUE_COFACTOR
               ? PROTEIN
               : COFACTOR;
}

static bool is_near(const struct berth_molecule *pose, const double at[3])
{
    for (size_t i = 0; i < pose->atom_count; i++) {
        if (berth_distance_squared(pose->atoms[i].position, at) < MARGIN * MARGIN) {
            return true;
        }
    }
    return false;
}

/* The receptor's atoms about the pose, but those of the residue that it is bonded to: 3 doubles,
 * atomic number, kind. */
static void put_receptor(const struct berth_complex *complex, const struct berth_molecule *pose,
                         struct berth_bytes *bytes)
{
    const struct berth_receptor *receptor = &complex->receptor;
    for (size_t i = 0; i < receptor->molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor->molecule.atoms[i];
        if ((complex->held && complex->held[i]) || !is_near(pose, atom->position)) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            uint64_t bits;
            memcpy(&bits, &atom->position[k], sizeof bits);
            berth_bytes_put64(bytes, bits);
        }
        berth_bytes_put8(bytes, (uint8_t)atom->element);
        berth_bytes_put8(bytes, (uint8_t)kind_of(atom, &receptor->residues[atom->residue_id - 1]));
    }
}

/* The number behind "name=" in lines of text; NAN where it is not there. */
static double value_of(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == '=') {
            return strtod(line + length + 1, NULL);
        }
    }
    return NAN;
}

static void take_answer(const char *text, struct berth_validity *validity)
{
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        const double value = value_of(text, BERTH_VALIDITY_CHECK[i]);
        validity->passes[i] = isnan(value) ? -1 : value > 0;
    }
    for (size_t i = 0; i < BERTH_VALIDITY_FIGURES; i++) {
        validity->figures[i] = value_of(text, BERTH_VALIDITY_FIGURE[i]);
    }
}

enum berth_status berth_validity_check(struct berth_worker *worker,
                                       const struct berth_complex *complex,
                                       const struct berth_read_pose *pose, size_t conformers,
                                       struct berth_validity *validity, struct berth_error *error)
{
    struct berth_bytes options = {0}, receptor = {0};
    double used = 0;
    const char *smiles = berth_pose_tag(pose, "smiles");
    berth_bytes_print(&options, "conformers=%zu\nsmiles=%s", conformers, smiles);
    put_receptor(complex, &pose->molecule, &receptor);
    const struct berth_request request = {
        .fields = {{"validate", 8},
                   {options.data, options.count},
                   {pose->record.text.data, pose->record.text.count},
                   {receptor.data, receptor.count}},
        .count = 4,
        .limit = LIMIT,
        .used = &used};
    struct berth_answer answer = {0};
    const enum berth_status status = options.failed || receptor.failed
                                         ? berth_out_of_memory(error, NULL)
                                         : berth_worker_ask(worker, &request, &answer, error);
    take_answer(status || answer.count < 2 ? "" : answer.fields[1].data, validity);
    berth_answer_clear(&answer);
    berth_bytes_clear(&options);
    berth_bytes_clear(&receptor);
    return status;
}

bool berth_validity_holds(const struct berth_validity *validity)
{
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        if (!validity->passes[i]) {
            return false;
        }
    }
    return true;
}
