#include "report/pocket_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "dock/output_files.h"
#include "pose/interactions.h"

/* Å: heavy atoms nearer than this to a pose are about it. */
#define ABOUT 4.5

struct berth_pocket_paths berth_pocket_paths_of(const char *out)
{
    struct berth_pocket_paths paths = {.pockets = ""};
    berth_output_beside(out, "pockets.csv", paths.pockets, sizeof paths.pockets);
    berth_output_beside(out, "agreed.csv", paths.agreed, sizeof paths.agreed);
    berth_output_beside(out, "pockets.pdb", paths.points, sizeof paths.points);
    return paths;
}

/* --- The residues about a pose --- */

static enum berth_status index_receptor(struct berth_pocket_files *files, struct berth_error *error)
{
    const struct berth_molecule *receptor = &files->receptor->molecule;
    double(*points)[3];
    size_t count = 0;
    BERTH_TRY(berth_make(&files->atoms, receptor->atom_count, sizeof *files->atoms, NULL, error));
    BERTH_TRY(berth_make(&points, receptor->atom_count, sizeof *points, NULL, error));
    for (size_t i = 0; i < receptor->atom_count; i++) {
        const struct berth_atom *atom = &receptor->atoms[i];
        if (atom->heavy && atom->residue_id >= 0) {
            const size_t residue = (size_t)atom->residue_id;
            files->residues = residue > files->residues ? residue : files->residues;
            files->atoms[count] = i;
            memcpy(points[count++], atom->position, sizeof *points);
        }
    }
    enum berth_status status =
        berth_make(&files->near, files->residues + 1, sizeof *files->near, NULL, error);
    BERTH_THEN(berth_cells_create(*points, sizeof *points, count, ABOUT, &files->cells, error));
    free(points);
    return status;
}

static void note_near(void *context, size_t index, double squared)
{
    struct berth_pocket_files *files = context;
    (void)squared;
    files->near[files->receptor->molecule.atoms[files->atoms[index]].residue_id] = true;
}

/* Appends a residue's name: "ASP A:25", or as a Mol2 file calls it. */
static void put_residue(const struct berth_pocket_files *files, const struct berth_atom *atom,
                        struct berth_bytes *text)
{
    const struct berth_typed_receptor *receptor = files->receptor;
    const size_t residue = (size_t)atom->residue_id;
    char name[BERTH_RESIDUE_NAME];
    snprintf(name, sizeof name, "%s", atom->residue);
    if (residue >= 1 && residue <= receptor->residue_count) {
        berth_residue_name(&receptor->residues[residue - 1], name);
    }
    berth_bytes_put(text, "; ", text->count ? 2 : 0);
    berth_bytes_put(text, name, strlen(name));
}

/* The residues about a pose, in the receptor's order. */
static void find_residues(struct berth_pocket_files *files, const struct berth_molecule *conformer,
                          const struct berth_pose *mode, struct berth_bytes *text)
{
    memset(files->near, 0, (files->residues + 1) * sizeof *files->near);
    for (size_t i = 0; i < conformer->atom_count; i++) {
        if (conformer->atoms[i].heavy) {
            berth_cells_each(&files->cells, mode->positions[i], ABOUT, note_near, files);
        }
    }
    for (size_t i = 0; i < files->cells.count; i++) {
        const struct berth_atom *atom = &files->receptor->molecule.atoms[files->atoms[i]];
        if (files->near[atom->residue_id]) {
            files->near[atom->residue_id] = false;
            put_residue(files, atom, text);
        }
    }
    berth_bytes_put8(text, 0);
}

/* --- The files --- */

enum berth_status berth_pocket_files_create(struct berth_pocket_files *files,
                                            const struct berth_pocket_paths *paths,
                                            struct berth_error *error)
{
    BERTH_TRY(index_receptor(files, error));
    if (!paths) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_output_create(paths->pockets, &files->pockets, error));
    BERTH_TRY(berth_output_create(paths->agreed, &files->agreed, error));
    BERTH_TRY(berth_output_create(paths->points, &files->points, error));
    berth_output_print(files->pockets, "ligand,pocket,score,energy,poses,share,center_x,center_y,"
                                       "center_z,size_x,size_y,size_z,residues\n");
    berth_output_print(files->agreed, "pocket,ligands,mean_rank,score,ligand,center_x,center_y,"
                                      "center_z,size_x,size_y,size_z,residues\n");
    berth_output_print(
        files->points,
        "REMARK   Where a docking to the whole surface ended: a point a pose, at the\n"
        "REMARK   centroid of its heavy atoms.  Chain: the ligand; residue number:\n"
        "REMARK   its pocket; occupancy: the share of all poses that are in the\n"
        "REMARK   pocket; B-factor: the pose's score\n");
    return BERTH_OK;
}

static void write_box(struct berth_output *output, const struct berth_site *box,
                      const char *residues)
{
    for (int k = 0; k < 6; k++) {
        berth_output_print(output, k < 3 ? "%.3f," : "%.2f,",
                           k < 3 ? box->center[k] : box->size[k - 3]);
    }
    berth_output_csv(output, residues, '\n');
}

/* A point for each pose. */
static void write_points(struct berth_pocket_files *files, const struct berth_modes *modes,
                         const struct berth_surface_pockets *found)
{
    static const char CHAINS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const char chain = CHAINS[files->ligand_count % (sizeof CHAINS - 1)];
    for (size_t i = 0; files->points && i < found->modes; i++) {
        const size_t pocket = found->of[i];
        const double *at = found->centroids[i];
        const double share = (double)found->pockets[pocket].poses / (double)found->modes;
        /* six characters, whatever the unit */
        const double score = fmax(fmin(modes->modes[i].value, 9999.9), -999.9);
        files->point_count++;
        berth_output_print(files->points,
                           "HETATM%5zu  C   PKT %c%4zu    %8.3f%8.3f%8.3f%6.2f%6.*f           C\n",
                           files->point_count % 100000, chain, (pocket + 1) % 10000, at[0], at[1],
                           at[2], share, score > -99.995 && score < 999.995 ? 2 : 1, score);
    }
}

/* Keeps pocket number p of a ligand, and what stands about it, which is *text's. */
static enum berth_status note_pocket(struct berth_pocket_files *files,
                                     const struct berth_surface_pocket *pocket, size_t p,
                                     struct berth_bytes *text, struct berth_error *error)
{
    BERTH_TRY(
        berth_reserve(&files->all, &files->capacity, files->count + 1, sizeof *files->all, error));
    BERTH_TRY(berth_reserve(&files->residue_texts, &files->text_capacity, files->count + 1,
                            sizeof *files->residue_texts, error));
    if (text->failed) {
        return berth_out_of_memory(error, NULL);
    }
    files->residue_texts[files->count] = (char *)text->data;
    *text = (struct berth_bytes){0};
    files->all[files->count] = (struct berth_ligand_pocket){.ligand = files->ligand_count,
                                                            .rank = p + 1,
                                                            .poses = pocket->poses,
                                                            .note = files->count,
                                                            .value = pocket->value,
                                                            .box = pocket->box};
    files->count++;
    return BERTH_OK;
}

static enum berth_status write_pockets(struct berth_pocket_files *files,
                                       const struct berth_ligand *ligand,
                                       const struct berth_modes *modes,
                                       const struct berth_surface_pockets *found,
                                       struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t p = 0; !status && p < found->count && p < files->most; p++) {
        const struct berth_surface_pocket *pocket = &found->pockets[p];
        const struct berth_pose *mode = &modes->modes[pocket->mode];
        struct berth_bytes residues = {0};
        find_residues(files, &ligand->conformers[mode->conformer], mode, &residues);
        status = note_pocket(files, pocket, p, &residues, error);
        berth_bytes_clear(&residues);
        if (!status && files->pockets) {
            berth_output_csv(files->pockets, ligand->name, ',');
            berth_output_print(files->pockets, "%zu,%.4f,%.4f,%zu,%.4f,", p + 1, pocket->value,
                               pocket->energy, pocket->poses,
                               (double)pocket->poses / (double)found->modes);
            write_box(files->pockets, &pocket->box, files->residue_texts[files->count - 1]);
        }
    }
    return status;
}

enum berth_status berth_pocket_files_add(struct berth_pocket_files *files,
                                         const struct berth_ligand *ligand,
                                         struct berth_modes *modes, struct berth_error *error)
{
    struct berth_surface_pockets found;
    enum berth_status status = berth_surface_pockets_find(ligand, modes, &found, error);
    BERTH_THEN(berth_reserve(&files->ligands, &files->ligand_capacity, files->ligand_count + 1,
                             sizeof *files->ligands, error));
    if (!status) {
        write_points(files, modes, &found);
        status = write_pockets(files, ligand, modes, &found, error);
    }
    if (!status) {
        char *name = files->ligands[files->ligand_count++] = berth_copy_text(ligand->name);
        status = name ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    if (!status) {
        berth_surface_pockets_keep(&found, files->most, modes);
        status = files->pockets ? berth_output_check(files->pockets, error) : BERTH_OK;
    }
    berth_surface_pockets_clear(&found);
    return status;
}

/* --- Where ligands agree --- */

static enum berth_status agree(struct berth_pocket_files *files, struct berth_error *error)
{
    BERTH_TRY(berth_make(&files->places, files->count, sizeof *files->places, NULL, error));
    files->place_count = berth_surface_agree(files->all, files->count, files->places);
    for (size_t i = 0; files->agreed && i < files->place_count; i++) {
        const struct berth_agreed_pocket *place = &files->places[i];
        berth_output_print(files->agreed, "%zu,%zu,%.2f,%.4f,", i + 1, place->ligands,
                           place->mean_rank, place->value);
        berth_output_csv(files->agreed, files->ligands[place->best], ',');
        write_box(files->agreed, &place->box, files->residue_texts[place->note]);
    }
    return BERTH_OK;
}

enum berth_status berth_pocket_files_commit(struct berth_pocket_files *files,
                                            struct berth_error *error)
{
    struct berth_output **const outputs[] = {&files->pockets, &files->agreed, &files->points};
    BERTH_TRY(agree(files, error));
    if (files->points) {
        berth_output_print(files->points, "END\n");
    }
    return berth_outputs_commit(outputs, sizeof outputs / sizeof *outputs, error);
}

void berth_pocket_files_discard(struct berth_pocket_files *files)
{
    berth_output_discard(files->pockets);
    berth_output_discard(files->agreed);
    berth_output_discard(files->points);
    berth_cells_clear(&files->cells);
    for (size_t i = 0; i < files->count; i++) {
        free(files->residue_texts[i]);
    }
    for (size_t i = 0; i < files->ligand_count; i++) {
        free(files->ligands[i]);
    }
    free(files->atoms);
    free(files->near);
    free(files->all);
    free(files->residue_texts);
    free(files->ligands);
    free(files->places);
    memset(files, 0, sizeof *files);
}
