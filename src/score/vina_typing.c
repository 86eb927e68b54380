#include "score/vina_typing.h"

#include <stdio.h>
#include <string.h>

#include "chem/residue_types.h"

const char *berth_vina_type(int element, const struct berth_traits *traits)
{
    static const char *const NITROGEN[] = {"N_P", "N_A", "N_D", "N_DA"};
    static const char *const OXYGEN[] = {"O_P", "O_A", "O_D", "O_DA"};
    const int polar = (traits->hydrogens ? 2 : 0) + (traits->acceptor ? 1 : 0);
    switch (element) {
    case 6:
        return traits->hetero ? "C_P" : "C_H";
    case 7:
        return NITROGEN[polar];
    case 8:
        return OXYGEN[polar];
    case 9:
        return "F_H";
    case 14:
        return "Si";
    case 15:
        return "P_P";
    case 16:
    case 34:
        return "S_P";
    case 17:
        return "Cl_H";
    case 35:
        return "Br_H";
    case 53:
        return "I_H";
    case 85:
        return "At";
    default:
        return berth_is_metal(element) ? "Met_D" : NULL;
    }
}

int berth_vina_element(const char *type)
{
    enum { ZINC = 30 };
    char symbol[3] = {type[0]};
    symbol[1] = (char)(*type && type[1] != '_' ? type[1] : '\0');
    return strcmp(type, "Met_D") == 0 ? ZINC : berth_element_of_type(symbol);
}
