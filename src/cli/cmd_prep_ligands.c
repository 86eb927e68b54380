/* berth prep ligands: molecules of any format to a library of conformers. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_set.h"
#include "cli/prep_ligands.h"
#include "prep/openbabel.h"
#include "score/bhff.h"

static const struct cli_usage USAGE = {
    "prep ligands", "IN... --out LIB.blib [options]",
    "Prepares ligands for screening: the largest fragment of each molecule, protonated, with 3D\n"
    "conformers, atom types and rotatable bonds, in one library file.  One molecule's failure, "
    "crash\n"
    "or hang in Open Babel costs that molecule: it is a row of the failures file."};

/* Everything a run holds. */
struct run {
    const struct prep_values *values;
    struct prep_plan plan;
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
    atomic_bool cancel;
    struct berth_forcefield forcefield;
    struct prep_inputs inputs;
    struct berth_library_writer *writer;
    struct berth_failures failures;
    struct prep_journal journal;
    struct prep_queue *queue;
    struct berth_text_set seen;           /* canonical SMILES */
    struct berth_library_ligand gathered; /* Mol2 conformers that belong together, so far */
    uint64_t records;                     /* read so far, of all files */
    uint64_t resumed;                     /* that an earlier run had done */
    double start, shown;                  /* seconds */
    bool terminal;
};

static void failures_path(const struct prep_values *values, char *path, size_t size)
{
    const char *slash = strrchr(values->out, '/');
    if (values->failures) {
        snprintf(path, size, "%s", values->failures);
    } else {
        snprintf(path, size, "%.*sfailures.csv", slash ? (int)(slash - values->out + 1) : 0,
                 values->out);
    }
}

static enum berth_status open_library(struct run *run, struct berth_error *error)
{
    const struct prep_values *values = run->values;
    const struct berth_library_setup setup = {.path = values->out,
                                              .forcefield = &run->forcefield,
                                              .note = run->plan.note,
                                              .log = &run->log,
                                              .mode = values->resume      ? BERTH_LIBRARY_RESUME
                                                      : values->overwrite ? BERTH_LIBRARY_REPLACE
                                                                          : BERTH_LIBRARY_NEW};
    enum berth_status status = berth_library_create(&setup, &run->writer, error);
    if (!status) {
        const struct berth_library_progress progress = berth_library_writer_progress(run->writer);
        run->resumed = progress.consumed;
        status = prep_journal_open(&run->journal, values->out, run->resumed, &run->failures, error);
        if (!status && run->resumed) {
            cli_say("resuming behind %llu records (%llu ligands, %zu failed, %zu dropped)",
                    (unsigned long long)progress.consumed, (unsigned long long)progress.ligands,
                    run->failures.count, run->failures.dropped);
        }
    }
    return status;
}

/* Finds out at once that Open Babel is missing, where anything but Mol2 is to be read. */
static enum berth_status check_openbabel(const struct run *run, struct berth_error *error)
{
    bool needed = run->plan.preparation.rebuild || run->plan.preparation.smiles;
    for (size_t i = 0; i < run->inputs.count; i++) {
        needed = needed || prep_inputs_kind(&run->inputs, i) != BERTH_RECORD_MOL2;
    }
    return needed ? berth_openbabel_check(error) : BERTH_OK;
}

static enum berth_status open_files(struct run *run, struct berth_error *error)
{
    const struct prep_values *values = run->values;
    char failures[PATH_MAX];
    failures_path(values, failures, sizeof failures);
    const struct cli_file files[] = {{"list", values->list, false},
                                     {"forcefield", values->forcefield, false},
                                     {"out", values->out, true},
                                     {"failures", failures, true}};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    if (!status) {
        status = cli_check_new(values->out, values->overwrite || values->resume, error);
    }
    if (!status) {
        status = prep_inputs_create(values, &run->inputs, error);
    }
    for (size_t i = 0; !status && i < run->inputs.count; i++) {
        const struct cli_file pair[] = {{"IN", run->inputs.paths[i], false},
                                        {"out", values->out, true},
                                        {"failures", failures, true}};
        status = cli_check_files(pair, sizeof pair / sizeof *pair, error);
    }
    if (!status) {
        status = check_openbabel(run, error);
    }
    if (!status) {
        status = berth_bhff_read(values->forcefield, &run->log, &run->forcefield, error);
    }
    if (!status) {
        run->failures.log = cli_log();
        status = berth_failures_create(failures, &run->failures, error);
    }
    if (!status) {
        prep_inputs_warn(&run->inputs);
        cli_catch_signals(); /* from here on there is something to tidy up */
        status = open_library(run, error);
    }
    return status;
}

/* --- Taking prepared ligands in --- */

static void note_failure(struct run *run, uint64_t consumed, const char *ligand,
                         const struct berth_error *why)
{
    berth_failures_add(&run->failures, ligand, why);
    prep_journal_add(&run->journal, consumed, false, ligand, why->message);
}

static void note_dropped(struct run *run, uint64_t consumed, const char *ligand,
                         const struct berth_error *why)
{
    berth_failures_drop(&run->failures, ligand, why);
    prep_journal_add(&run->journal, consumed, true, ligand, why->message);
}

/* Adds a ligand to the library; one that it refuses is a failure. */
static enum berth_status write_ligand(struct run *run, struct berth_library_ligand *ligand,
                                      uint64_t consumed, struct berth_error *error)
{
    bool met = false;
    struct berth_error why;
    enum berth_status status = BERTH_OK;
    prep_plan_meet(&run->plan, ligand);
    if (run->values->unique && ligand->smiles) {
        status = berth_text_set_add(&run->seen, ligand->smiles, &met, error);
    }
    if (!status && met) {
        berth_fail(&why, BERTH_E_FORMAT, "%s, record %llu: dropped: %s came before (--unique)",
                   ligand->source, (unsigned long long)ligand->record, ligand->smiles);
        note_dropped(run, consumed, ligand->ligand.name, &why);
    } else if (!status) {
        status = berth_library_add(run->writer, ligand, consumed, &why);
        if (status == BERTH_E_TYPE || status == BERTH_E_FORMAT) {
            char place[PATH_MAX + 32];
            snprintf(place, sizeof place, "%s, record %llu", ligand->source,
                     (unsigned long long)ligand->record);
            berth_fail_in(&why, place);
            note_failure(run, consumed, ligand->ligand.name, &why);
            status = BERTH_OK;
        } else if (status) {
            *error = why;
        }
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
static bool joins(const struct run *run, const struct prep_slot *slot)
{
    const struct berth_library_ligand *gathered = &run->gathered;
    return slot->prepared.taken && gathered->ligand.conformer_count &&
           gathered->ligand.conformer_count < BERTH_LIGAND_CONFORMERS_MAX &&
           strcmp(gathered->source, slot->path) == 0 &&
           berth_ligand_accepts(&gathered->ligand, &slot->prepared.ligand.ligand.conformers[0]);
}

static void fail_slot(struct run *run, struct prep_slot *slot)
{
    if (!slot->prepared.dropped) {
        note_failure(run, slot->consumed, slot->record.title, &slot->error);
    } else {
        note_dropped(run, slot->consumed, slot->record.title, &slot->error);
    }
}

static void place_error(struct prep_slot *slot)
{
    char place[PATH_MAX + 32];
    snprintf(place, sizeof place, "%s:%zu", slot->path, slot->record.line);
    berth_fail_in(&slot->error, place);
}

static enum berth_status take_slot(struct run *run, struct prep_slot *slot,
                                   struct berth_error *error)
{
    struct berth_library_ligand *ligand = &slot->prepared.ligand;
    if (slot->known) { /* what an earlier run had done; nothing to tell */
        bool met;
        return !slot->status && ligand->smiles
                   ? berth_text_set_add(&run->seen, ligand->smiles, &met, error)
                   : BERTH_OK;
    }
    if (slot->status == BERTH_E_MEMORY) {
        *error = slot->error;
        return slot->status;
    }
    if (slot->status) {
        fail_slot(run, slot);
        return BERTH_OK;
    }
    if (joins(run, slot)) {
        return berth_ligand_add(&run->gathered.ligand, &ligand->ligand.conformers[0], false, error);
    }
    enum berth_status status = write_gathered(run, slot->consumed - 1, error);
    if (status) {
        return status;
    }
    ligand->source = strdup(slot->path);
    ligand->record = slot->record.number;
    if (!ligand->source) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (slot->prepared.taken) {
        run->gathered = *ligand;
        memset(ligand, 0, sizeof *ligand);
        return BERTH_OK;
    }
    return write_ligand(run, ligand, slot->consumed, error);
}

/* --- Feeding the workers --- */

/* Fills free slots; *end is set behind the last record. */
static enum berth_status feed(struct run *run, bool *end, struct berth_error *error)
{
    struct prep_slot *slot;
    while (!*end && !cli_interrupted() && (slot = prep_queue_free(run->queue))) {
        slot->status =
            prep_inputs_next(&run->inputs, &slot->record, &slot->path, end, &slot->error);
        if (slot->status == BERTH_E_MEMORY) {
            *error = slot->error;
            return slot->status;
        }
        if (*end) {
            break;
        }
        slot->consumed = ++run->records;
        slot->known = slot->consumed <= run->resumed;
        if (!slot->known || (run->values->unique && !slot->status)) {
            prep_queue_push(run->queue);
        } else {
            berth_record_clear(&slot->record);
            memset(slot, 0, sizeof *slot);
        }
    }
    return BERTH_OK;
}

static void show_progress(struct run *run, bool last)
{
    const double time = berth_now();
    if (!run->terminal || (!last && time - run->shown < 0.5)) {
        return;
    }
    const struct berth_library_progress progress = berth_library_writer_progress(run->writer);
    const uint64_t done = progress.ligands + run->failures.count + run->failures.dropped;
    run->shown = time;
    fprintf(stderr, "\r%llu ligands, %zu failed, %zu dropped, %.1f molecules/s%s",
            (unsigned long long)progress.ligands, run->failures.count, run->failures.dropped,
            (double)(done > run->resumed ? done - run->resumed : 0) / (time - run->start + 1e-9),
            last ? "\n" : "   ");
}

static enum berth_status prepare_all(struct run *run, struct berth_error *error)
{
    bool end = false;
    enum berth_status status = BERTH_OK;
    while (!status && !(end && prep_queue_is_empty(run->queue))) {
        status = feed(run, &end, error);
        struct prep_slot *slot = status ? NULL : prep_queue_oldest(run->queue);
        if (!status) {
            status = cli_check_signals(error);
        }
        if (!status && slot) {
            if (slot->status && slot->record.line && slot->record.text.count) {
                place_error(slot);
            }
            status = take_slot(run, slot, error);
            prep_queue_pop(run->queue);
        }
        if (!status) {
            show_progress(run, false);
        }
    }
    return status ? status : write_gathered(run, run->records, error);
}

/* --- Beginning and end --- */

/* What was done, and the list of what failed, stay for --resume where the run was stopped. */
static void keep_part(struct run *run, struct berth_error *error)
{
    struct berth_error other;
    const struct berth_library_progress progress = berth_library_writer_progress(run->writer);
    prep_journal_close(&run->journal, progress.ligands > 0);
    if (progress.ligands && !berth_library_keep(run->writer, &other)) {
        char reason[1024];
        snprintf(reason, sizeof reason, "%.1023s",
                 cli_check_signals(&other) ? "interrupted" : error->message);
        berth_fail(error, error->status, "%s (%llu ligands are kept; go on with --resume)", reason,
                   (unsigned long long)progress.ligands);
    } else if (!progress.ligands) {
        berth_library_discard(run->writer);
    }
    run->writer = NULL;
}

static enum berth_status commit(struct run *run, struct berth_error *error)
{
    const struct berth_library_progress progress = berth_library_writer_progress(run->writer);
    show_progress(run, true);
    enum berth_status status = berth_output_commit(run->failures.output, error);
    run->failures.output = NULL;
    if (!status && !progress.ligands) {
        return berth_fail(error, BERTH_E_FORMAT, "%s; %s was not written",
                          run->records ? "no ligand came out" : "the input holds no molecule",
                          run->values->out);
    }
    if (!status) {
        status = berth_library_commit(run->writer, error);
        run->writer = NULL;
        prep_journal_close(&run->journal, status != BERTH_OK);
    }
    if (!status) {
        const double seconds = berth_now() - run->start;
        if (!run->resumed) { /* the ligands of an earlier run were not looked at */
            prep_plan_warn(&run->plan);
        }
        printf("%llu ligands, %llu conformers, %zu failed, %zu dropped; %.2f s, %.3g molecules/s\n",
               (unsigned long long)progress.ligands, (unsigned long long)progress.conformers,
               run->failures.count, run->failures.dropped, seconds,
               (double)(run->records - run->resumed) / (seconds + 1e-9));
    }
    return status;
}

static enum berth_status execute(struct run *run, struct berth_error *error)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t jobs = run->values->jobs ? (size_t)run->values->jobs
                        : cores > 0       ? (size_t)cores
                                          : 1;
    enum berth_status status = prep_plan_create(run->values, &run->plan, error);
    run->plan.preparation.cancel = &run->cancel;
    if (!status) {
        status = open_files(run, error);
    }
    if (!status) {
        /* one thread a process: the processes share the cores among themselves */
        setenv("OMP_NUM_THREADS", "1", 0);
        /* what Open Babel 3.2 takes its seed from, where it was built so; before, it is the time */
        setenv("OB_RANDOM_SEED", "1", 0);
        status = prep_queue_create(&run->plan.preparation, jobs, &run->queue, error);
    }
    if (status && run->writer) {
        keep_part(run, error);
    }
    if (status) {
        return status;
    }
    run->start = run->shown = berth_now();
    run->terminal = isatty(STDERR_FILENO);
    status = prepare_all(run, error);
    if (status) {
        keep_part(run, error);
        return status;
    }
    return commit(run, error);
}

static void close_run(struct run *run)
{
    atomic_store(&run->cancel, true);
    prep_queue_destroy(run->queue);
    berth_library_discard(run->writer);
    prep_journal_close(&run->journal, false);
    berth_output_discard(run->failures.output);
    berth_library_ligand_clear(&run->gathered);
    berth_text_set_clear(&run->seen);
    prep_inputs_clear(&run->inputs);
    berth_forcefield_clear(&run->forcefield);
    prep_plan_clear(&run->plan);
}

int cmd_prep_ligands(int argc, char **argv)
{
    struct prep_values values = prep_defaults();
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, PREP_OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct run run = {.values = &values};
        run.warnings.next = cli_log();
        run.log = berth_gather(&run.warnings);
        const enum berth_status status = execute(&run, &error);
        berth_gatherer_flush(&run.warnings);
        code = status ? cli_fatal(&error) : run.failures.count ? CLI_SOME_FAILED : CLI_DONE;
        close_run(&run);
    }
    berth_parsed_clear(&parsed);
    return code;
}
