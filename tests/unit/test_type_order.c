/* Types do not depend on how a molecule was drawn: Open Babel's, as prep corrects them, of
 * molecules whose atoms come in another order.  The molecules: groups with several drawings, the
 * demo's drugs and, where rdkit-data is installed, a thousand of NCI's. */
#include "io_support.h"

#include "base/memory.h"
#include "chem/facts.h"
#include "chem/type_rules.h"
#include "format/mol2/mol2.h"
#include "prep/openbabel.h"
#include "score/scoring.h"

#define NCI "/usr/share/RDKit/Data/NCI/first_5K.smi"
enum { MOLECULES = 1000 };

/* Each line: one group, drawn in several ways. */
static const char *const GROUPS[] = {"NC(=[NH2+])c1ccccc1 [NH2+]=C(N)c1ccccc1",
                                     "CN(C)C(=[NH2+])C C[N+](C)=C(C)N",
                                     "C[N+](=O)[O-] [O-][N+](=O)C",
                                     "CC(=O)[O-] [O-]C(=O)C",
                                     "COP(=O)([O-])[O-] COP([O-])(=O)[O-]",
                                     "COP(=O)([O-])OC COP([O-])(=O)OC",
                                     "CS(=O)(=O)[O-] CS([O-])(=O)=O",
                                     "CS(=O)[O-] CS([O-])=O",
                                     "CNC(=[NH2+])N C[NH+]=C(N)N NC(NC)=[NH2+]",
                                     "Cc1nnn[n-]1 Cc1nn[n-]n1",
                                     "Cc1[nH]cc[nH+]1 Cc1[nH+]cc[nH]1",
                                     "C[n+]1ccn(CC)c1 Cn1cc[n+](CC)c1",
                                     "C[N+](C)(C)[O-] [O-][N+](C)(C)C",
                                     "[O-][n+]1ccccc1 c1cc[n+]([O-])cc1",
                                     "COP(=S)([S-])OC COP([S-])(=S)OC",
                                     "CC([O-])=CC(C)=O CC(=O)C=C(C)[O-]"};
enum { GROUP_COUNT = sizeof GROUPS / sizeof *GROUPS };

/* What a molecule's atoms are, each as a text of both functions' types, sorted. */
struct kinds {
    char (*texts)[32];
    size_t count;
    size_t wrong; /* pairs of equivalent atoms with unequal types */
};

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* What tells the atoms of a molecule apart, orders of bonds aside: numbers that are equal for atoms
 * that are bonded alike up to ten bonds away. */
static uint64_t *places_of(const struct berth_molecule *molecule)
{
    const size_t count = molecule->atom_count;
    uint64_t *places = berth_alloc(2 * count, sizeof *places), *next = places + count;
    assert_non_null(places);
    for (size_t i = 0; i < count; i++) {
        places[i] = (uint64_t)molecule->atoms[i].element;
    }
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < count; i++) {
            next[i] = places[i] * 1099511628211u;
        }
        for (size_t k = 0; k < molecule->bond_count; k++) {
            const struct berth_bond *bond = &molecule->bonds[k];
            next[bond->first] += places[bond->second] * places[bond->second];
            next[bond->second] += places[bond->first] * places[bond->first];
        }
        memcpy(places, next, count * sizeof *places);
    }
    return places;
}

/* Equivalent atoms must have equal types: counts atoms that have not. */
static size_t unequal(const struct berth_molecule *molecule, char (*texts)[32])
{
    uint64_t *places = places_of(molecule);
    size_t wrong = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (molecule->atoms[i].heavy && places[i] == places[j] &&
                strcmp(texts[i], texts[j]) != 0) {
                print_message("# %s: %s and %s\n", molecule->title, texts[i], texts[j]);
                wrong++;
            }
        }
    }
    free(places);
    return wrong;
}

static struct kinds kinds_of(struct berth_molecule *molecule)
{
    struct berth_error error;
    struct kinds kinds = {berth_alloc(molecule->atom_count, sizeof *kinds.texts), 0, 0};
    struct berth_facts facts;
    assert_non_null(kinds.texts);
    if (berth_types_correct(molecule, &error) ||
        berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, &error)) {
        fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        const char *vina = berth_vina_type(atom->element, &facts.traits[i]);
        snprintf(kinds.texts[i], sizeof *kinds.texts, "%s %s", atom->type, vina ? vina : "-");
    }
    kinds.count = molecule->atom_count;
    kinds.wrong = unequal(molecule, kinds.texts);
    qsort(kinds.texts, kinds.count, sizeof *kinds.texts, by_text);
    berth_facts_clear(&facts);
    return kinds;
}

/* Runs Open Babel on a text of lines. */
static struct berth_bytes convert(const struct berth_bytes *input, const char *format,
                                  const char *const *options)
{
    struct berth_bytes output = {0};
    struct berth_error error;
    const struct berth_openbabel_job job = {
        .format = format, .options = options, .input = input, .limit = 100};
    if (berth_openbabel_run(&job, &output, &error)) {
        fail_msg("%s", error.message);
    }
    return output;
}

/* Molecules with types of their atoms; *output holds what the reader reads. */
static struct berth_mol2_reader *read_types(const struct berth_bytes *smiles,
                                            struct berth_bytes *output)
{
    static const char *const MOL2[] = {"-omol2", "-h", NULL};
    *output = convert(smiles, "smi", MOL2);
    struct berth_mol2_reader *reader;
    struct berth_error error;
    assert_int_equal(
        berth_mol2_reader_create_memory("mol2", output->data, output->count, &reader, &error),
        BERTH_OK);
    return reader;
}

static bool next(struct berth_mol2_reader *reader, struct berth_molecule *molecule)
{
    struct berth_error error;
    bool end = false;
    memset(molecule, 0, sizeof *molecule);
    if (berth_mol2_next(reader, molecule, &end, &error)) {
        fail_msg("%s", error.message);
    }
    return !end;
}

/* Demands that molecules have the same kinds of atoms in both, and equivalent atoms the same; gives
 * their number. */
static size_t compare(const struct berth_bytes *smiles, const struct berth_bytes *others)
{
    struct berth_bytes read, read_too;
    struct berth_mol2_reader *reader = read_types(smiles, &read);
    struct berth_mol2_reader *other = read_types(others, &read_too);
    struct berth_molecule a, b;
    size_t count = 0, wrong = 0;
    while (next(reader, &a)) {
        assert_true(next(other, &b));
        assert_string_equal(a.title, b.title);
        const struct kinds x = kinds_of(&a), y = kinds_of(&b);
        assert_int_equal(x.count, y.count);
        wrong += x.wrong + y.wrong;
        for (size_t i = 0; i < x.count; i++) {
            if (strcmp(x.texts[i], y.texts[i]) != 0) {
                print_message("# %s: %s and %s\n", a.title, x.texts[i], y.texts[i]);
                wrong++;
                break;
            }
        }
        count++;
        free(x.texts);
        free(y.texts);
        berth_molecule_clear(&a);
        berth_molecule_clear(&b);
    }
    assert_false(next(other, &b));
    berth_mol2_reader_destroy(reader);
    berth_mol2_reader_destroy(other);
    berth_bytes_clear(&read);
    berth_bytes_clear(&read_too);
    assert_int_equal(wrong, 0);
    return count;
}

/* Each group's first drawing against its others. */
static void groups_have_one_typing(void **state)
{
    (void)state;
    struct berth_bytes first = {0}, others = {0};
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        char copy[200], title[20];
        snprintf(copy, sizeof copy, "%s", GROUPS[i]);
        snprintf(title, sizeof title, " group%zu\n", i);
        const char *drawing = strtok(copy, " ");
        for (const char *other = strtok(NULL, " "); other; other = strtok(NULL, " ")) {
            berth_bytes_put(&first, drawing, strlen(drawing));
            berth_bytes_put(&first, title, strlen(title));
            berth_bytes_put(&others, other, strlen(other));
            berth_bytes_put(&others, title, strlen(title));
        }
    }
    assert_true(compare(&first, &others) >= GROUP_COUNT);
    berth_bytes_clear(&first);
    berth_bytes_clear(&others);
}

/* Adds up to `most` lines of a file of SMILES whose molecules have one part. */
static void add_file(struct berth_bytes *smiles, const char *path, size_t most)
{
    char line[1000];
    FILE *file = fopen(path, "r");
    for (size_t count = 0; file && count < most && fgets(line, sizeof line, file);) {
        line[strcspn(line, "\r\n")] = '\0';
        char *name = line + strcspn(line, " \t");
        if (!strchr(line, '.') && *line != '#') {
            char text[1100];
            const int length =
                snprintf(text, sizeof text, "%.*s m%zu\n", (int)(name - line), line, count++);
            berth_bytes_put(smiles, text, (size_t)length);
        }
    }
    if (file) {
        fclose(file);
    }
}

static void order_does_not_matter(void **state)
{
    (void)state;
    static const char *const CHARGED[] = {"-osmi", "-p", "7.4", NULL};
    static const char *const SHUFFLED[] = {"-osmi", "-xC", NULL};
    struct berth_bytes smiles = {0};
    add_file(&smiles, "data/demo/drugs.smi", MOLECULES);
    add_file(&smiles, NCI, MOLECULES);
    struct berth_bytes charged = convert(&smiles, "smi", CHARGED);
    struct berth_bytes shuffled = convert(&charged, "smi", SHUFFLED);
    print_message("# %zu molecules\n", compare(&charged, &shuffled));
    berth_bytes_clear(&smiles);
    berth_bytes_clear(&charged);
    berth_bytes_clear(&shuffled);
}

int main(void)
{
    struct berth_error error;
    if (berth_openbabel_check(&error)) {
        printf("1..0 # SKIP %s\n", error.message);
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_have_one_typing),
                                       cmocka_unit_test(order_does_not_matter)};
    return cmocka_run_group_tests_name("types and the order of atoms", tests, NULL, NULL);
}
