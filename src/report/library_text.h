/* What `berth lib info` says of a library. */
#ifndef BERTH_REPORT_LIBRARY_TEXT_H
#define BERTH_REPORT_LIBRARY_TEXT_H

#include <stdio.h>

#include "format/library/library.h"

/* Prints what an opened library, whose file this is, holds, how it was made and how large it is. */
void berth_library_print(FILE *file, const char *path, const struct berth_library_reader *reader);

#endif
