#include "chem/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/vectors.h"

/* Of two parts, the smaller is more than a counterion from this share of heavy atoms on. */
static const double MIXTURE = 0.5;

/* Gives each atom the first atom of its part. */
static enum berth_status find_parts(const struct berth_molecule *molecule, size_t **parts,
                                    struct berth_error *error)
{
    BERTH_TRY(berth_make(parts, molecule->atom_count + 1, sizeof **parts, NULL, error));
    size_t *first = *parts;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        first[i] = i;
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t b = 0; b < molecule->bond_count; b++) {
            const struct berth_bond *bond = &molecule->bonds[b];
            const size_t one = first[bond->first], other = first[bond->second];
            if (one != other && strcmp(bond->type, "nc") != 0) {
                more = true;
                first[bond->first] = first[bond->second] = one < other ? one : other;
            }
        }
    }
    return BERTH_OK;
}

enum berth_status berth_parts_count(const struct berth_molecule *molecule, size_t *count,
                                    struct berth_error *error)
{
    size_t *parts;
    *count = 0;
    BERTH_TRY(find_parts(molecule, &parts, error));
    for (size_t i = 0; molecule->bond_count && i < molecule->atom_count; i++) {
        *count += parts[i] == i;
    }
    free(parts);
    return BERTH_OK;
}

/* --- Missing bonds --- */

/* Metals that salts are made with, as tools/rdkit/reading.py has them. */
static bool is_ionic(int element)
{
    return berth_text_lists("Li Na K Rb Cs Mg Ca Sr Ba", ' ', berth_element_symbol(element));
}

/* Å: nearer than this, atoms of two parts are bonded; 0: never.  (A halide is where it is.) */
static double limit_of(const struct berth_atom *a, const struct berth_atom *b)
{
    if (!a->heavy || !b->heavy || !a->element || !b->element || is_ionic(a->element) ||
        is_ionic(b->element) || berth_is_halogen(a->element) || berth_is_halogen(b->element)) {
        return 0;
    }
    return berth_bond_limit(BERTH_BOND_OF_PARTS, a->element, b->element);
}

static bool is_flat(const struct berth_molecule *molecule)
{
    for (size_t i = 1; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].position[2] != molecule->atoms[0].position[2]) {
            return false;
        }
    }
    return true;
}

static enum berth_status refuse_near(const struct berth_molecule *molecule, size_t i, size_t k,
                                     struct berth_error *error)
{
    const struct berth_atom *a = &molecule->atoms[i], *b = &molecule->atoms[k];
    const double distance = berth_distance(a->position, b->position);
    return berth_is_metal(a->element) || berth_is_metal(b->element)
               ? berth_fail(error, BERTH_E_FORMAT,
                            "a metal complex without its bonds: atoms %zu (%s) and %zu (%s) are "
                            "%.2f Å apart, and no bond joins them; draw its bonds, or leave the "
                            "metal out",
                            i + 1, a->name, k + 1, b->name, distance)
               : berth_fail(error, BERTH_E_FORMAT,
                            "bonds are missing: atoms %zu (%s) and %zu (%s) are %.2f Å apart, and "
                            "no bond joins their parts; write the molecule again, with its bonds",
                            i + 1, a->name, k + 1, b->name, distance);
}

/* A drawing's distances say nothing. */
static enum berth_status check_near(const struct berth_molecule *molecule, const size_t *parts,
                                    struct berth_error *error)
{
    for (size_t i = 0; !is_flat(molecule) && i < molecule->atom_count; i++) {
        for (size_t k = i + 1; k < molecule->atom_count; k++) {
            const struct berth_atom *a = &molecule->atoms[i], *b = &molecule->atoms[k];
            if (parts[i] != parts[k] && berth_distance(a->position, b->position) < limit_of(a, b)) {
                return refuse_near(molecule, i, k, error);
            }
        }
    }
    return BERTH_OK;
}

static bool is_one(const struct berth_molecule *molecule, const size_t *parts)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (parts[i]) {
            return false;
        }
    }
    return true;
}

enum berth_status berth_parts_check(const struct berth_molecule *molecule,
                                    struct berth_error *error)
{
    const size_t heavy = berth_heavy_count(molecule);
    size_t *parts;
    if (heavy > 1 && !molecule->bond_count) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "it has %zu heavy atoms and no bonds: write it again, with its bonds (of "
                          "atoms alone, give PDB or XYZ, whose bonds are perceived)",
                          heavy);
    }
    BERTH_TRY(find_parts(molecule, &parts, error));
    const enum berth_status status =
        is_one(molecule, parts) ? BERTH_OK : check_near(molecule, parts, error);
    free(parts);
    return status;
}

/* --- The largest part --- */

struct part {
    size_t first; /* its first atom */
    size_t heavy; /* heavy atoms */
    bool organic; /* it has carbon */
};

static struct part part_of(const struct berth_molecule *molecule, const size_t *parts, size_t first)
{
    struct part part = {.first = first};
    for (size_t i = first; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        part.heavy += parts[i] == first && atom->heavy;
        part.organic = part.organic || (parts[i] == first && atom->element == CARBON);
    }
    return part;
}

static bool is_larger(const struct part *a, const struct part *b)
{
    return a->organic != b->organic ? a->organic : a->heavy > b->heavy;
}

/* Takes all other atoms, and their bonds, out; the parts become the atoms' new numbers. */
static void keep_part(struct berth_molecule *molecule, size_t *parts, size_t first)
{
    size_t count = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        parts[i] = parts[i] == first ? count++ : SIZE_MAX;
    }
    berth_molecule_keep(molecule, parts);
}

/* Finds the largest part, and says what the others are. */
static struct part find_largest(const struct berth_molecule *molecule, const size_t *parts,
                                char remark[BERTH_PARTS_REMARK])
{
    struct part largest = {.first = SIZE_MAX};
    size_t others = 0, next = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct part part = part_of(molecule, parts, i);
        if (parts[i] != i || !part.heavy) { /* a lone pair is none */
            continue;
        }
        const bool larger = largest.first == SIZE_MAX || is_larger(&part, &largest);
        const struct part *other = larger ? &largest : &part;
        if (largest.first != SIZE_MAX) {
            others++;
            next = other->organic && other->heavy > next ? other->heavy : next;
        }
        largest = larger ? part : largest;
    }
    *remark = '\0';
    if (others) {
        snprintf(remark, BERTH_PARTS_REMARK, "%s",
                 (double)next > MIXTURE * (double)largest.heavy
                     ? "a mixture, of which the largest molecule is taken"
                     : "a salt or solvate, of which the largest molecule is taken");
    }
    return largest;
}

enum berth_status berth_parts_keep_largest(struct berth_molecule *molecule,
                                           char remark[BERTH_PARTS_REMARK],
                                           struct berth_error *error)
{
    size_t *parts;
    *remark = '\0';
    BERTH_TRY(berth_parts_check(molecule, error));
    BERTH_TRY(find_parts(molecule, &parts, error));
    enum berth_status status = BERTH_OK;
    if (!is_one(molecule, parts)) {
        const struct part largest = find_largest(molecule, parts, remark);
        status = *remark && !largest.organic && largest.heavy <= 1
                     ? berth_fail(error, BERTH_E_FORMAT,
                                  "only ions and solvent of one heavy atom: no molecule is left "
                                  "without the salt; give alone what is to be docked")
                     : BERTH_OK;
        if (!status && *remark) {
            keep_part(molecule, parts, largest.first);
        }
    }
    free(parts);
    return status;
}
