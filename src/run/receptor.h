/* A receptor as the options of a run ask for it: how it scores, what is cut out of it, and its
 * site. */
#ifndef BERTH_RUN_RECEPTOR_H
#define BERTH_RUN_RECEPTOR_H

#include "base/log.h"
#include "chem/site.h"
#include "dock/typed_receptor.h"
#include "options/options.h"

struct berth_loaded_receptor {
    struct berth_typed_receptor typed;
    bool allow_occupied;         /* a ligand of the receptor's may stand in the site */
    char *path, *scoring;        /* owned; scoring: the function as the caller named it */
    struct berth_molecule about; /* owned; that the site is about; empty: none */
    char *about_path;            /* owned; its file; NULL: none */
    char *ligand_smiles;         /* owned; of the ligand that was cut out; NULL: not given */
};

/* Reads and types it.  The caller clears *loaded, zeroed by it before, also after an error. Errors:
 * BERTH_E_USAGE (the site; no such scoring), those of berth_typed_receptor_read. */
enum berth_status berth_loaded_receptor_read(const char *path, const struct berth_options *options,
                                             const struct berth_log *log,
                                             struct berth_loaded_receptor *loaded,
                                             struct berth_error *error);

/* Makes the site a box about the molecule in a file: see berth_receptor_site_about.  Errors: those
 * of reading it; BERTH_E_FORMAT (no heavy atoms). */
enum berth_status berth_loaded_receptor_site_about(struct berth_loaded_receptor *loaded,
                                                   const char *path, double margin,
                                                   const struct berth_log *log,
                                                   struct berth_error *error);

/* Makes the box the site.  Errors: BERTH_E_USAGE (no numbers, or none that a site has). */
enum berth_status berth_loaded_receptor_set_site(struct berth_loaded_receptor *loaded,
                                                 const double center[3], const double edges[3],
                                                 struct berth_error *error);

/* BERTH_E_USAGE where the receptor has no site; log (or NULL) is told what is doubtful about it,
 * and of a molecule that it is about and that overlaps the receptor, unless the options have it as
 * reference or template, of which others tell. */
enum berth_status berth_loaded_receptor_need_site(const struct berth_loaded_receptor *loaded,
                                                  const struct berth_options *options,
                                                  const struct berth_log *log,
                                                  struct berth_error *error);

void berth_loaded_receptor_clear(struct berth_loaded_receptor *loaded);

/* The box that is asked for; *any is false where none is.  about: zeroed, becomes the molecule that
 * it is about, if it is, and is the caller's to clear, also after an error.  Errors: BERTH_E_USAGE
 * (both a box and a molecule, half a box, an edge of 0), those of reading the molecule. */
enum berth_status berth_box_of(const struct berth_options *options, const struct berth_log *log,
                               bool *any, struct berth_site *site, struct berth_molecule *about,
                               struct berth_error *error);

#endif
