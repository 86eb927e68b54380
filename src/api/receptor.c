#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/memory.h"
#include "dock/covalent_known.h"
#include "format/output.h"
#include "format/pdb/pdb.h"
#include "options/search.h"
#include "options/tables.h"
#include "prep/receptor/prepare_receptor.h"
#include "prep/receptor/tautomer.h"
#include "prep/site_checks.h"
#include "prep/standing.h"

void berth_receptor_defaults(struct berth_receptor_options *options, size_t size)
{
    const struct berth_receptor_options defaults = berth_screen_request().target;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* The options that say a box, in this order. */
static const char *const BOX[] = {"center_x", "center_y", "center_z", "size_x", "size_y", "size_z"};

enum berth_status berth_api_box(const struct berth_box *box, const struct berth_log *log, bool *any,
                                struct berth_site *site, struct berth_molecule *about,
                                struct berth_error *error)
{
    size_t count = 0;
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof BOX / sizeof *BOX; i++) {
        if (!isnan(i < 3 ? box->center[i] : box->edges[i - 3])) {
            count++;
        } else if (!missing) {
            missing = BOX[i];
        }
    }
    *any = count > 0 || box->autobox_ligand;
    site->atoms = box->box && strcmp(box->box, "atoms") == 0;
    if (box->box && !site->atoms && strcmp(box->box, "centroid") != 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "box",
                                 "box: '%s' is not known; centroid and atoms are", box->box);
    }
    if (box->autobox_ligand && count) {
        return berth_fail_option(error, BERTH_E_USAGE, "autobox_ligand",
                                 "give either autobox_ligand or centre and size, not both");
    }
    if (box->autobox_ligand) {
        BERTH_TRY(berth_posed_read(box->autobox_ligand, about, error));
        return berth_site_about_file(box->autobox_ligand, about, box->autobox_add, log, site,
                                     error);
    }
    if (count && missing) {
        return berth_fail_option(error, BERTH_E_USAGE, missing,
                                 "%s is missing: a site needs center_x/y/z and size_x/y/z, or "
                                 "autobox_ligand",
                                 missing);
    }
    for (int k = 0; count && k < 3; k++) {
        if (box->edges[k] <= 0) {
            return berth_fail_option(error, BERTH_E_USAGE, BOX[3 + k],
                                     "%s: an edge of 0 Å; it must be above 0", BOX[3 + k]);
        }
    }
    memcpy(site->center, box->center, sizeof site->center);
    memcpy(site->size, box->edges, sizeof site->size);
    return BERTH_OK;
}

/* Keeps the molecule that the site is about, of this file (NULL: there is none); *about is moved.
 */
static enum berth_status keep_about(berth_receptor *receptor, const char *path,
                                    struct berth_molecule *about, struct berth_error *error)
{
    berth_molecule_clear(&receptor->about);
    free(receptor->about_path);
    receptor->about = *about;
    memset(about, 0, sizeof *about);
    return berth_api_copy(path, &receptor->about_path, error);
}

/* The box, if there is `any`, is the site; else the receptor's own stays, which is of a centroid,
 * or about the ligand that was cut out: `add` (Å) is its margin if it is of atoms. */
static enum berth_status take_box(berth_receptor *receptor, bool any, struct berth_site *box,
                                  double add, struct berth_error *error)
{
    if (box->atoms && !any) {
        any = berth_site_about(&receptor->receptor.ligand, add, true, box);
        if (!any) {
            return berth_fail_option(error, BERTH_E_USAGE, "box",
                                     "box: a box of atoms is given with it, by centre and size or "
                                     "about a ligand; the receptor file's own is of a centroid");
        }
    }
    if (any) {
        receptor->receptor.site = *box;
        receptor->receptor.has_site = true;
    }
    return BERTH_OK;
}

static enum berth_status load(berth_receptor *loaded, const struct berth_scoring_choice *choice,
                              const char *path, const struct berth_receptor_place *place,
                              const struct berth_log *log, struct berth_error *error)
{
    enum berth_status status =
        berth_typed_receptor_read(choice, path, place, log, &loaded->receptor, error);
    BERTH_THEN(berth_api_copy(path, &loaded->path, error));
    BERTH_THEN(berth_api_copy(choice->scoring, &loaded->scoring, error));
    const struct berth_scoring *scoring = &loaded->receptor.scoring;
    for (size_t i = 0; i < scoring->terms.count; i++) {
        loaded->terms[i] = scoring->terms.names[i];
    }
    for (size_t i = 0; i < loaded->receptor.functions.count; i++) {
        loaded->functions[i] = loaded->receptor.functions.names[i];
        loaded->units[i] = i ? loaded->receptor.judges[i - 1].scoring.unit : scoring->unit;
    }
    loaded->facts =
        (struct berth_receptor_facts){.path = loaded->path,
                                      .title = loaded->receptor.molecule.title,
                                      .heavy_count = loaded->receptor.heavy.count,
                                      .forcefield = scoring->forcefield.name,
                                      .scoring = scoring->name,
                                      .unit = scoring->unit,
                                      .terms = loaded->terms,
                                      .term_count = scoring->terms.count,
                                      .parts = BERTH_COLUMN_NAMES + BERTH_COLUMN_PARTS,
                                      .part_count = BERTH_PART_COUNT,
                                      .functions = loaded->functions,
                                      .units = loaded->units,
                                      .function_count = loaded->receptor.functions.count};
    return status;
}

enum berth_status berth_receptor_load(const char *path,
                                      const struct berth_receptor_options *options,
                                      const struct berth_log *log, berth_receptor **receptor,
                                      struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_screen_request asked = berth_screen_request();
    struct berth_receptor_options *mine = &asked.target;
    if (receptor) {
        *receptor = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(path), BERTH_ARGUMENT(receptor)));
    BERTH_TRY(berth_api_take(options, "berth_receptor_defaults", mine, sizeof *mine, error));
    BERTH_TRY(berth_options_check(BERTH_SCREEN_TABLE, &asked, error));
    BERTH_TRY(BERTH_NEED(error, {"options->scoring", mine->scoring}));
    const struct berth_scoring_choice choice = {mine->forcefield, mine->scoring,
                                                mine->scoring_text};
    if (mine->ligand_smiles && !mine->ligand_id) {
        return berth_fail_option(error, BERTH_E_USAGE, "ligand_smiles",
                                 "ligand_smiles: gives the bonds of the ligand that is cut out; "
                                 "name that by ligand_id");
    }
    BERTH_TRY(berth_make(receptor, 1, sizeof **receptor, NULL, error));
    (*receptor)->allow_occupied = mine->allow_occupied;
    struct berth_site box;
    struct berth_molecule about = {0};
    bool any = false;
    enum berth_status status = berth_api_box(&mine->box, log, &any, &box, &about, error);
    BERTH_THEN(keep_about(*receptor, mine->box.autobox_ligand, &about, error));
    berth_molecule_clear(&about);
    const struct berth_receptor_place place = {mine->ligand_id, mine->box.autobox_add,
                                               any ? &box : NULL};
    BERTH_THEN(load(*receptor, &choice, path, &place, log, error));
    BERTH_THEN(take_box(*receptor, any, &box, mine->box.autobox_add, error));
    BERTH_THEN(berth_api_copy(mine->ligand_smiles, &(*receptor)->ligand_smiles, error));
    if (status) {
        berth_receptor_free(*receptor);
        *receptor = NULL;
    }
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
    const struct berth_heavy_atoms *heavy = &receptor->receptor.heavy;
    for (size_t i = 0; i < heavy->count; i++) {
        memcpy(positions[i], heavy->atoms[i].position, sizeof positions[i]);
    }
}

bool berth_receptor_get_site(const berth_receptor *receptor, double center[3], double edges[3])
{
    if (!receptor || !receptor->receptor.has_site) {
        return false;
    }
    const struct berth_site *site = &receptor->receptor.site;
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
    for (int k = 0; k < 3; k++) {
        if (!(fabs(center[k]) <= BERTH_COORDINATE_MAX) || !(edges[k] > 0) ||
            edges[k] > BERTH_EXTENT_MAX) {
            return berth_fail(error, BERTH_E_USAGE,
                              "a site from %g with an edge of %g Å: it lies within %g Å of the "
                              "origin, and its edges are above 0 and at most %g Å",
                              center[k], edges[k], BERTH_COORDINATE_MAX, BERTH_EXTENT_MAX);
        }
    }
    struct berth_molecule none = {0};
    memcpy(receptor->receptor.site.center, center, sizeof receptor->receptor.site.center);
    memcpy(receptor->receptor.site.size, edges, sizeof receptor->receptor.site.size);
    receptor->receptor.site.atoms = false;
    receptor->receptor.has_site = true;
    return keep_about(receptor, NULL, &none, error);
}

enum berth_status berth_receptor_site_about(berth_receptor *receptor, const char *path,
                                            double margin, const struct berth_log *log,
                                            struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_site site = {.atoms = false};
    struct berth_molecule about = {0};
    enum berth_status status = BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(path));
    BERTH_THEN(berth_posed_read(path, &about, error));
    BERTH_THEN(berth_site_about_file(path, &about, margin, log, &site, error));
    BERTH_THEN(berth_receptor_set_site(receptor, site.center, site.size, error));
    BERTH_THEN(keep_about(receptor, path, &about, error));
    berth_molecule_clear(&about);
    return status;
}

/* The tautomer that the receptor wants of the ligand that was cut out; "" where that is the one
 * that who reads its file perceives, or nothing can be perceived. */
static enum berth_status find_tautomer(const struct berth_typed_receptor *receptor,
                                       struct berth_bytes *smiles, struct berth_error *error)
{
    struct berth_error why;
    size_t moved = 0;
    if (berth_cut_ligand_smiles(&receptor->cut, &receptor->molecule, smiles, &moved, &why) ||
        !moved) {
        smiles->count = 0;
        berth_bytes_put8(smiles, 0);
    }
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
    if (receptor->receptor.cut.count) {
        return BERTH_OK;
    }
    return berth_is_receptor_file(receptor->path)
               ? berth_fail_option(
                     error, BERTH_E_USAGE, "ligand_id",
                     "ligand_id: no ligand was cut out of %s, a receptor file, which keeps none: "
                     "preparing it writes its ligand to the file that reference names; or load the "
                     "structure with ligand_id",
                     receptor->path)
               : berth_fail_option(error, BERTH_E_USAGE, "ligand_id",
                                   "ligand_id: no ligand was cut out of %s", receptor->path);
}

enum berth_status berth_receptor_write_ligand(const berth_receptor *receptor, const char *out,
                                              const struct berth_log *log,
                                              struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(receptor), BERTH_ARGUMENT(out)));
    BERTH_TRY(need_cut(receptor, error));
    struct berth_bytes tautomer = {0};
    const char *smiles = receptor->ligand_smiles;
    enum berth_status status = BERTH_OK;
    if (!smiles) {
        status = find_tautomer(&receptor->receptor, &tautomer, error);
        smiles = status ? "" : (const char *)tautomer.data;
        if (*smiles) {
            berth_note(
                log,
                "%s: its file has no bond orders, which were perceived, and its tautomer is "
                "the one that the receptor's hydrogen bonds want: %s; if that is wrong, give "
                "the SMILES (ligand_smiles)",
                receptor->receptor.cut.title, smiles);
        }
    }
    BERTH_THEN(write_cut(&receptor->receptor.cut, smiles, out, error));
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
    const struct berth_typed_receptor *typed = &receptor->receptor;
    struct berth_covalent found;
    struct berth_bytes smiles = {0};
    enum berth_status status = berth_covalent_find(typed, covalent, &found, error);
    BERTH_THEN(berth_covalent_smiles(&found, typed, receptor->ligand_smiles, &smiles, error));
    if (!status && !receptor->ligand_smiles) {
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

static bool is_same(const char *path, const char *other)
{
    return path && other && strcmp(path, other) == 0;
}

enum berth_status berth_api_need_site(const berth_receptor *receptor, const char *reference,
                                      const char *template_file, const struct berth_log *log,
                                      struct berth_error *error)
{
    const struct berth_typed_receptor *typed = &receptor->receptor;
    const struct berth_site_surroundings surroundings = {&typed->molecule, typed->residues,
                                                         receptor->allow_occupied};
    const char *about = receptor->about_path;
    if (typed->has_site && !is_same(about, reference) && !is_same(about, template_file)) {
        berth_site_check_overlap(&receptor->about, about, &surroundings, log);
    }
    return typed->has_site
               ? berth_site_check(&typed->site, &surroundings, log, error)
               : berth_fail_option(error, BERTH_E_USAGE, "center_x",
                                   "center_x is missing: a site needs center_x/y/z and "
                                   "size_x/y/z, or autobox_ligand, or ligand_id, the ligand in the "
                                   "receptor, or a .brec receptor that brings one");
}

enum berth_status berth_api_receptors(const berth_receptor *receptor,
                                      const berth_receptor *const *more, size_t count,
                                      struct berth_ensemble *receptors, struct berth_error *error)
{
    enum berth_status status =
        berth_ensemble_add(receptors, &receptor->receptor, receptor->path, error);
    for (size_t i = 0; !status && i < count; i++) {
        status = more && more[i]
                     ? berth_ensemble_add(receptors, &more[i]->receptor, more[i]->path, error)
                     : berth_fail(error, BERTH_E_USAGE,
                                  "more_receptors: there are fewer than more_count, %zu", count);
    }
    return status;
}

enum berth_status berth_api_restrain(const struct berth_search_options *search,
                                     const struct berth_search_level *level,
                                     struct berth_restraints *restraints,
                                     struct berth_ensemble *receptors,
                                     struct berth_judging *judging, struct berth_error *error)
{
    const char *option = search->restraints ? "restraints" : "template";
    struct berth_template_setup setup;
    enum berth_metal_sites metals;
    BERTH_TRY(berth_ensemble_price_waters(receptors, search->water_price, &judging->names, error));
    BERTH_TRY(berth_search_options_template(search, &setup, error));
    BERTH_TRY(berth_search_options_metals(search, level, &metals, error));
    if (!search->restraints && !search->template_file && !metals) {
        return BERTH_OK;
    }
    if (!level->maps) {
        return berth_fail_option(error, BERTH_E_USAGE, option,
                                 "%s: the search %s is not on maps, and knows none", option,
                                 level->name);
    }
    enum berth_status status = BERTH_OK;
    if (search->restraints) {
        status = berth_restraints_read(search->restraints, restraints, error);
    }
    if (!status && setup.path) {
        status = berth_restraints_add_template(restraints, &setup, error);
    }
    for (size_t k = 0; !status && restraints->count && k < receptors->count; k++) {
        status = berth_restraints_place(restraints, k, receptors->receptors[k], error);
        if (status && receptors->count > 1) {
            berth_fail_in(error, berth_receptor_name(&receptors->names, k));
        }
    }
    if (!status && metals && receptors->receptors[0]->has_site) {
        status = berth_restraints_add_metals(restraints, receptors->receptors, receptors->count,
                                             &receptors->receptors[0]->site, metals, error);
    }
    if (restraints->count) {
        receptors->restraints = restraints;
        berth_restraints_name(restraints, &judging->names);
    }
    return status;
}

const char *berth_api_moving_option(const char *residues, double within)
{
    return residues ? "flexible_residues" : within > 0 ? "flexible_within" : NULL;
}

/* BERTH_E_USAGE where nothing turns in the search. */
static enum berth_status need_maps(const char *option, const struct berth_search_level *level,
                                   struct berth_error *error)
{
    char names[BERTH_SEARCH_LEVEL_NAMES];
    berth_search_level_names(true, names);
    return level->maps ? BERTH_OK
                       : berth_fail_option(error, BERTH_E_USAGE, option,
                                           "%s: the search %s is rigid; take the search %s", option,
                                           level->name, names);
}

static enum berth_status check_moving(const struct berth_api_moving *moving,
                                      struct berth_error *error)
{
    const struct berth_side_chain_choice *choice = &moving->choice;
    BERTH_TRY(
        need_maps(berth_api_moving_option(choice->residues, choice->within), moving->level, error));
    return choice->within > 0 && !choice->near
               ? berth_fail_option(error, BERTH_E_USAGE, "reference",
                                   "flexible_within needs a reference, which it is measured from")
               : BERTH_OK;
}

enum berth_status berth_api_move(const struct berth_api_moving *moving,
                                 struct berth_ensemble *receptors,
                                 struct berth_side_chains **chains, struct berth_judging *judging,
                                 struct berth_error *error)
{
    *chains = NULL;
    if (!berth_api_moving_option(moving->choice.residues, moving->choice.within)) {
        return BERTH_OK;
    }
    BERTH_TRY(check_moving(moving, error));
    BERTH_TRY(berth_make(chains, receptors->count, sizeof **chains, NULL, error));
    for (size_t i = 0; i < receptors->count; i++) {
        struct berth_side_chains *own = &(*chains)[i];
        enum berth_status status =
            berth_side_chains_create(receptors->receptors[i], &moving->choice, own, error);
        BERTH_THEN(
            berth_side_chains_check(own, &receptors->receptors[0]->site, moving->log, error));
        if (status) {
            return receptors->count > 1 ? berth_fail_in(error, receptors->paths[i]) : status;
        }
        berth_side_chains_note(own, berth_receptor_name(&receptors->names, i), moving->log);
    }
    receptors->side_chains = *chains;
    judging->names.receptor_moves = true;
    return BERTH_OK;
}

/* Å: edges of the box about the atom that ligands are bonded to. */
static const double COVALENT_BOX = 30;

enum berth_status berth_api_bond(const struct berth_api_bonding *bonding,
                                 struct berth_ensemble *receptors, struct berth_covalent *covalent,
                                 struct berth_site *site, struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = receptors->receptors[0];
    if (!bonding->atom) {
        return BERTH_OK;
    }
    BERTH_TRY(need_maps("covalent", bonding->level, error));
    BERTH_TRY(berth_covalent_find(receptor, bonding->atom, covalent, error));
    for (int k = 0; k < 3 && !receptor->has_site; k++) {
        site->center[k] = covalent->atoms[covalent->bonded].position[k];
        site->size[k] = COVALENT_BOX;
    }
    receptors->covalent = covalent;
    berth_note(bonding->log, "covalent: to %s of %s", covalent->atom, covalent->text);
    return BERTH_OK;
}

const struct berth_molecule *berth_api_reference(const char *named,
                                                 const struct berth_molecule *read,
                                                 const berth_receptor *receptor)
{
    const struct berth_molecule *cut = &receptor->receptor.ligand;
    return named ? read : cut->atom_count ? cut : NULL;
}

void berth_api_still(struct berth_side_chains *chains, size_t count)
{
    for (size_t i = 0; chains && i < count; i++) {
        berth_side_chains_clear(&chains[i]);
    }
    free(chains);
}

void berth_receptor_free(berth_receptor *receptor)
{
    BERTH_IN_C_LOCALE;
    if (receptor) {
        berth_typed_receptor_clear(&receptor->receptor);
        berth_molecule_clear(&receptor->about);
        free(receptor->about_path);
        free(receptor->ligand_smiles);
        free(receptor->path);
        free(receptor->scoring);
        free(receptor);
    }
}
