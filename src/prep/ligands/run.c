/* The run that prepares ligands: feeds the workers, takes in what they prepared, in order. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "prep/ligands/ligands_internal.h"
#include "prep/ligands/repetitions.h"
#include "score/forcefield.h"

/* --- The failures of a run that may be resumed --- */

/* They stand in PART.failures beside the
 * library's PART, a line each, "consumed<tab>F or D<tab>ligand<tab>reason". */
struct journal {
    FILE *file; /* owned; NULL: none */
    char path[PATH_MAX];
};

/* Bytes of a field, so that the line stays one that can be read back. */
enum { FIELD_MAX = 8000, FIELDS = 4 };

static void put_escaped(FILE *file, const char *text)
{
    char *escaped = berth_text_escape(text, "");
    fprintf(file, "%.*s", FIELD_MAX, escaped ? escaped : "");
    free(escaped);
}

/* The failure's ordinal is that of the record with which one more is consumed. */
static void put_line(FILE *file, const struct berth_failure *failure)
{
    if (file) {
        fprintf(file, "%lld\t%c\t", failure->ordinal + 1, failure->dropped ? 'D' : 'F');
        put_escaped(file, failure->ligand ? failure->ligand : "");
        fputc('\t', file);
        put_escaped(file, failure->reason);
        fputc('\n', file);
        /* so that a kill loses none; a failed write costs the list of a resumed run only */
        fflush(file);
    }
}

/* Cuts a line into its fields; false where it is not whole. */
static bool cut_line(char *line, char *fields[FIELDS])
{
    fields[0] = line;
    for (int i = 1; i < FIELDS; i++) {
        line = strchr(line, '\t');
        if (!line) {
            return false;
        }
        *line++ = '\0';
        fields[i] = line;
    }
    return (*fields[1] == 'F' || *fields[1] == 'D') && fields[1][1] == '\0';
}

/* Takes over what the lines of an earlier run say of the first `resumed` records, which are written
 * to file; NULL: for who counts ligands of the library, where these have no number. */
static enum berth_status recall_failures(const char *path, uint64_t resumed,
                                         struct berth_failures *failures, FILE *file,
                                         struct berth_error *error)
{
    struct berth_text_reader *reader;
    if (access(path, F_OK) != 0) {
        return BERTH_OK;
    }
    enum berth_status status = berth_text_reader_create(path, &reader, error);
    char *line = NULL;
    while (!status && !(status = berth_text_reader_next(reader, &line, error)) && line) {
        char *fields[FIELDS];
        if (cut_line(line, fields) && strtoull(fields[0], NULL, 10) <= resumed) {
            const long long record = strtoll(fields[0], NULL, 10) - 1;
            const struct berth_failure failure = {file ? record : -1, fields[2], fields[3],
                                                  *fields[1] == 'D'};
            berth_text_unescape(fields[2]);
            berth_text_unescape(fields[3]);
            berth_failures_recall(failures, &failure);
            put_line(file, &failure);
        }
    }
    berth_text_reader_destroy(reader);
    return status;
}

enum berth_status berth_ligands_recall(const char *list, struct berth_failures *failures,
                                       struct berth_error *error)
{
    return recall_failures(list, UINT64_MAX, failures, NULL, error);
}

/* The first line of a library's journal: "inputs<tab>hash". */
static const char INPUTS[] = "inputs\t";

/* BERTH_E_USAGE where an earlier run's journal names other inputs; one without the line names none.
 */
static enum berth_status check_inputs(const char *path, const char *hash, struct berth_error *error)
{
    struct berth_text_reader *reader;
    char *line = NULL;
    if (access(path, F_OK) != 0) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_text_reader_create(path, &reader, error));
    enum berth_status status = berth_text_reader_next(reader, &line, error);
    if (!status && line && strncmp(line, INPUTS, strlen(INPUTS)) == 0 &&
        strcmp(line + strlen(INPUTS), hash) != 0) {
        status = berth_fail_option(error, BERTH_E_USAGE, "resume",
                                   "%s: the library was begun with molecules whose content "
                                   "differs; give the same files, or another name",
                                   path);
    }
    berth_text_reader_destroy(reader);
    return status;
}

/* Begins the journal at journal->path.  resumed: records that an earlier run has done; what failed
 * among them is taken over into failures.  hash: of the inputs; NULL: whoever watches compares
 * them.  The caller closes *journal. */
static enum berth_status journal_open(struct journal *journal, uint64_t resumed, const char *hash,
                                      struct berth_failures *failures, struct berth_error *error)
{
    char next[PATH_MAX + 8];
    BERTH_TRY(hash && resumed ? check_inputs(journal->path, hash, error) : BERTH_OK);
    snprintf(next, sizeof next, "%s.new", journal->path);
    journal->file = fopen(next, "w");
    if (!journal->file) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot create: %s", next, strerror(errno));
    }
    if (hash) {
        fprintf(journal->file, "%s%s\n", INPUTS, hash);
        fflush(journal->file);
    }
    enum berth_status status =
        resumed ? recall_failures(journal->path, resumed, failures, journal->file, error)
                : BERTH_OK;
    if (!status && rename(next, journal->path) != 0) {
        status =
            berth_fail(error, BERTH_E_IO, "%s: cannot replace: %s", journal->path, strerror(errno));
    }
    if (status) {
        fclose(journal->file);
        journal->file = NULL;
        berth_file_remove(next, status, error);
    }
    return status;
}

/* keep: leaves the file for a run that goes on; no other run reads it. */
static void journal_close(struct journal *journal, bool keep, const struct berth_log *log)
{
    struct berth_error error;
    if (journal->file) {
        fclose(journal->file);
        journal->file = NULL;
        if (!keep && berth_file_remove(journal->path, BERTH_OK, &error)) {
            berth_warn(log, NULL, "%s", error.message);
        }
    }
}

/* --- The run --- */

/* Everything a run holds. */
struct run {
    const struct berth_ligands_settings *settings;
    struct berth_preparation preparation; /* the settings', with our cancel, stop and builders */
    struct berth_builders builders;
    struct berth_ligand_inputs *inputs; /* borrowed */
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
    atomic_bool cancel;
    struct berth_forcefield forcefield;
    struct berth_library_writer *writer;
    struct berth_failures failures;
    struct journal journal;
    struct berth_ligand_queue *queue;
    struct berth_repetitions repetitions;
    struct berth_library_ligand gathered; /* Mol2 conformers that belong together, so far */
    bool *met;                            /* owned; of each property asked for: a ligand has it */
    uint64_t begin, end;                  /* records of the shard: behind begin, up to end */
    uint64_t records;                     /* read so far, of all files */
    uint64_t resumed;                     /* up to here not for this run: an earlier one did them */
    uint64_t taken;                       /* prepared, failed or dropped, those among them */
    uint64_t total;                       /* counted; 0: they were not */
    double start;                         /* seconds: of the first record */
    struct berth_charges charges;         /* of the ligands of this run */
    bool told;                            /* that fragments are being built */
};

static bool is_stopped(const struct run *run)
{
    return run->settings->stop && atomic_load(run->settings->stop);
}

static struct berth_progress progress_of(const struct run *run)
{
    const struct berth_library_progress library = berth_library_writer_progress(run->writer);
    const double part = run->total ? 1 : berth_ligand_inputs_part(run->inputs);
    const uint64_t total = part > 0 ? (uint64_t)((double)run->records / part + 0.5) : 0;
    return (struct berth_progress){.ligands = library.ligands,
                                   .conformers = library.conformers,
                                   .failed = run->failures.count,
                                   .dropped = run->failures.dropped,
                                   .before = run->resumed - run->begin,
                                   .records =
                                       run->records > run->begin ? run->records - run->begin : 0,
                                   .done = run->taken - run->begin,
                                   .total = run->total ? run->total : total,
                                   .estimated = !run->total,
                                   .seconds = berth_now() - run->start};
}

static void show_progress(const struct run *run, bool last)
{
    if (run->settings->show) {
        struct berth_progress progress = progress_of(run);
        progress.computed = last;
        run->settings->show(run->settings->context, &progress);
    }
}

/* --- Taking prepared ligands in --- */

/* Notes that the record with which this many are consumed failed, or was dropped. */
static void note_failure(struct run *run, uint64_t consumed, const char *ligand, bool dropped,
                         const struct berth_error *why)
{
    const struct berth_failure failure = {(long long)consumed - 1, ligand, why->message, dropped};
    if (dropped) {
        berth_failures_recall(&run->failures, &failure);
    } else {
        struct berth_error alone = *why, said = *why;
        if (ligand && *ligand) {
            berth_text_drop_name(alone.message, ligand);
            berth_fail(&said, BERTH_E_FORMAT, "ligand %s: %s", ligand, alone.message);
        }
        berth_failures_add_at(&run->failures, failure.ordinal, ligand, &said);
    }
    put_line(run->journal.file, &failure);
}

/* Adds a ligand to the library; one that it refuses is a failure. */
static enum berth_status add_ligand(struct run *run, const struct berth_library_ligand *ligand,
                                    uint64_t consumed, struct berth_error *error)
{
    struct berth_error why;
    const enum berth_status status = berth_library_add(run->writer, ligand, consumed, &why);
    if (status == BERTH_E_TYPE || status == BERTH_E_FORMAT) {
        char place[PATH_MAX + 32];
        snprintf(place, sizeof place, "%s, record %llu", ligand->source,
                 (unsigned long long)ligand->record);
        berth_fail_in(&why, place);
        note_failure(run, consumed, ligand->ligand.name, false, &why);
        return BERTH_OK;
    }
    if (status) {
        *error = why;
        return status;
    }
    /* Ions and the like are prepared as they were asked for, but seldom meant. */
    if (berth_heavy_count(&ligand->ligand.conformers[0]) == 1) {
        berth_warn(&run->log, "one heavy atom",
                   "%s: a single heavy atom, an ion or the like of methane; drop it from the input "
                   "unless it is to be docked",
                   ligand->ligand.name);
    }
    return berth_repetitions_name(&run->repetitions, ligand, &run->log, error);
}

/* Adds a ligand unless it came before; clears it. */
static enum berth_status write_ligand(struct run *run, struct berth_library_ligand *ligand,
                                      uint64_t consumed, struct berth_error *error)
{
    struct berth_first_ligand first;
    struct berth_error why;
    /* Which of the properties asked for the ligand has. */
    for (size_t i = 0; i < run->preparation.property_count; i++) {
        const char *wanted = run->preparation.properties[i];
        for (size_t k = 0; !run->met[i] && k < ligand->property_count; k++) {
            const char *name = ligand->properties[k].name;
            run->met[i] =
                strcmp(wanted, "all") == 0 ? !berth_prepare_adds(name) : strcmp(wanted, name) == 0;
        }
    }
    enum berth_status status =
        berth_repetitions_find(&run->repetitions, ligand, run->settings->unique, &first, error);
    if (!status && first.name && run->settings->unique) {
        berth_fail(&why, BERTH_E_FORMAT,
                   "%s, record %llu: dropped: a duplicate, %s (record %llu) came before: %s",
                   ligand->source, (unsigned long long)ligand->record, first.name,
                   (unsigned long long)first.record, ligand->smiles);
        note_failure(run, consumed, ligand->ligand.name, true, &why);
    } else if (!status) {
        berth_repetitions_tell(ligand, &first, ", drop_duplicates leaves such ligands out",
                               &run->log);
        status = add_ligand(run, ligand, consumed, error);
    }
    berth_library_ligand_clear(ligand);
    return status;
}

static enum berth_status write_gathered(struct run *run, uint64_t consumed,
                                        struct berth_error *error)
{
    return run->gathered.ligand.conformer_count ? write_ligand(run, &run->gathered, consumed, error)
                                                : BERTH_OK;
}

/* True where the molecule, taken as it stood, is a further conformer of the gathered ligand. */
static bool joins_gathered(const struct run *run, const struct berth_ligand_slot *slot)
{
    const struct berth_library_ligand *gathered = &run->gathered;
    const struct berth_prepared *prepared = &slot->prepared;
    return prepared->taken && gathered->ligand.conformer_count &&
           gathered->ligand.conformer_count < BERTH_LIGAND_CONFORMERS_MAX &&
           strcmp(gathered->source, slot->path) == 0 &&
           berth_ligand_accepts(&gathered->ligand, &prepared->forms[0].ligand.ligand.conformers[0]);
}

/* Notes names and SMILES of what an earlier run had done, and whose they were. */
static enum berth_status recall_slot(struct run *run, const struct berth_ligand_slot *slot,
                                     struct berth_error *error)
{
    for (size_t i = 0; i < slot->prepared.count; i++) {
        struct berth_first_ligand first;
        struct berth_form *form = &slot->prepared.forms[i];
        struct berth_library_ligand *ligand = &form->ligand;
        const size_t size = strlen(slot->record.title) + sizeof form->label;
        ligand->record = slot->record.number;
        free(ligand->ligand.name);
        BERTH_TRY(berth_make(&ligand->ligand.name, size, 1, NULL, error));
        snprintf(ligand->ligand.name, size, "%s%s", slot->record.title, form->label);
        BERTH_TRY(berth_repetitions_name(&run->repetitions, ligand, NULL, error));
        BERTH_TRY(berth_repetitions_find(&run->repetitions, ligand, run->settings->unique, &first,
                                         error));
    }
    return BERTH_OK;
}

/* A molecule that was taken as it stood: further conformers of it may follow. */
static enum berth_status gather_slot(struct run *run, struct berth_ligand_slot *slot,
                                     struct berth_error *error)
{
    struct berth_library_ligand *ligand = &slot->prepared.forms[0].ligand;
    if (joins_gathered(run, slot)) {
        return berth_ligand_add(&run->gathered.ligand, &ligand->ligand.conformers[0], false, error);
    }
    BERTH_TRY(write_gathered(run, slot->consumed - 1, error));
    berth_ligand_slot_remark(slot, 0, &run->log);
    run->gathered = *ligand;
    memset(ligand, 0, sizeof *ligand);
    return BERTH_OK;
}

/* A form that failed is a row of its own: the others stay. */
static enum berth_status write_form(struct run *run, const struct berth_ligand_slot *slot,
                                    size_t number, struct berth_error *error)
{
    struct berth_form *form = &slot->prepared.forms[number];
    if (!form->status) {
        run->charges.ligands++;
        run->charges.changed += form->recharged;
        berth_ligand_slot_remark(slot, number, &run->log);
        return write_ligand(run, &form->ligand, slot->consumed, error);
    }
    berth_ligand_slot_place(slot, &form->error);
    note_failure(run, slot->consumed, slot->record.title, form->dropped, &form->error);
    return BERTH_OK;
}

static enum berth_status write_slot(struct run *run, struct berth_ligand_slot *slot,
                                    struct berth_error *error)
{
    BERTH_TRY(write_gathered(run, slot->consumed - 1, error));
    for (size_t i = 0; i < slot->prepared.count; i++) {
        BERTH_TRY(write_form(run, slot, i, error));
    }
    return BERTH_OK;
}

static enum berth_status take_slot(struct run *run, struct berth_ligand_slot *slot,
                                   struct berth_error *error)
{
    if (slot->known) { /* nothing to tell */
        return recall_slot(run, slot, error);
    }
    if (slot->status) {
        berth_ligand_slot_place(slot, &slot->error);
    }
    if (slot->status == BERTH_E_MEMORY || (slot->status == BERTH_E_IO && !slot->unread)) {
        *error = slot->error;
        return slot->status;
    }
    if (slot->status) {
        note_failure(run, slot->consumed, slot->record.title, slot->prepared.dropped, &slot->error);
        return BERTH_OK;
    }
    /* Each ligand says where it came from. */
    for (size_t i = 0; i < slot->prepared.count; i++) {
        struct berth_library_ligand *ligand = &slot->prepared.forms[i].ligand;
        ligand->record = slot->record.number;
        ligand->source = berth_copy_text(slot->path);
        if (!ligand->source) {
            return berth_out_of_memory(error, NULL);
        }
    }
    return slot->prepared.taken ? gather_slot(run, slot, error) : write_slot(run, slot, error);
}

/* --- Feeding the workers --- */

/* Fills free slots; *end is set behind the last record. */
static enum berth_status feed_workers(struct run *run, bool *end, struct berth_error *error)
{
    struct berth_ligand_slot *slot;
    *end = *end || run->records == run->end;
    while (!*end && !is_stopped(run) && (slot = berth_ligand_queue_free(run->queue))) {
        slot->status =
            berth_ligand_inputs_next(run->inputs, &slot->record, &slot->path, end, &slot->error);
        if (slot->status == BERTH_E_MEMORY) {
            *error = slot->error;
            return slot->status;
        }
        if (*end) {
            break;
        }
        slot->unread = slot->status != BERTH_OK;
        slot->consumed = ++run->records;
        slot->known = slot->consumed <= run->resumed;
        if (!slot->known || (run->settings->unique && !slot->status)) {
            berth_ligand_queue_push(run->queue);
        } else {
            berth_record_clear(&slot->record);
            memset(slot, 0, sizeof *slot);
        }
        *end = run->records == run->end;
    }
    return BERTH_OK;
}

/* New fragments that are worth a word: seconds of work. */
enum { FRAGMENTS_TOLD = 20 };

static enum berth_status prepare_all(struct run *run, struct berth_error *error)
{
    bool end = false;
    enum berth_status status = BERTH_OK;
    while (!status && !(end && berth_ligand_queue_is_empty(run->queue))) {
        status = feed_workers(run, &end, error);
        struct berth_ligand_slot *slot = status ? NULL : berth_ligand_queue_oldest(run->queue);
        if (!status && is_stopped(run)) {
            status = berth_fail(error, BERTH_E_USAGE,
                                "interrupted; nothing was written, start the run again");
        }
        if (!status && slot) {
            status = take_slot(run, slot, error);
            run->taken = slot->consumed > run->taken ? slot->consumed : run->taken;
            berth_ligand_queue_pop(run->queue);
        }
        if (run->settings->watch) {
            atomic_store(&run->settings->watch->written,
                         berth_library_writer_progress(run->writer).bytes);
        }
        /* Says once why a run is slow at first, and the time that it says is left too long. */
        if (!run->told && run->builders.made >= FRAGMENTS_TOLD) {
            run->told = true;
            berth_note(
                run->settings->log,
                "RDKit builds ring systems and other fragments that the store lacks, each once, "
                "and keeps them: until then molecules take many times as long");
        }
        if (!status) {
            show_progress(run, false);
        }
    }
    return status ? status : write_gathered(run, run->records, error);
}

/* --- Beginning and end --- */

/* What was done, and the list of what failed, stay for a run that goes on from there. */
static void keep_part(struct run *run, enum berth_status status, struct berth_error *error)
{
    struct berth_error other;
    const uint64_t kept = berth_library_writer_progress(run->writer).kept;
    journal_close(&run->journal, kept > 0, run->settings->log);
    if (kept && !berth_library_keep(run->writer, &other)) {
        char reason[1024];
        snprintf(reason, sizeof reason, "%.1023s",
                 is_stopped(run) ? "interrupted" : error->message);
        berth_fail_option(error, error->status, "resume",
                          "%s; %llu ligands are kept, and the run can go on from there", reason,
                          (unsigned long long)kept);
    } else if (!kept) {
        berth_library_finish(run->writer, status, error);
    }
    run->writer = NULL;
}

/* Says what most records failed by. */
static enum berth_status fail_without_ligands(const struct run *run, struct berth_error *error)
{
    const struct berth_reason why = berth_failures_commonest(&run->failures);
    if (run->settings->watch) {
        run->settings->watch->none = true;
    }
    return run->records
               ? berth_fail(error, BERTH_E_FORMAT,
                            "no ligand came out of %llu molecule%s: %s (%zu of them); %s was not "
                            "written",
                            (unsigned long long)run->records, run->records == 1 ? "" : "s",
                            why.text, why.count, run->settings->out)
               : berth_fail(error, BERTH_E_FORMAT,
                            "the input holds no molecule; %s was not written", run->settings->out);
}

static enum berth_status commit_run(struct run *run, struct berth_error *error)
{
    const struct berth_library_progress progress = berth_library_writer_progress(run->writer);
    enum berth_status status = berth_failures_commit(&run->failures, error);
    if (!status && !progress.ligands && run->settings->shard.count == 1) {
        return fail_without_ligands(run, error);
    }
    if (!status) {
        fsync(fileno(run->journal.file)); /* in front of the library, which says that it is whole */
        status = berth_library_commit(run->writer, error);
        run->writer = NULL;
        journal_close(&run->journal, status || run->settings->watch, run->settings->log);
    }
    if (!status && !run->resumed) { /* the ligands of an earlier run were not looked at */
        for (size_t i = 0; i < run->preparation.property_count; i++) {
            const char *wanted = run->preparation.properties[i];
            if (!run->met[i]) {
                berth_warn(run->settings->log, NULL, "properties: no ligand has %s",
                           strcmp(wanted, "all") == 0 ? "any" : wanted);
            }
        }
    }
    return status;
}

/* Finds the builder, and out at once that there is none, where anything but Mol2 is to be read. */
static enum berth_status choose_builder(struct run *run, struct berth_error *error)
{
    const struct berth_preparation *asked = &run->preparation;
    bool needed = asked->rebuild || asked->smiles || asked->exclude || asked->residue;
    for (size_t i = 0; i < run->inputs->count; i++) {
        needed = needed || berth_ligand_inputs_kind(run->inputs, i) != BERTH_RECORD_MOL2;
    }
    return needed
               ? berth_prepare_choose(&run->preparation, &run->builders, run->settings->log, error)
               : BERTH_OK;
}

static enum berth_status open_library(struct run *run, struct berth_error *error)
{
    const struct berth_ligands_settings *settings = run->settings;
    const bool built = run->preparation.rdkit != NULL;
    char note[BERTH_LIBRARY_NOTE_MAX], shard[64] = "";
    if (settings->shard.count > 1) {
        snprintf(shard, sizeof shard, BERTH_LIBRARY_NOTE_SHARD "%" PRIu64 "/%" PRIu64,
                 settings->shard.number, settings->shard.count);
    }
    /* with what structures are built belongs there: no other may go on with the library */
    snprintf(note, sizeof note, BERTH_LIBRARY_NOTE "%s%s%s%s", shard,
             settings->note + strlen(BERTH_LIBRARY_NOTE), built ? "; RDKit " : "",
             built ? run->builders.rdkit.version : "");
    const struct berth_library_setup setup = {.path = settings->out,
                                              .forcefield = &run->forcefield,
                                              .note = note,
                                              .log = &run->log,
                                              .mode = settings->mode};
    BERTH_TRY(berth_library_create(&setup, &run->writer, error));
    const struct berth_library_progress progress = berth_library_writer_progress(run->writer);
    if (settings->watch) {
        snprintf(run->journal.path, sizeof run->journal.path, "%s", settings->watch->failures);
    } else {
        snprintf(run->journal.path, sizeof run->journal.path, "%s.part.failures", settings->out);
    }
    char hash[BERTH_SHA256_TEXT];
    BERTH_TRY(settings->watch ? BERTH_OK : berth_ligand_inputs_hash(run->inputs, hash, error));
    BERTH_TRY(journal_open(&run->journal, progress.consumed, settings->watch ? NULL : hash,
                           &run->failures, error));
    run->resumed = progress.consumed > run->begin ? progress.consumed : run->begin;
    run->taken = run->resumed;
    if (progress.consumed) {
        berth_note(
            settings->log, "resuming behind %llu records (%llu ligands, %zu failed, %zu dropped)",
            (unsigned long long)(run->resumed - run->begin), (unsigned long long)progress.ligands,
            run->failures.count, run->failures.dropped);
    }
    return BERTH_OK;
}

/* Finds the shard's records: whole chunks, so that its library's blocks are those of the whole. */
static enum berth_status find_shard(struct run *run, struct berth_error *error)
{
    const struct berth_shard *shard = &run->settings->shard;
    uint64_t total;
    run->end = UINT64_MAX;
    if (shard->count == 1) {
        return BERTH_OK;
    }
    for (size_t i = 0; !run->preparation.rebuild && i < run->inputs->count; i++) {
        if (berth_ligand_inputs_kind(run->inputs, i) == BERTH_RECORD_MOL2) {
            return berth_fail_option(error, BERTH_E_USAGE, "rebuild",
                                     "shard: molecules of %s may be conformers of one ligand, "
                                     "which belong together: prepare it whole, or rebuild them",
                                     run->inputs->files[i].path);
        }
    }
    BERTH_TRY(berth_ligand_inputs_count(run->inputs, &total, error));
    const struct berth_shard_range chunks =
        berth_shard_range(shard, (total + BERTH_LIBRARY_CHUNK - 1) / BERTH_LIBRARY_CHUNK);
    run->begin = chunks.first * BERTH_LIBRARY_CHUNK;
    run->end = chunks.end * BERTH_LIBRARY_CHUNK;
    run->end = run->end < total ? run->end : total;
    run->begin = run->begin < total ? run->begin : total;
    run->total = run->end - run->begin;
    if (run->total == 0 && total > 0) {
        const uint64_t most = (total + BERTH_LIBRARY_CHUNK - 1) / BERTH_LIBRARY_CHUNK;
        berth_warn(run->settings->log, NULL,
                   "shard %" PRIu64 "/%" PRIu64 " is empty: shards are whole chunks of %d "
                   "molecules, and of %" PRIu64 " there %s %" PRIu64,
                   (uint64_t)shard->number, (uint64_t)shard->count, (int)BERTH_LIBRARY_CHUNK, total,
                   most == 1 ? "is" : "are", most);
    }
    return BERTH_OK;
}

static enum berth_status open_run(struct run *run, struct berth_error *error)
{
    const struct berth_ligands_settings *settings = run->settings;
    BERTH_TRY(find_shard(run, error));
    BERTH_TRY(choose_builder(run, error));
    BERTH_TRY(
        berth_make(&run->met, run->preparation.property_count, sizeof *run->met, NULL, error));
    BERTH_TRY(berth_bhff_read(settings->forcefield, &run->log, &run->forcefield, error));
    run->failures.log = settings->log;
    BERTH_TRY(berth_failures_create(settings->failures, &run->failures, error));
    BERTH_TRY(open_library(run, error));
    return berth_ligand_queue_create(&run->preparation, settings->jobs, &run->queue, error);
}

static enum berth_status prepare_and_write(struct run *run, struct berth_progress *progress,
                                           struct berth_error *error)
{
    enum berth_status status = open_run(run, error);
    if (!status) {
        run->total = run->settings->show && run->settings->shard.count == 1
                         ? berth_ligand_inputs_total(run->inputs)
                         : run->total;
        run->start = berth_now();
        status = prepare_all(run, error);
    }
    if (status && run->writer) {
        keep_part(run, status, error);
    }
    if (!status) {
        show_progress(run, true);
        *progress = progress_of(run);
        status = commit_run(run, error);
        progress->seconds = berth_now() - run->start;
    }
    return status;
}

static void close_run(struct run *run)
{
    const bool taken = !run->queue || berth_ligand_queue_is_empty(run->queue);
    atomic_store(&run->cancel, true);
    const double seconds = berth_ligand_queue_destroy(run->queue);
    if (run->settings->watch) {
        run->settings->watch->seconds = seconds + berth_thread_seconds();
    }
    /* also of a run that is stopped: what resumes it does not look at these again */
    berth_charges_tell(&run->charges, run->preparation.ph, run->settings->log);
    /* but of this what was prepared and not taken would be among the numbers */
    berth_builders_tell(&run->builders, taken ? run->settings->log : NULL);
    berth_builders_end(&run->builders);
    berth_library_discard(run->writer);
    journal_close(&run->journal, false, run->settings->log);
    berth_output_discard(run->failures.output);
    berth_library_ligand_clear(&run->gathered);
    berth_repetitions_clear(&run->repetitions);
    berth_forcefield_clear(&run->forcefield);
    free(run->met);
}

enum berth_status berth_ligands_prepare(const struct berth_ligands_settings *settings,
                                        struct berth_ligand_inputs *inputs,
                                        struct berth_progress *progress, struct berth_error *error)
{
    struct run run = {.settings = settings, .preparation = settings->preparation, .inputs = inputs};
    memset(progress, 0, sizeof *progress);
    run.preparation.cancel = &run.cancel;
    run.preparation.stop = settings->stop;
    run.warnings.next = settings->log;
    run.log = berth_gather(&run.warnings);
    const enum berth_status status = prepare_and_write(&run, progress, error);
    berth_gatherer_flush(&run.warnings);
    close_run(&run);
    return status;
}
