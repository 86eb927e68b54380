/* The options of `berth dock`, and the site that they describe. */
#include <math.h>
#include <string.h>

#include "cli/dock.h"

const struct berth_option DOCK_OPTIONS[] = {
    {.help = "Input"},
    {"receptor", BERTH_FIELD(struct dock_values, receptor), .argument = "FILE",
     .help = "receptor, Mol2", .required = true},
    {"ligand", BERTH_FIELD(struct dock_values, ligand), .argument = "FILE",
     .help = "ligands, Mol2 with one or many molecules (.gz too; - for standard input)",
     .required = true},
    {"forcefield", BERTH_FIELD(struct dock_values, forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},
    {"reference", BERTH_FIELD(struct dock_values, reference), .argument = "FILE",
     .help = "known pose to give RMSDs to, Mol2", .fallback = "none"},
    {"separate", BERTH_FIELD(struct dock_values, separate),
     .help = "dock every molecule by itself (else consecutive molecules with the same title, a "
             "trailing _C<digits> or _conf<digits> aside, and the same atoms and bonds are "
             "conformers of one ligand and compete)"},
    {.help = "Site: the box in which the centroid of the ligand's heavy atoms may lie"},
    {"center_x", BERTH_FIELD(struct dock_values, center[0]), .argument = "X", .fallback = "",
     .help = "centre of the box", .unit = "Å", .min = -10000, .max = 10000},
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
     .help = "instead of centre and size: a box about the centroid of this molecule (Mol2), with "
             "half edges of autobox_add plus half of the molecule's own half extent",
     .fallback = "none"},
    {"autobox_add", BERTH_FIELD(struct dock_values, autobox_add), .argument = "LENGTH",
     .help = "margin of that box", .unit = "Å", .min = 0.1, .max = 100},
    {.help = "Search"},
    {"poses", BERTH_FIELD(struct dock_values, poses), .argument = "N",
     .help = "poses of a conformer in each generation", .min = 1, .max = BERTH_POSES_MAX},
    {"generations", BERTH_FIELD(struct dock_values, generations), .argument = "N",
     .help = "generations, the random first one included", .min = 1, .max = BERTH_GENERATIONS_MAX},
    {"parents", BERTH_FIELD(struct dock_values, parents), .argument = "N",
     .help = "poses that may have children; a conformer gives at most so many modes", .min = 1,
     .max = BERTH_KEEP},
    {"seed", BERTH_FIELD(struct dock_values, seed), .argument = "N",
     .help = "the same seed on the same device gives the same result, to the byte"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct dock_values, out), .argument = "FILE",
     .help = "poses with all atoms, bonds and scores: .sdf or .mol2", .required = true},
    {"scores", BERTH_FIELD(struct dock_values, scores), .argument = "FILE",
     .help = "CSV: ligand,conformer,mode,energy,steric,electrostatic,desolvation,rmsd",
     .fallback = "none"},
    {"failures", BERTH_FIELD(struct dock_values, failures), .argument = "FILE",
     .help = "CSV of the ligands that failed, with the reasons",
     .fallback = "failures.csv beside --scores, else beside --out"},
    {"num_modes", BERTH_FIELD(struct dock_values, num_modes), .argument = "N",
     .help = "poses to give for each ligand, at most", .min = 1, .max = 10000},
    {"min_rmsd", BERTH_FIELD(struct dock_values, min_rmsd), .argument = "D",
     .help = "RMSD between these poses, at least (heavy atoms, symmetry-corrected)", .unit = "Å",
     .min = 0, .max = 100},
    {"energy_range", BERTH_FIELD(struct dock_values, energy_range), .argument = "E",
     .help = "give no pose this much above the best", .unit = "kJ/mol", .min = 0, .max = 1e6,
     .fallback = "any"},
    {.help = "Device"},
    {"device", BERTH_FIELD(struct dock_values, device), .argument = "D",
     .help = "number or part of a name, as `berth devices` prints them, or all",
     .fallback = "the fastest-looking GPU, else a CPU"},
    {"batch", BERTH_FIELD(struct dock_values, batch), .argument = "N",
     .help = "conformers in one launch; does not change the result", .fallback = "by device",
     .min = 1, .max = 1000000},
    {"wgsize", BERTH_FIELD(struct dock_values, wgsize), .argument = "N",
     .help = "work-items in a work-group of the energy kernel; does not change the result",
     .fallback = "by device", .min = 1, .max = 65536},
    {"ppwi", BERTH_FIELD(struct dock_values, ppwi), .argument = "N",
     .help = "poses (on CPUs: vectors of poses) per work-item; does not change the result",
     .fallback = "by device", .min = 1, .max = 16},
    {"vector_width", BERTH_FIELD(struct dock_values, vector_width), .argument = "N",
     .help = "poses in a vector: 1, 2, 4, 8 or 16", .fallback = "by device", .min = 1, .max = 16},
    {"config", BERTH_FIELD(struct dock_values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    {0}};

struct dock_values dock_defaults(void)
{
    const struct berth_search_settings search = berth_search_defaults();
    return (struct dock_values){.autobox_add = 4,
                                .min_rmsd = 1,
                                .energy_range = INFINITY,
                                .poses = (long long)search.poses,
                                .generations = (long long)search.generations,
                                .parents = (long long)search.parents,
                                .num_modes = 9,
                                .batch = 0,
                                .wgsize = -1,
                                .ppwi = -1,
                                .vector_width = -1,
                                .seed = search.seed};
}

static const char *const BOX[] = {"center_x", "center_y", "center_z", "size_x", "size_y", "size_z"};

/* A box about the reference: half edges of add plus half of its own half extent. */
static enum berth_status autobox(const char *path, double add, struct berth_site *site,
                                 struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    enum berth_status status = berth_mol2_read_one(path, true, &molecule, error);
    if (!status && !berth_heavy_centroid(&molecule, site->center)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no heavy atoms to put a box about", path);
    }
    for (int k = 0; !status && k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < molecule.atom_count; i++) {
            if (molecule.atoms[i].heavy) {
                low = fmin(low, molecule.atoms[i].position[k]);
                high = fmax(high, molecule.atoms[i].position[k]);
            }
        }
        site->size[k] = 2 * (add + (high - low) / 4);
    }
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status dock_site(const struct dock_values *values, const struct berth_parsed *parsed,
                            struct berth_site *site, struct berth_error *error)
{
    size_t given = 0;
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof BOX / sizeof *BOX; i++) {
        if (berth_options_given(DOCK_OPTIONS, parsed, BOX[i])) {
            given++;
        } else if (!missing) {
            missing = BOX[i];
        }
    }
    if (values->autobox_ligand) {
        return given ? berth_fail(error, BERTH_E_USAGE,
                                  "give either --autobox_ligand or centre and size, not both")
                     : autobox(values->autobox_ligand, values->autobox_add, site, error);
    }
    if (missing) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--%s is missing: a site needs --center_x/y/z and --size_x/y/z, or "
                          "--autobox_ligand",
                          missing);
    }
    for (int k = 0; k < 3; k++) {
        if (values->size[k] <= 0) {
            return berth_fail(error, BERTH_E_USAGE, "--%s: an edge of 0 Å; it must be above 0",
                              BOX[3 + k]);
        }
    }
    memcpy(site->center, values->center, sizeof site->center);
    memcpy(site->size, values->size, sizeof site->size);
    return BERTH_OK;
}
