/* The receptor's own ligand that poses lie in the place of. */
#ifndef BERTH_REPORT_REPLACED_H
#define BERTH_REPORT_REPLACED_H

#include <stdatomic.h>

#include "base/log.h"
#include "chem/selection.h"

/* Where to look; everything is borrowed. */
struct berth_replaced_files {
    const char *receptor, *poses;
    const atomic_bool *stop; /* or NULL */
    const struct berth_log *log;
};

/* Where nobody says what the poses' run cut out of the structure (a file of some of its poses has
 * no run.json), it is the ligand that one of them lies in the place of: it would hide what the pose
 * does to the receptor.  ligand_id: the residue, "" where there is none, or the receptor is a
 * prepared one.  Both files are read once more, which a pipe cannot be; what is wrong with them is
 * left to whoever reads them then.  The log hears of what is found. */
void berth_replaced_find(const struct berth_replaced_files *files,
                         char ligand_id[BERTH_SELECTOR_TEXT]);

#endif
