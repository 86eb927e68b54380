/* The options of `berth prep ligands` and `berth prep receptor`. */
#include "options/rows.h"
#include "options/tables.h"
#include "prep/prepare.h"

typedef struct berth_prepare_ligands_request request;

const struct berth_option BERTH_PREPARE_LIGANDS_TABLE[] = {
    {.help = "Input"},
    {"IN...", BERTH_FIELD(request, inputs), .fallback = "",
     .help = "files of one or many molecules, in any format that Open Babel reads (.gz too), "
             "folders of such, @LIST, or - for standard input"},
    {"list", BERTH_FIELD(request, prepare.list), .argument = "FILE", .fallback = "none",
     .help = "a file with the name of an input on each line (@FILE means the same)"},
    {"format", BERTH_FIELD(request, prepare.format), .argument = "F",
     .help = "format of the input (smi, sdf, mol2, pdb ...), as `obabel -L formats` names it",
     .fallback = "by the file's ending"},
    {.help = "Preparation (Mol2 with hydrogens and 3D coordinates is taken as it stands)"},
    {"ph", BERTH_FIELD(request, prepare.ph), .initial = 7.4, .argument = "PH", .min = 0, .max = 14,
     .help = "protonate for this pH"},
    {"keep_protonation", BERTH_FIELD(request, prepare.keep_protonation),
     .help = "leave charges and hydrogens as the input has them"},
    {"protomers", BERTH_FIELD(request, prepare.protomers), .initial = 1, .argument = "N", .min = 1,
     .max = BERTH_PROTOMERS_MAX,
     .help = "states of protonation of a molecule, at most, the most populated first (RDKit)"},
    {"stereo", BERTH_FIELD(request, prepare.stereo), .initial = 1, .argument = "N", .min = 1,
     .max = BERTH_STEREOISOMERS_MAX,
     .help = "isomers of a molecule whose centres or double bonds the input leaves open, at most, "
             "chosen by seed (RDKit)"},
    {"conformers", BERTH_FIELD(request, prepare.conformers), .initial = 1, .argument = "N",
     .min = 1, .max = 1000,
     .help = "conformers of a ligand, at most; 1: its --structures, for searches with torsions "
             "(20 for rigid ones)"},
    {"energy_window", BERTH_FIELD(request, prepare.energy_window), .initial = 100, .argument = "E",
     .unit = "kJ/mol", .min = 0, .max = 1e6,
     .help = "leave out conformers whose MMFF94 energy is this much above the lowest"},
    {"conformer_rmsd", BERTH_FIELD(request, prepare.conformer_rmsd), .initial = 0.5,
     .argument = "D", .unit = "Å", .min = 0, .max = 100,
     .help = "RMSD between conformers, at least (heavy atoms, superposed, symmetry-corrected)"},
    {"structures", BERTH_FIELD(request, prepare.structures), .initial = BERTH_STRUCTURES,
     .argument = "N", .min = 1, .max = 100,
     .help =
         "structures that RDKit builds for a ligand, at most: that of the lowest MMFF94s energy, "
         "then other shapes of its rings (puckers, axial and equatorial, macrocycles' backbones) "
         "and, with --conformers 1, where these are the conformers, other bond angles"},
    {"builder", BERTH_FIELD(request, prepare.builder), .argument = "B",
     .fallback = "rdkit where it is there, else openbabel",
     .help =
         "what builds 3D coordinates: rdkit, fragments (pieces that RDKit builds once and berth "
         "joins: many times faster), or openbabel (med, slow, best or dg say how)"},
    {"rebuild", BERTH_FIELD(request, prepare.rebuild),
     .help = "do not take Mol2 as it stands: treat it like everything else"},
    {"smiles", BERTH_FIELD(request, prepare.smiles),
     .help = "find the SMILES of Mol2 that is taken as it stands, too"},
    {.help = "Filters (what they drop is listed with the failures, but is none)"},
    {"max_heavy", BERTH_FIELD(request, prepare.max_heavy), .argument = "N", .min = 1,
     .max = BERTH_LIGAND_ATOMS_MAX, .fallback = "any", .help = "heavy atoms, at most"},
    {"max_rotors", BERTH_FIELD(request, prepare.max_rotors), .argument = "N", .min = 1,
     .max = 10000, .fallback = "any", .help = "rotatable bonds, at most"},
    {"mw", BERTH_FIELD(request, prepare.mw), .argument = "RANGE", .fallback = "any",
     .unit = "g/mol", .help = "molar mass as protonated: MAX, or MIN-MAX"},
    {"elements", BERTH_FIELD(request, prepare.elements), .argument = "LIST", .fallback = "any",
     .help = "elements allowed beside hydrogen: C,N,O,S ..."},
    {"exclude", BERTH_FIELD(request, prepare.exclude), .argument = "FILE", .fallback = "none",
     .help =
         "drop molecules that hold one of these patterns: lines SMARTS NAME, '#' comments (needs "
         "RDKit)"},
    {"drop_duplicates", BERTH_FIELD(request, prepare.drop_duplicates),
     .help = "drop molecules whose canonical SMILES came before, in whatever file"},
    {"unique", .kind = BERTH_OPTION_FOREIGN, .help = "give --drop_duplicates"},
    {.help = "Output"},
    {"out", BERTH_FIELD(request, prepare.out), .argument = "LIB.blib", .help = "library to write",
     .required = true},
    {"failures", BERTH_FIELD(request, prepare.failures), .argument = "FILE",
     .help = "CSV of what failed or was dropped, with the reasons",
     .fallback = "NAME.failures.csv for --out NAME.blib"},
    {"properties", BERTH_FIELD(request, prepare.properties), .argument = "LIST",
     .help = "SDF properties to keep with each ligand: a,b,c or all", .fallback = "none"},
    {"forcefield", BERTH_FIELD(request, prepare.forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},
    {"resume", BERTH_FIELD(request, prepare.resume),
     .help = "go on where an earlier run with the same input and options was stopped"},
    {"overwrite", BERTH_FIELD(request, prepare.overwrite),
     .help = "replace a library that is there already, and forget what an earlier run that was "
             "stopped has left"},
    {.help = "Running"},
    {"jobs", BERTH_FIELD(request, prepare.jobs), .argument = "N", .min = 1, .max = 1024,
     .help = "molecules to prepare at the same time", .fallback = "one per core"},
    {"time_limit", BERTH_FIELD(request, prepare.time_limit), .initial = 120, .argument = "T",
     .unit = "s", .min = 0.1, .max = 1e6,
     .help = "processor time for a molecule; one that takes longer, or hangs for ten times as "
             "long, fails"},
    {"memory_limit", BERTH_FIELD(request, prepare.memory_limit), .initial = BERTH_WORKER_MEMORY,
     .argument = "M", .unit = "MB", .min = 500, .max = 1e6,
     .help = "memory for each of RDKit's processes; a molecule that needs more fails"},
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
     .help = "waters to keep", .fallback = "none"},
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
     .help = "write the ligand that was cut out as Mol2, with bonds by Open Babel (as single bonds "
             "where that is not installed)",
     .fallback = "none"},
    {"mol2", BERTH_FIELD(receptor, prepare.mol2), .argument = "FILE",
     .help = "write the receptor's typed heavy atoms as Mol2 too, to look at (all bonds single)",
     .fallback = "none"},
    BERTH_CONFIG_ROW,
    {0}};

BERTH_REQUEST(prepare_receptor, BERTH_PREPARE_RECEPTOR_TABLE, .prepare.size = sizeof values.prepare)
