#include "score/scoring.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/facts.h"
#include "chem/traits.h"

struct berth_scoring_choice berth_scoring_defaults(void)
{
    return (struct berth_scoring_choice){.scoring = "vina"};
}

struct berth_scoring_choice berth_scoring_published(void)
{
    return (struct berth_scoring_choice){.scoring = "bude"};
}

/* The built-in function of that name; NULL where there is none. */
static const struct berth_embedded *find_built_in(const char *name)
{
    const struct berth_embedded *file = berth_embedded_scoring;
    while (file->name && strcmp(file->name, name) != 0) {
        file++;
    }
    return file->name ? file : NULL;
}

/* Reads the definition that is chosen: a text, a built-in one, or what looks like a file. */
static enum berth_status read_definition(const char *choice, const char *text,
                                         struct berth_definition *definition,
                                         struct berth_error *error)
{
    const struct berth_embedded *built_in = find_built_in(choice);
    const size_t length = strlen(choice);
    if (text && built_in) {
        return berth_fail(error, BERTH_E_USAGE,
                          "the text of a scoring function cannot have the name '%s', which is that "
                          "of a built-in one; give it another",
                          choice);
    }
    if (text) {
        return berth_definition_parse(choice, text, definition, error);
    }
    if (built_in) {
        return berth_definition_parse(choice, built_in->text, definition, error);
    }
    if (strchr(choice, '/') || (length > 6 && strcmp(choice + length - 6, ".score") == 0)) {
        return berth_definition_read(choice, definition, error);
    }
    char names[200] = "";
    for (const struct berth_embedded *file = berth_embedded_scoring; file->name; file++) {
        berth_text_append(names, sizeof names, "%s%s", *names ? ", " : "", file->name);
    }
    return berth_fail_option(
        error, BERTH_E_USAGE, "scoring",
        "scoring: '%s' is none of the built-in functions (%s), and no .score file%s", choice, names,
        strcmp(choice, "default") == 0 ? "; smina's default is vina" : "");
}

/* The parameters of BUDE's types as the definition has them: see BUDE_PARAMETERS there. */
static enum berth_status fill_types(const struct berth_forcefield *forcefield,
                                    struct berth_definition *definition, struct berth_error *error)
{
    const size_t count = forcefield->type_count;
    BERTH_TRY(berth_make(&definition->types, count, sizeof *definition->types, NULL, error));
    BERTH_TRY(berth_make(&definition->values, count * definition->parameter_count,
                         sizeof *definition->values, NULL, error));
    definition->type_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct berth_type *type = &forcefield->types[i];
        const double values[] = {type->radius,         type->hydrophobic,  type->hardness,
                                 type->nonpolar_reach, type->polar_reach,  type->charge,
                                 type->class == 'F',   type->class == 'D', type->class == 'E'};
        memcpy(definition->values + i * definition->parameter_count, values, sizeof values);
    }
    for (size_t i = forcefield->entry_count; i-- > 0;) {
        const struct berth_type_entry *entry = &forcefield->entries[i];
        snprintf(definition->types[entry->type], sizeof *definition->types, "%s", entry->name);
    }
    return BERTH_OK;
}

/* Compiles scoring->definition, and takes over what it says. */
static enum berth_status compile(struct berth_scoring *scoring, struct berth_error *error)
{
    struct berth_definition *definition = scoring->definition;
    if (*definition->table) {
        BERTH_TRY(fill_types(&scoring->forcefield, definition, error));
    }
    BERTH_TRY(berth_score_compile(definition, scoring->program, error));
    if (!scoring->built_in) {
        BERTH_TRY(berth_score_check(scoring->program, error));
    }
    scoring->terms = definition->terms;
    if (*definition->torsional.name) {
        memcpy(scoring->terms.names[scoring->terms.count++], definition->torsional.name,
               sizeof definition->torsional.name);
    }
    scoring->type_count = definition->type_count;
    scoring->typing = strcmp(definition->rule, "vina") == 0 ? BERTH_TYPING_VINA : BERTH_TYPING_BUDE;
    memcpy(scoring->unit, definition->unit, sizeof scoring->unit);
    return BERTH_OK;
}

/* Begins a function by reading its definition. */
static enum berth_status begin(const char *choice, const char *text, struct berth_scoring *scoring,
                               struct berth_error *error)
{
    *scoring = (struct berth_scoring){.name = berth_copy_text(choice),
                                      .built_in = find_built_in(choice) != NULL,
                                      .definition = berth_alloc(1, sizeof *scoring->definition),
                                      .program = berth_alloc(1, sizeof *scoring->program)};
    return scoring->name && scoring->definition && scoring->program
               ? read_definition(choice, text, scoring->definition, error)
               : berth_out_of_memory(error, NULL);
}

enum berth_status berth_scoring_of(struct berth_forcefield *forcefield,
                                   struct berth_scoring *scoring, struct berth_error *error)
{
    enum berth_status status = begin(berth_scoring_published().scoring, NULL, scoring, error);
    scoring->forcefield = *forcefield;
    memset(forcefield, 0, sizeof *forcefield);
    BERTH_THEN(compile(scoring, error));
    if (status) {
        berth_scoring_clear(scoring);
    }
    return status;
}

enum berth_status berth_scoring_read(const struct berth_scoring_choice *choice,
                                     const struct berth_log *log, struct berth_scoring *scoring,
                                     struct berth_error *error)
{
    enum berth_status status = begin(choice->scoring, choice->text, scoring, error);
    if (!status && *scoring->definition->table) {
        struct berth_gatherer gatherer = {.next = log};
        const struct berth_log gathering = berth_gather(&gatherer);
        status = berth_bhff_read(choice->path, &gathering, &scoring->forcefield, error);
        berth_gatherer_flush(&gatherer);
    }
    BERTH_THEN(compile(scoring, error));
    if (status) {
        berth_scoring_clear(scoring);
    }
    return status;
}

const char *berth_vina_type(int element, const struct berth_traits *traits)
{
    static const char *const NITROGENS[] = {"N_P", "N_A", "N_D", "N_DA"};
    static const char *const OXYGENS[] = {"O_P", "O_A", "O_D", "O_DA"};
    static const struct {
        int element;
        const char *type;
    } OTHERS[] = {{FLUORINE, "F_H"}, {SILICON, "Si"},   {PHOSPHORUS, "P_P"},
                  {SULFUR, "S_P"},   {SELENIUM, "S_P"}, {CHLORINE, "Cl_H"},
                  {BROMINE, "Br_H"}, {IODINE, "I_H"},   {ASTATINE, "At"}};
    const int polar = (traits->hydrogens ? 2 : 0) + (traits->acceptor ? 1 : 0);
    if (element == CARBON) {
        return traits->hetero ? "C_P" : "C_H";
    }
    if (element == NITROGEN || element == OXYGEN) {
        return element == NITROGEN ? NITROGENS[polar] : OXYGENS[polar];
    }
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        if (OTHERS[i].element == element) {
            return OTHERS[i].type;
        }
    }
    return berth_is_metal(element) ? "Met_D" : NULL;
}

int berth_vina_element(const char *type)
{
    char symbol[3] = {type[0]};
    symbol[1] = (char)(*type && type[1] != '_' ? type[1] : '\0');
    return strcmp(type, "Met_D") == 0 ? ZINC : berth_element_of_type(symbol);
}

int berth_scoring_type(const struct berth_scoring *scoring, const struct berth_atom *atom,
                       const struct berth_log *log, const char *title)
{
    if (scoring->typing == BERTH_TYPING_BUDE) {
        return berth_forcefield_type(&scoring->forcefield, atom, log, title);
    }
    const char *name = berth_vina_type(atom->element, &atom->traits);
    for (size_t i = 0; name && i < scoring->type_count; i++) {
        if (strcmp(scoring->definition->types[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Appends the other built-in functions that have a type for the atom: "; bude, plp know it". */
static void name_others(const struct berth_scoring *scoring, const struct berth_atom *atom,
                        char *text, size_t size)
{
    size_t count = 0;
    for (const struct berth_embedded *file = berth_embedded_scoring; file->name; file++) {
        const struct berth_scoring_choice choice = {.scoring = file->name};
        struct berth_scoring other;
        struct berth_error ignored;
        if (strcmp(file->name, scoring->name) != 0 &&
            !berth_scoring_read(&choice, NULL, &other, &ignored)) {
            if (berth_scoring_type(&other, atom, NULL, "") >= 0) {
                berth_text_append(text, size, "%s%s", count++ ? ", " : "; ", file->name);
            }
            berth_scoring_clear(&other);
        }
    }
    berth_text_append(text, size, "%s", !count ? "" : count == 1 ? " knows it" : " know it");
}

enum berth_status berth_scoring_untyped(const struct berth_scoring *scoring, const char *title,
                                        const struct berth_atom *atom, size_t number,
                                        struct berth_error *error)
{
    if (scoring->typing == BERTH_TYPING_BUDE) {
        return berth_forcefield_untyped(&scoring->forcefield, title, atom, number, error);
    }
    char others[80] = "";
    if (scoring->built_in) {
        name_others(scoring, atom, others, sizeof others);
    }
    const char *name = berth_vina_type(atom->element, &atom->traits);
    return berth_fail(
        error, BERTH_E_TYPE,
        "%s: atom %zu (%s%s%s) is %s%s, which the scoring function %s has no type for%s", title,
        number + 1, atom->name, *atom->residue ? " of " : "", atom->residue, name ? "of type " : "",
        name ? name : berth_element_symbol(atom->element), scoring->name, others);
}

enum berth_status berth_scoring_assign(const struct berth_scoring *scoring,
                                       const struct berth_molecule *molecule,
                                       const struct berth_log *log, struct berth_heavy_atoms *heavy,
                                       struct berth_error *error)
{
    size_t untyped;
    return berth_scoring_assign_told(scoring, molecule, log, heavy, &untyped, error);
}

enum berth_status berth_scoring_assign_told(const struct berth_scoring *scoring,
                                            const struct berth_molecule *molecule,
                                            const struct berth_log *log,
                                            struct berth_heavy_atoms *heavy, size_t *untyped,
                                            struct berth_error *error)
{
    const bool vina = scoring->typing == BERTH_TYPING_VINA;
    struct berth_facts facts = {0};
    *untyped = 0;
    heavy->count = 0;
    enum berth_status status = berth_make(&heavy->atoms, berth_heavy_count(molecule),
                                          sizeof *heavy->atoms, molecule->title, error);
    if (vina) {
        BERTH_THEN(berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, error));
    }
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        struct berth_atom atom = molecule->atoms[i];
        if (!atom.heavy) {
            continue;
        }
        atom.traits = vina ? facts.traits[i] : atom.traits;
        struct berth_heavy_atom *typed = &heavy->atoms[heavy->count++];
        typed->type = berth_scoring_type(scoring, &atom, log, molecule->title);
        typed->hybrid = berth_hybrid_of_type(atom.type);
        memcpy(typed->position, atom.position, sizeof typed->position);
        if (typed->type < 0) {
            *untyped = i + 1;
            status = berth_scoring_untyped(scoring, molecule->title, &atom, i, error);
        }
    }
    berth_facts_clear(&facts);
    if (status) {
        berth_heavy_atoms_clear(heavy);
    }
    return status;
}

size_t berth_scoring_apart(const struct berth_scoring *scoring)
{
    return (size_t)scoring->definition->bonds;
}

size_t berth_scoring_pair_terms(const struct berth_scoring *scoring)
{
    return scoring->terms.count - (*scoring->definition->torsional.name != '\0');
}

double berth_scoring_total(const struct berth_scoring *scoring,
                           const struct berth_pose_energies *energies)
{
    double symbols[BERTH_TOTAL_SYMBOLS] = {[BERTH_TOTAL_INTER] =
                                               energies->energy - energies->torsional,
                                           [BERTH_TOTAL_UNBOUND] = energies->unbound,
                                           [BERTH_TOTAL_TORSIONS] = energies->rotors,
                                           [BERTH_TOTAL_TORSIONAL] = energies->torsional};
    memcpy(symbols + BERTH_TOTAL_PARTS, energies->parts, sizeof energies->parts);
    return berth_definition_total(scoring->definition, symbols);
}

double berth_scoring_torsional(const struct berth_scoring *scoring, const struct berth_terms *terms)
{
    const size_t number = berth_scoring_pair_terms(scoring);
    return number < scoring->terms.count ? terms->values[number] : 0;
}

bool berth_scoring_types_alike(const struct berth_scoring *a, const struct berth_scoring *b)
{
    const size_t size = a->type_count * sizeof *a->definition->types;
    return a->typing == b->typing && a->type_count == b->type_count &&
           memcmp(a->definition->types, b->definition->types, size) == 0 &&
           berth_forcefield_hash(&a->forcefield) == berth_forcefield_hash(&b->forcefield);
}

bool berth_scoring_counts_rotors(const struct berth_scoring *scoring)
{
    const struct berth_graph *graph = &scoring->definition->total_graph;
    bool counts[BERTH_NODES_MAX] = {false};
    berth_mark(graph, scoring->definition->total_node, counts);
    for (int i = 0; i < graph->count; i++) {
        const struct berth_node *node = &graph->nodes[i];
        if (counts[i] && node->operation == BERTH_SYMBOL && node->a == BERTH_TOTAL_TORSIONS) {
            return true;
        }
    }
    return false;
}

void berth_scoring_clear(struct berth_scoring *scoring)
{
    if (scoring) {
        free(scoring->name);
        berth_score_clear(scoring->program);
        free(scoring->program);
        berth_definition_clear(scoring->definition);
        free(scoring->definition);
        berth_forcefield_clear(&scoring->forcefield);
        memset(scoring, 0, sizeof *scoring);
    }
}
