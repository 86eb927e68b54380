/* Fills the card of a run that docks: what determines its results, what else is known of it, and
 * what came of it. */
#ifndef BERTH_RUN_CARD_H
#define BERTH_RUN_CARD_H

#include "run/work.h"
#include "dock/stream/stream.h"
#include "format/run_card.h"
#include "run/run.h"

/* Puts it onto the card, but for where the ligands are from; site: where it docks, the run's or a
 * box about a whole surface.  Errors: BERTH_E_IO (the model's files), BERTH_E_MEMORY. */
enum berth_status berth_run_describe(const struct berth_run *run, const struct berth_site *site,
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
