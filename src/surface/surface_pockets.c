#include "surface/surface_pockets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"

/* Å: margin of a pocket's box, as `autobox_add` has it by default. */
#define MARGIN 4.0

static bool is_near(const double a[3], const double b[3])
{
    return berth_distance_squared(a, b) <= BERTH_POCKET_REACH * BERTH_POCKET_REACH;
}

/* --- Pockets of a ligand --- */

/* Puts the conformer's atoms where the mode has them. */
static void place(const struct berth_pose *mode, struct berth_molecule *molecule)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(molecule->atoms[i].position, mode->positions[i], sizeof mode->positions[i]);
    }
}

/* Finds boxes and centroids of all modes, by a copy of each one's conformer. */
static enum berth_status find_boxes(const struct berth_ligand *ligand,
                                    const struct berth_modes *modes, struct berth_site *boxes,
                                    struct berth_error *error)
{
    struct berth_molecule copy = {0};
    size_t copied = SIZE_MAX;
    bool good = true;
    for (size_t i = 0; good && i < modes->count; i++) {
        const struct berth_pose *mode = &modes->modes[i];
        if (mode->conformer != copied) {
            berth_molecule_clear(&copy);
            good = berth_molecule_copy(&ligand->conformers[mode->conformer], &copy);
            copied = mode->conformer;
        }
        if (good) {
            place(mode, &copy);
            berth_site_about(&copy, MARGIN, false, &boxes[i]);
        }
    }
    berth_molecule_clear(&copy);
    return good ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* Puts mode number i into the pocket that it belongs to, which it may begin. */
static void assign(const struct berth_modes *modes, const struct berth_site *boxes, size_t i,
                   struct berth_surface_pockets *found)
{
    size_t p = 0;
    while (p < found->count && !is_near(found->pockets[p].box.center, boxes[i].center)) {
        p++;
    }
    if (p == found->count) {
        found->pockets[found->count++] =
            (struct berth_surface_pocket){.mode = i,
                                          .value = modes->modes[i].value,
                                          .energy = modes->modes[i].energy,
                                          .box = boxes[i]};
    }
    found->pockets[p].poses++;
    found->of[i] = p;
    memcpy(found->centroids[i], boxes[i].center, sizeof found->centroids[i]);
}

enum berth_status berth_surface_pockets_find(const struct berth_ligand *ligand,
                                             const struct berth_modes *modes,
                                             struct berth_surface_pockets *found,
                                             struct berth_error *error)
{
    struct berth_site *boxes = berth_alloc(modes->count, sizeof *boxes);
    *found = (struct berth_surface_pockets){
        .pockets = berth_alloc(modes->count, sizeof *found->pockets),
        .centroids = berth_alloc(modes->count, sizeof *found->centroids),
        .of = berth_alloc(modes->count, sizeof *found->of),
        .modes = modes->count};
    enum berth_status status = boxes && found->pockets && found->centroids && found->of
                                   ? find_boxes(ligand, modes, boxes, error)
                                   : berth_out_of_memory(error, NULL);
    for (size_t i = 0; !status && i < modes->count; i++) {
        assign(modes, boxes, i, found);
    }
    free(boxes);
    return status;
}

void berth_surface_pockets_keep(const struct berth_surface_pockets *found, size_t most,
                                struct berth_modes *modes)
{
    size_t kept = 0;
    for (size_t i = 0; i < modes->count; i++) {
        const size_t pocket = found->of[i];
        if (pocket < most && found->pockets[pocket].mode == i) {
            modes->modes[kept++] = modes->modes[i];
        } else {
            free(modes->modes[i].positions);
        }
    }
    modes->count = kept;
}

void berth_surface_pockets_clear(struct berth_surface_pockets *found)
{
    free(found->pockets);
    free(found->centroids);
    free(found->of);
    memset(found, 0, sizeof *found);
}

/* --- Where ligands agree --- */

static int by_rank(const void *left, const void *right)
{
    const struct berth_ligand_pocket *a = left, *b = right;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return a->ligand < b->ligand ? -1 : a->ligand > b->ligand;
}

static int by_agreement(const void *left, const void *right)
{
    const struct berth_agreed_pocket *a = left, *b = right;
    if (a->ligands != b->ligands) {
        return a->ligands > b->ligands ? -1 : 1;
    }
    if (a->mean_rank != b->mean_rank) {
        return a->mean_rank < b->mean_rank ? -1 : 1;
    }
    if (a->value != b->value) {
        return a->value < b->value ? -1 : 1;
    }
    return a->best < b->best ? -1 : a->best > b->best;
}

/* Brings to agreed pocket `number` (from 1) those near pocket `first`, one of each ligand. */
static struct berth_agreed_pocket gather(struct berth_ligand_pocket *pockets, size_t count,
                                         size_t first, size_t number)
{
    const struct berth_site *box = &pockets[first].box;
    struct berth_agreed_pocket agreed = {
        .value = INFINITY, .box = *box, .note = pockets[first].note};
    for (size_t i = first; i < count; i++) {
        struct berth_ligand_pocket *pocket = &pockets[i];
        bool counts = !pocket->agreed && is_near(pocket->box.center, box->center);
        for (size_t j = first; counts && j < i; j++) {
            counts = pockets[j].agreed != number || pockets[j].ligand != pocket->ligand;
        }
        if (counts) {
            agreed.best = pocket->value < agreed.value ? pocket->ligand : agreed.best;
            agreed.value = fmin(agreed.value, pocket->value);
            agreed.mean_rank += (double)pocket->rank;
            agreed.ligands++;
            pocket->agreed = number;
        }
    }
    agreed.mean_rank /= (double)agreed.ligands;
    return agreed;
}

size_t berth_surface_agree(struct berth_ligand_pocket *pockets, size_t count,
                           struct berth_agreed_pocket *agreed)
{
    size_t found = 0;
    qsort(pockets, count, sizeof *pockets, by_rank);
    for (size_t i = 0; i < count; i++) {
        pockets[i].agreed = 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!pockets[i].agreed) {
            agreed[found] = gather(pockets, count, i, found + 1);
            found++;
        }
    }
    qsort(agreed, found, sizeof *agreed, by_agreement);
    return found;
}
