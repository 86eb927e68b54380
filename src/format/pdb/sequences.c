#include "format/pdb/sequences.h"

#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/memory.h"
#include "chem/residue_types.h"

/* The columns of SEQRES, from 0: its chain, of two letters at most, and up to 13 residues of four
 * each. */
enum { CHAIN = 10, FIRST = 19, WIDTH = 4, NAME = 3, LAST = 68 };

enum berth_status berth_sequences_add(struct berth_sequences *sequences, const char *line,
                                      struct berth_error *error)
{
    const struct berth_field chain = berth_field_columns(line, CHAIN, CHAIN + 2);
    for (size_t begin = FIRST; begin < LAST; begin += WIDTH) {
        const struct berth_field name = berth_field_columns(line, begin, begin + NAME);
        if (!name.length) {
            continue;
        }
        BERTH_TRY(berth_reserve(&sequences->residues, &sequences->capacity, sequences->count + 1,
                                sizeof *sequences->residues, error));
        struct berth_sequence_residue *residue = &sequences->residues[sequences->count++];
        berth_field_copy(&chain, residue->chain, sizeof residue->chain);
        berth_field_copy(&name, residue->name, sizeof residue->name);
    }
    return BERTH_OK;
}

enum berth_status berth_sequences_end(struct berth_sequences *sequences,
                                      const struct berth_structure *structure,
                                      struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&sequences->ends, &sequences->end_capacity, sequences->end_count + 1,
                            sizeof *sequences->ends, error));
    sequences->ends[sequences->end_count++] = structure->count;
    return BERTH_OK;
}

/* How many residues the chain's sequence has; *named: whether this one is among them. */
static size_t length_of(const struct berth_sequences *sequences,
                        const struct berth_residue_id *residue, bool *named)
{
    size_t length = 0;
    *named = false;
    for (size_t i = 0; i < sequences->count; i++) {
        const struct berth_sequence_residue *listed = &sequences->residues[i];
        if (strcmp(listed->chain, residue->chain) == 0) {
            length++;
            *named = *named || strcmp(listed->name, residue->name) == 0;
        }
    }
    return length;
}

/* Where the chain of this residue ends, in atoms; 0 where it has no TER, or several. */
static size_t end_of(const struct berth_sequences *sequences,
                     const struct berth_structure *structure,
                     const struct berth_residue_id *residue)
{
    size_t end = 0, ends = 0;
    for (size_t i = 0; i < sequences->end_count; i++) {
        const size_t at = sequences->ends[i];
        if (at && strcmp(structure->atoms[at - 1].residue.chain, residue->chain) == 0) {
            end = at;
            ends++;
        }
    }
    return ends == 1 ? end : 0;
}

/* Whether the chain's residues in front of its end are what its sequence can hold. */
static bool fits(const struct berth_structure *structure, const char *chain, size_t end,
                 size_t length)
{
    size_t residues = 0;
    bool water = false;
    for (struct berth_span span = berth_residue_at(structure, 0);
         span.begin < span.end && span.begin < end; span = berth_residue_at(structure, span.end)) {
        const struct berth_residue_id *residue = &structure->atoms[span.begin].residue;
        if (strcmp(residue->chain, chain) == 0) {
            residues++;
            water = water || berth_is_water_name(residue->name);
        }
    }
    return !water && residues <= length;
}

void berth_sequences_mark(const struct berth_sequences *sequences,
                          struct berth_structure *structure)
{
    const char *chain = NULL; /* that `end` and `told` are of */
    size_t end = 0;
    bool told = false;
    for (struct berth_span span = berth_residue_at(structure, 0);
         sequences->count && span.begin < span.end; span = berth_residue_at(structure, span.end)) {
        const struct berth_residue_id *residue = &structure->atoms[span.begin].residue;
        bool named;
        const size_t length = length_of(sequences, residue, &named);
        if (!chain || strcmp(chain, residue->chain) != 0) {
            chain = residue->chain;
            end = end_of(sequences, structure, residue);
            told = end && fits(structure, chain, end, length);
        }
        const bool inside = told && named && span.begin < end;
        const bool outside = length && (!named || (told && !inside));
        for (size_t i = span.begin; i < span.end; i++) {
            structure->atoms[i].listed = inside    ? BERTH_LISTING_INSIDE
                                         : outside ? BERTH_LISTING_OUTSIDE
                                                   : BERTH_LISTING_NONE;
        }
    }
}

void berth_sequences_clear(struct berth_sequences *sequences)
{
    free(sequences->residues);
    free(sequences->ends);
    memset(sequences, 0, sizeof *sequences);
}
