/* What is said of a run that docks: its identity, which determines every result, facts, and
 * run.json with how fast it went.  Identity and facts are lines "name = value", in a screen also
 * of its journal. */
#ifndef BERTH_DOCK_DESCRIBE_H
#define BERTH_DOCK_DESCRIBE_H

#include "base/bytes.h"
#include "base/sha256.h"
#include "dock/ensemble.h"
#include "dock/judging.h"
#include "dock/screen/records.h"
#include "dock/stream/stream.h"

/* What determines the results of any run; everything is borrowed. */
struct berth_run_identity {
    const struct berth_ensemble *receptors;
    const struct berth_site *site;
    const char *scoring; /* as the user named it */
    const struct berth_search_settings *search;
    const struct berth_mode_choice *modes;
    const char *variant; /* NULL: by device */
    const struct berth_judging *judging;
    bool relax;               /* poses are, before they are ranked */
    const char *rescore;      /* path of the judging's model; NULL: it has none */
    size_t rescore_top;       /* ligands that the model judges, at most; 0: all */
    struct berth_bytes *text; /* that the lines are added to */
};

/* Program, scoring function, receptors and site; then, behind what is said of the ligands, how they
 * are searched and judged.  Errors: BERTH_E_IO (the model's files), BERTH_E_MEMORY. */
enum berth_status berth_run_identify_target(const struct berth_run_identity *run,
                                            struct berth_error *error);
enum berth_status berth_run_identify_search(const struct berth_run_identity *run,
                                            struct berth_error *error);

/* What else is known of any run: where its receptors are, and the names of forcefield and terms. */
void berth_run_known(const struct berth_ensemble *receptors, struct berth_bytes *facts);

/* A line; its breaks become blanks. */
void berth_run_line(struct berth_bytes *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The absolute path, so that whoever reads it elsewhere finds the file; "-" stays. */
void berth_run_path(struct berth_bytes *text, const char *name, const char *path);

/* The SHA-256 of a text, as text. */
void berth_run_digest(const char *text, char digest[BERTH_SHA256_TEXT]);

/* What run.json says; everything is borrowed. */
struct berth_run_summary {
    const char *identity, *facts;
    uint64_t ligands, failed, conformers;
    const struct berth_known_devices *devices; /* that docked any of it */
    const struct berth_run_work *work; /* of all of it; NULL, or of fewer ligands: not known */
    double pairs_per_atom;       /* see berth_search_pairs_per_atom; 0: energies are of maps */
    double preparing, processor; /* s of processor time: of preparing, 0: none, or not known; of
                                    all */
    double busy;                 /* of the least busy device, 0 to 1; NAN: not known */
};

/* Writes run.json.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_run_json_write(const char *path, const struct berth_run_summary *summary,
                                       struct berth_error *error);

#endif
