#include "prep/receptor/displaceable.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/output.h"

void berth_displaceable_add(struct berth_displaceable *displaceable,
                            const struct berth_residue_id *water)
{
    if (displaceable->count < BERTH_DISPLACEABLE_MAX) {
        displaceable->waters[displaceable->count] = *water;
    }
    displaceable->count++;
}

enum berth_status berth_displaceable_check(const struct berth_displaceable *displaceable,
                                           struct berth_error *error)
{
    if (displaceable->count > BERTH_DISPLACEABLE_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "displaceable_waters",
                                 "displaceable_waters: %zu waters; each choice of them is a "
                                 "receptor of its own, so name %d at most",
                                 displaceable->count, BERTH_DISPLACEABLE_MAX);
    }
    for (size_t i = 0; i < displaceable->count; i++) {
        const char *chain = displaceable->waters[i].chain;
        for (const char *at = chain; *at; at++) {
            if (!isalnum((unsigned char)*at)) {
                return berth_fail_option(error, BERTH_E_USAGE, "displaceable_waters",
                                         "displaceable_waters: chain '%s' cannot stand in the name "
                                         "of a receptor file; call it by letters and digits",
                                         chain);
            }
        }
    }
    return BERTH_OK;
}

/* The name of the file without the waters whose bits are set; none: out itself.  path has PATH_MAX
 * bytes. */
static void name_file(const struct berth_displaceable *displaceable, const char *out,
                      unsigned without, char *path)
{
    static const char ENDING[] = ".brec";
    size_t stem = strlen(out);
    if (stem > strlen(ENDING) && strcmp(out + stem - strlen(ENDING), ENDING) == 0) {
        stem -= strlen(ENDING);
    }
    int used = snprintf(path, PATH_MAX, "%.*s%s", (int)stem, out, without ? "_no" : "");
    for (size_t i = 0; i < displaceable->count && used < PATH_MAX; i++) {
        const struct berth_residue_id *water = &displaceable->waters[i];
        const char insertion[] = {water->insertion, '\0'};
        if (without >> i & 1) {
            used += snprintf(path + used, PATH_MAX - (size_t)used, "_%s%d%s", water->chain,
                             water->number, insertion);
        }
    }
    if (used < PATH_MAX) {
        snprintf(path + used, PATH_MAX - (size_t)used, "%s", without ? ENDING : out + stem);
    }
}

static bool is_left_out(const struct berth_displaceable *displaceable, unsigned without,
                        const struct berth_residue_id *residue)
{
    bool out = false;
    for (size_t i = 0; !out && i < displaceable->count; i++) {
        out = without >> i & 1 && berth_same_residue(residue, &displaceable->waters[i]);
    }
    return out;
}

/* Writes the receptor without these waters. */
static enum berth_status write_without(const struct berth_displaceable *displaceable,
                                       const struct berth_receptor *receptor, unsigned without,
                                       const char *path, struct berth_error *error)
{
    struct berth_receptor less = *receptor;
    BERTH_TRY(berth_make(&less.molecule.atoms, receptor->molecule.atom_count,
                         sizeof *less.molecule.atoms, NULL, error));
    less.molecule.atom_count = 0;
    for (size_t i = 0; i < receptor->molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor->molecule.atoms[i];
        if (!is_left_out(displaceable, without, &receptor->residues[atom->residue_id - 1])) {
            less.molecule.atoms[less.molecule.atom_count++] = *atom;
        }
    }
    const enum berth_status status = berth_receptor_write(path, &less, error);
    free(less.molecule.atoms);
    return status;
}

enum berth_status berth_displaceable_write(const struct berth_displaceable *displaceable,
                                           const struct berth_receptor *receptor, const char *out,
                                           bool overwrite, const struct berth_log *log,
                                           struct berth_error *error)
{
    const unsigned end = 1u << displaceable->count;
    char path[PATH_MAX], names[2 * PATH_MAX] = "";
    size_t used = 0;
    for (unsigned without = 1; without < end; without++) {
        name_file(displaceable, out, without, path);
        BERTH_TRY(berth_output_new(path, overwrite, error));
    }
    for (unsigned without = 0; without < end; without++) {
        name_file(displaceable, out, without, path);
        used += used < sizeof names ? (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                                       without ? "," : "", path)
                                    : 0;
        BERTH_TRY(without ? write_without(displaceable, receptor, without, path, error) : BERTH_OK);
    }
    if (displaceable->count) {
        berth_note(log, "displaceable waters: dock with --receptor %s --water_price E", names);
    }
    return BERTH_OK;
}
