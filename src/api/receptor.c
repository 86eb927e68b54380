#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/memory.h"
#include "dock/covalent/covalent_known.h"
#include "format/output.h"
#include "format/receptor_file.h"
#include "format/pdb/pdb.h"
#include "prep/receptor/tautomer.h"

static void describe(berth_receptor *receptor)
{
    const struct berth_typed_receptor *typed = &receptor->loaded.typed;
    const struct berth_scoring *scoring = &typed->scoring;
    for (size_t i = 0; i < scoring->terms.count; i++) {
        receptor->terms[i] = scoring->terms.names[i];
    }
    for (size_t i = 0; i < typed->functions.count; i++) {
        receptor->functions[i] = typed->functions.names[i];
        receptor->units[i] = i ? typed->judges[i - 1].scoring.unit : scoring->unit;
    }
    receptor->facts = (struct berth_receptor_facts){.path = receptor->loaded.path,
                                                    .title = typed->molecule.title,
                                                    .heavy_count = typed->heavy.count,
                                                    .forcefield = scoring->forcefield.name,
                                                    .scoring = scoring->name,
                                                    .unit = scoring->unit,
                                                    .terms = receptor->terms,
                                                    .term_count = scoring->terms.count,
                                                    .parts = BERTH_PART_COLUMNS,
                                                    .part_count = BERTH_PART_COUNT,
                                                    .functions = receptor->functions,
                                                    .units = receptor->units,
                                                    .function_count = typed->functions.count};
}

enum berth_status berth_receptor_load(const char *path, const berth_options *options,
                                      const struct berth_log *log, berth_receptor **receptor,
                                      struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options mine;
    const struct berth_options *asked;
    if (receptor) {
        *receptor = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(path), BERTH_ARGUMENT(receptor)));
    enum berth_status status =
        berth_options_of(options, BERTH_RUNS_DOCK | BERTH_RUN_SCORE, &mine, &asked, error);
    BERTH_THEN(berth_make(receptor, 1, sizeof **receptor, NULL, error));
    BERTH_THEN(berth_loaded_receptor_read(path, asked, log, &(*receptor)->loaded, error));
    if (!status) {
        describe(*receptor);
    } else {
        berth_receptor_free(*receptor);
        *receptor = NULL;
    }
    berth_options_clear(&mine);
    return status;
}

const struct berth_receptor_facts *berth_receptor_describe(const berth_receptor *receptor)
{
    return receptor ? &receptor->facts : NULL;
}

void berth_receptor_positions(const berth_receptor *receptor, double (*positions)[3])
{
    if (!receptor || !positions) {
        return;
    }
    const struct berth_heavy_atoms *heavy = &receptor->loaded.typed.heavy;
    for (size_t i = 0; i < heavy->count; i++) {
        memcpy(positions[i], heavy->atoms[i].position, sizeof positions[i]);
    }
}

bool berth_receptor_get_site(const berth_receptor *receptor, double center[3], double edges[3])
{
    if (!receptor || !receptor->loaded.typed.has_site) {
        return false;
    }
    const struct berth_site *site = &receptor->loaded.typed.site;
    if (center) {
        memcpy(center, site->center, sizeof site->center);
    }
    if (edges) {
        memcpy(edges, site->size, sizeof site->size);
    }
    return true;
}

enum berth_status berth_receptor_set_site(berth_receptor *receptor, const double center[3],
                                          const double edges[3], struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(
        BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(center), BERTH_ARGUMENT(edges)));
    return berth_loaded_receptor_set_site(&receptor->loaded, center, edges, error);
}

enum berth_status berth_receptor_site_about(berth_receptor *receptor, const char *path,
                                            double margin, const struct berth_log *log,
                                            struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    const enum berth_status status =
        BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(path));
    return status ? status
                  : berth_loaded_receptor_site_about(&receptor->loaded, path, margin, log, error);
}

enum berth_status berth_receptor_write_pdb(const berth_receptor *receptor, const char *out,
                                           struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(out)));
    const struct berth_typed_receptor *typed = &receptor->loaded.typed;
    const struct berth_pdb_source source = {&typed->molecule, typed->residues, typed->residue_count,
                                            NULL};
    if (!typed->residues) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%s is a Mol2 file, taken as it stands, without chains, which PDB needs",
                          receptor->loaded.path);
    }
    double(*places)[3] = NULL;
    struct berth_output *output = NULL;
    int serial = 0;
    enum berth_status status =
        berth_make(&places, typed->heavy.count, sizeof *places, receptor->loaded.path, error);
    BERTH_THEN(berth_output_create(out, &output, error));
    if (!status) {
        berth_receptor_positions(receptor, places);
        berth_pdb_write_atoms(output, &source, (const double(*)[3])places, &serial);
        berth_output_print(output, "END\n");
        status = berth_output_commit(output, error);
    }
    free(places);
    return status;
}

/* The tautomer that the receptor wants of the ligand that was cut out; "" where that is the one
 * that who reads its file perceives, or nothing can be perceived. */
static enum berth_status find_tautomer(const struct berth_typed_receptor *receptor,
                                       struct berth_bytes *smiles, struct berth_error *error)
{
    struct berth_error why;
    struct berth_bonds_found found = {0};
    struct berth_bond_finder finder = {0};
    struct berth_bytes sdf = {0};
    if (berth_cut_ligand_sdf(&finder, &receptor->cut, &receptor->molecule, &found, &sdf, &why) ||
        !found.moved || *found.contradiction ||
        berth_bond_finder_smiles(&finder, &sdf, smiles, &why)) {
        smiles->count = 0;
        berth_bytes_put8(smiles, 0);
    }
    berth_bond_finder_clear(&finder);
    berth_bytes_clear(&sdf);
    return smiles->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* With the bonds of these SMILES ("": without). */
static enum berth_status write_cut(const struct berth_structure *ligand, const char *smiles,
                                   const char *out, struct berth_error *error)
{
    struct berth_output *output;
    BERTH_TRY(berth_output_create(out, &output, error));
    berth_output_print(output, "COMPND    %s\n", ligand->title);
    if (*smiles) {
        berth_output_print(output, "REMARK SMILES %.*s\n", (int)strcspn(smiles, " \t\r\n"), smiles);
    }
    berth_pdb_write_structure(output, ligand);
    return berth_output_commit(output, error);
}

/* BERTH_E_USAGE where no ligand was cut out. */
static enum berth_status need_cut(const berth_receptor *receptor, struct berth_error *error)
{
    if (receptor->loaded.typed.cut.count) {
        return BERTH_OK;
    }
    return berth_is_receptor_file(receptor->loaded.path)
               ? berth_fail_option(
                     error, BERTH_E_USAGE, "ligand_id",
                     "ligand_id: no ligand was cut out of %s, a receptor file, which keeps none: "
                     "preparing it writes its ligand to the file that reference names; or load the "
                     "structure with ligand_id",
                     receptor->loaded.path)
               : berth_fail_option(error, BERTH_E_USAGE, "ligand_id",
                                   "ligand_id: no ligand was cut out of %s", receptor->loaded.path);
}

enum berth_status berth_receptor_write_ligand(const berth_receptor *receptor, const char *out,
                                              const struct berth_log *log,
                                              struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(out)));
    BERTH_TRY(need_cut(receptor, error));
    struct berth_bytes tautomer = {0};
    const char *smiles = receptor->loaded.ligand_smiles;
    enum berth_status status = BERTH_OK;
    if (!smiles) {
        status = find_tautomer(&receptor->loaded.typed, &tautomer, error);
        smiles = status ? "" : (const char *)tautomer.data;
        if (*smiles) {
            berth_note(
                log,
                "%s: its file has no bond orders, which were perceived, and its tautomer is "
                "the one that the receptor's hydrogen bonds want: %s; if that is wrong, give "
                "the SMILES (ligand_smiles)",
                receptor->loaded.typed.cut.title, smiles);
        }
    }
    BERTH_THEN(write_cut(&receptor->loaded.typed.cut, smiles, out, error));
    berth_bytes_clear(&tautomer);
    return status;
}

static enum berth_status write_smiles(const char *smiles, const char *name, const char *out,
                                      struct berth_error *error)
{
    struct berth_output *output;
    BERTH_TRY(berth_output_create(out, &output, error));
    berth_output_print(output, "%s %s\n", smiles, name);
    return berth_output_commit(output, error);
}

enum berth_status berth_receptor_write_bonded(const berth_receptor *receptor, const char *covalent,
                                              const char *out, const struct berth_log *log,
                                              struct berth_error *error)
{
    BERTH_TRY(
        BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(covalent), BERTH_ARGUMENT(out)));
    BERTH_TRY(need_cut(receptor, error));
    const struct berth_typed_receptor *typed = &receptor->loaded.typed;
    struct berth_covalent found;
    struct berth_bytes smiles = {0};
    enum berth_status status = berth_covalent_find(typed, covalent, &found, error);
    BERTH_THEN(
        berth_covalent_smiles(&found, typed, receptor->loaded.ligand_smiles, &smiles, error));
    if (!status && !receptor->loaded.ligand_smiles) {
        berth_note(
            log,
            "%s: as perceived, bonded to %s of %s (*): %s; if that is wrong, give its SMILES "
            "(ligand_smiles)",
            typed->cut.title, found.atom, found.text, (const char *)smiles.data);
    }
    BERTH_THEN(write_smiles((const char *)smiles.data, typed->cut.title, out, error));
    berth_covalent_clear(&found);
    berth_bytes_clear(&smiles);
    return status;
}

enum berth_status berth_bonded_ligand(const char *path, const char *covalent, char *ligand_id,
                                      struct berth_error *error)
{
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(path), BERTH_ARGUMENT(covalent),
                         BERTH_ARGUMENT(ligand_id)));
    return berth_covalent_ligand(path, covalent, ligand_id, error);
}

void berth_receptor_free(berth_receptor *receptor)
{
    BERTH_IN_C_LOCALE;
    if (receptor) {
        berth_loaded_receptor_clear(&receptor->loaded);
        free(receptor);
    }
}
