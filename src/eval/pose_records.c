#include "eval/pose_records.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/receptor_names.h"
#include "format/sdf/sdf.h"
#include "prep/openbabel.h"
#include "prep/prepare.h"
#include "score/fields.h"

/* What to do with a file that has atoms alone. */
#define LACKS_BONDS                                                                                \
    ", with bonds and all hydrogens; Open Babel adds these: obabel FILE -O poses.sdf -p 7.4.  "    \
    "For the ligand of a structure: `berth interactions` with --ligand_id and without --poses"

static void clear_pose(struct berth_read_pose *pose)
{
    berth_record_clear(&pose->record);
    berth_molecule_clear(&pose->molecule);
    berth_sdf_tags_clear(&pose->tags);
    memset(pose, 0, sizeof *pose);
}

/* Of a value of several lines the first. */
static enum berth_status read_tags(struct berth_read_pose *pose, struct berth_error *error)
{
    const struct berth_bytes *text = &pose->record.text;
    BERTH_TRY(berth_sdf_tags_read(text->data, text->count, &pose->tags, error));
    for (size_t i = 0; i < pose->tags.count; i++) {
        const char *value = pose->tags.items[i].value;
        pose->tags.text[value - pose->tags.text + strcspn(value, "\n")] = '\0';
    }
    return BERTH_OK;
}

const char *berth_pose_tag(const struct berth_read_pose *pose, const char *name)
{
    return berth_sdf_tags_find(&pose->tags, name);
}

enum berth_status berth_read_pose_put(const struct berth_read_pose *pose,
                                      struct berth_complex *complex, struct berth_error *error)
{
    return berth_complex_put(complex, &pose->molecule,
                             berth_pose_tag(pose, BERTH_COLUMN_SIDE_CHAINS), error);
}

static enum berth_status read_sdf(struct berth_read_pose *pose, struct berth_error *error)
{
    const struct berth_bytes *text = &pose->record.text;
    BERTH_TRY(berth_molfile_check((const char *)text->data, text->count, error));
    BERTH_TRY(berth_molfile_read((const char *)text->data, text->count, &pose->molecule, error));
    if (!pose->molecule.atom_count) {
        return berth_fail(error, BERTH_E_FORMAT, "no atoms of a V2000 molfile");
    }
    pose->molecule.title = berth_copy_text(pose->record.title);
    return pose->molecule.title ? read_tags(pose, error) : berth_out_of_memory(error, NULL);
}

/* The next pose, which the caller clears (it is cleared here first); *end behind the last one.
 * Errors: BERTH_E_FORMAT for one that cannot be used, with "file:line: " (title and line are there
 * as far as known, and the next call goes on), others end the file: see berth_records_next. */
static enum berth_status next_pose(const struct berth_pose_source *source,
                                   struct berth_read_pose *pose, bool *end,
                                   struct berth_error *error)
{
    clear_pose(pose);
    enum berth_status status = source->next(source->context, &pose->record, end, error);
    if (status || *end) {
        return status;
    }
    const struct berth_bytes *text = &pose->record.text;
    status =
        pose->record.kind == BERTH_RECORD_SDF
            ? read_sdf(pose, error)
            : berth_openbabel_read("the pose", text->data, text->count, &pose->molecule, error);
    if (status) {
        char place[PATH_MAX + 320];
        snprintf(place, sizeof place, "%s:%zu: molecule %.256s", source->name, pose->record.line,
                 pose->record.title ? pose->record.title : "");
        berth_fail_in(error, place);
    }
    return status;
}

bool berth_pose_is_in(const struct berth_read_pose *pose, const char *receptor)
{
    char name[BERTH_RECEPTOR_NAME_SIZE];
    const char *tag = berth_pose_tag(pose, "receptor");
    berth_receptor_name_of(receptor, name);
    return !*tag || strcmp(tag, name) == 0;
}

/* What became of poses. */
struct visit {
    const struct berth_pose_source *source;
    struct berth_failures failures;
    size_t done, elsewhere; /* that went well; that are in another receptor */
};

static enum berth_status visit_all(struct visit *visit, const struct berth_pose_visitor *visitor,
                                   struct berth_error *error)
{
    struct berth_read_pose pose = {0};
    struct berth_error why;
    enum berth_status status = BERTH_OK;
    for (bool end = false; !status && !end && !(visitor->enough && *visitor->enough);) {
        status = berth_check_stop(visitor->stop, error);
        enum berth_status here = status ? BERTH_OK : next_pose(visit->source, &pose, &end, &why);
        if (!status && !here && !end && visitor->receptor &&
            !berth_pose_is_in(&pose, visitor->receptor)) {
            visit->elsewhere++;
        } else if (!status && !here && !end) {
            here = visitor->visit(visitor->context, &pose, &why);
            visit->done += !here;
        }
        if (here == BERTH_E_FORMAT &&
            !(visit->source->is_broken && visit->source->is_broken(visit->source->context))) {
            berth_failures_add_at(&visit->failures, (long long)pose.record.number - 1,
                                  pose.record.title, &why);
        } else if (here) {
            *error = why;
            status = here;
        }
    }
    clear_pose(&pose);
    return status;
}

enum berth_status berth_poses_each(const struct berth_pose_source *source,
                                   const struct berth_pose_visitor *visitor, size_t *failed,
                                   struct berth_error *error)
{
    struct visit visit = {.source = source, .failures = {.log = visitor->log}};
    enum berth_status status = berth_failures_create(visitor->failures, &visit.failures, error);
    BERTH_THEN(visit_all(&visit, visitor, error));
    if (!status && !visit.done) {
        status =
            visit.elsewhere && !visit.failures.count
                ? berth_fail(error, BERTH_E_FORMAT,
                             "%s: all of its poses are in receptors other than %s, as their "
                             "tag `receptor` says; give that one",
                             source->name, visitor->receptor)
                : berth_fail(error, BERTH_E_FORMAT, "%s: no pose that could be used", source->name);
    }
    if (!status && visit.elsewhere) {
        berth_warn(visitor->log, NULL,
                   "%s: %zu poses are left out: they are in receptors other than %s, as their tag "
                   "`receptor` says; give each its own",
                   source->name, visit.elsewhere, visitor->receptor);
    }
    BERTH_THEN(berth_failures_commit(&visit.failures, error));
    berth_output_discard(visit.failures.output);
    *failed = visit.failures.count;
    return status;
}

static enum berth_status next_record(void *records, struct berth_record *record, bool *end,
                                     struct berth_error *error)
{
    return berth_records_next(records, record, end, error);
}

static bool is_broken(void *records)
{
    return berth_records_is_broken(records);
}

enum berth_status berth_pose_records_each(const char *path,
                                          const struct berth_pose_visitor *visitor, size_t *failed,
                                          struct berth_error *error)
{
    struct berth_pose_source source = {path, next_record, is_broken, NULL};
    struct berth_records *records = NULL;
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    *failed = 0;
    enum berth_status status =
        kind == BERTH_RECORD_SDF || kind == BERTH_RECORD_MOL2
            ? berth_records_create(path, kind, &records, error)
            : berth_fail(error, BERTH_E_USAGE, "%s: poses are SDF or Mol2 (.sdf, .mol2)%s", path,
                         berth_prepare_lacks_bonds(format) ? LACKS_BONDS : "");
    source.context = records;
    BERTH_THEN(berth_poses_each(&source, visitor, failed, error));
    berth_records_destroy(records);
    return status;
}
