#include "run/receptor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/site_checks.h"
#include "prep/posed.h"

/* The options that say a box, in this order. */
static const char *const BOX[] = {"center_x", "center_y", "center_z", "size_x", "size_y", "size_z"};

enum berth_status berth_box_of(const struct berth_options *options, const struct berth_log *log,
                               bool *any, struct berth_site *site, struct berth_molecule *about,
                               struct berth_error *error)
{
    size_t count = 0;
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof BOX / sizeof *BOX; i++) {
        if (!isnan(i < 3 ? options->center[i] : options->edges[i - 3])) {
            count++;
        } else if (!missing) {
            missing = BOX[i];
        }
    }
    *any = count > 0 || options->autobox_ligand;
    site->atoms = options->box && strcmp(options->box, "atoms") == 0;
    if (options->box && !site->atoms && strcmp(options->box, "centroid") != 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "box",
                                 "box: '%s' is not known; centroid and atoms are", options->box);
    }
    if (options->autobox_ligand && count) {
        return berth_fail_option(error, BERTH_E_USAGE, "autobox_ligand",
                                 "give either autobox_ligand or centre and size, not both");
    }
    if (options->autobox_ligand) {
        BERTH_TRY(berth_posed_read(options->autobox_ligand, about, error));
        return berth_site_about_file(options->autobox_ligand, about, options->autobox_add, log,
                                     site, error);
    }
    if (count && missing) {
        return berth_fail_option(error, BERTH_E_USAGE, missing,
                                 "%s is missing: a site needs center_x/y/z and size_x/y/z, or "
                                 "autobox_ligand",
                                 missing);
    }
    for (int k = 0; count && k < 3; k++) {
        if (options->edges[k] <= 0) {
            return berth_fail_option(error, BERTH_E_USAGE, BOX[3 + k],
                                     "%s: an edge of 0 Å; it must be above 0", BOX[3 + k]);
        }
    }
    memcpy(site->center, options->center, sizeof site->center);
    memcpy(site->size, options->edges, sizeof site->size);
    return BERTH_OK;
}

static enum berth_status copy(const char *text, char **copied, struct berth_error *error)
{
    *copied = text ? berth_copy_text(text) : NULL;
    return text && !*copied ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Keeps the molecule that the site is about, of this file (NULL: there is none); *about is moved.
 */
static enum berth_status keep_about(struct berth_loaded_receptor *loaded, const char *path,
                                    struct berth_molecule *about, struct berth_error *error)
{
    berth_molecule_clear(&loaded->about);
    free(loaded->about_path);
    loaded->about = *about;
    memset(about, 0, sizeof *about);
    return copy(path, &loaded->about_path, error);
}

/* The box, if there is `any`, is the site; else the receptor's own stays, which is of a centroid,
 * or about the ligand that was cut out: `add` (Å) is its margin if it is of atoms. */
static enum berth_status take_box(struct berth_loaded_receptor *loaded, bool any,
                                  struct berth_site *box, double add, struct berth_error *error)
{
    if (box->atoms && !any) {
        any = berth_site_about(&loaded->typed.ligand, add, true, box);
        if (!any) {
            return berth_fail_option(error, BERTH_E_USAGE, "box",
                                     "box: a box of atoms is given with it, by centre and size or "
                                     "about a ligand; the receptor file's own is of a centroid");
        }
    }
    if (any) {
        loaded->typed.site = *box;
        loaded->typed.has_site = true;
    }
    return BERTH_OK;
}

enum berth_status berth_loaded_receptor_read(const char *path, const struct berth_options *options,
                                             const struct berth_log *log,
                                             struct berth_loaded_receptor *loaded,
                                             struct berth_error *error)
{
    const struct berth_scoring_choice choice = {options->forcefield, options->scoring,
                                                options->scoring_text};
    struct berth_site box;
    struct berth_molecule about = {0};
    bool any = false;
    if (options->ligand_smiles && !options->asked.ligand_id) {
        return berth_fail_option(error, BERTH_E_USAGE, "ligand_smiles",
                                 "ligand_smiles: gives the bonds of the ligand that is cut out; "
                                 "name that by ligand_id");
    }
    loaded->allow_occupied = options->allow_occupied;
    enum berth_status status = berth_box_of(options, log, &any, &box, &about, error);
    BERTH_THEN(keep_about(loaded, options->autobox_ligand, &about, error));
    berth_molecule_clear(&about);
    const struct berth_receptor_place place = {options->asked, options->autobox_add,
                                               any ? &box : NULL};
    BERTH_THEN(berth_typed_receptor_read(&choice, path, &place, log, &loaded->typed, error));
    BERTH_THEN(copy(path, &loaded->path, error));
    BERTH_THEN(copy(options->scoring, &loaded->scoring, error));
    BERTH_THEN(copy(options->ligand_smiles, &loaded->ligand_smiles, error));
    return status ? status : take_box(loaded, any, &box, options->autobox_add, error);
}

enum berth_status berth_loaded_receptor_set_site(struct berth_loaded_receptor *loaded,
                                                 const double center[3], const double edges[3],
                                                 struct berth_error *error)
{
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
    memcpy(loaded->typed.site.center, center, sizeof loaded->typed.site.center);
    memcpy(loaded->typed.site.size, edges, sizeof loaded->typed.site.size);
    loaded->typed.site.atoms = false;
    loaded->typed.has_site = true;
    return keep_about(loaded, NULL, &none, error);
}

enum berth_status berth_loaded_receptor_site_about(struct berth_loaded_receptor *loaded,
                                                   const char *path, double margin,
                                                   const struct berth_log *log,
                                                   struct berth_error *error)
{
    struct berth_site site = {.atoms = false};
    struct berth_molecule about = {0};
    enum berth_status status = berth_posed_read(path, &about, error);
    BERTH_THEN(berth_site_about_file(path, &about, margin, log, &site, error));
    BERTH_THEN(berth_loaded_receptor_set_site(loaded, site.center, site.size, error));
    BERTH_THEN(keep_about(loaded, path, &about, error));
    berth_molecule_clear(&about);
    return status;
}

static bool is_same(const char *path, const char *other)
{
    return path && other && strcmp(path, other) == 0;
}

enum berth_status berth_loaded_receptor_need_site(const struct berth_loaded_receptor *loaded,
                                                  const struct berth_options *options,
                                                  const struct berth_log *log,
                                                  struct berth_error *error)
{
    const struct berth_typed_receptor *typed = &loaded->typed;
    const struct berth_site_surroundings surroundings = {&typed->molecule, typed->residues,
                                                         loaded->allow_occupied};
    const char *about = loaded->about_path;
    if (typed->has_site && !is_same(about, options->reference) &&
        !is_same(about, options->template_file)) {
        berth_site_check_overlap(&loaded->about, about, &surroundings, log);
    }
    return typed->has_site
               ? berth_site_check(&typed->site, &surroundings, log, error)
               : berth_fail_option(error, BERTH_E_USAGE, "center_x",
                                   "center_x is missing: a site needs center_x/y/z and "
                                   "size_x/y/z, or autobox_ligand, or ligand_id, the ligand in the "
                                   "receptor, or a .brec receptor that brings one");
}

void berth_loaded_receptor_clear(struct berth_loaded_receptor *loaded)
{
    berth_typed_receptor_clear(&loaded->typed);
    berth_molecule_clear(&loaded->about);
    free(loaded->about_path);
    free(loaded->ligand_smiles);
    free(loaded->path);
    free(loaded->scoring);
}
