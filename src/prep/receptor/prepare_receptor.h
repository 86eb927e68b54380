/* From a structure to a receptor: one alternate location, the residues that were chosen, Mol2 types
 * as the forcefield knows them, and a site or several. */
#ifndef BERTH_PREP_RECEPTOR_PREPARE_RECEPTOR_H
#define BERTH_PREP_RECEPTOR_PREPARE_RECEPTOR_H

#include "base/log.h"
#include "chem/site.h"
#include "format/pdb/structure_file.h"
#include "format/receptor_file.h"
#include "prep/receptor/displaceable.h"

/* Texts are borrowed, and NULL where nothing is asked for; those that name residues are read by
 * berth_selection_parse. */
struct berth_receptor_settings {
    const char *path; /* "-" is standard input */
    enum berth_structure_format format;
    const char *forcefield;          /* file; NULL: the one that is built in */
    const char *ligand_id;           /* residues that are cut out: the ligand */
    const char *keep, *drop;         /* residues; keep may be "all", drop "hetero" */
    const char *keep_waters;         /* residues, or "bridging" */
    bool waters;                     /* tell what holds those near the ligand */
    const char *displaceable_waters; /* residues, or "bridging": kept, and left out in turn */
    double keep_waters_within;       /* Å of the ligand, else of the site; 0: none */
    const struct berth_site *box; /* borrowed; NULL: by the residues below, else about the ligand */
    const char *residues;         /* residues that the box is about */
    double autobox_add;           /* Å: margin of a box about a ligand or residues */
    size_t sites;                 /* to scan for, at most; 0: no scan, and no site of one's own */
    bool siteless;                /* no box about the ligand: where the site is, others know */
    bool docked;                  /* who docks checks the box, for which this need not, too */
    bool keep_types;              /* those of a Mol2 file */
    bool reference;               /* the ligand's bonds are wanted, not its place alone */
    const char *ligand_smiles;    /* that has these; NULL: they are perceived */
};

/* The files to write; NULL: not that one. */
struct berth_receptor_outputs {
    const char *out;       /* receptor file; of a scan the names of the files begin with it */
    const char *reference; /* Mol2 of the ligand that was cut out */
    const char *mol2;      /* Mol2 of the receptor */
    bool overwrite;        /* receptor files without displaceable waters that are there */
};

struct berth_receptor_prepared {
    struct berth_structure structure; /* what became the receptor */
    struct berth_structure ligand;    /* what was cut out of it */
    struct berth_molecule reference;  /* that with bonds; empty where nothing was */
    struct berth_receptor receptor;
    struct berth_displaceable displaceable;
};

/* Prepares; log is told what was done and what is doubtful.  The caller clears *prepared.  Errors:
 * BERTH_E_USAGE (a selection that is none, that nothing matches, a ligand that may be one of
 * several), BERTH_E_TYPE, BERTH_E_FORMAT (nothing is left), those of the readers and of Open Babel,
 * BERTH_E_MEMORY. */
enum berth_status berth_receptor_prepare(const struct berth_receptor_settings *settings,
                                         const struct berth_log *log,
                                         struct berth_receptor_prepared *prepared,
                                         struct berth_error *error);

/* Writes the files; a scan for sites writes one receptor file for each, and the table of them.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT (a scan found no pocket), BERTH_E_MEMORY. */
enum berth_status berth_receptor_prepared_write(const struct berth_receptor_settings *settings,
                                                const struct berth_receptor_outputs *outputs,
                                                const struct berth_log *log,
                                                struct berth_receptor_prepared *prepared,
                                                struct berth_error *error);

void berth_receptor_prepared_clear(struct berth_receptor_prepared *prepared);

/* The names of a scan's files: "SITE_2.brec" for site 2 of "SITE.brec", "SITE_sites.csv" for
 * site 0, the table.  path has PATH_MAX bytes. */
void berth_receptor_scan_path(const char *out, size_t site, char *path);

#endif
