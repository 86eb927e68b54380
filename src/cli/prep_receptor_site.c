/* The site of a receptor in preparation: a given one, or those that a scan finds. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/prep_receptor.h"
#include "chem/pockets.h"

static void set_site(struct berth_receptor *receptor, const double center[3], const double size[3])
{
    receptor->has_site = true;
    memcpy(receptor->center, center, sizeof receptor->center);
    memcpy(receptor->size, size, sizeof receptor->size);
}

/* A box around residues, autobox_add wider on each side. */
static enum berth_status box_of_residues(const struct prep_receptor *prep, struct berth_site *site,
                                         struct berth_error *error)
{
    const struct prep_receptor_values *values = prep->values;
    struct berth_selection selection;
    enum berth_status status = berth_selection_parse(values->residues, &selection, error);
    if (status) {
        return berth_fail_in(error, "--residues");
    }
    berth_selection_resolve(&selection, &prep->structure);
    const struct berth_selector *unmatched =
        berth_selection_unmatched(&selection, &prep->structure);
    if (unmatched) {
        return berth_fail(error, BERTH_E_USAGE, "--residues: no residue %s in the receptor",
                          unmatched->text);
    }
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < prep->structure.count; i++) {
            const struct berth_structure_atom *atom = &prep->structure.atoms[i];
            if (!berth_is_hydrogen(atom) && berth_selection_matches(&selection, &atom->residue)) {
                low = fmin(low, atom->position[k]);
                high = fmax(high, atom->position[k]);
            }
        }
        site->center[k] = (low + high) / 2;
        site->size[k] = high - low + 2 * values->autobox_add;
    }
    return BERTH_OK;
}

/* One of the ways to say a site, at most. */
static enum berth_status check_ways(const struct prep_receptor_values *values, bool given,
                                    struct berth_error *error)
{
    if (values->site && strcmp(values->site, "scan") != 0) {
        return berth_fail(error, BERTH_E_USAGE, "--site: '%s' is not known; scan is", values->site);
    }
    if (given + (values->residues != NULL) + (values->site != NULL) > 1) {
        return berth_fail(error, BERTH_E_USAGE,
                          "more than one site is given; choose among --autobox_ligand, centre and "
                          "size, --residues and --site scan");
    }
    return BERTH_OK;
}

enum berth_status prep_receptor_site(struct prep_receptor *prep, struct berth_error *error)
{
    const struct prep_receptor_values *values = prep->values;
    struct cli_site_request request = {.table = PREP_RECEPTOR_OPTIONS,
                                       .parsed = prep->parsed,
                                       .autobox_ligand = values->autobox_ligand,
                                       .autobox_add = values->autobox_add};
    memcpy(request.box.center, values->center, sizeof request.box.center);
    memcpy(request.box.size, values->size, sizeof request.box.size);
    struct berth_site site;
    bool given;
    enum berth_status status = cli_site_read(&request, &given, &site, error);
    if (!status) {
        status = check_ways(values, given, error);
    }
    if (!status && values->residues) {
        given = true;
        status = box_of_residues(prep, &site, error);
    }
    if (!status && !given && !values->site && prep->reference.atom_count) {
        given = cli_site_about(&prep->reference, values->autobox_add, &site);
    }
    if (!status && given) {
        set_site(&prep->receptor, site.center, site.size);
    }
    return status;
}

/* "SITE" of "SITE.brec". */
static int stem_length(const char *path)
{
    static const char ENDING[] = ".brec";
    const size_t length = strlen(path), size = sizeof ENDING - 1;
    return (int)(length > size && strcmp(path + length - size, ENDING) == 0 ? length - size
                                                                            : length);
}

/* "SITE_2.brec", "SITE_sites.csv". */
static void scan_path(const struct prep_receptor_values *values, const char *ending,
                      char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s_%s", stem_length(values->out), values->out, ending);
}

static void scan_site_path(const struct prep_receptor_values *values, size_t site,
                           char path[PATH_MAX])
{
    char ending[40];
    snprintf(ending, sizeof ending, "%zu.brec", site);
    scan_path(values, ending, path);
}

enum berth_status prep_receptor_check_scan(const struct prep_receptor_values *values,
                                           struct berth_error *error)
{
    char path[PATH_MAX];
    scan_path(values, "sites.csv", path);
    enum berth_status status = cli_check_new(path, values->overwrite, error);
    for (size_t i = 1; !status && i <= (size_t)values->sites; i++) {
        scan_site_path(values, i, path);
        status = cli_check_new(path, values->overwrite, error);
    }
    return status;
}

static enum berth_status write_table(const struct prep_receptor_values *values,
                                     const struct berth_pocket *pockets, size_t count,
                                     struct berth_error *error)
{
    char path[PATH_MAX], file[PATH_MAX];
    struct berth_output *output;
    scan_path(values, "sites.csv", path);
    enum berth_status status = berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    berth_output_print(output, "site,file,center_x,center_y,center_z,size_x,size_y,size_z,volume,"
                               "burial,score\n");
    for (size_t i = 0; i < count; i++) {
        const struct berth_pocket *pocket = &pockets[i];
        scan_site_path(values, i + 1, file);
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

enum berth_status prep_receptor_scan(struct prep_receptor *prep, struct berth_error *error)
{
    const struct prep_receptor_values *values = prep->values;
    const size_t most = (size_t)values->sites;
    size_t found = 0;
    struct berth_pocket *pockets = berth_alloc(most, sizeof *pockets);
    enum berth_status status =
        pockets ? berth_pockets_find(&prep->receptor.molecule, most, pockets, &found, error)
                : berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu sites", most);
    if (!status && !found) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: no pocket was found; give a site (centre and size)",
                            values->inputs.items[0]);
    }
    for (size_t i = 0; !status && i < found; i++) {
        char path[PATH_MAX];
        scan_site_path(values, i + 1, path);
        set_site(&prep->receptor, pockets[i].center, pockets[i].size);
        status = berth_receptor_write(path, &prep->receptor, error);
        if (!status) {
            cli_say("%s: site %zu (%.3f, %.3f, %.3f), %.0f \xc3\x85^3, score %.1f", path, i + 1,
                    pockets[i].center[0], pockets[i].center[1], pockets[i].center[2],
                    pockets[i].volume, pockets[i].score);
        }
    }
    if (!status) {
        status = write_table(values, pockets, found, error);
    }
    free(pockets);
    return status;
}
