/* Side chains that move: which torsions they have, what these turn, and the receptor without them.
 */
#include "io_support.h"

#include <math.h>
#include <time.h>

#include "dock/flexible/side_chains.h"

enum { RESIDUES = 198, CHAIN = 99 }; /* HIV protease: two chains of 99 */

/* Bonds that turn in the side chain of each amino acid, and heavy atoms that they move, as
 * textbooks have them; those that have none are not here. */
static const struct {
    const char *name;
    size_t torsions, moved;
} KNOWN[] = {{"ARG", 4, 6}, {"ASN", 2, 3}, {"ASP", 2, 3}, {"CYS", 1, 1}, {"GLN", 3, 4},
             {"GLU", 3, 4}, {"HIS", 2, 5}, {"ILE", 2, 3}, {"LEU", 2, 3}, {"LYS", 4, 4},
             {"MET", 3, 3}, {"PHE", 2, 6}, {"SER", 1, 1}, {"THR", 1, 2}, {"TRP", 2, 9},
             {"TYR", 2, 7}, {"VAL", 1, 2}};
enum { KINDS = sizeof KNOWN / sizeof *KNOWN };

static struct berth_typed_receptor receptor;

/* The demo's receptor; its Mol2 file has no chains: it gets them. */
static int open_receptor(void **state)
{
    const struct berth_scoring_choice choice = {.scoring = "vina"};
    struct berth_error error;
    (void)state;
    if (berth_typed_receptor_read(&choice, "data/demo/1hpv_receptor.mol2", NULL, NULL, &receptor,
                                  &error)) {
        print_error("%s\n", error.message);
        return 1;
    }
    receptor.residues = calloc(RESIDUES, sizeof *receptor.residues);
    receptor.residue_count = RESIDUES;
    for (size_t i = 0; i < receptor.molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor.molecule.atoms[i];
        if (atom->residue_id < 1 || atom->residue_id > RESIDUES) {
            return 1;
        }
        struct berth_residue_id *residue = &receptor.residues[atom->residue_id - 1];
        snprintf(residue->name, sizeof residue->name, "%.3s", atom->residue);
        strcpy(residue->chain, atom->residue_id <= CHAIN ? "A" : "B");
        residue->number = (atom->residue_id - 1) % CHAIN + 1;
    }
    return 0;
}

static int close_receptor(void **state)
{
    (void)state;
    berth_typed_receptor_clear(&receptor);
    return 0;
}

/* Makes those that are named. */
static void make(const char *residues, struct berth_side_chains *chains)
{
    const struct berth_side_chain_choice choice = {.residues = residues};
    struct berth_error error;
    assert_int_equal(berth_side_chains_create(&receptor, &choice, chains, &error), BERTH_OK);
}

/* The places of a pose's side chains as its PDB has them, [chains->shown.atom_count]. */
static void read_places(const struct berth_side_chains *chains, const struct berth_pose *pose,
                        double (*places)[3])
{
    struct berth_output *output;
    struct berth_error error;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(berth_output_create_memory(&text, &size, &output, &error), BERTH_OK);
    assert_int_equal(berth_side_chains_print(chains, pose, "x", 1, 1, output, &error), BERTH_OK);
    berth_output_discard(output);
    const char *line = text;
    for (size_t i = 0; i < chains->shown.atom_count; i++, line = strchr(line, '\n') + 1) {
        line = strstr(line, "ATOM  "); /* TER parts chains */
        assert_non_null(line);
        assert_int_equal(
            sscanf(line + 30, "%8lf%8lf%8lf", &places[i][0], &places[i][1], &places[i][2]), 3);
    }
    assert_null(strstr(line, "ATOM  "));
    free(text);
}

static double apart(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* Every residue of the receptor has as many torsions, which move as many atoms, as its kind. */
static void test_kinds(void **state)
{
    bool found[KINDS] = {false};
    size_t kinds = 0;
    (void)state;
    for (size_t i = 0; i < RESIDUES; i++) {
        const struct berth_residue_id *residue = &receptor.residues[i];
        char name[32];
        size_t k = 0;
        snprintf(name, sizeof name, "%.1s:%d", residue->chain, residue->number);
        while (k < KINDS && strcmp(KNOWN[k].name, residue->name) != 0) {
            k++;
        }
        if (k == KINDS) {
            continue;
        }
        struct berth_side_chains chains;
        make(name, &chains);
        const size_t still = chains.flexible.still_count;
        assert_int_equal(chains.flexible.tree.count, KNOWN[k].torsions);
        assert_int_equal(chains.heavy.count - still, KNOWN[k].moved);
        assert_int_equal(chains.flexible.free_count, 0);
        assert_int_equal(chains.count, 1);
        assert_int_equal(chains.rest[0].count + chains.heavy.count, receptor.heavy.count);
        berth_side_chains_clear(&chains);
        kinds += !found[k];
        found[k] = true;
    }
    assert_int_equal(kinds, KINDS);
}

/* Random angles leave each bond as long as it was, atoms that nothing turns where they were, and
 * turn back to where it began. */
static void test_turn(void **state)
{
    struct berth_side_chains chains;
    struct berth_pose pose = {.torsions = 0};
    (void)state;
    make("A:8,A:50,B:14,B:53", &chains); /* Arg, Ile, Lys, Phe */
    const size_t count = chains.shown.atom_count, torsions = chains.flexible.tree.count;
    double(*given)[3] = calloc(count, sizeof *given), (*turned)[3] = calloc(count, sizeof *turned);
    assert_int_equal(torsions, 4 + 2 + 4 + 2);
    pose.torsions = torsions + 3; /* a ligand's come first, and say nothing */
    for (size_t t = 0; t < 3; t++) {
        pose.angles[t] = 1;
    }
    read_places(&chains, &pose, given);
    for (size_t t = 3; t < pose.torsions; t++) {
        pose.angles[t] = (float)(0.3 + 5.5 * rand() / RAND_MAX);
    }
    read_places(&chains, &pose, turned);
    for (size_t i = 0; i < count; i++) {
        const struct berth_atom *atom = &chains.shown.atoms[i];
        assert_true(apart(given[i], atom->position) < 1e-3);
        const size_t moved = chains.moved[i];
        const bool still =
            moved == SIZE_MAX || moved >= chains.heavy.count - chains.flexible.still_count;
        assert_true(still == (strlen(atom->name) == 1 || strcmp(atom->name, "CA") == 0 ||
                              strcmp(atom->name, "CB") == 0));
        assert_true((apart(given[i], turned[i]) < 1e-3) == still);
        for (size_t j = 0; j < i; j++) {
            const double was = apart(given[i], given[j]);
            const bool same = atom->residue_id == chains.shown.atoms[j].residue_id;
            assert_true(!same || was > 1.9 || fabs(apart(turned[i], turned[j]) - was) < 3e-3);
        }
    }
    free(given);
    free(turned);
    berth_side_chains_clear(&chains);
}

/* The rest has each other atom once; the nearest residues come, those that are named beside them.
 */
static void test_choice(void **state)
{
    struct berth_atom atom = {.heavy = true, .element = 6};
    const struct berth_molecule near = {.atoms = &atom, .atom_count = 1};
    struct berth_side_chain_choice choice = {.residues = "B:84", .within = 6, .most = 3, &near};
    struct berth_side_chains chains;
    struct berth_error error;
    (void)state;
    for (size_t i = 0; i < receptor.molecule.atom_count; i++) { /* at a carboxylate */
        const struct berth_atom *from = &receptor.molecule.atoms[i];
        if (from->residue_id == 25 && strcmp(from->name, "OD1") == 0) {
            memcpy(atom.position, from->position, sizeof atom.position);
        }
    }
    assert_int_equal(berth_side_chains_create(&receptor, &choice, &chains, &error), BERTH_OK);
    assert_int_equal(chains.count, 4);
    bool named = false, nearest = false;
    for (size_t i = 0; i < chains.count; i++) {
        const size_t number = chains.residues[i];
        named = named || number == CHAIN + 84 - 1;
        nearest = nearest || number == 25 - 1;
        assert_true(i == 0 || number != chains.residues[i - 1]);
    }
    assert_true(named && nearest);
    for (size_t i = 0; i < chains.heavy.count; i++) {
        const struct berth_heavy_atom *from = &receptor.heavy.atoms[chains.atoms[i]];
        assert_memory_equal(from->position, chains.heavy.atoms[i].position, sizeof from->position);
        for (size_t k = 0; k < chains.rest[0].count; k++) {
            assert_true(apart(chains.rest[0].atoms[k].position, from->position) > 0.5);
        }
    }
    berth_side_chains_clear(&chains);
}

static void refuse(const struct berth_side_chain_choice *choice, const char *words)
{
    struct berth_side_chains chains;
    struct berth_error error;
    assert_int_equal(berth_side_chains_create(&receptor, choice, &chains, &error), BERTH_E_USAGE);
    if (!strstr(error.message, words)) {
        fail_msg("\"%s\" is not in: %s", words, error.message);
    }
    berth_side_chains_clear(&chains);
}

static void test_refused(void **state)
{
    struct berth_atom atom = {.heavy = true, .position = {1000, 0, 0}};
    const struct berth_molecule far = {.atoms = &atom, .atom_count = 1};
    (void)state;
    refuse(&(struct berth_side_chain_choice){.residues = "A:1"}, "PRO A:1 ");
    refuse(&(struct berth_side_chain_choice){.residues = "A:27"}, "GLY A:27 ");
    refuse(&(struct berth_side_chain_choice){.residues = "C:25"}, "no residue C:25");
    refuse(&(struct berth_side_chain_choice){.residues = "A:"}, "side chain");
    refuse(&(struct berth_side_chain_choice){.within = 5, .most = 4, .near = &far}, " 5");
    refuse(&(struct berth_side_chain_choice){.residues = "ARG,LYS,GLU,ASP"}, " 48");
}

/* The receptor's atom of this name in its residue `number` (from 1), or of any where that is 0. */
static struct berth_atom *find(const char *name, int number)
{
    for (size_t i = 0; i < receptor.molecule.atom_count; i++) {
        struct berth_atom *atom = &receptor.molecule.atoms[i];
        if (strcmp(atom->name, name) == 0 && (!number || atom->residue_id == number)) {
            return atom;
        }
    }
    fail_msg("no atom %s", name);
    return NULL;
}

/* Those within 1 Å of an atom: what is said of those that cannot turn has these words. */
static void check_stiff(const struct berth_atom *atom, const char *words)
{
    struct berth_atom near[2] = {*atom, *find("CG", 25)}; /* Asp A:25 turns */
    const struct berth_molecule molecule = {.atoms = near, .atom_count = 2};
    const struct berth_side_chain_choice choice = {.within = 1, .most = 4, .near = &molecule};
    struct berth_side_chains chains;
    struct berth_error error;
    assert_int_equal(berth_side_chains_create(&receptor, &choice, &chains, &error), BERTH_OK);
    if (*words ? !strstr(chains.stiff, words) : *chains.stiff) {
        fail_msg("\"%s\" is not in \"%s\"", words, chains.stiff);
    }
    assert_non_null(strstr(chains.costs, "ASP A:25 2"));
    berth_side_chains_clear(&chains);
}

/* Atoms of two residues at a distance along z: whether a bond joins them, which holds the first
 * one's side chain. */
static void check_link(struct berth_atom *first, struct berth_atom *second, double distance,
                       bool bonded)
{
    const struct berth_residue_id *residue = &receptor.residues[first->residue_id - 1];
    struct berth_side_chains chains;
    char name[32], words[64];
    double was[3];
    snprintf(name, sizeof name, "%.1s:%d", residue->chain, residue->number);
    memcpy(was, second->position, sizeof was);
    memcpy(second->position, first->position, sizeof was);
    second->position[2] += distance;
    snprintf(words, sizeof words, "has a side chain bonded to atom %s of %.3s ", second->name,
             second->residue);
    if (bonded) {
        refuse(&(struct berth_side_chain_choice){.residues = name}, words);
        check_stiff(first, words);
    } else {
        make(name, &chains);
        berth_side_chains_clear(&chains);
        check_stiff(first, "");
    }
    memcpy(second->position, was, sizeof was);
}

/* Bonds to other residues hold side chains: disulphides, metals' and those of modifications, and no
 * contacts.  2.31 Å are between LYS A:33 and LEU A:148 of a model of CDK2 (2xnb). */
static void test_bonded(void **state)
{
    struct berth_atom *sulphur = find("SG", 0), *nitrogen = find("NZ", 0), *carbon = find("CD2", 0);
    struct berth_atom *other = find("SG", sulphur->residue_id + CHAIN);
    (void)state;
    check_link(sulphur, other, 2.05, true);
    check_link(nitrogen, carbon, 2.31, false);
    check_link(nitrogen, carbon, 1.5, true);
    check_link(sulphur, carbon, 1.82, true);
    check_link(sulphur, carbon, 2.2, false);
    carbon->element = 30; /* zinc */
    check_link(nitrogen, carbon, 2.3, true);
    carbon->element = 6;
}

/* A serine without its oxygen is told of where it is near; a glycine has nothing to tell. */
static void test_truncated(void **state)
{
    const struct berth_atom *glycine = find("CA", 27);
    char *name = receptor.residues[26].name;
    (void)state;
    assert_string_equal(name, "GLY");
    check_stiff(glycine, "");
    strcpy(name, "SER");
    check_stiff(glycine, "SER A:27 lacks atoms of its side chain");
    refuse(&(struct berth_side_chain_choice){.residues = "A:27"}, "SER A:27 ");
    strcpy(name, "GLY");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),  cmocka_unit_test(test_turn),
        cmocka_unit_test(test_choice), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bonded), cmocka_unit_test(test_truncated)};
    const unsigned seed = (unsigned)time(NULL);
    print_message("# seed %u\n", seed);
    srand(seed);
    return cmocka_run_group_tests(tests, open_receptor, close_receptor);
}
