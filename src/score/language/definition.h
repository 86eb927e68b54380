/* A scoring function as its file says it (.score): docs/scoring.md has the language. */
#ifndef BERTH_SCORE_LANGUAGE_DEFINITION_H
#define BERTH_SCORE_LANGUAGE_DEFINITION_H

#include "base/sha256.h"
#include "score/language/expression.h"
#include "score/language/torsional.h"
#include "score/terms.h"

enum {
    BERTH_PARAMETERS_MAX = 32,
    BERTH_SYMBOL_SIZE = 32, /* names of parameters, types and rules, with the 0 at their end */
    BERTH_TYPES_MAX = 256
};

/* Symbols of the expressions of terms: the distance, then each parameter of the first atom and of
 * the second one. */
#define BERTH_SYMBOL_DISTANCE                   0
#define BERTH_SYMBOL_PARAMETER(parameter, atom) (1 + 2 * (parameter) + (atom))
#define BERTH_SYMBOL_COUNT                      (1 + 2 * BERTH_PARAMETERS_MAX)

/* Symbols of the expression of the total. */
enum berth_total_symbol {
    BERTH_TOTAL_INTER, /* energy between receptor and ligand */
    BERTH_TOTAL_PARTS, /* the energy's other parts (BERTH_POSE_PARTS), from here on */
    BERTH_TOTAL_UNBOUND = BERTH_TOTAL_PARTS + BERTH_PART_COUNT, /* INTRA in the first mode */
    BERTH_TOTAL_TORSIONS,                                       /* rotatable bonds */
    BERTH_TOTAL_TORSIONAL,                                      /* energy of the torsional term */
    BERTH_TOTAL_SYMBOLS
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
    struct berth_graph graph;         /* of the terms */
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

/* The total of an energy. */
double berth_definition_total(const struct berth_definition *definition,
                              const double symbols[BERTH_TOTAL_SYMBOLS]);

/* Tries the total with energies of many sizes and signs: true where it is finite for some. */
bool berth_definition_try_total(const struct berth_definition *definition);

/* Frees what it owns and zeroes it; NULL and a zeroed one are accepted. */
void berth_definition_clear(struct berth_definition *definition);

#endif
