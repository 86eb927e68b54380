#include "prep/posed_file.h"

#include <string.h>

#include "base/input.h"
#include "format/mol2/mol2.h"
#include "format/pdb/structure_file.h"
#include "format/records.h"
#include "prep/openbabel.h"
#include "prep/perception.h"

static const double LIMIT = 60; /* seconds for Open Babel */

static enum berth_status read_structure(const char *path, enum berth_structure_format format,
                                        struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_structure structure = {0};
    enum berth_status status = berth_structure_read(path, format, &structure, error);
    BERTH_THEN(berth_plain_molecule(&structure, molecule, error));
    berth_structure_clear(&structure);
    return status;
}

static enum berth_status read_sdf(const char *path, struct berth_molecule *molecule,
                                  struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-omol2", NULL};
    struct berth_bytes sdf = {0}, mol2 = {0};
    struct berth_mol2_reader *reader = NULL;
    bool end;
    enum berth_status status = berth_input_read_all(path, NULL, &sdf, error);
    if (!status) {
        const struct berth_openbabel_job job = {.format = "sdf",
                                                .options = OPTIONS,
                                                .input = sdf.data,
                                                .input_size = sdf.count,
                                                .limit = LIMIT};
        status = berth_openbabel_run(&job, &mol2, error);
    }
    BERTH_THEN(berth_mol2_reader_create_memory("Open Babel's output", mol2.data, mol2.count,
                                               &reader, error));
    struct berth_molecule second = {0};
    BERTH_THEN(berth_mol2_next(reader, molecule, &end, error));
    if (!status) {
        status = berth_mol2_next(reader, &second, &end, error);
        if (!status && !end) {
            status = berth_fail(error, BERTH_E_FORMAT, "more than one molecule; give one");
        }
    }
    if (status) {
        berth_fail_in(error, path);
    }
    berth_molecule_clear(&second);
    berth_mol2_reader_destroy(reader);
    berth_bytes_clear(&sdf);
    berth_bytes_clear(&mol2);
    return status;
}

enum berth_status berth_posed_read(const char *path, struct berth_molecule *molecule,
                                   struct berth_error *error)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_structure_format structure = berth_structure_format_of(path);
    memset(molecule, 0, sizeof *molecule);
    if (berth_record_kind_of(format) == BERTH_RECORD_SDF) {
        return read_sdf(path, molecule, error);
    }
    return structure == BERTH_STRUCTURE_UNKNOWN || structure == BERTH_STRUCTURE_MOL2
               ? berth_mol2_read_one(path, true, molecule, error)
               : read_structure(path, structure, molecule, error);
}
