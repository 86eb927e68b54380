/* berth as a library: docking and scoring of ligands in a receptor, on any OpenCL device.
 *
 *   berth_devices_find      which devices
 *   berth_receptor_load     what to dock into, and how it scores
 *   berth_prepare_ligands   a library of ligands, from molecules in any form
 *   berth_screen_open       a library into a receptor: ranked hits in a folder, resumable
 *   berth_docking_open      ligands of a file into a receptor: poses as arrays
 *   berth_score_file        energies of poses as they stand, or minimised
 *
 * docs/api.md has examples.  `pkg-config --cflags --libs berth` says how to compile and link.
 *
 * Rules that hold for all of it.  The library prints nothing, never exits, catches no signal and
 * keeps no global state but compiled kernels in the user's cache directory, and which process uses
 * devices: behind a fork they cannot be used.  Functions that can fail return a status and fill the
 * caller's error (or NULL) with a message that names file, line or molecule and what to do.  NULL
 * is an argument only where it is said here, and for context; elsewhere it is BERTH_E_USAGE, or
 * from functions without a status NULL, false, 0 or nothing.  Handles are opaque; what a function
 * gives in *handle is yours, also where it returned an error (it is NULL then), and is freed with
 * the function of its name, for which NULL is fine; what a handle was made from must stay until it
 * is freed, texts and options aside, which are copied.  A pointer to facts or results is borrowed
 * from its handle, or for the duration of a callback.  Texts are UTF-8 or what the input files
 * hold.  Positions are doubles in Å in the receptor's frame, x y z; energies are in the unit of the
 * scoring (berth_receptor_facts). A handle is for one thread at a time; different ones may be used
 * by different threads, also for the first time, and several threads may dock, screen and score
 * with one receptor and one choice of devices.  Calls of a docking or screen while another one is
 * in progress (by another thread, or in its own callback) are BERTH_E_USAGE; freed meanwhile, it
 * goes when that call ends.  A folder, too, is for one screen at a time, until that has been run or
 * is freed: the second one is BERTH_E_IO.  Numbers in files and messages have points whatever
 * locale the process has set: a call, with its callbacks, is in the C locale, which its threads
 * alone have (uselocale).
 *
 * What a run is asked to do is in one object of options, set by their names, which are those of the
 * program: docs/options.md lists them all.  Structs that the library gives may grow at their end.
 */
#ifndef BERTH_H
#define BERTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef BERTH_API
#define BERTH_API __attribute__((visibility("default")))
#endif

#define BERTH_VERSION_MAJOR 0
#define BERTH_VERSION_MINOR 2
#define BERTH_VERSION_PATCH 0

/* --- Errors and messages --- */

enum berth_status {
    BERTH_OK = 0,
    BERTH_E_USAGE,         /* an argument or option that makes no sense */
    BERTH_E_MEMORY,        /* out of host memory */
    BERTH_E_IO,            /* a file cannot be opened, read or written */
    BERTH_E_FORMAT,        /* a file's content is not what its format says */
    BERTH_E_TYPE,          /* an atom type that the forcefield lacks */
    BERTH_E_DEVICE,        /* OpenCL: no platform, a failed call, a refused build */
    BERTH_E_DEVICE_MEMORY, /* a device's memory does not suffice */
    BERTH_E_RESULT         /* a device computed something that cannot be right */
};

/* What went wrong, where (file, line, molecule), and what to do about it. */
struct berth_error {
    enum berth_status status; /* the same that was returned */
    char message[2048]; /* one line of text (a build log may add more), no newline at the end */
    const char *option; /* the option that it is about, as berth_options_list has it: a constant;
                           NULL: none.  A message may begin with it, "max_clash: ..." */
};

enum berth_log_level {
    BERTH_LOG_NOTE,    /* what was done */
    BERTH_LOG_WARNING, /* what is doubtful about it */
    BERTH_LOG_FAILURE  /* what of the input has no result, and why */
};

/* A line of text without a newline, borrowed while it is taken. */
struct berth_log_line {
    enum berth_log_level level; /* how much it matters */
    const char *kind;           /* what it shares with lines that differ from it in names alone */
    const char *text;           /* the line */
    const char *ligand;         /* of a failure, the name of what has no result; NULL: not known,
                                   or the line has it */
};

/* Where messages go: you decide; NULL instead of a log is silence. */
struct berth_log {
    void (*take)(void *context, const struct berth_log_line *line); /* called by any thread */
    void *context;                                                  /* handed to take */
};

/* The version of the library that is loaded, "0.2.0"; BERTH_VERSION_MAJOR is this header's. */
BERTH_API const char *berth_version(void);

/* What a status means, in a few words: "out of memory".  Never NULL; a constant. */
BERTH_API const char *berth_status_text(enum berth_status status);

/* --- Options --- */

/* What kind of value an option takes. */
enum berth_value_kind { BERTH_VALUE_FLAG, BERTH_VALUE_WHOLE, BERTH_VALUE_REAL, BERTH_VALUE_TEXT };

/* An option of a run: a name for berth_options_set, a keyword in Python, --NAME in the shell. */
struct berth_option_info {
    const char *name;           /* "max_clash"; of arguments without an option "IN" */
    enum berth_value_kind kind; /* of its value */
    const char *group;          /* of options that belong together; "": none */
    const char *help;           /* what it does */
    const char *argument;       /* what help calls the value; NULL: a flag */
    const char *unit;           /* of a number; NULL: none */
    double standard;            /* the default of a number; a flag's is 0 */
    const char *standard_text;  /* that of a text; NULL: none is given */
    double min, max;            /* allowed range of a number that is not the default; both 0: any */
    bool required;              /* the program needs it */
    const char *fallback;       /* in words, what is done where it is not given: "by search"; "":
                                   what is said of another one; NULL: the default */
};

/* Calls take with context and each option of a run: "dock", "screen", "score", "merge",
 * "prep ligands", "prep receptor" or "selftest", in the order of the program's help; all have their
 * defaults and ranges from this one table.  Errors: BERTH_E_USAGE (no such run). */
BERTH_API enum berth_status berth_options_list(const char *run,
                                               void (*take)(void *context,
                                                            const struct berth_option_info *option),
                                               void *context, struct berth_error *error);

typedef struct berth_options berth_options; /* opaque: what a run is asked to do */

/* Makes the options of a run (see berth_options_list), with their defaults.  Errors: BERTH_E_USAGE
 * (no such run), BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_options_create(const char *run, berth_options **options,
                                                 struct berth_error *error);

/* Sets the option of this name to a value as the program takes it: a number in digits, "true" or
 * "false", a text, which is copied; what was set before goes.  value NULL: its default.  Errors:
 * BERTH_E_USAGE (the run has no such option; the value is none, or out of range), BERTH_E_MEMORY.
 */
BERTH_API enum berth_status berth_options_set(berth_options *options, const char *name,
                                              const char *value, struct berth_error *error);

/* Has calls with these options end, as an error that says what was kept, once *stop, an atomic_bool
 * of C11, is true: a signal may set it.  Devices are left at their work.  NULL: callbacks alone end
 * calls.  *stop is borrowed by what is opened with the options. */
BERTH_API void berth_options_stop_at(berth_options *options, const void *stop);

/* Frees the handle: what was opened with it has what it needs. */
BERTH_API void berth_options_free(berth_options *options);

/* --- Devices --- */

enum berth_device_kind { BERTH_DEVICE_CPU, BERTH_DEVICE_GPU, BERTH_DEVICE_OTHER };

typedef struct berth_devices_handle berth_devices; /* opaque: devices that were chosen */

/* Facts about a device. */
struct berth_device_info {
    size_t number;                        /* from 0, as `berth devices` has them */
    enum berth_device_kind kind;          /* CPU, GPU or another */
    const char *name, *platform, *driver; /* as drivers call them */
    size_t compute_units;                 /* cores or what the driver takes for such */
    size_t clock;                         /* MHz; 0: the driver does not say */
    uint64_t memory;                      /* bytes */
    bool standard;       /* the fastest-looking one: the one that one device is, by default */
    size_t vector_width; /* floats in a vector, natively */
    const char *code;    /* what names it beyond doubt: "cuda:0" */
    const struct berth_device_info *other; /* in a list: the same GPU by another driver, which may
                                              have another in turn; NULL: there is none */
};

/* Chooses devices, as the options `device` and `cpu` of a run say; options NULL: all that are like
 * the fastest-looking one (unlike ones round differently, so that results would depend on who was
 * faster); a score has one, a selftest all.  Where none of those that the default chose can be
 * opened, dockings, screens and scores take the next best, and their log is warned.  log (borrowed
 * for the call, or NULL) is warned of tuned settings that cannot be used.  Where PoCL's cache
 * folder cannot be written to, or others may write there, this sets POCL_CACHE_DIR in the
 * environment, and for `cpu` other variables: let no other thread read them meanwhile.  Errors:
 * BERTH_E_DEVICE (there is none), BERTH_E_USAGE (no such device), BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_devices_find(const berth_options *options,
                                               const struct berth_log *log, berth_devices **devices,
                                               struct berth_error *error);

/* Lists every device, to look at; log (borrowed for the call, or NULL) hears of drivers that cannot
 * be used, and nothing of tuned settings.  Errors: those of berth_devices_find. */
BERTH_API enum berth_status berth_devices_list(const struct berth_log *log, berth_devices **devices,
                                               struct berth_error *error);

/* How many were chosen; at least 1. */
BERTH_API size_t berth_devices_count(const berth_devices *devices);

/* Facts about the i-th of them, from 0; borrowed from the handle.  NULL: there is no such. */
BERTH_API const struct berth_device_info *berth_devices_get(const berth_devices *devices, size_t i);

/* Why CUDA has no device, or not all, as a list of devices found; "": it has them.  *matters: berth
 * could use one otherwise.  A text of the handle's. */
BERTH_API const char *berth_devices_note(const berth_devices *devices, bool *matters);

/* Frees the handle; no screen or docking has to end before. */
BERTH_API void berth_devices_free(berth_devices *devices);

/* Checks what device i of the chosen ones computes: energies, gradients, maps and whole searches of
 * random molecules against a double-precision reference, because drivers do miscompile.  options
 * NULL: the defaults.  report (or NULL) is told, with context, of each check: its name, and why it
 * failed (NULL: it passed).  *failed: checks that did not pass.  Errors: BERTH_E_USAGE (no such
 * device, scoring or check), BERTH_E_DEVICE, BERTH_E_MEMORY where the checks themselves cannot be
 * run; those of reading the forcefield. */
BERTH_API enum berth_status
berth_devices_selftest(const berth_devices *devices, size_t i, const berth_options *options,
                       void (*report)(void *context, const char *check, const char *failure),
                       void *context, size_t *failed, struct berth_error *error);

/* --- Receptors --- */

typedef struct berth_receptor_handle berth_receptor; /* opaque: a receptor with its scoring */

/* Facts about a receptor. */
struct berth_receptor_facts {
    const char *path;             /* as it was loaded */
    const char *title;            /* of the molecule */
    size_t heavy_count;           /* heavy atoms */
    const char *forcefield;       /* its name; NULL: the scoring function has none */
    const char *scoring;          /* the function's name: "vina" */
    const char *unit;             /* of energies: "kcal/mol", "kJ/mol" or "PLP"; lower is better */
    const char *const *terms;     /* [term_count]: names of the terms that energies are sums of */
    size_t term_count;            /* how many */
    const char *const *parts;     /* [part_count]: names of what is added to them: "strain" */
    size_t part_count;            /* how many */
    const char *const *functions; /* [function_count]: names of the scoring functions, the first of
                                     which searches */
    const char *const *units;     /* [function_count]: of their energies, as `unit` */
    size_t function_count;        /* how many, at least 1 */
};

/* Loads a receptor, .brec (berth_prepare_receptor) or Mol2, told by the content, and types it; the
 * options say how it scores, what is cut out of it, and the site.  options NULL: the defaults.  log
 * (borrowed for the call, or NULL) is told what is remarkable. Errors: BERTH_E_IO, BERTH_E_FORMAT
 * (also: no heavy atoms), BERTH_E_TYPE (an atom that the forcefield lacks), BERTH_E_USAGE (no such
 * scoring), BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_receptor_load(const char *path, const berth_options *options,
                                                const struct berth_log *log,
                                                berth_receptor **receptor,
                                                struct berth_error *error);

/* Facts about it; borrowed from the handle. */
BERTH_API const struct berth_receptor_facts *
berth_receptor_describe(const berth_receptor *receptor);

/* Writes the heavy atoms' places to positions, [heavy_count][3], Å. */
BERTH_API void berth_receptor_positions(const berth_receptor *receptor, double (*positions)[3]);

/* The site: the box that the centroid of a ligand's heavy atoms stays in; centre and full edges, Å.
 * Either may be NULL.  False, and both unchanged, where there is none: a .brec may bring one, Mol2
 * has none. */
BERTH_API bool berth_receptor_get_site(const berth_receptor *receptor, double center[3],
                                       double edges[3]);

/* Sets the site, for screens and dockings that begin after it: centre and full edges, Å.  Errors:
 * BERTH_E_USAGE (no number, an edge that is not above 0). */
BERTH_API enum berth_status berth_receptor_set_site(berth_receptor *receptor,
                                                    const double center[3], const double edges[3],
                                                    struct berth_error *error);

/* Sets the site to a box about the molecule in a file (Mol2, SDF, PDB, PDBQT), with half edges of
 * margin (Å; `berth screen` takes 4) plus half of the molecule's own half extent.  log (borrowed
 * for the call, or NULL) is warned of a very large one.  Errors: those of reading the file;
 * BERTH_E_FORMAT (no heavy atoms). */
BERTH_API enum berth_status berth_receptor_site_about(berth_receptor *receptor, const char *path,
                                                      double margin, const struct berth_log *log,
                                                      struct berth_error *error);

/* Writes what ligands are docked into to the file out, as PDB: heavy atoms with their names,
 * residues and chains.  Errors: BERTH_E_USAGE (Mol2, which has no chains), BERTH_E_IO,
 * BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_receptor_write_pdb(const berth_receptor *receptor,
                                                     const char *out, struct berth_error *error);

/* Writes the ligand that was cut out (ligand_id) to the file out, as PDB, where it stood, under its
 * residue's name and with its ligand_smiles, or the tautomer that the receptor wants, of which log
 * (borrowed for the call, or NULL) hears: a file of ligands for berth_docking_file, which docks it
 * back.  Errors: BERTH_E_USAGE (none was), BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_receptor_write_ligand(const berth_receptor *receptor,
                                                        const char *out,
                                                        const struct berth_log *log,
                                                        struct berth_error *error);

/* The same of a ligand that was bonded to the atom `covalent` (as the option),
 * for covalent dockings: as SMILES, with a placeholder (*) where the receptor's atom was.  Errors,
 * too: BERTH_E_USAGE (it is not bonded there), BERTH_E_FORMAT (its bonds cannot be told). */
BERTH_API enum berth_status berth_receptor_write_bonded(const berth_receptor *receptor,
                                                        const char *covalent, const char *out,
                                                        const struct berth_log *log,
                                                        struct berth_error *error);

/* What ligand_id calls the ligand that a structure has bonded to the atom `covalent`: ligand_id has
 * 64 bytes.  Errors: BERTH_E_USAGE (none is bonded there), those of reading the file. */
BERTH_API enum berth_status berth_bonded_ligand(const char *path, const char *covalent,
                                                char *ligand_id, struct berth_error *error);

/* Frees the handle; screens and dockings into it must be freed before. */
BERTH_API void berth_receptor_free(berth_receptor *receptor);

/* Makes a receptor file (.brec) of a structure (PDB, mmCIF, PDBQT, Mol2; "-": standard input).  log
 * (borrowed for the call, or NULL) is told what was done and what is doubtful.  Errors:
 * BERTH_E_USAGE (options; a file that is there; a selection that nothing matches), BERTH_E_TYPE,
 * BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_prepare_receptor(const char *path, const berth_options *options,
                                                   const struct berth_log *log,
                                                   struct berth_error *error);

/* --- Libraries of ligands --- */

typedef struct berth_library_handle berth_library; /* opaque: an open library (.blib) */
typedef struct berth_ligand_handle berth_ligand;   /* opaque: a ligand of a library */

/* Facts about a library. */
struct berth_library_facts {
    const char *path;                     /* as it was loaded */
    uint64_t ligands, conformers, blocks; /* how many there are */
    uint64_t bytes;                       /* of the file */
    const char *forcefield;               /* the one that typed the ligands */
    const char *note;                     /* how the library was made */
};

/* Facts about a ligand. */
struct berth_ligand_facts {
    uint64_t ordinal;         /* in its library, from 0 */
    const char *name;         /* its title */
    const char *smiles;       /* canonical, of what is docked; "" where unknown */
    const char *input_smiles; /* that it was prepared from, as given; "" where unknown */
    const char *source;       /* the file that it came from; "" where unknown */
    uint64_t record;          /* its place in that file, from 1; 0: unknown */
    size_t atom_count;        /* hydrogens among them */
    size_t heavy_count;       /* without */
    size_t conformer_count;   /* at least 1 */
    const int *elements;      /* [atom_count]: atomic numbers; 0: none */
    const double *strains;    /* [conformer_count]: kJ/mol above the best; NAN where unknown */
};

/* Opens a library.  Errors: BERTH_E_IO, BERTH_E_FORMAT (no library, another version, cut off,
 * damaged), BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_library_load(const char *path, berth_library **library,
                                               struct berth_error *error);

/* Facts about it; borrowed from the handle. */
BERTH_API const struct berth_library_facts *berth_library_describe(const berth_library *library);

/* Calls take with context, ordinal and name of each ligand from ordinal `first` on, at most count
 * of them; true from take stops.  Errors: BERTH_E_FORMAT (a damaged block), BERTH_E_IO,
 * BERTH_E_MEMORY. */
BERTH_API enum berth_status
berth_library_names(const berth_library *library, uint64_t first, uint64_t count,
                    bool (*take)(void *context, uint64_t ordinal, const char *name), void *context,
                    struct berth_error *error);

/* Reads the ligand of this ordinal (from 0).  Errors: BERTH_E_USAGE (no such ordinal),
 * BERTH_E_FORMAT (a damaged block), BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_library_ligand(const berth_library *library, uint64_t ordinal,
                                                 berth_ligand **ligand, struct berth_error *error);

/* Facts about a ligand; borrowed from the handle. */
BERTH_API const struct berth_ligand_facts *berth_ligand_describe(const berth_ligand *ligand);

/* Writes the places of a conformer's atoms (conformer from 0) to positions, [atom_count][3], Å, in
 * the frame in which they came.  False: there is no such conformer. */
BERTH_API bool berth_ligand_positions(const berth_ligand *ligand, size_t conformer,
                                      double (*positions)[3]);

/* Frees the handle. */
BERTH_API void berth_ligand_free(berth_ligand *ligand);

/* Checks every byte of a library; *damaged: blocks that are not whole, each of which log (borrowed
 * for the call, or NULL) is told of.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_library_verify_all(const berth_library *library,
                                                     const struct berth_log *log, uint64_t *damaged,
                                                     struct berth_error *error);

/* Frees the handle. */
BERTH_API void berth_library_free(berth_library *library);

/* Merges libraries of one forcefield, paths [count], in this order into the file out; all shards of
 * a preparation, in any order, into what one run of all of it would have written.  Errors:
 * BERTH_E_USAGE (none given; a shard is missing or there twice), BERTH_E_FORMAT (a damaged block,
 * another forcefield), BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_library_merge(const char *out, const char *const *paths,
                                                size_t count, struct berth_error *error);

/* A device's part of a run. */
struct berth_device_share {
    size_t number;       /* see struct berth_device_info */
    uint64_t conformers; /* that it docked */
    bool lost;           /* it failed, and is not used any more */
};

/* How far a long call is. */
struct berth_progress {
    uint64_t total;       /* ligands, or molecules, in all; 0: not known */
    uint64_t before;      /* of these, done by earlier runs */
    uint64_t done;        /* done now, those among them; also those that failed */
    uint64_t failed;      /* without a result; of a screen of molecules, in the end, also those that
                             could not be prepared, which are not among the total */
    bool finished;        /* all is done, and the results are written */
    double seconds;       /* since this run began */
    bool computed;        /* all is docked, or prepared, that will be; told once */
    uint64_t conformers;  /* docked in this run, or prepared */
    uint64_t evaluations; /* energies with gradients that these took */
    uint64_t left_out;    /* poses that clash too much; known in the end */
    uint64_t few;         /* known in the end: ligands with fewer than num_modes poses; of a screen
                             those of which no more were found that are min_rmsd apart */
    uint64_t few_near;    /* of a docking: poses of these nearer than min_rmsd to better ones */
    uint64_t few_beyond;  /* poses of these that are beyond energy_range */
    uint64_t few_refined; /* ligands of these that have too few with all of these poses, too */
    double interactions;  /* pairs of atoms that were computed; 0: on maps there are none */
    uint64_t dropped;     /* of preparing ligands: what was asked to be left out */
    uint64_t ligands; /* likewise: in the library, with this many conformers; of a screen, in the
                         end: with a result */
    uint64_t records; /* of preparing ligands: read so far, those of earlier runs among them */
    bool estimated;   /* total is, by the bytes that were read of the files */
    const struct berth_device_share *devices; /* [device_count]; borrowed */
    size_t device_count;                      /* 0 where no device docks */
};

/* Called several times a second by the thread that made the long call; true: stop in good order. */
typedef bool (*berth_progress_call)(void *context, const struct berth_progress *progress);

/* Prepares molecules for screening, in a library: inputs [count] are files in any format that Open
 * Babel reads (SMILES, SDF, Mol2 ...), folders of such, or @LIST.  One molecule's failure costs
 * that molecule alone.  Open Babel runs in processes of its own: set OMP_NUM_THREADS=1 in the
 * environment before, so that they do not compete.  log (borrowed for the call, or NULL) is told of
 * each.  progress (or NULL) is called with context, and may stop it, unless the options have a
 * stop.  *done (or NULL): how far it came.  Errors: BERTH_E_USAGE (stopped; the library is there;
 * cannot be resumed), BERTH_E_FORMAT (no ligand came out), BERTH_E_IO (also: no Open Babel),
 * BERTH_E_MEMORY. */
BERTH_API enum berth_status
berth_prepare_ligands(const char *const *inputs, size_t count, const berth_options *options,
                      const struct berth_log *log, berth_progress_call progress, void *context,
                      struct berth_progress *done, struct berth_error *error);

/* --- Runs that dock --- */

/* A device of a run. */
struct berth_run_device {
    size_t number;       /* see struct berth_device_info */
    const char *name;    /* as its driver calls it */
    const char *variant; /* tunables of its kernels: "ppwi=2 unroll=8" */
};

/* What a run that docks is set up with. */
struct berth_run_facts {
    double center[3], edges[3];             /* Å: of the site */
    const char *const *receptors;           /* [receptor_count]: what results call each; "" */
    size_t receptor_count;                  /* at least 1 */
    const struct berth_run_device *devices; /* [device_count]: those that could be opened */
    size_t device_count;                    /* at least 1 */
    uint64_t seed;                          /* of the search, the first of: */
    size_t seeds;                           /* that each ligand is docked with */
    size_t poses, generations;              /* of the search: see these options */
    size_t refine, hops;                    /* likewise, of its refinement */
    bool refine_torsions;                   /* likewise */
    bool maps;                              /* the search is on maps */
    size_t searches, parts;     /* of a whole surface: searches all over it, in parts; 0: a box */
    double map_bytes;           /* likewise: of the maps of a part */
    const char *const *learned; /* [learned_count]: names of what the model says of a pose */
    size_t learned_count;       /* how many; 0: there is no model */
    const char *const *restraints; /* [restraint_count]: the lines of their file */
    const double *radii;           /* [restraint_count]: Å; each is met 0.25 Å beyond it, too */
    size_t restraint_count;        /* at most 16 */
    size_t metal_count;            /* the last so many of them are open sites of metals */
    unsigned required;             /* bit k: restraint number k, from 0, is required */
    unsigned avoided;              /* likewise: it keeps away, and is met outside its radius */
};

/* The time that a kernel took on the devices. */
struct berth_kernel_profile {
    const char *kernel; /* its name */
    size_t launches;    /* how often it ran */
    double seconds;     /* in all */
};

/* *rank: what ranks a run with these options: their `rank`, or, where they say nothing that asks
 * for another (functions, strain_weight, site; a search that is rigid or not refined), what does by
 * default; NULL: the score.  Borrowed until the options change.  Writes the scoring functions that
 * it brings along, with commas between, the first to search by, to functions, size bytes (1024 are
 * enough for those that ship): "" where it names none, or the options do.  The caller sets both as
 * options.  Errors: BERTH_E_USAGE (they do not fit), BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_options_ranking(const berth_options *options, const char **rank,
                                                  char *functions, size_t size,
                                                  struct berth_error *error);

/* --- Screens --- */

typedef struct berth_screen_handle berth_screen; /* opaque: a library into a receptor */

/* A ligand's result. */
struct berth_screen_result {
    uint64_t ordinal;        /* in the library, from 0 */
    const char *name;        /* "" where it could not be read */
    const char *failure;     /* why it has none; NULL: it was docked, and what follows holds: */
    size_t heavy_count;      /* heavy atoms */
    size_t conformer_count;  /* that were docked */
    size_t conformer;        /* of the best pose, from 0 */
    double value;            /* what the ligand is ranked by: lower is better */
    double energy;           /* the sum of its terms: between receptor and ligand */
    const double *terms;     /* [term_count of the receptor's facts] */
    double strain;           /* by torsions; NAN where there are none to refine */
    double conformer_strain; /* kJ/mol above the ligand's best conformer; NAN where unknown */
    double clash;            /* Å: see struct berth_docked_pose */
    size_t receptor;         /* that the best pose is in: 0, the first, or from 1 of the further */
    const double *values;    /* the best one in each receptor, first to last; NAN where none is */
    const double *scores;    /* [function_count of the receptor's facts]: energy of the best pose
                                between    receptor and ligand by each function */
    double ranking;        /* what `rank` makes of the ligand, where that does not depend on others;
                              NAN: it does, or there is none */
    const double *learned; /* [learned_count of the run's facts]: what the model says of the best
                              pose; NAN where it was not asked, or not yet */
};

/* What takes the result of each ligand as it comes, in the library's order: in berth_screen_open
 * those of earlier runs, in berth_screen_run the others, by the thread that made the call. */
struct berth_screen_calls {
    void (*result)(void *context, const struct berth_screen_result *result); /* or NULL */
    void *context;                                                           /* handed to result */
};

/* Opens library, devices and journal, and reads what earlier runs have done.  receptors [count, at
 * most 32]: the first has the site; further ones are structures of the same site, superposed on it,
 * and a ligand's result is its best in any of them.  They stay yours, and must stay until *screen
 * is freed; log (or NULL), too, and any thread may call it.  calls NULL: nobody is told of results.
 * Errors: BERTH_E_USAGE (options; no site; another run than the one that is resumed), BERTH_E_IO
 * (also a run that is in the folder, or at work there), BERTH_E_FORMAT, BERTH_E_DEVICE,
 * BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_screen_open(const berth_receptor *const *receptors, size_t count,
                                              const berth_devices *devices,
                                              const berth_options *options,
                                              const struct berth_screen_calls *calls,
                                              const struct berth_log *log, berth_screen **screen,
                                              struct berth_error *error);

/* What it is set up with; borrowed from the handle. */
BERTH_API const struct berth_run_facts *berth_screen_describe(const berth_screen *screen);

/* Docks what is not done yet, and writes the results once all is.  progress (or NULL) is called
 * with context, and may stop it, as the time limit does, which is no error: berth_screen_progress
 * says that it is not finished, and a new berth_screen_open with resume goes on, as after a crash,
 * to the same bytes.  To be called once.  Errors: those of opening; BERTH_E_RESULT; the message
 * says what is safe. */
BERTH_API enum berth_status berth_screen_run(berth_screen *screen, berth_progress_call progress,
                                             void *context, struct berth_error *error);

/* Of a run that was stopped: BERTH_E_USAGE, and a message that says how far it came and how to go
 * on, behind why ("interrupted"); BERTH_OK where it was not. */
BERTH_API enum berth_status berth_screen_stopped(const berth_screen *screen, const char *why,
                                                 struct berth_error *error);

/* How devices were used. */
struct berth_device_use {
    double
        busy; /* the part (0 to 1) of the time between the first kernel's start and the last one's
                 end that the least busy device was at work; 1 where nothing was profiled */
    uint64_t bytes_written; /* from the host to the devices */
    uint64_t bytes_read;    /* from the devices to the host */
};

/* Calls take with context and the device time of each kernel, where the search was to be profiled;
 * *use: what devices did besides.  Errors: BERTH_E_DEVICE. */
BERTH_API enum berth_status
berth_screen_profile(berth_screen *screen,
                     void (*take)(void *context, const struct berth_kernel_profile *kernel),
                     void *context, struct berth_device_use *use, struct berth_error *error);

/* How far it is; borrowed from the handle, where it goes on to tell. */
BERTH_API const struct berth_progress *berth_screen_progress(const berth_screen *screen);

/* Calls take with context and the result of each ligand that is done, in the library's order; true
 * from take stops.  To be called behind berth_screen_run.  Errors: BERTH_E_USAGE (before it),
 * BERTH_E_IO, BERTH_E_FORMAT (the journal is damaged), BERTH_E_MEMORY. */
BERTH_API enum berth_status
berth_screen_results(berth_screen *screen,
                     bool (*take)(void *context, const struct berth_screen_result *result),
                     void *context, struct berth_error *error);

/* True where a device hangs: its driver may wait for it when the process exits, so end that with
 * _Exit. */
BERTH_API bool berth_screen_is_stuck(const berth_screen *screen);

/* Frees the handle.  What is not finished can be resumed. */
BERTH_API void berth_screen_free(berth_screen *screen);

/* What a merge found: ligands of the library, those with a result, ligands and molecules without
 * one, and poses that clash too much. */
struct berth_merge_counts {
    uint64_t ligands, docked, failed, left_out; /* how many */
    uint64_t few;     /* ligands with fewer poses than the shards were to keep of each */
    size_t num_modes; /* poses that they were to keep, at most */
};

/* Merges the folders [count] of all shards of one screen, in any order, into the results that one
 * run of all of it would have written.  *counts (or NULL): how many there are.  Errors:
 * BERTH_E_USAGE (a shard is missing, or there twice), BERTH_E_FORMAT (of different runs; one is not
 * finished; another library), BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_screen_merge(const char *const *folders, size_t count,
                                               const berth_options *options,
                                               struct berth_merge_counts *counts,
                                               struct berth_error *error);

/* --- The paragraph for methods --- */

/* What is counted of a run beside its run.json. */
struct berth_methods_counts {
    uint64_t ligands, molecules; /* docked; of the input, whose forms they are */
    uint64_t open_stereo; /* of these: the input left stereo open, and some isomers are left out */
    uint64_t repeated;    /* ligands whose canonical SMILES another one had before */
    uint64_t failed, dropped; /* rows of the failures */
    uint64_t duplicates;      /* of those that were dropped: their canonical SMILES came before */
    bool ranked;              /* ligands have a ranking */
};

/* Calls take with context and the paragraph for a paper's methods section that a report has, of the
 * text of a run's run.json: preparation, receptor, search, ranking, references.  counts NULL: as
 * many ligands as run.json says, and nothing of others.  The text is empty where run.json says
 * nothing of a docking.  Errors: BERTH_E_USAGE, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_run_methods(const char *run_json,
                                              const struct berth_methods_counts *counts,
                                              void (*take)(void *context, const char *text),
                                              void *context, struct berth_error *error);

/* --- Dockings --- */

typedef struct berth_docking_handle berth_docking; /* opaque: devices ready to dock */

/* A pose. */
struct berth_docked_pose {
    size_t conformer;        /* of the ligand, from 0 */
    double value;            /* what it is ranked by: lower is better */
    double energy;           /* the sum of its terms: between receptor and ligand */
    const double *terms;     /* [term_count of the receptor's facts] */
    double strain;           /* by torsions; NAN where there are none to refine */
    double conformer_strain; /* kJ/mol above the ligand's best conformer; NAN where unknown */
    double rmsd; /* Å, to the reference; without one, of what was minimised or relaxed: to
                    where it stood; NAN: none */
    const double (*positions)[3]; /* [atom_count of its ligand]: Å, in the receptor's frame */
    double clash; /* Å: largest overlap of van der Waals radii with the receptor's heavy atoms; 0:
                     none; NAN: unknown */
    double twist; /* degrees: the largest angle by which a carbonyl group stands out of the plane of
                     the ring or double bond that it is conjugated with; NAN: there is none, or
                     what stands beside it twists it; the strain has what it costs */
    size_t receptor;      /* that it is in: see struct berth_screen_result */
    const char *sdf;      /* where the options ask for it, what `berth dock --out` (or `score
                             --out_poses`) writes of it: all atoms, bonds and tags; hydrogens that would
                             crowd are moved aside there.  Else NULL */
    const double *parts;  /* [part_count of the receptor's facts]: NAN where there are none */
    const double *scores; /* [function_count of the receptor's facts]: energy between receptor and
                             ligand by each function */
    double ranking;       /* what `rank` makes of it among the ligand's poses; NAN: there is none */
    const double *learned;  /* [learned_count of the run's facts]: what the model says of it */
    const float *distances; /* [restraint_count of the run's facts]: Å, from what the restraint is
                               about to its place; NAN: the ligand has nothing such */
    unsigned met;           /* bit k: it meets restraint number k */
    double confidence;      /* of the ligand's first: the probability that it is within 2 Å of the
                               crystal's, where `rank` says; else NAN */
    double seeds;           /* with several: so many of them put their first pose within 2 Å of it;
                               else NAN */
};

/* A ligand with its poses; borrowed while it is taken. */
struct berth_docked_ligand {
    uint64_t ordinal;                             /* in the file, from 0: of its first molecule */
    const char *name;                             /* its title */
    const char *failure;                          /* why there is no pose; NULL: there is one */
    size_t atom_count;                            /* hydrogens among them; 0 for a failure */
    size_t heavy_count;                           /* without */
    size_t conformer_count;                       /* that were docked */
    const int *elements;                          /* [atom_count]: atomic numbers; 0: none */
    const struct berth_docked_pose *const *poses; /* [pose_count], best first */
    size_t pose_count;                            /* at least 1, but for a failure */
    const double *values; /* see struct berth_screen_result; NULL for a failure */
    double ranking;       /* what `rank` makes of the ligand, as in struct berth_screen_result */
    size_t core_atoms;    /* heavy atoms that it has of a template's or restraint's core; 0: none */
    size_t core;          /* number of that restraint, from 0; only where it has such atoms */
    const char *verdict;  /* of a docking, in words: how probably the first pose is right, which
                             others are as good, too many rotors; "": nothing of these */
};

/* What is called while ligands are docked or scored, by the thread that made the call. */
struct berth_ligand_calls {
    /* Takes a ligand, in the file's order; true: stop.  Or NULL. */
    bool (*ligand)(void *context, const struct berth_docked_ligand *ligand);
    berth_progress_call progress; /* or NULL; its total is not known; failed: molecules that could
                                     not be read, too */
    void *context;                /* handed to both */
};

/* Opens devices for dockings into the site of receptors [count]: see berth_screen_open.  They stay
 * yours, and must stay until *docking is freed; log (or NULL), too, and any thread may call it.
 * options NULL: the defaults.  Errors: BERTH_E_USAGE (options; no site; no receptor atom near it),
 * BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY; those of reading the reference. */
BERTH_API enum berth_status berth_docking_open(const berth_receptor *const *receptors, size_t count,
                                               const berth_devices *devices,
                                               const berth_options *options,
                                               const struct berth_log *log, berth_docking **docking,
                                               struct berth_error *error);

/* What it is set up with; borrowed from the handle. */
BERTH_API const struct berth_run_facts *berth_docking_describe(const berth_docking *docking);

/* Docks the ligands of a file, and hands each to calls->ligand: Mol2 as it stands; a library
 * (.blib); SMILES, SDF, PDB and more by their endings, prepared on the way as by
 * berth_prepare_ligands with its defaults, whose environment it needs (all .gz too; for a rigid
 * search prepare them with more conformers).  Molecules
 * that cannot be read, prepared or typed are failures in the log.  To stop by a callback is no
 * error.  May be called again, and writes the files anew; the processes that prepare molecules stay
 * until the docking is freed.  Errors: BERTH_E_USAGE (a strain_weight,
 * and ligands without strains; the option `stop`, whose message says what was kept), BERTH_E_IO,
 * BERTH_E_FORMAT (nothing could be read), BERTH_E_DEVICE and BERTH_E_RESULT (no device is left),
 * BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_docking_file(berth_docking *docking, const char *path,
                                               const struct berth_ligand_calls *calls,
                                               struct berth_error *error);

/* How far the last call came; borrowed from the handle, where the next one goes on to tell. */
BERTH_API const struct berth_progress *berth_docking_progress(const berth_docking *docking);

/* A pocket of a whole surface: a ligand's, or one where ligands agree. */
struct berth_docked_pocket {
    size_t rank;        /* from 1: among the pockets of its ligand, or among those agreed on */
    const char *ligand; /* whose best pose in it is the best */
    double value;       /* of that pose */
    size_t poses;       /* of a ligand's pocket: that ended in it */
    size_t ligands;     /* that have a pocket here */
    double mean_rank;   /* of it, among theirs */
    double center[3], edges[3]; /* Å: of a box about the best pose; agreed: the best-ranked one's */
    const char *residues;       /* about it, "; " between them */
};

/* Calls take with context and each pocket that the last call found, of all ligands, by rank and
 * then by ligand; or agreed: each place where ligands have one, those of most ligands first.  None
 * where it was no whole surface.  Errors: BERTH_E_USAGE. */
BERTH_API enum berth_status
berth_docking_pockets(const berth_docking *docking, bool agreed,
                      void (*take)(void *context, const struct berth_docked_pocket *pocket),
                      void *context, struct berth_error *error);

/* The device time of each kernel in all calls: see berth_screen_profile. */
BERTH_API enum berth_status
berth_docking_profile(berth_docking *docking,
                      void (*take)(void *context, const struct berth_kernel_profile *kernel),
                      void *context, struct berth_device_use *use, struct berth_error *error);

/* True where a device hangs: see berth_screen_is_stuck. */
BERTH_API bool berth_docking_is_stuck(const berth_docking *docking);

/* Frees the handle. */
BERTH_API void berth_docking_free(berth_docking *docking);

/* --- Scores of given poses --- */

/* Computes energies of the molecules of a file (Mol2, SDF, PDB, .gz too; or a library) as they
 * stand in the receptor's frame, on the first of the devices, and hands each to calls->ligand, with
 * one pose, and writes the files that are asked for, but for those of a call that was stopped.  No
 * site is needed.  options NULL: the defaults.  log (borrowed for the call, or NULL) is told of
 * molecules that fail.  Errors: as berth_docking_file. */
BERTH_API enum berth_status
berth_score_file(const berth_receptor *receptor, const berth_devices *devices, const char *path,
                 const berth_options *options, const struct berth_ligand_calls *calls,
                 const struct berth_log *log, struct berth_error *error);

#ifdef __cplusplus
}
#endif

#endif
