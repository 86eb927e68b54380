/* Molecules by name: known actives or decoys, and what was docked. */
#ifndef BERTH_EVAL_SCREEN_KNOWN_H
#define BERTH_EVAL_SCREEN_KNOWN_H

#include "base/log.h"
#include "prep/worker.h"

struct berth_known {
    char *name;               /* owned */
    double heavy_atoms, mass; /* g/mol; NAN: unknown */
    char *scaffold;           /* owned; as of struct berth_facts */
    size_t order;             /* its place in the file */
};

struct berth_known_set {
    struct berth_known *items; /* owned; [count], sorted by name; of several the first */
    size_t count, capacity;
};

/* Everything is borrowed. */
struct berth_known_reading {
    const char *path;                /* molecules (see berth_facts_takes), or names, one a line */
    bool states;                     /* NAME_1, NAME_2 ... are states of NAME */
    bool scaffolds;                  /* are wanted */
    const struct berth_rdkit *rdkit; /* or NULL */
    const struct berth_log *log;
};

/* The caller clears *set.  Errors: those of reading the file; BERTH_E_FORMAT where it names
 * nothing.
 */
enum berth_status berth_known_read(const struct berth_known_reading *reading,
                                   struct berth_known_set *set, struct berth_error *error);

/* The molecule of this name, or NULL. */
const struct berth_known *berth_known_find(const struct berth_known_set *set, const char *name);

void berth_known_clear(struct berth_known_set *set);

#endif
