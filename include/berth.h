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
 * Structs of options begin with their size, which berth_*_defaults sets: a program that was
 * compiled with an earlier version of this header goes on to work.  Structs that the library gives
 * may grow at their end.
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
#define BERTH_VERSION_MINOR 1
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

/* The version of the library that is loaded, "0.1.0"; BERTH_VERSION_MAJOR is this header's. */
BERTH_API const char *berth_version(void);

/* What a status means, in a few words: "out of memory".  Never NULL; a constant. */
BERTH_API const char *berth_status_text(enum berth_status status);

/* --- Options --- */

/* What kind of value an option takes. */
enum berth_value_kind { BERTH_VALUE_FLAG, BERTH_VALUE_WHOLE, BERTH_VALUE_REAL, BERTH_VALUE_TEXT };

/* An option of a run: a field of its structs of options, a keyword in Python, --NAME in the shell.
 */
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
};

/* Calls take with context and each option of a run: "dock", "screen", "score", "merge",
 * "prep ligands", "prep receptor" or "selftest", in the order of the program's help; all have their
 * defaults and ranges from this one table.  Errors: BERTH_E_USAGE (no such run). */
BERTH_API enum berth_status berth_options_list(const char *run,
                                               void (*take)(void *context,
                                                            const struct berth_option_info *option),
                                               void *context, struct berth_error *error);

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

/* Which devices. */
struct berth_device_options {
    size_t size;        /* of this struct */
    const char *device; /* NULL: all that are like the fastest-looking one (unlike ones round
                           differently, so that results would depend on who was faster); "all":
                           every one; else one or several with commas between them, each a number,
                           a part of a name, or "cuda:0" */
    bool one;           /* only one: the first of that name, or the fastest-looking */
    size_t cpu; /* threads of a CPU device (of PoCL), at most, for this process; 0: one for each
                   core */
    bool list;  /* every device, to look at: `device` and `one` are ignored, and nothing is said of
                   tuned settings */
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_device_defaults(struct berth_device_options *options, size_t size);

/* Chooses devices; options NULL: the defaults.  Where none of those that the default chose can be
 * opened, dockings, screens and scores take the next best, and their log is warned.  log (borrowed
 * for the call, or NULL) is warned of tuned settings that cannot be used.  Where PoCL's cache
 * folder cannot be written to, or others may write there, this sets POCL_CACHE_DIR in the
 * environment, and for `cpu` other variables: let no other thread read them meanwhile.  Errors:
 * BERTH_E_DEVICE (there is none), BERTH_E_USAGE (no such device), BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_devices_find(const struct berth_device_options *options,
                                               const struct berth_log *log, berth_devices **devices,
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

/* How to check a device. */
struct berth_selftest_options {
    size_t size;               /* of this struct */
    const char *forcefield;    /* parameter file (.bhff); NULL: the one that is built in */
    const char *scoring;       /* as of berth_receptor_options; "bude" by default */
    const char *check;         /* do only checks whose names begin so; NULL: all */
    uint64_t seed;             /* of the random inputs; 1 by default */
    bool small;                /* few and small inputs, for a device that is simulated */
    const char *variant;       /* tunables of the kernels, "ppwi=2 unroll=8"; NULL: by device */
    const char *build_options; /* further ones for the OpenCL compiler; NULL: none */
    /* Told of each check: its name, and why it failed (NULL: it passed).  Or NULL. */
    void (*report)(void *context, const char *check, const char *failure);
    void *context; /* handed to report */
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_selftest_defaults(struct berth_selftest_options *options, size_t size);

/* Checks what device i of the chosen ones computes: energies, gradients, maps and whole searches of
 * random molecules against a double-precision reference, because drivers do miscompile.  options
 * NULL: the defaults.  *failed: checks that did not pass.  Errors: BERTH_E_USAGE (no such device,
 * scoring or check), BERTH_E_DEVICE, BERTH_E_MEMORY where the checks themselves cannot be run;
 * those of reading the forcefield. */
BERTH_API enum berth_status berth_devices_selftest(const berth_devices *devices, size_t i,
                                                   const struct berth_selftest_options *options,
                                                   size_t *failed, struct berth_error *error);

/* --- Receptors --- */

typedef struct berth_receptor_handle berth_receptor; /* opaque: a receptor with its scoring */

/* A box: the site, in which the centroid of a ligand's heavy atoms stays.  By centre and edges, or
 * about a molecule; none of either: the one that a .brec brings. */
struct berth_box {
    double center[3];           /* Å; NAN: not given */
    double edges[3];            /* Å, in full; NAN: not given */
    const char *autobox_ligand; /* a file (Mol2, SDF, PDB, PDBQT): the box is about this molecule,
                                   with half edges of autobox_add plus half of the molecule's own
                                   half extent; NULL: not given */
    double autobox_add;         /* Å; 4 */
    const char *box; /* what stays in it: "centroid" (of heavy atoms), or "atoms", all of the heavy
                        ones, as in Vina and its kin, where the box about a molecule has half edges
                        of autobox_add plus all of its half extent; NULL: "centroid" */
};

/* How a receptor scores, and its site. */
struct berth_receptor_options {
    size_t size;            /* of this struct */
    const char *forcefield; /* of "bude" and "plp" (.bhff); NULL: the one that is built in */
    const char *scoring; /* "vina" (the default), "vinardo", "bude" or "plp", or a .score file; or
                            several with commas between: dockings and screens search by the first,
                            and give each pose a score by all */
    const char *scoring_text; /* what a .score file holds, which is not read then, and `scoring` the
                                 function's name, which is not that of a built-in one; a resumed
                                 screen knows it by this name alone; NULL: none */
    struct berth_box box;     /* the site */
    const char *ligand_id;    /* a residue of a structure (PDB, mmCIF, PDBQT, Mol2), as `berth prep
                                 receptor` names it, to cut out: the site is about it where the box
                                 is not given, and dockings and screens without a reference have it
                                 as theirs; NULL: none */
    const char *ligand_smiles; /* of that residue: its bonds where berth_receptor_write_ligand
                                  writes it; NULL: they are perceived where it is read */
    bool allow_occupied;       /* dock though what looks like a ligand stands in the site; false: it
                                  is an error */
};

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

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_receptor_defaults(struct berth_receptor_options *options, size_t size);

/* Loads a receptor, .brec (berth_prepare_receptor) or Mol2, told by the content, and types it.
 * options NULL: the defaults.  log (borrowed for the call, or NULL) is told what is remarkable.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT (also: no heavy atoms), BERTH_E_TYPE (an atom that the
 * forcefield lacks), BERTH_E_USAGE (no such scoring), BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_receptor_load(const char *path,
                                                const struct berth_receptor_options *options,
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

/* Writes the ligand that was cut out (ligand_id) to the file out, as PDB, where it stood, under its
 * residue's name and with its ligand_smiles, or the tautomer that the receptor wants, of which log
 * (borrowed for the call, or NULL) hears: a file of ligands for berth_docking_file, which docks it
 * back.  Errors: BERTH_E_USAGE (none was), BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_receptor_write_ligand(const berth_receptor *receptor,
                                                        const char *out,
                                                        const struct berth_log *log,
                                                        struct berth_error *error);

/* The same of a ligand that was bonded to the atom `covalent` (as of struct berth_dock_options),
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

/* How to make a receptor file of a structure.  Texts are NULL where nothing is asked for; residues
 * are named as for `berth prep receptor`. */
struct berth_prepare_receptor_options {
    size_t size;            /* of this struct */
    const char *out;        /* receptor file (.brec) to write; needed */
    const char *format;     /* of the structure: "pdb", "pdbqt", "mmcif", "mol2"; NULL: by ending */
    const char *forcefield; /* that types are checked against; NULL: the one that is built in */
    const char *ligand_id;  /* residue that is the ligand: it is cut out, and the site about it */
    const char *keep, *drop;   /* residues; keep may be "all", drop "hetero" */
    const char *keep_waters;   /* residues, or "bridging": see docs/preparation.md */
    double keep_waters_within; /* Å of the ligand, else of the site; 0: none */
    bool keep_types;           /* leave the types of a Mol2 file as they are */
    struct berth_box box;      /* the site, where it is a box; its margin also of a box about the
                                  ligand or residues */
    const char *residues;      /* residues that the site is about */
    const char *site;          /* "scan": look for pockets, and write OUT_1.brec, OUT_2.brec ...,
                                  best first, and OUT_sites.csv */
    size_t sites;              /* of a scan, at most; 5 */
    bool overwrite;            /* replace receptor files that are there */
    const char *reference;     /* Mol2 to write of the ligand that was cut out */
    const char *mol2;          /* Mol2 to write of the receptor's typed heavy atoms */
    bool waters;               /* tell the log which waters bridge to the ligand, and why */
    const char *displaceable_waters; /* residues, or "bridging", at most 4: kept, and further
                                        receptor files written without each and without several */
    const char *ligand_smiles;       /* of the ligand that is cut out: the bonds of `reference`;
                                        NULL: these are perceived */
    const char *view;                /* "pymol" or "chimerax": a script beside `out` that opens the
                                        receptor, its site and the reference; NULL: none */
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_prepare_receptor_defaults(struct berth_prepare_receptor_options *options,
                                               size_t size);

/* Makes a receptor file (.brec) of a structure (PDB, mmCIF, PDBQT, Mol2; "-": standard input).  log
 * (borrowed for the call, or NULL) is told what was done and what is doubtful.  Errors:
 * BERTH_E_USAGE (options; a file that is there; a selection that nothing matches), BERTH_E_TYPE,
 * BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status
berth_prepare_receptor(const char *path, const struct berth_prepare_receptor_options *options,
                       const struct berth_log *log, struct berth_error *error);

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

/* How to prepare ligands.  Texts are NULL where nothing is asked for. */
struct berth_prepare_ligands_options {
    size_t size;            /* of this struct */
    const char *out;        /* the library (.blib) to write; needed */
    const char *failures;   /* CSV of what failed; NULL: LIB.failures.csv for LIB.blib */
    const char *list;       /* a file with the name of an input on each line */
    const char *format;     /* of the inputs, as Open Babel names it; NULL: by their endings */
    const char *forcefield; /* that types the atoms; NULL: the one that is built in */
    const char *builder;    /* "rdkit", "fragments", "med" ... as --builder; NULL: its default */
    double ph;              /* protonate for this pH; 7.4 */
    bool keep_protonation;  /* leave charges and hydrogens as the input has them */
    size_t protomers;       /* RDKit: protonation states of a molecule, the commonest, at most; 1 */
    size_t stereo;          /* RDKit: isomers where the input leaves stereo open, at most; 1 */
    size_t conformers;     /* of a ligand, at most; 1: its structures; for rigid searches take 20 */
    double energy_window;  /* kJ/mol: conformers above the lowest by more are left out; 100 */
    double conformer_rmsd; /* Å between conformers, at least; 0.5 */
    size_t structures;     /* RDKit: with other rings or bond angles, at most; 5 */
    bool rebuild;          /* do not take Mol2 as it stands */
    bool smiles;           /* find the SMILES of Mol2 that is taken as it stands, too */
    int64_t max_heavy;     /* drop molecules with more heavy atoms; 0: none */
    int64_t max_rotors;    /* drop molecules with more rotatable bonds; 0: none */
    const char *mw;        /* "MAX" or "MIN-MAX", g/mol: drop molecules outside */
    const char *elements;  /* "C,N,O": drop molecules with others beside hydrogen */
    const char *exclude;   /* RDKit: a file of patterns, lines SMARTS NAME: drop molecules that
                              hold one */
    bool drop_duplicates;  /* drop molecules whose canonical SMILES came before */
    const char *properties;       /* "a,b" or "all": SDF properties to keep with each ligand */
    bool resume;                  /* go on with a run that was stopped, or begin it */
    bool overwrite;               /* replace a library that is there */
    size_t jobs;                  /* molecules at the same time; 0: as many as there are cores */
    double time_limit;            /* s of processor time for a molecule; 120 */
    size_t memory_limit;          /* MB for each of RDKit's processes; 2000 */
    const struct berth_log *log;  /* borrowed for the call, or NULL */
    berth_progress_call progress; /* or NULL */
    void *context;                /* handed to progress */
    const void *stop;  /* an atomic_bool of C11, which a signal may set: ends the call, also while
                          inputs are opened; then progress does not; NULL: progress does */
    const char *shard; /* "K/N": prepare part K (from 1) of N alone; berth_library_merge joins all
                          parts into the library that one run would have written; NULL: all */
    /* RDKit: "CYS", "SER", "THR", "LYS" or "TYR": molecules become adducts with this residue's side
     * chain from CA on, by the reactions of a file (NULL: those that ship, data/covalent), for
     * covalent dockings; NULL: they do not */
    const char *adducts;
    const char *reactions; /* path of such a file */
    bool all_warheads; /* adducts of each of a molecule's warheads; false: several are a failure */
    double min_population; /* RDKit, of several protomers: leave out states below this share of the
                              molecule, 0 to 1; the most populated one stays; 0 */
    /* Of tables (.csv, .tsv) and of SMILES with a line of column names: a column's name, or its
     * number from 1; NULL: the one with a usual name ("smiles"; "id") */
    const char *smiles_column, *name_column;
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_prepare_ligands_defaults(struct berth_prepare_ligands_options *options,
                                              size_t size);

/* Prepares molecules for screening, in a library: inputs [count] are files in any format that Open
 * Babel reads (SMILES, SDF, Mol2 ...), folders of such, or @LIST.  One molecule's failure costs
 * that molecule alone.  Open Babel runs in processes of its own: set OMP_NUM_THREADS=1 in the
 * environment before, so that they do not compete.  *done (or NULL): how far it came.  Errors:
 * BERTH_E_USAGE (stopped; the library is there; cannot be resumed), BERTH_E_FORMAT (no ligand came
 * out), BERTH_E_IO (also: no Open Babel), BERTH_E_MEMORY. */
BERTH_API enum berth_status
berth_prepare_ligands(const char *const *inputs, size_t count,
                      const struct berth_prepare_ligands_options *options,
                      struct berth_progress *done, struct berth_error *error);

/* --- How to search --- */

/* How much to search; berth_search_defaults fills it. */
struct berth_search_options {
    size_t size; /* of this struct */
    /* A level, whose numbers are those below that are -1; NULL: what the run takes.  On maps, with
     * torsions: "fast" (of screens), "balanced" (of dockings) or "thorough"; conformers as they
     * are: "rigid_fast", "rigid_balanced", "rigid_thorough" or "published". */
    const char *search;
    int64_t exhaustiveness; /* 32 times as many poses, on maps; -1: as poses says */
    int64_t poses; /* of a conformer in each generation; on maps of a ligand: docs/scoring.md */
    int64_t generations;        /* the random first one included */
    int64_t parents;            /* poses that may have children */
    int64_t refine;             /* the best, which go downhill in the end; 0: none, all are kept */
    int64_t refine_evaluations; /* energies and gradients of each descent, at most */
    int64_t hops;         /* refine changed poses again; on maps, descents in each generation */
    bool refine_torsions; /* of a rigid search: refined poses turn their rotatable bonds, too */
    uint64_t seed;        /* 1; the same on the same kind of device gives the same bytes */
    size_t batch;        /* conformers in one launch; changes no result; 0: what suits the device */
    double batch_limit;  /* s: a device that takes longer for one batch is dropped; 600 */
    size_t check;        /* hold each N-th batch against the reference; 100; 0: none */
    const char *variant; /* tunables of the kernels, "ppwi=2 unroll=8"; NULL: by device */
    bool profile;        /* batches run one after the other, for berth_screen_profile */
    size_t pool;         /* of several scoring functions the first so many search in turn, and their
                            poses are pooled; 0: as the ranking says ("consensus": 2), if
                            poses are refined, else 1 */
    const char *restraints;    /* a file of restraints (docs/restraints.md), which a search on maps
                                  takes; NULL: none */
    const char *template_file; /* a ligand where it is bound: what others have in common with it
                                  starts there and stays there; NULL: none */
    const char *core;          /* what of it that is, SMARTS; NULL: the largest part in common */
    double core_tolerance;     /* Å: how far its atoms may lie from the template's; 1 */
    size_t min_core;           /* heavy atoms in common that count as a core; 6 */
    const char *no_core; /* ligands without it are docked without the template ("free"; NULL: the
                            same), or fail ("refuse") */
    double core_weight;  /* what being off the template costs at most, in the function's unit; 0: it
                            is held there */
    const char *metal_sites; /* open coordination sites draw donors in a search on maps: "auto"
                                (NULL: the same): not those of metals that the ligand which was cut
                                out of the receptor does not bind; "on": of all; "off" */
    double water_price; /* of several receptors: what a pose pays for each water that another of
                           them has and its own lacks, in the function's unit; 0 */
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_search_defaults(struct berth_search_options *options, size_t size);

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
    uint64_t seed;                          /* of the search */
    size_t poses, generations;              /* of the search: see struct berth_search_options */
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

/* Writes the scoring functions that a ranking brings along (see `rank` of struct
 * berth_dock_options), with commas between, the first to search by, to functions, size bytes (1024
 * are enough for those that ship): "" where it names none.  Errors: BERTH_E_USAGE (they do not
 * fit), BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_rank_functions(const char *rank, char *functions, size_t size,
                                                 struct berth_error *error);

/* --- Screens --- */

typedef struct berth_screen_handle berth_screen; /* opaque: a library into a receptor */

struct berth_screen_result;

/* What to screen, how, and where to. */
struct berth_screen_options {
    size_t size;         /* of this struct */
    const char *library; /* path of the library (.blib); or molecules that are prepared while they
                            are docked, as berth_prepare_ligands takes them, several with commas
                            between them; needed */
    const char *out;     /* folder for scores.csv, hits.sdf, failures.csv, run.json and the journal;
                            made where it is missing; needed */
    bool resume;         /* go on with the run in the folder, or begin it; false: begin it */
    const char *shard;   /* "K/N": screen part K (from 1) of N alone; NULL: all */
    size_t top;          /* ligands whose poses hits.sdf is to have, best first; 1000 */
    size_t num_modes;    /* poses to keep of each ligand, at most; 1 */
    double min_rmsd;     /* Å between these poses, at least; 1 */
    double strain_weight; /* rank by energy + strain + this times the conformer's strain; 0 */
    double max_clash;     /* Å: leave out poses whose clash is more; INFINITY: none */
    double time_limit;    /* s: end in good order after this time; 0: none */
    double checkpoint;    /* s that a crash may lose, at most; 10 */
    const struct berth_search_options *search; /* borrowed for the call; NULL: "fast" */
    /* Further receptors: structures of the same site, superposed on the first, whose site counts.
     * A ligand's result is its best in any of them.  Borrowed for the call; each receptor stays as
     * long as the first must.  NULL: there is one receptor */
    const berth_receptor *const *more_receptors;
    size_t more_count; /* how many, at most 31; 0 */
    /* Takes the result of each ligand as it comes, in the library's order: in berth_screen_open
     * those of earlier runs, in berth_screen_run the others, by the thread that made the call.  Or
     * NULL. */
    void (*result)(void *context, const struct berth_screen_result *result);
    void *context; /* handed to result */
    /* What poses, and in the end ligands, are ordered by: a ranking that ships ("consensus"), a
     * file (.rank), or an expression ("z(vina) + z(vinardo)", see docs/scoring.md); NULL: by value.
     * (`berth dock` and `berth screen` name "consensus" and "screening" of their own accord.) */
    const char *rank;
    /* How molecules are prepared, into library.blib in the folder, whose bytes and results are
     * those of berth_prepare_ligands followed by a screen.  Of its fields, those of files other
     * than format, exclude and forcefield, resume, overwrite, log, progress, stop and shard do not
     * count. Borrowed for the call; NULL: by default */
    const struct berth_prepare_ligands_options *prepare;
    /* A model (docs/learned.md): once all is docked, it judges the kept poses of the best ligands,
     * by what `rank` makes of them with 0 for what it says; they are ranked again, before the
     * others, where `rank` looks at it.  NULL: none */
    const char *rescore;
    size_t rescore_top; /* how many ligands; 1000 */
    /* Interactions that poses must make, "hydrogen_bond A:MET793:N or metal A:ZN300, hydrophobic
     * A:PHE82" (docs/interactions.md): in the end the others are left out, and ligands that have
     * no such pose stand in failures.csv.  NULL, or "any": whatever they make */
    const char *require;
    /* Side chains that move: as of berth_dock_options.  hits.side_chains.pdb has those of the poses
     * in hits.sdf, a model for each.  NULL: none */
    const char *flexible_residues;
    double flexible_within; /* Å from the reference; 0: none */
    size_t flexible_most;   /* side chains that flexible_within takes, at most */
    const char *reference;  /* path of the pose that flexible_within is measured from, or NULL */
    /* SQLite database that the results go to, too, in one transaction once all is docked
     * (docs/results.md).  NULL: none */
    const char *db;
    const char *covalent; /* as of struct berth_dock_options; molecules that are prepared become
                             adducts, a library holds them */
    bool overwrite;       /* remove the run that is in the folder, and begin anew */
};

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

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_screen_defaults(struct berth_screen_options *options, size_t size);

/* Opens library, devices and journal, and reads what earlier runs have done.  The receptor (with a
 * site) stays yours, and must stay until *screen is freed; log (or NULL), too, and any thread may
 * call it.  Errors: BERTH_E_USAGE (options; no site; another run than the one that is resumed),
 * BERTH_E_IO (also a run that is in the folder, or at work there), BERTH_E_FORMAT, BERTH_E_DEVICE,
 * BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_screen_open(const berth_receptor *receptor,
                                              const berth_devices *devices,
                                              const struct berth_screen_options *options,
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

/* How to merge. */
struct berth_merge_options {
    size_t size;         /* of this struct */
    const char *out;     /* folder for the results; needed */
    const char *library; /* where that lies now; NULL: where it was */
    int64_t top;         /* ligands in hits.sdf; -1: as the first shard was run */
    double max_clash;    /* Å: as of struct berth_screen_options; -1: as the first shard was run */
    /* What poses and ligands are ordered by, of what the shards have of them: see struct
     * berth_screen_options; NULL: as they were run */
    const char *rank;
    /* Interactions that poses must make: see struct berth_screen_options; "any"; NULL: as the
     * first shard was run */
    const char *require;
    const char *db; /* as of struct berth_screen_options; NULL: none */
};

/* What a merge found: ligands of the library, those with a result, ligands and molecules without
 * one, and poses that clash too much. */
struct berth_merge_counts {
    uint64_t ligands, docked, failed, left_out; /* how many */
    uint64_t few;     /* ligands with fewer poses than the shards were to keep of each */
    size_t num_modes; /* poses that they were to keep, at most */
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_merge_defaults(struct berth_merge_options *options, size_t size);

/* Merges the folders [count] of all shards of one screen, in any order, into the results that one
 * run of all of it would have written.  *counts (or NULL): how many there are.  Errors:
 * BERTH_E_USAGE (a shard is missing, or there twice), BERTH_E_FORMAT (of different runs; one is not
 * finished; another library), BERTH_E_IO, BERTH_E_MEMORY. */
BERTH_API enum berth_status berth_screen_merge(const char *const *folders, size_t count,
                                               const struct berth_merge_options *options,
                                               struct berth_merge_counts *counts,
                                               struct berth_error *error);

/* --- Dockings --- */

typedef struct berth_docking_handle berth_docking; /* opaque: devices ready to dock */

/* How to dock. */
struct berth_dock_options {
    size_t size;           /* of this struct */
    bool separate;         /* every molecule by itself; false: consecutive conformers of one
                              ligand (same title but for _C1 or _conf1, atoms, bonds) compete */
    size_t num_modes;      /* poses of a ligand, at most; 9 */
    double min_rmsd;       /* Å between them, at least (heavy atoms, symmetry-corrected); 1 */
    double energy_range;   /* give no pose that is this much above the best; INFINITY: any */
    double strain_weight;  /* see struct berth_screen_options; not of Mol2; 0 */
    const char *reference; /* a known pose (Mol2, SDF, PDB, PDBQT), for RMSDs; NULL: none */
    const struct berth_search_options *search; /* borrowed for the call; NULL: "balanced" */
    double max_clash; /* Å: leave out poses whose clash is more; INFINITY: none */
    /* As in struct berth_screen_options; num_modes and energy_range are of all of them together */
    const berth_receptor *const *more_receptors;
    size_t more_count; /* how many, at most 31; 0 */
    bool sdf;          /* give each pose as a record of an SDF file, too */
    const char *site;  /* "surface": dock to the whole of the receptor, wherever its site is, and
                          give the best pose of each of num_modes pockets; NULL: to the site */
    /* Files that a call writes, as `berth dock` does: poses (.sdf, .mol2, .gz behind it; of a
     * surface with those of its pockets beside it), CSV of scores, CSV of what failed; "-" is
     * standard output; NULL: none */
    const char *out, *scores, *failures;
    const char *builder; /* as of berth_prepare_ligands_options, for ligands prepared on the way */
    /* An atomic_bool of C11, which a signal may set: ends a call at once, as an error, and keeps in
     * the files what was done; devices are left at their work.  NULL: callbacks end calls */
    const void *stop;
    const char
        *rank; /* what poses are ordered by: see struct berth_screen_options; NULL: by value */
    const char *rescore; /* a model (docs/learned.md) that judges the poses of a ligand; they are
                            ordered again where `rank` looks at what it says.  NULL: none */
    /* Residues whose side chains' torsions are searched beside the ligand's, named as for
     * berth_prepare_receptor: "A:315,A:382"; NULL: none.  Receptors have chains and residues (no
     * Mol2), and each moves its own; the search is on maps.  What they cost is the part
     * receptor_strain; `out` NAME.sdf has NAME.side_chains.pdb beside it, a model for each pose */
    const char *flexible_residues;
    double flexible_within; /* Å: those, too, with an atom that moves so near to the reference; 0 */
    size_t flexible_most;   /* of these the nearest, at most; 4 */
    const char *db;         /* SQLite database that the files of a call go to in the end, too
                               (docs/results.md): `out` is an SDF then; NULL: none */
    /* The receptor's atom that ligands are bonded to: "A:CYS25:SG" (SG, OG, OG1, NZ or OH); NULL:
     * none.  They are adducts: molecules that hold the residue's side chain from CA on, and hang
     * from it; bonds from CA on turn, and nothing else moves.  The receptor is one, with chains and
     * residues, the search on maps; without a site it is a box of 30 Å about the atom.  Molecules
     * that are prepared on the way become adducts */
    const char *covalent;
    const char *reactions; /* of adducts that are made on the way, and */
    bool all_warheads;     /* whether of each warhead: as of berth_prepare_ligands_options */
    bool relax; /* let bond lengths, angles and rings of the best poses go downhill as well before
                   they are ranked, as of berth_score_options; what is said of a pose is said of it
                   as it is then.  Not with a surface, restraints, or what moves beside ligands */
    const char *out_also; /* the poses of `out` in another format; NULL: none */
    const char *run_json; /* file that says what a call was (docs/formats.md), replaced by each;
                             NULL: NAME.run.json beside `out` NAME.sdf, without `out` none */
    bool any_stereo;      /* RMSDs are measured to a reference that is a stereoisomer, too */
    /* Of ligands prepared on the way, as of struct berth_prepare_ligands_options: */
    double ph;             /* 7.4 */
    bool keep_protonation; /* false: protonated for the pH */
    size_t protomers;      /* states of protonation of a molecule, at most; 1 */
    size_t stereo;         /* isomers where the input leaves stereo open, at most; 1 */
    double min_population; /* of several protomers: share of the molecule, at least; 0 */
    const char
        *out_each; /* folder that gets a PDBQT file of the poses of each ligand; NULL: none */
    /* Of tables of molecules: as of struct berth_prepare_ligands_options */
    const char *smiles_column, *name_column;
};

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
};

/* What is called while ligands are docked or scored, by the thread that made the call. */
struct berth_ligand_calls {
    /* Takes a ligand, in the file's order; true: stop.  Or NULL. */
    bool (*ligand)(void *context, const struct berth_docked_ligand *ligand);
    berth_progress_call progress; /* or NULL; its total is not known; failed: molecules that could
                                     not be read, too */
    void *context;                /* handed to both */
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_dock_defaults(struct berth_dock_options *options, size_t size);

/* Opens devices for dockings into the receptor's site.  The receptor stays yours, and must stay
 * until *docking is freed; log (or NULL), too, and any thread may call it.  options NULL: the
 * defaults.  Errors: BERTH_E_USAGE (options; no site; no receptor atom near it), BERTH_E_DEVICE,
 * BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY; those of reading the reference. */
BERTH_API enum berth_status berth_docking_open(const berth_receptor *receptor,
                                               const berth_devices *devices,
                                               const struct berth_dock_options *options,
                                               const struct berth_log *log, berth_docking **docking,
                                               struct berth_error *error);

/* What it is set up with; borrowed from the handle. */
BERTH_API const struct berth_run_facts *berth_docking_describe(const berth_docking *docking);

/* Docks the ligands of a file, and hands each to calls->ligand: Mol2 as it stands; a library
 * (.blib); SMILES, SDF, PDB and more by their endings, prepared on the way as by
 * berth_prepare_ligands with its defaults, whose environment it needs (all .gz too; for a rigid
 * search prepare them with more conformers).  Molecules
 * that cannot be read, prepared or typed are failures in the log.  To stop by a callback is no
 * error.  May be called again, and writes the files anew.  Errors: BERTH_E_USAGE (a strain_weight,
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

/* How to score, and where to.  Files are named as those of `berth score`, "-" is standard output;
 * NULL: none. */
struct berth_score_options {
    size_t size;                 /* of this struct */
    bool minimize;               /* let each molecule go downhill first */
    bool refine_torsions;        /* with minimize: and turn its rotatable bonds as well */
    size_t refine_evaluations;   /* energies and gradients for a molecule, at most; 400 */
    const char *out;             /* CSV of the energies */
    const char *out_poses;       /* the poses, with minimize or relax those that they come to */
    const char *failures;        /* CSV of the molecules that failed */
    const struct berth_log *log; /* borrowed for the call, or NULL: told of molecules that fail */
    bool sdf;                    /* give each pose as a record of an SDF file, too */
    const char *rescore; /* a model (docs/learned.md) that judges each pose, too: further columns of
                            the CSV; NULL: none */
    bool relax; /* let bond lengths, angles and rings go downhill as well, by the function and by
                   MMFF94s together; needs RDKit, and a function in kJ/mol or kcal/mol */
    const char *rank; /* as of struct berth_dock_options, of the receptor's functions, without z()
                         and rank(): further columns of the CSV; NULL: none */
    const char *reference; /* file of a known pose that RMSDs are measured to: a further column of
                              the CSV; NULL: with minimize or relax to where molecules stood,
                              else to the receptor's ligand_id, if it has one */
    bool any_stereo;       /* as of struct berth_dock_options */
};

/* Fills options, size bytes (sizeof *options), with the defaults. */
BERTH_API void berth_score_defaults(struct berth_score_options *options, size_t size);

/* Computes energies of the molecules of a file (Mol2, SDF, PDB, .gz too; or a library) as they
 * stand in the receptor's frame, on the first of the devices, and hands each to calls->ligand, with
 * one pose, and writes the files that are asked for, but for those of a call that was stopped.  No
 * site is needed.  options NULL: the defaults.  Errors: as berth_docking_file. */
BERTH_API enum berth_status berth_score_file(const berth_receptor *receptor,
                                             const berth_devices *devices, const char *path,
                                             const struct berth_score_options *options,
                                             const struct berth_ligand_calls *calls,
                                             struct berth_error *error);

#ifdef __cplusplus
}
#endif

#endif
