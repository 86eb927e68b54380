/* How ligands are to be prepared, as people say it: texts and numbers of options, and what becomes
 * of them. */
#ifndef BERTH_PREP_LIGANDS_REQUEST_H
#define BERTH_PREP_LIGANDS_REQUEST_H

#include "base/error.h"
#include "prep/prepare.h"

/* The preparation that is asked for, and the texts that it borrows from. */
struct berth_ligands_plan {
    struct berth_preparation preparation;
    char *property_text;        /* owned; the names, cut apart */
    const char **properties;    /* owned; [preparation.property_count] */
    struct berth_bytes exclude; /* owned; a text, or empty */
    char *note;                 /* owned; for the library: everything that decides what is in it */
};

/* inputs [count]: for the note.  The caller clears *plan.  Errors: BERTH_E_USAGE (a text that means
 * nothing; names its option), BERTH_E_MEMORY. */
enum berth_status berth_ligands_plan_create(const struct berth_prepare_ligands_options *request,
                                            const char *const *inputs, size_t count,
                                            struct berth_ligands_plan *plan,
                                            struct berth_error *error);

void berth_ligands_plan_clear(struct berth_ligands_plan *plan);

/* BERTH_E_USAGE where that is no builder of 3D coordinates (see struct berth_preparation); NULL is
 * one. */
enum berth_status berth_builder_check(const char *builder, struct berth_error *error);

#endif
