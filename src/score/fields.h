/* What is said of a docked pose: one list of fields, in the order of the columns of scores.csv.
 * From it follow that table and `score`'s, the tags of poses, what rankings may look at, the
 * journal's records, where a database has what, what `show` shows, and the reference in
 * docs/formats.md.  A further one is a row in fields.c. */
#ifndef BERTH_SCORE_FIELDS_H
#define BERTH_SCORE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "score/pose.h"
#include "score/receptor_names.h"

/* Names of those that are asked for by name. */
#define BERTH_COLUMN_ORDINAL          "ordinal"
#define BERTH_COLUMN_LIGAND           "ligand"
#define BERTH_COLUMN_RANK             "rank"
#define BERTH_COLUMN_MODE             "mode"
#define BERTH_COLUMN_RECEPTOR         "receptor"
#define BERTH_COLUMN_RANKING          "ranking"
#define BERTH_COLUMN_POSE_RANKING     "pose_ranking"
#define BERTH_COLUMN_CONFIDENCE       "confidence"
#define BERTH_COLUMN_SCORE            "score"
#define BERTH_HEAD_SCORE              "affinity" /* where tables are for people: as other programs do */
#define BERTH_COLUMN_ENERGY           "energy"
#define BERTH_COLUMN_COORDINATION     "coordination"
#define BERTH_COLUMN_DISPLACEMENT     "displacement"
#define BERTH_COLUMN_RMSD             "rmsd"
#define BERTH_COLUMN_HEAVY_ATOMS      "heavy_atoms"
#define BERTH_COLUMN_DEVICE           "device"
#define BERTH_COLUMN_SEEDS            "seeds"
#define BERTH_COLUMN_SEED             "seed"
#define BERTH_COLUMN_SMILES           "smiles"
#define BERTH_COLUMN_SIDE_CHAINS      "side_chains"
#define BERTH_COLUMN_INPUT_SMILES     "input_smiles"
#define BERTH_COLUMN_STATE_OF         "state_of"
#define BERTH_COLUMN_STATE_POPULATION "state_population"
#define BERTH_COLUMN_OPEN_STEREO      "open_stereo"

/* What the names of columns begin with that say the score in each of several receptors, and those
 * of a library's properties whose own names are taken. */
#define BERTH_COLUMN_SCORE_IN   "score_"
#define BERTH_COLUMN_OF_LIBRARY "library_"

/* The columns of the parts of an energy (BERTH_POSE_PARTS). */
extern const char *const BERTH_PART_COLUMNS[BERTH_PART_COUNT];

/* Where fields are. */
enum berth_field_use {
    BERTH_IN_SCORES,  /* scores.csv, and the tags of poses */
    BERTH_IN_SCORE,   /* the table of `score` */
    BERTH_IN_RANKING, /* what rankings may look at */
    BERTH_IN_JOURNAL, /* the records of a screen */
    BERTH_FIELD_USES
};

/* What a field needs of a run to be there. */
enum {
    BERTH_ALWAYS = 1 << 0,
    BERTH_WITH_RANKS = 1 << 1,     /* other ligands are known where a row is written */
    BERTH_WITH_RECEPTORS = 1 << 2, /* several */
    BERTH_WITH_RANKING = 1 << 3,   /* one of ligands that looks at each by itself; */
    BERTH_WITH_POSE_RANKING = 1 << 4,
    BERTH_WITH_ANY_RANKING = 1 << 5,
    BERTH_WITH_FUNCTIONS = 1 << 6, /* several */
    BERTH_WITH_RESTRAINTS = 1 << 7,
    BERTH_WITH_COORDINATION = 1 << 8, /* sites of metals, or a template that is not held */
    BERTH_WITH_METALS = 1 << 9,       /* likewise, and the receptor has metals */
    BERTH_WITH_WATERS = 1 << 10,      /* that have a price */
    BERTH_WITH_SIDE_CHAINS = 1 << 11, /* that move */
    BERTH_WITH_TWISTS = 1 << 12,      /* molecules were prepared */
    BERTH_WITH_MODEL = 1 << 13,       /* that judges */
    BERTH_WITH_CONFIDENCE = 1 << 14,  /* the ranking says how probably a first pose is right */
    BERTH_WITH_SEEDS = 1 << 21,       /* several */
    /* What callers say of a run (struct berth_score_columns). */
    BERTH_WITH_RECORDED = 1 << 15,  /* a journal that has what each function says */
    BERTH_WITH_MODES = 1 << 16,     /* `score`: of poses that were modes of a docking, */
    BERTH_WITH_MINIMIZE = 1 << 17,  /* minimised, */
    BERTH_WITH_RELAX = 1 << 18,     /* relaxed, */
    BERTH_WITH_REFERENCE = 1 << 19, /* one of these, or a reference, */
    BERTH_WITH_ROTORS = 1 << 20     /* a function whose total counts rotors */
};

struct berth_score_row;

/* A run, whose fields a table has; borrowed. */
struct berth_score_columns {
    const struct berth_term_names *terms;
    const struct berth_receptor_names *receptors; /* NULL: there is one */
    const struct berth_judges *judges;            /* NULL: one function, and no ranking */
    enum berth_field_use use;                     /* of its table */
    unsigned with;                                /* what callers say of it */
};

/* A field, or a list of such. */
struct berth_pose_field {
    const char *name; /* NULL: of a list; the run names it: */
    /* NULL behind the last; run: NULL where names are the same for all runs. */
    const char *(*names)(const struct berth_score_columns *run, size_t number);
    size_t first, count;           /* of a list: its numbers */
    unsigned in[BERTH_FIELD_USES]; /* what it needs in each; 0: it is never there */
    const char *unit;              /* NULL: none; "E": the scoring function's */
    int decimals;
    /* The member of struct berth_pose that has it, an array for a list. */
    enum { BERTH_NO_MEMBER, BERTH_DOUBLE, BERTH_FLOAT, BERTH_SIZE } member;
    size_t offset;
    /* What says it otherwise: its number, NAN where that is not known, or a text. */
    double (*value)(const struct berth_score_row *row, size_t number);
    const char *(*text)(const struct berth_score_row *row);
    int record;  /* its place in a journal's record, from 1 */
    bool single; /* a double that the journal has as a float */
    int usual;   /* its place among what `show` shows, from 1; 0: where it is asked for */
    /* What it is of, whatever else the table has: which of a database's tables has it, and as what.
     */
    enum { BERTH_OF_POSE, BERTH_OF_LIGAND, BERTH_TEXT_OF_LIGAND } of;
    bool blank;    /* where it is unknown it counts as 0 */
    bool reserved; /* no property of a library has its name, in whatever run */
    bool prepared; /* a property that preparing a ligand adds */
    /* For docs/formats.md, and what that calls the columns of a list. */
    const char *about, *list;
    const char *head; /* what printed tables call it, and `show` takes for it; NULL: its name */
};

extern const struct berth_pose_field BERTH_FIELDS[];
extern const size_t BERTH_FIELD_COUNT;

/* The field of this name, in whatever run; NULL: there is none, or the run names it. */
const struct berth_pose_field *berth_field_named(const char *name);

/* The name of number i, from 0, of those that `show` shows; NULL behind the last. */
const char *berth_field_usual(size_t i);

/* How many a journal's records have, in runs that have all. */
size_t berth_fields_recorded(void);

/* True where a column has the name, or may have it. */
bool berth_is_column(const char *name, size_t length);

/* What an empty cell of the column counts as where rows are compared: 0 of a part of the energy
 * that a ligand does not have, as in rankings (the strain of one without torsions); else NAN. */
double berth_column_blank(const char *name);

/* --- The fields of a run --- */

/* One of them. */
struct berth_known_field {
    const struct berth_pose_field *field;
    size_t number;    /* in its list */
    const char *name; /* borrowed, from the run where that names it */
};

/* At most. */
enum {
    BERTH_KNOWN_FIELDS = 40 + BERTH_FUNCTIONS_MAX + 2 * BERTH_LEARNED_MAX + BERTH_TERMS_MAX +
                         BERTH_PART_COUNT + BERTH_RESTRAINTS_MAX + BERTH_RECEPTORS_MAX
};

/* Lists them, in the order of columns, or of the journal's records; returns how many. */
size_t berth_fields_list(const struct berth_score_columns *run, enum berth_field_use use,
                         struct berth_known_field list[BERTH_KNOWN_FIELDS]);

/* What is said of a pose.  All energies are in the scoring function's unit; everything is borrowed.
 */
struct berth_score_row {
    const struct berth_score_columns *run;
    const struct berth_pose *pose;
    long long ordinal; /* the ligand's place in the input, from 0; negative: unknown */
    const char *ligand;
    size_t rank;        /* of the ligand among all that were docked, from 1; 0: unknown */
    size_t mode;        /* rank of the pose among the ligand's, from 1; 0: unknown */
    double ranking;     /* what the run's makes of the ligand */
    size_t heavy_atoms; /* 0: unknown */
    size_t conformers;  /* 0: unknown */
    const char *device; /* that docked it; NULL: unknown */
    /* Of a run to several receptors: the best score of the ligand in each, NAN where it has none.
     */
    const double *receptor_scores;
};

/* A field as a ranking looks at it; NAN: it is not known.  A part of the energy that the pose does
 * not have is 0; functions count what open sites of metals are worth to it, and displaced waters.
 */
double berth_field_cell(const struct berth_known_field *known, const struct berth_score_row *row);

/* Any finite number with four decimals: a sign, 309 digits, a point, and the 0 at the end. */
enum { BERTH_FIELD_NUMBER = 320 };

/* A field as a text, "" where nothing is known; of a number it stands in `number`, which is empty
 * for texts. */
const char *berth_field_text(const struct berth_known_field *known,
                             const struct berth_score_row *row, char number[BERTH_FIELD_NUMBER]);

/* True where it is what a model says, or one of the functions. */
bool berth_field_is_learned(const struct berth_known_field *known);
bool berth_field_is_function(const struct berth_known_field *known);

/* Where the field's member stands in a struct berth_pose, bytes. */
size_t berth_field_offset(const struct berth_known_field *known);

#endif
