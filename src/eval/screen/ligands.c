#include "eval/screen/ligands.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/output.h"
#include "format/poses.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "chem/molecule.h"
#include "dock/screen/preparation.h"
#include "format/csv.h"
#include "format/library/library.h"
#include "format/mol2/mol2.h"
#include "format/records.h"
#include "format/run_json.h"
#include "format/sdf/sdf.h"
#include "prep/prepare.h"
#include "score/ranking.h"
#include "score/fields.h"

/* --- Ligands by name --- */

static int compare_score(const struct berth_named_ligand *one,
                         const struct berth_named_ligand *other)
{
    return (one->score > other->score) - (one->score < other->score);
}

/* By name, and the best one first. */
static int compare_ligands(const void *a, const void *b)
{
    const struct berth_named_ligand *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order ? order : compare_score(one, other);
}

static void clear_ligand(struct berth_named_ligand *ligand)
{
    free(ligand->name);
    free(ligand->scaffold);
}

void berth_named_ligands_sort(struct berth_named_ligands *ligands)
{
    size_t kept = 0;
    if (ligands->count) { /* items may be NULL */
        qsort(ligands->items, ligands->count, sizeof *ligands->items, compare_ligands);
    }
    for (size_t i = 0; i < ligands->count; i++) {
        if (kept && strcmp(ligands->items[kept - 1].name, ligands->items[i].name) == 0) {
            clear_ligand(&ligands->items[i]);
        } else {
            ligands->items[kept++] = ligands->items[i];
        }
    }
    ligands->count = kept;
}

static int compare_name(const void *key, const void *item)
{
    return strcmp(key, ((const struct berth_named_ligand *)item)->name);
}

const struct berth_named_ligand *berth_ligand_find(const struct berth_named_ligands *ligands,
                                                   const char *name)
{
    return ligands->count
               ? bsearch(name, ligands->items, ligands->count, sizeof *ligands->items, compare_name)
               : NULL;
}

static void clear_states(struct berth_ligand_state *states, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(states[i].name);
        free(states[i].molecule);
    }
    free(states);
}

void berth_named_ligands_clear(struct berth_named_ligands *ligands)
{
    for (size_t i = 0; i < ligands->count; i++) {
        clear_ligand(&ligands->items[i]);
    }
    for (size_t i = 0; i < ligands->form_count; i++) {
        free(ligands->forms[i].name);
        free(ligands->forms[i].smiles);
    }
    clear_states(ligands->states, ligands->state_count);
    clear_states(ligands->twins, ligands->twin_count);
    free(ligands->items);
    free(ligands->forms);
    memset(ligands, 0, sizeof *ligands);
}

static int compare_states(const void *a, const void *b)
{
    const struct berth_ligand_state *one = a, *other = b;
    return strcmp(one->name, other->name);
}

void berth_ligand_states_sort(struct berth_ligand_state *states, size_t count)
{
    if (count) { /* states may be NULL */
        qsort(states, count, sizeof *states, compare_states);
    }
}

/* --- Scores of a run --- */

char *berth_ligand_molecule(const struct berth_csv *csv, size_t name, size_t state_of)
{
    const bool said = state_of != SIZE_MAX && *berth_csv_field(csv, state_of);
    return berth_csv_text(csv, said ? state_of : name);
}

enum berth_status berth_scores_await(const char *folder, struct berth_error *error)
{
    char journal[PATH_MAX];
    snprintf(journal, sizeof journal, "%s/journal", folder);
    return access(journal, F_OK) == 0
               ? berth_fail_option(error, BERTH_E_IO, "resume",
                                   "%s: its screen is not finished, and writes scores.csv in the "
                                   "end; unless it is running, repeat its command to go on",
                                   folder)
               : BERTH_OK;
}

enum berth_status berth_scores_find(const char *results, char path[PATH_MAX],
                                    struct berth_error *error)
{
    struct stat facts;
    const struct berth_pose_format *format;
    struct berth_error ignored;
    if (!berth_pose_format_of(results, &format, &ignored)) {
        const char *slash = strrchr(results, '/');
        berth_output_beside(results, "csv", path, PATH_MAX);
        if (access(path, R_OK) == 0) {
            return BERTH_OK;
        }
        char table[PATH_MAX]; /* of a screen's hits.sdf */
        snprintf(table, sizeof table, "%.*sscores.csv", slash ? (int)(slash + 1 - results) : 0,
                 results);
        const bool hits = strcmp(slash ? slash + 1 : results, "hits.sdf") == 0;
        if (hits && access(table, R_OK) == 0) {
            snprintf(path, PATH_MAX, "%s", table);
            return BERTH_OK;
        }
        return berth_fail(
            error, BERTH_E_USAGE,
            "%s holds poses, and their scores would be in %s, which is not there; name "
            "the table that was written beside them (scores)",
            results, path);
    }
    snprintf(path, PATH_MAX, "%s", results);
    if (strcmp(results, "-") == 0 || stat(results, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return BERTH_OK; /* who opens it says what is wrong with it */
    }
    for (int packed = 0; packed < 2; packed++) {
        snprintf(path, PATH_MAX, "%s/scores.csv%s", results, packed ? ".gz" : "");
        if (stat(path, &facts) == 0) {
            return BERTH_OK;
        }
    }
    BERTH_TRY(berth_scores_await(results, error));
    return berth_fail(error, BERTH_E_IO,
                      "%s: holds no scores.csv; name the table itself, or the folder of a screen",
                      results);
}

enum berth_status berth_screen_library_find(const char *results, char library[PATH_MAX],
                                            bool *found, struct berth_error *error)
{
    struct berth_run_card run;
    char path[PATH_MAX];
    struct berth_error why; /* why results are no screen's folder */
    *found = !berth_path_in(results, BERTH_SCREEN_LIBRARY, library, PATH_MAX, &why) &&
             access(library, R_OK) == 0;
    if (*found || berth_path_in(results, "run.json", path, sizeof path, &why) ||
        access(path, R_OK)) {
        return BERTH_OK;
    }
    const enum berth_status status = berth_run_json_read(path, NULL, &run, error);
    snprintf(library, PATH_MAX, "%s", run.files.library);
    berth_run_card_clear(&run);
    *found = !status && access(library, R_OK) == 0;
    return status;
}

size_t berth_scores_ranking_column(const struct berth_csv *csv)
{
    static const char *const NAMES[] = {"ranking", "score", "total", "energy"};
    size_t column = SIZE_MAX;
    for (size_t i = 0; column == SIZE_MAX && i < sizeof NAMES / sizeof *NAMES; i++) {
        column = berth_csv_find(csv, NAMES[i]);
    }
    return column;
}

size_t berth_scores_name_column(const struct berth_csv *csv)
{
    const size_t column = berth_csv_find(csv, "ligand");
    return column != SIZE_MAX ? column : berth_csv_find(csv, "name");
}

/* The columns that are read. */
struct columns {
    size_t name, heavy_atoms, state_of, smiles, open_stereo;
    size_t score;                  /* SIZE_MAX: an expression is the score */
    struct berth_ranking *ranking; /* owned */
    const size_t *looked;          /* [looked_count]: what the expression looks at */
    size_t looked_count;
    double *cells; /* owned; [looked_count]: those of a row */
};

static enum berth_status read_expression(const struct berth_csv *csv, const char *by,
                                         struct columns *columns, struct berth_error *error)
{
    const char **names = NULL;
    const size_t count = berth_csv_columns(csv);
    enum berth_status status = berth_make(&names, count, sizeof *names, NULL, error);
    for (size_t i = 0; !status && i < count; i++) {
        names[i] = berth_csv_column(csv, i);
    }
    BERTH_THEN(berth_ranking_create("column", by, names, count, &columns->ranking, error));
    free(names);
    if (!status && !berth_ranking_is_plain(columns->ranking)) {
        status =
            berth_fail(error, BERTH_E_USAGE,
                       "column: '%s' looks at all rows (z, rank): rank by it first, with `berth "
                       "merge --rank`",
                       by);
    }
    if (!status) {
        columns->looked_count = berth_ranking_columns(columns->ranking, &columns->looked);
        status =
            berth_make(&columns->cells, columns->looked_count, sizeof *columns->cells, NULL, error);
    }
    if (status) {
        error->option = "column";
    }
    return status;
}

/* The caller frees what columns has, also after an error. */
static enum berth_status find_columns(const struct berth_csv *csv, const char *path, const char *by,
                                      struct columns *columns, struct berth_error *error)
{
    *columns =
        (struct columns){.name = berth_scores_name_column(csv),
                         .score = by ? berth_csv_find(csv, by) : berth_scores_ranking_column(csv),
                         .heavy_atoms = berth_csv_find(csv, "heavy_atoms"),
                         .state_of = berth_csv_find(csv, BERTH_COLUMN_STATE_OF),
                         .smiles = berth_csv_find(csv, BERTH_COLUMN_SMILES),
                         .open_stereo = berth_csv_find(csv, BERTH_COLUMN_OPEN_STEREO)};
    if (columns->name == SIZE_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no column ligand or name", path);
    }
    if (columns->score == SIZE_MAX && by) {
        return strpbrk(by, " ()+-*/^") == NULL
                   ? berth_fail(error, BERTH_E_USAGE, "%s: no column %s", path, by)
                   : read_expression(csv, by, columns, error);
    }
    return columns->score != SIZE_MAX
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_FORMAT, "column",
                                   "%s: no column score, total or energy; name the one that ranks",
                                   path);
}

/* The row's score; *known is false where it has none. */
static enum berth_status read_score(const struct berth_csv *csv, const struct columns *columns,
                                    double *score, bool *known, struct berth_error *error)
{
    if (columns->score != SIZE_MAX) {
        *known = berth_csv_real(csv, columns->score, score);
        return BERTH_OK;
    }
    for (size_t k = 0; k < columns->looked_count; k++) {
        if (!berth_csv_real(csv, columns->looked[k], &columns->cells[k])) {
            columns->cells[k] = berth_column_blank(berth_csv_column(csv, columns->looked[k]));
        }
    }
    BERTH_TRY(berth_ranking_values(columns->ranking, columns->cells, 1, score, error));
    *known = isfinite(*score);
    return BERTH_OK;
}

/* Notes the row's ligand as a state, where it is one. */
static enum berth_status add_state(const struct berth_csv *csv, const struct columns *columns,
                                   struct berth_named_ligands *scores, struct berth_error *error)
{
    if (columns->state_of == SIZE_MAX || !*berth_csv_field(csv, columns->state_of)) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_reserve(&scores->states, &scores->state_capacity, scores->state_count + 1,
                            sizeof *scores->states, error));
    struct berth_ligand_state *state = &scores->states[scores->state_count++];
    state->name = berth_csv_text(csv, columns->name);
    state->molecule = berth_csv_text(csv, columns->state_of);
    return state->name && state->molecule ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* Notes the row's SMILES, where it has one. */
static enum berth_status add_form(const struct berth_csv *csv, const struct columns *columns,
                                  struct berth_named_ligands *scores, struct berth_error *error)
{
    if (columns->smiles == SIZE_MAX || !*berth_csv_field(csv, columns->smiles)) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_reserve(&scores->forms, &scores->form_capacity, scores->form_count + 1,
                            sizeof *scores->forms, error));
    struct berth_ligand_form *form = &scores->forms[scores->form_count++];
    form->name = berth_ligand_molecule(csv, columns->name, columns->state_of);
    /* SMILES that leave stereo open are told apart by how much. */
    const char *open =
        columns->open_stereo == SIZE_MAX ? "" : berth_csv_field(csv, columns->open_stereo);
    char *smiles = berth_csv_text(csv, columns->smiles);
    const size_t size = smiles ? strlen(smiles) + strlen(open) + 2 : 0;
    char *text = smiles ? berth_alloc(size, 1) : NULL;
    if (text) {
        snprintf(text, size, "%s %s", smiles, open);
    }
    free(smiles);
    form->smiles = text;
    return form->name && form->smiles ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static enum berth_status add_row(const struct berth_csv *csv, const struct columns *columns,
                                 struct berth_named_ligands *scores, struct berth_error *error)
{
    double score;
    bool known;
    BERTH_TRY(add_state(csv, columns, scores, error));
    BERTH_TRY(add_form(csv, columns, scores, error));
    BERTH_TRY(read_score(csv, columns, &score, &known, error));
    if (!known) {
        return BERTH_OK;
    }
    scores->rows++;
    BERTH_TRY(berth_reserve(&scores->items, &scores->capacity, scores->count + 1,
                            sizeof *scores->items, error));
    char *name = berth_ligand_molecule(csv, columns->name, columns->state_of);
    if (!name) {
        return berth_out_of_memory(error, NULL);
    }
    struct berth_named_ligand *last = scores->count ? &scores->items[scores->count - 1] : NULL;
    if (last && strcmp(last->name, name) == 0) { /* a further pose: tables may be of many */
        free(name);
    } else {
        last = &scores->items[scores->count++];
        *last = (struct berth_named_ligand){.name = name, .mass = NAN, .score = INFINITY};
    }
    last->open_stereo =
        columns->open_stereo != SIZE_MAX && *berth_csv_field(csv, columns->open_stereo);
    if (score < last->score) {
        last->score = score;
        last->heavy_atoms = NAN;
        if (columns->heavy_atoms != SIZE_MAX) {
            berth_csv_real(csv, columns->heavy_atoms, &last->heavy_atoms);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_ligand_scores_read(const char *results, const char *by,
                                           struct berth_named_ligands *scores,
                                           struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    struct columns columns = {0};
    bool end = false;
    memset(scores, 0, sizeof *scores);
    enum berth_status status = berth_scores_find(results, scores->path, error);
    BERTH_THEN(berth_csv_open(scores->path, ',', &csv, error));
    BERTH_THEN(find_columns(csv, scores->path, by, &columns, error));
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        status = add_row(csv, &columns, scores, error);
    }
    berth_csv_close(csv);
    berth_ranking_destroy(columns.ranking);
    free(columns.cells);
    if (!status) { /* else a state may lack its texts */
        berth_ligand_states_sort(scores->states, scores->state_count);
    }
    if (!status && !scores->count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no ligand with a score", scores->path);
    }
    if (!status) {
        berth_named_ligands_sort(scores);
    }
    return status;
}

/* --- Known molecules --- */

/* s: of processor time that RDKit may take for a molecule. */
static const double LIMIT = 60;

static bool is_library(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".blib") == 0;
}

static enum berth_record_kind kind_of(const char *path)
{
    char format[32];
    berth_format_of(path, format, sizeof format);
    return berth_record_kind_of(format);
}

bool berth_known_takes(const char *path)
{
    const enum berth_record_kind kind = kind_of(path); /* a table has names of known ligands */
    return is_library(path) || (kind != BERTH_RECORD_OTHER && kind != BERTH_RECORD_TABLE);
}

/* What is known of a molecule, as of struct berth_named_ligand; borrowed. */
struct facts {
    const char *name; /* "": it could not be read */
    double heavy_atoms, mass;
    const char *scaffold;
};

/* A reading on its way. */
struct reading {
    const struct berth_known_setup *setup;
    struct berth_named_ligands *ligands;
    struct berth_worker *worker; /* owned; NULL: there is no RDKit */
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
};

static enum berth_status add_known(const struct reading *reading, const struct facts *facts,
                                   struct berth_error *error)
{
    struct berth_named_ligands *ligands = reading->ligands;
    if (!*facts->name) {
        return BERTH_OK; /* nothing could be found by it */
    }
    BERTH_TRY(berth_reserve(&ligands->items, &ligands->capacity, ligands->count + 1,
                            sizeof *ligands->items, error));
    struct berth_named_ligand *item = &ligands->items[ligands->count];
    *item = (struct berth_named_ligand){
        .name = berth_copy_text(facts->name),
        .heavy_atoms = facts->heavy_atoms,
        .mass = facts->mass,
        .scaffold = facts->scaffold ? berth_copy_text(facts->scaffold) : NULL,
        .score = (double)ligands->count};
    ligands->count++;
    return item->name && (item->scaffold || !facts->scaffold) ? BERTH_OK
                                                              : berth_out_of_memory(error, NULL);
}

static void put_composition(const struct berth_composition *composition, struct facts *facts)
{
    facts->heavy_atoms = (double)berth_composition_heavy(composition);
    facts->mass = berth_composition_mass(composition);
}

/* Asks RDKit of a record and gives it to the caller. */
static enum berth_status ask_rdkit(struct reading *reading, const char *kind,
                                   const struct berth_field *text, struct facts *facts,
                                   struct berth_error *error)
{
    struct berth_answer answer = {0};
    struct berth_composition composition;
    const bool scaffold = reading->setup->scaffolds;
    double used = 0;
    const struct berth_request request = {
        .fields = {berth_text_field("facts"), berth_text_field(scaffold ? "scaffold=yes\n" : ""),
                   berth_text_field(kind), *text},
        .count = 4,
        .limit = LIMIT,
        .used = &used};
    if (!reading->worker) {
        return add_known(reading, facts, error);
    }
    enum berth_status status = berth_worker_ask(reading->worker, &request, &answer, error);
    if (!status && (answer.count != 2 + (size_t)scaffold ||
                    !berth_composition_parse(answer.fields[1].data, &composition))) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "the RDKit worker gave an answer that makes no sense");
    }
    if (status == BERTH_E_FORMAT) {
        berth_warn(&reading->log, "facts", "molecule %s: %s is not known: %s", facts->name,
                   isnan(facts->mass) ? "its size" : "its scaffold", error->message);
        status = BERTH_OK;
    } else if (!status) {
        put_composition(&composition, facts);
        facts->scaffold = scaffold ? answer.fields[2].data : NULL;
    }
    BERTH_THEN(add_known(reading, facts, error));
    berth_answer_clear(&answer);
    return status;
}

/* A molecule that cannot be read: its name may be known. */
static enum berth_status give_bad(struct reading *reading, const char *name,
                                  struct berth_error *error)
{
    const struct facts facts = {name ? name : "", NAN, NAN, NULL};
    berth_warn(&reading->log, "bad", "%s", error->message);
    return add_known(reading, &facts, error);
}

static enum berth_status read_records(struct reading *reading, struct berth_error *error)
{
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    bool end = false;
    enum berth_status status =
        berth_records_create(reading->setup->path, kind_of(reading->setup->path), &records, error);
    while (!status && !end) {
        status = berth_records_next(records, &record, &end, error);
        if (status == BERTH_E_FORMAT && !berth_records_is_broken(records)) {
            status = give_bad(reading, record.title, error);
        } else if (!status && !end) {
            const struct berth_field text = {record.text.data, record.text.count};
            struct facts facts = {record.title, NAN, NAN, NULL};
            status = ask_rdkit(reading, record.kind == BERTH_RECORD_SMILES ? "smi" : "sdf", &text,
                               &facts, error);
        }
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    return status;
}

/* RDKit reads one dialect of Mol2 alone: it gets SDF. */
static enum berth_status give_mol2(struct reading *reading, const struct berth_molecule *molecule,
                                   struct berth_error *error)
{
    struct facts facts = {.name = molecule->title};
    struct berth_composition composition;
    char *text = NULL;
    size_t size = 0;
    berth_composition_of(molecule, &composition);
    put_composition(&composition, &facts);
    if (!reading->setup->scaffolds || !reading->worker) {
        return add_known(reading, &facts, error);
    }
    enum berth_status status = berth_sdf_text(molecule, &text, &size, error);
    const struct berth_field field = {text, size};
    BERTH_THEN(ask_rdkit(reading, "sdf", &field, &facts, error));
    free(text);
    return status;
}

static enum berth_status read_mol2(struct reading *reading, struct berth_error *error)
{
    struct berth_mol2_reader *mol2 = NULL;
    struct berth_molecule molecule = {0};
    bool end = false;
    enum berth_status status = berth_mol2_reader_create(reading->setup->path, &mol2, error);
    while (!status && !end) {
        status = berth_mol2_next(mol2, &molecule, &end, error);
        if (status == BERTH_E_FORMAT && !berth_mol2_is_broken(mol2)) {
            status = give_bad(reading, molecule.title, error);
        } else if (!status && !end) {
            status = give_mol2(reading, &molecule, error);
        }
    }
    berth_molecule_clear(&molecule);
    berth_mol2_reader_destroy(mol2);
    return status;
}

static enum berth_status give_ligand(struct reading *reading,
                                     const struct berth_library_ligand *ligand,
                                     struct berth_error *error)
{
    struct facts facts = {.name = ligand->ligand.name};
    struct berth_composition composition;
    berth_composition_of(&ligand->ligand.conformers[0], &composition);
    put_composition(&composition, &facts);
    if (reading->setup->scaffolds && ligand->smiles && *ligand->smiles) {
        const struct berth_field text = berth_text_field(ligand->smiles);
        return ask_rdkit(reading, "smi", &text, &facts, error);
    }
    return add_known(reading, &facts, error);
}

static enum berth_status read_block(struct reading *reading,
                                    const struct berth_library_reader *library,
                                    const struct berth_docking_block *block,
                                    struct berth_error *error)
{
    struct berth_write_out_block rest = {0};
    enum berth_status status = berth_library_write_out(library, block, &rest, error);
    for (size_t i = 0; !status && i < block->count; i++) {
        struct berth_library_ligand ligand = {0};
        status = berth_write_out_ligand(&rest, i, false, &ligand, error);
        BERTH_THEN(give_ligand(reading, &ligand, error));
        berth_library_ligand_clear(&ligand);
    }
    berth_write_out_block_clear(&rest);
    return status;
}

static enum berth_status read_library(struct reading *reading, struct berth_error *error)
{
    struct berth_library_reader *library = NULL;
    struct berth_docking_block block = {0};
    struct berth_library_range range = {0};
    bool end = false;
    enum berth_status status = berth_library_open(reading->setup->path, NULL, &library, error);
    if (!status) {
        range = berth_library_shard(library, 0, 1);
    }
    while (!status && !(status = berth_library_next(library, &range, &block, &end, error)) &&
           !end) {
        status = read_block(reading, library, &block, error);
    }
    berth_docking_block_clear(&block);
    berth_library_close(library);
    return status;
}

static enum berth_status read_names(struct reading *reading, struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    enum berth_status status = berth_text_reader_create(reading->setup->path, &reader, error);
    char *line = NULL;
    while (!status && !(status = berth_text_reader_next(reader, &line, error)) && line) {
        const struct facts facts = {berth_text_trim(line), NAN, NAN, NULL};
        status = add_known(reading, &facts, error);
    }
    berth_text_reader_destroy(reader);
    return status;
}

enum berth_status berth_known_read(const struct berth_known_setup *setup,
                                   struct berth_named_ligands *ligands, struct berth_error *error)
{
    struct reading reading = {.setup = setup, .ligands = ligands, .warnings = {.next = setup->log}};
    enum berth_status status = BERTH_OK;
    memset(ligands, 0, sizeof *ligands);
    reading.log = berth_gather(&reading.warnings);
    if (setup->rdkit && berth_known_takes(setup->path)) {
        const struct berth_worker_setup worker = {setup->rdkit,
                                                  (size_t)BERTH_WORKER_MEMORY * 1000000, NULL};
        status = berth_worker_create(&worker, &reading.worker, error);
    }
    BERTH_THEN(is_library(setup->path)                      ? read_library(&reading, error)
               : kind_of(setup->path) == BERTH_RECORD_MOL2  ? read_mol2(&reading, error)
               : kind_of(setup->path) == BERTH_RECORD_OTHER ? read_names(&reading, error)
                                                            : read_records(&reading, error));
    berth_worker_destroy(reading.worker);
    berth_gatherer_flush(&reading.warnings);
    if (!status && !ligands->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: names no molecule", setup->path);
    }
    if (!status) {
        berth_named_ligands_sort(ligands);
    }
    return status;
}
