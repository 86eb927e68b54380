#include <string.h>

#include "base/gather.h"
#include "base/memory.h"
#include "chem/bonds.h"
#include "format/mol2/mol2.h"
#include "prep/alternates.h"
#include "prep/perception.h"
#include "prep/receptor/receptor_internal.h"
#include "prep/receptor_types.h"
#include "prep/site.h"
#include "score/forcefield.h"

static enum berth_status read_structure(const struct berth_receptor_work *work,
                                        struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    struct berth_structure *structure = &work->prepared->structure;
    enum berth_status status =
        berth_structure_read(settings->path, settings->format, structure, error);
    size_t alternates = 0;
    if (!status) {
        berth_note(work->log, "%s: %zu atoms", settings->path, structure->count);
        if (structure->models > 1) {
            berth_note(work->log, "the first of %zu models is used", structure->models);
        }
        status = berth_alternates_resolve(structure, &alternates, error);
    }
    if (!status && alternates) {
        berth_note(work->log, "alternate locations: the one of highest occupancy, in %zu residue%s",
                   alternates, alternates == 1 ? "" : "s");
    }
    return status;
}

/* The ligand's bonds: from Open Babel, else single ones, and says so. */
static enum berth_status make_reference(const struct berth_receptor_work *work,
                                        struct berth_error *error)
{
    const struct berth_structure *ligand = &work->prepared->ligand;
    struct berth_molecule *reference = &work->prepared->reference;
    if (!ligand->count) {
        return BERTH_OK;
    }
    struct berth_error why;
    if (!work->settings->reference) { /* for its place alone, bonds do not matter */
        return berth_plain_molecule(ligand, reference, error);
    }
    if (berth_perceive_molecule(ligand, reference, &why)) {
        berth_warn(work->log, NULL, "the reference has single bonds only: %s", why.message);
        return berth_plain_molecule(ligand, reference, error);
    }
    return BERTH_OK;
}

static enum berth_status type_atoms(const struct berth_receptor_work *work,
                                    struct berth_error *error)
{
    struct berth_receptor_typing typing = {0};
    size_t perceived = 0;
    if (!work->settings->keep_types) {
        berth_receptor_type(&work->prepared->structure, &typing);
    }
    enum berth_status status =
        berth_perceive_types(&work->prepared->structure, work->log, &perceived, error);
    if (status) {
        return status;
    }
    if (typing.epsilon + typing.charged) {
        berth_note(work->log,
                   "histidines: %zu with the hydrogen on NE2, %zu with both, the others on "
                   "ND1",
                   typing.epsilon, typing.charged);
    }
    if (typing.changed) {
        berth_note(work->log, "types: %zu differ from the file's (--keep_types keeps those)",
                   typing.changed);
    }
    if (perceived) {
        berth_note(work->log, "types: %zu atoms by Open Babel", perceived);
    }
    return BERTH_OK;
}

/* Makes the receptor, and sees to it that the forcefield knows all of its types. */
static enum berth_status make_receptor(const struct berth_receptor_work *work,
                                       struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    struct berth_gatherer warnings = {.next = work->log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_forcefield forcefield = {0};
    struct berth_heavy_atoms heavy = {0};
    struct berth_receptor *receptor = &work->prepared->receptor;
    enum berth_status status = berth_bhff_read(settings->forcefield, &log, &forcefield, error);
    BERTH_THEN(berth_receptor_from_structure(&work->prepared->structure, receptor, error));
    if (!status) {
        status = berth_forcefield_assign(&forcefield, &receptor->molecule, &log, &heavy, error);
        if (status == BERTH_E_TYPE) {
            berth_fail_in(error, "leave the residue out with --drop, or");
        }
    }
    if (!status && !heavy.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: the receptor has no heavy atoms",
                            settings->path);
    }
    if (!status) {
        receptor->source = berth_copy_text(settings->path);
        receptor->forcefield = berth_copy_text(forcefield.name);
        receptor->forcefield_hash = berth_forcefield_hash(&forcefield);
        if (!receptor->source || !receptor->forcefield) {
            status = berth_out_of_memory(error, NULL);
        }
    }
    berth_gatherer_flush(&warnings);
    berth_heavy_atoms_clear(&heavy);
    berth_forcefield_clear(&forcefield);
    return status;
}

static enum berth_status check_structure(const struct berth_receptor_work *work,
                                         struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = work->log};
    const struct berth_log log = berth_gather(&warnings);
    const enum berth_status status = berth_receptor_check(&work->prepared->structure, &log, error);
    berth_gatherer_flush(&warnings);
    return status;
}

static enum berth_status place_site(const struct berth_receptor_work *work,
                                    struct berth_error *error)
{
    struct berth_receptor *receptor = &work->prepared->receptor;
    struct berth_site site;
    const enum berth_status status = berth_receptor_site(work, &receptor->has_site, &site, error);
    if (!status && receptor->has_site) {
        memcpy(receptor->center, site.center, sizeof receptor->center);
        memcpy(receptor->size, site.size, sizeof receptor->size);
        berth_site_check_structure(&site, &work->prepared->structure, work->log);
    }
    return status;
}

enum berth_status berth_receptor_prepare(const struct berth_receptor_settings *settings,
                                         const struct berth_log *log,
                                         struct berth_receptor_prepared *prepared,
                                         struct berth_error *error)
{
    static enum berth_status (*const STEPS[])(const struct berth_receptor_work *,
                                              struct berth_error *) = {
        read_structure, berth_receptor_select, check_structure, make_reference,
        type_atoms,     make_receptor,         place_site};
    const struct berth_receptor_work work = {settings, log, prepared};
    enum berth_status status = BERTH_OK;
    memset(prepared, 0, sizeof *prepared);
    for (size_t i = 0; !status && i < sizeof STEPS / sizeof *STEPS; i++) {
        status = STEPS[i](&work, error);
    }
    return status;
}

static enum berth_status write_receptor(const struct berth_receptor_work *work, const char *out,
                                        struct berth_error *error)
{
    const struct berth_receptor *receptor = &work->prepared->receptor;
    const enum berth_status status = berth_receptor_write(out, receptor, error);
    if (!status && receptor->has_site) {
        berth_note(work->log,
                   "%s: %zu heavy atoms, site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f "
                   "\xc3\x85",
                   out, receptor->molecule.atom_count, receptor->center[0], receptor->center[1],
                   receptor->center[2], receptor->size[0], receptor->size[1], receptor->size[2]);
    } else if (!status) {
        berth_note(work->log, "%s: %zu heavy atoms, no site", out, receptor->molecule.atom_count);
    }
    return status;
}

enum berth_status berth_receptor_prepared_write(const struct berth_receptor_settings *settings,
                                                const struct berth_receptor_outputs *outputs,
                                                const struct berth_log *log,
                                                struct berth_receptor_prepared *prepared,
                                                struct berth_error *error)
{
    const struct berth_receptor_work work = {settings, log, prepared};
    enum berth_status status = settings->sites ? berth_receptor_scan(&work, outputs->out, error)
                                               : write_receptor(&work, outputs->out, error);
    if (!status && outputs->reference) {
        status = berth_mol2_write_one(outputs->reference, &prepared->reference, error);
    }
    if (!status && outputs->mol2) {
        status = berth_bonds_by_distance(&prepared->receptor.molecule, error);
    }
    if (!status && outputs->mol2) {
        status = berth_mol2_write_one(outputs->mol2, &prepared->receptor.molecule, error);
    }
    return status;
}

void berth_receptor_prepared_clear(struct berth_receptor_prepared *prepared)
{
    if (prepared) {
        berth_structure_clear(&prepared->structure);
        berth_structure_clear(&prepared->ligand);
        berth_molecule_clear(&prepared->reference);
        berth_receptor_clear(&prepared->receptor);
    }
}
