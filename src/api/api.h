/* The handles of the public header, and what its functions share: each handle owns what the structs
 * within would only borrow. */
#ifndef BERTH_API_API_H
#define BERTH_API_API_H

#include <stdatomic.h>

#include "berth.h"
#include "device/device.h"
#include "dock/stream/stream.h"
#include "run/run.h"

struct berth_devices_handle {
    struct berth_devices devices;
    struct berth_device_info *facts; /* owned; [devices.count], in a list [devices.others] behind */
    char (*codes)[BERTH_DEVICE_NAME]; /* owned; likewise */
};

struct berth_receptor_handle {
    struct berth_loaded_receptor loaded;
    const char *terms[BERTH_TERMS_MAX];         /* names, borrowed from it */
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

/* Fills told->facts; all is borrowed, for as long as told is.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_api_run_describe(const struct berth_run *run, const struct berth_site *site,
                                         const struct berth_docking *docking,
                                         struct berth_api_run *told, struct berth_error *error);

/* Takes what the window has done into run->progress; pairs: for each atom of a conformer. */
void berth_api_run_watch(struct berth_api_run *run, struct berth_window *window, double pairs);

/* The profile of a docking: see berth_screen_profile. */
enum berth_status
berth_api_profile(struct berth_docking *docking,
                  void (*take)(void *context, const struct berth_kernel_profile *kernel),
                  void *context, struct berth_device_use *use, struct berth_error *error);

void berth_api_run_clear(struct berth_api_run *run);

/* A copy of text, or NULL of NULL, in *copy, which the caller frees.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_api_copy(const char *text, char **copy, struct berth_error *error);

/* What a run of one of these (bits) is made of; without options *mine, which the caller clears,
 * becomes its defaults.  Errors: BERTH_E_USAGE (no receptors, too many, a NULL among them; options
 * of another run), BERTH_E_MEMORY. */
enum berth_status berth_api_parts(const berth_receptor *const *receptors, size_t count,
                                  const berth_devices *devices, const berth_options *options,
                                  unsigned runs, struct berth_options *mine,
                                  struct berth_run_parts *parts, struct berth_error *error);

#endif
