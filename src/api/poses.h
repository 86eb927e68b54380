/* Ligands with their poses as the caller's callback takes them. */
#ifndef BERTH_API_POSES_H
#define BERTH_API_POSES_H

#include "berth.h"
#include "dock/modes.h"

/* A ligand whose modes are given; number: in the file. */
struct berth_api_docked {
    uint64_t number;
    const struct berth_ligand *ligand;
    const struct berth_modes *modes;
};

/* Hands it to calls->ligand; *stop: what that answered.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_api_hand(const struct berth_ligand_calls *calls,
                                 const struct berth_api_docked *docked, bool *stop,
                                 struct berth_error *error);

#endif
