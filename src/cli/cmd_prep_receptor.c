/* berth prep receptor: a structure to a receptor with types and a site. */
#include "base/log.h"
#include "cli/common.h"

static const struct cli_usage USAGE = {
    "prep receptor", "IN --out SITE.brec [options]",
    "Makes a receptor file of a structure (PDB, mmCIF, Mol2, PDBQT; .gz too): one alternate "
    "location,\n"
    "no waters, Mol2 types as the forcefield knows them, and a site for `berth dock`.\n"
    "\n"
    "Standard residues are typed by a table, for pH 7.4, what it lacks (cofactors) by RDKit.\n"
    "Hydrogens play no part in the energy and need not be there.  To protonate a residue\n"
    "otherwise, rename it in the file: HIS to HID, HIE or HIP, ASP to ASH, GLU to GLH, LYS to "
    "LYN.\n"
    "\n"
    "RESIDUES are named as NAME, CHAIN:NUMBER (:NUMBER in a blank chain), CHAIN: (all of it),\n"
    "NAME:NUMBER or NAME:CHAIN:NUMBER; commas separate several."};

/* Notes are rows of a table. */
static void take_line(void *context, const struct berth_log_line *line)
{
    (void)context;
    if (line->level == BERTH_LOG_NOTE) {
        cli_print_account(stderr, line->text);
    } else {
        cli_log()->take(cli_log()->context, line);
    }
}

static enum berth_status prepare(void *context, int *code, struct berth_error *error)
{
    const struct berth_options *options = context;
    (void)code;
    const char *input = options->input;
    const struct cli_file files[] = {{"IN", input, false},
                                     {"forcefield", options->forcefield, false},
                                     {"autobox_ligand", options->autobox_ligand, false},
                                     {"out", options->out, true},
                                     {"reference", options->reference, true},
                                     {"mol2", options->mol2, true}};
    BERTH_TRY(cli_check_files(files, sizeof files / sizeof *files, error));
    const struct berth_log rows = {take_line, NULL};
    struct berth_gatherer warnings = {.next = &rows}; /* which stand below the table */
    const struct berth_log log = berth_gather(&warnings);
    const enum berth_status status = berth_prepare_receptor(input, options, &log, error);
    berth_gatherer_flush(&warnings);
    return status;
}

int cmd_prep_receptor(int argc, char **argv)
{
    return cli_run_options(&USAGE, prepare, argc, argv);
}
