/* Preparing by Open Babel, where there is no RDKit: one form of a molecule, in one structure, whose
 * energy is not known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/type_rules.h"
#include "prep/openbabel.h"
#include "prep/prepare_build.h"

/* Molecules go to Open Babel under this title, so that no title of a user's can disturb it. */
static const char TITLE[] = "x";

/* What Open Babel is asked, each time within the time for a molecule. */
static struct berth_openbabel_job job_of(const struct berth_preparer *preparer, const char *format,
                                         const char *const *options,
                                         const struct berth_bytes *input)
{
    return (struct berth_openbabel_job){.format = format,
                                        .options = options,
                                        .input = input,
                                        .kekulise = true,
                                        .limit = preparer->preparation->limit,
                                        .cancel = preparer->preparation->cancel};
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

enum berth_status berth_fallback_normalise(struct berth_preparer *preparer,
                                           const struct berth_record *record,
                                           struct berth_prepared *prepared,
                                           struct berth_error *error)
{
    const double ph = preparer->preparation->ph;
    char acidity[32];
    snprintf(acidity, sizeof acidity, "%g", ph);
    const char *const options[] = {
        "-ocan", "-r", "--title", TITLE, "--append", "formula", isnan(ph) ? NULL : "-p",
        acidity, NULL};
    struct berth_bytes output = {0};
    BERTH_TRY(berth_prepared_reserve(prepared, 1, error));
    /* MDLV30/STERAC1: stereo groups of V3000 */
    if (has_text(&record->text, " |") || has_text(&record->text, "MDLV30/STE")) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "it has stereo groups or another extension (CXSMILES, V3000), which "
                          "RDKit alone reads: install it, or leave the extension out");
    }
    const struct berth_openbabel_job job = job_of(
        preparer, record->kind == BERTH_RECORD_SMILES ? "smi" : "sdf", options, &record->text);
    enum berth_status status = berth_openbabel_run(&job, &output, error);
    berth_bytes_put8(&output, 0);
    BERTH_THEN(output.failed ? berth_out_of_memory(error, NULL) : BERTH_OK);
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
    const char *const options[] = {"-omol2", "--title", TITLE, "--gen3d", builder, NULL};
    struct berth_bytes input = {0};
    berth_bytes_put(&input, smiles, strlen(smiles));
    const struct berth_openbabel_job job = job_of(preparer, "smi", options, &input);
    enum berth_status status = berth_openbabel_molecule(&job, molecule, error);
    const char *flaw = status ? NULL : berth_coordinates_flaw(molecule);
    if (flaw) {
        status = berth_fail(error, BERTH_E_FORMAT, "Open Babel found no 3D coordinates (%s)", flaw);
    }
    berth_bytes_clear(&input);
    return status;
}

enum berth_status berth_fallback_build(struct berth_preparer *preparer, const char *smiles,
                                       struct berth_molecule *molecule,
                                       struct berth_conformers *structures,
                                       struct berth_error *error)
{
    enum berth_status status = build_by(preparer, smiles, "med", molecule, error);
    if (status == BERTH_E_FORMAT) { /* some stereo centres, macrocycles: by distance geometry */
        berth_molecule_clear(molecule);
        status = build_by(preparer, smiles, "dg", molecule, error);
    }
    *structures = (struct berth_conformers){.count = 1, .atom_count = molecule->atom_count};
    BERTH_THEN(berth_make(&structures->positions, molecule->atom_count,
                          sizeof *structures->positions, NULL, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        memcpy(structures->positions[i], molecule->atoms[i].position,
               sizeof molecule->atoms[i].position);
    }
    return status;
}

enum berth_status berth_fallback_stand(struct berth_preparer *preparer,
                                       const struct berth_record *record, double ph,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    char acidity[32];
    snprintf(acidity, sizeof acidity, "%g", ph);
    /* types want all hydrogens */
    const char *const options[] = {
        "-omol2", "--title", TITLE, isnan(ph) ? "-h" : "-p", isnan(ph) ? NULL : acidity, NULL};
    const struct berth_openbabel_job job = job_of(preparer, "sdf", options, &record->text);
    enum berth_status status = berth_openbabel_molecule(&job, molecule, error);
    BERTH_THEN(berth_types_correct(molecule, error));
    if (status) {
        berth_molecule_clear(molecule);
    }
    return status;
}
