/* Energies on one device: a receptor and a forcefield that stay there, and the energy kernels. */
#ifndef BERTH_ENGINE_EVALUATOR_H
#define BERTH_ENGINE_EVALUATOR_H

#include "device/program.h"
#include "engine/pack.h"
#include "engine/variant.h"

/* A program that is built when it is first asked for. */
struct berth_later_program {
    struct berth_program *program; /* NULL: not yet */
    char *options;                 /* owned */
    struct berth_variant variant;
};

/* For others to read; all but the context and the scoring function is owned. */
struct berth_evaluator {
    struct berth_context *context;
    struct berth_variant variant;
    const struct berth_scoring *scoring;
    struct berth_program *program; /* of the kernels of exact energies */
    struct berth_later_program on_maps, large;
    struct berth_kernel *energy, *energy_terms;
    struct berth_kernel *large_energy[2]; /* energy and energy_terms; NULL until asked for */
    struct berth_buffer *atoms, *tiles, *runs, *site; /* the receptor's */
    struct berth_buffer *pairs;        /* see BERTH_PAIR_WORDS; [type_count][type_count] */
    size_t term_count;                 /* of pairs of atoms */
    size_t type_count, constant_count; /* types, and constants of a pair of them */
    bool torsional;                    /* the scoring function has such a term */
    struct berth_buffer *places;       /* struct berth_device_place; NULL: there are none */
};

/* Builds the kernels and uploads the receptor.  build_options: further options for the compiler,
 * or NULL.  The caller destroys *evaluator before context.  Errors: BERTH_E_USAGE, BERTH_E_DEVICE,
 * BERTH_E_MEMORY. */
enum berth_status
berth_evaluator_create(struct berth_context *context, const struct berth_variant *variant,
                       const char *build_options, const struct berth_target *target,
                       struct berth_evaluator **evaluator, struct berth_error *error);

void berth_evaluator_destroy(struct berth_evaluator *evaluator);

/* Makes a kernel of exact energies whose first five arguments are the receptor, and sets these. The
 * caller destroys *kernel before the evaluator.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_evaluator_kernel(struct berth_evaluator *evaluator, const char *name,
                                         struct berth_kernel **kernel, struct berth_error *error);

/* Sets the first five arguments of a kernel of either program to the receptor. */
void berth_evaluator_set_receptor(struct berth_evaluator *evaluator, struct berth_kernel *kernel);

/* Makes a kernel of the program that searches on maps, which is built when it is first asked for.
 * The caller destroys *kernel before the evaluator.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_evaluator_maps_kernel(struct berth_evaluator *evaluator, const char *name,
                                              struct berth_kernel **kernel,
                                              struct berth_error *error);

/* The same of the program for large ligands, and sets the first five arguments to the receptor. */
enum berth_status berth_evaluator_large_kernel(struct berth_evaluator *evaluator, const char *name,
                                               struct berth_kernel **kernel,
                                               struct berth_error *error);

/* An argument of a kernel that may look at places. */
void berth_evaluator_set_places(const struct berth_evaluator *evaluator,
                                struct berth_kernel *kernel, unsigned argument);

/* Parts of an energy that kernels add up beside its terms: all of BERTH_POSE_PARTS, but the last
 * one where there are no places. */
size_t berth_evaluator_parts(const struct berth_evaluator *evaluator);

/* Conformers on the device. */
struct berth_batch {
    struct berth_buffer *conformers; /* struct berth_device_conformer [capacity] */
    struct berth_buffer *atoms;      /* struct berth_device_atom [atom_capacity] */
    struct berth_buffer *words;      /* int [word_capacity]: what turns in the ligands */
    size_t capacity, atom_capacity, word_capacity;
    size_t count, atom_count;                       /* conformers, and atoms, now in the batch */
    size_t most_atoms, most_torsions;               /* of any of them */
    bool large;                                     /* they take the kernels for large ligands */
    struct berth_device_conformer *host_conformers; /* owned: on their way to the device */
    struct berth_device_atom *host_atoms;           /* owned */
    berth_int32 *host_words;                        /* owned */
};

/* Starts to upload count conformers: two transfers, and one more where something turns in them.
 * Neighbours that share what turns send it once.  All are large ligands (berth_is_large), or
 * none.  The buffers grow as needed.  What used the batch
 * before must have ended.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_batch_fill(struct berth_batch *batch, struct berth_context *context,
                                   const struct berth_packed_conformer *conformers, size_t count,
                                   struct berth_error *error);

/* What uses the batch must have ended. */
void berth_batch_clear(struct berth_batch *batch);

/* What berth_evaluator_run works on. */
struct berth_evaluation {
    const struct berth_batch *batch;
    const struct berth_buffer *transforms; /* float [count][6][poses] */
    struct berth_buffer *result; /* float [count][poses], or [count][terms][poses] with terms */
    size_t poses;                /* of each conformer */
    bool terms;                  /* the terms instead of their sum */
    float softness;              /* weight in the sum of the term that the scoring function lets a
                                    search soften; without effect with terms */
};

/* Starts the energy kernel.  *nanoseconds, where not NULL, gets its device time.  Errors:
 * BERTH_E_DEVICE. */
enum berth_status berth_evaluator_run(struct berth_evaluator *evaluator,
                                      const struct berth_evaluation *evaluation,
                                      uint64_t *nanoseconds, struct berth_error *error);

#endif
