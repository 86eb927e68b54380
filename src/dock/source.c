#include "dock/source.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "chem/parts.h"
#include "dock/modes.h"

bool berth_is_library_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".blib") == 0;
}

enum berth_status berth_source_open(struct berth_source *source, struct berth_error *error)
{
    if (berth_is_library_path(source->path)) {
        return berth_library_open(source->path, source->scoring, &source->library, error);
    }
    const bool takes = berth_prepare_takes(source->path);
    if (takes && source->workers) {
        const struct berth_prepared_setup setup = {.path = source->path,
                                                   .columns = source->columns,
                                                   .workers = source->workers,
                                                   .stop = source->stop,
                                                   .log = source->log};
        return berth_prepared_create(&setup, &source->prepared, error);
    }
    if (takes) {
        return berth_pose_reader_create(source->path, source->stop, source->log, &source->poses,
                                        error);
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
    berth_typer_clear(&source->typer);
    berth_pose_reader_destroy(source->poses);
    berth_prepared_destroy(source->prepared);
    berth_library_close(source->library);
    berth_library_ligand_clear(&source->ligand);
}

enum berth_status berth_source_check_weight(const struct berth_source *source, double weight,
                                            struct berth_error *error)
{
    return weight == 0 || source->library || source->prepared
               ? BERTH_OK
               : berth_fail_option(
                     error, BERTH_E_USAGE, "strain_weight",
                     "strain_weight: %s is neither a library (.blib) nor prepared on the "
                     "way, and only such ligands have strains",
                     source->path);
}

/* The next ligand, of the library or prepared. */
static enum berth_status next_ligand(struct berth_source *source, bool *end,
                                     struct berth_error *error)
{
    const uint64_t ordinal = source->ordinal++;
    if (source->prepared) {
        return berth_prepared_next(source->prepared, &source->ligand, end, error);
    }
    *end = ordinal == berth_library_info(source->library).ligands;
    return *end ? BERTH_OK : berth_library_fetch(source->library, ordinal, &source->ligand, error);
}

/* The next conformer, ligand by ligand. */
static enum berth_status next_conformer(struct berth_source *source,
                                        struct berth_molecule *molecule, bool *end,
                                        struct berth_error *error)
{
    berth_molecule_clear(molecule);
    *end = false;
    if (source->conformer == source->ligand.ligand.conformer_count) {
        berth_library_ligand_clear(&source->ligand);
        source->conformer = 0;
        const enum berth_status status = next_ligand(source, end, error);
        if (status && source->prepared) { /* its name is that of the row of the failures */
            molecule->title = source->ligand.ligand.name;
            source->ligand.ligand.name = NULL;
        }
        if (status) {
            const uint64_t record = source->ligand.record;
            berth_library_ligand_clear(&source->ligand);
            source->ligand.record = record;
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
    return source->relaxer ? source->strain
           : source->ligand.strains && source->conformer
               ? source->ligand.strains[source->conformer - 1]
               : NAN;
}

const struct berth_library_ligand *berth_source_known(const struct berth_source *source)
{
    return source->library || source->prepared ? &source->ligand : NULL;
}

uint64_t berth_source_ligand(const struct berth_source *source)
{
    return source->ordinal;
}

long long berth_source_ordinal(const struct berth_source *source)
{
    return (source->library    ? (long long)source->ordinal
            : source->prepared ? (long long)source->ligand.record
                               : (long long)source->molecules) -
           1;
}

/* Puts the molecule's place in front of what is wrong with it. */
static void blame(const struct berth_source *source, const struct berth_molecule *molecule,
                  struct berth_error *why)
{
    char place[PATH_MAX + 32];
    if (source->library) {
        snprintf(place, sizeof place, "%s: ligand %llu", source->path,
                 (unsigned long long)source->ordinal - 1);
    } else if (source->prepared) {
        snprintf(place, sizeof place, "%s, record %llu", source->path,
                 (unsigned long long)source->ligand.record);
    } else {
        snprintf(place, sizeof place, "%s:%zu", source->path, molecule->line);
    }
    berth_fail_in(why, place);
}

/* A ligand has 1 to `most` heavy atoms, and sound 3D coordinates. */
static enum berth_status check_ligand(const struct berth_molecule *molecule, size_t most,
                                      struct berth_error *error)
{
    const size_t heavy = berth_heavy_count(molecule);
    if (heavy < 1 || heavy > most) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "molecule %s: %zu heavy atoms; a ligand has 1 to %zu", molecule->title,
                          heavy, most);
    }
    const char *flaw = berth_coordinates_flaw(molecule);
    if (flaw) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "molecule %s: %s; make 3D coordinates, for example with Open Babel",
                          molecule->title, flaw);
    }
    flaw = berth_extent_flaw(molecule);
    return flaw ? berth_fail(error, BERTH_E_FORMAT, "molecule %s: %s", molecule->title, flaw)
                : BERTH_OK;
}

/* Of Mol2 that is to be docked as it stands: what moves as one body is one molecule. */
static enum berth_status keep_molecule(const struct berth_source *source,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    char remark[BERTH_PARTS_REMARK];
    if (!source->reader || !source->workers) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_parts_keep_largest(molecule, remark, error));
    if (*remark) {
        berth_warn(source->log, remark, "%s: %s", molecule->title, remark);
    }
    return BERTH_OK;
}

static enum berth_status read_next(struct berth_source *source, struct berth_molecule *molecule,
                                   bool *end, struct berth_error *error)
{
    source->molecules++;
    return source->reader  ? berth_mol2_next(source->reader, molecule, end, error)
           : source->poses ? berth_pose_reader_next(source->poses, molecule, end, error)
                           : next_conformer(source, molecule, end, error);
}

/* True after an error that nothing can be read behind. */
static bool is_broken(const struct berth_source *source)
{
    return source->reader     ? berth_mol2_is_broken(source->reader)
           : source->poses    ? berth_pose_reader_is_broken(source->poses)
           : source->prepared ? berth_prepared_is_broken(source->prepared)
                              : false;
}

/* Types its heavy atoms; an adduct is hung from its residue before. */
static enum berth_status type_ligand(const struct berth_source *source,
                                     struct berth_molecule *molecule,
                                     struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    if (!source->covalent) {
        return berth_scoring_assign(source->scoring, molecule, source->log, heavy, error);
    }
    BERTH_TRY(berth_covalent_attach(source->covalent, molecule, error));
    return berth_covalent_assign(source->scoring, molecule, source->log, heavy, error);
}

/* Moves the molecule to its minimum in the receptor, and notes how far that is. */
static enum berth_status relax(struct berth_source *source, struct berth_molecule *molecule,
                               struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    struct berth_molecule stood;
    if (!berth_molecule_copy(molecule, &stood)) {
        return berth_out_of_memory(error, NULL);
    }
    enum berth_status status =
        berth_relax(source->relaxer, source->receptor, molecule, heavy, &source->strain, error);
    BERTH_THEN(berth_molecule_rmsd(molecule, &stood, &source->moved, error));
    berth_molecule_clear(&stood);
    return status;
}

enum berth_status berth_source_next(struct berth_source *source, struct berth_molecule *molecule,
                                    struct berth_heavy_atoms *heavy, bool *end,
                                    struct berth_error *error)
{
    for (;;) {
        struct berth_error why;
        enum berth_status status = BERTH_OK;
        *end = source->stopped = berth_is_stopped(source->stop);
        if (!source->stopped) {
            status = read_next(source, molecule, end, &why);
            /* a read that was broken off is no bad file */
            source->stopped = status && berth_is_stopped(source->stop);
        }
        if (source->stopped || (!status && *end)) {
            *end = true;
            return BERTH_OK;
        }
        if (status == BERTH_E_MEMORY || (status && is_broken(source) && !source->read)) {
            *error = why;
            return status;
        }
        if (!status) {
            status = keep_molecule(source, molecule, &why);
            BERTH_THEN(berth_typer_settle(&source->typer, molecule, &why));
            BERTH_THEN(check_ligand(
                molecule, source->most_atoms ? source->most_atoms : BERTH_LIGAND_ATOMS_MAX, &why));
            BERTH_THEN(type_ligand(source, molecule, heavy, &why));
            if (!status && source->relaxer && !source->covalent) {
                status = relax(source, molecule, heavy, &why);
            }
            if (status) {
                blame(source, molecule, &why);
                source->conformer = source->prepared ? source->ligand.ligand.conformer_count
                                                     : source->conformer; /* all have this type */
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
        berth_failures_add_at(source->failures, berth_source_ordinal(source), molecule->title,
                              &why);
        berth_molecule_clear(molecule);
    }
}
