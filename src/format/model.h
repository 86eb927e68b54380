/* Models: what a learned function sees of a pose, and the network that judges it.  A text:
 *
 *   berth model 1
 *   network  cnn.onnx                         # beside this file
 *   input    grid                             # of the network: float [grids][channels][x][y][z]
 *   channels numbers                          # of the network, if it has one: int64 [channels],
 *                                             # which the grid has: those that are not empty
 *   points   48                               # of the grid along each axis
 *   average  2                                # each point given is the mean of so many along each
 *   spacing  0.5                              # Å between points
 *   density  gaussian_parabola                # of an atom: kernels/density.cl
 *   output   cnn_score pose 1                 # a column, and of which output it is which number
 *   receptor C_H:aliphatic 1.9                # a channel: kinds of atoms, and their radii in Å
 *   ligand   Br_H 2.0 I_H 2.2
 *
 * Channels are in order, those of the receptor first.  A kind is a type of Vina's
 * (score/scoring.h), behind which ":aromatic" or ":aliphatic" may stand, or the symbol of an
 * element; an atom is in the first channel that has its element, else in the first that has its
 * type, else in none. */
#ifndef BERTH_FORMAT_MODEL_H
#define BERTH_FORMAT_MODEL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"
#include "score/pose.h"

enum {
    BERTH_MODEL_WORD = 64, /* bytes of a name */
    BERTH_MODEL_CHANNELS = 128,
    BERTH_MODEL_KINDS = 512,
    BERTH_MODEL_POINTS = 256 /* along each axis */
};

/* Atoms that a channel has. */
struct berth_model_kind {
    char type[8];             /* of Vina's, "" where it is an element */
    int element;              /* 0: it is a type */
    bool aromatic, aliphatic; /* only these; neither: both */
    double radius;            /* Å */
    size_t channel;
};

struct berth_model_output {
    char column[BERTH_MODEL_WORD]; /* name of what it is */
    char name[BERTH_MODEL_WORD];   /* of the network's output */
    size_t number;                 /* of the values that it has for a grid, from 0 */
};

struct berth_model {
    char input[BERTH_MODEL_WORD];
    char numbers[BERTH_MODEL_WORD]; /* the input for the numbers of channels; "": there is none */
    char network[PATH_MAX];         /* path of the ONNX file */
    size_t points, average;         /* points: before they are averaged */
    double spacing;                 /* Å */
    struct berth_model_output outputs[BERTH_LEARNED_MAX];
    size_t output_count;
    struct berth_model_kind kinds[BERTH_MODEL_KINDS];
    size_t kind_count, receptor_kinds; /* the first ones are of the receptor */
    size_t channels;
};

/* Reads a model.  Errors: BERTH_E_IO, BERTH_E_FORMAT (names file and line), BERTH_E_MEMORY. */
enum berth_status berth_model_read(const char *path, struct berth_model *model,
                                   struct berth_error *error);

/* The same of a text, for which path stands. */
enum berth_status berth_model_parse(const char *path, const void *text, size_t size,
                                    struct berth_model *model, struct berth_error *error);

/* The kind of a heavy atom whose traits are known, of a ligand or of the receptor; NULL: the model
 * does not see it. */
const struct berth_model_kind *berth_model_kind_of(const struct berth_model *model, bool ligand,
                                                   const struct berth_atom *atom, bool aromatic);

#endif
