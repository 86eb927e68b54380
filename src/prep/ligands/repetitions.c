#include "prep/ligands/repetitions.h"

/* Ligands of which repetitions are said: their names take 192 MB at most, their SMILES twice that.
 */
enum { REPETITIONS_MAX = 1 << 22 };

enum berth_status berth_repetitions_find(struct berth_repetitions *repetitions,
                                         const struct berth_library_ligand *ligand, bool all,
                                         struct berth_first_ligand *first,
                                         struct berth_error *error)
{
    struct berth_bytes *firsts = &repetitions->firsts;
    uint64_t place = firsts->count;
    bool met = false;
    *first = (struct berth_first_ligand){NULL, 0};
    if (!ligand->smiles || !*ligand->smiles ||
        (!all && repetitions->smiles.count >= REPETITIONS_MAX)) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_text_set_add(&repetitions->smiles, ligand->smiles, &place, &met, error));
    if (met) {
        struct berth_cursor at =
            berth_cursor_over(firsts->data + place, firsts->count - (size_t)place);
        first->name = berth_cursor_get_text(&at);
        first->record = berth_cursor_get_varint(&at);
    } else {
        berth_bytes_put_text(firsts, ligand->ligand.name);
        berth_bytes_put_varint(firsts, ligand->record);
    }
    return firsts->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

void berth_repetitions_tell(const struct berth_library_ligand *ligand,
                            const struct berth_first_ligand *first, const char *instead,
                            const struct berth_log *log)
{
    if (first->name) {
        berth_warn(log, "the same molecule",
                   "%s: the same molecule as an earlier ligand, %s (record %llu), once prepared; "
                   "both are kept and docked%s",
                   ligand->ligand.name, first->name, (unsigned long long)first->record, instead);
    }
}

enum berth_status berth_repetitions_name(struct berth_repetitions *repetitions,
                                         const struct berth_library_ligand *ligand,
                                         const struct berth_log *log, struct berth_error *error)
{
    bool met = false;
    uint64_t none = 0;
    if (repetitions->names.count < REPETITIONS_MAX) {
        BERTH_TRY(berth_text_set_add(&repetitions->names, ligand->ligand.name, &none, &met, error));
    }
    if (met) {
        berth_warn(log, "the same name",
                   "%s: an earlier ligand has this name, too; each is kept and docked, and ordinal "
                   "and record tell them apart",
                   ligand->ligand.name);
    }
    return BERTH_OK;
}

void berth_repetitions_clear(struct berth_repetitions *repetitions)
{
    berth_text_set_clear(&repetitions->names);
    berth_text_set_clear(&repetitions->smiles);
    berth_bytes_clear(&repetitions->firsts);
}
