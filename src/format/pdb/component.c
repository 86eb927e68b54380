#include "format/pdb/component.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/memory.h"
#include "chem/facts.h"
#include "chem/structure.h"
#include "format/pdb/pdb.h"
#include "format/pdb/cif.h"

/* What is read of an atom or a bond. */
enum item {
    ATOM,
    SYMBOL,
    CHARGE,
    IDEAL,
    MODEL = IDEAL + 3,
    FIRST = MODEL + 3,
    SECOND,
    ORDER,
    AROMATIC,
    ITEMS
};

/* Monomer libraries call some of them otherwise than the CCD does. */
static const struct berth_cif_name NAMES[] = {
    {"_chem_comp_atom.atom_id", ATOM},
    {"_chem_comp_atom.type_symbol", SYMBOL},
    {"_chem_comp_atom.charge", CHARGE},
    {"_chem_comp_atom.pdbx_model_Cartn_x_ideal", IDEAL},
    {"_chem_comp_atom.pdbx_model_Cartn_y_ideal", IDEAL + 1},
    {"_chem_comp_atom.pdbx_model_Cartn_z_ideal", IDEAL + 2},
    {"_chem_comp_atom.model_Cartn_x", MODEL},
    {"_chem_comp_atom.model_Cartn_y", MODEL + 1},
    {"_chem_comp_atom.model_Cartn_z", MODEL + 2},
    {"_chem_comp_atom.x", MODEL},
    {"_chem_comp_atom.y", MODEL + 1},
    {"_chem_comp_atom.z", MODEL + 2},
    {"_chem_comp_bond.atom_id_1", FIRST},
    {"_chem_comp_bond.atom_id_2", SECOND},
    {"_chem_comp_bond.value_order", ORDER},
    {"_chem_comp_bond.type", ORDER},
    {"_chem_comp_bond.pdbx_aromatic_flag", AROMATIC},
    {"_chem_comp_bond.aromatic", AROMATIC}};

enum { DATA = 5 /* "data_" */ };

/* Where an atom may stand; not finite: it is not said. */
struct places {
    double ideal[3], model[3];
};

struct source {
    struct berth_cif cif;
    struct berth_molecule *molecule; /* borrowed */
    size_t atom_capacity, bond_capacity;
    struct places *places; /* owned; [atom_count] */
    size_t place_capacity;
    bool open;                           /* a bond has no order of its own */
    char values[ITEMS][BERTH_CIF_VALUE]; /* of the row; "": none */
};

static enum berth_status refuse(const struct source *source, const char *value, const char *what,
                                struct berth_error *error)
{
    return berth_text_reader_refuse(source->cif.text, error, "'%s' %s", value, what);
}

/* --- Atoms and bonds --- */

/* The number of an item, not finite where there is none. */
static double number_of(const struct source *source, int item)
{
    const char *text = source->values[item];
    const struct berth_field field = {text, strcspn(text, "(")};
    double value;
    return field.length && berth_field_real(&field, &value) && fabs(value) <= BERTH_COORDINATE_MAX
               ? value
               : NAN;
}

static enum berth_status add_atom(struct source *source, struct berth_error *error)
{
    struct berth_molecule *molecule = source->molecule;
    const char *name = source->values[ATOM];
    const struct berth_field charge = {source->values[CHARGE], strlen(source->values[CHARGE])};
    int value = 0;
    BERTH_TRY(berth_reserve(&molecule->atoms, &source->atom_capacity, molecule->atom_count + 1,
                            sizeof *molecule->atoms, error));
    BERTH_TRY(berth_reserve(&source->places, &source->place_capacity, molecule->atom_count + 1,
                            sizeof *source->places, error));
    struct berth_atom *atom = &molecule->atoms[molecule->atom_count];
    struct places *places = &source->places[molecule->atom_count];
    memset(atom, 0, sizeof *atom);
    atom->element = berth_element_of_symbol(source->values[SYMBOL]);
    if (!atom->element) {
        return refuse(source, source->values[SYMBOL],
                      "stands where the symbol of an element belongs", error);
    }
    if (charge.length && (!berth_field_integer(&charge, &value) || value < -9 || value > 9)) {
        return refuse(source, charge.text, "stands where the charge of an atom belongs", error);
    }
    if (strlen(name) >= BERTH_NAME_SIZE) {
        return refuse(source, name, "is too long for the name of an atom", error);
    }
    snprintf(atom->name, sizeof atom->name, "%s", name);
    snprintf(atom->type, sizeof atom->type, "%s", berth_element_symbol(atom->element));
    atom->heavy = atom->element != HYDROGEN;
    atom->charge = (int8_t)value;
    for (int k = 0; k < 3; k++) {
        places->ideal[k] = number_of(source, IDEAL + k);
        places->model[k] = number_of(source, MODEL + k);
    }
    molecule->atom_count++;
    return BERTH_OK;
}

static enum berth_status find_atom(const struct source *source, enum item item, size_t *index,
                                   struct berth_error *error)
{
    const struct berth_molecule *molecule = source->molecule;
    for (*index = 0; *index < molecule->atom_count; ++*index) {
        if (strcmp(molecule->atoms[*index].name, source->values[item]) == 0) {
            return BERTH_OK;
        }
    }
    return refuse(source, source->values[item],
                  "has a bond, but is none of the atoms in front of it", error);
}

static enum berth_status add_bond(struct source *source, struct berth_error *error)
{
    /* "SING" of the CCD, "single" of monomer libraries */
    static const char *const ORDERS[] = {"sing", "doub", "trip"}, *const TYPES[] = {"1", "2", "3"};
    struct berth_molecule *molecule = source->molecule;
    const char *order = source->values[ORDER];
    struct berth_bond bond = {.type = ""};
    for (int i = 0; i < 3; i++) {
        if (strncasecmp(order, ORDERS[i], 4) == 0) {
            snprintf(bond.type, sizeof bond.type, "%s", TYPES[i]);
            bond.order = (uint8_t)(i + 1);
        }
    }
    const bool unknown = strcasecmp(order, "unk") == 0,
               aromatic = unknown && toupper((unsigned char)*source->values[AROMATIC]) == 'Y';
    if (aromatic || strncasecmp(order, "arom", 4) == 0 || strncasecmp(order, "delo", 4) == 0) {
        snprintf(bond.type, sizeof bond.type, "ar");
    } else if (unknown) {
        snprintf(bond.type, sizeof bond.type, "1"); /* unless charges contradict: see find_orders */
    }
    source->open = source->open || !bond.order;
    if (!*bond.type) {
        return refuse(source, order, "stands where the order of a bond belongs (SING, DOUB ...)",
                      error);
    }
    BERTH_TRY(find_atom(source, FIRST, &bond.first, error));
    BERTH_TRY(find_atom(source, SECOND, &bond.second, error));
    if (bond.first == bond.second) {
        return refuse(source, source->values[FIRST], "has a bond with itself", error);
    }
    BERTH_TRY(berth_reserve(&molecule->bonds, &source->bond_capacity, molecule->bond_count + 1,
                            sizeof *molecule->bonds, error));
    molecule->bonds[molecule->bond_count++] = bond;
    return BERTH_OK;
}

/* --- Loops, and single rows --- */

/* The row's values as an atom or a bond, if they are of one. */
static enum berth_status take_row(void *context, struct berth_error *error)
{
    struct source *source = context;
    return *source->values[ATOM]    ? add_atom(source, error)
           : *source->values[FIRST] ? add_bond(source, error)
                                    : BERTH_OK;
}

static enum berth_status read_all(struct source *source, struct berth_error *error)
{
    char single[ITEMS][BERTH_CIF_VALUE] = {""};
    struct berth_cif *cif = &source->cif;
    struct berth_cif_rows rows = {
        "a loop", NAMES, sizeof NAMES / sizeof *NAMES, source->values, ITEMS, take_row, source};
    struct berth_cif_rows alone = rows; /* one atom, as of an ion, or one bond, without a loop */
    alone.values = single;
    BERTH_TRY(berth_cif_next(cif, error));
    while (cif->kind != BERTH_CIF_END) {
        if (berth_cif_begins(cif, "loop_")) {
            BERTH_TRY(berth_cif_read_loop(cif, &rows, error));
            continue;
        }
        if (berth_cif_begins(cif, "data_") && !source->molecule->title) {
            const char *name = cif->token + DATA; /* "comp_BEN" in monomer libraries */
            const size_t prefix = strncmp(name, "comp_", 5) == 0 ? 5 : 0;
            source->molecule->title = strndup(name + prefix, cif->length - DATA - prefix);
        }
        const int item = berth_cif_item(cif, &alone);
        BERTH_TRY(berth_cif_next(cif, error));
        BERTH_TRY(berth_cif_keep(cif, &alone, item, error));
    }
    for (int bond = 0; bond < 2; bond++) {
        memset(source->values, 0, sizeof source->values);
        for (int item = bond ? FIRST : ATOM; item < (bond ? ITEMS : FIRST); item++) {
            memcpy(source->values[item], single[item], sizeof single[item]);
        }
        BERTH_TRY(take_row(source, error));
    }
    return BERTH_OK;
}

/* Finds the orders where some are not said: those by which each atom's bonds, with all hydrogens,
 * give it the charge that it has. */
static enum berth_status find_orders(const struct source *source, struct berth_error *error)
{
    struct berth_molecule *molecule = source->molecule;
    struct berth_facts facts;
    bool found = true;
    BERTH_TRY(berth_facts_find(molecule, BERTH_FACT_ORDERS, &facts, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        found = found && facts.charges[i] == molecule->atoms[i].charge;
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        found = found && facts.orders[i] >= 1 && facts.orders[i] <= 3;
        molecule->bonds[i].order = (uint8_t)facts.orders[i];
    }
    berth_facts_clear(&facts);
    return found ? BERTH_OK
                 : berth_fail(error, BERTH_E_FORMAT,
                              "orders of its bonds are not said (UNK, AROM), and none fit its "
                              "charges and hydrogens; give SMILES");
}

/* Puts the atoms at their ideal places where all have one, else at the model's. */
static enum berth_status place_atoms(struct source *source, struct berth_error *error)
{
    struct berth_molecule *molecule = source->molecule;
    bool ideal = true, model = true;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        for (int k = 0; k < 3; k++) {
            ideal = ideal && isfinite(source->places[i].ideal[k]);
            model = model && isfinite(source->places[i].model[k]);
        }
    }
    if (!ideal && !model) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "neither the ideal coordinates of the component nor those of its model "
                          "are complete; give SMILES");
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct places *places = &source->places[i];
        memcpy(molecule->atoms[i].position, ideal ? places->ideal : places->model,
               sizeof molecule->atoms[i].position);
    }
    return BERTH_OK;
}

enum berth_status berth_component_read(struct berth_text_reader *text,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    struct source source = {.cif = {.text = text}, .molecule = molecule};
    memset(molecule, 0, sizeof *molecule);
    enum berth_status status = read_all(&source, error);
    if (!status && !molecule->atom_count) {
        status = berth_fail(error, BERTH_E_FORMAT, "a component without atoms");
    }
    if (!molecule->title) {
        molecule->title = berth_copy_text("");
    }
    if (!status && !molecule->title) {
        status = berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(place_atoms(&source, error));
    BERTH_THEN(source.open ? find_orders(&source, error) : BERTH_OK);
    molecule->has_orders = true;
    free(source.places);
    return status;
}
