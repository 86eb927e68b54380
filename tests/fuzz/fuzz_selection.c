/* libFuzzer: selections of residues: a line with one, and a structure in PDB. */
#include <ctype.h>
#include <string.h>

#include "chem/selection.h"
#include "format/pdb/pdb.h"
#include "fuzz.h"

static void select_of(struct berth_selection *selection, const struct berth_structure *structure)
{
    char text[BERTH_SELECTOR_TEXT];
    struct berth_selection one;
    struct berth_error error;
    bool any = false;
    berth_selection_resolve(selection, structure);
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_residue_id *residue = &structure->atoms[i].residue;
        any = berth_selection_matches(selection, residue) || any;
        berth_selector_of(residue, text);
        /* Names may have what these have not, and codes may be none. */
        if (!isdigit((unsigned char)residue->insertion) && !strpbrk(text, ",") &&
            !berth_selection_parse(text, &one, &error)) {
            demand(one.count == 1);
            berth_selection_resolve(&one, structure);
            demand(berth_selection_matches(&one, residue));
        }
    }
    demand(any || !selection->count || berth_selection_unmatched(selection, structure));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t rest;
    char *line = fuzz_line(bytes, size, &rest), beside[BERTH_BESIDE_TEXT];
    struct berth_selection selection;
    struct berth_structure structure = {0};
    struct berth_text_reader *text;
    struct berth_error error;
    const enum berth_status status = berth_selection_parse(line, &selection, &error);
    demand(!status || (status == BERTH_E_USAGE && *error.message));
    demand(status || selection.count <= BERTH_SELECTORS_MAX);
    demand(!berth_text_reader_create_memory("fuzz", bytes + rest, size - rest, &text, &error));
    if (!status && !berth_pdb_read(text, false, &structure, &error)) {
        select_of(&selection, &structure);
        for (size_t i = 0; i < selection.count; i++) {
            berth_residue_beside(&structure.atoms[0].residue, 1, selection.selectors[i].chain,
                                 selection.selectors[i].number, beside);
            demand(memchr(beside, 0, sizeof beside) != NULL);
        }
    }
    berth_structure_clear(&structure);
    berth_text_reader_destroy(text);
    free(line);
    return 0;
}
