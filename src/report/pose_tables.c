#include "report/pose_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "chem/selection.h"
#include "dock/requirement.h"
#include "dock/flexible/side_chains.h"
#include "eval/pose_records.h"
#include "format/output.h"
#include "format/run_json.h"
#include "prep/site_checks.h"
#include "report/replaced.h"
#include "report/viewer.h"

/* A table on its way. */
struct table {
    const struct berth_pose_table *settings;
    struct berth_complex complex;
    struct berth_molecule own; /* owned: the receptor's own ligand, where it is the pose */
    struct berth_output *output;
    bool kinds[BERTH_INTERACTION_KINDS];
    struct berth_requirements required;
    struct berth_requirement_counts counts;
    size_t overlapping;          /* poses that overlap the receptor */
    struct berth_viewer *viewer; /* NULL: none asked for */
    struct berth_rdkit rdkit;
    struct berth_worker *worker; /* NULL: nothing is checked */
    struct berth_validity_sums *sums;
    struct berth_output *valid; /* NULL: none asked for */
    struct berth_progress progress;
    struct berth_run_card run;
};

/* Writes a row, or several, for each pose of the run. */
static enum berth_status write_rows(struct table *table,
                                    enum berth_status (*visit)(void *context,
                                                               const struct berth_read_pose *pose,
                                                               struct berth_error *error),
                                    size_t *failed, struct berth_error *error)
{
    const struct berth_pose_table *settings = table->settings;
    const struct berth_pose_visitor visitor = {
        visit, table, settings->stop, settings->failures, settings->log, settings->receptor, NULL};
    return berth_pose_records_each(settings->poses, &visitor, failed, error);
}

/* Gives the files their names, or removes them where there was an error. */
static enum berth_status close_table(struct table *table, enum berth_status status,
                                     struct berth_error *error)
{
    status = berth_viewer_finish(table->viewer, status, error);
    status = berth_output_finish(table->output, status, error);
    status = berth_output_finish(table->valid, status, error);
    berth_worker_destroy(table->worker);
    berth_run_card_clear(&table->run);
    berth_complex_clear(&table->complex);
    berth_molecule_clear(&table->own);
    return status;
}

/* --- Interactions --- */

static enum berth_status choose_kinds(const char *list, bool chosen[BERTH_INTERACTION_KINDS],
                                      struct berth_error *error)
{
    char plain[256];
    size_t commas = 0, found = 0;
    snprintf(plain, sizeof plain, "%s", list ? list : "");
    berth_text_trim_list(plain);
    for (int kind = 0; kind < BERTH_INTERACTION_KINDS; kind++) {
        chosen[kind] = list ? berth_text_lists(plain, ',', BERTH_INTERACTION[kind])
                            : kind != BERTH_INTERACTION_CONTACT;
        found += chosen[kind];
    }
    for (const char *at = plain; *at; at++) {
        commas += *at == ',';
    }
    return !list || found == commas + 1
               ? BERTH_OK
               : berth_fail_option(
                     error, BERTH_E_USAGE, "kinds",
                     "kinds: '%s': kinds are hydrogen_bond, salt_bridge, metal, halogen_bond, "
                     "stacking, stacking_t, cation_pi, hydrophobic and contact, separated by "
                     "commas, each once",
                     list);
}

/* What each table begins a pose's rows with. */
static void print_pose(struct berth_output *output, const struct berth_read_pose *pose)
{
    berth_output_print(output, "%llu,", (unsigned long long)pose->record.number - 1);
    berth_output_csv(output, pose->record.title ? pose->record.title : "", ',');
    berth_output_csv(output, berth_pose_tag(pose, "mode"), ',');
}

static void print_interaction(struct berth_output *output, const struct berth_interaction *item,
                              const struct berth_complex *complex,
                              const struct berth_read_pose *pose)
{
    struct berth_interaction_texts texts;
    berth_interaction_texts(item, complex, &pose->molecule, &texts);
    print_pose(output, pose);
    for (int k = 0; k < BERTH_INTERACTION_COLUMNS; k++) {
        berth_output_csv(output, texts.cells[k], k + 1 < BERTH_INTERACTION_COLUMNS ? ',' : '\n');
    }
}

static enum berth_status open_complex(struct table *table, struct berth_error *error)
{
    const struct berth_pose_table *settings = table->settings;
    char replaced[BERTH_SELECTOR_TEXT] = "";
    struct berth_complex_source source = {
        .receptor = settings->receptor, .asked = settings->asked, .log = settings->log};
    if (!settings->poses) {
        source.ligand_smiles = settings->ligand_smiles;
        return berth_complex_open_own(&source, &table->complex, &table->own, error);
    }
    BERTH_TRY(
        berth_run_json_check_beside(settings->poses, settings->receptor, settings->log, error));
    if (!settings->asked.ligand_id && !(settings->covalent && *settings->covalent)) {
        const struct berth_run_poses poses = {.path = settings->poses};
        berth_replaced_find(settings->receptor, &poses, settings->stop, settings->log, replaced);
        source.asked.ligand_id = replaced;
    }
    source.covalent = settings->covalent;
    return berth_complex_open(&source, &table->complex, error);
}

/* Warns of the first pose that overlaps the receptor, as one of another structure does: what is
 * listed of it is no contact.  One that is bonded to the receptor is not looked at. */
static void note_overlap(struct table *table, const struct berth_read_pose *pose)
{
    const struct berth_receptor *receptor = &table->complex.receptor;
    const struct berth_site_surroundings surroundings = {&receptor->molecule, receptor->residues,
                                                         false};
    char called[200];
    snprintf(called, sizeof called, "pose %llu%s%.150s",
             (unsigned long long)pose->record.number - 1, pose->record.title ? ", " : "",
             pose->record.title ? pose->record.title : "");
    if (!table->complex.held) {
        table->overlapping +=
            berth_site_check_overlap(&pose->molecule, called, &surroundings,
                                     table->overlapping ? NULL : table->settings->log) > 0;
    }
}

static enum berth_status write_interactions(void *context, const struct berth_read_pose *pose,
                                            struct berth_error *error)
{
    struct table *table = context;
    struct berth_interactions found = {0};
    BERTH_TRY(berth_read_pose_put(pose, &table->complex, error));
    note_overlap(table, pose);
    enum berth_status status =
        berth_interactions_find(&table->complex, &pose->molecule, &found, error);
    const bool made = !status && berth_requirements_count(&table->required, &table->complex, &found,
                                                          &table->counts);
    for (size_t i = 0; made && i < found.count; i++) {
        if (table->kinds[found.items[i].kind]) {
            print_interaction(table->output, &found.items[i], &table->complex, pose);
        }
    }
    if (made && table->viewer) {
        status = berth_viewer_add(table->viewer, pose, &found, error);
    }
    berth_interactions_clear(&found);
    return status ? status : berth_output_check(table->output, error);
}

/* The receptor's own ligand, where it stands, is the one pose. */
static enum berth_status write_own(struct table *table, struct berth_error *error)
{
    const struct berth_read_pose pose = {.record = {.title = table->own.title, .number = 1},
                                         .molecule = table->own};
    const enum berth_status status = write_interactions(table, &pose, error);
    return status ? berth_fail_in(error, table->own.title), status : BERTH_OK;
}

enum berth_status berth_interaction_table_write(const struct berth_pose_table *settings,
                                                size_t *failed, struct berth_error *error)
{
    struct table table = {.settings = settings};
    enum berth_status status = choose_kinds(settings->kinds, table.kinds, error);
    BERTH_THEN(open_complex(&table, error));
    BERTH_THEN(berth_requirements_read(settings->require, &table.required, error));
    BERTH_THEN(berth_requirements_check(&table.required, &table.complex, error));
    if (!status && settings->view) {
        status = berth_run_json_beside(settings->poses, &table.run, error);
    }
    if (!status && settings->view) {
        const struct berth_viewer_setup setup = {.kind = settings->view,
                                                 .beside = settings->out,
                                                 .poses = settings->poses,
                                                 .reference = settings->reference,
                                                 .receptor = &table.complex.receptor,
                                                 .run = &table.run,
                                                 .receptor_of = ""};
        status = berth_viewer_create(&setup, &table.viewer, error);
    }
    BERTH_THEN(berth_output_create(settings->out, &table.output, error));
    if (!status) {
        berth_output_print(table.output, "pose,ligand,mode");
        for (int k = 0; k < BERTH_INTERACTION_COLUMNS; k++) {
            berth_output_print(table.output, ",%s", BERTH_INTERACTION_COLUMN[k]);
        }
        berth_output_print(table.output, "\n");
        status = settings->poses ? write_rows(&table, write_interactions, failed, error)
                                 : write_own(&table, error);
        BERTH_THEN(berth_complex_reached(&table.complex, settings->receptor, error));
        berth_requirements_tell(&table.required, &table.counts, settings->log);
    }
    if (table.overlapping > 1) {
        berth_warn(settings->log, NULL, "%zu poses overlap the receptor like that one",
                   table.overlapping);
    }
    return close_table(&table, status, error);
}

/* --- Validity --- */

static void print_checks(struct berth_output *output, const struct berth_read_pose *pose,
                         const struct berth_validity *validity)
{
    char failed[BERTH_VALIDITY_CHECKS * 24];
    size_t used = 0;
    failed[0] = '\0';
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        if (!validity->passes[i]) {
            used += (size_t)snprintf(failed + used, sizeof failed - used, "%s%s", used ? " " : "",
                                     BERTH_VALIDITY_CHECK[i]);
        }
    }
    print_pose(output, pose);
    berth_output_print(output, "%d,%s", berth_validity_holds(validity), failed);
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        berth_output_print(output, validity->passes[i] < 0 ? "," : ",%d", validity->passes[i]);
    }
    for (size_t i = 0; i < BERTH_VALIDITY_FIGURES; i++) {
        berth_output_print(output, isnan(validity->figures[i]) ? "," : ",%.3f",
                           validity->figures[i]);
    }
    berth_output_print(output, "\n");
}

static void print_check_names(struct berth_output *output)
{
    berth_output_print(output, "pose,ligand,mode,valid,failed");
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        berth_output_print(output, ",%s", BERTH_VALIDITY_CHECK[i]);
    }
    for (size_t i = 0; i < BERTH_VALIDITY_FIGURES; i++) {
        berth_output_print(output, ",%s", BERTH_VALIDITY_FIGURE[i]);
    }
    berth_output_print(output, "\n");
}

static void count_checks(const struct berth_validity *validity, struct berth_validity_sums *sums)
{
    sums->poses++;
    sums->valid += berth_validity_holds(validity);
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        sums->failed[i] += !validity->passes[i];
    }
}

static enum berth_status count_pose(void *context, const struct berth_read_pose *pose,
                                    struct berth_error *error)
{
    struct table *table = context;
    (void)pose;
    (void)error;
    table->progress.total++;
    return BERTH_OK;
}

/* How many poses there are to check, as far as their file can be read twice: a pipe cannot. */
static void count_poses(struct table *table)
{
    const struct berth_pose_table *settings = table->settings;
    const struct berth_pose_visitor visitor = {
        count_pose, table, settings->stop, NULL, NULL, settings->receptor, NULL};
    struct berth_error unread; /* reading once more tells */
    struct stat facts;
    size_t failed;
    if (settings->progress && stat(settings->poses, &facts) == 0 && S_ISREG(facts.st_mode)) {
        berth_pose_records_each(settings->poses, &visitor, &failed, &unread);
    }
}

static void tell_progress(struct table *table, bool ended)
{
    table->progress.done += !ended;
    table->progress.computed = ended;
    if (table->settings->progress) {
        table->settings->progress(table->settings->context, &table->progress);
    }
}

static enum berth_status write_checks(void *context, const struct berth_read_pose *pose,
                                      struct berth_error *error)
{
    struct table *table = context;
    struct berth_validity validity;
    BERTH_TRY(berth_read_pose_put(pose, &table->complex, error));
    tell_progress(table, false);
    BERTH_TRY(berth_validity_check(table->worker, &table->complex, pose,
                                   (size_t)table->settings->conformers, &validity, error));
    print_checks(table->output, pose, &validity);
    count_checks(&validity, table->sums);
    if (table->valid && berth_validity_holds(&validity)) {
        berth_output_bytes(table->valid, pose->record.text.data, pose->record.text.count);
        BERTH_TRY(berth_output_check(table->valid, error));
    }
    return berth_output_check(table->output, error);
}

enum berth_status berth_validity_table_write(const struct berth_pose_table *settings,
                                             size_t *failed, struct berth_validity_sums *sums,
                                             struct berth_error *error)
{
    struct table table = {.settings = settings, .sums = sums};
    const struct berth_worker_setup setup = {.rdkit = &table.rdkit, .cancel = settings->stop};
    char format[32];
    memset(sums, 0, sizeof *sums);
    berth_format_of(settings->poses, format, sizeof format);
    enum berth_status status =
        berth_record_kind_of(format) == BERTH_RECORD_SDF
            ? BERTH_OK
            : berth_fail(error, BERTH_E_USAGE,
                         "%s: poses to check are SDF (.sdf); `obabel %s -O poses.sdf` converts "
                         "others",
                         settings->poses, settings->poses);
    BERTH_THEN(open_complex(&table, error));
    BERTH_THEN(berth_rdkit_find(&table.rdkit, error));
    BERTH_THEN(berth_worker_create(&setup, &table.worker, error));
    BERTH_THEN(berth_output_create(settings->out, &table.output, error));
    if (!status && settings->valid) {
        status = berth_output_create(settings->valid, &table.valid, error);
    }
    if (!status) {
        print_check_names(table.output);
        count_poses(&table);
        status = write_rows(&table, write_checks, failed, error);
    }
    if (!status) {
        tell_progress(&table, true);
    }
    return close_table(&table, status, error);
}
