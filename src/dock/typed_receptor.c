#include "dock/typed_receptor.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/mol2/mol2.h"
#include "format/receptor_file.h"
#include "prep/receptor/prepare_receptor.h"
#include "score/fields.h"

/* Moves the molecule, its residues and what was said of it, and takes the site if there is one. */
static void take_prepared(struct berth_receptor *prepared, struct berth_typed_receptor *receptor)
{
    receptor->molecule = prepared->molecule;
    receptor->residues = prepared->residues;
    receptor->residue_count = prepared->residue_count;
    memset(&prepared->molecule, 0, sizeof prepared->molecule);
    prepared->residues = NULL;
    prepared->residue_count = 0;
    receptor->preparation = prepared->preparation;
    prepared->preparation = NULL;
    receptor->has_site = prepared->has_site;
    memcpy(receptor->site.center, prepared->center, sizeof prepared->center);
    memcpy(receptor->site.size, prepared->size, sizeof prepared->size);
}

static enum berth_status read_prepared(const char *path, struct berth_typed_receptor *receptor,
                                       struct berth_error *error)
{
    struct berth_receptor prepared;
    const enum berth_status status = berth_receptor_read(path, &prepared, error);
    if (!status) {
        take_prepared(&prepared, receptor);
    }
    berth_receptor_clear(&prepared);
    return status;
}

static enum berth_status copy(const char *text, char **copied, struct berth_error *error)
{
    *copied = text ? berth_copy_text(text) : NULL;
    return text && !*copied ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* PDB, PDBQT or mmCIF: what `berth prep receptor` makes of it, with no options but those of the
 * site and of what is cut out, kept and dropped; Mol2 stays as it is otherwise. */
static enum berth_status prepare(const struct berth_scoring_choice *choice, const char *path,
                                 const struct berth_receptor_place *place,
                                 const struct berth_log *log, struct berth_typed_receptor *receptor,
                                 struct berth_error *error)
{
    const enum berth_structure_format known = berth_structure_format_of(path);
    const enum berth_structure_format format =
        known == BERTH_STRUCTURE_UNKNOWN ? BERTH_STRUCTURE_MOL2 : known;
    const bool mol2 = format == BERTH_STRUCTURE_MOL2;
    const struct berth_receptor_settings settings = {.path = path,
                                                     .format = format,
                                                     .forcefield = choice->path,
                                                     .asked = place->asked,
                                                     .autobox_add = place->add,
                                                     .box = place->box,
                                                     .docked = true,
                                                     .whole = mol2,
                                                     .keep_types = mol2};
    struct berth_receptor_prepared prepared;
    enum berth_status status = berth_receptor_prepare(&settings, log, &prepared, error);
    if (!status) {
        take_prepared(&prepared.receptor, receptor);
        receptor->ligand = prepared.reference;
        memset(&prepared.reference, 0, sizeof prepared.reference);
        receptor->cut = prepared.ligand;
        memset(&prepared.ligand, 0, sizeof prepared.ligand);
    } else {
        berth_fail_in(error, "preparing the receptor as `berth prep receptor` does");
    }
    berth_receptor_prepared_clear(&prepared);
    BERTH_THEN(copy(place->asked.ligand_id, &receptor->ligand_id, error));
    BERTH_THEN(copy(place->asked.keep, &receptor->keep, error));
    BERTH_THEN(copy(place->asked.drop, &receptor->drop, error));
    return status;
}

static enum berth_status read_molecule(const struct berth_scoring_choice *choice, const char *path,
                                       const struct berth_receptor_place *place,
                                       const struct berth_log *log,
                                       struct berth_typed_receptor *receptor,
                                       struct berth_error *error)
{
    const bool asked = berth_residues_asked_by(&place->asked);
    if (berth_is_receptor_file(path)) {
        return asked ? berth_receptor_refuse(path, &place->asked, error)
                     : read_prepared(path, receptor, error);
    }
    const enum berth_structure_format format = berth_structure_format_of(path);
    return !asked && (format == BERTH_STRUCTURE_UNKNOWN || format == BERTH_STRUCTURE_MOL2)
               ? berth_mol2_read_one(path, true, &receptor->molecule, error)
               : prepare(choice, path, place, log, receptor, error);
}

_Static_assert(BERTH_TERM_NAME_SIZE == 24, "as cannot_be_column says");

/* Why the name cannot be that of a further column; NULL: it can. */
static const char *cannot_be_column(const struct berth_judges *functions,
                                    const struct berth_term_names *terms, const char *name)
{
    for (size_t i = 0; i < functions->count; i++) {
        if (strcmp(name, functions->names[i]) == 0) {
            return "another of the functions has it";
        }
    }
    bool taken = berth_is_column(name, strlen(name));
    for (size_t i = 0; i < terms->count; i++) {
        taken = taken || strcmp(name, terms->names[i]) == 0;
    }
    if (taken) {
        return "another column has it";
    }
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return strlen(name) >= BERTH_TERM_NAME_SIZE || !isalpha((unsigned char)*name) ||
                   name[strspn(name, letters)]
               ? "it is to be of letters, digits and _, at most 23, the first a letter"
               : NULL;
}

/* Gives a function its column, whose name it calls itself. */
static enum berth_status name_function(struct berth_typed_receptor *receptor,
                                       const struct berth_scoring *scoring,
                                       struct berth_error *error)
{
    struct berth_judges *functions = &receptor->functions;
    const char *name = scoring->definition->name;
    const char *reason = cannot_be_column(functions, &receptor->scoring.terms, name);
    if (reason) {
        return berth_fail_option(error, BERTH_E_USAGE, "scoring",
                                 "scoring: a function beside others becomes a column, and '%s' "
                                 "cannot be its name: %s; give it another by the line name of %s",
                                 name, reason, scoring->name);
    }
    snprintf(functions->names[functions->count++], BERTH_TERM_NAME_SIZE, "%s", name);
    return BERTH_OK;
}

/* Reads the functions behind the first one. */
static enum berth_status read_judges(const struct berth_scoring_choice *choice, const char *names,
                                     const struct berth_log *log,
                                     struct berth_typed_receptor *receptor,
                                     struct berth_error *error)
{
    BERTH_TRY(name_function(receptor, &receptor->scoring, error));
    BERTH_TRY(berth_make(&receptor->judges, BERTH_FUNCTIONS_MAX - 1, sizeof *receptor->judges, NULL,
                         error));
    for (const char *end = names; *end; names = end + 1) {
        char name[PATH_MAX];
        struct berth_scoring_choice one = *choice;
        end = names + strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)(end - names), names);
        one.scoring = berth_text_trim(name);
        if (receptor->judge_count == BERTH_FUNCTIONS_MAX - 1) {
            return berth_fail_option(error, BERTH_E_USAGE, "scoring",
                                     "scoring: at most %d functions are possible",
                                     BERTH_FUNCTIONS_MAX);
        }
        struct berth_scoring *scoring = &receptor->judges[receptor->judge_count].scoring;
        BERTH_TRY(berth_scoring_read(&one, log, scoring, error));
        receptor->judge_count++;
        if (*scoring->definition->torsional.name) {
            return berth_fail_option(error, BERTH_E_USAGE, "scoring",
                                     "scoring: %s has a torsional term, and can only be the first "
                                     "function of several",
                                     one.scoring);
        }
        BERTH_TRY(name_function(receptor, scoring, error));
    }
    return BERTH_OK;
}

enum berth_status berth_typed_receptor_functions(const struct berth_scoring_choice *choice,
                                                 const struct berth_log *log,
                                                 struct berth_typed_receptor *receptor,
                                                 struct berth_error *error)
{
    memset(receptor, 0, sizeof *receptor);
    const char *others = choice->text ? NULL : strchr(choice->scoring, ',');
    if (!others) {
        BERTH_TRY(berth_scoring_read(choice, log, &receptor->scoring, error));
        snprintf(receptor->functions.names[0], BERTH_TERM_NAME_SIZE, "%s",
                 receptor->scoring.definition->name);
        receptor->functions.count = 1;
        return BERTH_OK;
    }
    char name[PATH_MAX];
    struct berth_scoring_choice first = *choice;
    snprintf(name, sizeof name, "%.*s", (int)(others - choice->scoring), choice->scoring);
    first.scoring = berth_text_trim(name);
    BERTH_TRY(berth_scoring_read(&first, log, &receptor->scoring, error));
    return read_judges(choice, others + 1, log, receptor, error);
}

/* Types the receptor by one of its functions. */
static enum berth_status assign(const struct berth_typed_receptor *receptor,
                                const struct berth_scoring *scoring, const struct berth_log *log,
                                struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    const struct berth_molecule *molecule = &receptor->molecule;
    size_t untyped;
    const enum berth_status status =
        berth_scoring_assign_told(scoring, molecule, log, heavy, &untyped, error);
    if (untyped) {
        berth_selector_suggest(&molecule->atoms[untyped - 1], receptor->residues, error);
    }
    return status;
}

enum berth_status berth_typed_receptor_assign(struct berth_typed_receptor *receptor,
                                              const struct berth_log *log,
                                              struct berth_error *error)
{
    BERTH_TRY(assign(receptor, &receptor->scoring, log, &receptor->heavy, error));
    for (size_t k = 0; k < receptor->judge_count; k++) {
        struct berth_judging_function *judge = &receptor->judges[k];
        BERTH_TRY(assign(receptor, &judge->scoring, log, &judge->heavy, error));
    }
    return receptor->heavy.count
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT, "the receptor has no heavy atoms");
}

enum berth_status
berth_typed_receptor_read(const struct berth_scoring_choice *choice, const char *path,
                          const struct berth_receptor_place *place, const struct berth_log *log,
                          struct berth_typed_receptor *receptor, struct berth_error *error)
{
    const struct berth_receptor_place nowhere = {.box = NULL};
    struct berth_gatherer gatherer = {.next = log};
    const struct berth_log gathering = berth_gather(&gatherer);
    BERTH_TRY(berth_typed_receptor_functions(choice, log, receptor, error));
    BERTH_TRY(read_molecule(choice, path, place ? place : &nowhere, log, receptor, error));
    const enum berth_status status = berth_typed_receptor_assign(receptor, &gathering, error);
    berth_gatherer_flush(&gatherer);
    return status ? berth_fail_in(error, path) : BERTH_OK;
}

void berth_typed_receptor_clear(struct berth_typed_receptor *receptor)
{
    berth_scoring_clear(&receptor->scoring);
    berth_molecule_clear(&receptor->molecule);
    berth_molecule_clear(&receptor->ligand);
    berth_structure_clear(&receptor->cut);
    free(receptor->ligand_id);
    free(receptor->keep);
    free(receptor->drop);
    free(receptor->preparation);
    receptor->preparation = NULL;
    berth_heavy_atoms_clear(&receptor->heavy);
    for (size_t k = 0; k < receptor->judge_count; k++) {
        berth_scoring_clear(&receptor->judges[k].scoring);
        berth_heavy_atoms_clear(&receptor->judges[k].heavy);
    }
    free(receptor->judges);
    receptor->judges = NULL;
    receptor->judge_count = 0;
    free(receptor->residues);
    receptor->residues = NULL;
}
