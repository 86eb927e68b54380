/* A scoring function as its file says it (.score): docs/scoring.md has the language. */
#ifndef BERTH_SCORE_LANGUAGE_DEFINITION_H
#define BERTH_SCORE_LANGUAGE_DEFINITION_H

#include "base/sha256.h"
#include "chem/traits.h"
#include "score/language/expression.h"
#include "score/terms.h"

enum {
    BERTH_PARAMETERS_MAX = 32,
    BERTH_PAIR_PARAMETERS_MAX = 16,
    BERTH_SYMBOL_SIZE = 32, /* names of parameters, types and rules, with the 0 at their end */
    BERTH_TYPES_MAX = 256
};

/* Symbols of the expressions of terms: the distance, then each parameter of the first atom and of
 * the second one, then those of the two types together. */
#define BERTH_SYMBOL_DISTANCE                   0
#define BERTH_SYMBOL_PARAMETER(parameter, atom) (1 + 2 * (parameter) + (atom))
#define BERTH_SYMBOL_PAIR(parameter)            (1 + 2 * BERTH_PARAMETERS_MAX + (parameter))
#define BERTH_SYMBOL_COUNT                      BERTH_SYMBOL_PAIR(BERTH_PAIR_PARAMETERS_MAX)

/* Symbols of the expression of the total. */
enum berth_total_symbol {
    BERTH_TOTAL_INTER, /* energy between receptor and ligand */
    BERTH_TOTAL_PARTS, /* the energy's other parts (BERTH_POSE_PARTS), from here on */
    BERTH_TOTAL_UNBOUND = BERTH_TOTAL_PARTS + BERTH_PART_COUNT, /* INTRA in the first mode */
    BERTH_TOTAL_TORSIONS,                                       /* rotatable bonds */
    BERTH_TOTAL_TORSIONAL,                                      /* energy of the torsional term */
    BERTH_TOTAL_SYMBOLS
};

/* The torsional term: an energy of the angle about each rotatable bond of a ligand, by the kinds of
 * the two atoms that it joins. */
enum { BERTH_TORSIONAL_ROWS_MAX = 32 };

/* What a row asks of an atom. */
enum berth_bond_end {
    BERTH_END_ANY,
    BERTH_END_SP3,
    BERTH_END_SP2, /* aromatic ones, too */
    BERTH_END_AROMATIC,
    BERTH_BOND_ENDS
};

/* Their words in a file. */
extern const char *const BERTH_BOND_END_NAMES[BERTH_BOND_ENDS];

/* What bonds of a kind have: nodes of the graph, of the angle alone. */
struct berth_torsional_row {
    enum berth_bond_end ends[2];
    int energy, slope; /* slope: by the angle, 1/rad */
};

struct berth_torsional {
    char name[BERTH_TERM_NAME_SIZE]; /* "": the function has no such term */
    struct berth_graph graph;        /* its one symbol is the angle, rad */
    size_t row_count;
    struct berth_torsional_row rows[BERTH_TORSIONAL_ROWS_MAX]; /* the first that fits counts */
};

struct berth_definition {
    char *file;                    /* owned: the path, or a built-in name */
    char *name, *source;           /* owned; what the file calls itself, and where it is from */
    char unit[BERTH_UNIT_SIZE];    /* of energies */
    double cutoff;                 /* Å */
    char rule[BERTH_SYMBOL_SIZE];  /* of typing: "bude" or "vina" */
    char table[BERTH_SYMBOL_SIZE]; /* the .bhff file with the types' parameters; "": here */
    size_t parameter_count, type_count;
    char parameters[BERTH_PARAMETERS_MAX][BERTH_SYMBOL_SIZE];
    char (*types)[BERTH_SYMBOL_SIZE]; /* owned; [type_count] */
    double *values;                   /* owned; [type_count][parameter_count] */
    size_t pair_parameter_count;
    char pair_parameters[BERTH_PAIR_PARAMETERS_MAX][BERTH_SYMBOL_SIZE];
    double *pair_values;      /* owned; [type_count][type_count][pair_parameter_count], the same for
                                 types that change places */
    struct berth_graph graph; /* of the terms */
    struct berth_term_names terms;
    int term_nodes[BERTH_TERMS_MAX];
    struct berth_torsional torsional;
    int softened; /* term that counts less in the first generations of a search; -1: none */
    int bonds;    /* how far apart atoms of the ligand are, at least, that count as pairs */
    struct berth_graph total_graph;
    int total_node;                          /* what poses are ranked by, and to be added to it: */
    bool added[BERTH_PART_COUNT];            /* parts that it does not name */
    unsigned char digest[BERTH_SHA256_SIZE]; /* of the text */
};

/* Reads a definition from text, which ends with 0; file names it in messages.  The caller clears
 * *definition.  Errors: BERTH_E_FORMAT (FILE:LINE:COLUMN: what is wrong), BERTH_E_MEMORY. */
enum berth_status berth_definition_parse(const char *file, const char *text,
                                         struct berth_definition *definition,
                                         struct berth_error *error);

/* The same from a file; "-" is no file.  Errors: also BERTH_E_IO. */
enum berth_status berth_definition_read(const char *path, struct berth_definition *definition,
                                        struct berth_error *error);

/* What a symbol of the terms, other than the distance, stands for in a pair of types. */
double berth_definition_value(const struct berth_definition *definition, int symbol, size_t first,
                              size_t second);

/* The total of an energy. */
double berth_definition_total(const struct berth_definition *definition,
                              const double symbols[BERTH_TOTAL_SYMBOLS]);

/* Frees what it owns and zeroes it; NULL and a zeroed one are accepted. */
void berth_definition_clear(struct berth_definition *definition);

/* The row of a bond between two such atoms, in either order; -1: it has no energy. */
int berth_torsional_find(const struct berth_torsional *torsional, enum berth_hybrid a,
                         enum berth_hybrid b);

/* The energy of a row at an angle, and its slope (NULL: not asked for); single: as a device has
 * them. */
double berth_torsional_energy(const struct berth_torsional *torsional, size_t row, double angle,
                              bool single, double *slope);

/* Tries a row all around.  Writes what is wrong with it to text[size] and gives false: its value or
 * its slope is not finite, or it is not the same at half a turn either way. */
bool berth_torsional_try(const struct berth_torsional *torsional, size_t row, char *text,
                         size_t size);

#endif
