/* Ways to print a command (see berth_manual_write). */
#ifndef BERTH_REPORT_MANUAL_WRITERS_H
#define BERTH_REPORT_MANUAL_WRITERS_H

#include "report/manual/manual.h"

void berth_manpage_write(const struct berth_manual_command *command, FILE *file);
void berth_bash_write(const struct berth_manual_command *command, FILE *file);
void berth_zsh_write(const struct berth_manual_command *command, FILE *file);
void berth_fish_write(const struct berth_manual_command *command, FILE *file);

#endif
