/* What a user names a ranking by: one that ships with berth (data/ranking), a file of their own, or
 * an expression. */
#ifndef BERTH_SCORE_RANKING_FILE_H
#define BERTH_SCORE_RANKING_FILE_H

#include "base/error.h"

struct berth_ranking_texts {
    char *scoring;         /* owned; the functions that it needs, with commas between, the first to
                              search by; NULL: those that its expressions name */
    char *poses, *ligands; /* owned; expressions */
};

/* Reads what is named so.  A file, whose name ends with .rank, has lines "NAME = VALUE": scoring,
 * poses and ligands, and comments behind '#'.  The caller clears *texts, also after an error.
 * Errors: BERTH_E_USAGE (no such ranking), BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_ranking_find(const char *rank, struct berth_ranking_texts *texts,
                                     struct berth_error *error);

/* The names of those that ship, with commas between, as far as they fit. */
void berth_ranking_names(char *text, size_t size);

/* A zeroed one is accepted. */
void berth_ranking_texts_clear(struct berth_ranking_texts *texts);

#endif
