/* What a model says of a screen's best ligands: asked once all are docked, into the journal. */
#ifndef BERTH_SCREEN_SCREEN_RESCORING_H
#define BERTH_SCREEN_SCREEN_RESCORING_H

#include "screen/screen.h"

/* Asks the run's model, if it has one, about the modes of those of the best ligands that it was not
 * asked about, and adds that to the journal.  run->stopped: the caller wanted the end before that.
 * Errors: those of berth_rescorer_run; BERTH_E_IO. */
enum berth_status berth_run_rescore(struct berth_screen *screen, struct berth_error *error);

#endif
