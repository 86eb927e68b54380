/* The one table of options. */
#include <math.h>

#include "engine/refine.h"
#include "engine/search.h"
#include "format/poses.h"
#include "options/options.h"
#include "options/peers.h"
#include "prep/prepare.h"

enum {
    DOCK = BERTH_RUN_DOCK,
    SCREEN = BERTH_RUN_SCREEN,
    CAMPAIGN = BERTH_RUN_CAMPAIGN,
    SCREENS = SCREEN | CAMPAIGN,
    SCORE = BERTH_RUN_SCORE,
    MERGE = BERTH_RUN_MERGE,
    LIGANDS = BERTH_RUN_LIGANDS,
    RECEPTOR = BERTH_RUN_RECEPTOR,
    REDOCK = BERTH_RUN_REDOCK,
    SELFTEST = BERTH_RUN_SELFTEST
};

#define O(field) BERTH_FIELD(struct berth_options, field)

/* Where runs differ in an option, it has several rows.  idle: runs that take it without an effect,
 * since files of options hold it. */
const struct berth_option BERTH_OPTION_ROWS[] = {
    {.commands = DOCK | SCREENS | SCORE | MERGE | LIGANDS | RECEPTOR | REDOCK | SELFTEST,
     .help = "Input"},
    {"DIR...", O(folders), .commands = MERGE, .required = true,
     .help = "the folders of all shards of one screen, in any order"},
    {"SET", BERTH_FIELD_OF_ONE(struct berth_options, input), .commands = REDOCK, .required = true,
     .help =
         "folder with sites.tsv (columns pdb, center_x, center_y, center_z: the boxes) and, for "
         "each row, a folder of that name with receptor and crystal: receptor.pdbqt, .pdb or .cif, "
         "or a prepared .brec or .mol2; crystal.pdbqt, .pdb or .cif, or, with bonds, .sdf or "
         ".mol2; and ligand.blib, if there is one, whose conformers are then taken instead of "
         "making some.  A folder that --out made is such a set, and needs no RDKit"},
    {"IN", BERTH_FIELD_OF_ONE(struct berth_options, input), .commands = RECEPTOR, .required = true,
     .help = "the structure; - for standard input"},
    {"IN...", O(inputs), .commands = LIGANDS,
     .help = "files of one or many molecules, in any format that Open Babel reads, or tables "
             "(.csv, .tsv), .gz too; folders of such, @LIST, or - for standard input",
     .fallback = ""},
    {"receptor", O(receptor), .commands = DOCK | SCREENS, .program = true, .argument = "FILE",
     .letter = 'r', .required = true,
     .help = "receptor: .brec from `berth prep receptor`; PDB, mmCIF or PDBQT, prepared as that "
             "command does by default; or Mol2, used as it is; or several, separated by commas: "
             "superposed structures of one site, of which each ligand keeps its best"},
    {"receptor", O(receptor), .commands = SCORE, .program = true, .argument = "FILE", .letter = 'r',
     .required = true,
     .help = "receptor: .brec from `berth prep receptor`; PDB, mmCIF or PDBQT, prepared as that "
             "command does by default; or Mol2, used as it is"},
    {"library", O(library), .commands = SCREENS, .argument = "FILE", .required = true,
     .help =
         "library of ligands (.blib) from `berth prep ligands`; or molecules in any format that it "
         "reads, prepared while they are docked: files with commas between them, folders, @LIST"},
    {"library", O(library), .commands = MERGE, .argument = "FILE",
     .help = "the library that was docked, if it has moved", .fallback = "where it was"},
    {"ligand", O(ligand), .commands = DOCK, .program = true, .argument = "FILE", .letter = 'l',
     .help =
         "ligands: Mol2, used as it is (- for standard input); SMILES, SDF, PDB and more, told by "
         "their endings and prepared as `berth prep ligands` does by default (all of them .gz too; "
         "for rigid searches, make a library with --conformers 20); or a library (.blib)",
     .fallback = "the ligand that ligand_id cuts out, written to NAME.ligand.pdb beside --out; "
                 "with covalent the one that is bonded there, to NAME.ligand.smi"},
    {"ligand", BERTH_OPTION_FOREIGN, .commands = SCREENS,
     .help = "give the file as --library FILE"},
    {"ligand", O(ligand), .commands = SCORE, .program = true, .argument = "FILE", .letter = 'l',
     .help =
         "poses, Mol2 (- for standard input), SDF, PDB or PDBQT (all .gz too), as they stand, "
         "their types but for Mol2 those that `berth dock` gives its ligands; or a library (.blib)",
     .fallback = "the ligand that ligand_id cuts out, written to NAME.ligand.pdb beside --out"},
    {"list", O(prepare.list), .commands = LIGANDS, .argument = "FILE",
     .help = "a file with the name of an input on each line (@FILE means the same)",
     .fallback = "none"},
    {"format", O(prepare.format), .commands = SCREENS | LIGANDS, .argument = "F",
     .help = "format of the input (smi, sdf, mol2, pdb ...), as `obabel -L formats` names it",
     .fallback = "by the file's ending"},
    {"format", O(structure_format), .commands = RECEPTOR, .argument = "F",
     .words = "pdb pdbqt mmcif mol2", .help = "of IN: pdb, pdbqt, mmcif or mol2",
     .fallback = "by its ending"},
    {"smiles_column", O(prepare.smiles_column), .commands = DOCK | SCREEN | LIGANDS,
     .argument = "COLUMN",
     .help = "of tables (.csv, .tsv) and of .smi with a line of column names: the name, or the "
             "number from 1, of the column of SMILES",
     .fallback = "the one called smiles, canonical_smiles ..."},
    {"name_column", O(prepare.name_column), .commands = DOCK | SCREEN | LIGANDS,
     .argument = "COLUMN", .help = "likewise, of the molecules' names",
     .fallback = "the one called name, id, title, zinc_id, Catalog ID ..."},
    {"only", O(only), .commands = REDOCK, .argument = "LIST",
     .help = "only these complexes: names, separated by commas", .fallback = "all"},
    {"mode", O(mode), .commands = REDOCK, .argument = "M", .initial_text = "both",
     .help =
         "crystal: the crystal's own conformer, rotated at random; torsions: the same, and each "
         "torsion takes a random angle; generated: conformers made from the ligand's graph alone, "
         "as `berth prep ligands` does; several, separated by commas; both: crystal and generated; "
         "all; or none: the set is prepared only, and no device is needed"},
    {"forcefield", O(forcefield),
     .commands = DOCK | SCREENS | SCORE | LIGANDS | RECEPTOR | REDOCK | SELFTEST,
     .argument = "FILE", .help = "BUDE parameter file (.bhff)",
     .fallback = "built in: by-atom-2017"},
    {"scoring", O(scoring), .commands = DOCK | SCREENS | SCORE | REDOCK, .argument = "S",
     .initial_text = "vina", .words = "bude plp vina vinardo",
     .help = "scoring function: bude (kJ/mol), plp (unit PLP), vina or vinardo (kcal/mol), or a "
             "file of your own (.score); or several with commas between: poses are searched, or "
             "minimised, by the first, and get a score by each",
     .fallback = "those of rank, else vina"},
    {"scoring", O(scoring), .commands = SELFTEST, .argument = "S", .initial_text = "bude",
     .words = "bude plp vina vinardo",
     .help = "scoring function: bude (kJ/mol), plp (unit PLP), vina or vinardo (kcal/mol), or a "
             "file of your own (.score)"},
    {"scoring_text", O(scoring_text), .commands = DOCK | SCREENS | SCORE, .library = true,
     .argument = "TEXT",
     .help = "what a .score file holds, which is not read then; scoring is the function's name, by "
             "which alone a resumed screen knows it"},
    {"reference", O(reference), .commands = DOCK | SCREENS | SCORE, .argument = "FILE",
     .help = "known pose (Mol2, SDF, PDB, PDBQT) that RMSDs and flexible_within are measured to",
     .fallback =
         "the ligand that ligand_id cuts out; of poses that `berth score` moves, where they stood"},
    {"any_stereo", O(any_stereo), .commands = DOCK | SCORE | REDOCK,
     .help = "measure RMSDs to a reference that is another stereoisomer, too, for which there is "
             "none else"},
    {"separate", O(separate), .commands = DOCK,
     .help = "dock every molecule on its own (otherwise consecutive molecules with the same atoms, "
             "bonds and title, ignoring a trailing _C<digits> or _conf<digits>, are conformers of "
             "one ligand)"},
    {.commands = DOCK | SCREENS | SCORE | RECEPTOR, .help = "What becomes the receptor"},
    {"ligand_id", O(asked.ligand_id), .commands = DOCK | SCREENS | SCORE | RECEPTOR,
     .argument = "RESIDUE",
     .help = "cut this ligand out of the receptor (NAME, CHAIN:NUMBER ...; PDB, mmCIF, PDBQT or "
             "Mol2): the box is about it where no other is given, and RMSDs and flexible_within "
             "are measured to it where no reference is given",
     .fallback = "none"},
    {"ligand_smiles", O(ligand_smiles), .commands = DOCK | SCORE | RECEPTOR, .argument = "SMILES",
     .help = "of the ligand that ligand_id cuts out: its bonds",
     .fallback =
         "perceived bonds, which are refused, or warned of, where they contradict the geometry"},
    {"allow_occupied", O(allow_occupied), .commands = DOCK | SCREENS,
     .help = "dock though what looks like a ligand of the receptor's stands in the site, which is "
             "an error else"},
    {"keep", O(asked.keep), .commands = DOCK | SCREENS | SCORE | RECEPTOR, .argument = "RESIDUES",
     .help = "keep these though they are crystallisation additives (sulfate, glycerol, PEG, "
             "chloride ...) or dropped by name; all: every additive",
     .fallback = "cofactors and metals, no additives"},
    {"drop", O(asked.drop), .commands = DOCK | SCREENS | SCORE | RECEPTOR, .argument = "RESIDUES",
     .help = "leave these out; hetero: all but protein and nucleic acid", .fallback = "none"},
    {"assembly", O(assembly), .commands = RECEPTOR, .argument = "NAME", .initial_text = "auto",
     .help =
         "the biological assembly of a PDB or mmCIF file; auto: copies of chains that its first "
         "assembly has within 8 Å of the ligand, else of the site, become part of the receptor; "
         "none: they are told of; a name (1, 2 ...): that assembly, all of it and nothing else"},
    {"min_plddt", O(min_plddt), .commands = RECEPTOR, .argument = "X", .min = 1, .max = 100,
     .help =
         "of a predicted structure (AlphaFold, ESMFold, Boltz, Chai ...) leave out the residues "
         "whose pLDDT is below X; below 70 side chains, below 50 backbones are unsure",
     .fallback = "none"},
    {"build_missing", O(build_missing), .commands = RECEPTOR,
     .help = "build the ends of side chains that the file lacks, as rotamers that fit (RDKit)",
     .fallback = "the residues are told of"},
    {"protonate", O(protonate), .commands = RECEPTOR,
     .help =
         "place hydrogens by their network: charges by PROPKA at ph, hydrogens of His and flips "
         "of Asn, Gln and His by reduce, where names (HIE, ASH ...) and hydrogens of the file "
         "do not say; the table SITE_protonation.csv tells",
     .fallback = "as the file says, else the usual form (docs/preparation.md)"},
    {"ph", O(prepare.ph), .commands = RECEPTOR, .argument = "PH", .initial = 7.4, .min = 0,
     .max = 14, .help = "for which protonate does so"},
    {"keep_waters", O(keep_waters), .commands = RECEPTOR, .argument = "RESIDUES",
     .help = "waters to keep; bridging: those that have two hydrogen bonds with the receptor or "
             "more and one with the ligand or more, and are well seen in the crystal",
     .fallback = "none"},
    {"waters", O(waters), .commands = RECEPTOR,
     .help = "tell which waters at the ligand bridge to it, and why: hydrogen bonds, B factor"},
    {"displaceable_waters", O(displaceable_waters), .commands = RECEPTOR, .argument = "RESIDUES",
     .help = "waters, or bridging, 4 at most: they are kept, and further receptor files are "
             "written without each of them and without several: SITE_no_A301.brec ...",
     .fallback = "none"},
    {"keep_waters_within", O(keep_waters_within), .commands = RECEPTOR, .argument = "D", .min = 0,
     .max = 100, .unit = "Å", .help = "keep waters this near to the ligand, else to the site",
     .fallback = "none"},
    {"keep_types", O(keep_types), .commands = RECEPTOR,
     .help = "leave the types of a Mol2 file as they are"},
    {.commands = DOCK | SCREENS | RECEPTOR | REDOCK,
     .help = "Site: the box in which the centroid of the ligand's heavy atoms may lie"},
    {"center_x", O(center[0]), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE,
     .argument = "X", .initial = NAN, .min = -10000, .max = 10000, .unit = "Å",
     .help = "centre of the box",
     .fallback =
         "about the ligand that ligand_id cuts out, else the one that a .brec receptor brings"},
    {"center_y", O(center[1]), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE,
     .argument = "Y", .initial = NAN, .min = -10000, .max = 10000, .unit = "Å", .help = "",
     .fallback = ""},
    {"center_z", O(center[2]), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE,
     .argument = "Z", .initial = NAN, .min = -10000, .max = 10000, .unit = "Å", .help = "",
     .fallback = ""},
    {"size_x", O(edges[0]), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE, .argument = "A",
     .initial = NAN, .min = 0, .max = 1000, .unit = "Å", .help = "full edges of the box, above 0",
     .fallback = ""},
    {"size_y", O(edges[1]), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE, .argument = "B",
     .initial = NAN, .min = 0, .max = 1000, .unit = "Å", .help = "", .fallback = ""},
    {"size_z", O(edges[2]), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE, .argument = "C",
     .initial = NAN, .min = 0, .max = 1000, .unit = "Å", .help = "", .fallback = ""},
    {"autobox_ligand", O(autobox_ligand), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE,
     .argument = "FILE",
     .help =
         "instead of centre and size: a box about the centroid of this molecule (Mol2, SDF, PDB, "
         "PDBQT), with half edges of autobox_add plus half of the molecule's own half extent",
     .fallback = "none"},
    {"autobox_add", O(autobox_add), .commands = DOCK | SCREENS | RECEPTOR, .idle = SCORE,
     .argument = "LENGTH", .initial = 4, .min = 0.1, .max = 100, .unit = "Å",
     .help = "margin of a box about a ligand or residues"},
    {"box", O(box), .commands = DOCK | SCREENS, .argument = "WHAT", .initial_text = "centroid",
     .words = "centroid atoms",
     .help = "what stays in the box: the ligand's centroid; or all its heavy atoms, as in Vina, "
             "smina, gnina, AutoDock-GPU and Uni-Dock (autobox_ligand then has the molecule's "
             "whole half extent)"},
    {"size", O(size), .commands = REDOCK, .argument = "A", .initial = 16, .min = 0.1, .max = 1000,
     .unit = "Å",
     .help = "edges of the box about the centre that sites.tsv gives, in which the centroid of the "
             "ligand's heavy atoms may lie"},
    {"residues", O(residues), .commands = RECEPTOR, .argument = "RESIDUES",
     .help = "a box around these, wider by autobox_add on each side", .fallback = "none"},
    {"site", O(site), .commands = DOCK, .argument = "surface", .words = "surface",
     .help = "surface: dock to the whole receptor instead of a box, rank the pockets where poses "
             "end, give the best pose in each, and write NAME.pockets.csv, NAME.agreed.csv (where "
             "several ligands agree) and NAME.pockets.pdb (points) beside --out",
     .fallback = "the box"},
    {"site", O(site), .commands = RECEPTOR, .argument = "scan", .words = "scan",
     .help = "look for pockets over the whole receptor: writes SITE_1.brec, SITE_2.brec ..., best "
             "first, and SITE_sites.csv",
     .fallback = "no scan"},
    {"sites", O(sites), .commands = RECEPTOR, .argument = "N", .initial = 5, .min = 1, .max = 1000,
     .help = "how many of them, at most"},
    {.commands = DOCK | SCREENS, .help = "Flexible side chains"},
    {"flexible_residues", O(flexible_residues), .commands = DOCK | SCREENS, .argument = "R",
     .help = "residues of the receptor whose side chains move with the ligand, as in A:315,A:382; "
             "each pose's are in NAME.side_chains.pdb beside NAME.sdf",
     .fallback = "none"},
    {"flexible_within", O(flexible_within), .commands = DOCK | SCREENS, .argument = "LENGTH",
     .min = 0, .max = 20, .unit = "Å", .help = "those, too, with an atom so near to the reference",
     .fallback = "none"},
    {"flexible_most", O(flexible_most), .commands = DOCK | SCREENS, .argument = "N", .initial = 4,
     .min = 1, .max = 48, .help = "of these at most so many, the nearest"},
    {.commands = DOCK | SCREENS | LIGANDS | REDOCK,
     .help =
         "Preparation of ligands (libraries, and Mol2 with hydrogens, are taken as they stand)"},
    {"smiles", O(prepare.smiles), .commands = SCREENS | LIGANDS,
     .help = "find the SMILES of Mol2 that is taken as it stands, too"},
    {"smiles", O(smiles_table), .commands = REDOCK, .argument = "FILE",
     .help = "table (tab-separated columns pdb, smiles) of ligands, protonated as they are to be "
             "docked: their bonds come from there",
     .fallback = "bonds are perceived"},
    {"ph", O(prepare.ph), .commands = DOCK | SCREENS | LIGANDS | REDOCK, .argument = "PH",
     .initial = 7.4, .min = 0, .max = 14, .help = "protonate for this pH"},
    {"keep_protonation", O(prepare.keep_protonation), .commands = DOCK | SCREENS | LIGANDS,
     .help = "leave charges and hydrogens as the input has them"},
    {"protomers", O(prepare.protomers), .commands = DOCK | SCREENS | LIGANDS, .argument = "N",
     .initial = 1, .min = 1, .max = BERTH_PROTOMERS_MAX,
     .help = "states of protonation of a molecule, at most, the most populated first (RDKit); its "
             "tautomer is the one drawn: enumerate others before"},
    {"min_population", O(prepare.min_population), .commands = DOCK | SCREENS | LIGANDS,
     .argument = "SHARE", .min = 0, .max = 1,
     .help = "of these, leave out those below this share of the molecule, such as 0.05; the most "
             "populated one stays"},
    {"stereo", O(prepare.stereo), .commands = DOCK | SCREENS | LIGANDS, .argument = "N",
     .initial = 1, .min = 1, .max = BERTH_STEREOISOMERS_MAX,
     .help = "isomers of a molecule whose centres or double bonds the input leaves open, at most, "
             "chosen at random, always the same (RDKit)"},
    {"conformers", O(prepare.conformers), .commands = SCREENS | LIGANDS | REDOCK, .argument = "N",
     .initial = 1, .min = 1, .max = 1000,
     .help = "conformers of a ligand, at most; 1: its --structures, for searches with torsions (20 "
             "for rigid ones)"},
    {"energy_window", O(prepare.energy_window), .commands = SCREENS | LIGANDS | REDOCK,
     .argument = "E", .initial = 100, .min = 0, .max = 1e6, .unit = "kJ/mol",
     .help = "leave out conformers whose MMFF94 energy is this much above the lowest"},
    {"conformer_rmsd", O(prepare.conformer_rmsd), .commands = SCREENS | LIGANDS | REDOCK,
     .argument = "D", .initial = 0.5, .min = 0, .max = 100, .unit = "Å",
     .help = "RMSD between conformers, at least (heavy atoms, superposed, symmetry-corrected)"},
    {"structures", O(prepare.structures), .commands = SCREENS | LIGANDS, .argument = "N",
     .initial = BERTH_STRUCTURES, .min = 1, .max = 100,
     .help =
         "structures that RDKit builds for a ligand, at most: that of the lowest MMFF94s energy, "
         "then other shapes of its rings (puckers, axial and equatorial, macrocycles' backbones) "
         "and, with --conformers 1, where these are the conformers, other bond angles"},
    {"builder", O(prepare.builder), .commands = DOCK | SCREENS | LIGANDS | REDOCK, .argument = "B",
     .help = "what builds 3D coordinates: rdkit, fragments (pieces that RDKit builds once and "
             "berth joins: many times faster), or openbabel",
     .fallback = "fragments, or with conformers above 1 rdkit; openbabel where there is no RDKit"},
    {"rebuild", O(prepare.rebuild), .commands = SCREENS | LIGANDS,
     .help = "do not take Mol2 as it stands: treat it like everything else"},
    {"properties", O(prepare.properties), .commands = SCREENS | LIGANDS, .argument = "LIST",
     .help = "SDF properties to keep with each ligand: a,b,c or all", .fallback = "none"},
    {.commands = SCREENS | LIGANDS,
     .help = "Filters (what they drop is listed with the failures, but is none)"},
    {"max_heavy", O(prepare.max_heavy), .commands = SCREENS | LIGANDS, .argument = "N", .min = 1,
     .max = BERTH_LIGAND_ATOMS_MAX, .help = "heavy atoms, at most", .fallback = "any"},
    {"max_rotors", O(prepare.max_rotors), .commands = SCREENS | LIGANDS, .argument = "N", .min = 1,
     .max = 10000, .help = "rotatable bonds, at most", .fallback = "any"},
    {"mw", O(prepare.mw), .commands = SCREENS | LIGANDS, .argument = "RANGE", .unit = "g/mol",
     .help = "molar mass as protonated: MAX, or MIN-MAX", .fallback = "any"},
    {"elements", O(prepare.elements), .commands = SCREENS | LIGANDS, .argument = "LIST",
     .help = "elements allowed beside hydrogen: C,N,O,S ...", .fallback = "any"},
    {"exclude", O(prepare.exclude), .commands = SCREENS | LIGANDS, .argument = "FILE",
     .help = "drop molecules that hold one of these patterns: lines SMARTS NAME, '#' comments "
             "(needs RDKit)",
     .fallback = "none"},
    {"drop_duplicates", O(prepare.drop_duplicates), .commands = SCREENS | LIGANDS,
     .help = "drop molecules whose canonical SMILES came before, in whatever file"},
    {"unique", BERTH_OPTION_FOREIGN, .commands = LIGANDS, .help = "give --drop_duplicates"},
    {.commands = DOCK | SCREENS | LIGANDS, .help = "Covalent ligands"},
    {"covalent", O(covalent), .commands = DOCK | SCREENS, .argument = "ATOM",
     .help = "ligands are bonded to this atom of the receptor, as in A:CYS25:SG: molecules with a "
             "warhead become adducts (RDKit), and adducts that hold its side chain and backbone "
             "are taken as they are; without a box it is one of 30 Å about the atom",
     .fallback = "none"},
    {"adducts", O(prepare.adducts), .commands = LIGANDS, .argument = "RESIDUE",
     .words = "CYS SER THR LYS TYR CYS:given SER:given THR:given LYS:given TYR:given",
     .help = "make of each molecule its adducts with this residue's side chain, from CA on: for "
             "--covalent of dock and screen (RDKit); CYS:given: the molecules are adducts, without "
             "the backbone",
     .fallback = "none"},
    {"reactions", O(prepare.reactions), .commands = DOCK | SCREENS | LIGANDS, .argument = "FILE",
     .help = "the table of reactions that make adducts, as data/covalent/covalent.reactions",
     .fallback = "that one"},
    {"all_warheads", O(prepare.all_warheads), .commands = DOCK | SCREENS | LIGANDS,
     .help = "take each warhead of a molecule that has several, which fails otherwise"},
    {.commands = DOCK, .help = "Proteins as ligands"},
    {"protein", O(protein), .commands = DOCK, .program = true,
     .help = "the ligand is a protein (PDB, mmCIF, .brec): rigid, over the whole surface or in a "
             "box; --out is a PDB with a model for each mode; scoring bude, num_modes 10 and "
             "min_rmsd 4 (of interfaces) unless they are given"},
    {"rotation_spacing", O(rotation_spacing), .commands = DOCK, .program = true, .argument = "D",
     .initial = 20, .min = 4, .max = 90, .unit = "degrees",
     .help = "angle between the rotations that are tried"},
    {"starts", O(starts), .commands = DOCK, .program = true, .argument = "N", .initial = 500,
     .min = 1, .max = 100000, .help = "how many of the best poses on maps are refined"},
    {.commands = CAMPAIGN, .help = "Campaign"},
    {"budget", O(budget), .commands = CAMPAIGN, .argument = "N", .initial_text = "10 %",
     .help = "molecules to dock in all: a number, or a share of the library, such as '5 %'"},
    {"seek", O(seek), .commands = CAMPAIGN, .argument = "N", .initial_text = "1 %",
     .help = "the best molecules that are sought, likewise"},
    {"sample", O(sample), .commands = CAMPAIGN, .argument = "N", .initial_text = "20 %",
     .help = "molecules of the budget that are drawn at random and docked first, likewise; half of "
             "them are held out, and say how many of the best are found"},
    {"model", O(model), .commands = CAMPAIGN, .argument = "M", .initial_text = "ridge",
     .words = "ridge lightgbm",
     .help =
         "what learns: ridge regression, or lightgbm's trees, which need that module of Python"},
    {"rounds", O(rounds), .commands = CAMPAIGN, .argument = "N", .initial = 8, .min = 1, .max = 100,
     .help = "how often the model learns, and chooses what is docked next"},
    {"explore", O(explore), .commands = CAMPAIGN, .argument = "P", .initial = 5, .min = 0,
     .max = 90, .unit = "%", .help = "of what a round docks is drawn at random"},
    {"recall", O(recall), .commands = CAMPAIGN, .argument = "P", .initial = 100, .min = 1,
     .max = 100, .unit = "%",
     .help = "end before the budget does, once the interval of the recall begins here"},
    {"choose_only", O(choose_only), .commands = CAMPAIGN,
     .help = "choose what is docked next, and end: DIR/round-N/molecules.smi is to be screened "
             "into DIR/round-N elsewhere"},
    {.commands = DOCK | SCREENS | SCORE | REDOCK | SELFTEST, .help = "Search"},
    {"search", O(search), .commands = DOCK | REDOCK, .argument = "LEVEL",
     .initial_text = "balanced", .words = BERTH_SEARCH_LEVEL_WORDS,
     .help = "how much to search: fastest (48 poses x 5 generations; ranks as fast does), fast (96 "
             "x 10), balanced (256 x 16) or thorough (512 x 32), with torsions, on maps; "
             "rigid_fast (4096 poses x 8 generations, 8 refined), rigid_balanced (16384 x 7, 16 "
             "with 2 hops) or rigid_thorough (65536 x 8, 32 with 2), conformers as they are, exact "
             "energies; or published (65536 x 8, none refined)"},
    {"search", O(search), .commands = SCREENS, .argument = "LEVEL", .initial_text = "fast",
     .words = BERTH_SEARCH_LEVEL_WORDS,
     .help = "how much to search: fastest (48 poses x 5 generations; ranks as fast does), fast (96 "
             "x 10), balanced (256 x 16) or thorough (512 x 32), with torsions, on maps; "
             "rigid_fast (4096 poses x 8 generations, 8 refined), rigid_balanced (16384 x 7, 16 "
             "with 2 hops) or rigid_thorough (65536 x 8, 32 with 2), conformers as they are, exact "
             "energies; or published (65536 x 8, none refined)"},
    {"exhaustiveness", O(exhaustiveness), .commands = DOCK | SCREENS | REDOCK, .idle = SCORE,
     .argument = "N", .initial = -1, .min = 1, .max = BERTH_EXHAUSTIVENESS_MAX,
     .help = "effort as in AutoDock Vina: 32 x N poses in a search on maps; balanced has 8",
     .fallback = "by search"},
    {"poses", O(poses), .commands = DOCK | SCREENS | REDOCK, .argument = "N", .initial = -1,
     .min = 1, .max = BERTH_POSES_MAX,
     .help = "poses of a conformer in each generation; on maps, poses of a ligand, shared by its "
             "conformers (at least 48 each)",
     .fallback = "by search"},
    {"generations", O(generations), .commands = DOCK | SCREENS | REDOCK, .argument = "N",
     .initial = -1, .min = 1, .max = BERTH_GENERATIONS_MAX,
     .help = "generations, including the first, which is random", .fallback = "by search"},
    {"parents", O(parents), .commands = DOCK | SCREENS | REDOCK, .argument = "N", .initial = -1,
     .min = 1, .max = BERTH_KEEP,
     .help = "poses that may have children; also the most modes that a conformer can give",
     .fallback = "by search"},
    {"refine", O(refine), .commands = DOCK | SCREENS | REDOCK, .argument = "N", .initial = -1,
     .min = 0, .max = BERTH_KEEP,
     .help = "how many of each conformer's best poses are minimised at the end and reported; 0: "
             "none, and all are reported; on maps, poses of a ligand, shared by its conformers (at "
             "least 4 each)",
     .fallback = "by search"},
    {"minimize", O(minimize), .commands = SCORE, .help = "let each molecule go downhill first"},
    {"refine_evaluations", O(refine_evaluations), .commands = DOCK | SCREENS | REDOCK,
     .argument = "N", .initial = -1, .min = 1, .max = BERTH_EVALUATIONS_MAX,
     .help = "most energies and gradients per minimisation", .fallback = "by search"},
    {"refine_evaluations", O(refine_evaluations), .commands = SCORE, .argument = "N",
     .initial = 400, .min = 1, .max = BERTH_EVALUATIONS_MAX,
     .help = "with --minimize: energies and gradients for a molecule, at most"},
    {"hops", O(hops), .commands = DOCK | SCREENS | REDOCK, .argument = "N", .initial = -1, .min = 0,
     .max = BERTH_HOPS_MAX,
     .help = "how often a refined pose is changed at random and refined again, keeping the best; "
             "on maps, in each generation",
     .fallback = "by search"},
    {"refine_torsions", O(refine_torsions), .commands = DOCK | SCREENS | SCORE | REDOCK,
     .help =
         "refine torsions in a rigid search, or with minimize, too; a search on maps always does"},
    {"pool", O(pool), .commands = DOCK | SCREENS | REDOCK, .argument = "N", .min = 1,
     .max = BERTH_FUNCTIONS_MAX,
     .help = "of several scoring functions the first N search in turn, and their poses are pooled; "
             "takes N times as long",
     .fallback = "as the ranking says (consensus: 2), else 1"},
    {"stages", O(stages), .commands = SCREEN, .program = true, .argument = "PLAN",
     .help = "dock in stages, each with the best of the one before: \"fast, 5 % balanced, 1000 "
             "thorough --rescore net.model\", of levels of the search and further options",
     .fallback = "one, by --search"},
    {"restraints", O(restraints), .commands = DOCK | SCREENS | REDOCK, .argument = "FILE",
     .help = "what poses have to meet, a line each: what of the ligand, and where, for example "
             "\"acceptor to A:MET793:N\"; of `berth eval redock` the name of a file in the folder "
             "of each complex that has one",
     .fallback = "none"},
    {"template", O(template_file), .commands = DOCK | SCREENS | REDOCK, .argument = "FILE",
     .help = "a ligand where it is bound (SDF, Mol2): what others have in common with it starts "
             "there and stays there; of `berth eval redock` likewise",
     .fallback = "none"},
    {"core", O(core), .commands = DOCK | SCREENS | REDOCK, .argument = "SMARTS",
     .help = "what of the template that is (needs RDKit)",
     .fallback = "the largest part in common"},
    {"core_tolerance", O(core_tolerance), .commands = DOCK | SCREENS | REDOCK, .argument = "LENGTH",
     .initial = 1, .min = 0, .max = 1000, .unit = "Å",
     .help = "how far its atoms may lie from the template's; 1000: it only starts there"},
    {"core_weight", O(core_weight), .commands = DOCK | SCREENS | REDOCK, .argument = "E", .min = 0,
     .max = 1000,
     .help = "what being off the template costs at most, in the function's unit: poses begin "
             "anywhere, too, and score counts it",
     .fallback = "it is held"},
    {"min_core", O(min_core), .commands = DOCK | SCREENS | REDOCK, .argument = "N", .initial = 6,
     .min = 3, .max = 96, .help = "heavy atoms in common with the template that count as a core"},
    {"no_core", O(no_core), .commands = DOCK | SCREENS | REDOCK, .argument = "WHAT",
     .initial_text = "free", .words = "free refuse",
     .help = "ligands without the core are docked without the template (free) or fail (refuse)"},
    {"metal_sites", O(metal_sites), .commands = DOCK | SCREENS | REDOCK, .argument = "WHAT",
     .initial_text = "auto", .words = "auto on off",
     .help = "open coordination sites of the receptor's metals draw the ligand's donors, in a "
             "search on maps: auto (not of metals that the ligand which was cut out of the "
             "receptor does not bind), on or off"},
    {"water_price", O(water_price), .commands = DOCK | SCREENS, .argument = "E", .min = -1000,
     .max = 1000,
     .help = "of several receptors: what a pose pays for each water that another of them has and "
             "its own lacks, in the scoring function's unit"},
    {"seed", O(seed), .commands = DOCK | SCREENS | REDOCK, .idle = SCORE, .argument = "N",
     .initial = 1,
     .help = "the same seed on the same kind of device gives the same results, to the byte"},
    {"seeds", O(seeds), .commands = DOCK | REDOCK, .argument = "N", .initial = 1, .min = 1,
     .max = 100,
     .help = "dock with so many seeds, seed and those behind it, choose among all poses, and say "
             "how many put their first pose in one place (column seeds)"},
    {"seed", O(seed), .commands = SELFTEST, .argument = "N", .initial = 1,
     .help = "of the random inputs", .fallback = "the time"},
    {"small", O(small), .commands = SELFTEST,
     .help = "few and small inputs, for a simulated device"},
    {.commands = DOCK | SCREENS | SCORE | MERGE | LIGANDS | RECEPTOR | REDOCK, .help = "Output"},
    {"out", O(out), .commands = DOCK, .argument = "FILE", .letter = 'o', .list = berth_pose_endings,
     .required = true, .help = "poses with all atoms, bonds and scores (.gz too)"},
    {"out", O(out), .commands = SCREENS, .argument = "DIR", .required = true,
     .help = "folder for scores.csv (every ligand), hits.sdf, failures.csv, run.json and the "
             "journal; made where it is missing"},
    {"out", O(out), .commands = MERGE, .argument = "DIR", .required = true,
     .help =
         "folder for scores.csv, hits.sdf, failures.csv and run.json; made where it is missing"},
    {"out", O(out), .commands = SCORE, .argument = "FILE", .letter = 'o', .required = true,
     .help = "CSV file to write, or - for standard output"},
    {"out", O(out), .commands = LIGANDS, .argument = "LIB.blib", .required = true,
     .help = "library to write"},
    {"out", O(out), .commands = RECEPTOR, .argument = "SITE.brec", .required = true,
     .help = "receptor file to write"},
    {"out", O(out), .commands = REDOCK, .argument = "DIR", .required = true,
     .help = "folder for redock.csv (a row a complex and mode), summary.md, redock.svg (success "
             "against RMSD), failures.csv, sites.tsv, and a folder for each complex: "
             "receptor.mol2, crystal.mol2, ligand.blib and the poses"},
    {"out_also", O(out_also), .commands = DOCK, .argument = "FILE", .list = berth_pose_endings,
     .help = "the same poses and scores in another format, as PDBQT for the tools of Vina",
     .fallback = "none"},
    {"out_each", O(out_each), .commands = DOCK, .argument = "FOLDER",
     .help = "the same poses, a PDBQT file for each ligand (NAME.pdbqt), as Meeko reads them",
     .fallback = "none"},
    {"out_poses", O(out_poses), .commands = SCORE, .argument = "FILE", .list = berth_pose_endings,
     .help = "the poses, as they stand, or where --minimize or --relax comes to, with rmsd from "
             "where they stood; all hydrogens are there",
     .fallback = "none"},
    {"scores", O(scores), .commands = DOCK, .argument = "FILE",
     .help = "CSV with a row for each pose: pose_ranking and ranking (by --rank, where it is not "
             "score), score (energy + strain + W x conformer_strain; vina and vinardo divide it "
             "for rotors), energy and its terms, efficiency (energy per heavy atom), strain (of "
             "refined torsions), rmsd and more",
     .fallback = "none"},
    {"failures", O(failures), .commands = DOCK | SCORE | LIGANDS, .argument = "FILE",
     .help = "CSV of what failed, or was dropped, with the reasons",
     .fallback = "NAME.failures.csv beside the output; of `berth score` messages only"},
    {"reference", O(reference), .commands = RECEPTOR, .argument = "FILE",
     .help = "write the ligand that was cut out as Mol2, with bonds and hydrogens (single bonds "
             "alone where RDKit is not installed)",
     .fallback = "none"},
    {"mol2", O(mol2), .commands = RECEPTOR, .argument = "FILE",
     .help = "write the receptor's typed heavy atoms as Mol2 too, to look at (all bonds single)",
     .fallback = "none"},
    {"view", O(view), .commands = RECEPTOR, .argument = "V", .words = "pymol chimerax",
     .help = "pymol or chimerax: a script beside --out that opens the receptor, its box, the "
             "residues that reach into it, and the reference",
     .fallback = "none"},
    {"db", O(db), .commands = DOCK | SCREENS | MERGE, .argument = "FILE",
     .help = "SQLite database that the results go to, too: ligands, poses, interactions of those "
             "with structures; of several runs (docs/results.md)",
     .fallback = "none"},
    {"sdf", O(sdf), .commands = DOCK | SCORE, .library = true,
     .help = "give each pose as a record of an SDF file, too"},
    {"run_json", O(run_json), .commands = DOCK, .library = true, .argument = "FILE",
     .help = "file that says what a call was (docs/formats.md), replaced by each",
     .fallback = "NAME.run.json beside out, if that is given"},
    {"num_modes", O(num_modes), .commands = DOCK | REDOCK, .idle = SCORE, .argument = "N",
     .initial = 9, .min = 1, .max = 10000, .help = "most poses for each ligand"},
    {"num_modes", O(num_modes), .commands = SCREENS, .argument = "N", .initial = 1, .min = 1,
     .max = 100, .help = "most poses to keep of each ligand"},
    {"min_rmsd", O(min_rmsd), .commands = DOCK | SCREENS | REDOCK, .idle = SCORE, .argument = "D",
     .initial = 1, .min = 0, .max = 100, .unit = "Å",
     .help = "least RMSD between these poses (heavy atoms, symmetry-corrected)"},
    {"top", O(top), .commands = SCREENS, .argument = "N", .initial = 1000, .min = 0, .max = 1e7,
     .help = "ligands in hits.sdf, best first"},
    {"top", O(top), .commands = MERGE, .argument = "N", .initial = -1, .min = 0, .max = 1e7,
     .help = "ligands in hits.sdf, best first", .fallback = "as the first shard was run"},
    {"rank", O(rank), .commands = DOCK | SCREENS | SCORE | MERGE | REDOCK, .argument = "R",
     .words = "consensus screening learned",
     .help = "what poses, and the ligands of a screen, are ordered by: consensus, screening or "
             "(with rescore) learned, which bring their scoring functions along, a file of your "
             "own (.rank), or an expression over columns, \"vina + 0.1*plp\"",
     .fallback = "consensus of a docking, screening of a screen (score if scoring or strain_weight "
                 "is given, or the search is rigid); of `berth score` none; of `berth merge` as "
                 "the shards were run"},
    {"relax", O(relax), .commands = DOCK | SCORE | REDOCK,
     .help = "let bond lengths, angles and rings of the best poses (of `berth score` all) go "
             "downhill as well before they are ranked, by the first function and by MMFF94s "
             "together (needs RDKit, and all hydrogens)"},
    {"rescore", O(rescore), .commands = DOCK | SCREEN | SCORE | REDOCK, .argument = "MODEL",
     .help = "a learned function that judges the poses that are kept, of a screen those of the "
             "best ligands (`berth model import` makes one): its outputs are further columns",
     .fallback = "none"},
    {"rescore_top", O(rescore_top), .commands = SCREEN, .argument = "N", .initial = 1000, .min = 1,
     .max = 1e7, .help = "with --rescore: how many ligands it judges"},
    {"energy_range", O(energy_range), .commands = DOCK, .idle = SCORE, .argument = "E",
     .initial = INFINITY, .min = 0, .max = 1e6, .unit = "the unit of --scoring",
     .help = "leave out poses this much above the best", .fallback = "any"},
    {"max_clash", O(max_clash), .commands = DOCK | SCREENS, .argument = "D", .initial = INFINITY,
     .min = 0, .max = 100, .unit = "Å",
     .help = "leave out poses that overlap the receptor by more than this (column clash)",
     .fallback = "any"},
    {"max_clash", O(max_clash), .commands = MERGE, .argument = "D", .initial = -1, .min = 0,
     .max = 100, .unit = "Å",
     .help = "leave out poses that overlap the receptor by more than this (column clash)",
     .fallback = "as the first shard was run"},
    {"strain_weight", O(strain_weight), .commands = DOCK | SCREENS | REDOCK, .argument = "W",
     .min = 0, .max = 100,
     .help = "rank poses and ligands by energy + strain + W x conformer_strain, where that is "
             "known: of a library, and of ligands that are prepared"},
    {"require", BERTH_OPTION_FOREIGN, .commands = DOCK, .argument = "LIST",
     .help = "`berth interactions --require` lists which of the poses make them, `berth report "
             "--require` shows those, and `berth screen --require` keeps no others"},
    {"require", O(require), .commands = SCREENS | MERGE, .argument = "LIST",
     .help = "only poses that make these interactions, such as 'hydrogen_bond A:MET793:N or metal "
             "A:ZN300, hydrophobic A:PHE82': `or` between those any of which will do, commas "
             "between those that must all be made; kinds as of `berth interactions`, and `strong "
             "hydrogen_bond`, which leaves out weak ones; of one folder, too, whose ligands need "
             "not be docked again; any: whatever they make",
     .fallback = "any; of `berth merge` as the first shard was run"},
    {"report", O(report), .commands = SCREENS, .program = true,
     .help = "make DIR/report.html in the end, too, as `berth report DIR` does"},
    {.commands = DOCK | SCREENS | SCORE | MERGE | LIGANDS | RECEPTOR | REDOCK, .help = "Running"},
    {"resume", O(resume), .commands = SCREENS | LIGANDS | REDOCK,
     .help = "go on with the run that was stopped, or crashed, with the same input and options, or "
             "begin it"},
    {"overwrite", O(overwrite), .commands = SCREENS | LIGANDS | RECEPTOR,
     .help = "replace what is there already, with what an earlier run that was stopped has left"},
    {"shard", O(shard), .commands = SCREEN | LIGANDS, .argument = "K/N",
     .help = "only part K (from 1) of N of the library or molecules; `berth merge`, or `berth lib "
             "merge`, joins the parts",
     .fallback = "all of it"},
    {"time_limit", O(time_limit), .commands = SCREENS, .argument = "T", .min = 0.001, .max = 1e9,
     .unit = "s", .help = "stop cleanly after this time; --resume continues", .fallback = "none"},
    {"time_limit", O(prepare.time_limit), .commands = LIGANDS, .argument = "T", .initial = 120,
     .min = 0.1, .max = 1e6, .unit = "s",
     .help = "processor time for a molecule; one that takes longer, or hangs for ten times as "
             "long, fails"},
    {"time_limit", O(prepare.time_limit), .commands = REDOCK, .argument = "T", .initial = 300,
     .min = 0.1, .max = 1e6, .unit = "s", .help = "a ligand whose preparation takes longer fails"},
    {"checkpoint", O(checkpoint), .commands = SCREENS, .argument = "T", .initial = 10, .min = 0,
     .max = 1e6, .unit = "s",
     .help = "most time that a crash may lose, besides the batches on the devices"},
    {"jobs", O(prepare.jobs), .commands = SCREENS | LIGANDS, .argument = "N", .min = 1, .max = 1024,
     .help = "molecules to prepare at the same time", .fallback = "one per core"},
    {"molecule_time_limit", O(prepare.time_limit), .commands = SCREENS, .argument = "T",
     .initial = 120, .min = 0.1, .max = 1e6, .unit = "s",
     .help = "processor time for a molecule; one that takes longer, or hangs for ten times as "
             "long, fails"},
    {"memory_limit", O(prepare.memory_limit), .commands = SCREENS | LIGANDS, .argument = "M",
     .initial = BERTH_WORKER_MEMORY, .min = 500, .max = 1e6, .unit = "MB",
     .help = "memory for each of RDKit's processes; a molecule that needs more fails"},
    {"config", BERTH_OPTION_CONFIG,
     .commands = DOCK | SCREENS | SCORE | MERGE | LIGANDS | RECEPTOR | REDOCK, .argument = "FILE",
     .help = "read options from a file: lines `name = value`; the command line wins"},
    {.commands = DOCK | SCREENS | SCORE | REDOCK | SELFTEST, .help = "Device"},
    {"device", O(device), .commands = DOCK | SCREENS | SCORE | REDOCK, .argument = "D",
     .words = "all cpu gpu",
     .help = "cpu, gpu, numbers or parts of names as `berth devices` prints them, separated by "
             "commas; or all",
     .fallback =
         "all of the kind that looks fastest; of `berth score` and `berth eval redock` one"},
    {"device", O(device), .commands = SELFTEST, .argument = "D", .initial_text = "all",
     .words = "all",
     .help = "cpu, gpu, numbers or parts of names as `berth devices` prints them, separated by "
             "commas; or all"},
    {"cpu", O(cpu), .commands = DOCK | SCREENS | SCORE, .argument = "N", .max = 65536,
     .help = "most threads that a CPU device (PoCL) may use; does not change the results",
     .fallback = "0, one for each core"},
    {"batch", O(batch), .commands = DOCK | SCREENS, .argument = "N", .min = 1, .max = 1000000,
     .help = "conformers in one launch; does not change the results", .fallback = "by device"},
    {"batch_limit", O(batch_limit), .commands = DOCK | SCREENS, .argument = "T", .initial = 600,
     .min = 0.001, .max = 1e9, .unit = "s",
     .help = "drop a device that takes longer than this for one launch"},
    {"check", O(check), .commands = DOCK | SCREENS, .argument = "N", .initial = 100, .min = 0,
     .max = 1e9,
     .help = "compare energies of each device's first batch and every N-th one with the reference, "
             "and drop a device that computes wrongly; 0: never"},
    {"check", O(check_named), .commands = SELFTEST, .argument = "NAME",
     .help = "do only checks whose names begin so", .fallback = "all"},
    {"variant", O(variant), .commands = DOCK | SCREENS | SELFTEST, .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"build_options", O(build_options), .commands = SELFTEST, .argument = "TEXT",
     .help = "further options for the OpenCL compiler", .fallback = "none"},
    {"profile", O(profile), .commands = DOCK | SCREENS,
     .help = "print the device time of each kernel; batches then run one after the other"},
    {"autobox", BERTH_OPTION_NO_EFFECT, .commands = SCORE, .help = BERTH_IDLE_HELP},
    {"score_only", BERTH_OPTION_NO_EFFECT, .commands = SCORE, .help = BERTH_IDLE_HELP},
    /* Of other programs, and of the runs that prepare what is docked. */
    {"stages", BERTH_OPTION_FOREIGN, .commands = CAMPAIGN, .argument = "PLAN",
     .help = "dock the campaign's hits again"},
    {"rescore", BERTH_OPTION_FOREIGN, .commands = CAMPAIGN, .argument = "MODEL",
     .help = "a model of poses judges the best of a whole screen: dock the hits again with it"},
    {"shard", BERTH_OPTION_FOREIGN, .commands = CAMPAIGN, .argument = "K/N",
     .help = "screen a round in shards with --choose_only, and merge them"},
    {"prep_receptor", BERTH_OPTION_ELSEWHERE, .commands = DOCK | SCREENS | SCORE,
     .others = BERTH_OPTION_ROWS, .of = RECEPTOR,
     .help = "`berth prep receptor` has it; give the receptor file (.brec) that it makes as "
             "--receptor"},
    {"prep_ligands", BERTH_OPTION_ELSEWHERE, .commands = DOCK, .others = BERTH_OPTION_ROWS,
     .of = LIGANDS,
     .help = "`berth prep ligands` has it; give the library (.blib) that it makes as --ligand"},
    {"others", BERTH_OPTION_OTHERS, .commands = DOCK | SCREENS | SCORE,
     .others = BERTH_PEERS_TABLE},
    {0}};
