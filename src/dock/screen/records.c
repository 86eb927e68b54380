/* Results of a screen as records of its journal, and reading them back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/screen/records.h"
#include "dock/screen/required.h"

/* The first byte of a record. */
enum {
    RECORD_DEVICE = 'D',
    RECORD_DOCKED = 'L',
    RECORD_FAILED = 'F',
    RECORD_LEARNED = 'M',
    RECORD_WORK = 'T'
};

static enum berth_status copy_device(const struct berth_known_device *from,
                                     struct berth_known_device *to, struct berth_error *error)
{
    size_t size = 0, used = 0;
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        size += strlen(from->texts[i]) + 1;
    }
    BERTH_TRY(berth_make(&to->owned, size, 1, NULL, error));
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        to->texts[i] = strcpy(to->owned + used, from->texts[i]);
        used += strlen(from->texts[i]) + 1;
    }
    return BERTH_OK;
}

static bool is_same(const struct berth_known_device *a, const struct berth_known_device *b)
{
    bool same = true;
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        same = same && strcmp(a->texts[i], b->texts[i]) == 0;
    }
    return same;
}

enum berth_status berth_known_devices_find(struct berth_known_devices *devices,
                                           const struct berth_known_device *wanted, size_t *number,
                                           struct berth_error *error)
{
    for (*number = 0; *number < devices->count; (*number)++) {
        if (is_same(&devices->devices[*number], wanted)) {
            return BERTH_OK;
        }
    }
    BERTH_TRY(berth_reserve(&devices->devices, &devices->capacity, devices->count + 1,
                            sizeof *devices->devices, error));
    return copy_device(wanted, &devices->devices[devices->count++], error);
}

void berth_known_devices_clear(struct berth_known_devices *devices)
{
    for (size_t i = 0; i < devices->count; i++) {
        free(devices->devices[i].owned);
    }
    free(devices->devices);
    memset(devices, 0, sizeof *devices);
}

void berth_run_put_device(struct berth_bytes *bytes, const struct berth_known_device *device)
{
    berth_bytes_put8(bytes, RECORD_DEVICE);
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        berth_bytes_put_text(bytes, device->texts[i]);
    }
}

/* --- What was done --- */

enum berth_status berth_run_work_add(struct berth_run_work *work,
                                     const struct berth_run_share *share, struct berth_error *error)
{
    size_t i = 0;
    while (i < work->count &&
           (work->shares[i].device != share->device || work->shares[i].index != share->index)) {
        i++;
    }
    if (i == work->count) {
        BERTH_TRY(berth_reserve(&work->shares, &work->capacity, work->count + 1,
                                sizeof *work->shares, error));
        work->shares[work->count++] = *share;
    } else {
        work->shares[i].conformers += share->conformers;
        work->shares[i].failed = share->failed; /* by the last run that had it */
    }
    return BERTH_OK;
}

void berth_run_work_rewind(struct berth_run_work *work)
{
    work->ligands = 0;
    work->seconds = work->atoms = 0;
    for (size_t i = 0; i < work->count; i++) {
        work->shares[i].conformers = 0;
        work->shares[i].failed = false;
    }
}

/* --- Results --- */

/* Numbers and their bits. */
union single {
    float value;
    uint32_t word;
};

union twofold {
    double value;
    uint64_t word;
};

static void put_float(struct berth_bytes *bytes, float value)
{
    berth_bytes_put32(bytes, (union single){.value = value}.word);
}

static float get_float(struct berth_cursor *content)
{
    return (union single){.word = berth_cursor_get32(content)}.value;
}

static void put_double(struct berth_bytes *bytes, double value)
{
    berth_bytes_put64(bytes, (union twofold){.value = value}.word);
}

static double get_double(struct berth_cursor *content)
{
    return (union twofold){.word = berth_cursor_get64(content)}.value;
}

size_t berth_run_recorded(const struct berth_judges *judges)
{
    return judges->count > 1 || judges->ranked ? judges->count : 0;
}

/* A mode's record is its fields, in their order there, and its torsions' angles. */
static void put_mode(struct berth_bytes *bytes, const struct berth_pose *mode,
                     const struct berth_known_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const void *at = (const char *)mode + berth_field_offset(&fields[i]);
        const struct berth_pose_field *field = fields[i].field;
        if (field->member == BERTH_SIZE) {
            berth_bytes_put_varint(bytes, *(const size_t *)at);
        } else if (field->member == BERTH_FLOAT) {
            put_float(bytes, *(const float *)at);
        } else if (field->single) {
            put_float(bytes, (float)*(const double *)at);
        } else {
            put_double(bytes, *(const double *)at);
        }
    }
    berth_bytes_put_varint(bytes, mode->torsions);
    for (size_t i = 0; i < mode->torsions; i++) {
        put_float(bytes, mode->angles[i]);
    }
}

/* The device is the journal's own number. */
static struct berth_pose get_mode(struct berth_cursor *content,
                                  const struct berth_known_field *fields, size_t count,
                                  bool functions)
{
    struct berth_pose mode = berth_pose_of(NAN, NAN, &(struct berth_terms){.values = {0}});
    for (size_t i = 0; i < count; i++) {
        void *at = (char *)&mode + berth_field_offset(&fields[i]);
        const struct berth_pose_field *field = fields[i].field;
        if (field->member == BERTH_SIZE) {
            *(size_t *)at = (size_t)berth_cursor_get_varint(content);
        } else if (field->member == BERTH_FLOAT) {
            *(float *)at = get_float(content);
        } else {
            *(double *)at = field->single ? (double)get_float(content) : get_double(content);
        }
    }
    mode.energy = berth_pose_energy(&mode);
    mode.scores[0] = functions ? mode.scores[0] : mode.energy;
    const uint64_t torsions = berth_cursor_get_varint(content);
    content->failed = content->failed || torsions > BERTH_TORSIONS;
    mode.torsions = content->failed ? 0 : (size_t)torsions;
    for (size_t i = 0; i < mode.torsions; i++) {
        mode.angles[i] = get_float(content);
    }
    return mode;
}

void berth_run_put_result(struct berth_bytes *bytes, const struct berth_result *result,
                          const struct berth_score_columns *run)
{
    struct berth_known_field fields[BERTH_KNOWN_FIELDS];
    const size_t count = berth_fields_list(run, BERTH_IN_JOURNAL, fields);
    berth_bytes_put8(bytes, result->failure ? RECORD_FAILED : RECORD_DOCKED);
    berth_bytes_put_varint(bytes, result->ordinal);
    berth_bytes_put_text(bytes, result->title);
    if (result->failure) {
        berth_bytes_put_text(bytes, result->failure);
        return;
    }
    berth_bytes_put_varint(bytes, result->heavy_count);
    berth_bytes_put_varint(bytes, result->conformer_count);
    berth_bytes_put_varint(bytes, result->modes.count);
    for (size_t i = 0; i < result->modes.count; i++) {
        put_mode(bytes, &result->modes.modes[i], fields, count);
    }
}

void berth_run_put_work(struct berth_bytes *bytes, const struct berth_run_work *work)
{
    berth_bytes_put8(bytes, RECORD_WORK);
    berth_bytes_put_varint(bytes, work->ligands);
    put_double(bytes, work->seconds);
    put_double(bytes, work->atoms);
    berth_bytes_put_varint(bytes, work->count);
    for (size_t i = 0; i < work->count; i++) {
        const struct berth_run_share *share = &work->shares[i];
        berth_bytes_put_varint(bytes, share->device);
        berth_bytes_put_varint(bytes, share->index);
        berth_bytes_put_varint(bytes, share->conformers);
        berth_bytes_put8(bytes, share->failed);
    }
}

static enum berth_status get_work(struct berth_run_records *records, struct berth_cursor *content,
                                  struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    records->work.ligands += berth_cursor_get_varint(content);
    records->work.seconds += get_double(content);
    records->work.atoms += get_double(content);
    for (uint64_t left = berth_cursor_get_varint(content); !status && left && !content->failed;
         left--) {
        struct berth_run_share share = {.device = (size_t)berth_cursor_get_varint(content)};
        share.index = (size_t)berth_cursor_get_varint(content);
        share.conformers = berth_cursor_get_varint(content);
        share.failed = berth_cursor_get8(content);
        content->failed = content->failed || share.device >= records->number_count;
        if (!content->failed) {
            share.device = records->numbers[share.device];
            status = berth_run_work_add(&records->work, &share, error);
        }
    }
    return status;
}

/* --- What a model says, behind the ligands --- */

void berth_run_put_learned(struct berth_bytes *bytes, const struct berth_result *result,
                           size_t outputs)
{
    berth_bytes_put8(bytes, RECORD_LEARNED);
    berth_bytes_put_varint(bytes, result->ordinal);
    berth_bytes_put_varint(bytes, result->modes.count);
    for (size_t i = 0; i < result->modes.count; i++) {
        for (size_t k = 0; k < outputs; k++) {
            put_float(bytes, (float)result->modes.modes[i].learned[k]);
        }
    }
}

/* Passes come to it again and again: it is taken once. */
static enum berth_status get_learned(struct berth_run_records *records,
                                     struct berth_cursor *content, struct berth_error *error)
{
    struct berth_learned *learned = &records->learned;
    const uint64_t ordinal = records->base + berth_cursor_get_varint(content);
    const uint64_t modes = berth_cursor_get_varint(content);
    const size_t outputs = records->judges.learned_count, count = learned->count;
    if (!outputs || modes > berth_cursor_left(content) / (4 * outputs)) {
        content->failed = true;
        return BERTH_OK;
    }
    const size_t values = (size_t)modes * outputs;
    if (count && ordinal <= learned->ligands[count - 1].ordinal) {
        for (size_t i = 0; i < values; i++) {
            get_float(content);
        }
        return BERTH_OK;
    }
    BERTH_TRY(berth_reserve(&learned->ligands, &learned->capacity, count + 1,
                            sizeof *learned->ligands, error));
    BERTH_TRY(berth_reserve(&learned->values, &learned->value_capacity,
                            learned->value_count + values, sizeof *learned->values, error));
    learned->ligands[learned->count++] =
        (struct berth_learned_ligand){ordinal, learned->value_count, (size_t)modes};
    for (size_t i = 0; i < values; i++) {
        learned->values[learned->value_count++] = get_float(content);
    }
    return BERTH_OK;
}

static int by_ordinal(const void *key, const void *element)
{
    const uint64_t ordinal = *(const uint64_t *)key;
    const struct berth_learned_ligand *ligand = element;
    return ordinal < ligand->ordinal ? -1 : ordinal > ligand->ordinal;
}

/* What is known of the result's modes. */
static void learn(struct berth_run_records *records)
{
    const struct berth_learned *learned = &records->learned;
    const size_t outputs = records->judges.learned_count;
    struct berth_modes *modes = &records->result.modes;
    const struct berth_learned_ligand *ligand =
        learned->count ? bsearch(&records->result.ordinal, learned->ligands, learned->count,
                                 sizeof *learned->ligands, by_ordinal)
                       : NULL;
    for (size_t i = 0; ligand && i < modes->count && i < ligand->modes; i++) {
        for (size_t k = 0; k < outputs; k++) {
            modes->modes[i].learned[k] = (double)learned->values[ligand->first + i * outputs + k];
        }
    }
}

struct berth_score_columns berth_run_records_columns(const struct berth_run_records *records)
{
    return (struct berth_score_columns){.terms = &records->terms,
                                        .receptors = &records->receptors,
                                        .judges = &records->judges,
                                        .with = records->functions ? BERTH_WITH_RECORDED : 0};
}

void berth_run_records_rewind(struct berth_run_records *records, uint64_t ordinal)
{
    if (records->paths) {
        berth_journal_close(records->journal);
        records->journal = NULL;
        records->next = 0;
    } else {
        berth_journal_rewind(records->journal);
    }
    records->number_count = 0;
    records->ordinal = ordinal;
    records->base = 0;
    records->left_out = 0;
    records->few = 0;
    records->conformers = 0;
    berth_run_work_rewind(&records->work);
}

void berth_run_records_clear(struct berth_run_records *records)
{
    if (records->paths) {
        berth_journal_close(records->journal);
    }
    berth_known_devices_clear(&records->devices);
    free(records->numbers);
    free(records->work.shares);
    free(records->learned.ligands);
    free(records->learned.values);
    berth_modes_clear(&records->result.modes);
    memset(records, 0, sizeof *records);
}

static enum berth_status get_device(struct berth_run_records *records, struct berth_cursor *content,
                                    struct berth_error *error)
{
    struct berth_known_device device;
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        device.texts[i] = berth_cursor_get_text(content);
    }
    BERTH_TRY(berth_reserve(&records->numbers, &records->number_capacity, records->number_count + 1,
                            sizeof *records->numbers, error));
    BERTH_TRY(berth_known_devices_find(&records->devices, &device,
                                       &records->numbers[records->number_count], error));
    records->number_count++;
    return BERTH_OK;
}

static enum berth_status get_modes(struct berth_run_records *records, struct berth_cursor *content,
                                   struct berth_error *error)
{
    const struct berth_result *result = &records->result;
    struct berth_modes *modes = &records->result.modes;
    struct berth_known_field fields[BERTH_KNOWN_FIELDS];
    const struct berth_score_columns run = berth_run_records_columns(records);
    const size_t field_count = berth_fields_list(&run, BERTH_IN_JOURNAL, fields);
    const uint64_t count = berth_cursor_get_varint(content);
    if (count > berth_cursor_left(content) / field_count) { /* a byte of each, at least */
        content->failed = true;
        return BERTH_OK;
    }
    enum berth_status status =
        berth_reserve(&modes->modes, &modes->capacity, (size_t)count, sizeof *modes->modes, error);
    for (; !status && modes->count < count && !content->failed; modes->count++) {
        struct berth_pose *mode = &modes->modes[modes->count];
        *mode = get_mode(content, fields, field_count, records->functions > 0);
        content->failed = content->failed || mode->device >= records->number_count ||
                          mode->conformer >= result->conformer_count ||
                          (mode->receptor && mode->receptor >= records->receptors.count);
        mode->device = content->failed ? 0 : records->numbers[mode->device];
    }
    return status;
}

static enum berth_status get_result(struct berth_run_records *records, bool failed,
                                    struct berth_cursor *content, struct berth_error *error)
{
    struct berth_result *result = &records->result;
    result->ordinal = records->base + berth_cursor_get_varint(content);
    result->title = berth_cursor_get_text(content);
    result->failure = failed ? berth_cursor_get_text(content) : NULL;
    result->dropped = false;
    result->modes.count = 0;
    if (failed) {
        return BERTH_OK;
    }
    result->heavy_count = (size_t)berth_cursor_get_varint(content);
    result->conformer_count = (size_t)berth_cursor_get_varint(content);
    return get_modes(records, content, error);
}

/* The next record of the journal; *ligand: it was one of a ligand. */
static enum berth_status next_record(struct berth_run_records *records, bool *ligand, bool *end,
                                     struct berth_error *error)
{
    struct berth_cursor content;
    *ligand = false;
    enum berth_status status = berth_journal_next(records->journal, &content, end, error);
    if (status || *end) {
        return status;
    }
    const uint8_t kind = berth_cursor_get8(&content);
    if (kind == RECORD_DEVICE) {
        status = get_device(records, &content, error);
    } else if (kind == RECORD_LEARNED) {
        status = get_learned(records, &content, error);
    } else if (kind == RECORD_WORK) {
        status = get_work(records, &content, error);
    } else {
        *ligand = true;
        status = get_result(records, kind == RECORD_FAILED, &content, error);
        content.failed = content.failed || (kind != RECORD_FAILED && kind != RECORD_DOCKED) ||
                         (kind == RECORD_DOCKED && !records->result.modes.count);
    }
    if (!status && (content.failed || berth_cursor_left(&content) ||
                    (*ligand && records->result.ordinal != records->ordinal))) {
        status = berth_fail(
            error, BERTH_E_FORMAT,
            "%s: the record of ligand %llu makes no sense; take the berth that wrote it, "
            "where that is another one, or remove the journal and start the run again",
            berth_journal_path(records->journal), (unsigned long long)records->ordinal);
    }
    return status;
}

void berth_run_records_leave_out(struct berth_run_records *records, struct berth_result *result)
{
    records->left_out += berth_modes_leave_out(&result->modes, records->max_clash, records->reason,
                                               &result->failure);
}

/* Leaves out the modes that do not make what is asked for; where nothing is left, the ligand is
 * dropped. */
static void leave_out_unmade(const struct berth_required *required, struct berth_result *result)
{
    struct berth_modes *modes = &result->modes;
    size_t kept = 0;
    for (size_t i = 0; i < modes->count && i < required->modes; i++) {
        if (*berth_required_made(required, result->ordinal, i)) {
            modes->modes[kept++] = modes->modes[i];
        }
    }
    modes->count = kept;
    if (!kept && !result->failure) {
        result->failure = required->reason;
        result->dropped = true;
    }
}

enum berth_status berth_run_records_next(struct berth_run_records *records, bool *end,
                                         struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    bool ligand = false;
    *end = false;
    while (!status && !ligand && !*end) {
        if (!records->journal) {
            *end = records->next == records->count;
            records->number_count = 0;
            records->base = records->apart ? records->ordinal : 0;
            status = *end ? BERTH_OK
                          : berth_journal_open(records->paths[records->next++], &records->journal,
                                               error);
            continue;
        }
        status = next_record(records, &ligand, end, error);
        if (!status && *end && records->paths) {
            berth_journal_close(records->journal);
            records->journal = NULL;
            *end = false;
        }
    }
    if (!status && ligand) {
        records->ordinal++;
        learn(records);
        records->conformers += records->result.failure ? 0 : records->result.conformer_count;
        records->few +=
            !records->result.failure && records->result.modes.count < records->num_modes;
        if (records->required) {
            leave_out_unmade(records->required, &records->result);
        }
        berth_run_records_leave_out(records, &records->result);
    }
    return status;
}

enum berth_status berth_run_records_learn(struct berth_run_records *records, uint64_t ordinal,
                                          struct berth_error *error)
{
    bool end = !records->judges.learned_count;
    enum berth_status status = BERTH_OK;
    berth_run_records_rewind(records, ordinal);
    while (!status && !end) {
        status = berth_run_records_next(records, &end, error);
    }
    return status;
}
