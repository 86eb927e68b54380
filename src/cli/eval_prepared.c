/* Prepared complexes: written by one run, taken up by another without Open Babel. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/eval.h"

static enum berth_status fetch_only(const struct berth_library_reader *reader, const char *path,
                                    struct berth_library_ligand *ligand, struct berth_error *error)
{
    const uint64_t count = berth_library_info(reader).ligands;
    return count == 1 ? berth_library_fetch(reader, 0, ligand, error)
                      : berth_fail(error, BERTH_E_FORMAT, "%s: %llu ligands; it should hold one",
                                   path, (unsigned long long)count);
}

enum berth_status eval_ligand_read(const char *path, const struct berth_forcefield *forcefield,
                                   size_t conformers, struct berth_library_ligand *ligand,
                                   struct berth_error *error)
{
    struct berth_library_reader *reader = NULL;
    enum berth_status status = berth_library_open(path, forcefield, &reader, error);
    if (!status) {
        status = fetch_only(reader, path, ligand, error);
    }
    while (!status && ligand->ligand.conformer_count > conformers) {
        berth_molecule_clear(&ligand->ligand.conformers[--ligand->ligand.conformer_count]);
    }
    berth_library_close(reader);
    return status;
}

enum berth_status eval_make_folder(const char *path, struct berth_error *error)
{
    struct stat facts;
    if (mkdir(path, 0777) != 0 && (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot make the folder: %s", path,
                          strerror(errno));
    }
    return BERTH_OK;
}

static enum berth_status write_ligand(const char *path, const struct berth_forcefield *forcefield,
                                      const struct eval_complex *complex, struct berth_error *error)
{
    const struct berth_library_setup setup = {.path = path,
                                              .forcefield = forcefield,
                                              .note = "eval redock",
                                              .mode = BERTH_LIBRARY_REPLACE};
    struct berth_library_writer *writer = NULL;
    enum berth_status status = berth_library_create(&setup, &writer, error);
    if (!status) {
        status = berth_library_add(writer, &complex->ligand, 1, error);
        if (status) {
            berth_library_discard(writer);
        } else {
            status = berth_library_commit(writer, error);
        }
    }
    return status;
}

enum berth_status eval_complex_write(const struct eval_values *values,
                                     const struct berth_forcefield *forcefield,
                                     const struct eval_complex *complex, struct berth_error *error)
{
    const char *name = complex->entry->name;
    char path[PATH_MAX];
    eval_path(values, NULL, name, path);
    enum berth_status status = eval_make_folder(path, error);
    if (!status) {
        eval_path(values, name, "receptor.mol2", path);
        status = berth_mol2_write_one(path, &complex->receptor, error);
    }
    if (!status) {
        eval_path(values, name, "crystal.mol2", path);
        status = berth_mol2_write_one(path, &complex->crystal, error);
    }
    if (!status) {
        eval_path(values, name, "ligand.blib", path);
        status = write_ligand(path, forcefield, complex, error);
    }
    return status;
}
