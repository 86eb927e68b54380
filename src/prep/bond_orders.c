#include "prep/bond_orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/facts.h"
#include "chem/residue_types.h"
#include "prep/worker_molecule.h"

/* Seconds for a molecule where nobody says. */
#define LIMIT 60.0

enum { ATOMS_MAX = 999 }; /* heavy ones, of a record of SDF V2000 */

/* --- The worker --- */

void berth_bond_finder_clear(struct berth_bond_finder *finder)
{
    berth_worker_destroy(finder->worker);
    finder->worker = NULL;
}

static enum berth_status start(struct berth_bond_finder *finder, struct berth_error *error)
{
    const struct berth_worker_setup setup = {.memory = (size_t)BERTH_WORKER_MEMORY * 1000000,
                                             .cancel = finder->stop};
    if (finder->worker) {
        return BERTH_OK;
    }
    const enum berth_status status =
        berth_python_start(&BERTH_RDKIT, &setup, &finder->rdkit, &finder->worker, error);
    if (status) {
        berth_bond_finder_clear(finder);
    }
    return status;
}

/* Starts it for a molecule's bonds. */
static enum berth_status start_for_bonds(struct berth_bond_finder *finder,
                                         struct berth_error *error)
{
    return start(finder, error)
               ? berth_fail_in(error, "it has no bonds, and RDKit, which perceives them, is not "
                                      "to be had (give SMILES, SDF or Mol2, which have theirs)")
               : BERTH_OK;
}

static double limit_of(const struct berth_bond_finder *finder)
{
    return finder->limit > 0 ? finder->limit : LIMIT;
}

enum berth_status berth_bond_finder_ask(struct berth_bond_finder *finder,
                                        const struct berth_request *request, size_t fields,
                                        struct berth_answer *answer, struct berth_error *error)
{
    struct berth_request limited = *request;
    double used = 0;
    limited.limit = request->limit > 0 ? request->limit : limit_of(finder);
    limited.used = &used;
    BERTH_TRY(start(finder, error));
    BERTH_TRY(berth_worker_ask(finder->worker, &limited, answer, error));
    return answer->count == 1 + fields
               ? BERTH_OK
               : berth_fail(error, BERTH_E_IO, "the RDKit worker does not speak its protocol");
}

/* Asks for so many fields behind the first. */
static enum berth_status ask(struct berth_bond_finder *finder, const struct berth_request *request,
                             size_t fields, struct berth_answer *answer, struct berth_error *error)
{
    BERTH_TRY(start_for_bonds(finder, error));
    return berth_bond_finder_ask(finder, request, fields, answer, error);
}

/* --- A structure, as the worker has it --- */

bool berth_has_all_hydrogens(const struct berth_structure *structure)
{
    for (size_t i = 0; i < structure->count; i++) {
        if (structure->atoms[i].element == CARBON && berth_hydrogens_on(structure, i)) {
            return true;
        }
    }
    return false;
}

static void put_place(struct berth_bytes *bytes, const double position[3])
{
    for (int k = 0; k < 3; k++) {
        berth_bytes_put_double(bytes, position[k]);
    }
}

/* Puts heavy atoms, the bonds that their distances say, and hydrogens:
 *
 *     structure = u32 heavy atoms, u32 bonds, u32 hydrogens, atoms, bonds, places of hydrogens
 *                 (three doubles each, Å), names of the atoms (texts that end with a 0)
 *     atom      = three doubles (its place), u8 element, u8 aromatic, u8 accepts hydrogen bonds
 *     bond      = u16 atom, u16 atom
 *
 * The caller clears *sent.  Errors: BERTH_E_FORMAT (too many atoms), BERTH_E_MEMORY. */
static enum berth_status put_structure(const struct berth_structure *structure,
                                       struct berth_bytes *sent, struct berth_error *error)
{
    struct berth_molecule heavy = {0};
    struct berth_bytes hydrogens = {0}, names = {0};
    const size_t count =
        berth_residue_heavy_count(structure, (struct berth_span){0, structure->count});
    if (count > ATOMS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%zu heavy atoms, of which a file without bonds may have %d: is it a "
                          "ligand, and no receptor?",
                          count, ATOMS_MAX);
    }
    BERTH_TRY(berth_make(&heavy.atoms, structure->count, sizeof *heavy.atoms, NULL, error));
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *from = &structure->atoms[i];
        if (!berth_is_hydrogen(from)) {
            struct berth_atom *atom = &heavy.atoms[heavy.atom_count++];
            atom->element = from->element;
            atom->heavy = true;
            memcpy(atom->position, from->position, sizeof atom->position);
        }
    }
    const enum berth_status status = berth_bonds_by_distance(&heavy, error);
    berth_bytes_put32(sent, (uint32_t)heavy.atom_count);
    berth_bytes_put32(sent, (uint32_t)heavy.bond_count);
    berth_bytes_put32(sent, (uint32_t)(structure->count - heavy.atom_count));
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const bool hydrogen = berth_is_hydrogen(atom);
        put_place(hydrogen ? &hydrogens : sent, atom->position);
        if (!hydrogen) {
            berth_bytes_put8(sent, (uint8_t)atom->element);
            berth_bytes_put8(sent, atom->aromatic);
            berth_bytes_put8(sent, atom->accepts);
            berth_bytes_put_text(&names,
                                 *atom->name ? atom->name : berth_element_symbol(atom->element));
        }
    }
    for (size_t i = 0; i < heavy.bond_count; i++) {
        berth_bytes_put16(sent, (uint16_t)heavy.bonds[i].first);
        berth_bytes_put16(sent, (uint16_t)heavy.bonds[i].second);
    }
    berth_bytes_put(sent, hydrogens.data, hydrogens.count);
    berth_bytes_put(sent, names.data, names.count);
    const bool failed = sent->failed || hydrogens.failed || names.failed;
    berth_bytes_clear(&hydrogens);
    berth_bytes_clear(&names);
    berth_molecule_clear(&heavy);
    return failed ? berth_out_of_memory(error, NULL) : status;
}

static struct berth_field field_of(const struct berth_bytes *bytes)
{
    return (struct berth_field){bytes->data, bytes->count};
}

/* Appends the record of an answer. */
static enum berth_status take_record(const struct berth_answer *answer, struct berth_bytes *sdf,
                                     struct berth_error *error)
{
    berth_bytes_put(sdf, answer->fields[1].data, answer->fields[1].size);
    return sdf->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* --- What is asked for --- */

static enum berth_status lay_smiles(struct berth_bond_finder *finder,
                                    const struct berth_bytes *structure, const char *smiles,
                                    struct berth_bytes *sdf, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_request request = {.fields = {berth_text_field("lay_smiles"),
                                                     berth_text_field(""), field_of(structure),
                                                     berth_text_field(smiles)},
                                          .count = 4};
    enum berth_status status = ask(finder, &request, 1, &answer, error);
    BERTH_THEN(take_record(&answer, sdf, error));
    berth_answer_clear(&answer);
    return status;
}

static enum berth_status perceive(struct berth_bond_finder *finder,
                                  const struct berth_bytes *structure,
                                  const struct berth_bonds_request *asked,
                                  struct berth_bonds_found *found, struct berth_bytes *sdf,
                                  struct berth_error *error)
{
    struct berth_answer answer = {0};
    struct berth_bytes partners = {0};
    for (size_t i = 0; i < asked->partner_count; i++) {
        put_place(&partners, asked->partners[i].position);
        berth_bytes_put8(&partners, asked->partners[i].gives);
    }
    const struct berth_request request = {
        .fields = {berth_text_field("bonds"), berth_text_field(asked->hydrogens ? "keep=\n" : ""),
                   field_of(structure), field_of(&partners)},
        .count = 4};
    enum berth_status status = partners.failed ? berth_out_of_memory(error, NULL)
                                               : ask(finder, &request, 3, &answer, error);
    const char *contradiction = status ? "" : answer.fields[2].data;
    if (!status && *contradiction && (!found || !answer.fields[1].size)) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "perception of bonds contradicts the file: %s; give the SMILES "
                            "(in PDB and PDBQT, a line `REMARK SMILES ...` will do), or SDF",
                            contradiction);
    }
    if (!status && found) {
        found->moved = strtoul(answer.fields[3].data, NULL, 10);
        snprintf(found->contradiction, sizeof found->contradiction, "%s", contradiction);
    }
    BERTH_THEN(take_record(&answer, sdf, error));
    berth_answer_clear(&answer);
    berth_bytes_clear(&partners);
    return status;
}

enum berth_status berth_bond_orders_find(struct berth_bond_finder *finder,
                                         const struct berth_bonds_request *asked,
                                         struct berth_bonds_found *found, struct berth_bytes *sdf,
                                         struct berth_error *error)
{
    struct berth_bytes sent = {0};
    enum berth_status status = put_structure(asked->structure, &sent, error);
    if (found) {
        memset(found, 0, sizeof *found);
    }
    BERTH_THEN(asked->smiles ? lay_smiles(finder, &sent, asked->smiles, sdf, error)
                             : perceive(finder, &sent, asked, found, sdf, error));
    berth_bytes_clear(&sent);
    return status;
}

enum berth_status berth_bond_orders_place(struct berth_bond_finder *finder, const char *smiles,
                                          const struct berth_bytes *text, struct berth_bytes *sdf,
                                          struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_request request = {.fields = {berth_text_field("place_smiles"),
                                                     berth_text_field(""), berth_text_field(smiles),
                                                     field_of(text)},
                                          .count = 4};
    enum berth_status status = ask(finder, &request, 1, &answer, error);
    BERTH_THEN(take_record(&answer, sdf, error));
    berth_answer_clear(&answer);
    return status;
}

/* --- What such a record is --- */

enum berth_status berth_bond_finder_stand(struct berth_bond_finder *finder,
                                          const struct berth_bytes *sdf, double ph,
                                          struct berth_molecule *molecule,
                                          struct berth_error *error)
{
    double used = 0;
    const struct berth_stand wanted = {field_of(sdf), ph, limit_of(finder), &used};
    memset(molecule, 0, sizeof *molecule);
    BERTH_TRY(start_for_bonds(finder, error));
    return berth_worker_stand(finder->worker, &wanted, molecule, error);
}

enum berth_status berth_bond_finder_smiles(struct berth_bond_finder *finder,
                                           const struct berth_bytes *sdf,
                                           struct berth_bytes *smiles, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_request request = {
        .fields = {berth_text_field("smiles"), berth_text_field(""), field_of(sdf)}, .count = 3};
    enum berth_status status = ask(finder, &request, 1, &answer, error);
    BERTH_THEN(take_record(&answer, smiles, error));
    berth_bytes_put8(smiles, 0);
    berth_answer_clear(&answer);
    return smiles->failed ? berth_out_of_memory(error, NULL) : status;
}
