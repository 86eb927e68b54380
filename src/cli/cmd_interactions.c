/* berth interactions: what poses and their receptor do to each other. */
#include "cli/common.h"
#include "cli/receptors.h"
#include "options/rows.h"
#include "report/pose_tables.h"

struct values {
    const char *receptor, *ligand_id, *poses, *out, *kinds, *require, *view, *reference, *failures;
};

static const struct cli_usage USAGE = {
    "interactions", "--receptor R.brec|R.pdb|R.mol2 --poses POSES.sdf|POSES.mol2 --out FILE|-",
    "Lists the interactions of each pose with the receptor, by geometry: hydrogen bonds, salt\n"
    "bridges, metals, halogen bonds, stacked rings, cations over rings, hydrophobic contacts.\n"
    "One CSV row for each; docs/interactions.md has the criteria, which are PLIP's."};

static const struct berth_option OPTIONS[] = {
    {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE",
     .help = BERTH_RECEPTOR_HELP, .required = true},
    {"ligand_id", BERTH_FIELD(struct values, ligand_id), .argument = "RESIDUE",
     .help = "a ligand to cut out of the receptor, as `berth dock --ligand_id` does",
     .fallback = "what the run of the poses cut out, else the ligand that one of them lies in the "
                 "place of"},
    {"poses", BERTH_FIELD(struct values, poses), .argument = "FILE",
     .help = "poses with all hydrogens, SDF or Mol2, in the receptor's frame", .required = true},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE",
     .help = "CSV file to write, or - for standard output", .required = true},
    {"kinds", BERTH_FIELD(struct values, kinds), .argument = "LIST",
     .help = "only these: hydrogen_bond, salt_bridge, metal, halogen_bond, stacking, stacking_t, "
             "cation_pi, hydrophobic, contact (the nearest atoms of each residue within 4 Å); "
             "separated by commas",
     .fallback = "all but contact"},
    {"require", BERTH_FIELD(struct values, require), .argument = "LIST",
     .help = BERTH_REQUIRE_HELP "; how many do is said in the end", .fallback = "any"},
    {"view", BERTH_FIELD(struct values, view), .argument = "V", .words = "pymol chimerax",
     .help = "pymol or chimerax: a script beside --out that opens receptor, site, reference and "
             "poses, with the hydrogen bonds drawn",
     .fallback = "none"},
    {"reference", BERTH_FIELD(struct values, reference), .argument = "FILE",
     .help = "molecule that the script opens, too", .fallback = "none"},
    {"failures", BERTH_FIELD(struct values, failures), .argument = "FILE",
     .help = "CSV file for the poses that failed", .fallback = "messages only"},
    BERTH_CONFIG_ROW,
    {0}};

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    struct values *values = context;
    size_t failed = 0;
    struct berth_run_cut cut;
    const struct cli_file files[] = {{"receptor", values->receptor, false},
                                     {"poses", values->poses, false},
                                     {"reference", values->reference, false},
                                     {"out", values->out, true},
                                     {"failures", values->failures, true}};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    BERTH_THEN(cli_receptors_cut(values->poses, values->receptor, &cut, &values->ligand_id, error));
    const struct berth_pose_table table = {.receptor = values->receptor,
                                           .ligand_id = values->ligand_id,
                                           .covalent = cut.covalent,
                                           .poses = values->poses,
                                           .out = values->out,
                                           .kinds = values->kinds,
                                           .require = values->require,
                                           .view = values->view,
                                           .reference = values->reference,
                                           .failures = values->failures,
                                           .log = cli_log(),
                                           .stop = cli_stop()};
    if (!status) {
        cli_catch_signals();
        status = berth_interaction_table_write(&table, &failed, error);
    }
    *code = failed ? CLI_SOME_FAILED : CLI_DONE;
    return status;
}

int cmd_interactions(int argc, char **argv)
{
    struct values values = {0};
    return cli_run(&USAGE, OPTIONS, &values, execute, argc, argv);
}
