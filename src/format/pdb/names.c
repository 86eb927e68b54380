/* What the names of atoms and residues say, for all readers of structures. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "chem/residue_types.h"
#include "format/pdb/pdb.h"

int berth_element_of_symbol(const char *symbol)
{
    const size_t length = strlen(symbol);
    if (length < 1 || length > 2 ||
        strspn(symbol, "abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != length) {
        return 0;
    }
    return berth_element_of_type(symbol);
}

/* True for elements of two letters that stand in structures; "CA" of anything but calcium, and the
 * many names such as "HG11" and "CD", make the others useless as guesses. */
static bool is_two_letters(const char *symbol, const char *residue)
{
    if (berth_text_lists("CL BR SE FE ZN MG MN CU NI LI SI AL RU PT", ' ', symbol)) {
        return true;
    }
    /* An ion is called as its residue is: "CA" of CA, "NA" of NA, "CO" of CO. */
    return strncmp(residue, symbol, 2) == 0 && berth_element_of_symbol(symbol) > 0 &&
           (!residue[2] || isdigit((unsigned char)residue[2]));
}

/* Names are capitals, so that a small letter behind one ("Cl1") belongs to a symbol, wherever it
 * stands. */
static bool has_small_letter(const char *name)
{
    return isupper((unsigned char)name[0]) && islower((unsigned char)name[1]);
}

int berth_element_of_name(const char *name, const char *residue)
{
    const bool aligned = *name == ' ' || isdigit((unsigned char)*name);
    while (*name == ' ' || isdigit((unsigned char)*name)) {
        name++;
    }
    char symbol[3] = "";
    for (int i = 0; i < 2 && isalpha((unsigned char)name[i]); i++) {
        symbol[i] = (char)toupper((unsigned char)name[i]);
    }
    const struct berth_residue_type *standard = berth_residue_type_find(residue);
    const bool plain = (aligned && !has_small_letter(name)) ||
                       (standard && standard->kind != BERTH_RESIDUE_COFACTOR);
    if ((!plain || (standard && strcmp(standard->name, "MSE") == 0)) &&
        is_two_letters(symbol, residue)) {
        return berth_element_of_symbol(symbol);
    }
    symbol[1] = '\0';
    return berth_element_of_symbol(symbol);
}

void berth_canonical_name(char *name, const char *residue)
{
    const struct berth_residue_type *standard = berth_residue_type_find(residue);
    if (!standard) {
        return;
    }
    for (char *at = name; *at; at++) {
        *at = *at == '*' ? '\'' : *at;
    }
    static const char *const RENAMED[][3] = {{"ILE", "CD", "CD1"},
                                             {"", "O1P", "OP1"},
                                             {"", "O2P", "OP2"},
                                             {"", "O3P", "OP3"},
                                             {"T", "C5M", "C7"}};
    for (size_t i = 0; i < sizeof RENAMED / sizeof *RENAMED; i++) {
        const char *wanted = RENAMED[i][0];
        const bool fits = *wanted ? strcmp(standard->name, wanted) == 0
                                  : standard->kind == BERTH_RESIDUE_NUCLEOTIDE;
        if (fits && strcmp(name, RENAMED[i][1]) == 0) {
            snprintf(name, BERTH_LABEL_SIZE, "%s", RENAMED[i][2]);
            return;
        }
    }
}
