/* berth prep receptor: a structure to a receptor with types and a site. */
#include <limits.h>
#include <string.h>

#include "cli/common.h"
#include "cli/site.h"
#include "prep/receptor/receptor.h"

static const struct cli_usage USAGE = {
    "prep receptor", "IN --out SITE.brec [options]",
    "Makes a receptor file of a structure (PDB, mmCIF, Mol2, PDBQT; .gz too): one alternate "
    "location,\n"
    "no waters, Mol2 types as the forcefield knows them, and a site for `berth dock`.  Standard\n"
    "residues are typed by a table, for pH 7.4; Open Babel is asked only about cofactors that the\n"
    "table lacks.  Hydrogens play no part in the energy and need not be there.\n"
    "RESIDUES are named as NAME, CHAIN:NUMBER (:NUMBER in a blank chain), CHAIN: (all of it),\n"
    "NAME:NUMBER or NAME:CHAIN:NUMBER, with commas between several."};

struct values {
    struct berth_arguments inputs;
    const char *out, *format, *forcefield, *config, *mol2, *reference;
    const char *ligand_id, *keep, *drop, *keep_waters;
    const char *site, *residues;
    double keep_waters_within;
    struct cli_box box;
    long long sites;
    bool keep_types, overwrite;
};

static const struct berth_option OPTIONS[] = {
    {.help = "Input"},
    {"IN", BERTH_FIELD(struct values, inputs), .help = "the structure; - for standard input",
     .required = true},
    {"format", BERTH_FIELD(struct values, format), .argument = "F", .words = "pdb pdbqt mmcif mol2",
     .help = "of IN: pdb, pdbqt, mmcif or mol2", .fallback = "by its ending"},
    {"forcefield", BERTH_FIELD(struct values, forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff) that must know every type",
     .fallback = "built in: by-atom-2017"},
    {.help = "What becomes the receptor"},
    {"ligand_id", BERTH_FIELD(struct values, ligand_id), .argument = "RESIDUE",
     .help = "the ligand: cut out of the receptor; the site lies about it where no other is given",
     .fallback = "none"},
    {"keep", BERTH_FIELD(struct values, keep), .argument = "RESIDUES",
     .help = "keep these though they are crystallisation additives (sulfate, glycerol, PEG, "
             "chloride ...) or dropped by name; all: every additive",
     .fallback = "cofactors and metals, no additives"},
    {"drop", BERTH_FIELD(struct values, drop), .argument = "RESIDUES",
     .help = "leave these out; hetero: all but protein and nucleic acid", .fallback = "none"},
    {"keep_waters", BERTH_FIELD(struct values, keep_waters), .argument = "RESIDUES",
     .help = "waters to keep", .fallback = "none"},
    {"keep_waters_within", BERTH_FIELD(struct values, keep_waters_within), .argument = "D",
     .help = "keep waters this near to the ligand, else to the site", .unit = "Å", .min = 0,
     .max = 100, .fallback = "none"},
    {"keep_types", BERTH_FIELD(struct values, keep_types),
     .help = "leave the types of a Mol2 file as they are"},
    {.help = "Site: the box in which the centroid of a ligand's heavy atoms may lie"},
    {"autobox_ligand", BERTH_FIELD(struct values, box.autobox_ligand), .argument = "FILE",
     .help = "a box about this molecule (Mol2, SDF, PDB, PDBQT)",
     .fallback = "about the ligand that --ligand_id cuts out"},
    {"autobox_add", BERTH_FIELD(struct values, box.autobox_add), .argument = "LENGTH",
     .help = "margin of a box about a ligand or residues", .unit = "Å", .min = 0.1, .max = 100},
    CLI_BOX_ROWS(struct values, ""),
    {"residues", BERTH_FIELD(struct values, residues), .argument = "RESIDUES",
     .help = "a box around these, wider by autobox_add on each side", .fallback = "none"},
    {"site", BERTH_FIELD(struct values, site), .argument = "scan", .words = "scan",
     .help = "look for pockets over the whole receptor: writes SITE_1.brec, SITE_2.brec ..., best "
             "first, and SITE_sites.csv",
     .fallback = "no scan"},
    {"sites", BERTH_FIELD(struct values, sites), .argument = "N",
     .help = "how many of them, at most", .min = 1, .max = 1000},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct values, out), .argument = "SITE.brec",
     .help = "receptor file to write", .required = true},
    {"overwrite", BERTH_FIELD(struct values, overwrite),
     .help = "replace receptor files that are there already"},
    {"reference", BERTH_FIELD(struct values, reference), .argument = "FILE",
     .help = "write the ligand that was cut out as Mol2, with bonds by Open Babel (as single bonds "
             "where that is not installed)",
     .fallback = "none"},
    {"mol2", BERTH_FIELD(struct values, mol2), .argument = "FILE",
     .help = "write the receptor's typed heavy atoms as Mol2 too, to look at (all bonds single)",
     .fallback = "none"},
    {"config", BERTH_OPTION_CONFIG, .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    {0}};

/* No file that a scan may write is there already. */
static enum berth_status check_scan(const struct values *values, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i <= (size_t)values->sites; i++) {
        char path[PATH_MAX];
        berth_receptor_scan_path(values->out, i, path);
        status = cli_check_new(path, values->overwrite, error);
    }
    return status;
}

static enum berth_status check_arguments(const struct values *values, struct berth_error *error)
{
    if (values->inputs.count != 1) {
        return berth_fail(error, BERTH_E_USAGE, "one structure makes a receptor; %zu are given",
                          values->inputs.count);
    }
    if (values->reference && !values->ligand_id) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--reference: there is no ligand to write; name it with --ligand_id");
    }
    if (strcmp(values->out, "-") == 0) {
        return berth_fail(error, BERTH_E_USAGE, "--out: a receptor file is binary; give its name");
    }
    const struct cli_file files[] = {{"IN", values->inputs.items[0], false},
                                     {"forcefield", values->forcefield, false},
                                     {"autobox_ligand", values->box.autobox_ligand, false},
                                     {"out", values->out, true},
                                     {"reference", values->reference, true},
                                     {"mol2", values->mol2, true}};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    const size_t length = strlen(values->out);
    if (!status && (length <= 5 || strcmp(values->out + length - 5, ".brec") != 0)) {
        status = berth_fail(error, BERTH_E_USAGE,
                            "--out: %s does not end in .brec, as receptor files do (--mol2 writes "
                            "a Mol2 file beside it)",
                            values->out);
    }
    return status         ? status
           : values->site ? check_scan(values, error)
                          : cli_check_new(values->out, values->overwrite, error);
}

/* One of the ways to say a site, at most; *box is given where *given. */
static enum berth_status read_site(const struct values *values, const struct berth_parsed *parsed,
                                   bool *given, struct berth_site *box, struct berth_error *error)
{
    const struct cli_site_options options = {OPTIONS, parsed, &values->box};
    const enum berth_status status = cli_site_read(&options, given, box, error);
    if (status) {
        return status;
    }
    if (values->site && strcmp(values->site, "scan") != 0) {
        return berth_fail(error, BERTH_E_USAGE, "--site: '%s' is not known; scan is", values->site);
    }
    if (*given + (values->residues != NULL) + (values->site != NULL) > 1) {
        return berth_fail(error, BERTH_E_USAGE,
                          "more than one site is given; choose among --autobox_ligand, centre and "
                          "size, --residues and --site scan");
    }
    return BERTH_OK;
}

static enum berth_status read_format(const struct values *values,
                                     enum berth_structure_format *format, struct berth_error *error)
{
    *format = berth_structure_format_of(values->format ? values->format : values->inputs.items[0]);
    return values->format && *format == BERTH_STRUCTURE_UNKNOWN
               ? berth_fail(error, BERTH_E_USAGE,
                            "--format: %s is not known; pdb, pdbqt, mmcif and mol2 are",
                            values->format)
               : BERTH_OK;
}

static enum berth_status prepare(const struct values *values, const struct berth_parsed *parsed,
                                 struct berth_error *error)
{
    struct berth_site box;
    bool given = false;
    enum berth_structure_format format = BERTH_STRUCTURE_UNKNOWN;
    enum berth_status status = check_arguments(values, error);
    BERTH_THEN(read_format(values, &format, error));
    BERTH_THEN(read_site(values, parsed, &given, &box, error));
    if (status) {
        return status;
    }
    const struct berth_receptor_settings settings = {
        .path = values->inputs.items[0],
        .format = format,
        .forcefield = values->forcefield,
        .ligand_id = values->ligand_id,
        .keep = values->keep,
        .drop = values->drop,
        .keep_waters = values->keep_waters,
        .keep_waters_within = values->keep_waters_within,
        .box = given ? &box : NULL,
        .residues = values->residues,
        .autobox_add = values->box.autobox_add,
        .sites = values->site ? (size_t)values->sites : 0,
        .keep_types = values->keep_types,
        .reference = values->reference != NULL};
    const struct berth_receptor_outputs outputs = {values->out, values->reference, values->mol2};
    struct berth_receptor_prepared prepared = {.receptor = {.has_site = false}};
    status = berth_receptor_prepare(&settings, cli_log(), &prepared, error);
    BERTH_THEN(berth_receptor_prepared_write(&settings, &outputs, cli_log(), &prepared, error));
    berth_receptor_prepared_clear(&prepared);
    return status;
}

int cmd_prep_receptor(int argc, char **argv)
{
    struct values values = {.box.autobox_add = 4, .sites = 5};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        code = prepare(&values, &parsed, &error) ? cli_fatal(&error) : CLI_DONE;
    }
    berth_parsed_clear(&parsed);
    return code;
}
