#include "prep/ligands/ligands.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"

static enum berth_status take_mass(const char *text, struct berth_filter *filter,
                                   struct berth_error *error)
{
    char *end;
    double first = strtod(text, &end);
    bool good = end > text && isfinite(first) && first >= 0;
    filter->max_mass = first;
    if (good && *end == '-') {
        const char *second = end + 1;
        filter->min_mass = first;
        filter->max_mass = strtod(second, &end);
        good = end > second && isfinite(filter->max_mass) && filter->max_mass >= first;
    }
    return good && *end == '\0' ? BERTH_OK
                                : berth_fail_option(error, BERTH_E_USAGE, "mw",
                                                    "mw: '%s' is neither MAX nor MIN-MAX", text);
}

static enum berth_status take_elements(const char *text, struct berth_filter *filter,
                                       struct berth_error *error)
{
    filter->chosen = true;
    for (;;) {
        text += strspn(text, ", ");
        if (!*text) {
            return BERTH_OK;
        }
        const size_t length = strcspn(text, ", ");
        char symbol[3] = "";
        memcpy(symbol, text, length < 3 ? length : 0);
        const int element = berth_element_of_type(symbol);
        if (!element) {
            return berth_fail_option(error, BERTH_E_USAGE, "elements",
                                     "elements: '%.*s' is no element", (int)length, text);
        }
        filter->elements[element] = true;
        text += length;
    }
}

static enum berth_status take_properties(const char *text, struct berth_ligands_plan *plan,
                                         struct berth_error *error)
{
    plan->property_text = berth_copy_text(text);
    plan->properties = berth_alloc(strlen(text), sizeof *plan->properties);
    if (!plan->property_text || !plan->properties) {
        return berth_out_of_memory(error, NULL);
    }
    char *rest = plan->property_text;
    for (char *name = strtok_r(rest, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        plan->properties[plan->preparation.property_count++] = name;
    }
    plan->preparation.properties = plan->properties;
    return BERTH_OK;
}

enum berth_status berth_builder_check(const char *builder, struct berth_error *error)
{
    return !builder || berth_text_lists("rdkit fragments openbabel", ' ', builder)
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "builder",
                                   "builder: '%s' is none of rdkit, fragments and openbabel",
                                   builder);
}

static uint64_t hash_text(uint64_t value, const char *text)
{
    for (; *text; text++) {
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return (value ^ 10) * UINT64_C(0x100000001b3);
}

/* The note begins with the command; many inputs are told by their number and a hash; a docking,
 * which names its inputs itself, has none here. */
static enum berth_status write_note(const struct berth_ligands_request *request,
                                    const char *const *inputs, size_t count,
                                    struct berth_ligands_plan *plan, struct berth_error *error)
{
    size_t size = 0;
    FILE *file = open_memstream(&plan->note, &size);
    if (!file) {
        return berth_out_of_memory(error, NULL);
    }
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++) {
        hash = hash_text(hash, inputs[i]);
    }
    fputs(BERTH_LIBRARY_NOTE, file);
    for (size_t i = 0; i < count && i < 10; i++) {
        fprintf(file, " %.1000s", inputs[i]);
    }
    if (count) {
        fprintf(file, " (%zu inputs, %016" PRIx64 ")", count, hash);
    }
    const char *const texts[][2] = {{"list", request->list},
                                    {"format", request->format},
                                    {"builder", request->builder},
                                    {"mw", request->mw},
                                    {"elements", request->elements},
                                    {"properties", request->properties},
                                    {"exclude", request->exclude},
                                    {"smiles_column", request->smiles_column},
                                    {"name_column", request->name_column}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i][1]) {
            fprintf(file, " --%s %.4000s", texts[i][0], texts[i][1]);
        }
    }
    fprintf(file,
            " --ph %g --protomers %zu --stereo %zu --conformers %zu --structures %zu "
            "--energy_window %g --conformer_rmsd %g --max_heavy %lld --max_rotors %lld%s%s%s",
            plan->preparation.ph, request->protomers, request->stereo, request->conformers,
            request->structures, request->energy_window, request->conformer_rmsd,
            (long long)request->max_heavy, (long long)request->max_rotors,
            request->rebuild ? " --rebuild" : "", request->smiles ? " --smiles" : "",
            request->drop_duplicates ? " --drop_duplicates" : "");
    if (request->min_population > 0) {
        fprintf(file, " --min_population %g", request->min_population);
    }
    if (plan->exclude.count) {
        fprintf(file, " (%016" PRIx64 ")", hash_text(0, (const char *)plan->exclude.data));
    }
    if (request->adducts) {
        fprintf(file, " --adducts %s%s (%016" PRIx64 ")", request->adducts,
                request->all_warheads ? " --all_warheads" : "",
                hash_text(0, plan->preparation.reactions));
    }
    const bool bad = ferror(file);
    return fclose(file) || bad ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

static enum berth_status read_text(const char *path, struct berth_bytes *text,
                                   struct berth_error *error)
{
    if (berth_input_read_all(path, NULL, text, error)) {
        return berth_fail_in(error, path);
    }
    berth_bytes_put8(text, 0);
    return text->failed ? berth_out_of_memory(error, path) : BERTH_OK;
}

/* Reads the patterns that molecules must not hold. */
static enum berth_status take_patterns(const char *path, struct berth_ligands_plan *plan,
                                       struct berth_error *error)
{
    BERTH_TRY(read_text(path, &plan->exclude, error));
    plan->preparation.exclude = (const char *)plan->exclude.data;
    plan->preparation.exclude_name = path;
    return BERTH_OK;
}

/* What makes adducts. */
static enum berth_status take_reactions(const struct berth_ligands_request *request,
                                        struct berth_ligands_plan *plan, struct berth_error *error)
{
    struct berth_preparation *preparation = &plan->preparation;
    if (!request->adducts) {
        return request->reactions || request->all_warheads
                   ? berth_fail_option(
                         error, BERTH_E_USAGE, "reactions",
                         "reactions and all_warheads are of adducts (covalent, adducts)")
                   : BERTH_OK;
    }
    if (!berth_text_lists("CYS SER THR LYS TYR CYS:given SER:given THR:given LYS:given TYR:given",
                          ' ', request->adducts)) {
        return berth_fail_option(error, BERTH_E_USAGE, "adducts",
                                 "adducts: '%s' is none of CYS, SER, THR, LYS and TYR, nor one of "
                                 "these with :given",
                                 request->adducts);
    }
    preparation->residue = request->adducts;
    preparation->all_warheads = request->all_warheads;
    preparation->reactions = berth_embedded_text("covalent.reactions");
    preparation->reactions_name = "covalent.reactions";
    if (request->reactions) {
        BERTH_TRY(read_text(request->reactions, &plan->reactions, error));
        preparation->reactions = (const char *)plan->reactions.data;
        preparation->reactions_name = request->reactions;
    }
    return BERTH_OK;
}

enum berth_status berth_ligands_plan_create(const struct berth_ligands_request *request,
                                            const char *const *inputs, size_t count,
                                            struct berth_ligands_plan *plan,
                                            struct berth_error *error)
{
    *plan = (struct berth_ligands_plan){
        .preparation = {
            .ph = request->keep_protonation ? NAN : request->ph,
            .builder = request->builder,
            .protomers = request->protomers,
            .min_population = request->min_population,
            .stereoisomers = request->stereo,
            .structures = request->structures,
            .memory = request->memory_limit * 1000000,
            .conformers = request->conformers,
            .energy_window = request->energy_window,
            .min_rmsd = request->conformer_rmsd,
            .limit = request->time_limit,
            .rebuild = request->rebuild,
            .smiles = request->smiles || request->drop_duplicates,
            .filter = {.max_heavy = request->max_heavy, .max_rotors = request->max_rotors}}};
    if (request->min_population > 0 && request->protomers < 2) {
        return berth_fail_option(error, BERTH_E_USAGE, "min_population",
                                 "min_population is of several states (protomers)");
    }
    BERTH_TRY(berth_builder_check(request->builder, error));
    if (request->mw) {
        BERTH_TRY(take_mass(request->mw, &plan->preparation.filter, error));
    }
    if (request->elements) {
        BERTH_TRY(take_elements(request->elements, &plan->preparation.filter, error));
    }
    if (request->properties) {
        BERTH_TRY(take_properties(request->properties, plan, error));
    }
    if (request->exclude) {
        BERTH_TRY(take_patterns(request->exclude, plan, error));
    }
    BERTH_TRY(take_reactions(request, plan, error));
    return write_note(request, inputs, count, plan, error);
}

void berth_ligands_plan_clear(struct berth_ligands_plan *plan)
{
    free(plan->property_text);
    berth_bytes_clear(&plan->exclude);
    berth_bytes_clear(&plan->reactions);
    free(plan->properties);
    free(plan->note);
    memset(plan, 0, sizeof *plan);
}
