#include "prep/prepare_build.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "prep/openbabel.h"
#include "prep/worker_molecule.h"

enum berth_status berth_prepared_reserve(struct berth_prepared *prepared, size_t count,
                                         struct berth_error *error)
{
    return berth_make(&prepared->forms, count, sizeof *prepared->forms, NULL, error);
}

void berth_prepared_clear(struct berth_prepared *prepared)
{
    for (size_t i = 0; i < prepared->count; i++) {
        berth_library_ligand_clear(&prepared->forms[i].ligand);
        berth_bytes_clear(&prepared->forms[i].cutting);
    }
    free(prepared->forms);
    memset(prepared, 0, sizeof *prepared);
}

enum berth_status berth_preparer_create(const struct berth_preparation *preparation,
                                        struct berth_preparer **preparer, struct berth_error *error)
{
    BERTH_TRY(berth_make(preparer, 1, sizeof **preparer, NULL, error));
    (*preparer)->preparation = preparation;
    const struct berth_worker_setup setup = {preparation->rdkit, preparation->memory,
                                             preparation->cancel};
    return preparation->rdkit ? berth_worker_create(&setup, &(*preparer)->worker, error) : BERTH_OK;
}

void berth_preparer_destroy(struct berth_preparer *preparer)
{
    if (preparer) {
        berth_worker_destroy(preparer->worker);
        berth_preparer_destroy(preparer->typer.preparer);
        berth_answer_clear(&preparer->ahead.answer);
        free(preparer);
    }
}

/* --- RDKit --- */

enum { OPTIONS_SIZE = 512 };

/* What every request has as its options. */
static void put_rdkit_options(const struct berth_preparation *preparation, char text[OPTIONS_SIZE])
{
    snprintf(text, OPTIONS_SIZE, "conformers=%zu\nstructures=%zu\nprotomers=%zu\nstereo=%zu\n%s",
             preparation->conformers, preparation->structures,
             preparation->protomers ? preparation->protomers : 1,
             preparation->stereoisomers ? preparation->stereoisomers : 1,
             preparation->builders ? "fragments=\n" : "");
    if (!isnan(preparation->ph)) {
        berth_text_append(text, OPTIONS_SIZE, "ph=%.17g\nmin_population=%.17g\n", preparation->ph,
                          preparation->min_population);
    }
    if (preparation->residue) {
        berth_text_append(text, OPTIONS_SIZE, "residue=%s\n%s", preparation->residue,
                          preparation->all_warheads ? "all_warheads=\n" : "");
    }
}

enum berth_status berth_rdkit_ask(struct berth_preparer *preparer, const char *what,
                                  const struct berth_field *fields, size_t count,
                                  struct berth_answer *answer, struct berth_error *error)
{
    char options[OPTIONS_SIZE];
    put_rdkit_options(preparer->preparation, options);
    struct berth_request request = {.fields = {berth_text_field(what), berth_text_field(options)},
                                    .count = 2 + count,
                                    .limit = preparer->preparation->limit,
                                    .used = &preparer->used};
    memcpy(request.fields + 2, fields, count * sizeof *fields);
    return berth_worker_ask(preparer->worker, &request, answer, error);
}

/* The same where the answer is one field, the second. */
static enum berth_status ask_one(struct berth_preparer *preparer, const char *what,
                                 const struct berth_field *fields, size_t count,
                                 struct berth_answer *answer, struct berth_error *error)
{
    BERTH_TRY(berth_rdkit_ask(preparer, what, fields, count, answer, error));
    return answer->count == 2 ? BERTH_OK : berth_worker_bad_answer(error);
}

enum berth_status berth_rdkit_build(struct berth_preparer *preparer, const char *smiles,
                                    struct berth_draft *draft, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_field field = berth_text_field(smiles);
    enum berth_status status = ask_one(preparer, "build", &field, 1, &answer, error);
    BERTH_THEN(berth_worker_molecule_read(answer.fields[1].data, answer.fields[1].size, &draft->raw,
                                          &draft->structures, error));
    berth_answer_clear(&answer);
    return status;
}

enum berth_status berth_prepare_stand(struct berth_preparer *preparer,
                                      const struct berth_record *record,
                                      struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_field field = {record->text.data, record->text.count};
    preparer->used = 0;
    memset(molecule, 0, sizeof *molecule);
    enum berth_status status = ask_one(preparer, "stand", &field, 1, &answer, error);
    BERTH_THEN(berth_worker_molecule_read(answer.fields[1].data, answer.fields[1].size, molecule,
                                          NULL, error));
    berth_answer_clear(&answer);
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}

enum berth_status berth_rdkit_energies(struct berth_preparer *preparer, const char *smiles,
                                       struct berth_draft *draft, struct berth_error *error)
{
    const struct berth_conformers *conformers = &draft->conformers;
    const size_t size = conformers->count * sizeof(double);
    struct berth_answer answer = {0};
    struct berth_bytes text = {0};
    const double *positions = conformers->positions[0];
    for (size_t i = 0; i < 3 * conformers->count * conformers->atom_count; i++) {
        berth_bytes_put_double(&text, positions[i]);
    }
    const struct berth_field fields[] = {berth_text_field(smiles), {text.data, text.count}};
    enum berth_status status = text.failed
                                   ? berth_out_of_memory(error, NULL)
                                   : ask_one(preparer, "energies", fields, 2, &answer, error);
    if (!status && answer.fields[1].size != size) {
        status = berth_worker_bad_answer(error);
    }
    if (!status) {
        struct berth_cursor cursor = berth_cursor_over(answer.fields[1].data, size);
        for (size_t i = 0; i < conformers->count; i++) {
            draft->energies[i] = berth_cursor_get_double(&cursor);
        }
    }
    berth_answer_clear(&answer);
    berth_bytes_clear(&text);
    return status;
}

/* Finds out at once where a line of a text is none. */
static enum berth_status check_text(const struct berth_preparation *preparation, const char *what,
                                    const char *text, const char *name, struct berth_error *error)
{
    struct berth_preparer *preparer;
    struct berth_answer answer = {0};
    const struct berth_field field = berth_text_field(text);
    enum berth_status status = berth_preparer_create(preparation, &preparer, error);
    BERTH_THEN(berth_rdkit_ask(preparer, what, &field, 1, &answer, error));
    berth_answer_clear(&answer);
    berth_preparer_destroy(preparer);
    return status ? berth_fail_in(error, name) : BERTH_OK;
}

enum berth_status berth_rdkit_check(const struct berth_preparation *preparation,
                                    struct berth_error *error)
{
    if (preparation->exclude) {
        BERTH_TRY(check_text(preparation, "check_patterns", preparation->exclude,
                             preparation->exclude_name, error));
    }
    return preparation->residue ? check_text(preparation, "check_reactions", preparation->reactions,
                                             preparation->reactions_name, error)
                                : BERTH_OK;
}

/* --- Open Babel --- */

static const double KJ_PER_KCAL = 4.184;

/* Molecules go to Open Babel under this title, so that no title of a user's can disturb it. */
static const char TITLE[] = "x";

static const char DISTANCE_GEOMETRY[] = "dg", SPEED[] = "slow";

/* What the first builder may use of the time: it takes seconds at most, or finds nothing. */
static const double FIRST_SHARE = 0.25;

/* What Open Babel is asked. */
struct question {
    const char *format;
    const char *const *options;
    const struct berth_bytes *input;
    double share; /* of the time that is left: what it may take */
};

static enum berth_status say_late(const struct berth_preparer *preparer, struct berth_error *error)
{
    return berth_exchange_judge(BERTH_EXCHANGE_LATE, "Open Babel", preparer->preparation->limit,
                                error);
}

/* Runs Open Babel within what is left of the time; its output gets a 0 at its end. */
static enum berth_status ask_openbabel(struct berth_preparer *preparer,
                                       const struct question *question, struct berth_bytes *output,
                                       struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    const double left = preparation->limit - preparer->used;
    if (left <= 0) {
        return say_late(preparer, error);
    }
    const struct berth_openbabel_job job = {.format = question->format,
                                            .options = question->options,
                                            .input = question->input,
                                            .kekulise = true,
                                            .limit = question->share * left,
                                            .cancel = preparation->cancel,
                                            .used = &preparer->used};
    enum berth_status status = berth_openbabel_run(&job, output, error);
    if (status && preparer->used >= preparation->limit) {
        status = say_late(preparer, error);
    }
    if (!status) {
        berth_bytes_put8(output, 0);
        if (output->failed) {
            status = berth_out_of_memory(error, NULL);
        }
    }
    return status;
}

static void put_text(struct berth_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put_text(struct berth_bytes *bytes, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) {
        const size_t size = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
        berth_bytes_put(bytes, text, size);
    }
}

/* Takes "SMILES<tab>x FORMULA" apart. */
static enum berth_status read_normalised(char *line, struct berth_form *form,
                                         struct berth_error *error)
{
    line[strcspn(line, "\r\n")] = '\0';
    char *title = strchr(line, '\t');
    char *formula = title ? strchr(title, ' ') : NULL;
    if (!title || title == line || !formula ||
        !berth_composition_parse(formula + 1, &form->composition)) {
        return berth_fail(error, BERTH_E_FORMAT, "an empty molecule");
    }
    *title = '\0';
    form->ligand.smiles = berth_copy_text(line);
    return form->ligand.smiles ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static bool has_text(const struct berth_bytes *bytes, const char *text)
{
    const size_t size = strlen(text);
    for (size_t i = 0; i + size <= bytes->count; i++) {
        if (memcmp(bytes->data + i, text, size) == 0) {
            return true;
        }
    }
    return false;
}

enum berth_status berth_openbabel_normalise(struct berth_preparer *preparer,
                                            const struct berth_record *record,
                                            struct berth_prepared *prepared,
                                            struct berth_error *error)
{
    static const char *const FORMATS[] = {"smi", "sdf"};
    static const char COLLECTIONS[] = "MDLV30/STE"; /* MDLV30/STERAC1: stereo groups of V3000 */
    const double ph = preparer->preparation->ph;
    char acidity[32];
    snprintf(acidity, sizeof acidity, "%g", ph);
    const char *const options[] = {
        "-ocan", "-r", "--title", TITLE, "--append", "formula", isnan(ph) ? NULL : "-p",
        acidity, NULL};
    const struct question question = {FORMATS[record->kind], options, &record->text, 1};
    struct berth_bytes output = {0};
    enum berth_status status = berth_prepared_reserve(prepared, 1, error);
    if (!status && (has_text(&record->text, " |") || has_text(&record->text, COLLECTIONS))) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "it has stereo groups or another extension (CXSMILES, V3000), which "
                            "RDKit alone reads: install it, or leave the extension out");
    }
    BERTH_THEN(ask_openbabel(preparer, &question, &output, error));
    if (!status) {
        status = read_normalised((char *)output.data, &prepared->forms[0], error);
        prepared->count = 1;
    }
    berth_bytes_clear(&output);
    return status;
}

/* One try at 3D coordinates. */
static enum berth_status build_by(struct berth_preparer *preparer, const char *smiles,
                                  const char *builder, struct berth_molecule *molecule,
                                  struct berth_error *error)
{
    const char *const options[] = {"-omol2", "--gen3d", builder, NULL};
    struct berth_bytes input = {0}, output = {0};
    const bool last = strcmp(builder, DISTANCE_GEOMETRY) == 0;
    const struct question question = {"smi", options, &input, last ? 1 : FIRST_SHARE};
    berth_bytes_put(&input, smiles, strlen(smiles));
    put_text(&input, "\t%s\n", TITLE);
    enum berth_status status = ask_openbabel(preparer, &question, &output, error);
    BERTH_THEN(berth_openbabel_read("Open Babel's output", output.data, output.count - 1, molecule,
                                    error));
    const char *flaw = status ? NULL : berth_coordinates_flaw(molecule);
    if (flaw) {
        status = berth_fail(error, BERTH_E_FORMAT, "Open Babel found no 3D coordinates (%s)", flaw);
    }
    berth_bytes_clear(&input);
    berth_bytes_clear(&output);
    return status;
}

enum berth_status berth_openbabel_build(struct berth_preparer *preparer, const char *smiles,
                                        struct berth_draft *draft, struct berth_error *error)
{
    const char *builder = preparer->preparation->builder;
    builder = builder && strcmp(builder, "openbabel") != 0 ? builder : SPEED;
    const enum berth_status status = build_by(preparer, smiles, builder, &draft->raw, error);
    if (status != BERTH_E_FORMAT || strcmp(builder, DISTANCE_GEOMETRY) == 0) {
        return status;
    }
    berth_molecule_clear(&draft->raw);
    return build_by(preparer, smiles, DISTANCE_GEOMETRY, &draft->raw, error);
}

static void write_conformer(struct berth_bytes *text, const struct berth_molecule *molecule,
                            const double (*positions)[3])
{
    put_text(text, "@<TRIPOS>MOLECULE\n%s\n%zu %zu 1 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n",
             TITLE, molecule->atom_count, molecule->bond_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        put_text(text, "%zu %s %.4f %.4f %.4f %s 1 LIG 0\n", i + 1, molecule->atoms[i].name,
                 positions[i][0], positions[i][1], positions[i][2], molecule->atoms[i].type);
    }
    put_text(text, "@<TRIPOS>BOND\n");
    for (size_t i = 0; i < molecule->bond_count; i++) {
        put_text(text, "%zu %zu %zu %s\n", i + 1, molecule->bonds[i].first + 1,
                 molecule->bonds[i].second + 1, molecule->bonds[i].type);
    }
}

/* Takes a line "x ENERGY" for each conformer. */
static void read_energies(const char *text, double *energies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        energies[i] = NAN;
        const char *end = strchr(text, '\n');
        if (strncmp(text, "x ", 2) == 0) {
            char *stop;
            const double energy = strtod(text + 2, &stop);
            energies[i] = stop > text + 2 && isfinite(energy) ? energy * KJ_PER_KCAL : NAN;
        }
        text = end ? end + 1 : text + strlen(text);
    }
}

enum berth_status berth_openbabel_energies(struct berth_preparer *preparer,
                                           struct berth_draft *draft, struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-otxt",    "--energy", "--ff", "MMFF94",
                                          "--append", "Energy",   NULL};
    const struct berth_conformers *conformers = &draft->conformers;
    struct berth_bytes input = {0}, output = {0};
    for (size_t i = 0; i < conformers->count; i++) {
        write_conformer(&input, &draft->raw,
                        (const double(*)[3])conformers->positions + i * conformers->atom_count);
    }
    const struct question question = {"mol2", OPTIONS, &input, 1};
    enum berth_status status = ask_openbabel(preparer, &question, &output, error);
    if (status == BERTH_E_FORMAT && strstr(error->message, "force field")) {
        for (size_t i = 0; i < conformers->count; i++) {
            draft->energies[i] = NAN;
        }
        status = BERTH_OK;
    } else if (!status) {
        read_energies((const char *)output.data, draft->energies, conformers->count);
    }
    berth_bytes_clear(&input);
    berth_bytes_clear(&output);
    return status;
}

/* --- Step 1 by RDKit --- */

/* Step 1 by RDKit: of one record, or of many in one request, so that they share what each exchange
 * with its process costs. */

/* Of the answer to "normalise", for each form: SMILES, formula, label, remark, fragments,
 * population, open stereo, recharged. */
enum { FORM_FIELDS = 8 };

static struct berth_field exclude_of(const struct berth_preparer *preparer)
{
    const char *exclude = preparer->preparation->exclude;
    return berth_text_field(exclude ? exclude : "");
}

static struct berth_field reactions_of(const struct berth_preparer *preparer)
{
    const char *reactions = preparer->preparation->reactions;
    return berth_text_field(reactions ? reactions : "");
}

static struct berth_field kind_of(const struct berth_record *record)
{
    return berth_text_field(record->kind == BERTH_RECORD_SMILES ? "smi" : "sdf");
}

static void put_field(struct berth_bytes *bytes, const struct berth_field *field)
{
    berth_bytes_put32(bytes, (uint32_t)field->size);
    berth_bytes_put(bytes, field->data, field->size);
}

static void put_record(const struct berth_record *record, struct berth_bytes *bytes)
{
    const struct berth_field kind = kind_of(record);
    const struct berth_field text = {record->text.data, record->text.count};
    berth_bytes_put32(bytes, (uint32_t)(8 + kind.size + text.size));
    put_field(bytes, &kind);
    put_field(bytes, &text);
}

void berth_prepare_ahead(struct berth_preparer *preparer, const struct berth_record *const *records,
                         size_t count)
{
    struct berth_ahead *ahead = &preparer->ahead;
    struct berth_bytes bytes = {0};
    ahead->count = 0;
    if (!preparer->preparation->builders || count < 2) {
        return; /* building takes so long that nothing else counts */
    }
    /* Puts the records that go to RDKit as they are. */
    for (size_t i = 0; i < count; i++) {
        const bool fits =
            records[i]->kind == BERTH_RECORD_SMILES || records[i]->kind == BERTH_RECORD_SDF;
        if (fits && !berth_prepare_check(records[i], NULL)) {
            ahead->texts[ahead->count++] = records[i]->text.data;
            put_record(records[i], &bytes);
        }
    }
    const struct berth_field fields[] = {berth_text_field("normalise"),
                                         exclude_of(preparer),
                                         reactions_of(preparer),
                                         {bytes.data, bytes.count}};
    preparer->used = 0;
    /* where a molecule crashes it, or takes all of the time, each is asked for by itself */
    if (bytes.failed || berth_rdkit_ask(preparer, "many", fields, 4, &ahead->answer, NULL) ||
        ahead->answer.count != 1 + ahead->count) {
        ahead->count = 0;
    }
    ahead->used = preparer->used / (double)(ahead->count + !ahead->count);
    berth_bytes_clear(&bytes);
}

/* What RDKit says of the record: from what was done ahead, or asked for now.  Errors: as
 * berth_worker_ask. */
static enum berth_status ask_of(struct berth_preparer *preparer, const struct berth_record *record,
                                struct berth_answer *answer, struct berth_error *error)
{
    struct berth_ahead *ahead = &preparer->ahead;
    for (size_t i = 0; i < ahead->count; i++) {
        if (ahead->texts[i] == record->text.data) {
            ahead->texts[i] = NULL;
            preparer->used = ahead->used;
            return berth_answer_open(&ahead->answer.fields[1 + i], answer, error);
        }
    }
    const struct berth_field fields[] = {kind_of(record),
                                         {record->text.data, record->text.count},
                                         exclude_of(preparer),
                                         reactions_of(preparer)};
    return berth_rdkit_ask(preparer, "normalise", fields, 4, answer, error);
}

static enum berth_status read_form(const struct berth_field *fields, struct berth_form *form,
                                   struct berth_error *error)
{
    form->ligand.smiles = berth_copy_text(fields[0].data);
    snprintf(form->label, sizeof form->label, "%s", (const char *)fields[2].data);
    snprintf(form->remark, sizeof form->remark, "%s", (const char *)fields[3].data);
    snprintf(form->population, sizeof form->population, "%s", (const char *)fields[5].data);
    snprintf(form->open_stereo, sizeof form->open_stereo, "%s", (const char *)fields[6].data);
    form->recharged = fields[7].size > 0;
    berth_bytes_put(&form->cutting, fields[4].data, fields[4].size);
    if (!form->ligand.smiles || form->cutting.failed) {
        return berth_out_of_memory(error, NULL);
    }
    return berth_composition_parse(fields[1].data, &form->composition)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "its formula, %s, has an element that berth does not know",
                            (const char *)fields[1].data);
}

enum berth_status berth_rdkit_normalise(struct berth_preparer *preparer,
                                        const struct berth_record *record,
                                        struct berth_prepared *prepared, struct berth_error *error)
{
    struct berth_answer answer = {0};
    enum berth_status status = ask_of(preparer, record, &answer, error);
    prepared->dropped = answer.dropped;
    const size_t count = (answer.count - 1) / FORM_FIELDS;
    if (!status && (!count || answer.count != 1 + count * FORM_FIELDS)) {
        status = berth_worker_bad_answer(error);
    }
    BERTH_THEN(berth_prepared_reserve(prepared, count, error));
    for (size_t i = 0; !status && i < count; i++) {
        prepared->count = i + 1;
        status = read_form(answer.fields + 1 + i * FORM_FIELDS, &prepared->forms[i], error);
    }
    berth_answer_clear(&answer);
    return status;
}
