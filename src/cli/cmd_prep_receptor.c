/* berth prep receptor: a structure to a receptor with types and a site. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/prep.h"
#include "cli/prep_receptor.h"
#include "chem/bonds.h"
#include "format/pdb/structure_file.h"
#include "prep/alternates.h"
#include "prep/perception.h"
#include "prep/receptor_types.h"
#include "score/bhff.h"

static const struct cli_usage USAGE = {
    "prep receptor", "IN --out SITE.brec [options]",
    "Makes a receptor file of a structure (PDB, mmCIF, Mol2, PDBQT; .gz too): one alternate "
    "location,\n"
    "no waters, Mol2 types as the forcefield knows them, and a site for `berth dock`.  Standard\n"
    "residues are typed by a table, for pH 7.4; Open Babel is asked only about cofactors that the\n"
    "table lacks.  Hydrogens play no part in the energy and need not be there.\n"
    "RESIDUES are named as NAME, CHAIN:NUMBER (:NUMBER in a blank chain), CHAIN: (all of it) or\n"
    "NAME:CHAIN:NUMBER, with commas between several."};

const struct berth_option PREP_RECEPTOR_OPTIONS[] = {
    {.help = "Input"},
    {"IN", BERTH_FIELD(struct prep_receptor_values, inputs),
     .help = "the structure; - for standard input", .required = true},
    {"format", BERTH_FIELD(struct prep_receptor_values, format), .argument = "F",
     .help = "of IN: pdb, pdbqt, mmcif or mol2", .fallback = "by its ending"},
    {"forcefield", BERTH_FIELD(struct prep_receptor_values, forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff) that must know every type",
     .fallback = "built in: by-atom-2017"},
    {.help = "What becomes the receptor"},
    {"ligand_id", BERTH_FIELD(struct prep_receptor_values, ligand_id), .argument = "RESIDUE",
     .help = "the ligand: cut out of the receptor; the site lies about it where no other is given",
     .fallback = "none"},
    {"keep", BERTH_FIELD(struct prep_receptor_values, keep), .argument = "RESIDUES",
     .help = "keep these though they are crystallisation additives (sulfate, glycerol, PEG, "
             "chloride ...) or dropped by name; all: every additive",
     .fallback = "cofactors and metals, no additives"},
    {"drop", BERTH_FIELD(struct prep_receptor_values, drop), .argument = "RESIDUES",
     .help = "leave these out; hetero: all but protein and nucleic acid", .fallback = "none"},
    {"keep_waters", BERTH_FIELD(struct prep_receptor_values, keep_waters), .argument = "RESIDUES",
     .help = "waters to keep", .fallback = "none"},
    {"keep_waters_within", BERTH_FIELD(struct prep_receptor_values, keep_waters_within),
     .argument = "D", .help = "keep waters this near to the ligand, else to the site", .unit = "Å",
     .min = 0, .max = 100, .fallback = "none"},
    {"keep_types", BERTH_FIELD(struct prep_receptor_values, keep_types),
     .help = "leave the types of a Mol2 file as they are"},
    {.help = "Site: the box in which the centroid of a ligand's heavy atoms may lie"},
    {"autobox_ligand", BERTH_FIELD(struct prep_receptor_values, autobox_ligand), .argument = "FILE",
     .help = "a box about this molecule (Mol2, SDF, PDB, PDBQT)",
     .fallback = "about the ligand that --ligand_id cuts out"},
    {"autobox_add", BERTH_FIELD(struct prep_receptor_values, autobox_add), .argument = "LENGTH",
     .help = "margin of a box about a ligand or residues", .unit = "Å", .min = 0.1, .max = 100},
    {"center_x", BERTH_FIELD(struct prep_receptor_values, center[0]), .argument = "X",
     .fallback = "", .help = "centre of the box", .unit = "Å", .min = -10000, .max = 10000},
    {"center_y", BERTH_FIELD(struct prep_receptor_values, center[1]), .argument = "Y",
     .fallback = "", .help = "", .unit = "Å", .min = -10000, .max = 10000},
    {"center_z", BERTH_FIELD(struct prep_receptor_values, center[2]), .argument = "Z",
     .fallback = "", .help = "", .unit = "Å", .min = -10000, .max = 10000},
    {"size_x", BERTH_FIELD(struct prep_receptor_values, size[0]), .argument = "A", .fallback = "",
     .help = "full edges of the box, above 0", .unit = "Å", .min = 0, .max = 1000},
    {"size_y", BERTH_FIELD(struct prep_receptor_values, size[1]), .argument = "B", .fallback = "",
     .help = "", .unit = "Å", .min = 0, .max = 1000},
    {"size_z", BERTH_FIELD(struct prep_receptor_values, size[2]), .argument = "C", .fallback = "",
     .help = "", .unit = "Å", .min = 0, .max = 1000},
    {"residues", BERTH_FIELD(struct prep_receptor_values, residues), .argument = "RESIDUES",
     .help = "a box around these, wider by autobox_add on each side", .fallback = "none"},
    {"site", BERTH_FIELD(struct prep_receptor_values, site), .argument = "scan",
     .help = "look for pockets over the whole receptor: writes SITE_1.brec, SITE_2.brec ..., best "
             "first, and SITE_sites.csv",
     .fallback = "no scan"},
    {"sites", BERTH_FIELD(struct prep_receptor_values, sites), .argument = "N",
     .help = "how many of them, at most", .min = 1, .max = 1000},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct prep_receptor_values, out), .argument = "SITE.brec",
     .help = "receptor file to write", .required = true},
    {"overwrite", BERTH_FIELD(struct prep_receptor_values, overwrite),
     .help = "replace receptor files that are there already"},
    {"reference", BERTH_FIELD(struct prep_receptor_values, reference), .argument = "FILE",
     .help = "write the ligand that was cut out as Mol2, with bonds by Open Babel (as single bonds "
             "where that is not installed)",
     .fallback = "none"},
    {"mol2", BERTH_FIELD(struct prep_receptor_values, mol2), .argument = "FILE",
     .help = "write the receptor's typed heavy atoms as Mol2 too, to look at (all bonds single)",
     .fallback = "none"},
    {"config", BERTH_FIELD(struct prep_receptor_values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    {0}};

static enum berth_status check_arguments(const struct prep_receptor_values *values,
                                         struct berth_error *error)
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
                                     {"autobox_ligand", values->autobox_ligand, false},
                                     {"out", values->out, true},
                                     {"reference", values->reference, true},
                                     {"mol2", values->mol2, true}};
    const enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    return status         ? status
           : values->site ? prep_receptor_check_scan(values, error)
                          : cli_check_new(values->out, values->overwrite, error);
}

static enum berth_status read_structure(struct prep_receptor *prep, struct berth_error *error)
{
    const struct prep_receptor_values *values = prep->values;
    const char *path = values->inputs.items[0];
    enum berth_structure_format format =
        berth_structure_format_of(values->format ? values->format : path);
    if (values->format && format == BERTH_STRUCTURE_UNKNOWN) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--format: %s is not known; pdb, pdbqt, mmcif and mol2 are",
                          values->format);
    }
    enum berth_status status = berth_structure_read(path, format, &prep->structure, error);
    size_t alternates = 0;
    if (!status) {
        cli_say("%s: %zu atoms", path, prep->structure.count);
        if (prep->structure.models > 1) {
            cli_say("the first of %zu models is used", prep->structure.models);
        }
        status = berth_alternates_resolve(&prep->structure, &alternates, error);
    }
    if (!status && alternates) {
        cli_say("alternate locations: the one of highest occupancy, in %zu residue%s", alternates,
                alternates == 1 ? "" : "s");
    }
    return status;
}

/* The ligand's bonds: from Open Babel, else single ones, and says so. */
static enum berth_status make_reference(struct prep_receptor *prep, struct berth_error *error)
{
    if (!prep->ligand.count) {
        return BERTH_OK;
    }
    struct berth_error why;
    if (!prep->values->reference) { /* for its place alone, bonds do not matter */
        return berth_plain_molecule(&prep->ligand, &prep->reference, error);
    }
    if (berth_perceive_molecule(&prep->ligand, &prep->reference, &why)) {
        cli_say("warning: the reference has single bonds only: %s", why.message);
        return berth_plain_molecule(&prep->ligand, &prep->reference, error);
    }
    return BERTH_OK;
}

static enum berth_status type_atoms(struct prep_receptor *prep, struct berth_error *error)
{
    struct berth_typing typing = {0};
    size_t perceived = 0;
    if (!prep->values->keep_types) {
        berth_receptor_type(&prep->structure, &typing);
    }
    enum berth_status status = berth_perceive_types(&prep->structure, &perceived, error);
    if (status) {
        return status;
    }
    if (typing.epsilon + typing.charged) {
        cli_say("histidines: %zu with the hydrogen on NE2, %zu with both, the others on "
                "ND1",
                typing.epsilon, typing.charged);
    }
    if (typing.changed) {
        cli_say("types: %zu differ from the file's (--keep_types keeps those)", typing.changed);
    }
    if (perceived) {
        cli_say("types: %zu atoms by Open Babel", perceived);
    }
    return BERTH_OK;
}

/* Makes the receptor, and sees to it that the forcefield knows all of its types. */
static enum berth_status make_receptor(struct prep_receptor *prep, struct berth_error *error)
{
    const struct prep_receptor_values *values = prep->values;
    struct berth_gatherer warnings = {.next = cli_log()};
    const struct berth_log log = berth_gather(&warnings);
    struct berth_forcefield forcefield = {0};
    struct berth_heavy_atoms heavy = {0};
    struct berth_receptor *receptor = &prep->receptor;
    enum berth_status status = berth_bhff_read(values->forcefield, &log, &forcefield, error);
    if (!status) {
        status = berth_receptor_from_structure(&prep->structure, receptor, error);
    }
    if (!status) {
        status = berth_forcefield_assign(&forcefield, &receptor->molecule, &log, &heavy, error);
        if (status == BERTH_E_TYPE) {
            berth_fail_in(error, "leave the residue out with --drop, or");
        }
    }
    if (!status && !heavy.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: the receptor has no heavy atoms",
                            values->inputs.items[0]);
    }
    if (!status) {
        receptor->source = berth_copy_text(values->inputs.items[0]);
        receptor->forcefield = berth_copy_text(forcefield.name);
        receptor->forcefield_hash = berth_forcefield_hash(&forcefield);
        if (!receptor->source || !receptor->forcefield) {
            status = berth_fail(error, BERTH_E_MEMORY, "out of memory");
        }
    }
    berth_gatherer_flush(&warnings);
    berth_heavy_atoms_clear(&heavy);
    berth_forcefield_clear(&forcefield);
    return status;
}

static enum berth_status write_receptor(struct prep_receptor *prep, struct berth_error *error)
{
    const struct prep_receptor_values *values = prep->values;
    const struct berth_receptor *receptor = &prep->receptor;
    if (values->site) {
        return prep_receptor_scan(prep, error);
    }
    enum berth_status status = berth_receptor_write(values->out, receptor, error);
    if (!status && receptor->has_site) {
        cli_say("%s: %zu heavy atoms, site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f "
                "\xc3\x85",
                values->out, receptor->molecule.atom_count, receptor->center[0],
                receptor->center[1], receptor->center[2], receptor->size[0], receptor->size[1],
                receptor->size[2]);
    } else if (!status) {
        cli_say("%s: %zu heavy atoms, no site", values->out, receptor->molecule.atom_count);
    }
    return status;
}

static enum berth_status check_structure(const struct prep_receptor *prep,
                                         struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = cli_log()};
    const struct berth_log log = berth_gather(&warnings);
    const enum berth_status status = berth_receptor_check(&prep->structure, &log, error);
    berth_gatherer_flush(&warnings);
    return status;
}

static enum berth_status prepare(struct prep_receptor *prep, struct berth_error *error)
{
    const struct prep_receptor_values *values = prep->values;
    enum berth_status status = check_arguments(values, error);
    if (!status) {
        status = read_structure(prep, error);
    }
    if (!status) {
        status = prep_receptor_select(prep, error);
    }
    if (!status) {
        status = check_structure(prep, error);
    }
    if (!status) {
        status = make_reference(prep, error);
    }
    if (!status) {
        status = type_atoms(prep, error);
    }
    if (!status) {
        status = make_receptor(prep, error);
    }
    if (!status) {
        status = prep_receptor_site(prep, error);
    }
    if (!status) {
        status = write_receptor(prep, error);
    }
    if (!status && values->reference) {
        status = berth_mol2_write_one(values->reference, &prep->reference, error);
    }
    if (!status && values->mol2) {
        status = berth_bonds_by_distance(&prep->receptor.molecule, error);
    }
    if (!status && values->mol2) {
        status = berth_mol2_write_one(values->mol2, &prep->receptor.molecule, error);
    }
    return status;
}

int cmd_prep_receptor(int argc, char **argv)
{
    struct prep_receptor_values values = {.autobox_add = 4, .sites = 5};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, PREP_RECEPTOR_OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct prep_receptor prep = {.values = &values, .parsed = &parsed};
        code = prepare(&prep, &error) ? cli_fatal(&error) : CLI_DONE;
        berth_structure_clear(&prep.structure);
        berth_structure_clear(&prep.ligand);
        berth_molecule_clear(&prep.reference);
        berth_receptor_clear(&prep.receptor);
    }
    berth_parsed_clear(&parsed);
    return code;
}
