/* The receptor's own ligand that poses lie in the place of. */
#ifndef BERTH_REPORT_REPLACED_H
#define BERTH_REPORT_REPLACED_H

#include <stdatomic.h>

#include "base/log.h"
#include "chem/selection.h"
#include "report/store/store.h"

/* Where nobody says what the poses' run cut out of the structure (a file of some of its poses has
 * no run.json), it is the ligand that one of them lies in the place of: it would hide what the pose
 * does to the receptor (a file).  ligand_id: the residue, "" where there is none, or the receptor
 * is a prepared one.  Both are read once more, which a pipe cannot be; what is wrong with them is
 * left to whoever reads them then.  stop: or NULL, see berth_check_stop.  The log hears of what is
 * found. */
void berth_replaced_find(const char *receptor, const struct berth_run_poses *poses,
                         const atomic_bool *stop, const struct berth_log *log,
                         char ligand_id[BERTH_SELECTOR_TEXT]);

#endif
