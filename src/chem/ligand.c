#include "chem/ligand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

size_t berth_ligand_stem(const char *title)
{
    static const char *const MARKS[] = {"_C", "_conf"};
    size_t length = strlen(title), digits = length;
    while (digits && isdigit((unsigned char)title[digits - 1])) {
        digits--;
    }
    for (size_t i = 0; digits < length && i < sizeof MARKS / sizeof *MARKS; i++) {
        size_t mark = strlen(MARKS[i]);
        if (digits > mark && memcmp(title + digits - mark, MARKS[i], mark) == 0) {
            return digits - mark;
        }
    }
    return length;
}

static bool same_chemistry(const struct berth_molecule *a, const struct berth_molecule *b)
{
    if (a->atom_count != b->atom_count || a->bond_count != b->bond_count) {
        return false;
    }
    for (size_t i = 0; i < a->atom_count; i++) {
        if (strcmp(a->atoms[i].name, b->atoms[i].name) ||
            strcmp(a->atoms[i].type, b->atoms[i].type)) {
            return false;
        }
    }
    for (size_t i = 0; i < a->bond_count; i++) {
        if (a->bonds[i].first != b->bonds[i].first || a->bonds[i].second != b->bonds[i].second ||
            strcmp(a->bonds[i].type, b->bonds[i].type)) {
            return false;
        }
    }
    return true;
}

bool berth_ligand_accepts(const struct berth_ligand *ligand, const struct berth_molecule *molecule)
{
    if (ligand->conformer_count == 0) {
        return false;
    }
    size_t length = berth_ligand_stem(molecule->title);
    return strlen(ligand->name) == length && memcmp(ligand->name, molecule->title, length) == 0 &&
           same_chemistry(&ligand->conformers[0], molecule);
}

enum berth_status berth_ligand_add(struct berth_ligand *ligand, struct berth_molecule *molecule,
                                   bool whole_title, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&ligand->conformers, &ligand->conformer_capacity,
                            ligand->conformer_count + 1, sizeof *ligand->conformers, error));
    if (!ligand->name) {
        ligand->name = berth_copy_text(molecule->title);
        if (!ligand->name) {
            return berth_out_of_memory(error, molecule->title);
        }
        if (!whole_title) {
            ligand->name[berth_ligand_stem(molecule->title)] = '\0';
        }
    }
    ligand->conformers[ligand->conformer_count++] = *molecule;
    memset(molecule, 0, sizeof *molecule);
    return BERTH_OK;
}

void berth_ligand_clear(struct berth_ligand *ligand)
{
    if (!ligand) {
        return;
    }
    for (size_t i = 0; i < ligand->conformer_count; i++) {
        berth_molecule_clear(&ligand->conformers[i]);
    }
    free(ligand->conformers);
    free(ligand->name);
    memset(ligand, 0, sizeof *ligand);
}
