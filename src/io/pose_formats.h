/* The formats behind berth_pose_write, one function each; only poses.c calls them. */
#ifndef BERTH_IO_POSE_FORMATS_H
#define BERTH_IO_POSE_FORMATS_H

#include "io/poses.h"

/* A molfile with data items.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sdf_write(struct berth_output *output,
                                  const struct berth_pose_record *record,
                                  struct berth_error *error);

/* Comments, then MOLECULE, ATOM and BOND sections. */
void berth_mol2_write(struct berth_output *output, const struct berth_pose_record *record);

enum { BERTH_TAG_COUNT = 9, BERTH_TAG_SIZE = 48 };

/* The tags of a record as text, in the order of the output. */
struct berth_pose_tags {
    int count; /* the RMSD is left out where there is none */
    struct {
        const char *name;  /* borrowed, lasts for ever */
        const char *value; /* borrowed from the record or from text */
        char text[BERTH_TAG_SIZE];
    } tags[BERTH_TAG_COUNT];
};

/* Fills *tags, which points into itself: not to be copied. */
void berth_pose_tags(const struct berth_pose_record *record, struct berth_pose_tags *tags);

#endif
