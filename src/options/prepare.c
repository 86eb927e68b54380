/* The options of `berth prep ligands` and `berth prep receptor`. */
#include "options/rows.h"
#include "options/tables.h"

typedef struct berth_prepare_ligands_request request;

const struct berth_option BERTH_PREPARE_LIGANDS_TABLE[] = {
    {.help = "Input"},
    {"IN...", BERTH_FIELD(request, inputs), .fallback = "",
     .help =
         "files of one or many molecules, in any format that Open Babel reads, or tables (.csv, "
         ".tsv), .gz too; folders of such, @LIST, or - for standard input"},
    {"list", BERTH_FIELD(request, prepare.list), .argument = "FILE", .fallback = "none",
     .help = "a file with the name of an input on each line (@FILE means the same)"},
    BERTH_FORMAT_ROW(request, prepare),
    BERTH_COLUMNS_ROWS(request, prepare),
    {.help = "Preparation (Mol2 with hydrogens and 3D coordinates is taken as it stands)"},
    BERTH_PREPARE_ROWS(request, prepare),
    BERTH_FILTER_ROWS(request, prepare),
    {.help = "Covalent ligands"},
    {"adducts", BERTH_FIELD(request, prepare.adducts), .argument = "RESIDUE",
     .words = "CYS SER THR LYS TYR CYS:given SER:given THR:given LYS:given TYR:given",
     .help = "make of each molecule its adducts with this residue's side chain, from CA on: for "
             "--covalent of dock and screen (RDKit); CYS:given: the molecules are adducts, without "
             "the backbone",
     .fallback = "none"},
    BERTH_WARHEAD_ROWS(request, prepare),
    {"unique", .kind = BERTH_OPTION_FOREIGN, .help = "give --drop_duplicates"},
    {.help = "Output"},
    {"out", BERTH_FIELD(request, prepare.out), .argument = "LIB.blib", .help = "library to write",
     .required = true},
    {"failures", BERTH_FIELD(request, prepare.failures), .argument = "FILE",
     .help = "CSV of what failed or was dropped, with the reasons",
     .fallback = "NAME.failures.csv for --out NAME.blib"},
    BERTH_PROPERTIES_ROW(request, prepare),
    {"forcefield", BERTH_FIELD(request, prepare.forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},
    {"resume", BERTH_FIELD(request, prepare.resume),
     .help = "go on where an earlier run with the same input and options was stopped"},
    {"overwrite", BERTH_FIELD(request, prepare.overwrite),
     .help = "replace a library that is there already, and forget what an earlier run that was "
             "stopped has left"},
    {.help = "Running"},
    {"shard", BERTH_FIELD(request, prepare.shard), .argument = "K/N",
     .help = "prepare only part K (from 1) of N of the input; `berth lib merge` joins the parts",
     .fallback = "all of it"},
    BERTH_JOBS_ROW(request, prepare),
    BERTH_MOLECULE_LIMIT_ROW("time_limit", request, prepare),
    BERTH_MEMORY_ROW(request, prepare),
    {"config", BERTH_OPTION_CONFIG, .argument = "FILE", .fallback = "none",
     .help = "read options from a file: lines `name = value`"},
    {0}};

BERTH_REQUEST(prepare_ligands, BERTH_PREPARE_LIGANDS_TABLE, .prepare.size = sizeof values.prepare)

typedef struct berth_prepare_receptor_request receptor;

const struct berth_option BERTH_PREPARE_RECEPTOR_TABLE[] = {
    {.help = "Input"},
    {"IN", BERTH_FIELD(receptor, inputs), .help = "the structure; - for standard input",
     .required = true, .max = 1},
    {"format", BERTH_FIELD(receptor, prepare.format), .argument = "F",
     .words = "pdb pdbqt mmcif mol2", .help = "of IN: pdb, pdbqt, mmcif or mol2",
     .fallback = "by its ending"},
    {"forcefield", BERTH_FIELD(receptor, prepare.forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff) that must know every type",
     .fallback = "built in: by-atom-2017"},
    {.help = "What becomes the receptor"},
    {"ligand_id", BERTH_FIELD(receptor, prepare.ligand_id), .argument = "RESIDUE",
     .help = "the ligand: cut out of the receptor; the site lies about it where no other is given",
     .fallback = "none"},
    {"keep", BERTH_FIELD(receptor, prepare.keep), .argument = "RESIDUES",
     .help = "keep these though they are crystallisation additives (sulfate, glycerol, PEG, "
             "chloride ...) or dropped by name; all: every additive",
     .fallback = "cofactors and metals, no additives"},
    {"drop", BERTH_FIELD(receptor, prepare.drop), .argument = "RESIDUES",
     .help = "leave these out; hetero: all but protein and nucleic acid", .fallback = "none"},
    {"keep_waters", BERTH_FIELD(receptor, prepare.keep_waters), .argument = "RESIDUES",
     .help =
         "waters to keep; bridging: those that have two hydrogen bonds with the receptor or more "
         "and one with the ligand or more, and are well seen in the crystal",
     .fallback = "none"},
    {"waters", BERTH_FIELD(receptor, prepare.waters),
     .help = "tell which waters at the ligand bridge to it, and why: hydrogen bonds, B factor"},
    {"displaceable_waters", BERTH_FIELD(receptor, prepare.displaceable_waters),
     .argument = "RESIDUES",
     .help = "waters, or bridging, 4 at most: they are kept, and further receptor files are "
             "written without each of them and without several: SITE_no_A301.brec ...",
     .fallback = "none"},
    {"keep_waters_within", BERTH_FIELD(receptor, prepare.keep_waters_within), .argument = "D",
     .help = "keep waters this near to the ligand, else to the site", .unit = "Å", .min = 0,
     .max = 100, .fallback = "none"},
    {"keep_types", BERTH_FIELD(receptor, prepare.keep_types),
     .help = "leave the types of a Mol2 file as they are"},
    {.help = "Site: the box in which the centroid of a ligand's heavy atoms may lie"},
    {"autobox_ligand", BERTH_FIELD(receptor, prepare.box.autobox_ligand), .argument = "FILE",
     .help = "a box about this molecule (Mol2, SDF, PDB, PDBQT)",
     .fallback = "about the ligand that --ligand_id cuts out"},
    {"autobox_add", BERTH_FIELD(receptor, prepare.box.autobox_add), .initial = 4,
     .argument = "LENGTH", .help = "margin of a box about a ligand or residues", .unit = "Å",
     .min = 0.1, .max = 100},
    BERTH_BOX_ROWS(receptor, prepare.box, ""),
    {"residues", BERTH_FIELD(receptor, prepare.residues), .argument = "RESIDUES",
     .help = "a box around these, wider by autobox_add on each side", .fallback = "none"},
    {"site", BERTH_FIELD(receptor, prepare.site), .argument = "scan", .words = "scan",
     .help = "look for pockets over the whole receptor: writes SITE_1.brec, SITE_2.brec ..., best "
             "first, and SITE_sites.csv",
     .fallback = "no scan"},
    {"sites", BERTH_FIELD(receptor, prepare.sites), .initial = 5, .argument = "N",
     .help = "how many of them, at most", .min = 1, .max = 1000},
    {.help = "Output"},
    {"out", BERTH_FIELD(receptor, prepare.out), .argument = "SITE.brec",
     .help = "receptor file to write", .required = true},
    {"overwrite", BERTH_FIELD(receptor, prepare.overwrite),
     .help = "replace receptor files that are there already"},
    {"reference", BERTH_FIELD(receptor, prepare.reference), .argument = "FILE",
     .help =
         "write the ligand that was cut out as Mol2, with bonds and hydrogens (single bonds alone "
         "where Open Babel is not installed)",
     .fallback = "none"},
    BERTH_LIGAND_SMILES_ROW(receptor, prepare.ligand_smiles, "--reference gets its bonds",
                            "with a warning where these contradict the geometry"),
    {"mol2", BERTH_FIELD(receptor, prepare.mol2), .argument = "FILE",
     .help = "write the receptor's typed heavy atoms as Mol2 too, to look at (all bonds single)",
     .fallback = "none"},
    {"view", BERTH_FIELD(receptor, prepare.view), .argument = "V", .words = "pymol chimerax",
     .help = "pymol or chimerax: a script beside --out that opens the receptor, its box, the "
             "residues that reach into it, and the reference",
     .fallback = "none"},
    BERTH_CONFIG_ROW,
    {0}};

BERTH_REQUEST(prepare_receptor, BERTH_PREPARE_RECEPTOR_TABLE, .prepare.size = sizeof values.prepare)
