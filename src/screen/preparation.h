/* A screen of molecules: they are prepared into a library in the screen's folder, whose blocks are
 * docked while those that follow are made.  Once it is whole it is a library like any other. */
#ifndef BERTH_SCREEN_PREPARATION_H
#define BERTH_SCREEN_PREPARATION_H

#include "dock/stream/sources.h"
#include "run/run.h"

/* The library's name in the folder, and that of the list of what failed to come into it. */
#define BERTH_SCREEN_LIBRARY    "library.blib"
#define BERTH_SCREEN_UNPREPARED "library.failures"

struct berth_screen_preparation; /* opaque */

/* False where the text names a library (.blib); else molecules: files and the like, with commas
 * between them. */
bool berth_screen_prepares(const char *text);

/* Plans to prepare a shard of the molecules that the run's options name, in its folder; the run is
 * borrowed until the preparation is destroyed.  The caller destroys *made, also after an error.
 * Errors: BERTH_E_USAGE, BERTH_E_IO, BERTH_E_FORMAT (there is no molecule), BERTH_E_MEMORY. */
enum berth_status berth_screen_preparation_create(const struct berth_run *run,
                                                  struct berth_shard shard,
                                                  struct berth_screen_preparation **made,
                                                  struct berth_error *error);

/* All that decides what the library holds, but for the shard; and the SHA-256 of the input's
 * files, without what can be read but once.  Errors: BERTH_E_IO. */
const char *berth_screen_preparation_note(const struct berth_screen_preparation *preparation);
enum berth_status berth_screen_preparation_hash(const struct berth_screen_preparation *preparation,
                                                char text[BERTH_SHA256_TEXT],
                                                struct berth_error *error);

/* Opens the library where an earlier run, which is resumed, has finished it; else *library is NULL.
 * Errors: BERTH_E_USAGE (it is there, and the run is not to be resumed), BERTH_E_FORMAT (also:
 * another one), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_screen_preparation_open(struct berth_screen_preparation *preparation,
                                                enum berth_library_mode mode,
                                                struct berth_library_reader **library,
                                                struct berth_error *error);

/* Begins, or goes on, in a thread of its own.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_screen_preparation_start(struct berth_screen_preparation *preparation,
                                                 struct berth_error *error);

/* The source's `more`: see struct berth_library_source_state. */
enum berth_status berth_screen_preparation_more(void *context,
                                                struct berth_library_source_state *state, bool *end,
                                                struct berth_error *error);

/* Asks for the end, in good order; what was prepared is kept. */
void berth_screen_preparation_stop(struct berth_screen_preparation *preparation);

/* How far it is. */
struct berth_progress
berth_screen_preparation_progress(struct berth_screen_preparation *preparation);

/* True once it is known that no ligand comes out of the molecules: there is nothing to go on with.
 */
bool berth_screen_preparation_is_empty(const struct berth_screen_preparation *preparation);

/* Waits for the end of the thread; the whole library, which becomes the caller's, or NULL where the
 * source did not come to it.  *seconds: processor time that preparing took. */
struct berth_library_reader *
berth_screen_preparation_end(struct berth_screen_preparation *preparation, double *seconds);

/* NULL is accepted. */
void berth_screen_preparation_destroy(struct berth_screen_preparation *preparation);

#endif
