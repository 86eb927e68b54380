/* What the receptors of a run to several are called in its tables and poses. */
#ifndef BERTH_FORMAT_RECEPTOR_NAMES_H
#define BERTH_FORMAT_RECEPTOR_NAMES_H

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

/* What a run's description calls something of the receptor's own, `what` (such as "side_chains"):
 * that, or "what_NAME" where there are several. */
enum { BERTH_RECEPTOR_KEY = BERTH_RECEPTOR_NAME_SIZE + 16 };
void berth_receptor_own_key(const struct berth_receptor_names *names, size_t number,
                            const char *what, char key[BERTH_RECEPTOR_KEY]);

/* The same of the receptor itself: "receptor", or "receptor_NAME". */
void berth_receptor_key(const struct berth_receptor_names *names, size_t number,
                        char key[BERTH_RECEPTOR_KEY]);

/* Reads the names from such a description, lines "receptor_NAME = ...", in their order; there are
 * none where it is of one receptor. */
void berth_receptor_names_read(const char *lines, struct berth_receptor_names *names);

/* How many have names: 0 where there is but one. */
size_t berth_receptor_names_count(const struct berth_receptor_names *names);

#endif
