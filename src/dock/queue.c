#include "dock/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/rotors.h"

bool berth_queue_begins(const struct berth_queue *queue, const struct berth_molecule *molecule,
                        bool separate)
{
    return !queue->count || separate ||
           !berth_ligand_accepts(&queue->ligands[queue->count - 1].ligand, molecule);
}

/* Finds what is flexible in the ligand, from its first conformer. */
static enum berth_status find_torsions(struct berth_queued_ligand *ligand,
                                       const struct berth_heavy_atoms *heavy,
                                       const struct berth_queue *queue, struct berth_error *error)
{
    const struct berth_molecule *molecule = &ligand->ligand.conformers[0];
    struct berth_flexible flexible = {0};
    enum berth_status status = berth_torsion_tree_find(molecule, &ligand->tree, error);
    if (!status) {
        status = berth_flexible_find(molecule, queue->apart, &flexible, error);
    }
    if (!status) {
        status = berth_pack_flexible(&flexible, heavy, &ligand->words, error);
    }
    if (!status && flexible.fixed) {
        berth_flexible_warn(&flexible, ligand->ligand.name, queue->log);
    }
    berth_flexible_clear(&flexible);
    return status;
}

enum berth_status berth_queue_add(struct berth_queue *queue,
                                  const struct berth_queued_conformer *conformer, bool separate,
                                  struct berth_error *error)
{
    if (berth_queue_begins(queue, conformer->molecule, separate)) {
        enum berth_status status = berth_reserve(&queue->ligands, &queue->capacity,
                                                 queue->count + 1, sizeof *queue->ligands, error);
        if (status) {
            return status;
        }
        memset(&queue->ligands[queue->count++], 0, sizeof *queue->ligands);
    }
    struct berth_queued_ligand *last = &queue->ligands[queue->count - 1];
    const size_t number = last->ligand.conformer_count + 1;
    /* Room first, so that there are never more conformers than packed ones. */
    enum berth_status status =
        berth_reserve(&last->packed, &last->packed_capacity, number, sizeof *last->packed, error);
    if (!status) {
        status = berth_reserve(&last->strains, &last->strain_capacity, number,
                               sizeof *last->strains, error);
    }
    if (status) {
        return status;
    }
    memset(&last->packed[number - 1], 0, sizeof *last->packed);
    last->strains[number - 1] = conformer->strain;
    status = berth_ligand_add(&last->ligand, conformer->molecule, separate, error);
    if (status) {
        return status;
    }
    queue->conformer_count++;
    status = berth_pack_conformer(conformer->heavy, berth_ligand_key(last->ligand.name),
                                  (uint32_t)number, &last->packed[number - 1], error);
    if (!status && number == 1) {
        status = berth_rotors_count(&last->ligand.conformers[0], &last->rotors, error);
    }
    last->packed[number - 1].rotors = last->rotors;
    if (!status && queue->flexible && number == 1) {
        status = find_torsions(last, conformer->heavy, queue, error);
    }
    return status;
}

void berth_queue_close(struct berth_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        struct berth_queued_ligand *ligand = &queue->ligands[i];
        for (size_t c = 0; ligand->words.torsions && c < ligand->ligand.conformer_count; c++) {
            ligand->packed[c].flexible = &ligand->words;
        }
    }
}

struct berth_packed_conformer *berth_queue_gather(struct berth_queue *queue)
{
    struct berth_packed_conformer *all = berth_alloc(queue->conformer_count, sizeof *all);
    size_t filled = 0;
    berth_queue_close(queue);
    for (size_t i = 0; all && i < queue->count; i++) {
        const size_t count = queue->ligands[i].ligand.conformer_count;
        memcpy(all + filled, queue->ligands[i].packed, count * sizeof *all);
        filled += count;
    }
    return all;
}

void berth_queue_clear(struct berth_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        struct berth_queued_ligand *ligand = &queue->ligands[i];
        for (size_t c = 0; ligand->packed && c < ligand->ligand.conformer_count; c++) {
            berth_packed_conformer_clear(&ligand->packed[c]);
        }
        free(ligand->packed);
        free(ligand->strains);
        berth_torsion_tree_clear(&ligand->tree);
        berth_packed_flexible_clear(&ligand->words);
        berth_ligand_clear(&ligand->ligand);
    }
    free(queue->ligands);
    *queue =
        (struct berth_queue){.flexible = queue->flexible, .apart = queue->apart, .log = queue->log};
}
