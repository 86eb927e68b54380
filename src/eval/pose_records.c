#include "eval/pose_records.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/mol2/mol2.h"
#include "format/receptor_names.h"
#include "format/sdf/sdf.h"

/* A file of poses. */
struct poses {
    struct berth_records *records; /* owned */
    const char *path;
};

static enum berth_status open_poses(const char *path, struct poses *poses,
                                    struct berth_error *error)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    *poses = (struct poses){.path = path};
    return kind == BERTH_RECORD_SDF || kind == BERTH_RECORD_MOL2
               ? berth_records_create(path, kind, &poses->records, error)
               : berth_fail(error, BERTH_E_USAGE, "%s: poses are SDF or Mol2 (.sdf, .mol2)", path);
}

static void clear_pose(struct berth_read_pose *pose)
{
    berth_record_clear(&pose->record);
    berth_molecule_clear(&pose->molecule);
    free(pose->tag_text);
    free(pose->tags);
    memset(pose, 0, sizeof *pose);
}

/* A line of text that is cut apart: ends it, and moves *at behind it; NULL at the end. */
static char *take_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (!*line) {
        return NULL;
    }
    *at = end ? end + 1 : line + strlen(line);
    if (end) {
        *end = '\0';
    }
    return line;
}

/* "> <name>" and the lines up to an empty one; of a value of several lines the first. */
static enum berth_status read_tags(struct berth_read_pose *pose, struct berth_error *error)
{
    const struct berth_bytes *text = &pose->record.text;
    size_t capacity = 0;
    pose->tag_text = berth_alloc(text->count + 1, 1);
    if (!pose->tag_text) {
        return berth_out_of_memory(error, NULL);
    }
    memcpy(pose->tag_text, text->data, text->count);
    char *at = pose->tag_text;
    for (char *line; (line = take_line(&at)) != NULL;) {
        char *name = *line == '>' ? strchr(line, '<') : NULL;
        char *end = name ? strrchr(name, '>') : NULL;
        char *value = end ? take_line(&at) : NULL;
        if (!value) {
            continue;
        }
        const enum berth_status status =
            berth_reserve(&pose->tags, &capacity, pose->tag_count + 1, sizeof *pose->tags, error);
        if (status) {
            return status;
        }
        *end = '\0';
        pose->tags[pose->tag_count++] = (struct berth_tag){name + 1, value};
    }
    return BERTH_OK;
}

const char *berth_pose_tag(const struct berth_read_pose *pose, const char *name)
{
    for (size_t i = 0; i < pose->tag_count; i++) {
        if (strcmp(pose->tags[i].name, name) == 0) {
            return pose->tags[i].value;
        }
    }
    return "";
}

static enum berth_status read_sdf(struct berth_read_pose *pose, struct berth_error *error)
{
    const struct berth_bytes *text = &pose->record.text;
    enum berth_status status = berth_molfile_check((const char *)text->data, text->count, error);
    BERTH_THEN(berth_molfile_read((const char *)text->data, text->count, &pose->molecule, error));
    if (!status && !pose->molecule.atom_count) {
        status = berth_fail(error, BERTH_E_FORMAT, "no atoms of a V2000 molfile");
    }
    if (!status && !(pose->molecule.title = berth_copy_text(pose->record.title))) {
        status = berth_out_of_memory(error, NULL);
    }
    return status ? status : read_tags(pose, error);
}

static enum berth_status read_mol2(struct berth_read_pose *pose, struct berth_error *error)
{
    struct berth_mol2_reader *reader;
    bool end;
    enum berth_status status = berth_mol2_reader_create_memory(
        "the pose", pose->record.text.data, pose->record.text.count, &reader, error);
    if (!status) {
        status = berth_mol2_next(reader, &pose->molecule, &end, error);
        berth_mol2_reader_destroy(reader);
    }
    return status;
}

/* The next pose, which the caller clears (it is cleared here first); *end behind the last one.
 * Errors: BERTH_E_FORMAT for one that cannot be used, with "file:line: " (title and line are there
 * as far as known, and the next call goes on), others end the file: see berth_records_next. */
static enum berth_status next_pose(struct poses *poses, struct berth_read_pose *pose, bool *end,
                                   struct berth_error *error)
{
    clear_pose(pose);
    enum berth_status status = berth_records_next(poses->records, &pose->record, end, error);
    if (status || *end) {
        return status;
    }
    status = pose->record.kind == BERTH_RECORD_SDF ? read_sdf(pose, error) : read_mol2(pose, error);
    if (status) {
        char place[PATH_MAX + 320];
        snprintf(place, sizeof place, "%s:%zu: molecule %.256s", poses->path, pose->record.line,
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

/* What became of the poses. */
struct sums {
    size_t done, elsewhere; /* that went well; that are in another receptor */
};

static enum berth_status visit_all(struct poses *poses, const struct berth_pose_visitor *visitor,
                                   struct berth_failures *failures, struct sums *sums,
                                   struct berth_error *error)
{
    struct berth_read_pose pose = {0};
    struct berth_error why;
    enum berth_status status = BERTH_OK;
    for (bool end = false; !status && !end && !(visitor->enough && *visitor->enough);) {
        status = visitor->check ? visitor->check(error) : BERTH_OK;
        enum berth_status here = status ? BERTH_OK : next_pose(poses, &pose, &end, &why);
        if (!status && !here && !end && visitor->receptor &&
            !berth_pose_is_in(&pose, visitor->receptor)) {
            sums->elsewhere++;
        } else if (!status && !here && !end) {
            here = visitor->visit(visitor->context, &pose, &why);
            sums->done += !here;
        }
        if (here == BERTH_E_FORMAT && !berth_records_is_broken(poses->records)) {
            berth_failures_add_at(failures, (long long)pose.record.number - 1, pose.record.title,
                                  &why);
        } else if (here) {
            *error = why;
            status = here;
        }
    }
    clear_pose(&pose);
    return status;
}

enum berth_status berth_pose_records_each(const char *path,
                                          const struct berth_pose_visitor *visitor, size_t *failed,
                                          struct berth_error *error)
{
    struct berth_failures failures = {.log = visitor->log};
    struct poses poses;
    struct sums sums = {0};
    enum berth_status status = open_poses(path, &poses, error);
    BERTH_THEN(berth_failures_create(visitor->failures, &failures, error));
    BERTH_THEN(visit_all(&poses, visitor, &failures, &sums, error));
    if (!status && !sums.done) {
        status = sums.elsewhere
                     ? berth_fail(error, BERTH_E_FORMAT,
                                  "%s: all of its poses are in receptors other than %s, as their "
                                  "tag `receptor` says; give that one",
                                  path, visitor->receptor)
                     : berth_fail(error, BERTH_E_FORMAT, "%s: no pose that could be used", path);
    }
    if (!status && sums.elsewhere) {
        berth_warn(visitor->log, NULL,
                   "%s: %zu poses are left out: they are in receptors other than %s, as their tag "
                   "`receptor` says; give each its own",
                   path, sums.elsewhere, visitor->receptor);
    }
    BERTH_THEN(berth_failures_commit(&failures, error));
    berth_output_discard(failures.output);
    berth_records_destroy(poses.records);
    *failed = failures.count;
    return status;
}
