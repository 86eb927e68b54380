/* From files of molecules to a library of ligands: many at once, in order, each failure its own. */
#ifndef BERTH_PREP_LIGANDS_LIGANDS_H
#define BERTH_PREP_LIGANDS_LIGANDS_H

#include "base/log.h"
#include "base/sha256.h"
#include "base/shard.h"
#include "format/failures.h"
#include "prep/prepare.h"

/* --- The files to read --- */

/* What is to be read; everything is borrowed. */
struct berth_ligand_sources {
    const char *const *items; /* [count]: files, folders, "@" and a list's name, "-" */
    size_t count;
    const char *list;   /* a file with the name of a source on each line; NULL: none */
    const char *format; /* NULL: by ending */
    struct berth_columns_wanted columns; /* of tables and of SMILES with a header */
    double limit;            /* seconds for a file that Open Babel converts as a whole */
    const atomic_bool *stop; /* or NULL; once it is true, reading ends */
    const struct berth_log *log;
};

struct berth_ligand_file {
    char *path;    /* owned */
    uint64_t size; /* bytes */
    bool endless;  /* none that can be told: a pipe */
};

struct berth_ligand_inputs {
    struct berth_ligand_sources sources;
    struct berth_ligand_file *files; /* owned; [count] */
    size_t count, capacity;
    size_t current;                /* the file being read, or next to be opened */
    bool open;                     /* it is: */
    struct berth_records *records; /* owned; of it; NULL: they are */
    struct berth_converted converted;
    struct berth_bond_finder bonds;
};

/* Lists the files: those named, folders' files, those that lists name; says what it passes over.
 * The caller clears *inputs.  Errors: BERTH_E_USAGE (no format), BERTH_E_IO (one cannot be read),
 * BERTH_E_MEMORY. */
enum berth_status berth_ligand_inputs_create(const struct berth_ligand_sources *sources,
                                             struct berth_ligand_inputs *inputs,
                                             struct berth_error *error);

/* The SHA-256 of all files, without what can be read but once.  Errors: BERTH_E_IO; BERTH_E_USAGE
 * where the sources' `stop` says so. */
enum berth_status berth_ligand_inputs_hash(const struct berth_ligand_inputs *inputs,
                                           char text[BERTH_SHA256_TEXT], struct berth_error *error);

/* BERTH_E_FORMAT where all files can be read twice and none holds a molecule, or what should be one
 * (a table without its columns says which there are); name: what they are called. */
enum berth_status berth_ligand_inputs_check(const struct berth_ligand_inputs *inputs,
                                            const char *name, struct berth_error *error);

void berth_ligand_inputs_clear(struct berth_ligand_inputs *inputs);

/* --- The run --- */

/* What a library is to others while it is being written. */
struct berth_ligands_watch {
    atomic_uint_fast64_t written; /* bytes of it that are there for good, in whole blocks */
    const char *failures;         /* borrowed; a list that stays, for berth_ligands_recall */
    double seconds;               /* in the end: processor time of the run's threads */
    bool none;                    /* likewise: no ligand came out of all records */
};

/* Everything is borrowed. */
struct berth_ligands_settings {
    struct berth_preparation preparation; /* its cancel is set here */
    const char *out, *failures;           /* library; CSV of what failed or was dropped, or NULL */
    struct berth_ligands_watch *watch;    /* or NULL */
    const char *forcefield;               /* file; NULL: the one that is built in */
    const char *note;                     /* for the library: all that decides what is in it */
    enum berth_library_mode mode;
    struct berth_shard shard; /* of the records, in whole chunks */
    size_t jobs;              /* molecules prepared at the same time */
    bool unique;              /* drop molecules whose canonical SMILES came before */
    const struct berth_log *log;
    const atomic_bool *stop; /* or NULL; once it is true, the run ends, and what was done is kept */
    /* Called often, with context, while it goes on; the last time with `computed`.  Or NULL. */
    void (*show)(void *context, const struct berth_progress *progress);
    void *context;
};

/* Prepares all that the inputs hold and writes the library and the failures.  *progress is how far
 * it came.  Errors: BERTH_E_USAGE (stopped; the library cannot be resumed), BERTH_E_FORMAT (no
 * ligand came out), BERTH_E_IO, BERTH_E_MEMORY; where the run was stopped, the message says how to
 * go on. */
enum berth_status berth_ligands_prepare(const struct berth_ligands_settings *settings,
                                        struct berth_ligand_inputs *inputs,
                                        struct berth_progress *progress, struct berth_error *error);

/* Adds what a run's list (struct berth_ligands_watch) says to the failures, without ordinals: those
 * of a record would be taken for those of the library that was made.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_ligands_recall(const char *list, struct berth_failures *failures,
                                       struct berth_error *error);

/* --- How ligands are to be prepared, as people say it: texts and numbers of options --- */

/* How molecules are to be prepared; texts are NULL where nothing is asked for. */
struct berth_ligands_request {
    const char *list;       /* a file with the name of an input on each line */
    const char *format;     /* of the inputs, as Open Babel names it; NULL: by their endings */
    const char *builder;    /* "rdkit", "fragments", "openbabel"; NULL: the default */
    double ph;              /* protonate for this pH */
    bool keep_protonation;  /* leave charges and hydrogens as the input has them */
    size_t protomers;       /* states of protonation of a molecule, the commonest, at most */
    double min_population;  /* of several: share of the molecule, 0 to 1, that stays */
    size_t stereo;          /* isomers where the input leaves stereo open, at most */
    size_t conformers;      /* of a ligand, at most; 1: its structures */
    double energy_window;   /* kJ/mol: conformers above the lowest by more are left out */
    double conformer_rmsd;  /* Å between conformers, at least */
    size_t structures;      /* with other rings or bond angles, at most */
    bool rebuild;           /* do not take Mol2 as it stands */
    bool smiles;            /* find the SMILES of Mol2 that is taken as it stands, too */
    int64_t max_heavy;      /* drop molecules with more heavy atoms; 0: none */
    int64_t max_rotors;     /* drop molecules with more rotatable bonds; 0: none */
    const char *mw;         /* "MAX" or "MIN-MAX", g/mol: drop molecules outside */
    const char *elements;   /* "C,N,O": drop molecules with others beside hydrogen */
    const char *exclude;    /* file of patterns, lines SMARTS NAME: drop molecules that hold one */
    bool drop_duplicates;   /* drop molecules whose canonical SMILES came before */
    const char *properties; /* "a,b" or "all": SDF properties to keep with each ligand */
    size_t jobs;            /* molecules at the same time; 0: as many as there are cores */
    double time_limit;      /* s of processor time for a molecule */
    size_t memory_limit;    /* MB for each of RDKit's processes */
    const char *adducts;    /* "CYS", "SER" ...: molecules become adducts with its side chain */
    const char *reactions;  /* file of the reactions that make them; NULL: those that ship */
    bool all_warheads;      /* adducts of each of a molecule's warheads; false: several fail */
    const char *smiles_column, *name_column; /* of tables; see struct berth_columns_wanted */
};

/* The preparation that is asked for, and the texts that it borrows from. */
struct berth_ligands_plan {
    struct berth_preparation preparation;
    char *property_text;          /* owned; the names, cut apart */
    const char **properties;      /* owned; [preparation.property_count] */
    struct berth_bytes exclude;   /* owned; a text, or empty */
    struct berth_bytes reactions; /* likewise */
    char *note; /* owned; for the library: everything that decides what is in it */
};

/* inputs [count]: for the note.  The caller clears *plan.  Errors: BERTH_E_USAGE (a text that means
 * nothing; names its option), BERTH_E_MEMORY. */
enum berth_status berth_ligands_plan_create(const struct berth_ligands_request *request,
                                            const char *const *inputs, size_t count,
                                            struct berth_ligands_plan *plan,
                                            struct berth_error *error);

void berth_ligands_plan_clear(struct berth_ligands_plan *plan);

/* BERTH_E_USAGE where that is no builder of 3D coordinates (see struct berth_preparation); NULL is
 * one. */
enum berth_status berth_builder_check(const char *builder, struct berth_error *error);

/* --- Workers that stay: what prepares the molecules of one file after the other --- */

struct berth_ligand_queue; /* opaque: of ligands_internal.h */

/* Zeroed but for the first three, which are borrowed, it is ready; it stays where it is until it is
 * cleared. */
struct berth_ligand_workers {
    const struct berth_preparation *preparation; /* its cancel and stop are not used */
    const atomic_bool *stop;                     /* the user's, or NULL: nothing is waited for */
    const struct berth_log *log;                 /* or NULL */
    struct berth_preparation own;                /* that, with our cancel, stop and builders */
    struct berth_builders builders;
    atomic_bool cancel;
    struct berth_ligand_queue *queue; /* owned; NULL: no file has needed it so far */
};

/* Finds the builder and starts workers, if that was not done: one here, and others, up to one for
 * each core, where molecules wait for them.  Errors: those of berth_prepare_choose; BERTH_E_IO (no
 * thread), BERTH_E_MEMORY. */
enum berth_status berth_ligand_workers_start(struct berth_ligand_workers *workers,
                                             struct berth_error *error);

/* Ends them.  A zeroed one is accepted. */
void berth_ligand_workers_clear(struct berth_ligand_workers *workers);

/* --- Ligands prepared on the way: a file's molecules as a run would put them into a library, one
 * by one, while workers prepare those that follow --- */

struct berth_prepared_ligands; /* opaque: one per file */

/* Everything is borrowed: path for the call, the others until the ligands are destroyed. */
struct berth_prepared_setup {
    const char *path;
    struct berth_columns_wanted columns;  /* as of sources */
    struct berth_ligand_workers *workers; /* which serve one file at a time */
    const atomic_bool *stop;              /* or NULL; once it is true, reading ends */
    const struct berth_log *log;          /* each molecule's warnings, of a kind, go there */
};

/* Opens the file and starts the workers.  The caller destroys *ligands, also after an error.
 * Errors: BERTH_E_IO (the file), those of berth_ligand_workers_start, BERTH_E_MEMORY. */
enum berth_status berth_prepared_create(const struct berth_prepared_setup *setup,
                                        struct berth_prepared_ligands **ligands,
                                        struct berth_error *error);

/* The next ligand, with positions and strains as a library would keep them, and its record; *end
 * behind the last one.  The caller clears *ligand.  A molecule that cannot be prepared gives an
 * error that names its place; *ligand then holds its title as name, and its record (0 where the
 * file is to blame), and the next call goes on.  BERTH_E_USAGE where the stop was set,
 * BERTH_E_MEMORY. */
enum berth_status berth_prepared_next(struct berth_prepared_ligands *ligands,
                                      struct berth_library_ligand *ligand, bool *end,
                                      struct berth_error *error);

/* The version of the RDKit that builds the structures, borrowed; NULL: it is none that does. */
const char *berth_prepared_rdkit(const struct berth_prepared_ligands *ligands);

/* True where the last error was not one molecule's, but the file's. */
bool berth_prepared_is_broken(const struct berth_prepared_ligands *ligands);

/* Takes what is under way from the workers.  NULL is accepted. */
void berth_prepared_destroy(struct berth_prepared_ligands *ligands);

#endif
