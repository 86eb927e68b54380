#include "report/page.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/memory.h"
#include "format/output.h"
#include "format/run_json.h"
#include "score/receptor_names.h"
#include "report/page_internal.h"
#include "report/replaced.h"

/* Rows of a table of pockets, at most. */
enum { TABLE_ROWS = 1000 };

/* --- What the run left --- */

/* The scoring function of the run; of one that is not built in and not at hand nothing is known but
 * what the tables say. */
static enum berth_status choose_scoring(struct page *page, struct berth_error *error)
{
    const char *name = page->run.identity.scoring;
    struct berth_scoring_choice choice = berth_scoring_defaults();
    if (page->settings->scoring || *name) {
        choice.scoring = page->settings->scoring ? page->settings->scoring : name;
    }
    const enum berth_status status =
        berth_scoring_read(&choice, page->settings->log, &page->scoring, error);
    if (status && !page->settings->scoring) {
        berth_warn(page->settings->log, NULL,
                   "the scoring function %s is not known here: give its file", choice.scoring);
        berth_scoring_clear(&page->scoring);
        return BERTH_OK;
    }
    return status;
}

/* The site that run.json has, where the receptor brings none. */
static void take_site(struct page *page)
{
    struct berth_receptor *receptor = &page->complex.receptor;
    const double *center = page->run.identity.center, *size = page->run.identity.size;
    if (!isnan(center[2]) && !isnan(size[2])) {
        memcpy(receptor->center, center, sizeof receptor->center);
        memcpy(receptor->size, size, sizeof receptor->size);
        receptor->has_site = true;
    }
}

/* The file of the run's receptor, where it is the one or the poses have said which. */
static void name_receptor(struct page *page)
{
    snprintf(
        page->receptor, sizeof page->receptor, "%s",
        berth_run_named_find(page->run.files.receptor, BERTH_RECEPTORS_MAX, page->receptor_of));
}

/* Of a run to several receptors: the one that the first pose is in. */
static enum berth_status note_receptor(void *context, const struct berth_read_pose *pose,
                                       struct berth_error *error)
{
    struct page *page = context;
    (void)error;
    snprintf(page->receptor_of, sizeof page->receptor_of, "%s", berth_pose_tag(pose, "receptor"));
    name_receptor(page);
    page->has_first = true;
    return BERTH_OK;
}

static void note_no_run(const struct page *page)
{
    if (!page->run.json.count) {
        berth_note(page->settings->log,
                   "%s: no run.json, as dock and screen write it: the page does not say how these "
                   "were docked, and has no paragraph for methods",
                   page->settings->folder);
    }
}

/* The receptor that the poses were docked into, or the first of several that they are in. */
static void find_docked_into(struct page *page)
{
    struct berth_error none;
    size_t failed;
    name_receptor(page);
    if (!*page->receptor && *page->files.poses) {
        const struct berth_pose_visitor first = {
            .visit = note_receptor, .context = page, .enough = &page->has_first};
        berth_run_poses_each(&page->source, &first, &failed, &none);
    }
    strcpy(page->docked_into, page->receptor);
}

static enum berth_status open_receptor(struct page *page, struct berth_error *error)
{
    const struct berth_page_settings *settings = page->settings;
    struct berth_error why;
    char ligand_id[BERTH_SELECTOR_TEXT] = "";
    struct berth_residues_asked asked = {.ligand_id = ligand_id};
    const char *covalent = page->run.identity.covalent;
    if (!*page->files.scores) { /* redocking has many */
        return BERTH_OK;
    }
    note_no_run(page);
    find_docked_into(page);
    if (settings->receptor) {
        berth_run_check_receptor(&page->run, settings->receptor, settings->log);
        snprintf(page->receptor, sizeof page->receptor, "%s", settings->receptor);
        if (!*covalent) {
            berth_replaced_find(page->receptor, &page->source, settings->stop, settings->log,
                                ligand_id);
        }
    } else {
        asked = berth_run_residues(&page->run, page->receptor_of);
    }
    const struct berth_complex_source source = {
        .receptor = page->receptor, .asked = asked, .covalent = covalent, .log = settings->log};
    enum berth_status status =
        *page->receptor ? berth_complex_open(&source, &page->complex, &why)
                        : berth_fail(&why, BERTH_E_IO, "no receptor is known: name its file");
    if (status == BERTH_E_MEMORY || (status && settings->receptor)) {
        *error = why;
        return status;
    }
    page->has_complex = !status;
    if (settings->require) {
        BERTH_TRY(status ? berth_fail_option(error, BERTH_E_USAGE, "require",
                                             "require: the receptor is not known: %s", why.message)
                         : berth_requirements_read(settings->require, &page->required, error));
        BERTH_TRY(berth_requirements_check(&page->required, &page->complex, error));
    }
    if (status) {
        berth_warn(settings->log, NULL, "the page has no interactions: %s", why.message);
        return BERTH_OK;
    }
    take_site(page);
    if (page->scoring.name && berth_scoring_assign(&page->scoring, &page->complex.receptor.molecule,
                                                   NULL, &page->heavy, &why)) {
        page->heavy.count = 0; /* no shares of residues */
    }
    return BERTH_OK;
}

static enum berth_status open_worker(struct page *page, struct berth_error *error)
{
    struct berth_error why;
    if (berth_rdkit_find(&page->rdkit, &why)) {
        berth_warn(page->settings->log, NULL,
                   "Open Babel draws the molecules, and no pose is checked: %s", why.message);
        return BERTH_OK;
    }
    const struct berth_worker_setup setup = {.rdkit = &page->rdkit, .cancel = page->settings->stop};
    return berth_worker_create(&setup, &page->worker, error);
}

/* What ChimeraX's script says of the first pose alone, it says with all of them. */
static enum berth_status open_viewer(struct page *page, const char *path, struct berth_error *error)
{
    const struct berth_page_settings *settings = page->settings;
    const bool pymol = settings->view && strcmp(settings->view, "pymol") == 0;
    page->view_top = pymol ? settings->view_top : settings->top;
    const struct berth_viewer_setup setup = {.kind = page->settings->view,
                                             .beside = path,
                                             .poses = page->files.poses,
                                             .reference = page->settings->reference,
                                             .most = pymol ? page->view_top : 0,
                                             .receptor = &page->complex.receptor,
                                             .run = &page->run,
                                             .receptor_of = page->receptor_of};
    return !setup.kind ? BERTH_OK
           : !page->has_complex || !*page->files.poses
               ? berth_fail_option(error, BERTH_E_USAGE, "view",
                                   "view: there is no receptor, or no poses")
               : berth_viewer_create(&setup, &page->viewer, error);
}

/* --- The page --- */

/* Where the restraints are: text, how, radius and places of each. */
static void write_places(struct page *page)
{
    struct berth_json *json = &page->json;
    berth_json_number(json, "tolerance", BERTH_RESTRAINT_SLACK, 2);
    berth_json_open(json, "restraints", '[');
    for (size_t i = 0; i < berth_restraint_count(&page->run); i++) {
        const struct berth_run_restraint *item = &page->run.files.restraint[i];
        const struct berth_run_places places = berth_restraint_places(item, page->receptor_of);
        berth_json_open(json, NULL, '{');
        berth_json_text(json, "how",
                        berth_restraint_is_metal(item) ? "metal"
                        : item->required               ? "required"
                                                       : "wished");
        berth_json_bool(json, "avoided", item->avoided);
        berth_json_shown(json, "text", item->text);
        berth_json_number(json, "radius", item->radius, 2);
        berth_json_open(json, "places", '[');
        for (size_t k = 0; k < places.count; k++) {
            const double *at = places.at[k];
            berth_json_print(json, NULL, "[%.2f,%.2f,%.2f]", at[0], at[1], at[2]);
        }
        berth_json_close(json, ']');
        berth_json_close(json, '}');
    }
    berth_json_close(json, ']');
}

/* The receptor of the run, and what that was made from: "": itself, or not known. */
static const char *docked_into(const struct page *page)
{
    return *page->docked_into ? page->docked_into : page->receptor;
}

static const char *made_from(const struct page *page)
{
    const bool made =
        page->has_complex && !page->settings->receptor && berth_is_receptor_file(page->receptor);
    return made ? page->complex.receptor.source : "";
}

/* --- The paragraph for methods --- */

/* Onto the page, and into the file that was asked for. */
static enum berth_status write_methods(struct page *page, struct berth_error *error)
{
    const struct berth_methods_facts facts = {.run = &page->run,
                                              .folder = page->settings->folder,
                                              .docked_into = docked_into(page),
                                              .made_from = made_from(page),
                                              .counted = page->counted,
                                              .counts = page->told};
    const char *path = page->settings->methods;
    struct berth_output *output = NULL;
    char *text = NULL;
    enum berth_status status = berth_methods_write(&facts, &text, error);
    if (!status) {
        berth_json_shown(&page->json, "methods", text);
    }
    if (!status && path) {
        status = *text ? berth_output_create(path, &output, error)
                       : berth_fail_option(error, BERTH_E_USAGE, "methods",
                                           "methods: there is no run.json beside the poses, of "
                                           "which the paragraph would be made");
    }
    if (output) {
        berth_output_print(output, "%s\n", text);
    }
    free(text);
    return berth_output_finish(output, status, error);
}

/* --- All of it --- */

static void write_head(struct page *page)
{
    struct berth_json *json = &page->json;
    const struct berth_page_settings *settings = page->settings;
    const time_t now = time(NULL);
    struct tm parts;
    char made[32];
    strftime(made, sizeof made, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    berth_json_text(json, "berth", BERTH_VERSION);
    berth_json_text(json, "made", made);
    berth_json_shown(json, "folder", settings->folder);
    berth_json_shown(json, "receptor", page->receptor);
    berth_json_shown(json, "docked_into", docked_into(page));
    berth_json_shown(json, "made_from", made_from(page));
    berth_json_text(json, "unit", page->scoring.unit);
    berth_json_shown(json, "scoring", page->scoring.name ? page->scoring.name : "");
    berth_json_open(json, "terms", '[');
    for (size_t i = 0; i < page->scoring.terms.count; i++) {
        berth_json_text(json, NULL, page->scoring.terms.names[i]);
    }
    berth_json_close(json, ']');
    berth_json_open(json, "kinds", '[');
    for (int kind = 0; kind < BERTH_INTERACTION_KINDS; kind++) {
        berth_json_text(json, NULL, BERTH_INTERACTION[kind]);
    }
    berth_json_close(json, ']');
    write_places(page);
    /* as a text, which the page parses: a file that is no JSON costs that part alone */
    berth_json_text(json, "run", page->run.json.count ? (const char *)page->run.json.data : "");
}

static enum berth_status write_data(struct page *page, struct berth_error *error)
{
    double worst = INFINITY;
    berth_json_open(&page->json, NULL, '{');
    write_head(page);
    enum berth_status status =
        *page->files.scores ? page_scores_write(page, &worst, error)
                            : page_table_write(page, "redock", page->files.redock, SIZE_MAX, error);
    if (!status && *page->files.pockets) {
        status = page_table_write(page, "pockets", page->files.pockets, TABLE_ROWS, error);
    }
    if (!status && *page->files.agreed) {
        status = page_table_write(page, "agreed", page->files.agreed, TABLE_ROWS, error);
    }
    BERTH_THEN(page_reasons_write(page, error));
    BERTH_THEN(page_hits_write(page, worst, error));
    BERTH_THEN(write_methods(page, error));
    berth_json_close(&page->json, '}');
    return status;
}

/* The template, in which "@NAME@" is the file of that name, or the data. */
static enum berth_status write_page(struct page *page, struct berth_error *error)
{
    struct berth_output *output = page->json.output;
    enum berth_status status = BERTH_OK;
    bool is_name = false;
    for (const char *at = berth_embedded_text("template.html"); !status && *at;) {
        const size_t size = strcspn(at, "@");
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        if (is_name && strcmp(name, "data") == 0) {
            status = write_data(page, error);
        } else {
            const char *text = is_name ? berth_embedded_text(name) : at;
            berth_output_bytes(output, text, is_name ? strlen(text) : size);
        }
        is_name = !is_name;
        at += size + (at[size] == '@');
    }
    return status;
}

enum berth_status berth_page_write(const struct berth_page_settings *settings,
                                   struct berth_page_files *files, struct berth_error *error)
{
    char *const path = files->page;
    struct page page = {.settings = settings};
    berth_run_card_start(&page.run);
    enum berth_status status = page_sources_find(&page, error);
    if (settings->out) {
        snprintf(path, PATH_MAX, "%s", settings->out);
    } else if (page.named || page.sqlite) {
        berth_output_beside(settings->folder, "html", path, PATH_MAX);
    } else {
        BERTH_THEN(berth_path_in(settings->folder, "report.html", path, PATH_MAX, error));
    }
    BERTH_THEN(choose_scoring(&page, error));
    BERTH_THEN(open_receptor(&page, error));
    BERTH_THEN(open_worker(&page, error));
    BERTH_THEN(open_viewer(&page, path, error));
    *files->script = '\0';
    if (!status && page.viewer) { /* beside the page, as that is named */
        snprintf(files->script, PATH_MAX, "%.*s%s", (int)(berth_file_name(path) - path), path,
                 berth_file_name(berth_viewer_script(page.viewer)));
    }
    BERTH_THEN(berth_output_create(path, &page.json.output, error));
    BERTH_THEN(write_page(&page, error));
    status = berth_viewer_finish(page.viewer, status, error);
    status = berth_output_finish(page.json.output, status, error);
    berth_worker_destroy(page.worker);
    berth_heavy_atoms_clear(&page.heavy);
    berth_complex_clear(&page.complex);
    berth_scoring_clear(&page.scoring);
    berth_run_card_clear(&page.run);
    berth_text_set_clear(&page.drawn);
    free(page.met);
    free(page.scores_text);
    free(page.failures_text);
    berth_sqlite_close(page.sqlite);
    return status;
}
