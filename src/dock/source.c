#include "dock/source.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool berth_is_library_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".blib") == 0;
}

enum berth_status berth_source_open(struct berth_source *source, struct berth_error *error)
{
    if (berth_is_library_path(source->path)) {
        return berth_library_open(source->path, source->forcefield, &source->library, error);
    }
    if (berth_pose_reader_takes(source->path)) {
        return berth_pose_reader_create(source->path, source->stop, &source->poses, error);
    }
    const enum berth_status status = berth_mol2_reader_create(source->path, &source->reader, error);
    if (!status) {
        berth_mol2_stop_on(source->reader, source->stop);
    }
    return status;
}

void berth_source_close(struct berth_source *source)
{
    berth_mol2_reader_destroy(source->reader);
    berth_pose_reader_destroy(source->poses);
    berth_library_close(source->library);
    berth_library_ligand_clear(&source->ligand);
}

/* The next conformer of the library, ligand by ligand. */
static enum berth_status next_of_library(struct berth_source *source,
                                         struct berth_molecule *molecule, bool *end,
                                         struct berth_error *error)
{
    berth_molecule_clear(molecule);
    *end = false;
    if (source->conformer == source->ligand.ligand.conformer_count) {
        berth_library_ligand_clear(&source->ligand);
        source->conformer = 0;
        *end = source->ordinal == berth_library_info(source->library).ligands;
        enum berth_status status =
            *end ? BERTH_OK
                 : berth_library_fetch(source->library, source->ordinal++, &source->ligand, error);
        if (status) {
            berth_library_ligand_clear(&source->ligand);
        }
        if (status || *end) {
            return status;
        }
    }
    struct berth_molecule *next = &source->ligand.ligand.conformers[source->conformer++];
    *molecule = *next;
    memset(next, 0, sizeof *next);
    return BERTH_OK;
}

double berth_source_strain(const struct berth_source *source)
{
    return source->ligand.strains && source->conformer
               ? source->ligand.strains[source->conformer - 1]
               : NAN;
}

/* Puts the molecule's place in front of what is wrong with it. */
static void blame(const struct berth_source *source, const struct berth_molecule *molecule,
                  struct berth_error *why)
{
    char place[PATH_MAX + 32];
    if (source->library) {
        snprintf(place, sizeof place, "%s: ligand %llu", source->path,
                 (unsigned long long)source->ordinal - 1);
    } else {
        snprintf(place, sizeof place, "%s:%zu", source->path, molecule->line);
    }
    berth_fail_in(why, place);
}

/* A ligand has 1 to BERTH_LIGAND_ATOMS_MAX heavy atoms, and sound 3D coordinates. */
static enum berth_status check_ligand(const struct berth_molecule *molecule,
                                      struct berth_error *error)
{
    const size_t heavy = berth_heavy_count(molecule);
    if (heavy < 1 || heavy > BERTH_LIGAND_ATOMS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "molecule %s: %zu heavy atoms; a ligand has 1 to %d", molecule->title,
                          heavy, BERTH_LIGAND_ATOMS_MAX);
    }
    const char *flaw = berth_coordinates_flaw(molecule);
    if (flaw) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "molecule %s: %s; make 3D coordinates, for example with `obabel --gen3d`",
                          molecule->title, flaw);
    }
    flaw = berth_extent_flaw(molecule);
    return flaw ? berth_fail(error, BERTH_E_FORMAT, "molecule %s: %s", molecule->title, flaw)
                : BERTH_OK;
}

static enum berth_status read_next(struct berth_source *source, struct berth_molecule *molecule,
                                   bool *end, struct berth_error *error)
{
    return source->library ? next_of_library(source, molecule, end, error)
           : source->poses ? berth_pose_reader_next(source->poses, molecule, end, error)
                           : berth_mol2_next(source->reader, molecule, end, error);
}

/* True after an error that nothing can be read behind. */
static bool is_broken(const struct berth_source *source)
{
    return source->poses ? berth_pose_reader_is_broken(source->poses)
                         : source->reader && berth_mol2_is_broken(source->reader);
}

static enum berth_status check(const struct berth_source *source, struct berth_error *error)
{
    return source->check ? source->check(error) : BERTH_OK;
}

enum berth_status berth_source_next(struct berth_source *source, struct berth_molecule *molecule,
                                    struct berth_heavy_atoms *heavy, bool *end,
                                    struct berth_error *error)
{
    for (;;) {
        struct berth_error why;
        enum berth_status status = check(source, error);
        if (status) {
            return status;
        }
        status = read_next(source, molecule, end, &why);
        if (!status && *end) {
            return BERTH_OK;
        }
        if (status && check(source, error)) { /* a read that a signal broke off is no bad file */
            return error->status;
        }
        if (status == BERTH_E_MEMORY || (status && is_broken(source) && !source->read)) {
            *error = why;
            return status;
        }
        if (!status) {
            status = check_ligand(molecule, &why);
            if (!status) {
                status =
                    berth_forcefield_assign(source->forcefield, molecule, source->log, heavy, &why);
            }
            if (status) {
                blame(source, molecule, &why);
            }
        }
        if (!status) {
            source->read++;
            return BERTH_OK;
        }
        if (status == BERTH_E_MEMORY) { /* the molecule is not to blame */
            *error = why;
            return status;
        }
        berth_failures_add(source->failures, molecule->title, &why);
        berth_molecule_clear(molecule);
    }
}
