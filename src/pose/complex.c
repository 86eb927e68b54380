#include "pose/complex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/selection.h"
#include "chem/vectors.h"
#include "score/receptor_names.h"
#include "prep/receptor/prepare_receptor.h"

#define REACHED 4.0 /* Å: a pose that is nowhere nearer is none in this receptor */

/* The poses are bonded to a residue: it, and what is bonded to it, is no neighbour of theirs. */
static enum berth_status bond(struct berth_complex *complex, const char *atom,
                              struct berth_error *error)
{
    const struct berth_receptor *receptor = &complex->receptor;
    const struct berth_molecule *molecule = &receptor->molecule;
    char text[BERTH_RESIDUE_TEXT_SIZE];
    size_t found = 0;
    for (size_t i = 0; i < receptor->residue_count && !found; i++) {
        berth_residue_text(&receptor->residues[i], text);
        const size_t length = strlen(text);
        found = strncmp(text, atom, length) == 0 && atom[length] == ' ' ? i + 1 : 0;
    }
    if (!found) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "the poses are bonded to %s, which this receptor does not have", atom);
    }
    BERTH_TRY(berth_make(&complex->held, molecule->atom_count, sizeof *complex->held, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        complex->held[i] = molecule->atoms[i].residue_id == (int)found;
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        const bool first = molecule->atoms[bond->first].residue_id == (int)found;
        if (first || molecule->atoms[bond->second].residue_id == (int)found) {
            complex->held[first ? bond->second : bond->first] = true;
        }
    }
    return BERTH_OK;
}

/* ligand: gets what is cut out; NULL: nobody wants it. */
static enum berth_status prepare(const struct berth_complex_source *source,
                                 struct berth_receptor *receptor, struct berth_molecule *ligand,
                                 struct berth_error *error)
{
    const enum berth_structure_format format = berth_structure_format_of(source->receptor);
    const bool mol2 = format == BERTH_STRUCTURE_MOL2;
    const struct berth_receptor_settings settings = {.path = source->receptor,
                                                     .format = format,
                                                     .asked = source->asked,
                                                     .siteless = true,
                                                     .reference = ligand != NULL,
                                                     .ligand_smiles = source->ligand_smiles,
                                                     .whole = mol2,
                                                     .keep_types = mol2};
    struct berth_receptor_prepared prepared;
    const enum berth_status status =
        berth_receptor_prepare(&settings, mol2 && !ligand ? NULL : source->log, &prepared, error);
    if (!status) {
        *receptor = prepared.receptor;
        memset(&prepared.receptor, 0, sizeof prepared.receptor);
    }
    if (!status && ligand) {
        *ligand = prepared.reference;
        memset(&prepared.reference, 0, sizeof prepared.reference);
    }
    berth_receptor_prepared_clear(&prepared);
    return status;
}

static enum berth_status open_complex(const struct berth_complex_source *source,
                                      struct berth_complex *complex, struct berth_molecule *ligand,
                                      struct berth_error *error)
{
    struct berth_receptor *receptor = &complex->receptor;
    memset(complex, 0, sizeof *complex);
    /* It is read more than once, and where run.json names it, that may name any. */
    BERTH_TRY(berth_file_check_plain(source->receptor, error));
    const bool prepared = berth_is_receptor_file(source->receptor);
    if (prepared && berth_residues_asked_by(&source->asked)) {
        return berth_receptor_refuse(source->receptor, &source->asked, error);
    }
    BERTH_TRY(prepared ? berth_receptor_read(source->receptor, receptor, error)
                       : prepare(source, receptor, ligand, error));
    BERTH_TRY(berth_bonds_by_distance(&receptor->molecule, error));
    BERTH_TRY(berth_features_find(&receptor->molecule, &complex->featured, error));
    return source->covalent && *source->covalent ? bond(complex, source->covalent, error)
                                                 : BERTH_OK;
}

enum berth_status berth_complex_open(const struct berth_complex_source *source,
                                     struct berth_complex *complex, struct berth_error *error)
{
    return open_complex(source, complex, NULL, error);
}

enum berth_status berth_complex_open_own(const struct berth_complex_source *source,
                                         struct berth_complex *complex,
                                         struct berth_molecule *ligand, struct berth_error *error)
{
    memset(ligand, 0, sizeof *ligand);
    BERTH_TRY(open_complex(source, complex, ligand, error));
    complex->named = true;
    return BERTH_OK;
}

/* A copy of [count] things of a size; NULL stays NULL. */
static enum berth_status copy_items(const void *from, size_t count, size_t size, void *to,
                                    struct berth_error *error)
{
    void *copy = NULL;
    if (from) {
        BERTH_TRY(berth_make(&copy, count, size, NULL, error));
        memcpy(copy, from, count * size);
    }
    memcpy(to, &copy, sizeof copy);
    return BERTH_OK;
}

enum berth_status berth_complex_copy(const struct berth_complex *from,
                                     struct berth_complex *complex, struct berth_error *error)
{
    const struct berth_receptor *receptor = &from->receptor;
    memset(complex, 0, sizeof *complex);
    complex->named = from->named;
    complex->receptor.residue_count = receptor->residue_count;
    if (!berth_molecule_copy(&receptor->molecule, &complex->receptor.molecule)) {
        return berth_out_of_memory(error, NULL);
    }
    BERTH_TRY(copy_items(receptor->residues, receptor->residue_count, sizeof *receptor->residues,
                         &complex->receptor.residues, error));
    BERTH_TRY(copy_items(from->held, receptor->molecule.atom_count, sizeof *from->held,
                         &complex->held, error));
    return berth_features_find(&complex->receptor.molecule, &complex->featured, error);
}

/* The atom that "ASP:A:25 CG 1.0 2.0 3.0" begins with, or NULL; at: gets its place. */
static struct berth_atom *find_moved(struct berth_receptor *receptor, const char *text,
                                     double at[3])
{
    char residue[BERTH_SELECTOR_TEXT], name[BERTH_NAME_SIZE];
    const bool whole =
        sscanf(text, "%63s %15s %lf %lf %lf", residue, name, &at[0], &at[1], &at[2]) == 5;
    struct berth_atom *found = NULL;
    for (size_t i = 0; whole && !found && i < receptor->molecule.atom_count; i++) {
        struct berth_atom *atom = &receptor->molecule.atoms[i];
        char own[BERTH_SELECTOR_TEXT];
        berth_selector_of(&receptor->residues[atom->residue_id - 1], own);
        found = strcmp(atom->name, name) == 0 && strcmp(own, residue) == 0 ? atom : NULL;
    }
    return found;
}

static enum berth_status move(struct berth_complex *complex, const char *moved,
                              struct berth_error *error)
{
    if (!*moved && !complex->given) {
        return BERTH_OK;
    }
    /* All atoms stand where the file has them, which is noted first. */
    struct berth_molecule *molecule = &complex->receptor.molecule;
    const bool first = !complex->given;
    BERTH_TRY(first ? berth_make(&complex->given, molecule->atom_count, sizeof *complex->given,
                                 NULL, error)
                    : BERTH_OK);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        double *at = molecule->atoms[i].position;
        memcpy(first ? complex->given[i] : at, first ? at : complex->given[i], sizeof(double[3]));
    }
    for (const char *next = moved; next && *next;) {
        double at[3];
        struct berth_atom *atom = find_moved(&complex->receptor, next, at);
        if (!atom) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "side chains of another receptor: there is no atom \"%.40s\"", next);
        }
        memcpy(atom->position, at, sizeof at);
        next = strchr(next, ';');
        next = next ? next + 1 + strspn(next + 1, " ") : NULL;
    }
    berth_featured_clear(&complex->featured);
    return berth_features_find(&complex->receptor.molecule, &complex->featured, error);
}

bool berth_pose_reaches(const struct berth_molecule *receptor, const struct berth_molecule *pose,
                        double reach)
{
    for (size_t i = 0; i < pose->atom_count; i++) {
        for (size_t k = 0; pose->atoms[i].element > 1 && k < receptor->atom_count; k++) {
            if (receptor->atoms[k].element > 1 &&
                berth_distance(pose->atoms[i].position, receptor->atoms[k].position) < reach) {
                return true;
            }
        }
    }
    return false;
}

enum berth_status berth_complex_put(struct berth_complex *complex,
                                    const struct berth_molecule *pose, const char *side_chains,
                                    struct berth_error *error)
{
    BERTH_TRY(move(complex, side_chains, error));
    complex->looked_at++;
    complex->reached =
        complex->reached || berth_pose_reaches(&complex->receptor.molecule, pose, REACHED);
    return BERTH_OK;
}

enum berth_status berth_complex_reached(const struct berth_complex *complex, const char *path,
                                        struct berth_error *error)
{
    return complex->reached || !complex->looked_at
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "receptor",
                                   "receptor: no heavy atom of any pose is within 4 Å of %s: it is "
                                   "another receptor than theirs, or in another frame; give the "
                                   "one that they were docked into",
                                   path);
}

void berth_complex_clear(struct berth_complex *complex)
{
    free(complex->given);
    free(complex->held);
    berth_featured_clear(&complex->featured);
    berth_receptor_clear(&complex->receptor);
}

/* --- Of a run --- */

/* The file of the receptor that poses call so; "": none is known.  told: by the run's card. */
static void find_file(const struct berth_complexes *complexes, const char *name,
                      char path[PATH_MAX], bool *told)
{
    const char *docked =
        berth_run_named_find(complexes->run->files.receptor, BERTH_RECEPTORS_MAX, name);
    *told = *docked && !complexes->instead;
    snprintf(path, PATH_MAX, "%s", *told ? docked : "");
    for (size_t i = 0; !*path && i < complexes->receptor_count; i++) {
        char known[BERTH_RECEPTOR_NAME_SIZE];
        berth_receptor_name_of(complexes->receptors[i], known);
        if (!*name || complexes->instead || strcmp(name, known) == 0) {
            snprintf(path, PATH_MAX, "%s", complexes->receptors[i]);
        }
    }
}

enum berth_status berth_complexes_find(struct berth_complexes *complexes, const char *name,
                                       struct berth_complex **complex, struct berth_error *error)
{
    char path[PATH_MAX];
    bool told;
    size_t i = 0;
    find_file(complexes, name, path, &told);
    if (!complexes->opened) {
        BERTH_TRY(berth_make(&complexes->opened, BERTH_RECEPTORS_MAX, sizeof *complexes->opened,
                             NULL, error));
    }
    while (i < complexes->count && strcmp(complexes->opened[i].path, path) != 0) {
        i++;
    }
    if (i == complexes->count) {
        if (!*path || i == BERTH_RECEPTORS_MAX) {
            return berth_fail_option(error, BERTH_E_USAGE, "receptor",
                                     "receptor: run.json names none; give its file");
        }
        strcpy(complexes->opened[i].path, path);
        /* Where the run's card names the file, it names what was cut out of it, too. */
        struct berth_opened_complex *opened = &complexes->opened[complexes->count++];
        const struct berth_complex_source source = {
            .receptor = opened->path,
            .asked = told ? berth_run_residues(complexes->run, name)
                          : (struct berth_residues_asked){.ligand_id = NULL},
            .covalent = complexes->run->identity.covalent,
            .log = complexes->log};
        opened->status = berth_complex_open(&source, &opened->complex, &opened->error);
        if (opened->status && access(path, F_OK) != 0) {
            berth_fail_option(&opened->error, opened->status, "receptor",
                              "receptor: %s is not there%s", path,
                              told ? ", where run.json has it: name the file" : "");
        }
    }
    *complex = &complexes->opened[i].complex;
    *error = complexes->opened[i].error;
    return complexes->opened[i].status;
}

void berth_complexes_clear(struct berth_complexes *complexes)
{
    for (size_t i = 0; i < complexes->count; i++) {
        berth_complex_clear(&complexes->opened[i].complex);
    }
    free(complexes->opened);
}
