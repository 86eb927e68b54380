/* berth interactions: what poses and their receptor do to each other. */
#include "cli/common.h"
#include "cli/receptors.h"
#include "cli/rows.h"

static const struct cli_usage USAGE = {
    "interactions",
    "--receptor R.brec|R.pdb|R.mol2 --poses POSES.sdf|POSES.mol2 --out FILE|-\n"
    "       berth interactions --receptor COMPLEX.pdb --ligand_id RESIDUE --out FILE|-",
    "Lists the interactions of each pose with the receptor, by geometry: hydrogen bonds, salt\n"
    "bridges, metals, halogen bonds, stacked rings, cations over rings, hydrophobic contacts.\n"
    "Without --poses those of the receptor's own ligand, where it stands.\n"
    "One CSV row for each; docs/interactions.md has the criteria, which are PLIP's."};

static const struct berth_option OPTIONS[] = {
    {"receptor", BERTH_FIELD(struct berth_pose_table, receptor), .argument = "FILE",
     .help = CLI_RECEPTOR_HELP, .required = true},
    {"ligand_id", BERTH_FIELD(struct berth_pose_table, asked.ligand_id), .argument = "RESIDUE",
     .help = "a ligand to cut out of the receptor, as `berth dock --ligand_id` does; without "
             "--poses it is the pose",
     .fallback = "what the run of the poses cut out, else the ligand that one of them lies in the "
                 "place of"},
    {"ligand_smiles", BERTH_FIELD(struct berth_pose_table, ligand_smiles), .argument = "SMILES",
     .help = "of the ligand that --ligand_id cuts out: its bonds, where it is the pose",
     .fallback = "perceived bonds, which are printed"},
    {"poses", BERTH_FIELD(struct berth_pose_table, poses), .argument = "FILE",
     .help = "poses with all hydrogens, SDF or Mol2, in the receptor's frame",
     .fallback = "the ligand that ligand_id cuts out, where it stands"},
    {"out", BERTH_FIELD(struct berth_pose_table, out), .argument = "FILE",
     .help = "CSV file to write, or - for standard output", .required = true},
    {"kinds", BERTH_FIELD(struct berth_pose_table, kinds), .argument = "LIST",
     .help = "only these: hydrogen_bond, salt_bridge, metal, halogen_bond, stacking, stacking_t, "
             "cation_pi, hydrophobic, contact (the nearest atoms of each residue within 4 Å); "
             "separated by commas",
     .fallback = "all but contact"},
    {"require", BERTH_FIELD(struct berth_pose_table, require), .argument = "LIST",
     .help = CLI_REQUIRE_HELP "; how many do is said in the end", .fallback = "any"},
    {"view", BERTH_FIELD(struct berth_pose_table, view), .argument = "V", .words = "pymol chimerax",
     .help = "pymol or chimerax: a script beside --out that opens receptor, site, reference and "
             "poses, with their interactions drawn",
     .fallback = "none"},
    {"reference", BERTH_FIELD(struct berth_pose_table, reference), .argument = "FILE",
     .help = "molecule that the script opens, too", .fallback = "none"},
    {"failures", BERTH_FIELD(struct berth_pose_table, failures), .argument = "FILE",
     .help = "CSV file for the poses that failed", .fallback = "messages only"},
    CLI_CONFIG_ROW,
    {0}};

/* Without poses it is the receptor's own ligand, of which there is no file. */
static enum berth_status check_poses(const struct berth_pose_table *table,
                                     struct berth_error *error)
{
    if (table->poses) {
        return table->ligand_smiles
                   ? berth_fail_option(error, BERTH_E_USAGE, "ligand_smiles",
                                       "ligand_smiles: gives the bonds of the ligand that "
                                       "ligand_id cuts out, where that is taken; %s is",
                                       table->poses)
                   : BERTH_OK;
    }
    if (!table->asked.ligand_id) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--poses must be given, or --ligand_id, to list the interactions of the "
                          "receptor's own ligand where it stands");
    }
    const char *option = table->view ? "view" : table->failures ? "failures" : NULL;
    return option ? berth_fail_option(error, BERTH_E_USAGE, option,
                                      "%s: needs --poses; `berth prep receptor %s --ligand_id %s "
                                      "--reference known.mol2 --out site.brec` writes the ligand "
                                      "to a file that is one",
                                      option, table->receptor, table->asked.ligand_id)
                  : BERTH_OK;
}

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    struct berth_pose_table *table = context;
    size_t failed = 0;
    struct berth_run_card run = {.failed = false};
    enum berth_status status = check_poses(table, error);
    BERTH_THEN(cli_receptors_pose_table(table, &run, error));
    BERTH_THEN(berth_interaction_table_write(table, &failed, error));
    berth_run_card_clear(&run);
    *code = failed ? CLI_SOME_FAILED : CLI_DONE;
    return status;
}

int cmd_interactions(int argc, char **argv)
{
    struct berth_pose_table table = {0};
    return cli_run(&USAGE, OPTIONS, &table, execute, argc, argv);
}
