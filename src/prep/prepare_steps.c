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

static const char DISTANCE_GEOMETRY[] = "dg";

/* What the first builder may use of the time: it takes seconds at most, or finds nothing. */
static const double FIRST_SHARE = 0.25;

struct berth_prepare_clock berth_prepare_start(const struct berth_preparation *preparation)
{
    return (struct berth_prepare_clock){0, preparation->limit, preparation->cancel};
}

/* Runs Open Babel within what is left of the time; its output gets a 0 at its end. */
static enum berth_status run(struct berth_prepare_clock *clock, const char *format,
                             const char *const *options, const struct berth_bytes *input,
                             struct berth_bytes *output, struct berth_error *error)
{
    const double left = clock->limit - clock->used;
    if (left <= 0) {
        return berth_fail(error, BERTH_E_IO,
                          "Open Babel took more than %g s of processor time and was stopped",
                          clock->limit);
    }
    const struct berth_openbabel_job job = {.format = format,
                                            .options = options,
                                            .input = input->data,
                                            .input_size = input->count,
                                            .limit = left,
                                            .cancel = clock->cancel,
                                            .used = &clock->used};
    enum berth_status status = berth_openbabel_run(&job, output, error);
    if (status && clock->used >= clock->limit) {
        berth_fail(error, status,
                   "Open Babel took more than %g s of processor time and was stopped",
                   clock->limit);
    }
    if (!status) {
        berth_bytes_put8(output, 0);
        if (output->failed) {
            status = berth_fail(error, BERTH_E_MEMORY, "out of memory");
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
static enum berth_status take_normalised(char *line, char **smiles,
                                         struct berth_composition *composition,
                                         struct berth_error *error)
{
    line[strcspn(line, "\r\n")] = '\0';
    char *title = strchr(line, '\t');
    char *formula = title ? strchr(title, ' ') : NULL;
    if (!title || title == line || !formula || !berth_composition_parse(formula + 1, composition)) {
        return berth_fail(error, BERTH_E_FORMAT, "an empty molecule");
    }
    *title = '\0';
    *smiles = berth_copy_text(line);
    return *smiles ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

enum berth_status berth_prepare_normalise(struct berth_prepare_clock *clock, double ph,
                                          const struct berth_record *record, char **smiles,
                                          struct berth_composition *composition,
                                          struct berth_error *error)
{
    static const char *const FORMATS[] = {"smi", "sdf", "mol2"};
    char acidity[32];
    snprintf(acidity, sizeof acidity, "%g", ph);
    const char *const options[] = {
        "-ocan", "-r", "--title", TITLE, "--append", "formula", isnan(ph) ? NULL : "-p",
        acidity, NULL};
    struct berth_bytes output = {0};
    enum berth_status status =
        run(clock, FORMATS[record->kind], options, &record->text, &output, error);
    if (!status) {
        status = take_normalised((char *)output.data, smiles, composition, error);
    }
    berth_bytes_clear(&output);
    return status;
}

/* One try at 3D coordinates. */
static enum berth_status build_by(struct berth_prepare_clock *clock, const char *smiles,
                                  const char *builder, struct berth_molecule *molecule,
                                  struct berth_error *error)
{
    const char *const options[] = {"-omol2", "--gen3d", builder, NULL};
    struct berth_bytes input = {0}, output = {0};
    struct berth_mol2_reader *reader = NULL;
    berth_bytes_put(&input, smiles, strlen(smiles));
    put_format(&input, "\t%s\n", TITLE);
    enum berth_status status = run(clock, "smi", options, &input, &output, error);
    if (!status) {
        status = berth_mol2_reader_create_memory("Open Babel's output", output.data,
                                                 output.count - 1, &reader, error);
    }
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

enum berth_status berth_prepare_build(struct berth_prepare_clock *clock, const char *smiles,
                                      const char *builder, struct berth_molecule *molecule,
                                      struct berth_error *error)
{
    struct berth_prepare_clock first = *clock;
    first.limit = clock->used + FIRST_SHARE * (clock->limit - clock->used);
    const enum berth_status status = build_by(&first, smiles, builder, molecule, error);
    clock->used = first.used;
    const bool over = clock->cancel && atomic_load(clock->cancel);
    if (!status || status == BERTH_E_MEMORY || over || strcmp(builder, DISTANCE_GEOMETRY) == 0) {
        return status;
    }
    berth_molecule_clear(molecule);
    return build_by(clock, smiles, DISTANCE_GEOMETRY, molecule, error);
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

enum berth_status berth_prepare_energies(struct berth_prepare_clock *clock,
                                         const struct berth_molecule *molecule,
                                         const struct berth_conformers *conformers,
                                         double *energies, struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-otxt",    "--energy", "--ff", "MMFF94",
                                          "--append", "Energy",   NULL};
    struct berth_bytes input = {0}, output = {0};
    for (size_t i = 0; i < conformers->count; i++) {
        write_conformer(&input, molecule,
                        (const double(*)[3])conformers->positions + i * conformers->atom_count);
    }
    enum berth_status status = input.failed ? berth_fail(error, BERTH_E_MEMORY, "out of memory")
                                            : run(clock, "mol2", OPTIONS, &input, &output, error);
    if (status == BERTH_E_IO && strstr(error->message, "force field")) {
        for (size_t i = 0; i < conformers->count; i++) {
            energies[i] = NAN;
        }
        status = BERTH_OK;
    } else if (!status) {
        take_energies((const char *)output.data, energies, conformers->count);
    }
    berth_bytes_clear(&input);
    berth_bytes_clear(&output);
    return status;
}
