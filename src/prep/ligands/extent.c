/* How much there is to read, for a run that says how far it is. */
#include "prep/ligands/ligands_internal.h"

/* Bytes: counting the records of more than that takes seconds. */
#define COUNTED_MOST ((uint64_t)256 << 20)

/* Adds the records of a file; false where the count was stopped or it cannot be read. */
static bool count_file(const struct berth_ligand_inputs *inputs, size_t index, uint64_t *total)
{
    struct berth_records *records;
    struct berth_record record = {.line = 0};
    bool end = false;
    if (berth_records_create(inputs->files[index].path, berth_ligand_inputs_kind(inputs, index),
                             &records, NULL)) {
        return false;
    }
    berth_records_stop_on(records, inputs->sources.stop);
    while (!end) {
        const enum berth_status status = berth_records_next(records, &record, &end, NULL);
        if (status == BERTH_E_IO || status == BERTH_E_MEMORY) {
            break;
        }
        *total += !end;
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    return end;
}

uint64_t berth_ligand_inputs_total(const struct berth_ligand_inputs *inputs)
{
    uint64_t bytes = 0, total = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        bytes += inputs->files[i].size;
        if (inputs->files[i].endless || bytes > COUNTED_MOST ||
            berth_ligand_inputs_kind(inputs, i) == BERTH_RECORD_OTHER) {
            return 0;
        }
    }
    for (size_t i = 0; i < inputs->count; i++) {
        if (!count_file(inputs, i, &total)) {
            return 0;
        }
    }
    return total;
}

double berth_ligand_inputs_part(const struct berth_ligand_inputs *inputs)
{
    uint64_t all = 0, read = inputs->records ? berth_records_offset(inputs->records) : 0;
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->files[i].endless) {
            return 0;
        }
        all += inputs->files[i].size;
        read += i < inputs->current ? inputs->files[i].size : 0;
    }
    return all ? (double)read / (double)all : 0;
}
