/* In which options two runs differ, in the words of whoever gave them: a run's identity has hashes,
 * and the numbers that a level of the search stands for. */
#ifndef BERTH_FORMAT_RUN_DIFFERENCE_H
#define BERTH_FORMAT_RUN_DIFFERENCE_H

#include "format/run_card.h"

enum { BERTH_RUN_DIFFERENCE = 1400 };

/* Of runs whose identities differ: writes "seed 1, now 2; poses 96, now 128" to text, cut to fit,
 * where `between` is ", now ".  Files of one name are told to differ in content; where no option
 * differs, rows are told by their names. */
void berth_run_difference(const struct berth_run_card *one, const struct berth_run_card *other,
                          const char *between, char text[BERTH_RUN_DIFFERENCE]);

#endif
