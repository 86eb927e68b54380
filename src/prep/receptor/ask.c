#include "prep/receptor/ask.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "chem/molecule.h"

/* A line for each atom; first: the index of its first residue.  Returns that behind its last. */
static size_t put_atoms(const struct berth_structure *structure, size_t first,
                        struct berth_bytes *lines)
{
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end), first++) {
        for (size_t i = span.begin; i < span.end; i++) {
            const struct berth_structure_atom *atom = &structure->atoms[i];
            const double *at = atom->position;
            berth_bytes_print(lines, "%zu\t%s\t%s\t%d\t%s\t%s\t%.3f\t%.3f\t%.3f\n", first,
                              atom->residue.name, atom->residue.chain, atom->residue.number,
                              atom->name, berth_element_symbol(atom->element), at[0], at[1], at[2]);
        }
    }
    return first;
}

enum berth_status berth_receptor_ask(const struct berth_receptor_work *work, const char *operation,
                                     const char *options, size_t fields,
                                     struct berth_answer *answer, struct berth_error *error)
{
    struct berth_bytes receptor = {0}, ligand = {0};
    put_atoms(&work->prepared->ligand, put_atoms(&work->prepared->structure, 0, &receptor),
              &ligand);
    const struct berth_request request = {.fields = {berth_text_field(operation),
                                                     berth_text_field(options),
                                                     {receptor.data, receptor.count},
                                                     {ligand.data, ligand.count}},
                                          .count = 4,
                                          .limit = BERTH_RECEPTOR_PATIENCE};
    const enum berth_status status =
        receptor.failed || ligand.failed
            ? berth_out_of_memory(error, NULL)
            : berth_bond_finder_ask(work->finder, &request, fields, answer, error);
    berth_bytes_clear(&receptor);
    berth_bytes_clear(&ligand);
    return status;
}
