/* The site of a receptor in preparation. */
#include <math.h>

#include "chem/selection.h"
#include "prep/receptor/receptor_internal.h"

/* A box around residues, autobox_add wider on each side. */
static enum berth_status box_of_residues(const struct berth_receptor_work *work,
                                         struct berth_site *site, struct berth_error *error)
{
    const struct berth_structure *structure = &work->prepared->structure;
    struct berth_selection selection;
    enum berth_status status = berth_selection_parse(work->settings->residues, &selection, error);
    if (status) {
        return berth_fail_in(error, "--residues");
    }
    berth_selection_resolve(&selection, structure);
    const struct berth_selector *unmatched = berth_selection_unmatched(&selection, structure);
    if (unmatched) {
        return berth_fail(error, BERTH_E_USAGE, "--residues: no residue %s in the receptor",
                          unmatched->text);
    }
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < structure->count; i++) {
            const struct berth_structure_atom *atom = &structure->atoms[i];
            if (!berth_is_hydrogen(atom) && berth_selection_matches(&selection, &atom->residue)) {
                low = fmin(low, atom->position[k]);
                high = fmax(high, atom->position[k]);
            }
        }
        site->center[k] = (low + high) / 2;
        site->size[k] = high - low + 2 * work->settings->autobox_add;
    }
    return BERTH_OK;
}

enum berth_status berth_receptor_site(const struct berth_receptor_work *work, bool *given,
                                      struct berth_site *site, struct berth_error *error)
{
    const struct berth_receptor_settings *settings = work->settings;
    *given = true;
    if (settings->box) {
        *site = *settings->box;
    } else if (settings->residues) {
        return box_of_residues(work, site, error);
    } else {
        *given = !settings->sites &&
                 berth_site_about(&work->prepared->reference, settings->autobox_add, site);
    }
    return BERTH_OK;
}
