/* A campaign: a model that learns from what was docked chooses which molecules of a large library
 * are docked next.  tools/rdkit/campaign.py chooses, by NumPy and RDKit; the screens of what it
 * chooses are the caller's. */
#ifndef BERTH_SCREEN_CAMPAIGN_H
#define BERTH_SCREEN_CAMPAIGN_H

#include "prep/worker.h"

/* Zeroed it is not open. */
struct berth_campaign {
    const char *folder;   /* borrowed */
    const char *library;  /* borrowed; files of SMILES, with commas between */
    const char *settings; /* borrowed; lines "name=value" that campaign.py takes */
    struct berth_rdkit rdkit;
    struct berth_worker *worker; /* owned */
};

/* What comes next; the texts are the step's. */
struct berth_campaign_step {
    struct berth_answer answer; /* owned */
    const char *rounds;         /* "1 2 3": no more are docked, and these are to be joined; NULL:
                                   the campaign goes on */
    const char *found;          /* then: members that run.json begins with; */
    bool failed;                /* molecules have no result */
    const char *screen; /* a folder: its molecules.smi is to be screened into it; NULL: nothing is,
                           as the step has not yet come to that: take the next */
    const struct berth_field *said; /* lines for people, [said_count] */
    size_t said_count;
};

/* Finds a Python.  What is borrowed is set; cancel: NULL, or ends steps once it is
 * true.  The caller closes it either way.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_campaign_open(struct berth_campaign *campaign, const atomic_bool *cancel,
                                      struct berth_error *error);

/* Takes a step; *step is cleared first, and cleared by the caller in the end.  Errors:
 * BERTH_E_FORMAT (settings; files that are none of the campaign's), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_campaign_next(struct berth_campaign *campaign,
                                      struct berth_campaign_step *step, struct berth_error *error);

/* Writes the results of the whole from those of its rounds: step->rounds.  Errors: see
 * berth_join_screens. */
enum berth_status berth_campaign_join(const struct berth_campaign *campaign,
                                      const struct berth_campaign_step *step, size_t top,
                                      struct berth_error *error);

void berth_campaign_step_clear(struct berth_campaign_step *step);

void berth_campaign_close(struct berth_campaign *campaign);

#endif
