#include "prep/receptor/prepare_receptor.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/pockets.h"
#include "format/mol2/mol2.h"
#include "format/output.h"
#include "format/poses.h"
#include "prep/bond_orders.h"
#include "prep/perception.h"
#include "prep/receptor/assembly.h"
#include "prep/receptor/plddt.h"
#include "prep/receptor/missing.h"
#include "prep/receptor/network.h"
#include "prep/receptor/notes.h"
#include "prep/receptor/prepare_structure.h"
#include "prep/receptor/residues.h"
#include "prep/receptor/tautomer.h"
#include "prep/site_checks.h"
#include "prep/posed.h"
#include "score/scoring.h"

/* --- What is said --- */

/* What preparing a receptor says, kept for its file: who writes of a docking wants to know later
 * what was cut out, left out and taken for granted. */

/* Zeroed but for next and brief, it is empty.  For one thread at a time. */
struct account {
    const struct berth_log *next; /* borrowed: where lines go as well; NULL is silence */
    bool brief;                   /* but for details, which are kept alone */
    struct berth_bytes text;      /* owned; the lines, of notes and warnings, with ends between */
};

static void keep(struct account *account, const struct berth_log_line *line, bool passed_on)
{
    if (account->text.count) {
        berth_bytes_put8(&account->text, '\n');
    }
    berth_bytes_put(&account->text, line->text, strlen(line->text));
    if (passed_on && account->next && account->next->take) {
        account->next->take(account->next->context, line);
    }
}

static void keep_line(void *context, const struct berth_log_line *line)
{
    keep(context, line, true);
}

static void keep_detail(void *context, const struct berth_log_line *line)
{
    const struct account *account = context;
    keep(context, line, !account->brief || line->level != BERTH_LOG_NOTE);
}

/* Hands over the lines, with ends between, in *text, which the caller frees, and forgets them.
 * Errors: BERTH_E_MEMORY; *text is NULL then. */
static enum berth_status account_take(struct account *account, char **text,
                                      struct berth_error *error)
{
    berth_bytes_put8(&account->text, 0);
    *text = account->text.failed ? NULL : berth_copy_text((const char *)account->text.data);
    berth_bytes_clear(&account->text);
    return *text ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* --- The ligand that was cut out of a structure, as a molecule with bonds --- */

static enum berth_status find_smiles(struct berth_bond_finder *finder,
                                     const struct berth_molecule *molecule,
                                     struct berth_bytes *smiles, struct berth_error *error)
{
    const struct berth_tagged_molecule tagged = {.molecule = molecule, .title = ""};
    struct berth_output *output = NULL;
    char *sdf = NULL;
    size_t size = 0;
    BERTH_TRY(berth_output_create_memory(&sdf, &size, &output, error));
    enum berth_status status = berth_molecule_write(output, BERTH_POSE_SDF, &tagged, error);
    status = berth_output_finish(output, status, error);
    const struct berth_bytes input = {.data = (unsigned char *)sdf, .count = size};
    BERTH_THEN(berth_bond_finder_smiles(finder, &input, smiles, error));
    free(sdf);
    return status;
}

/* Says what was perceived, so that a chemist sees at once where it is wrong. */
static void say_bonds(struct berth_bond_finder *finder, const struct berth_molecule *reference,
                      const struct berth_bonds_found *found, const struct berth_log *log)
{
    struct berth_bytes smiles = {0};
    struct berth_error why;
    const bool known = !find_smiles(finder, reference, &smiles, &why);
    const char *told = known ? (const char *)smiles.data : "";
    const int size = (int)strcspn(told, " \t\r\n");
    if (*found->contradiction) {
        berth_warn(log, NULL,
                   "the bonds of the ligand, perceived as %.*s, contradict its geometry (%s): give "
                   "its SMILES (ligand_smiles)",
                   size ? size : 1, size ? told : "?", found->contradiction);
    } else if (!size) {
        berth_warn(log, NULL, "the SMILES of the ligand cannot be told: %s",
                   known ? "it is empty" : why.message);
    } else {
        berth_note(log,
                   "ligand: %.*s, as perceived%s: if that is wrong, give the SMILES "
                   "(ligand_smiles)",
                   size, told,
                   found->moved ? ", its tautomer by the receptor's hydrogen bonds" : "");
    }
    berth_bytes_clear(&smiles);
}

#define FILE_PLACES 1e4 /* to the Å: four decimals, of Mol2 */

/* To places as files keep them, so that both have the same contacts. */
static void round_places(struct berth_molecule *molecule)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        for (int k = 0; k < 3; k++) {
            double *at = &molecule->atoms[i].position[k];
            *at = round(*at * FILE_PLACES) / FILE_PLACES;
        }
    }
}

/* In the state in which docking it out of the structure would have it, or its SMILES:  Errors: as
 * berth_bond_orders_find and berth_bond_finder_stand. */
static enum berth_status protonate(struct berth_bond_finder *finder, const char *smiles,
                                   struct berth_receptor_prepared *prepared,
                                   struct berth_bonds_found *found, struct berth_error *error)
{
    const struct berth_structure *ligand = &prepared->ligand;
    const struct berth_bonds_request wanted = {.structure = ligand, .smiles = smiles};
    struct berth_bytes sdf = {0};
    enum berth_status status =
        smiles ? berth_bond_orders_find(finder, &wanted, NULL, &sdf, error)
               : berth_cut_ligand_sdf(finder, ligand, &prepared->receptor.molecule, found, &sdf,
                                      error);
    BERTH_THEN(berth_bond_finder_stand(finder, &sdf, BERTH_PH, &prepared->reference, error));
    if (!status) {
        round_places(&prepared->reference);
    }
    BERTH_THEN(berth_perception_restore(ligand, &prepared->reference, error));
    berth_bytes_clear(&sdf);
    return status;
}

static enum berth_status find_reference(struct berth_bond_finder *finder,
                                        const struct berth_receptor_settings *settings,
                                        const struct berth_log *log,
                                        struct berth_receptor_prepared *prepared,
                                        struct berth_error *error)
{
    const struct berth_structure *ligand = &prepared->ligand;
    struct berth_molecule *reference = &prepared->reference;
    const char *smiles = settings->ligand_smiles;
    struct berth_bonds_found found = {0};
    struct berth_error why;
    if (smiles) {
        const enum berth_status status = protonate(finder, smiles, prepared, &found, error);
        if (status) {
            berth_fail_in(error, "ligand_smiles");
            error->option = "ligand_smiles";
        }
        return status;
    }
    const bool own = berth_has_all_hydrogens(ligand);
    if (!own && protonate(finder, NULL, prepared, &found, &why) == BERTH_OK) {
        say_bonds(finder, reference, &found, log);
        return BERTH_OK;
    }
    if (berth_perceive_molecule(finder, ligand, reference, found.contradiction, &why)) {
        berth_warn(log, NULL, "the ligand has single bonds only: %s", why.message);
        return berth_plain_molecule(ligand, reference, error);
    }
    say_bonds(finder, reference, &found, log);
    return BERTH_OK;
}

/* Makes prepared->reference of prepared->ligand, which stands in prepared->receptor.  Bonds are
 * those of the settings' SMILES, else perceived ones, else single ones; the log hears which, and
 * what is doubtful.  Where the settings want no reference, single ones have to do, for the ligand's
 * place alone.  It stays empty where there is no ligand. Errors: BERTH_E_FORMAT (other SMILES),
 * BERTH_E_IO, BERTH_E_MEMORY. */
static enum berth_status make_reference(const struct berth_receptor_work *work,
                                        struct berth_error *error)
{
    struct berth_receptor_prepared *prepared = work->prepared;
    if (!prepared->ligand.count) {
        return BERTH_OK;
    }
    return work->settings->reference
               ? find_reference(work->finder, work->settings, work->log, prepared, error)
               : berth_plain_molecule(&prepared->ligand, &prepared->reference, error);
}

/* --- Sites by a scan over the whole receptor --- */

/* "SITE" and what follows of a file beside "SITE.brec"; path has PATH_MAX bytes. */
static void path_beside(const char *out, const char *suffix, char *path)
{
    const char *dot = strrchr(out, '.');
    const int stem =
        (int)(dot && dot > out && strcmp(dot, ".brec") == 0 ? (size_t)(dot - out) : strlen(out));
    snprintf(path, PATH_MAX, "%.*s%s", stem, out, suffix);
}

void berth_receptor_scan_path(const char *out, size_t site, char *path)
{
    char suffix[32] = "_sites.csv";
    if (site) {
        snprintf(suffix, sizeof suffix, "_%zu.brec", site);
    }
    path_beside(out, suffix, path);
}

static enum berth_status write_table(const char *out, const struct berth_pocket *pockets,
                                     size_t count, struct berth_error *error)
{
    char path[PATH_MAX], file[PATH_MAX];
    struct berth_output *output;
    berth_receptor_scan_path(out, 0, path);
    BERTH_TRY(berth_output_create(path, &output, error));
    berth_output_print(output, "site,file,center_x,center_y,center_z,size_x,size_y,size_z,volume,"
                               "burial,score\n");
    for (size_t i = 0; i < count; i++) {
        const struct berth_pocket *pocket = &pockets[i];
        berth_receptor_scan_path(out, i + 1, file);
        berth_output_print(output, "%zu,", i + 1);
        berth_output_csv(output, file, ',');
        for (int k = 0; k < 6; k++) {
            berth_output_print(output, k < 3 ? "%.3f," : "%.2f,",
                               k < 3 ? pocket->center[k] : pocket->size[k - 3]);
        }
        berth_output_print(output, "%.0f,%.2f,%.1f\n", pocket->volume, pocket->burial,
                           pocket->score);
    }
    return berth_output_commit(output, error);
}

/* Scans the receptor for sites and writes one receptor file for each, and the table of them. */
static enum berth_status scan_for_sites(const struct berth_receptor_work *work, const char *out,
                                        struct berth_error *error)
{
    struct berth_receptor *receptor = &work->prepared->receptor;
    const size_t most = work->settings->sites;
    size_t found = 0;
    struct berth_pocket *pockets;
    BERTH_TRY(berth_make(&pockets, most, sizeof *pockets, NULL, error));
    enum berth_status status =
        berth_pockets_find(&receptor->molecule, most, pockets, &found, error);
    if (!status && !found) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: no pocket was found; give a site (centre and size)",
                            work->settings->path);
    }
    for (size_t i = 0; !status && i < found; i++) {
        char path[PATH_MAX], doubt[48] = "";
        struct berth_site site = {.atoms = false};
        size_t low;
        berth_receptor_scan_path(out, i + 1, path);
        receptor->has_site = true;
        memcpy(receptor->center, pockets[i].center, sizeof receptor->center);
        memcpy(receptor->size, pockets[i].size, sizeof receptor->size);
        memcpy(site.center, pockets[i].center, sizeof site.center);
        memcpy(site.size, pockets[i].size, sizeof site.size);
        status = berth_receptor_write(path, receptor, error);
        BERTH_THEN(berth_plddt_count(work->prepared, &site, &low, error));
        if (!status) {
            if (low) {
                snprintf(doubt, sizeof doubt, ", %zu residues below pLDDT %g", low,
                         BERTH_PLDDT_LOW);
            }
            berth_note(work->log, "%s: site %zu (%.3f, %.3f, %.3f), %.0f \xc3\x85^3, score %.1f%s",
                       path, i + 1, pockets[i].center[0], pockets[i].center[1],
                       pockets[i].center[2], pockets[i].volume, pockets[i].score, doubt);
        }
    }
    BERTH_THEN(write_table(out, pockets, found, error));
    free(pockets);
    return status;
}

/* --- The steps --- */

static enum berth_status read_structure(const struct berth_receptor_work *work,
                                        struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    struct berth_structure *structure = &work->prepared->structure;
    size_t alternates = 0;
    BERTH_TRY(berth_structure_read(settings->path, settings->format, structure, error));
    berth_note(work->details, "%s: %zu atoms", settings->path, structure->count);
    if (structure->models > 1) {
        berth_note(work->log, "the first of %zu models is used", structure->models);
    }
    if (structure->blocks > 1) {
        berth_note(work->log, "the atoms of %zu data blocks are taken together", structure->blocks);
    }
    if (berth_receptor_check_crowding(structure, error)) {
        return berth_fail_in(error, settings->path);
    }
    BERTH_TRY(berth_plddt_find(structure, &work->prepared->plddt, error));
    BERTH_TRY(berth_structure_gather(structure, error));
    BERTH_TRY(berth_alternates_resolve(structure, &alternates, error));
    if (alternates) {
        berth_note(work->details,
                   "alternate locations: the one of highest occupancy, in %zu residue%s",
                   alternates, alternates == 1 ? "" : "s");
    }
    return BERTH_OK;
}

static enum berth_status type_atoms(const struct berth_receptor_work *work,
                                    struct berth_error *error)
{
    struct berth_receptor_typing typing = {0};
    size_t perceived = 0;
    if (!work->settings->keep_types) {
        BERTH_TRY(berth_receptor_type(&work->prepared->structure, &typing, error));
    }
    BERTH_TRY(berth_perceive_types(work->finder, &work->prepared->structure, work->log, &perceived,
                                   error));
    if (typing.changed) {
        berth_note(work->details, "types: %zu differ from the file's (keep_types keeps those)",
                   typing.changed);
    }
    if (perceived) {
        berth_note(work->details, "types: %zu atoms by perceived bonds", perceived);
    }
    return BERTH_OK;
}

/* Looks whether the forcefield knows all types.  One that was named has to; the one that is built
 * in has not (*known): functions with types of their own are docked by all the same. */
static enum berth_status check_types(const struct berth_receptor_work *work,
                                     const struct berth_forcefield *forcefield, bool *known,
                                     struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    const struct berth_scoring typing = {.typing = BERTH_TYPING_BUDE, .forcefield = *forcefield};
    struct berth_gatherer warnings = {.next = work->log};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_heavy_atoms heavy = {0};
    const struct berth_receptor *receptor = &work->prepared->receptor;
    size_t untyped;
    enum berth_status status =
        berth_scoring_assign_told(&typing, &receptor->molecule, &log, &heavy, &untyped, error);
    *known = !status;
    if (untyped) {
        berth_selector_suggest(&receptor->molecule.atoms[untyped - 1], receptor->residues, error);
    }
    if (status == BERTH_E_TYPE && !settings->forcefield) {
        if (!settings->docked) { /* who docks is told by the functions that rank */
            berth_warn(
                work->log, NULL,
                "%s: bude and plp cannot rank here; vina and vinardo have types of their own",
                error->message);
        }
        status = BERTH_OK;
    }
    berth_gatherer_flush(&warnings);
    berth_heavy_atoms_clear(&heavy);
    return status;
}

static enum berth_status make_receptor(const struct berth_receptor_work *work,
                                       struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    struct berth_forcefield forcefield = {0};
    struct berth_receptor *receptor = &work->prepared->receptor;
    bool known = false;
    enum berth_status status = berth_bhff_read(settings->forcefield, work->log, &forcefield, error);
    BERTH_THEN(berth_receptor_from_structure(&work->prepared->structure, receptor, error));
    BERTH_THEN(check_types(work, &forcefield, &known, error));
    if (!status && !berth_heavy_count(&receptor->molecule)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: the receptor has no heavy atoms",
                            settings->path);
    }
    if (!status) {
        receptor->source = berth_copy_text(settings->path);
        receptor->forcefield = berth_copy_text(known ? forcefield.name : "");
        receptor->forcefield_hash = known ? berth_forcefield_hash(&forcefield) : 0;
        if (!receptor->source || !receptor->forcefield) {
            status = berth_out_of_memory(error, NULL);
        }
    }
    berth_forcefield_clear(&forcefield);
    return status;
}

static enum berth_status check_structure(const struct berth_receptor_work *work,
                                         struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = work->log};
    const struct berth_log log = berth_gather(&warnings);
    const struct berth_receptor *receptor = &work->prepared->receptor;
    struct berth_site site;
    memcpy(site.center, receptor->center, sizeof site.center);
    memcpy(site.size, receptor->size, sizeof site.size);
    if (!work->settings->keep_types) {
        BERTH_TRY(berth_receptor_note_protonation(
            &work->prepared->structure, receptor->has_site ? &site : NULL, work->details, error));
    }
    if (work->settings->format == BERTH_STRUCTURE_PDBQT) {
        berth_receptor_note_acceptors(&work->prepared->structure, &receptor->molecule,
                                      receptor->has_site ? &site : NULL, work->details);
    }
    enum berth_status status =
        berth_receptor_note_plddt(work, receptor->has_site ? &site : NULL, error);
    BERTH_THEN(berth_receptor_check(&work->prepared->structure, receptor->has_site ? &site : NULL,
                                    &log, error));
    if (work->prepared->ligand.count) {
        const struct berth_site_surroundings surroundings = {&receptor->molecule,
                                                             receptor->residues, false};
        char text[BERTH_RESIDUE_TEXT_SIZE];
        berth_residue_text(&work->prepared->ligand.atoms[0].residue, text);
        berth_site_check_overlap(&work->prepared->reference, text, &surroundings, &log);
    }
    berth_gatherer_flush(&warnings);
    return status;
}

static enum berth_status place_site(const struct berth_receptor_work *work,
                                    struct berth_error *error)
{
    struct berth_receptor *receptor = &work->prepared->receptor;
    struct berth_site site;
    BERTH_TRY(berth_receptor_find_site(work, &receptor->has_site, &site, error));
    if (receptor->has_site) {
        memcpy(receptor->center, site.center, sizeof receptor->center);
        memcpy(receptor->size, site.size, sizeof receptor->size);
        if (!work->settings->docked) {
            BERTH_TRY(
                berth_site_check_structure(&site, &work->prepared->structure, work->log, error));
        }
        if (work->prepared->ligand.count && !work->settings->box && !work->settings->residues) {
            berth_receptor_mark_bystanders(receptor, &work->prepared->ligand);
        }
        berth_receptor_note_metals(receptor, work->details);
    }
    return BERTH_OK;
}

enum berth_status berth_receptor_prepare(const struct berth_receptor_settings *settings,
                                         const struct berth_log *log,
                                         struct berth_receptor_prepared *prepared,
                                         struct berth_error *error)
{
    typedef enum berth_status step(const struct berth_receptor_work *, struct berth_error *);
    static step *const STEPS[] = {read_structure,
                                  berth_receptor_select,
                                  berth_receptor_assemble,
                                  berth_receptor_build_missing,
                                  berth_receptor_protonate,
                                  type_atoms,
                                  berth_receptor_leave_uncertain,
                                  make_receptor,
                                  make_reference,
                                  place_site,
                                  check_structure};
    memset(prepared, 0, sizeof *prepared);
    struct account account = {.next = log, .brief = settings->docked || settings->siteless};
    const struct berth_log kept = {keep_line, &account}, details = {keep_detail, &account};
    struct berth_bond_finder finder = {0};
    const struct berth_receptor_work work = {settings, &kept, &details, prepared, &finder};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof STEPS / sizeof *STEPS; i++) {
        status = STEPS[i](&work, error);
    }
    berth_bond_finder_clear(&finder);
    char *said = NULL;
    BERTH_THEN(account_take(&account, &said, error));
    if (!status && account.brief) {
        berth_detail(log,
                     "%s: prepared as `berth prep receptor` does, which says more of it and has "
                     "options",
                     settings->path);
    }
    berth_bytes_clear(&account.text);
    prepared->receptor.preparation = said;
    return status;
}

static enum berth_status write_receptor(const struct berth_receptor_work *work, const char *out,
                                        struct berth_error *error)
{
    const struct berth_receptor *receptor = &work->prepared->receptor;
    BERTH_TRY(berth_receptor_write(out, receptor, error));
    if (receptor->has_site) {
        berth_note(work->log,
                   "%s: %zu heavy atoms, site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f "
                   "\xc3\x85",
                   out, receptor->molecule.atom_count, receptor->center[0], receptor->center[1],
                   receptor->center[2], receptor->size[0], receptor->size[1], receptor->size[2]);
    } else {
        berth_note(work->log, "%s: %zu heavy atoms, no site", out, receptor->molecule.atom_count);
    }
    return BERTH_OK;
}

enum berth_status berth_receptor_prepared_write(const struct berth_receptor_settings *settings,
                                                const struct berth_receptor_outputs *outputs,
                                                const struct berth_log *log,
                                                struct berth_receptor_prepared *prepared,
                                                struct berth_error *error)
{
    const struct berth_receptor_work work = {settings, log, log, prepared, NULL};
    BERTH_TRY(berth_displaceable_write(&prepared->displaceable, &prepared->receptor, outputs->out,
                                       outputs->overwrite, log, error));
    if (settings->protonate) {
        char path[PATH_MAX];
        path_beside(outputs->out, "_protonation.csv", path);
        BERTH_TRY(berth_network_write(&prepared->network, path, error));
    }
    BERTH_TRY(settings->sites ? scan_for_sites(&work, outputs->out, error)
                              : write_receptor(&work, outputs->out, error));
    if (outputs->reference) {
        BERTH_TRY(berth_mol2_write_one(outputs->reference, &prepared->reference, error));
    }
    if (outputs->mol2) {
        BERTH_TRY(berth_bonds_by_distance(&prepared->receptor.molecule, error));
        BERTH_TRY(berth_mol2_write_one(outputs->mol2, &prepared->receptor.molecule, error));
    }
    return BERTH_OK;
}

void berth_receptor_prepared_clear(struct berth_receptor_prepared *prepared)
{
    berth_structure_clear(&prepared->structure);
    berth_structure_clear(&prepared->ligand);
    berth_structure_clear(&prepared->uncertain);
    berth_molecule_clear(&prepared->reference);
    berth_receptor_clear(&prepared->receptor);
    berth_network_clear(&prepared->network);
}
