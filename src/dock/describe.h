/* Fills the card of a run that docks: what determines its results, what else is known of it, and
 * what came of it. */
#ifndef BERTH_DOCK_DESCRIBE_H
#define BERTH_DOCK_DESCRIBE_H

#include "dock/ensemble.h"
#include "dock/judging.h"
#include "dock/screen/records.h"
#include "dock/stream/stream.h"
#include "format/run_card.h"

/* A run; everything is borrowed. */
struct berth_run_described {
    const struct berth_ensemble *receptors;
    const struct berth_site *site;
    const char *scoring; /* as the user named it */
    const struct berth_search_settings *search;
    const char *level; /* what the user calls the search; NULL: not told */
    const struct berth_mode_choice *modes;
    const char *variant; /* NULL: by device */
    const struct berth_judging *judging;
    bool relax;          /* poses are, before they are ranked */
    const char *rescore; /* path of the judging's model; NULL: it has none */
    size_t rescore_top;  /* ligands that the model judges, at most; 0: all */
    const char *require; /* interactions of poses; NULL: any */
};

/* Puts it onto the card, but for where the ligands are from.  Errors: BERTH_E_IO (the model's
 * files), BERTH_E_MEMORY. */
enum berth_status berth_run_describe(const struct berth_run_described *run,
                                     struct berth_run_card *card, struct berth_error *error);

/* The SHA-256 of bytes, as a text of the card's. */
const char *berth_run_hash(struct berth_run_card *card, const void *bytes, size_t size);

/* What came of it; everything is borrowed. */
struct berth_run_summary {
    uint64_t ligands, failed, conformers;
    const struct berth_known_devices *devices; /* that docked any of it */
    const struct berth_run_work *work; /* of all of it; NULL, or of fewer ligands: not known */
    double pairs_per_atom;       /* see berth_search_pairs_per_atom; 0: energies are of maps */
    double preparing, processor; /* s of processor time: of preparing, 0: none, or not known; of
                                    all */
    double busy;                 /* of the least busy device, 0 to 1; NAN: not known */
};

/* Puts it onto the card; the devices' texts are borrowed by that. */
void berth_run_sum_up(const struct berth_run_summary *summary, struct berth_run_card *card);

#endif
