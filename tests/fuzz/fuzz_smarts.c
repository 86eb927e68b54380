/* libFuzzer: patterns, and matching them: a line of SMARTS, and a molecule (molecule.h). */
#include "chem/smarts.h"
#include "molecule.h"

enum { MATCHES = 1000 };

struct seen {
    const struct berth_smarts *pattern;
    const struct berth_molecule *molecule;
    size_t count;
};

static bool take(void *context, const size_t *atoms)
{
    struct seen *seen = context;
    for (size_t i = 0; i < berth_smarts_count(seen->pattern); i++) {
        demand(atoms[i] < seen->molecule->atom_count);
        for (size_t k = 0; k < i; k++) {
            demand(atoms[k] != atoms[i]);
        }
    }
    return ++seen->count < MATCHES;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t rest;
    char *line = fuzz_line(bytes, size, &rest);
    struct berth_smarts *pattern = NULL;
    struct berth_facts facts;
    struct berth_error error;
    const enum berth_status status = berth_smarts_parse(line, &pattern, &error);
    demand(!status == (pattern != NULL) &&
           (!status || (status == BERTH_E_FORMAT && *error.message)));
    if (!status) {
        struct berth_molecule molecule;
        fuzz_molecule(bytes + rest, size - rest, &molecule);
        struct seen seen = {pattern, &molecule, 0};
        demand(berth_smarts_count(pattern) && berth_smarts_count(pattern) <= BERTH_SMARTS_ATOMS);
        enum berth_status matched = berth_facts_find(&molecule, BERTH_SMARTS_FACTS, &facts, &error);
        if (!matched) {
            matched = berth_smarts_match(pattern, &facts, take, &seen, &error);
        }
        demand(!matched || (matched == BERTH_E_FORMAT && *error.message));
        berth_facts_clear(&facts);
        berth_molecule_clear(&molecule);
    }
    berth_smarts_destroy(pattern);
    free(line);
    return 0;
}
