/* In which options two runs differ, in the words of whoever gave them: a run's identity has hashes,
 * and the numbers that a level of the search stands for. */
#ifndef BERTH_DOCK_RUN_DIFFERENCE_H
#define BERTH_DOCK_RUN_DIFFERENCE_H

#include <stddef.h>

enum { BERTH_RUN_DIFFERENCE = 1400 };

/* Lines "name = value" of a run, as its journal has them. */
struct berth_run_lines {
    const char *identity, *facts;
};

/* Of runs whose identities differ: writes "seed 1, now 2; poses 96, now 128" to text, cut to fit,
 * where `between` is ", now ".  Files of one name are told to differ in content; what no option
 * decides is told as the identity has it. */
void berth_run_difference(const struct berth_run_lines *one, const struct berth_run_lines *other,
                          const char *between, char text[BERTH_RUN_DIFFERENCE]);

#endif
