/* What options of other docking programs have in their place: Vina, QuickVina and Vina-GPU, smina
 * and gnina, AutoDock-GPU, Uni-Dock.  docs/coming_from.md says the same, which a test holds. */
#ifndef BERTH_OPTIONS_PEERS_H
#define BERTH_OPTIONS_PEERS_H

#include "base/options.h"

extern const struct berth_option BERTH_PEERS_TABLE[];

/* The row by which a command's table knows them; a row of its own of the same name comes first. */
#define BERTH_PEERS_ROW                                                                            \
    {                                                                                              \
        "others", BERTH_OPTION_OTHERS, .others = BERTH_PEERS_TABLE                                 \
    }

#endif
