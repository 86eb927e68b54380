/* The paragraph of a run for a paper's methods section: what was docked, how it was prepared,
 * searched, held and judged, with the figures of the run and the papers of its functions. */
#ifndef BERTH_REPORT_METHODS_H
#define BERTH_REPORT_METHODS_H

#include "base/bytes.h"
#include "base/error.h"
#include "report/places.h"

/* A scoring function of the run: as it was named, and where it is from. */
struct berth_methods_source {
    char *name, *source; /* owned */
};

/* What is known of the run; everything is borrowed. */
struct berth_methods_facts {
    const struct berth_run_card *run;
    const char *prepared;                    /* how the library was made; "": not known */
    const char *docked_into;                 /* the receptor's file */
    const char *made_from;                   /* what that was made from; "": not known, or itself */
    bool ligands_ranked;                     /* the table has the ligands' ranking */
    bool counted;                            /* there is a table, whose figures are: */
    size_t ligands, molecules;               /* docked; molecules whose forms they are */
    size_t open_stereo;                      /* of these: some isomers were left out */
    size_t repeated;                         /* ligands whose canonical SMILES another had before */
    size_t failed, dropped;                  /* of the run, but for the preparation of a library */
    size_t duplicates;                       /* dropped: their canonical SMILES came before */
    const struct berth_shown_places *places; /* of restraints */
    const struct berth_methods_source *sources;
    size_t source_count;
};

/* Writes the paragraph to *text, which the caller clears; empty where run.json says nothing of a
 * docking.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_methods_write(const struct berth_methods_facts *facts,
                                      struct berth_bytes *text, struct berth_error *error);

#endif
