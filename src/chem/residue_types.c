#include "chem/residue_types.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define BACKBONE     "N.am:N C.3:CA C.2:C O.2:O "
#define SUGAR        "P.3:?P O.co2:?OP1,?OP2,?OP3 O.3:O5',O4',O3' C.3:C5',C4',C3',C2',C1' O.3h:?O2' "
#define ADENINE      "N.pl3:N9,N6 C.2:C8 N.2:N7 C.ar:C2,C4,C5,C6 N.ar:N1,N3 "
#define GUANINE      "N.pl3:N9,N2 C.2:C8,C2,C4,C5,C6 N.2:N7,N3 N.am:N1 O.2:O6 "
#define RIBOSE       "O.3:O5',O4',O3',O2' C.3:C5',C4',C3',C2',C1' "
#define DIPHOSPHATE  "P.3:PA,PB O.3:O3A O.co2:O1A,O2A,O1B,O2B "
#define TRIPHOSPHATE DIPHOSPHATE "P.3:PG O.co2:O1G,O2G,O3G "
/* The nucleosides of dinucleotides have other names. */
#define ADENOSINE_A                                                                                \
    "N.pl3:N9A,N6A C.2:C8A N.2:N7A C.ar:C2A,C4A,C5A,C6A N.ar:N1A,N3A O.3:O5B,O4B,O3B,O2B "         \
    "C.3:C5B,C4B,C3B,C2B,C1B "
#define NICOTINAMIDE                                                                               \
    "N.am:N7N C.2:C7N O.2:O7N N.pl3:N1N O.3:O5D,O4D,O3D,O2D,O3 C.3:C5D,C4D,C3D,C2D,C1D "           \
    "P.3:PA,PN O.co2:O1A,O2A,O1N,O2N "
#define OXIDISED  "C.ar:C2N,C3N,C4N,C5N,C6N "
#define REDUCED   "C.2:C2N,C3N,C5N,C6N C.3:C4N "
#define PHOSPHATE "P.3:P2B O.co2:O1X,O2X,O3X "
#define FLAVIN                                                                                     \
    "C.3:C7M,C8M,C1',C2',C3',C4',C5' C.ar:C6,C7,C8,C9,C9A C.2:C2,C4,C10 N.2:N1,N5 N.am:N3 "        \
    "O.2:O2,O4 N.pl3:N10 O.3:O2',O3',O4',O5' P.3:P O.co2:O1P,O2P "
#define COENZYME_A                                                                                 \
    "N.pl3:N9A,N6A C.2:C8A,C9P,C5P N.2:N7A C.ar:C2A,C4A,C5A,C6A N.ar:N1A,N3A "                     \
    "O.3:O5B,O4B,O3B,O2B,O3A,O6A,OAP C.3:C5B,C4B,C3B,C2B,C1B,CBP,CCP,CDP,CEP,CAP,C7P,C6P,C3P,C2P " \
    "P.3:P1A,P2A,P3B O.co2:O1A,O2A,O4A,O5A,O7A,O8A,O9A O.2:O9P,O5P N.am:N8P,N4P S.3:S1P "
#define METHIONINE "S.3:SD C.3:CG,CB,CA N.4:N C.2:C O.co2:O,?OXT "
#define HEME                                                                                       \
    "N.2:NA,NB,NC,ND Fe.2:FE O.co2:O1A,O2A,O1D,O2D "                                               \
    "C.2:CGA,CGD,CHA,CHB,CHC,CHD,C1A,C2A,C3A,C4A,C1B,C2B,C3B,C4B,C1C,C2C,C3C,C4C,C1D,C2D,C3D,C4D " \
    "C.3:CMA,CMB,CMC,CMD,CAA,CBA,CAD,CBD "
#define HEXOSE "C.3:C1,C2,C3,C4,C5,C6 O.3:?O1,?O2,?O3,?O4,O5,?O6"

/* Atoms marked '?' may be absent from a complete residue.  Sulfate, heme and vanadate are here, and
 * not left to Open Babel, because it goes wrong on them where they come without hydrogens; so are
 * cofactors by the names of their atoms in the PDB's dictionary. */
static const struct berth_residue_type TABLE[] = {
    {"ALA", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB", ""},
    {"ARG", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CD N.pl3:NE,NH1,NH2 C.cat:CZ", ""},
    {"ASN", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.2:CG O.2:OD1 N.am:ND2", ""},
    {"ASP", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.2:CG O.co2:OD1,OD2", "AP- ASP-"},
    {"ASH", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.2:CG O.2:OD1 O.3h:OD2", "ASPP"},
    {"CYS", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB S.3:SG", "CYX CYM CYSH CYS2"},
    {"GLN", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG C.2:CD O.2:OE1 N.am:NE2", ""},
    {"GLU", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG C.2:CD O.co2:OE1,OE2", "GLU-"},
    {"GLH", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG C.2:CD O.2:OE1 O.3h:OE2", "GLUP"},
    {"GLY", BERTH_RESIDUE_AMINO, BACKBONE, ""},
    {"HIS", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.2:CG,CD2,CE1 N.pl3:ND1 N.2:NE2", "HID HSD"},
    {"HIE", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.2:CG,CD2,CE1 N.2:ND1 N.pl3:NE2", "HSE"},
    {"HIP", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.2:CG,CD2,CE1 N.pl3:ND1,NE2", "HSP HISH"},
    {"ILE", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG1,CG2,CD1", ""},
    {"LEU", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CD1,CD2", ""},
    {"LYS", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CD,CE N.4:NZ", "LY+ LYS+ LYSH"},
    {"LYN", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CD,CE N.3:NZ", "LSN"},
    {"MET", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CE S.3:SD", ""},
    {"MSE", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CE Se:SE", ""},
    {"PHE", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.ar:CG,CD1,CD2,CE1,CE2,CZ", ""},
    {"PRO", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CD", ""},
    {"SER", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB O.3h:OG", ""},
    {"THR", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG2 O.3h:OG1", ""},
    {"TRP", BERTH_RESIDUE_AMINO,
     BACKBONE "C.3:CB C.2:CG,CD1 N.pl3:NE1 C.ar:CD2,CE2,CE3,CZ2,CZ3,CH2", ""},
    {"TYR", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB C.ar:CG,CD1,CD2,CE1,CE2,CZ O.3h:OH", ""},
    {"VAL", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG1,CG2", ""},
    {"SEP", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB O.3:OG P.3:P O.co2:O1P,O2P,O3P", ""},
    {"TPO", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG2 O.3:OG1 P.3:P O.co2:O1P,O2P,O3P", ""},
    {"PTR", BERTH_RESIDUE_AMINO,
     BACKBONE "C.3:CB C.ar:CG,CD1,CD2,CE1,CE2,CZ O.3:OH P.3:P O.co2:O1P,O2P,O3P", ""},
    {"HYP", BERTH_RESIDUE_AMINO, BACKBONE "C.3:CB,CG,CD O.3h:OD1", ""},
    {"ACE", BERTH_RESIDUE_CAP, "C.2:C O.2:O C.3:CH3", ""},
    {"NME", BERTH_RESIDUE_CAP, "N.am:N C.3:C", "NMA"},
    {"NH2", BERTH_RESIDUE_CAP, "N.am:N", ""},
    /* Rings with a carbonyl are not aromatic to Sybyl: C.2, and N.am beside the carbonyl. */
    {"A", BERTH_RESIDUE_NUCLEOTIDE, SUGAR ADENINE, "DA ADE RA DA3 DA5 A3 A5"},
    {"G", BERTH_RESIDUE_NUCLEOTIDE, SUGAR GUANINE, "DG GUA RG DG3 DG5 G3 G5"},
    {"C", BERTH_RESIDUE_NUCLEOTIDE, SUGAR "N.am:N1 C.2:C2,C4,C5,C6 O.2:O2 N.2:N3 N.pl3:N4",
     "DC CYT RC DC3 DC5 C3 C5"},
    {"U", BERTH_RESIDUE_NUCLEOTIDE, SUGAR "N.am:N1,N3 C.2:C2,C4,C5,C6 O.2:O2,O4",
     "DU URA RU U3 U5"},
    {"T", BERTH_RESIDUE_NUCLEOTIDE, SUGAR "N.am:N1,N3 C.2:C2,C4,C5,C6 O.2:O2,O4 C.3:C7",
     "DT THY DT3 DT5"},
    {"HOH", BERTH_RESIDUE_COFACTOR, "O.t3p:O", "WAT TIP3 TIP SOL DOD H2O TIP4 SPC"},
    {"SO4", BERTH_RESIDUE_COFACTOR, "S.O2:S O.co2:O1,O2,O3,O4", ""},
    {"PO4", BERTH_RESIDUE_COFACTOR, "P.3:P O.co2:O1,O2,O3,O4", "PI"},
    {"VO4", BERTH_RESIDUE_COFACTOR, "O.co2:O1,O2,O3,O4", ""},
    {"GOL", BERTH_RESIDUE_COFACTOR, "C.3:C1,C2,C3 O.3:O1,O2,O3", ""},
    {"EDO", BERTH_RESIDUE_COFACTOR, "C.3:C1,C2 O.3:O1,O2", "EGL"},
    {"NAG", BERTH_RESIDUE_COFACTOR,
     "C.3:C1,C2,C3,C4,C5,C6,C8 C.2:C7 O.2:O7 N.am:N2 O.3:?O1,?O3,?O4,O5,?O6", "NDG"},
    {"MAN", BERTH_RESIDUE_COFACTOR, HEXOSE, "BMA GLC BGC GAL GLA"},
    {"FUC", BERTH_RESIDUE_COFACTOR, HEXOSE, "FUL"},
    {"ATP", BERTH_RESIDUE_COFACTOR,
     RIBOSE ADENINE "P.3:PA,PB,PG O.3:O3A,O3B O.co2:O1A,O2A,O1B,O2B,O1G,O2G,O3G", ""},
    {"ADP", BERTH_RESIDUE_COFACTOR, RIBOSE ADENINE "P.3:PA,PB O.3:O3A O.co2:O1A,O2A,O1B,O2B,O3B",
     ""},
    {"AMP", BERTH_RESIDUE_COFACTOR, RIBOSE ADENINE "P.3:P O.co2:O1P,O2P,O3P", ""},
    {"ANP", BERTH_RESIDUE_COFACTOR, RIBOSE ADENINE TRIPHOSPHATE "N.3:N3B", ""},
    {"ACP", BERTH_RESIDUE_COFACTOR, RIBOSE ADENINE TRIPHOSPHATE "C.3:C3B", ""},
    {"GTP", BERTH_RESIDUE_COFACTOR, RIBOSE GUANINE TRIPHOSPHATE "O.3:O3B", ""},
    {"GDP", BERTH_RESIDUE_COFACTOR, RIBOSE GUANINE DIPHOSPHATE "O.co2:O3B", ""},
    {"GNP", BERTH_RESIDUE_COFACTOR, RIBOSE GUANINE TRIPHOSPHATE "N.3:N3B", ""},
    {"GCP", BERTH_RESIDUE_COFACTOR, RIBOSE GUANINE TRIPHOSPHATE "C.3:C3B", ""},
    {"NAD", BERTH_RESIDUE_COFACTOR, ADENOSINE_A NICOTINAMIDE OXIDISED, ""},
    {"NAI", BERTH_RESIDUE_COFACTOR, ADENOSINE_A NICOTINAMIDE REDUCED, ""},
    {"NAP", BERTH_RESIDUE_COFACTOR, ADENOSINE_A NICOTINAMIDE OXIDISED PHOSPHATE, ""},
    {"NDP", BERTH_RESIDUE_COFACTOR, ADENOSINE_A NICOTINAMIDE REDUCED PHOSPHATE, ""},
    {"FAD", BERTH_RESIDUE_COFACTOR,
     ADENOSINE_A FLAVIN "C.ar:C5X C.2:C4X O.3:O3P P.3:PA O.co2:O1A,O2A", ""},
    {"FMN", BERTH_RESIDUE_COFACTOR, FLAVIN "C.ar:C5A C.2:C4A O.co2:O3P", ""},
    {"SAM", BERTH_RESIDUE_COFACTOR,
     "O.3:O4',O3',O2' C.3:C5',C4',C3',C2',C1',CE " ADENINE METHIONINE, ""},
    {"SAH", BERTH_RESIDUE_COFACTOR, "O.3:O4',O3',O2' C.3:C5',C4',C3',C2',C1' " ADENINE METHIONINE,
     ""},
    {"COA", BERTH_RESIDUE_COFACTOR, COENZYME_A, ""},
    {"ACO", BERTH_RESIDUE_COFACTOR, COENZYME_A "C.2:C O.2:O C.3:CH3", ""},
    {"PLP", BERTH_RESIDUE_COFACTOR, /* without O4A: bound to a lysine */
     "C.3:C2A,C5A C.ar:C2,C3,C4,C5,C6 N.ar:N1 O.3:O4P,O3 P.3:P O.co2:O1P,O2P,O3P C.2:C4A O.2:?O4A",
     ""},
    {"TPP", BERTH_RESIDUE_COFACTOR,
     DIPHOSPHATE "O.co2:O3B O.3:O7 C.3:CM2,C7',C6,C7,CM4 C.ar:C2',C4',C5',C6' N.ar:N1',N3' "
                 "N.pl3:N3,N4' C.2:C2,C4,C5 S.3:S1",
     "TDP"},
    {"H4B", BERTH_RESIDUE_COFACTOR,
     "C.3:C6,C7,C9,C10,C11 O.3:O9,O10 N.pl3:N2,N5,N8 C.2:C2,C4,C4A,C8A O.2:O4 N.am:N3 N.2:N1", ""},
    {"HEM", BERTH_RESIDUE_COFACTOR, HEME "C.2:CAB,CBB,CAC,CBC", ""},
    {"HEC", BERTH_RESIDUE_COFACTOR, /* its vinyl groups are bound to cysteines */
     HEME "C.3:CAB,CBB,CAC,CBC", ""},
    {"SF4", BERTH_RESIDUE_COFACTOR, "Fe.2:FE1,FE2,FE3,FE4 S.2:S1,S2,S3,S4", ""},
    {"FES", BERTH_RESIDUE_COFACTOR, "Fe.2:FE1,FE2 S.2:S1,S2", ""},
    {"VIB", BERTH_RESIDUE_COFACTOR,
     "C.2:C2,C4,C5 N.pl3:N3,N4A S.3:S1 C.ar:C2A,C4A,C5A,C6A N.ar:N1A,N3A C.3:CM2,CM4,C6,C7,C7A "
     "O.3:O1",
     ""},
};

/* Lists of names between blanks. */
static const char WATERS[] = "HOH WAT DOD TIP TIP3 TIP4 SOL H2O SPC";
static const char ADDITIVES[] =
    "SO4 PO4 GOL EDO EGL PEG PGE PG4 1PE P6G PE4 ACT ACY FMT DMS MPD MRD TRS EPE MES BME IPA EOH "
    "MOH CIT FLC TLA TAR MLI BCT CO3 NO3 SCN AZI IMD DTT BOG BO3 BO4 CL BR IOD F NH4 UNX UNL XE KR "
    "AR";

/* Beside those of the table. */
static const char COFACTORS[] =
    "RBF PMP BTN BH4 H2B THG THF GMP AGS GSP CTP UTP TTP HEA HEB HAS SRM CLA CLF CHL BCL BPH PHO "
    "BCR B12 COB PQQ TPQ LPA BIO MTE MGD PNS UQ1 U10 UQ8 PLQ RET F3S CLP HCA";

bool berth_is_water_name(const char *name)
{
    return berth_text_lists(WATERS, ' ', name);
}

bool berth_is_additive_name(const char *name)
{
    return berth_text_lists(ADDITIVES, ' ', name);
}

bool berth_is_cofactor_name(const char *name)
{
    const struct berth_residue_type *type = berth_residue_type_find(name);
    return (type && type->kind == BERTH_RESIDUE_COFACTOR) || berth_text_lists(COFACTORS, ' ', name);
}

const struct berth_residue_type *berth_residue_type_find(const char *name)
{
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        if (strcmp(TABLE[i].name, name) == 0 || berth_text_lists(TABLE[i].aliases, ' ', name)) {
            return &TABLE[i];
        }
    }
    return NULL;
}

void berth_residue_stem(const char *substructure, char name[BERTH_NAME_SIZE])
{
    snprintf(name, BERTH_NAME_SIZE, "%s", substructure);
    size_t length = strlen(name);
    while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '-')) {
        name[--length] = '\0';
    }
}

/* One atom of a residue's text. */
struct entry {
    char type[8], name[8];
    bool optional;
};

/* Takes the next atom at *cursor, whose type stands in front of it or of one before it; false at
 * the end. */
static bool next_entry(const char **cursor, struct entry *entry)
{
    const char *at = *cursor + strspn(*cursor, " ");
    if (!*at) {
        return false;
    }
    const size_t length = strcspn(at, " :,");
    if (at[length] == ':') {
        snprintf(entry->type, sizeof entry->type, "%.*s", (int)length, at);
        at += length + 1;
    }
    entry->optional = *at == '?';
    at += entry->optional;
    const size_t size = strcspn(at, " ,");
    snprintf(entry->name, sizeof entry->name, "%.*s", (int)size, at);
    *cursor = at + size + (at[size] == ',');
    return true;
}

bool berth_residue_atom_type(const struct berth_residue_type *residue, const char *atom,
                             char type[8])
{
    const char *cursor = residue->atoms;
    struct entry entry = {"", "", false};
    while (next_entry(&cursor, &entry)) {
        if (strcmp(entry.name, atom) == 0) {
            memcpy(type, entry.type, sizeof entry.type);
            return true;
        }
    }
    return false;
}

void berth_metal_type(int element, char type[8])
{
    snprintf(type, 8, "%s%s", berth_element_symbol(element), element == IRON ? ".2" : "");
}

void berth_residue_each_atom(const struct berth_residue_type *residue,
                             void (*visit)(void *context, const char *name), void *context)
{
    const char *cursor = residue->atoms;
    struct entry entry = {"", "", false};
    while (next_entry(&cursor, &entry)) {
        if (!entry.optional) {
            visit(context, entry.name);
        }
    }
}

/* --- Residues of a structure --- */

bool berth_is_standard_residue(const char *name)
{
    const struct berth_residue_type *type = berth_residue_type_find(name);
    return type && type->kind != BERTH_RESIDUE_COFACTOR;
}

size_t berth_residue_heavy_count(const struct berth_structure *structure, struct berth_span residue)
{
    size_t count = 0;
    for (size_t i = residue.begin; i < residue.end; i++) {
        count += !berth_is_hydrogen(&structure->atoms[i]);
    }
    return count;
}
