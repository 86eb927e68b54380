/* The commands of `berth lib`. */
#ifndef BERTH_CLI_LIB_H
#define BERTH_CLI_LIB_H

#include "cli/common.h"
#include "format/library/library.h"

int cmd_lib_info(int argc, char **argv);
int cmd_lib_ls(int argc, char **argv);
int cmd_lib_get(int argc, char **argv);
int cmd_lib_verify(int argc, char **argv);
int cmd_lib_merge(int argc, char **argv);

/* A walk over the ligands of a library; corrupt blocks are told on stderr and counted. */
struct lib_walk {
    struct berth_library_reader *reader; /* owned */
    struct berth_library_range range;
    struct berth_docking_block block;
    size_t corrupt; /* blocks */
};

/* Opens the library.  The caller closes *walk.  Errors: as berth_library_open. */
enum berth_status lib_walk_open(const char *path, struct lib_walk *walk, struct berth_error *error);

/* The next block that can be read; *end where there is none.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status lib_walk_next(struct lib_walk *walk, bool *end, struct berth_error *error);

void lib_walk_close(struct lib_walk *walk);

/* BERTH_E_USAGE unless just one library was named. */
enum berth_status lib_check_one(const struct berth_arguments *arguments, struct berth_error *error);

#endif
