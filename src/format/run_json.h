/* run.json, as berth writes it. */
#ifndef BERTH_FORMAT_RUN_JSON_H
#define BERTH_FORMAT_RUN_JSON_H

#include <limits.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"

/* Reads the file, with a 0 behind it, to *json, which the caller clears; stop: see
 * berth_check_stop.  Errors: those of reading; BERTH_E_MEMORY. */
enum berth_status berth_run_json_read(const char *path, const atomic_bool *stop,
                                      struct berth_bytes *json, struct berth_error *error);

/* The text of a member of an object of run.json, without escapes: "" where there is none.  What
 * berth writes, a line a member, is all that this reads. */
void berth_run_json_find(const struct berth_bytes *json, const char *object, const char *name,
                         char text[PATH_MAX]);

/* What is called with a member; text may be written to. */
typedef void (*berth_run_json_visit)(void *context, const char *name, char *text);

/* Calls visit with each member of the object that is a text, and whose name begins with prefix. */
void berth_run_json_each(const struct berth_bytes *json, const char *object, const char *prefix,
                         berth_run_json_visit visit, void *context);

/* A count outside of objects, such as "ligands"; 0 where there is none. */
uint64_t berth_run_json_number(const struct berth_bytes *json, const char *name);

/* How many devices docked; calls visit, or NULL, with each name once. */
size_t berth_run_json_devices(const struct berth_bytes *json, berth_run_json_visit visit,
                              void *context);

/* Reads the run.json of a file of poses: the one called as the poses are (POSES.run.json), or that
 * of their folder.  None is no error: *json is empty.  The caller clears it.  Errors: those of
 * reading. */
enum berth_status berth_run_json_beside(const char *poses, struct berth_bytes *json,
                                        struct berth_error *error);

/* Warns where run.json names a receptor of the run's, and this file is another one: by its path
 * and, where both can be read, by its content; of files that are no longer there, by the name.  Of
 * several receptors, the one of this file's name is meant. */
void berth_run_json_check_receptor(const struct berth_bytes *json, const char *receptor,
                                   const struct berth_log *log);

/* The same of the run of some poses, if its run.json tells of them.  Errors: those of reading. */
enum berth_status berth_run_json_check_beside(const char *poses, const char *receptor,
                                              const struct berth_log *log,
                                              struct berth_error *error);

/* What the run of some poses did to the receptor; "": nothing. */
struct berth_run_cut {
    char ligand_id[PATH_MAX]; /* the residue that it cut out, as --ligand_id has it */
    char covalent[PATH_MAX];  /* "CYS A:25 SG": where the poses hang, with a part of the residue */
    char side_chains[PATH_MAX]; /* "A:25, ILE A:50": those that moved with each pose */
};

/* Reads it from the run.json of the poses, of a folder's hits or of a docking, if that names this
 * receptor, the same file by whatever path.  Errors: those of reading. */
enum berth_status berth_run_json_cut(const char *poses, const char *receptor,
                                     struct berth_run_cut *cut, struct berth_error *error);

#endif
