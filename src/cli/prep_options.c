/* The options of `berth prep ligands`, and what they ask for. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "cli/prep.h"

const struct berth_option PREP_OPTIONS[] = {
    {.help = "Input"},
    {"IN...", BERTH_FIELD(struct prep_values, inputs), .fallback = "",
     .help = "files of one or many molecules, in any format that Open Babel reads (.gz too), "
             "folders of such, @LIST, or - for standard input"},
    {"list", BERTH_FIELD(struct prep_values, list), .argument = "FILE", .fallback = "none",
     .help = "a file with the name of an input on each line (@FILE means the same)"},
    {"format", BERTH_FIELD(struct prep_values, format), .argument = "F",
     .help = "format of the input (smi, sdf, mol2, pdb ...), as `obabel -L formats` names it",
     .fallback = "by the file's ending"},
    {.help = "Preparation (Mol2 with hydrogens and 3D coordinates is taken as it stands)"},
    {"ph", BERTH_FIELD(struct prep_values, ph), .argument = "PH", .min = 0, .max = 14,
     .help = "protonate for this pH"},
    {"keep_protonation", BERTH_FIELD(struct prep_values, keep_protonation),
     .help = "leave charges and hydrogens as the input has them"},
    {"protomers", BERTH_FIELD(struct prep_values, protomers), .argument = "N", .min = 1,
     .max = BERTH_PROTOMERS_MAX,
     .help = "states of protonation of a molecule, at most, the most populated first (RDKit)"},
    {"stereo", BERTH_FIELD(struct prep_values, stereo), .argument = "N", .min = 1,
     .max = BERTH_STEREOISOMERS_MAX,
     .help = "isomers of a molecule whose centres or double bonds the input leaves open, at most, "
             "chosen by seed (RDKit)"},
    {"conformers", BERTH_FIELD(struct prep_values, conformers), .argument = "N", .min = 1,
     .max = 1000, .help = "conformers of a ligand, at most"},
    {"energy_window", BERTH_FIELD(struct prep_values, energy_window), .argument = "E",
     .unit = "kJ/mol", .min = 0, .max = 1e6,
     .help = "leave out conformers whose MMFF94 energy is this much above the lowest"},
    {"conformer_rmsd", BERTH_FIELD(struct prep_values, conformer_rmsd), .argument = "D",
     .unit = "Å", .min = 0, .max = 100,
     .help = "RMSD between conformers, at least (heavy atoms, superposed, symmetry-corrected)"},
    {"ring_conformers", BERTH_FIELD(struct prep_values, ring_conformers), .argument = "N", .min = 1,
     .max = 100,
     .help =
         "shapes of its rings (puckers, axial and equatorial, macrocycles' backbones), at most, "
         "that RDKit builds for a ligand: with --conformers 1 these are the conformers"},
    {"builder", BERTH_FIELD(struct prep_values, builder), .argument = "B",
     .fallback = "rdkit where it is there, else openbabel",
     .help = "what builds 3D coordinates: rdkit, or openbabel (med, slow, best or dg say how)"},
    {"rebuild", BERTH_FIELD(struct prep_values, rebuild),
     .help = "do not take Mol2 as it stands: treat it like everything else"},
    {"smiles", BERTH_FIELD(struct prep_values, smiles),
     .help = "find the SMILES of Mol2 that is taken as it stands, too"},
    {.help = "Filters (what they drop is listed with the failures, but is none)"},
    {"max_heavy", BERTH_FIELD(struct prep_values, max_heavy), .argument = "N", .min = 1,
     .max = BERTH_LIGAND_ATOMS_MAX, .fallback = "any", .help = "heavy atoms, at most"},
    {"max_rotors", BERTH_FIELD(struct prep_values, max_rotors), .argument = "N", .min = 1,
     .max = 10000, .fallback = "any", .help = "rotatable bonds, at most"},
    {"mw", BERTH_FIELD(struct prep_values, mw), .argument = "RANGE", .fallback = "any",
     .unit = "g/mol", .help = "molar mass as protonated: MAX, or MIN-MAX"},
    {"elements", BERTH_FIELD(struct prep_values, elements), .argument = "LIST", .fallback = "any",
     .help = "elements allowed beside hydrogen: C,N,O,S ..."},
    {"exclude", BERTH_FIELD(struct prep_values, exclude), .argument = "FILE", .fallback = "none",
     .help =
         "drop molecules that hold one of these patterns: lines SMARTS NAME, '#' comments (needs "
         "RDKit)"},
    {"drop_duplicates", BERTH_FIELD(struct prep_values, drop_duplicates),
     .help = "drop molecules whose canonical SMILES came before, in whatever file"},
    {"unique", .kind = BERTH_OPTION_FOREIGN, .help = "give --drop_duplicates"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct prep_values, out), .argument = "LIB.blib",
     .help = "library to write", .required = true},
    {"failures", BERTH_FIELD(struct prep_values, failures), .argument = "FILE",
     .help = "CSV of what failed or was dropped, with the reasons",
     .fallback = "NAME.failures.csv for --out NAME.blib"},
    {"properties", BERTH_FIELD(struct prep_values, properties), .argument = "LIST",
     .help = "SDF properties to keep with each ligand: a,b,c or all", .fallback = "none"},
    {"forcefield", BERTH_FIELD(struct prep_values, forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},
    {"resume", BERTH_FIELD(struct prep_values, resume),
     .help = "go on where an earlier run with the same input and options was stopped"},
    {"overwrite", BERTH_FIELD(struct prep_values, overwrite),
     .help = "replace a library that is there already, and forget what an earlier run that was "
             "stopped has left"},
    {.help = "Running"},
    {"jobs", BERTH_FIELD(struct prep_values, jobs), .argument = "N", .min = 1, .max = 1024,
     .help = "molecules to prepare at the same time", .fallback = "one per core"},
    {"time_limit", BERTH_FIELD(struct prep_values, time_limit), .argument = "T", .unit = "s",
     .min = 0.1, .max = 1e6,
     .help = "processor time for a molecule; one that takes longer, or hangs for ten times as "
             "long, fails"},
    {"memory_limit", BERTH_FIELD(struct prep_values, memory_limit), .argument = "M", .unit = "MB",
     .min = 500, .max = 1e6,
     .help = "memory for each of RDKit's processes; a molecule that needs more fails"},
    {"config", BERTH_FIELD(struct prep_values, config), .argument = "FILE", .fallback = "none",
     .help = "read options from a file: lines `name = value`"},
    {0}};

struct prep_values prep_defaults(void)
{
    return (struct prep_values){.ph = 7.4,
                                .protomers = 1,
                                .stereo = 1,
                                .conformers = 20,
                                .energy_window = 100,
                                .conformer_rmsd = 0.5,
                                .ring_conformers = BERTH_RING_CONFORMERS,
                                .memory_limit = BERTH_WORKER_MEMORY,
                                .time_limit = 120};
}

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
    return good && *end == '\0'
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE, "--mw: '%s' is neither MAX nor MIN-MAX", text);
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
            return berth_fail(error, BERTH_E_USAGE, "--elements: '%.*s' is no element", (int)length,
                              text);
        }
        filter->elements[element] = true;
        text += length;
    }
}

static enum berth_status take_properties(const char *text, struct prep_plan *plan,
                                         struct berth_error *error)
{
    size_t commas = 0;
    plan->property_text = berth_copy_text(text);
    for (const char *at = text; (at = strchr(at, ',')); at++) {
        commas++;
    }
    plan->properties = berth_alloc(commas + 1, sizeof *plan->properties);
    if (!plan->property_text || !plan->properties) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    char *rest = plan->property_text;
    for (char *name = strtok_r(rest, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        plan->properties[plan->preparation.property_count++] = name;
    }
    plan->preparation.properties = plan->properties;
    return BERTH_OK;
}

enum berth_status cli_check_builder(const char *builder, struct berth_error *error)
{
    return !builder || berth_prepare_knows(builder)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "--builder: '%s' is none of rdkit, openbabel, med, slow, best and dg",
                            builder);
}

static uint64_t hash_text(uint64_t value, const char *text)
{
    for (; *text; text++) {
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return (value ^ 10) * UINT64_C(0x100000001b3);
}

/* The note begins with the command; many inputs are told by their number and a hash. */
static enum berth_status write_note(const struct prep_values *values, struct prep_plan *plan,
                                    struct berth_error *error)
{
    size_t size = 0;
    FILE *file = open_memstream(&plan->note, &size);
    if (!file) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < values->inputs.count; i++) {
        hash = hash_text(hash, values->inputs.items[i]);
    }
    fprintf(file, "prep ligands");
    for (size_t i = 0; i < values->inputs.count && i < 10; i++) {
        fprintf(file, " %.1000s", values->inputs.items[i]);
    }
    fprintf(file, " (%zu inputs, %016" PRIx64 ")", values->inputs.count, hash);
    const char *const texts[][2] = {
        {"list", values->list},         {"format", values->format},
        {"builder", values->builder},   {"mw", values->mw},
        {"elements", values->elements}, {"properties", values->properties},
        {"exclude", values->exclude}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i][1]) {
            fprintf(file, " --%s %.4000s", texts[i][0], texts[i][1]);
        }
    }
    fprintf(file,
            " --ph %g --protomers %lld --stereo %lld --conformers %lld --ring_conformers %lld "
            "--energy_window %g --conformer_rmsd "
            "%g --max_heavy %lld "
            "--max_rotors %lld%s%s%s",
            plan->preparation.ph, values->protomers, values->stereo, values->conformers,
            values->ring_conformers, values->energy_window, values->conformer_rmsd,
            values->max_heavy, values->max_rotors, values->rebuild ? " --rebuild" : "",
            values->smiles ? " --smiles" : "", values->drop_duplicates ? " --drop_duplicates" : "");
    if (plan->exclude.count) {
        fprintf(file, " (%016" PRIx64 ")", hash_text(0, (const char *)plan->exclude.data));
    }
    const bool bad = ferror(file);
    return fclose(file) || bad ? berth_fail(error, BERTH_E_MEMORY, "out of memory") : BERTH_OK;
}

/* Reads the patterns that molecules must not hold. */
static enum berth_status take_patterns(const char *path, struct prep_plan *plan,
                                       struct berth_error *error)
{
    enum berth_status status = berth_input_read_all(path, NULL, &plan->exclude, error);
    if (!status) {
        berth_bytes_put8(&plan->exclude, 0);
        status =
            plan->exclude.failed ? berth_fail(error, BERTH_E_MEMORY, "out of memory") : BERTH_OK;
    }
    plan->preparation.exclude = (const char *)plan->exclude.data;
    plan->preparation.exclude_name = path;
    return status ? berth_fail_in(error, path) : BERTH_OK;
}

enum berth_status prep_plan_create(const struct prep_values *values, struct prep_plan *plan,
                                   struct berth_error *error)
{
    *plan = (struct prep_plan){.preparation = {.ph = values->keep_protonation ? NAN : values->ph,
                                               .builder = values->builder,
                                               .protomers = (size_t)values->protomers,
                                               .stereoisomers = (size_t)values->stereo,
                                               .conformers = (size_t)values->conformers,
                                               .ring_conformers = (size_t)values->ring_conformers,
                                               .memory = (size_t)values->memory_limit * 1000000,
                                               .energy_window = values->energy_window,
                                               .min_rmsd = values->conformer_rmsd,
                                               .limit = values->time_limit,
                                               .rebuild = values->rebuild,
                                               .smiles = values->smiles || values->drop_duplicates,
                                               .filter = {.max_heavy = values->max_heavy,
                                                          .max_rotors = values->max_rotors}}};
    enum berth_status status = cli_check_builder(values->builder, error);
    if (!status && values->resume && values->overwrite) {
        status = berth_fail(error, BERTH_E_USAGE, "--resume and --overwrite exclude each other");
    }
    if (!status && values->mw) {
        status = take_mass(values->mw, &plan->preparation.filter, error);
    }
    if (!status && values->elements) {
        status = take_elements(values->elements, &plan->preparation.filter, error);
    }
    if (!status && values->properties) {
        status = take_properties(values->properties, plan, error);
    }
    if (!status && values->exclude) {
        status = take_patterns(values->exclude, plan, error);
    }
    return status ? status : write_note(values, plan, error);
}

void prep_plan_clear(struct prep_plan *plan)
{
    free(plan->property_text);
    berth_bytes_clear(&plan->exclude);
    free(plan->properties);
    free(plan->note);
    memset(plan, 0, sizeof *plan);
}

void prep_set_environment(void)
{
    /* one thread a process: the processes share the cores among themselves */
    setenv("OMP_NUM_THREADS", "1", 0);
    /* what Open Babel 3.2 takes its seed from, where it was built so; before, it is the time */
    setenv("OB_RANDOM_SEED", "1", 0);
}
