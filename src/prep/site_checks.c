#include "prep/site_checks.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "chem/polymers.h"
#include "chem/elements.h"
#include "chem/residue_types.h"
#include "format/pdb/structure_file.h"

/* Å^3: beyond this a search with the usual numbers of poses becomes thin. */
#define LARGE_BOX 27000.0
/* Å: what lies nearer to the centre of the box leaves no room for a ligand. */
#define MIDDLE 3.0
/* Å: radii of a ligand and a receptor that belong together overlap by less (at most 0.86 in 80
 * crystals). */
#define OVERLAP 1.0
/* Å: as near are atoms of two molecules only where one is in the other's place; and how many of one
 * say so. */
#define SAME_PLACE 1.5
#define TAKEN      3

enum { LIGAND_MOST = 200, DESCRIPTION_SIZE = 2 * BERTH_MOLECULE_TEXT_SIZE + 80 };

enum berth_status berth_site_about_file(const char *path, const struct berth_molecule *molecule,
                                        double add, const struct berth_log *log,
                                        struct berth_site *site, struct berth_error *error)
{
    if (!berth_site_about(molecule, add, site->atoms, site)) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no heavy atoms to put a box about", path);
    }
    if (berth_heavy_count(molecule) > LIGAND_MOST) {
        berth_warn(
            log, NULL,
            "%s: %zu heavy atoms to put a box about, more than a ligand has: give the ligand "
            "alone",
            path, berth_heavy_count(molecule));
    }
    return BERTH_OK;
}

/* A receptor whose molecules are looked at. */
struct view {
    const struct berth_structure *structure;
    const struct berth_polymers *polymers;
    const struct berth_molecule *molecule; /* whose substructures name residues; NULL: none do */
};

/* Whether a residue fills the middle of the box, or its centroid lies in it: what is at the side of
 * a pocket belongs there. */
static void place_residue(const struct berth_site *site, const struct berth_structure *receptor,
                          struct berth_span residue, bool *middle, bool *inside)
{
    double centroid[3] = {0, 0, 0};
    const double heavy = (double)berth_residue_heavy_count(receptor, residue);
    for (size_t i = residue.begin; i < residue.end; i++) {
        const struct berth_structure_atom *atom = &receptor->atoms[i];
        for (int k = 0; !berth_is_hydrogen(atom) && k < 3; k++) {
            centroid[k] += atom->position[k] / heavy;
        }
        *middle =
            *middle || (!berth_is_hydrogen(atom) &&
                        berth_distance_squared(atom->position, site->center) < MIDDLE * MIDDLE);
    }
    *inside = *inside || (heavy > 0 && berth_site_outside(site, centroid) <= 0);
}

/* Whether the molecule of this residue, the first that it has, stands in the site; *ligand: whether
 * it looks like a ligand.  Of what does not, only what fills the middle counts. */
static bool occupies(const struct berth_site *site, const struct view *view, size_t residue,
                     bool *ligand)
{
    const struct berth_polymers *polymers = view->polymers;
    const size_t molecule = polymers->molecule[residue];
    const struct berth_span span = polymers->residues[residue];
    bool middle = false, inside = false;
    if (!molecule || polymers->heavy[molecule] < 2 ||
        berth_is_water_name(view->structure->atoms[span.begin].residue.name)) {
        return false;
    }
    const size_t *members = &polymers->members[polymers->starts[molecule]];
    const size_t count = polymers->starts[molecule + 1] - polymers->starts[molecule];
    for (size_t i = 0; i < count && members[0] == residue; i++) {
        place_residue(site, view->structure, polymers->residues[members[i]], &middle, &inside);
    }
    *ligand = (middle || inside) && berth_polymers_ligand(polymers, view->structure, molecule);
    return middle || *ligand;
}

/* What the molecule calls the substructure of the structure's atom of this index (see
 * berth_structure_from_molecule, which leaves out lone pairs). */
static const char *substructure(const struct berth_molecule *molecule, size_t index)
{
    size_t i = 0;
    for (size_t met = 0; i < molecule->atom_count; i++) {
        met += molecule->atoms[i].heavy || molecule->atoms[i].element == HYDROGEN;
        if (met > index) {
            break;
        }
    }
    return molecule->atoms[i].residue;
}

/* "PJE C:5 of the receptor (13 heavy atoms)", with its bonds. */
static void describe(const struct view *view, size_t molecule, char text[DESCRIPTION_SIZE])
{
    const struct berth_polymers *polymers = view->polymers;
    char residues[BERTH_MOLECULE_TEXT_SIZE] = "", bonds[BERTH_MOLECULE_TEXT_SIZE];
    if (view->molecule) {
        snprintf(residues, sizeof residues, "molecule");
        for (size_t m = polymers->starts[molecule]; m < polymers->starts[molecule + 1]; m++) {
            berth_text_append(
                residues, sizeof residues, " %s",
                substructure(view->molecule, polymers->residues[polymers->members[m]].begin));
        }
    } else {
        berth_polymers_residues(polymers, view->structure, molecule, residues);
    }
    berth_polymers_bonds(polymers, view->structure, molecule, bonds);
    snprintf(text, DESCRIPTION_SIZE, "%s of the receptor (%zu heavy atoms%s%s)", residues,
             polymers->heavy[molecule], *bonds ? "; " : "", bonds);
}

static void check_box(const struct berth_site *site, const struct berth_structure *receptor,
                      const struct berth_log *log)
{
    const double volume = site->size[0] * site->size[1] * site->size[2];
    if (volume > LARGE_BOX) {
        berth_warn(
            log, NULL,
            "the box of the site has %.0f \xc3\x85^3, more than %.0f (30 x 30 x 30 \xc3\x85): "
            "a search of it is thin; give a smaller one",
            volume, LARGE_BOX);
    }
    size_t near = 0;
    while (near < receptor->count &&
           berth_site_outside(site, receptor->atoms[near].position) > BERTH_SITE_REACH) {
        near++;
    }
    if (near == receptor->count) {
        berth_warn(log, NULL,
                   "the box about (%g, %g, %g) holds nothing of the receptor: no atom lies within "
                   "%.0f \xc3\x85 of it; look whether both have the same coordinates",
                   site->center[0], site->center[1], site->center[2], BERTH_SITE_REACH);
    }
}

static void warn_of_occupants(const struct berth_site *site, const struct view *view,
                              const struct berth_log *log)
{
    for (size_t i = 0; i < view->polymers->count; i++) {
        char text[DESCRIPTION_SIZE];
        bool ligand;
        if (occupies(site, view, i, &ligand)) {
            describe(view, view->polymers->molecule[i], text);
            berth_warn(log, NULL,
                       "the site is occupied by %s: leave it out when you prepare the receptor, "
                       "unless ligands are to bind beside it",
                       text);
        }
    }
}

/* BERTH_E_USAGE where what looks like a ligand occupies the site, and does so by itself: the copy
 * of one that was cut out belongs there. */
static enum berth_status refuse_ligand(const struct berth_site *site, const struct view *view,
                                       struct berth_error *error)
{
    for (size_t i = 0; i < view->polymers->count; i++) {
        char text[DESCRIPTION_SIZE];
        bool ligand;
        const struct berth_span span = view->polymers->residues[i];
        if (!berth_is_copy(&view->structure->atoms[span.begin].residue) &&
            occupies(site, view, i, &ligand) && ligand) {
            describe(view, view->polymers->molecule[i], text);
            return berth_fail_option(
                error, BERTH_E_USAGE, "allow_occupied",
                "%s looks like a ligand and stands in the site: cut it out (ligand_id), or leave "
                "it out when you prepare the receptor, or allow it",
                text);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_site_check_structure(const struct berth_site *site,
                                             const struct berth_structure *receptor,
                                             const struct berth_log *log, struct berth_error *error)
{
    struct berth_polymers polymers;
    const struct view view = {receptor, &polymers, NULL};
    const enum berth_status status = berth_polymers_find(receptor, &polymers, error);
    check_box(site, receptor, log);
    if (!status) {
        warn_of_occupants(site, &view, log);
    }
    berth_polymers_clear(&polymers);
    return status;
}

enum berth_status berth_site_check(const struct berth_site *site,
                                   const struct berth_site_surroundings *surroundings,
                                   const struct berth_log *log, struct berth_error *error)
{
    const struct berth_molecule *named = surroundings->residues ? NULL : surroundings->receptor;
    struct berth_structure structure = {0};
    struct berth_polymers polymers = {0};
    const struct view view = {&structure, &polymers, named};
    enum berth_status status =
        berth_structure_from_molecule(surroundings->receptor, &structure, error);
    if (!status) {
        /* Gives the structure's atoms, which the molecule's were but for lone pairs, their
         * residues. */
        const struct berth_molecule *molecule = surroundings->receptor;
        for (size_t i = 0, met = 0; surroundings->residues && i < molecule->atom_count; i++) {
            const struct berth_atom *atom = &molecule->atoms[i];
            if (atom->heavy || atom->element == HYDROGEN) {
                structure.atoms[met++].residue = surroundings->residues[atom->residue_id - 1];
            }
        }
        check_box(site, &structure, log);
        status = berth_polymers_find(&structure, &polymers, error);
    }
    if (!status) {
        warn_of_occupants(site, &view, log);
    }
    if (!surroundings->allow_occupied) {
        BERTH_THEN(refuse_ligand(site, &view, error));
    }
    berth_polymers_clear(&polymers);
    berth_structure_clear(&structure);
    return status;
}

bool berth_takes_place(const struct berth_polymers *polymers,
                       const struct berth_structure *structure, size_t molecule,
                       const struct berth_molecule *pose)
{
    size_t there = 0;
    for (size_t i = 0; i < pose->atom_count; i++) {
        bool near = false;
        for (size_t k = 0; pose->atoms[i].heavy && !near && k < structure->count; k++) {
            near = !berth_is_hydrogen(&structure->atoms[k]) &&
                   berth_distance_squared(pose->atoms[i].position, structure->atoms[k].position) <
                       SAME_PLACE * SAME_PLACE &&
                   berth_polymers_molecule(polymers, k) == molecule;
        }
        there += near;
    }
    return there >= TAKEN;
}

/* Pairs of atoms that overlap. */
struct overlap {
    size_t count;
    double nearest; /* Å: between the two that are nearest: */
    const struct berth_atom *ligand, *receptor;
};

static void add_pair(const struct berth_atom *ligand, const struct berth_atom *receptor,
                     struct overlap *overlap)
{
    const double distance = berth_distance(ligand->position, receptor->position);
    if (berth_overlap(ligand->element, receptor->element, distance) <= OVERLAP) {
        return;
    }
    if (!overlap->count++ || distance < overlap->nearest) {
        overlap->nearest = distance;
        overlap->ligand = ligand;
        overlap->receptor = receptor;
    }
}

size_t berth_site_check_overlap(const struct berth_molecule *ligand, const char *called,
                                const struct berth_site_surroundings *surroundings,
                                const struct berth_log *log)
{
    const struct berth_molecule *receptor = surroundings->receptor;
    struct overlap overlap = {.count = 0};
    char residue[BERTH_RESIDUE_TEXT_SIZE];
    for (size_t i = 0; called && i < ligand->atom_count; i++) {
        for (size_t j = 0; ligand->atoms[i].heavy && j < receptor->atom_count; j++) {
            if (receptor->atoms[j].heavy &&
                berth_distance_squared(ligand->atoms[i].position, receptor->atoms[j].position) <
                    BERTH_OVERLAP_REACH * BERTH_OVERLAP_REACH) {
                add_pair(&ligand->atoms[i], &receptor->atoms[j], &overlap);
            }
        }
    }
    if (!overlap.count) {
        return 0;
    }
    if (surroundings->residues) {
        berth_residue_text(&surroundings->residues[overlap.receptor->residue_id - 1], residue);
    } else {
        snprintf(residue, sizeof residue, "%s", overlap.receptor->residue);
    }
    berth_warn(
        log, NULL,
        "%s overlaps the receptor: %zu pair%s of heavy atoms %s nearer than any contact, the "
        "nearest %s and %s of %s, %.2f \xc3\x85; is it bonded there, from another structure, or "
        "still in the receptor?",
        called, overlap.count, overlap.count == 1 ? "" : "s", overlap.count == 1 ? "is" : "are",
        overlap.ligand->name, overlap.receptor->name, residue, overlap.nearest);
    return overlap.count;
}
