/* Files that are there for a while: what a process that a signal ends would leave.  The program
 * removes them as it ends so; the library itself catches no signal. */
#ifndef BERTH_BASE_LEFTOVERS_H
#define BERTH_BASE_LEFTOVERS_H

/* Notes the path of a file until it is forgotten; where there is no room for another one, it is not
 * noted.  Any thread may call either. */
void berth_leftovers_add(const char *path);
void berth_leftovers_forget(const char *path);

/* Removes all that this process has noted; a signal's handler may call it. */
void berth_leftovers_remove(void);

#endif
