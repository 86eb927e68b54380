#include "dock/typed_receptor.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "format/mol2/mol2.h"
#include "format/receptor_file.h"
#include "prep/receptor/prepare_receptor.h"

/* Moves the molecule and its residues. */
static void keep_prepared(struct berth_receptor *prepared, struct berth_typed_receptor *receptor)
{
    receptor->molecule = prepared->molecule;
    receptor->residues = prepared->residues;
    receptor->residue_count = prepared->residue_count;
    memset(&prepared->molecule, 0, sizeof prepared->molecule);
    prepared->residues = NULL;
    prepared->residue_count = 0;
}

/* A receptor file: the molecule, and the site if it has one. */
static enum berth_status read_prepared(const char *path, struct berth_typed_receptor *receptor,
                                       struct berth_error *error)
{
    struct berth_receptor prepared;
    enum berth_status status = berth_receptor_read(path, &prepared, error);
    if (!status) {
        keep_prepared(&prepared, receptor);
        receptor->has_site = prepared.has_site;
        memcpy(receptor->site.center, prepared.center, sizeof prepared.center);
        memcpy(receptor->site.size, prepared.size, sizeof prepared.size);
    }
    berth_receptor_clear(&prepared);
    return status;
}

/* PDB, PDBQT or mmCIF: what `berth prep receptor` makes of it, without an option of its own. */
static enum berth_status prepare(const struct berth_scoring_choice *choice, const char *path,
                                 const struct berth_log *log, struct berth_typed_receptor *receptor,
                                 struct berth_error *error)
{
    const struct berth_receptor_settings settings = {
        .path = path, .format = berth_structure_format_of(path), .forcefield = choice->path};
    struct berth_receptor_prepared prepared;
    const enum berth_status status = berth_receptor_prepare(&settings, log, &prepared, error);
    if (!status) {
        keep_prepared(&prepared.receptor, receptor);
        berth_note(log, "%s: prepared as `berth prep receptor` does; give its options there", path);
    } else {
        berth_fail_in(error, "preparing the receptor as `berth prep receptor` does");
    }
    berth_receptor_prepared_clear(&prepared);
    return status;
}

static enum berth_status read_molecule(const struct berth_scoring_choice *choice, const char *path,
                                       const struct berth_log *log,
                                       struct berth_typed_receptor *receptor,
                                       struct berth_error *error)
{
    if (berth_is_receptor_file(path)) {
        return read_prepared(path, receptor, error);
    }
    const enum berth_structure_format format = berth_structure_format_of(path);
    return format == BERTH_STRUCTURE_UNKNOWN || format == BERTH_STRUCTURE_MOL2
               ? berth_mol2_read_one(path, true, &receptor->molecule, error)
               : prepare(choice, path, log, receptor, error);
}

enum berth_status berth_typed_receptor_read(const struct berth_scoring_choice *choice,
                                            const char *path, const struct berth_log *log,
                                            struct berth_typed_receptor *receptor,
                                            struct berth_error *error)
{
    struct berth_gatherer gatherer = {.next = log};
    const struct berth_log gathering = berth_gather(&gatherer);
    memset(receptor, 0, sizeof *receptor);
    enum berth_status status = berth_scoring_read(choice, log, &receptor->scoring, error);
    BERTH_THEN(read_molecule(choice, path, log, receptor, error));
    if (!status) {
        status = berth_scoring_assign(&receptor->scoring, &receptor->molecule, &gathering,
                                      &receptor->heavy, error);
        if (status) {
            berth_fail_in(error, path);
        }
    }
    if (!status && !receptor->heavy.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: the receptor has no heavy atoms", path);
    }
    berth_gatherer_flush(&gatherer);
    return status;
}

void berth_typed_receptor_clear(struct berth_typed_receptor *receptor)
{
    berth_scoring_clear(&receptor->scoring);
    berth_molecule_clear(&receptor->molecule);
    berth_heavy_atoms_clear(&receptor->heavy);
    free(receptor->residues);
    receptor->residues = NULL;
}
