/* berth prep: the table of what it prepares. */
#include "cli/prep.h"

static const struct cli_command COMMANDS[] = {
    {"ligands", "molecules of any format to a library of conformers (.blib)", cmd_prep_ligands},
    {"receptor", "a structure (PDB, mmCIF, Mol2, PDBQT) to a receptor with a site (.brec)",
     cmd_prep_receptor},
    {NULL, NULL, NULL}};

int cmd_prep(int argc, char **argv)
{
    return cli_run_one_of("prep", COMMANDS, argc, argv);
}
