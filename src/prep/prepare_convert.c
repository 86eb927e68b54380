/* Whole files of formats that only Open Babel reads, to SDF. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text_reader.h"
#include "prep/openbabel.h"
#include "prep/perception.h"
#include "prep/prepare.h"
#include "format/pdb/structure_file.h"

/* Appends the text of standard input, plain or gzip. */
static enum berth_status read_input(struct berth_bytes *text, struct berth_error *error)
{
    struct berth_text_reader *reader;
    enum berth_status status = berth_text_reader_create("-", &reader, error);
    char *line = NULL;
    while (!status) {
        status = berth_text_reader_next(reader, &line, error);
        if (status || !line) {
            break;
        }
        berth_bytes_put(text, line, strlen(line));
        berth_bytes_put8(text, '\n');
    }
    berth_text_reader_destroy(reader);
    return status;
}

/* Appends the heavy atoms of a PDBQT file as PDB: bonds and hydrogens are found from these. */
static enum berth_status read_pdbqt(const char *path, struct berth_bytes *text,
                                    struct berth_error *error)
{
    struct berth_structure structure = {0};
    enum berth_status status = berth_structure_read(path, BERTH_STRUCTURE_PDBQT, &structure, error);
    if (!status && structure.models > 1) {
        status =
            berth_fail(error, BERTH_E_FORMAT,
                       "%zu models, of which a PDBQT ligand may have one; cut out the one that "
                       "is meant",
                       structure.models);
    }
    if (!status) {
        berth_perception_pdb(&structure, false, text);
    }
    berth_structure_clear(&structure);
    return status;
}

enum berth_status berth_prepare_convert(const char *path, const char *format, double limit,
                                        struct berth_bytes *sdf, struct berth_error *error)
{
    const bool pdbqt = strcasecmp(format, "pdbqt") == 0, stream = strcmp(path, "-") == 0;
    struct berth_bytes text = {0};
    enum berth_status status = pdbqt    ? read_pdbqt(path, &text, error)
                               : stream ? read_input(&text, error)
                                        : BERTH_OK;
    if (!status && text.failed) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (!status) {
        char option[64];
        snprintf(option, sizeof option, "-i%s", pdbqt ? "pdb" : format);
        const char *const arguments[] = {option, "-osdf", pdbqt || stream ? NULL : path, NULL};
        const struct berth_openbabel_job job = {arguments, text.data, text.count,
                                                limit,     NULL,      NULL};
        status = berth_openbabel_run(&job, sdf, error);
    }
    berth_bytes_clear(&text);
    return status;
}
