/* What `berth lib info` says of a library. */
#ifndef BERTH_CLI_TEXT_LIBRARY_H
#define BERTH_CLI_TEXT_LIBRARY_H

#include "format/library/library.h"

/* Prints what an opened library, whose file this is, holds, how it was made and how large it is. */
void cli_print_library(const char *path, const struct berth_library_reader *reader);

#endif
