/* How ligands are to be prepared, as people say it: texts and numbers of options, and what becomes
 * of them. */
#ifndef BERTH_PREP_LIGANDS_REQUEST_H
#define BERTH_PREP_LIGANDS_REQUEST_H

#include "base/options.h"
#include "prep/prepare.h"

/* What is asked for; texts are borrowed, and NULL where nothing is. */
struct berth_ligands_request {
    struct berth_arguments inputs;
    const char *list, *format;         /* see struct berth_ligand_sources */
    const char *builder;               /* see berth_builder_check */
    const char *exclude;               /* a file of SMARTS that molecules must not hold */
    const char *mw;                    /* "MAX" or "MIN-MAX", g/mol */
    const char *elements;              /* "C,N,O": those allowed beside hydrogen */
    const char *properties;            /* "a,b" or "all": of SDF, to keep */
    double ph, energy_window;          /* kJ/mol */
    double conformer_rmsd, time_limit; /* Å, s */
    long long protomers, stereo;       /* forms of a molecule, at most */
    long long conformers, structures;
    long long memory_limit;                 /* MB that a process of RDKit's may use; 0: any */
    long long max_heavy, max_rotors;        /* 0: any */
    bool keep_protonation, rebuild, smiles; /* see struct berth_preparation */
    bool unique;                            /* drop molecules that came before */
};

struct berth_ligands_request berth_ligands_request_defaults(void);

/* The preparation that is asked for, and the texts that it borrows from. */
struct berth_ligands_plan {
    struct berth_preparation preparation;
    char *property_text;        /* owned; the names, cut apart */
    const char **properties;    /* owned; [preparation.property_count] */
    struct berth_bytes exclude; /* owned; a text, or empty */
    char *note;                 /* owned; for the library: everything that decides what is in it */
};

/* The caller clears *plan.  Errors: BERTH_E_USAGE (a text that means nothing; names its option),
 * BERTH_E_MEMORY. */
enum berth_status berth_ligands_plan_create(const struct berth_ligands_request *request,
                                            struct berth_ligands_plan *plan,
                                            struct berth_error *error);

void berth_ligands_plan_clear(struct berth_ligands_plan *plan);

/* BERTH_E_USAGE where that is no builder of 3D coordinates (see struct berth_preparation); NULL is
 * one. */
enum berth_status berth_builder_check(const char *builder, struct berth_error *error);

#endif
