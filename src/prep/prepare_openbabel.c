#include "prep/prepare_steps.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/mol2/mol2.h"
#include "prep/openbabel.h"

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
    return berth_fail(error, BERTH_E_FORMAT,
                      "Open Babel took more than %g s of processor time and was stopped",
                      preparer->preparation->limit);
}

/* Runs Open Babel within what is left of the time; its output gets a 0 at its end. */
static enum berth_status run(struct berth_preparer *preparer, const struct question *question,
                             struct berth_bytes *output, struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    const double left = preparation->limit - preparer->used;
    if (left <= 0) {
        return say_late(preparer, error);
    }
    const struct berth_openbabel_job job = {.format = question->format,
                                            .options = question->options,
                                            .input = question->input->data,
                                            .input_size = question->input->count,
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

static void put_format(struct berth_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put_format(struct berth_bytes *bytes, const char *format, ...)
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
static enum berth_status take_normalised(char *line, struct berth_form *form,
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

enum berth_status berth_openbabel_normalise(struct berth_preparer *preparer,
                                            const struct berth_record *record,
                                            struct berth_prepared *prepared,
                                            struct berth_error *error)
{
    static const char *const FORMATS[] = {"smi", "sdf"};
    const double ph = preparer->preparation->ph;
    char acidity[32];
    snprintf(acidity, sizeof acidity, "%g", ph);
    const char *const options[] = {
        "-ocan", "-r", "--title", TITLE, "--append", "formula", isnan(ph) ? NULL : "-p",
        acidity, NULL};
    const struct question question = {FORMATS[record->kind], options, &record->text, 1};
    struct berth_bytes output = {0};
    enum berth_status status = berth_prepared_reserve(prepared, 1, error);
    BERTH_THEN(run(preparer, &question, &output, error));
    if (!status) {
        status = take_normalised((char *)output.data, &prepared->forms[0], error);
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
    struct berth_mol2_reader *reader = NULL;
    const bool last = strcmp(builder, DISTANCE_GEOMETRY) == 0;
    const struct question question = {"smi", options, &input, last ? 1 : FIRST_SHARE};
    berth_bytes_put(&input, smiles, strlen(smiles));
    put_format(&input, "\t%s\n", TITLE);
    enum berth_status status = run(preparer, &question, &output, error);
    BERTH_THEN(berth_mol2_reader_create_memory("Open Babel's output", output.data, output.count - 1,
                                               &reader, error));
    if (!status) {
        bool end;
        status = berth_mol2_next(reader, molecule, &end, error);
        const char *flaw = status ? NULL : berth_coordinates_flaw(molecule);
        if (flaw) {
            status =
                berth_fail(error, BERTH_E_FORMAT, "Open Babel found no 3D coordinates (%s)", flaw);
        }
    }
    berth_mol2_reader_destroy(reader);
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
    put_format(text, "@<TRIPOS>MOLECULE\n%s\n%zu %zu 1 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n",
               TITLE, molecule->atom_count, molecule->bond_count);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        put_format(text, "%zu %s %.4f %.4f %.4f %s 1 LIG 0\n", i + 1, molecule->atoms[i].name,
                   positions[i][0], positions[i][1], positions[i][2], molecule->atoms[i].type);
    }
    put_format(text, "@<TRIPOS>BOND\n");
    for (size_t i = 0; i < molecule->bond_count; i++) {
        put_format(text, "%zu %zu %zu %s\n", i + 1, molecule->bonds[i].first + 1,
                   molecule->bonds[i].second + 1, molecule->bonds[i].type);
    }
}

/* Takes a line "x ENERGY" for each conformer. */
static void take_energies(const char *text, double *energies, size_t count)
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
    enum berth_status status =
        input.failed ? berth_out_of_memory(error, NULL) : run(preparer, &question, &output, error);
    if (status == BERTH_E_FORMAT && strstr(error->message, "force field")) {
        for (size_t i = 0; i < conformers->count; i++) {
            draft->energies[i] = NAN;
        }
        status = BERTH_OK;
    } else if (!status) {
        take_energies((const char *)output.data, draft->energies, conformers->count);
    }
    berth_bytes_clear(&input);
    berth_bytes_clear(&output);
    return status;
}
