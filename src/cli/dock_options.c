/* The options of `berth dock`, and the site that they describe. */
#include <math.h>
#include <string.h>

#include "cli/dock.h"
#include "cli/site.h"
#include "format/poses.h"

const struct berth_option DOCK_OPTIONS[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(struct dock_values, receptor), .argument = "FILE", .letter = 'r',
     .help = CLI_RECEPTOR_HELP, .required = true},
    {"ligand", BERTH_FIELD(struct dock_values, ligand), .argument = "FILE", .letter = 'l',
     .help =
         "ligands: Mol2 with one or many molecules (- for standard input) as they stand; SMILES, "
         "SDF, PDB and more by their endings, prepared on the way as by `berth prep ligands` "
         "without options (all .gz too); or a library (.blib)",
     .required = true},
    CLI_FORCEFIELD_ROWS(struct dock_values),
    {"reference", BERTH_FIELD(struct dock_values, reference), .argument = "FILE",
     .help = "known pose to give RMSDs to (Mol2, SDF, PDB, PDBQT)", .fallback = "none"},
    {"separate", BERTH_FIELD(struct dock_values, separate),
     .help = "dock every molecule by itself (else consecutive molecules with the same title, a "
             "trailing _C<digits> or _conf<digits> aside, and the same atoms and bonds are "
             "conformers of one ligand and compete)"},
    {.help = "Site: the box in which the centroid of the ligand's heavy atoms may lie"},
    {"center_x", BERTH_FIELD(struct dock_values, center[0]), .argument = "X",
     .fallback = "the one that a .brec receptor brings", .help = "centre of the box", .unit = "Å",
     .min = -10000, .max = 10000},
    {"center_y", BERTH_FIELD(struct dock_values, center[1]), .argument = "Y", .fallback = "",
     .help = "", .unit = "Å", .min = -10000, .max = 10000},
    {"center_z", BERTH_FIELD(struct dock_values, center[2]), .argument = "Z", .fallback = "",
     .help = "", .unit = "Å", .min = -10000, .max = 10000},
    {"size_x", BERTH_FIELD(struct dock_values, size[0]), .argument = "A", .fallback = "",
     .help = "full edges of the box, above 0", .unit = "Å", .min = 0, .max = 1000},
    {"size_y", BERTH_FIELD(struct dock_values, size[1]), .argument = "B", .fallback = "",
     .help = "", .unit = "Å", .min = 0, .max = 1000},
    {"size_z", BERTH_FIELD(struct dock_values, size[2]), .argument = "C", .fallback = "",
     .help = "", .unit = "Å", .min = 0, .max = 1000},
    {"autobox_ligand", BERTH_FIELD(struct dock_values, autobox_ligand), .argument = "FILE",
     .help =
         "instead of centre and size: a box about the centroid of this molecule (Mol2, SDF, PDB, "
         "PDBQT), with half edges of autobox_add plus half of the molecule's own half extent",
     .fallback = "none"},
    {"autobox_add", BERTH_FIELD(struct dock_values, autobox_add), .argument = "LENGTH",
     .help = "margin of that box", .unit = "Å", .min = 0.1, .max = 100},
    {.help = "Search"},
    CLI_SEARCH_ROWS(struct dock_values),
    {"seed", BERTH_FIELD(struct dock_values, seed), .argument = "N",
     .help = "the same seed on the same device gives the same result, to the byte"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct dock_values, out), .argument = "FILE", .letter = 'o',
     .help = "poses with all atoms, bonds and scores (.gz too)", .list = berth_pose_endings,
     .required = true},
    {"scores", BERTH_FIELD(struct dock_values, scores), .argument = "FILE",
     .help =
         "CSV, a row a pose: score (what ranks: energy + strain + W x conformer_strain), energy "
         "and its terms, efficiency (energy for each heavy atom), strain (by torsions that "
         "were refined), rmsd and more",
     .fallback = "none"},
    {"failures", BERTH_FIELD(struct dock_values, failures), .argument = "FILE",
     .help = "CSV of the ligands that failed, with the reasons",
     .fallback = "NAME.failures.csv for --out NAME.sdf"},
    {"num_modes", BERTH_FIELD(struct dock_values, num_modes), .argument = "N",
     .help = "poses to give for each ligand, at most", .min = 1, .max = 10000},
    {"min_rmsd", BERTH_FIELD(struct dock_values, min_rmsd), .argument = "D",
     .help = "RMSD between these poses, at least (heavy atoms, symmetry-corrected)", .unit = "Å",
     .min = 0, .max = 100},
    {"energy_range", BERTH_FIELD(struct dock_values, energy_range), .argument = "E",
     .help = "give no pose this much above the best", .unit = "kJ/mol or PLP", .min = 0, .max = 1e6,
     .fallback = "any"},
    {"max_clash", BERTH_FIELD(struct dock_values, max_clash), .argument = "D",
     .help = CLI_MAX_CLASH_HELP, .unit = "Å", .min = 0, .max = 100, .fallback = "any"},
    {"strain_weight", BERTH_FIELD(struct dock_values, strain_weight), .argument = "W",
     .help = "rank poses by energy + strain + W x conformer_strain, for ligands of a "
             "library, and such as are prepared on the way",
     .min = 0, .max = 100},
    {.help = "Device"},
    {"device", BERTH_FIELD(struct dock_values, device), .argument = "D", .help = CLI_DEVICES_HELP,
     .fallback = "all of the kind that looks fastest"},
    CLI_CPU_ROW(struct dock_values),
    {"batch", BERTH_FIELD(struct dock_values, batch), .argument = "N",
     .help = "conformers in one launch; does not change the result", .fallback = "by device",
     .min = 1, .max = 1000000},
    {"batch_limit", BERTH_FIELD(struct dock_values, batch_limit), .argument = "T",
     .help = "a device that takes longer than this for one launch of conformers is dropped",
     .unit = "s", .min = 0.001, .max = 1e9},
    {"check", BERTH_FIELD(struct dock_values, check), .argument = "N",
     .help = "hold energies of each device's first batch and every N-th against the reference; a "
             "device that computes wrongly is dropped; 0: none",
     .min = 0, .max = 1e9},
    {"variant", BERTH_FIELD(struct dock_values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"profile", BERTH_FIELD(struct dock_values, profile),
     .help = "print the device time of each kernel"},
    {"config", BERTH_FIELD(struct dock_values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    /* What AutoDock Vina has. */
    {"exhaustiveness", BERTH_OPTION_FOREIGN,
     .help = "--search fast, balanced, thorough or published says how much to search"},
    {"score_only", BERTH_OPTION_FOREIGN,
     .help = "`berth score` gives the energies of poses as they stand"},
    {"local_only", BERTH_OPTION_FOREIGN,
     .help = "`berth score --minimize` lets poses go downhill from where they stand"},
    {"verbosity", BERTH_OPTION_FOREIGN,
     .help = "leave it out, and send standard output to /dev/null where nothing is to be seen"},
    {0}};

struct dock_values dock_defaults(void)
{
    return (struct dock_values){.forcefield = berth_scoring_defaults(),
                                .autobox_add = 4,
                                .min_rmsd = 1,
                                .energy_range = INFINITY,
                                .max_clash = INFINITY,
                                .search = cli_search_defaults("balanced"),
                                .num_modes = 9,
                                .batch_limit = 600,
                                .check = 100,
                                .seed = 1};
}

enum berth_status dock_site(const struct dock_values *values, const struct berth_parsed *parsed,
                            const struct berth_typed_receptor *receptor, struct berth_site *site,
                            struct berth_error *error)
{
    struct cli_site_request request = {.table = DOCK_OPTIONS,
                                       .parsed = parsed,
                                       .autobox_ligand = values->autobox_ligand,
                                       .autobox_add = values->autobox_add};
    memcpy(request.box.center, values->center, sizeof request.box.center);
    memcpy(request.box.size, values->size, sizeof request.box.size);
    return cli_site_of(&request, receptor, site, error);
}
