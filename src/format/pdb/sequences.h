/* The sequences of a PDB file (SEQRES), and the ends of its chains (TER): which residues are of a
 * chain's sequence. */
#ifndef BERTH_FORMAT_PDB_SEQUENCES_H
#define BERTH_FORMAT_PDB_SEQUENCES_H

#include "chem/structure.h"

/* A residue of a chain's sequence. */
struct berth_sequence_residue {
    char chain[BERTH_LABEL_SIZE], name[BERTH_LABEL_SIZE];
};

struct berth_sequences {
    struct berth_sequence_residue *residues; /* owned; [count] */
    size_t *ends; /* owned; [end_count]: atoms of the structure in front of each TER */
    size_t count, capacity, end_count, end_capacity;
};

/* Takes what a line SEQRES lists.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sequences_add(struct berth_sequences *sequences, const char *line,
                                      struct berth_error *error);

/* Takes a TER behind what was read of the structure.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sequences_end(struct berth_sequences *sequences,
                                      const struct berth_structure *structure,
                                      struct berth_error *error);

/* Marks the atoms of chains that have a sequence and one end: those in front of it that are called
 * as residues of the sequence are inside, all others outside.  A chain with more residues in front
 * of its end than its sequence has, or with waters there, says nothing, nor does one without an
 * end, but for residues that its sequence does not have: these are outside. */
void berth_sequences_mark(const struct berth_sequences *sequences,
                          struct berth_structure *structure);

void berth_sequences_clear(struct berth_sequences *sequences);

#endif
