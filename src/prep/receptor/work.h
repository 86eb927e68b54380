/* A receptor in preparation: what it is made from, and what has become of it so far. */
#ifndef BERTH_PREP_RECEPTOR_WORK_H
#define BERTH_PREP_RECEPTOR_WORK_H

#include "base/log.h"
#include "chem/selection.h"
#include "chem/site.h"
#include "format/pdb/structure_file.h"
#include "format/receptor_file.h"
#include "prep/bond_orders.h"
#include "prep/receptor/displaceable.h"

/* Texts are borrowed, and NULL where nothing is asked for; those that name residues are read by
 * berth_selection_parse. */
struct berth_receptor_settings {
    const char *path; /* "-" is standard input */
    enum berth_structure_format format;
    const char *forcefield; /* file; NULL: the one that is built in */
    struct berth_residues_asked asked;
    const char *keep_waters;         /* residues, or "bridging" */
    bool waters;                     /* tell what holds those near the ligand */
    const char *assembly;            /* see berth_receptor_assemble */
    const char *displaceable_waters; /* residues, or "bridging": kept, and left out in turn */
    double keep_waters_within;       /* Å of the ligand, else of the site; 0: none */
    const struct berth_site *box; /* borrowed; NULL: by the residues below, else about the ligand */
    const char *residues;         /* residues that the box is about */
    double autobox_add;           /* Å: margin of a box about a ligand or residues */
    size_t sites;                 /* to scan for, at most; 0: no scan, and no site of one's own */
    bool siteless;                /* no box about the ligand: where the site is, others know */
    double min_plddt;             /* residues of a predicted structure below it go; 0: none */
    bool docked;                  /* who docks checks the box, for which this need not, too */
    bool keep_types;              /* those of a Mol2 file */
    bool whole;                   /* additives are kept, too */
    bool reference;               /* the ligand's bonds are wanted, not its place alone */
    const char *ligand_smiles;    /* that has these; NULL: they are perceived */
    bool build_missing;           /* see berth_receptor_build_missing */
    bool protonate;               /* see berth_receptor_protonate */
    double ph;                    /* for which that protonates */
};

/* What becomes of the places at the end of a side chain. */
enum berth_end {
    BERTH_END_STAYS,
    BERTH_END_FLIPPED, /* it stands the other way round than in the file */
    BERTH_END_RENAMED  /* of an acid: its proton, which the second oxygen bears, is on the first */
};

/* What the network of hydrogen bonds, and a pKa, made of a residue. */
struct berth_network_row {
    struct berth_residue_id residue; /* as the file calls it */
    char form[BERTH_LABEL_SIZE];     /* "HIE"; "": as it is called */
    enum berth_end end;
    double pka;      /* NaN: none */
    double distance; /* Å to the ligand, else to the site; NaN: there is neither */
    char reason[120];
};

struct berth_network {
    struct berth_network_row *rows; /* owned; [count] */
    size_t count;
};

/* What a structure's B factors are. */
struct berth_plddt {
    bool given;     /* pLDDT */
    bool predicted; /* the structure is, as its file says */
    double scale;   /* a B factor times this is pLDDT, from 0 to 100 */
    char why[160];  /* what says that they are, or that they are not */
};

struct berth_receptor_prepared {
    struct berth_structure structure; /* what became the receptor */
    struct berth_structure ligand;    /* what was cut out of it */
    struct berth_structure uncertain; /* what min_plddt left out */
    struct berth_plddt plddt;
    struct berth_molecule reference; /* that with bonds; empty where nothing was */
    struct berth_receptor receptor;
    struct berth_displaceable displaceable;
    struct berth_selection drop_of_copies; /* what drop names of copies that assemblies add */
    struct berth_network network;          /* empty where none was asked for */
};

/* A receptor in preparation; everything is borrowed. */
struct berth_receptor_work {
    const struct berth_receptor_settings *settings;
    const struct berth_log *log;
    const struct berth_log *details; /* for what those who dock need not hear each time: notes that
                                        tell neither what became the receptor nor what to do */
    struct berth_receptor_prepared *prepared;
    struct berth_bond_finder *finder; /* the worker */
};

#endif
