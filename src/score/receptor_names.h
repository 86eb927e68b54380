/* What the receptors of a run to several are called in its tables and poses. */
#ifndef BERTH_SCORE_RECEPTOR_NAMES_H
#define BERTH_SCORE_RECEPTOR_NAMES_H

#include "base/error.h"
#include "chem/site.h"

enum { BERTH_RECEPTOR_NAME_SIZE = 72 };

/* Zeroed to begin with. */
struct berth_receptor_names {
    size_t count;
    char columns[BERTH_RECEPTORS_MAX][BERTH_RECEPTOR_NAME_SIZE]; /* "score_" and the name */
};

/* What a receptor's file is called by itself: without folder and endings, and with _ for whatever
 * is no letter, digit or _. */
void berth_receptor_name_of(const char *path, char name[BERTH_RECEPTOR_NAME_SIZE]);

/* Adds the name of a file; one that is taken gets _2, _3 ... behind it.  Errors: BERTH_E_USAGE (too
 * many). */
enum berth_status berth_receptor_names_add(struct berth_receptor_names *names, const char *path,
                                           struct berth_error *error);

/* The name of receptor `number`, from 0; "" where names is NULL or there is but one, which needs no
 * name. */
const char *berth_receptor_name(const struct berth_receptor_names *names, size_t number);

/* How many have names: 0 where there is but one. */
size_t berth_receptor_names_count(const struct berth_receptor_names *names);

#endif
