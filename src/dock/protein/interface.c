#include "dock/protein/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"

struct berth_interfaces {
    struct berth_protein_pair pair;
    struct berth_spheres receptor, ligand;    /* the ligand's centres are moved */
    struct berth_cells cells;                 /* of the receptor's atoms */
    int *receptor_residues, *ligand_residues; /* owned; of each heavy atom, from 0 */
    bool *touched[2];                         /* owned; by residue: receptor's, ligand's */
    size_t residue_counts[2];
    size_t contacts;
    int residue; /* of the ligand's atom that is looked at */
};

/* The residues of heavy atoms, numbered from 0 in their order. */
static enum berth_status number_residues(const struct berth_molecule *molecule, int **numbers,
                                         bool **touched, size_t *count, struct berth_error *error)
{
    size_t heavy = 0;
    const struct berth_atom *before = NULL;
    BERTH_TRY(berth_make(numbers, molecule->atom_count, sizeof **numbers, NULL, error));
    BERTH_TRY(berth_make(touched, molecule->atom_count, sizeof **touched, NULL, error));
    *count = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        if (!atom->heavy) {
            continue;
        }
        *count += !before || before->residue_id != atom->residue_id ||
                  strcmp(before->residue, atom->residue) != 0;
        (*numbers)[heavy++] = (int)*count - 1;
        before = atom;
    }
    return BERTH_OK;
}

enum berth_status berth_interfaces_create(const struct berth_protein_pair *pair,
                                          struct berth_interfaces **interfaces,
                                          struct berth_error *error)
{
    struct berth_interfaces *made;
    BERTH_TRY(berth_make(interfaces, 1, sizeof *made, NULL, error));
    made = *interfaces;
    made->pair = *pair;
    enum berth_status status = berth_spheres_of(&pair->receptor->molecule, &made->receptor, error);
    BERTH_THEN(berth_spheres_of(&pair->ligand->molecule, &made->ligand, error));
    BERTH_THEN(berth_cells_create(*made->receptor.centers, sizeof *made->receptor.centers,
                                  made->receptor.count, BERTH_CONTACT_REACH, &made->cells, error));
    BERTH_THEN(number_residues(&pair->receptor->molecule, &made->receptor_residues,
                               &made->touched[0], &made->residue_counts[0], error));
    BERTH_THEN(number_residues(&pair->ligand->molecule, &made->ligand_residues, &made->touched[1],
                               &made->residue_counts[1], error));
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
        interfaces->touched[0][interfaces->receptor_residues[index]] = true;
        interfaces->touched[1][interfaces->residue] = true;
    }
}

static size_t count_true(const bool *flags, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += flags[i];
    }
    return sum;
}

enum berth_status berth_interface_measure(struct berth_interfaces *interfaces,
                                          const double (*placed)[3],
                                          struct berth_interface *interface,
                                          struct berth_error *error)
{
    const size_t *counts = interfaces->residue_counts;
    for (int k = 0; k < 2; k++) {
        memset(interfaces->touched[k], 0, counts[k] * sizeof *interfaces->touched[k]);
    }
    interfaces->contacts = 0;
    for (size_t i = 0; i < interfaces->ligand.count; i++) {
        interfaces->residue = interfaces->ligand_residues[i];
        berth_cells_each(&interfaces->cells, placed[i], BERTH_CONTACT_REACH, count_contact,
                         interfaces);
    }
    memcpy(interfaces->ligand.centers, placed, interfaces->ligand.count * sizeof *placed);
    *interface =
        (struct berth_interface){.contacts = interfaces->contacts,
                                 .receptor_residues = count_true(interfaces->touched[0], counts[0]),
                                 .ligand_residues = count_true(interfaces->touched[1], counts[1])};
    return berth_surface_buried(&interfaces->receptor, &interfaces->ligand, BERTH_PROBE_WATER,
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
    for (size_t i = 0; i < interfaces->ligand.count; i++) {
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
    berth_spheres_clear(&interfaces->receptor);
    berth_spheres_clear(&interfaces->ligand);
    berth_cells_clear(&interfaces->cells);
    free(interfaces->receptor_residues);
    free(interfaces->ligand_residues);
    free(interfaces->touched[0]);
    free(interfaces->touched[1]);
    free(interfaces);
}
