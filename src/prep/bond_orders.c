#include "prep/bond_orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/facts.h"
#include "chem/residue_types.h"

/* Seconds for a molecule where nobody says. */
#define LIMIT 60.0

enum { ATOMS_MAX = 999 }; /* heavy ones, of a record of SDF V2000 */

/* --- The worker --- */

void berth_bond_finder_clear(struct berth_bond_finder *finder)
{
    berth_worker_destroy(finder->worker);
    finder->worker = NULL;
}

/* Asks for so many fields behind the first. */
static enum berth_status ask(struct berth_bond_finder *finder, const struct berth_request *request,
                             size_t fields, struct berth_answer *answer, struct berth_error *error)
{
    struct berth_request limited = *request;
    double used = 0;
    limited.limit = finder->limit > 0 ? finder->limit : LIMIT;
    limited.used = &used;
    if (!finder->worker) {
        const struct berth_worker_setup setup = {
            &finder->rdkit, (size_t)BERTH_WORKER_MEMORY * 1000000, finder->stop};
        if (berth_rdkit_find(&finder->rdkit, error)) {
            return berth_fail_in(error, "it has no bonds, and RDKit, which perceives them, is not "
                                        "to be had (give SMILES, SDF or Mol2, which have theirs)");
        }
        BERTH_TRY(berth_worker_create(&setup, &finder->worker, error));
    }
    BERTH_TRY(berth_worker_ask(finder->worker, &limited, answer, error));
    return answer->count == 1 + fields
               ? BERTH_OK
               : berth_fail(error, BERTH_E_IO, "the RDKit worker does not speak its protocol");
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

/* What the worker is sent of a structure: rows as tools/rdkit/bonds.py reads them. */
struct sent {
    struct berth_bytes atoms, bonds, names, hydrogens; /* owned */
};

static void sent_clear(struct sent *sent)
{
    berth_bytes_clear(&sent->atoms);
    berth_bytes_clear(&sent->bonds);
    berth_bytes_clear(&sent->names);
    berth_bytes_clear(&sent->hydrogens);
}

static void put_atom(const struct berth_structure_atom *atom, struct sent *sent)
{
    put_place(&sent->atoms, atom->position);
    berth_bytes_put8(&sent->atoms, (uint8_t)atom->element);
    berth_bytes_put8(&sent->atoms, atom->aromatic);
    berth_bytes_put8(&sent->atoms, atom->accepts);
    const char *name = *atom->name ? atom->name : berth_element_symbol(atom->element);
    berth_bytes_put(&sent->names, name, strlen(name));
    berth_bytes_put8(&sent->names, '\n');
}

/* Packs the heavy atoms with the bonds that their distances say, and the hydrogens.  Errors:
 * BERTH_E_FORMAT (too many atoms), BERTH_E_MEMORY. */
static enum berth_status pack(const struct berth_structure *structure, struct sent *sent,
                              struct berth_error *error)
{
    struct berth_molecule heavy = {0};
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
        if (berth_is_hydrogen(from)) {
            put_place(&sent->hydrogens, from->position);
        } else {
            struct berth_atom *atom = &heavy.atoms[heavy.atom_count++];
            atom->element = from->element;
            atom->heavy = true;
            memcpy(atom->position, from->position, sizeof atom->position);
            put_atom(from, sent);
        }
    }
    const enum berth_status status = berth_bonds_by_distance(&heavy, error);
    for (size_t i = 0; i < heavy.bond_count; i++) {
        berth_bytes_put16(&sent->bonds, (uint16_t)heavy.bonds[i].first);
        berth_bytes_put16(&sent->bonds, (uint16_t)heavy.bonds[i].second);
    }
    berth_molecule_clear(&heavy);
    const bool failed =
        sent->atoms.failed || sent->bonds.failed || sent->names.failed || sent->hydrogens.failed;
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

static enum berth_status lay_smiles(struct berth_bond_finder *finder, const struct sent *sent,
                                    const char *smiles, struct berth_bytes *sdf,
                                    struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_request request = {
        .fields = {berth_text_field("lay_smiles"), berth_text_field(""), field_of(&sent->atoms),
                   field_of(&sent->bonds), field_of(&sent->names), berth_text_field(smiles)},
        .count = 6};
    enum berth_status status = ask(finder, &request, 1, &answer, error);
    BERTH_THEN(take_record(&answer, sdf, error));
    berth_answer_clear(&answer);
    return status;
}

static enum berth_status perceive(struct berth_bond_finder *finder, const struct sent *sent,
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
                   field_of(&sent->atoms), field_of(&sent->bonds), field_of(&sent->names),
                   field_of(&sent->hydrogens), field_of(&partners)},
        .count = 7};
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
    struct sent sent = {0};
    enum berth_status status = pack(asked->structure, &sent, error);
    if (found) {
        memset(found, 0, sizeof *found);
    }
    BERTH_THEN(asked->smiles ? lay_smiles(finder, &sent, asked->smiles, sdf, error)
                             : perceive(finder, &sent, asked, found, sdf, error));
    sent_clear(&sent);
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
