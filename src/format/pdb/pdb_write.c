#include "format/pdb/pdb_write.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "chem/residue_types.h"

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static bool is_taken(const struct berth_pdb_source *source, char letter)
{
    return letter && source->taken && strchr(source->taken, letter);
}

/* True where a chain of the source has this name, or one beside it. */
static bool is_used(const struct berth_pdb_source *source, char letter)
{
    for (size_t i = 0; i < source->residue_count; i++) {
        const char *chain = source->residues[i].chain;
        if (chain[0] == letter && !chain[1]) {
            return true;
        }
    }
    return is_taken(source, letter);
}

/* True where the chain is written with its own name. */
static bool keeps_name(const struct berth_pdb_source *source, const char *chain)
{
    return strlen(chain) <= 1 && !is_taken(source, *chain ? *chain : ' ');
}

/* How many chains that take another name come before that of residue number i. */
static size_t count_before(const struct berth_pdb_source *source, size_t i)
{
    size_t count = 0;
    for (size_t k = 0; k < i; k++) {
        const char *chain = source->residues[k].chain;
        if (strcmp(chain, source->residues[i].chain) == 0) {
            break; /* it came before: what is behind its first residue does not count */
        }
        const bool new_chain = k == 0 || strcmp(chain, source->residues[k - 1].chain) != 0;
        count += new_chain && !keeps_name(source, chain);
    }
    return count;
}

char berth_pdb_chain(const struct berth_pdb_source *source, size_t i)
{
    const char *chain = source->residues[i].chain;
    if (keeps_name(source, chain)) {
        return *chain ? *chain : ' ';
    }
    size_t left = count_before(source, i);
    for (const char *letter = LETTERS; *letter; letter++) {
        if (!is_used(source, *letter) && left-- == 0) {
            return *letter;
        }
    }
    return *chain;
}

void berth_pdb_letters(const struct berth_pdb_source *source, char letters[BERTH_PDB_LETTERS])
{
    size_t count = 0;
    memset(letters, 0, BERTH_PDB_LETTERS);
    for (size_t i = 0; i < source->residue_count; i++) {
        const struct berth_residue_id *residue = &source->residues[i];
        if (i && strcmp(residue->chain, residue[-1].chain) == 0) {
            continue;
        }
        const char letter = berth_pdb_chain(source, i);
        if (!strchr(letters, letter)) {
            letters[count++] = letter;
        }
    }
}

/* An atom's name in its four columns: the element's symbol ends in the second one. */
static void write_name(const struct berth_atom *atom, const char *symbol, char text[8])
{
    const bool indented = strlen(symbol) < 2 && strlen(atom->name) < 4;
    snprintf(text, 8, "%s%-*.4s", indented ? " " : "", indented ? 3 : 4, atom->name);
}

void berth_pdb_write_atoms(struct berth_output *output, const struct berth_pdb_source *source,
                           const double (*places)[3], int *serial)
{
    size_t heavy = 0, before = SIZE_MAX;
    char chain = ' ';
    for (size_t i = 0; i < source->molecule->atom_count; i++) {
        const struct berth_atom *atom = &source->molecule->atoms[i];
        const size_t number = (size_t)(atom->residue_id - 1);
        if (!atom->heavy) {
            continue;
        }
        const double *at = places[heavy++];
        if (number >= source->residue_count) {
            continue; /* of no residue, as a Mol2 may have it */
        }
        const struct berth_residue_id *residue = &source->residues[number];
        if (number != before) {
            const char own = berth_pdb_chain(source, number);
            if (before != SIZE_MAX && own != chain) {
                berth_output_print(output, "TER\n");
            }
            chain = own;
            before = number;
        }
        const char *symbol = berth_element_symbol(atom->element);
        char name[8];
        write_name(atom, symbol, name);
        berth_output_print(
            output, "%-6s%5d %s %3.3s %c%4d%c   %8.3f%8.3f%8.3f  1.00  0.00          %2s\n",
            berth_is_standard_residue(residue->name) ? "ATOM" : "HETATM", ++*serial % 100000, name,
            residue->name, chain, residue->number % 10000,
            residue->insertion ? residue->insertion : ' ', at[0], at[1], at[2], symbol);
    }
    berth_output_print(output, "TER\n");
}
