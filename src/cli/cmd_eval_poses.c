/* berth eval poses: whether poses could be molecules in a protein. */
#include <string.h>

#include "cli/common.h"
#include "cli/receptors.h"
#include "cli/run_lines.h"
#include "cli/rows.h"

static const struct cli_usage USAGE = {
    "eval poses", "--receptor R.brec|R.pdb|R.mol2 --poses POSES.sdf --out FILE|-",
    "Checks each pose as PoseBusters does: chemistry, bond lengths and angles, flat and puckered\n"
    "rings, clashes within and with the receptor, internal energy, and the stereo of its SMILES\n"
    "(tag smiles).  One CSV row a pose: valid, the checks that failed, and what they looked at;\n"
    "docs/validity.md has the limits.  It needs RDKit."};

static const struct berth_option OPTIONS[] = {
    {"receptor", BERTH_FIELD(struct berth_pose_table, receptor), .argument = "FILE",
     .help = CLI_RECEPTOR_HELP, .required = true},
    {"ligand_id", BERTH_FIELD(struct berth_pose_table, asked.ligand_id), .argument = "RESIDUE",
     .help = "a ligand to cut out of the receptor, as `berth dock --ligand_id` does",
     .fallback = "what the run of the poses cut out, else the ligand that one of them lies in the "
                 "place of"},
    {"poses", BERTH_FIELD(struct berth_pose_table, poses), .argument = "FILE",
     .help = "poses with all hydrogens, SDF, in the receptor's frame", .required = true},
    {"out", BERTH_FIELD(struct berth_pose_table, out), .argument = "FILE",
     .help = "CSV file to write, or - for standard output", .required = true},
    {"valid", BERTH_FIELD(struct berth_pose_table, valid), .argument = "FILE",
     .help = "SDF file for the poses that pass all checks, as they are", .fallback = "none"},
    {"conformers", BERTH_FIELD(struct berth_pose_table, conformers), .argument = "N",
     .help = "conformers that a pose's internal energy is held against; 0: leave that out, which "
             "takes a hundredth of the time",
     .min = 0, .max = 1000},
    {"failures", BERTH_FIELD(struct berth_pose_table, failures), .argument = "FILE",
     .help = "CSV file for the poses that could not be checked", .fallback = "messages only"},
    CLI_CONFIG_ROW,
    {0}};

static void print_sums(const struct berth_validity_sums *sums)
{
    printf("%zu of %zu pose%s all checks\n", sums->valid, sums->poses,
           sums->poses == 1 ? " passes" : "s pass");
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        if (sums->failed[i]) {
            printf("%6zu %s\n", sums->failed[i], BERTH_VALIDITY_CHECK[i]);
        }
    }
}

static bool tend(void *context, const struct berth_progress *progress)
{
    if (progress->computed) {
        cli_progress_hide(context);
    } else {
        cli_progress_show(context, progress);
    }
    return false;
}

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    struct berth_pose_table *table = context;
    size_t failed = 0;
    struct berth_run_card run = {.failed = false};
    struct berth_validity_sums sums;
    struct cli_progress_line line = {.what = "pose"};
    table->progress = tend;
    table->context = &line;
    enum berth_status status = cli_receptors_pose_table(table, &run, error);
    if (!status) {
        cli_progress_start(&line, stderr, "");
        status = berth_validity_table_write(table, &failed, &sums, error);
    }
    if (!status && strcmp(table->out, "-") != 0) {
        print_sums(&sums);
        const struct berth_run_named *moved = run.identity.side_chains;
        if (moved->of && *moved->text) {
            cli_print("side chains that moved (%s) stand where each pose has them; whether they "
                      "clash with the rest of the receptor is not checked",
                      moved->text);
        }
    }
    berth_run_card_clear(&run);
    *code = failed ? CLI_SOME_FAILED : CLI_DONE;
    return status;
}

int cmd_eval_poses(int argc, char **argv)
{
    struct berth_pose_table table = {.conformers = 50};
    return cli_run(&USAGE, OPTIONS, &table, execute, argc, argv);
}
