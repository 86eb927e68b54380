/* What the built-in functions make of each element as an ion, and of the atoms of nucleic acids:
 * the tables in docs/scoring.md are what the program computes.  BERTH_UPDATE_GOLDEN=1 rewrites
 * them. */
#include "io_support.h"

#include <math.h>

#include "chem/residue_types.h"
#include "format/pdb/pdb.h"
#include "format/pdb/structure_file.h"
#include "format/receptor_file.h"
#include "prep/receptor/prepare_structure.h"
#include "score/score_ref.h"

#define DOCUMENT "docs/scoring.md"

enum { FUNCTIONS = 4, TEXT = 64 };

static const char *const NAMES[FUNCTIONS] = {"bude", "plp", "vina", "vinardo"};
static struct berth_scoring functions[FUNCTIONS];

static int open_functions(void **state)
{
    (void)state;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        struct berth_error error;
        struct berth_scoring_choice choice = berth_scoring_defaults();
        choice.scoring = NAMES[i];
        assert_int_equal(berth_scoring_read(&choice, NULL, &functions[i], &error), BERTH_OK);
    }
    return 0;
}

static int close_functions(void **state)
{
    (void)state;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        berth_scoring_clear(&functions[i]);
    }
    return 0;
}

/* What stands beside a receptor's atom: an oxygen of a carboxylate, and the nitrogen of an
 * ammonium. */
static struct berth_atom probe(bool acceptor)
{
    struct berth_atom atom = {.element = acceptor ? OXYGEN : NITROGEN, .heavy = true};
    strcpy(atom.type, acceptor ? "O.co2" : "N.4");
    atom.traits.acceptor = acceptor;
    atom.traits.hydrogens = !acceptor;
    return atom;
}

/* The lowest energy of a pair with what stands beside it; 0: it has none below 0. */
static double find_best(const struct berth_scoring *scoring, int type, bool acceptor)
{
    const struct berth_atom beside = probe(acceptor);
    const int other = berth_scoring_type(scoring, &beside, NULL, "");
    double best = 0;
    assert_true(other >= 0);
    for (int step = 10; type >= 0 && step <= 80; step++) {
        const struct berth_terms terms = berth_score_ref_pair(scoring, type, other, 0.1 * step);
        double energy = 0;
        for (size_t k = 0; k < berth_scoring_pair_terms(scoring); k++) {
            energy += terms.values[k];
        }
        best = energy < best ? energy : best;
    }
    return best;
}

/* That of a pair with a carboxylate's oxygen, as text. */
static void say_best(const struct berth_scoring *scoring, int type, char text[TEXT])
{
    const double best = find_best(scoring, type, true);
    if (type < 0) {
        snprintf(text, TEXT, "no type");
    } else {
        snprintf(text, TEXT, best > -0.005 ? "0" : "%.2f", best);
    }
}

/* What an atom does in hydrogen bonds: it gives one to a carboxylate's oxygen, or takes one of an
 * ammonium, where that is worth more than a contact. */
static const char *role(const struct berth_scoring *scoring, int type)
{
    const bool gives = find_best(scoring, type, true) < -0.15;
    const bool takes = find_best(scoring, type, false) < -0.15;
    return gives && takes ? "both" : gives ? "gives" : takes ? "takes" : "neither";
}

/* --- Elements --- */

struct line {
    char said[400]; /* behind the elements */
    char elements[400];
};

/* By bude, plp and vina, of which vinardo has the types.  False: none has a type for it. */
static bool say_element(int element, char said[400])
{
    struct berth_atom atom = {.element = element, .heavy = true};
    if (berth_is_metal(element)) {
        berth_metal_type(element, atom.type);
    } else {
        snprintf(atom.type, sizeof atom.type, "%s", berth_element_symbol(element));
    }
    int length = 0;
    bool known = false;
    for (size_t k = 0; k < FUNCTIONS - 1; k++) {
        char text[TEXT];
        const int type = berth_scoring_type(&functions[k], &atom, NULL, "");
        known = known || type >= 0;
        say_best(&functions[k], type, text);
        length += snprintf(said + length, 400 - (size_t)length, "%s%s", k ? ", " : "", text);
    }
    assert_int_equal(berth_scoring_type(&functions[FUNCTIONS - 1], &atom, NULL, ""),
                     berth_scoring_type(&functions[FUNCTIONS - 2], &atom, NULL, ""));
    return known;
}

/* Metals, and what else is no atom of organic molecules. */
static bool is_odd(int element)
{
    return !strchr("HBCNOFPSI", *berth_element_symbol(element)) || berth_element_symbol(element)[1];
}

static void print_elements(FILE *file)
{
    static struct {
        char said[400];
        bool has[BERTH_ELEMENTS + 1];
    } lines[BERTH_ELEMENTS];
    size_t count = 0;
    for (int element = 1; element < BERTH_ELEMENTS; element++) {
        char said[400];
        size_t i = 0;
        if (is_odd(element) && say_element(element, said)) {
            while (i < count && strcmp(lines[i].said, said) != 0) {
                i++;
            }
            strcpy(lines[i].said, said);
            lines[i].has[element] = true;
            count += i == count;
        }
    }
    for (size_t i = 0; i < count; i++) {
        fputc('-', file);
        for (int first = 1, last; first < BERTH_ELEMENTS; first = last + 1) {
            for (last = first; lines[i].has[first] && lines[i].has[last + 1]; last++) {
            }
            if (lines[i].has[first]) {
                fprintf(file, " %s%s%s", berth_element_symbol(first), last > first ? "-" : "",
                        last > first ? berth_element_symbol(last) : "");
            }
        }
        fprintf(file, ": %s\n", lines[i].said);
    }
}

/* --- Nucleic acids --- */

/* A row for all N and O that do the same in all functions; bude and plp agree, and so do vina and
 * vinardo. */
static void print_nucleotides(FILE *file)
{
    struct berth_structure structure = {0};
    struct berth_receptor receptor = {.has_site = false};
    struct berth_receptor_typing typing;
    struct berth_heavy_atoms heavy[FUNCTIONS];
    struct berth_error error;
    assert_int_equal(berth_structure_read("tests/fixtures/nucleotides.pdb", BERTH_STRUCTURE_PDB,
                                          &structure, &error),
                     BERTH_OK);
    assert_int_equal(berth_receptor_type(&structure, &typing, NULL), BERTH_OK);
    assert_int_equal(berth_receptor_from_structure(&structure, &receptor, &error), BERTH_OK);
    for (size_t k = 0; k < FUNCTIONS; k++) {
        assert_int_equal(
            berth_scoring_assign(&functions[k], &receptor.molecule, NULL, &heavy[k], &error),
            BERTH_OK);
    }
    static struct line lines[200];
    size_t count = 0;
    for (size_t a = 0; a < heavy[0].count; a++) {
        const struct berth_atom *atom = &receptor.molecule.atoms[a];
        char said[400], name[TEXT], wrapped[TEXT + 4];
        const char *roles[FUNCTIONS];
        for (size_t k = 0; k < FUNCTIONS; k++) {
            roles[k] = role(&functions[k], heavy[k].atoms[a].type);
        }
        if (atom->element != NITROGEN && atom->element != OXYGEN) {
            continue;
        }
        assert_string_equal(roles[0], roles[1]);
        assert_string_equal(roles[2], roles[3]);
        snprintf(said, sizeof said, "%s, %s", roles[0], roles[2]);
        size_t i = 0;
        while (i < count && strcmp(lines[i].said, said) != 0) {
            i++;
        }
        if (i == count) {
            strcpy(lines[count].said, said);
            lines[count++].elements[0] = '\0';
        }
        /* Sugars and phosphates are the same in all; bases have their letter in front. */
        const char *base = receptor.residues[atom->residue_id - 1].name;
        const bool backbone = strchr(atom->name, '\'') || strchr(atom->name, 'P');
        snprintf(name, sizeof name, "%s%s%s", backbone ? "" : base + strlen(base) - 1,
                 backbone ? "" : ":", atom->name);
        snprintf(wrapped, sizeof wrapped, " %s,", name);
        if (!strstr(lines[i].elements, wrapped)) {
            strncat(lines[i].elements, wrapped,
                    sizeof lines[i].elements - strlen(lines[i].elements) - 1);
        }
    }
    for (size_t i = 0; i < count; i++) {
        lines[i].elements[strlen(lines[i].elements) - 1] = '\0';
        fprintf(file, "-%s: %s\n", lines[i].elements, lines[i].said);
    }
    for (size_t k = 0; k < FUNCTIONS; k++) {
        berth_heavy_atoms_clear(&heavy[k]);
    }
    berth_receptor_clear(&receptor);
    berth_structure_clear(&structure);
}

/* --- The document --- */

static char *read_all(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

static char *replaced(char *text, const char *name, void (*print)(FILE *file))
{
    char begin[80], end[64], *made = NULL;
    size_t size;
    snprintf(begin, sizeof begin, "<!-- %s: tests/unit/test_element_table.c -->\n", name);
    snprintf(end, sizeof end, "<!-- end of %s -->\n", name);
    char *from = strstr(text, begin), *to = strstr(text, end);
    assert_true(from && to);
    FILE *file = open_memstream(&made, &size);
    fwrite(text, 1, (size_t)(from - text) + strlen(begin), file);
    print(file);
    fprintf(file, "%s", to);
    fclose(file);
    free(text);
    return made;
}

static void docs_have_it(void **state)
{
    (void)state;
    char *text = read_all(DOCUMENT);
    char *right = replaced(read_all(DOCUMENT), "elements", print_elements);
    right = replaced(right, "nucleotides", print_nucleotides);
    if (getenv("BERTH_UPDATE_GOLDEN")) {
        FILE *file = fopen(DOCUMENT, "w");
        assert_non_null(file);
        fputs(right, file);
        fclose(file);
    } else {
        assert_string_equal(text, right);
    }
    free(text);
    free(right);
}

/* Whatever a nucleotide is called, and its atoms in old files, it has the same types. */
static void names_do_not_matter(void **state)
{
    (void)state;
    static const char *const CALLED[][6] = {{"A", "DA", "ADE", "RA", "DA5", "A3"},
                                            {"G", "DG", "GUA", "RG", "DG3", "G5"},
                                            {"C", "DC", "CYT", "RC", "DC5", "C3"},
                                            {"U", "DU", "URA", "RU", "U5", "U3"},
                                            {"T", "DT", "THY", "DT3", "DT5", "T"}};
    for (size_t i = 0; i < sizeof CALLED / sizeof *CALLED; i++) {
        for (size_t k = 0; k < 6; k++) {
            assert_ptr_equal(berth_residue_type_find(CALLED[i][k]),
                             berth_residue_type_find(CALLED[i][0]));
        }
    }
    static const char *const ATOMS[][3] = {{"G", "O1P", "O.co2"}, {"G", "O3P", "O.co2"},
                                           {"G", "C5*", "C.3"},   {"G", "O2*", "O.3h"},
                                           {"T", "C5M", "C.3"},   {"DT", "C7", "C.3"}};
    for (size_t i = 0; i < sizeof ATOMS / sizeof *ATOMS; i++) {
        char name[BERTH_LABEL_SIZE], type[8];
        snprintf(name, sizeof name, "%s", ATOMS[i][1]);
        berth_canonical_name(name, ATOMS[i][0]);
        assert_true(berth_residue_atom_type(berth_residue_type_find(ATOMS[i][0]), name, type));
        assert_string_equal(type, ATOMS[i][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(docs_have_it),
                                       cmocka_unit_test(names_do_not_matter)};
    return cmocka_run_group_tests(tests, open_functions, close_functions);
}
