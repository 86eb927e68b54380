/* The handles of the public header, and what its functions share: each handle owns what the structs
 * within would only borrow. */
#ifndef BERTH_API_API_H
#define BERTH_API_API_H

#include <stdatomic.h>

#include "berth.h"
#include "device/device.h"
#include "dock/ensemble.h"
#include "dock/judging.h"
#include "dock/rescore.h"
#include "dock/stream/stream.h"
#include "engine/search.h"

struct berth_devices_handle {
    struct berth_devices devices;
    struct berth_device_info *facts; /* owned; [devices.count], in a list [devices.others] behind */
    char (*codes)[BERTH_DEVICE_NAME]; /* owned; likewise */
};

struct berth_receptor_handle {
    struct berth_typed_receptor receptor;
    bool allow_occupied;                /* a ligand of the receptor's may stand in the site */
    char *path, *scoring;               /* owned; scoring: the function as the caller named it */
    struct berth_molecule about;        /* owned; that the site is about; empty: none */
    char *about_path;                   /* owned; its file; NULL: none */
    char *ligand_smiles;                /* owned; of the ligand that was cut out; NULL: not given */
    const char *terms[BERTH_TERMS_MAX]; /* names, borrowed from receptor */
    const char *functions[BERTH_FUNCTIONS_MAX]; /* likewise */
    const char *units[BERTH_FUNCTIONS_MAX];     /* likewise */
    struct berth_receptor_facts facts;
};

/* An argument that must not be NULL, and whether it is given. */
struct berth_api_argument {
    const char *name; /* as berth.h has it */
    bool given;
};

#define BERTH_ARGUMENT(pointer)                                                                    \
    {                                                                                              \
#pointer, (pointer) != NULL                                                                \
    }

/* BERTH_E_USAGE where one of these arguments, each a BERTH_ARGUMENT, is NULL. */
#define BERTH_NEED(error, ...)                                                                     \
    berth_api_need((const struct berth_api_argument[]){__VA_ARGS__, {NULL, true}}, error)

/* The same for a list that ends with an argument without a name. */
enum berth_status berth_api_need(const struct berth_api_argument *arguments,
                                 struct berth_error *error);

/* BERTH_E_USAGE where texts [count] of this name are NULL, or one of them is. */
enum berth_status berth_api_need_texts(const char *name, const char *const *texts, size_t count,
                                       struct berth_error *error);

/* What keeps calls of a handle apart: zeroed, no call is in progress. */
struct berth_api_use {
    atomic_int state;
};

/* Begins a call of a handle, which berth_api_leave ends.  what: the handle, for the message.
 * Errors: BERTH_E_USAGE (another call is in progress; the process was forked). */
enum berth_status berth_api_enter(struct berth_api_use *use, const char *what,
                                  struct berth_error *error);

/* True where the handle is to be freed now: it was asked for during the call. */
bool berth_api_leave(struct berth_api_use *use);

/* True where the handle is to be freed now; false: at the end of the call that is in progress, or
 * never, since its devices are those of the process that this one was forked from. */
bool berth_api_is_free(struct berth_api_use *use);

/* Copies options of the caller's (of any version up to this one; NULL: none) over mine, size bytes,
 * which hold the defaults.  name: for the message.  Errors: BERTH_E_USAGE (never filled by
 * berth_NAME_defaults, or of a later version). */
enum berth_status berth_api_take(const void *options, const char *name, void *mine, size_t size,
                                 struct berth_error *error);

/* Copies defaults, whose first member is its size, into the caller's options, size bytes. */
void berth_api_give(const void *defaults, size_t all, void *options, size_t size);

/* The box that is asked for; *any is false where none is.  about: zeroed, becomes the molecule that
 * it is about, if it is, and is the caller's to clear, also after an error.  Errors: BERTH_E_USAGE
 * (both a box and a molecule, half a box, an edge of 0), those of reading the molecule. */
enum berth_status berth_api_box(const struct berth_box *box, const struct berth_log *log, bool *any,
                                struct berth_site *site, struct berth_molecule *about,
                                struct berth_error *error);

/* The search that options ask for; NULL: the defaults.  Errors: BERTH_E_USAGE. */
enum berth_status berth_api_search(const struct berth_search_options *options,
                                   struct berth_search_options *search, struct berth_error *error);

/* A run's facts, progress and profile, and what they point to. */
struct berth_api_run {
    struct berth_run_facts facts;
    struct berth_progress progress;
    struct berth_run_device *devices;     /* owned; [facts.device_count] */
    struct berth_device_share *shares;    /* owned; likewise */
    char (*variants)[BERTH_VARIANT_TEXT]; /* owned; likewise */
    const char *receptors[BERTH_RECEPTORS_MAX];
    const char *learned[BERTH_LEARNED_MAX];
    const char *restraints[BERTH_RESTRAINTS_MAX];
    double radii[BERTH_RESTRAINTS_MAX];
};

/* Opens the model that judges the poses in these receptors; path NULL: *rescorer is NULL.  The
 * caller destroys *rescorer.  Errors: those of berth_rescorer_create. */
enum berth_status berth_api_rescorer(const char *path, const struct berth_ensemble *receptors,
                                     const struct berth_devices *devices,
                                     struct berth_rescorer **rescorer, struct berth_error *error);

/* Says what the run's model says of poses; judges is borrowed. */
void berth_api_run_learn(const struct berth_judges *judges, struct berth_api_run *run);

/* Fills run->facts; all is borrowed, for as long as run is.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_api_run_describe(const struct berth_ensemble *receptors,
                                         const struct berth_site *site,
                                         const struct berth_devices *devices,
                                         const struct berth_docking *docking,
                                         struct berth_api_run *run, struct berth_error *error);

/* Takes what the window has done into run->progress; pairs: for each atom of a conformer. */
void berth_api_run_watch(struct berth_api_run *run, struct berth_window *window, double pairs);

/* The profile of a docking: see berth_screen_profile. */
enum berth_status
berth_api_profile(struct berth_docking *docking,
                  void (*take)(void *context, const struct berth_kernel_profile *kernel),
                  void *context, struct berth_device_use *use, struct berth_error *error);

void berth_api_run_clear(struct berth_api_run *run);

/* BERTH_E_USAGE where the receptor has no site; log (or NULL) is told what is doubtful about it,
 * and of a molecule that it is about and that overlaps the receptor, unless it is the reference or
 * the template (NULL: there is none), of which others tell. */
enum berth_status berth_api_need_site(const berth_receptor *receptor, const char *reference,
                                      const char *template_file, const struct berth_log *log,
                                      struct berth_error *error);

/* Reads the restraints that the options name, if any, and finds their places in the receptors,
 * which borrow them, as the judging's columns; notes there, too, what displaced waters cost.  The
 * caller clears *restraints, also after an error.  Errors: BERTH_E_USAGE (no search on maps), those
 * of berth_restraints_read and _place, and of berth_ensemble_price_waters. */
enum berth_status berth_api_restrain(const struct berth_search_options *search,
                                     const struct berth_search_level *level,
                                     struct berth_restraints *restraints,
                                     struct berth_ensemble *receptors,
                                     struct berth_judging *judging, struct berth_error *error);

/* Side chains that are to move, where the choice is of any. */
struct berth_api_moving {
    struct berth_side_chain_choice choice;
    const struct berth_search_level *level;
    const struct berth_log *log;
};

/* The option by which side chains move; NULL: none does. */
const char *berth_api_moving_option(const char *residues, double within);

/* Finds them in the receptors, which borrow them; log is told which.  *chains: [receptors], which
 * the caller clears and frees by berth_api_still, also after an error; NULL: none moves.  Errors:
 * BERTH_E_USAGE (no search on maps; no reference), those of berth_side_chains_create. */
enum berth_status berth_api_move(const struct berth_api_moving *moving,
                                 struct berth_ensemble *receptors,
                                 struct berth_side_chains **chains, struct berth_judging *judging,
                                 struct berth_error *error);

/* The atom that ligands are bonded to. */
struct berth_api_bonding {
    const char *atom; /* see dock/covalent.h; NULL: there is none */
    const struct berth_search_level *level;
    const struct berth_log *log;
};

/* Finds it in the one receptor, and has the ensemble borrow it; log is told which it is.  *site
 * becomes a box about it where the receptor has none.  The caller clears *covalent, zeroed by it
 * before, also after an error.  Errors: BERTH_E_USAGE (something that contradicts it; no search on
 * maps), those of berth_covalent_find. */
enum berth_status berth_api_bond(const struct berth_api_bonding *bonding,
                                 struct berth_ensemble *receptors, struct berth_covalent *covalent,
                                 struct berth_site *site, struct berth_error *error);

/* The known pose of a run: `read`, where the options name one (`named`, not NULL), else the ligand
 * that was cut out of the receptor; NULL: neither. */
const struct berth_molecule *berth_api_reference(const char *named,
                                                 const struct berth_molecule *read,
                                                 const berth_receptor *receptor);

/* NULL is accepted. */
void berth_api_still(struct berth_side_chains *chains, size_t count);

/* The receptor and `count` more of them as an ensemble, which borrows them, and which the caller
 * clears.  Errors: BERTH_E_USAGE (see berth_ensemble_add; a NULL among them). */
enum berth_status berth_api_receptors(const berth_receptor *receptor,
                                      const berth_receptor *const *more, size_t count,
                                      struct berth_ensemble *receptors, struct berth_error *error);

/* The devices in a struct of their own, which the caller clears.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_api_copy_devices(const berth_devices *devices, struct berth_devices *copy,
                                         struct berth_error *error);

/* A copy of text, or NULL of NULL, in *copy, which the caller frees.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_api_copy(const char *text, char **copy, struct berth_error *error);

#endif
