#include "protein/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"

/* A protein: its heavy atoms. */
struct side {
    struct berth_spheres spheres; /* the ligand's centres are moved */
    int *residues;                /* owned; of each atom, numbered from 0 in their order */
    bool *touched;                /* owned; by residue */
    size_t residue_count;
};

struct berth_interfaces {
    struct side receptor, ligand;
    struct berth_cells cells; /* of the receptor's atoms */
    size_t contacts;
    int residue; /* of the ligand's atom that is looked at */
};

static enum berth_status make_side(const struct berth_molecule *molecule, struct side *side,
                                   struct berth_error *error)
{
    size_t heavy = 0;
    const struct berth_atom *before = NULL;
    BERTH_TRY(berth_spheres_of(molecule, &side->spheres, error));
    BERTH_TRY(
        berth_make(&side->residues, molecule->atom_count, sizeof *side->residues, NULL, error));
    BERTH_TRY(berth_make(&side->touched, molecule->atom_count, sizeof *side->touched, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (!atom->heavy) {
            continue;
        }
        side->residue_count += !before || before->residue_id != atom->residue_id ||
                               strcmp(before->residue, atom->residue) != 0;
        side->residues[heavy++] = (int)side->residue_count - 1;
        before = atom;
    }
    return BERTH_OK;
}

static void clear_side(struct side *side)
{
    berth_spheres_clear(&side->spheres);
    free(side->residues);
    free(side->touched);
}

enum berth_status berth_interfaces_create(const struct berth_molecule *receptor,
                                          const struct berth_molecule *ligand,
                                          struct berth_interfaces **interfaces,
                                          struct berth_error *error)
{
    struct berth_interfaces *made;
    BERTH_TRY(berth_make(interfaces, 1, sizeof *made, NULL, error));
    made = *interfaces;
    enum berth_status status = make_side(receptor, &made->receptor, error);
    BERTH_THEN(make_side(ligand, &made->ligand, error));
    const struct berth_spheres *spheres = &made->receptor.spheres;
    BERTH_THEN(berth_cells_create(*spheres->centers, sizeof *spheres->centers, spheres->count,
                                  BERTH_CONTACT_REACH, &made->cells, error));
    if (status) {
        berth_interfaces_destroy(made);
        *interfaces = NULL;
    }
    return status;
}

static void count_contact(void *context, size_t index, double squared)
{
    struct berth_interfaces *interfaces = context;
    if (squared < BERTH_CONTACT_REACH * BERTH_CONTACT_REACH) {
        interfaces->contacts++;
        interfaces->receptor.touched[interfaces->receptor.residues[index]] = true;
        interfaces->ligand.touched[interfaces->residue] = true;
    }
}

/* How many residues were touched since the last time. */
static size_t take_touched(struct side *side)
{
    size_t sum = 0;
    for (size_t i = 0; i < side->residue_count; i++) {
        sum += side->touched[i];
        side->touched[i] = false;
    }
    return sum;
}

enum berth_status berth_interface_measure(struct berth_interfaces *interfaces,
                                          const double (*placed)[3],
                                          struct berth_interface *interface,
                                          struct berth_error *error)
{
    struct berth_spheres *ligand = &interfaces->ligand.spheres;
    interfaces->contacts = 0;
    for (size_t i = 0; i < ligand->count; i++) {
        interfaces->residue = interfaces->ligand.residues[i];
        berth_cells_each(&interfaces->cells, placed[i], BERTH_CONTACT_REACH, count_contact,
                         interfaces);
    }
    memcpy(ligand->centers, placed, ligand->count * sizeof *placed);
    *interface = (struct berth_interface){.contacts = interfaces->contacts,
                                          .receptor_residues = take_touched(&interfaces->receptor),
                                          .ligand_residues = take_touched(&interfaces->ligand)};
    return berth_surface_buried(&interfaces->receptor.spheres, ligand, BERTH_PROBE_WATER,
                                &interface->buried, error);
}

static void note_near(void *context, size_t index, double squared)
{
    (void)index;
    *(bool *)context |= squared < BERTH_INTERFACE_REACH * BERTH_INTERFACE_REACH;
}

void berth_interface_mark(const struct berth_interfaces *interfaces, const double (*placed)[3],
                          bool *near)
{
    for (size_t i = 0; i < interfaces->ligand.spheres.count; i++) {
        near[i] = false;
        berth_cells_each(&interfaces->cells, placed[i], BERTH_INTERFACE_REACH, note_near, &near[i]);
    }
}

double berth_interface_rmsd(const double (*a)[3], const bool *near_a, const double (*b)[3],
                            const bool *near_b, size_t count)
{
    double sum = 0;
    size_t atoms = 0;
    for (size_t i = 0; i < count; i++) {
        if (near_a[i] || near_b[i]) {
            for (int k = 0; k < 3; k++) {
                sum += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
            }
            atoms++;
        }
    }
    return atoms ? sqrt(sum / (double)atoms) : INFINITY;
}

void berth_interfaces_destroy(struct berth_interfaces *interfaces)
{
    if (!interfaces) {
        return;
    }
    clear_side(&interfaces->receptor);
    clear_side(&interfaces->ligand);
    berth_cells_clear(&interfaces->cells);
    free(interfaces);
}
