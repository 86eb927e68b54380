/* BUDE's parameter files: its own, the built-in one, and broken ones. */
#include "io_support.h"

#include "score/forcefield.h"

#define HEAD "%BUDE HEAVY ATOM AMINO-ACID FORCEFIELD LIBRARY\n%VERSION 2.00\n"
#define C3   "C.3  -  1.42 -0.15  30.0 6.5 1.3 1.0  0.0\n"
#define O3   "O.3  E  1.51  0.34  30.0 6.5 1.3 2.0  0.26\n"

struct remarks {
    char text[256];
    int count;
};

static void remark(void *context, const struct berth_log_line *line)
{
    const char *text = line->text;
    struct remarks *remarks = context;
    snprintf(remarks->text, sizeof remarks->text, "%s", text);
    remarks->count++;
}

static enum berth_status read_text(const char *text, struct berth_forcefield *forcefield,
                                   struct remarks *remarks, struct berth_error *error)
{
    struct berth_log log = {remark, remarks};
    memset(remarks, 0, sizeof *remarks);
    memset(error, 0, sizeof *error);
    return berth_bhff_read_memory("x.bhff", text, strlen(text), &log, forcefield, error);
}

static void reads_entries(void **state)
{
    (void)state;
    struct berth_forcefield forcefield;
    struct remarks remarks;
    struct berth_error error;
    const char *text = HEAD "# comment\n\n 2 # residues\r\nWLD  2\n" C3 "# between\n" O3
                            "\nALA 1\n  CA  -  1.42 -0.15  30.0 6.5 1.3 1.0  0.0 # same as C.3\n"
                            "END  # done\nanything\n";
    assert_int_equal(read_text(text, &forcefield, &remarks, &error), BERTH_OK);
    assert_string_equal(forcefield.name, "x.bhff");
    assert_int_equal(forcefield.entry_count, 3);
    assert_int_equal(forcefield.type_count, 2);
    assert_string_equal(forcefield.entries[1].residue, "WLD");
    assert_string_equal(forcefield.entries[1].name, "O.3");
    assert_string_equal(forcefield.entries[2].residue, "ALA");
    assert_string_equal(forcefield.entries[2].name, "CA");
    assert_int_equal(forcefield.entries[2].type, 0);
    const struct berth_type *type = &forcefield.types[1];
    assert_int_equal(type->class, 'E');
    assert_true(type->radius == 1.51 * 2.0); /* scaled */
    assert_true(type->hydrophobic == 0.34 && type->hardness == 30 && type->nonpolar_reach == 6.5 &&
                type->polar_reach == 1.3 && type->charge == 0.26);
    assert_int_equal(remarks.count, 0);
    berth_forcefield_clear(&forcefield);
}

static void warns_without_end(void **state)
{
    (void)state;
    struct berth_forcefield forcefield;
    struct remarks remarks;
    struct berth_error error;
    assert_int_equal(read_text(HEAD "1\nWLD 1\n" C3, &forcefield, &remarks, &error), BERTH_OK);
    assert_int_equal(remarks.count, 1);
    assert_string_equal(remarks.text,
                        "x.bhff: the END tag is missing; the file may have been cut off");
    berth_forcefield_clear(&forcefield);
}

static void refuses_broken_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "x.bhff: "},
        {"@<TRIPOS>MOLECULE\n", "x.bhff: "},
        {"%BUDE\n1\n", "x.bhff: "},
        {"%BUDE\n%VERSION\n", "x.bhff:2: the second line must say %VERSION and a number"},
        {"%BUDE\n%VERSION 3.00\n",
         "x.bhff:2: version 3.00 of the format is not supported; 1 and 2 are"},
        {HEAD, "x.bhff:2: "},
        {HEAD "WLD\n", "x.bhff:3: 'WLD' stands where a number of 1 to 999 belongs"},
        {HEAD "0\n", "x.bhff:3: '0' stands where a number of 1 to 999 belongs"},
        {HEAD "1 2\n", "x.bhff:3: '2' is too much on this line"},
        {HEAD "1\n", "x.bhff:3: "},
        {HEAD "1\nWLD\n", "x.bhff:4: '' stands where a number of 1 to 999 belongs"},
        {HEAD "1\nLONGNAME 1\n",
         "x.bhff:4: the residue name 'LONGNAME' is longer than 7 characters"},
        {HEAD "1\nWLD 2\n" C3, "x.bhff:5: "},
        {HEAD "1\nWLD 2\n" C3 "END\n",
         "x.bhff:6: END comes before all atoms of WLD; correct their number"},
        {HEAD "2\nWLD 1\n" C3 "END\n",
         "x.bhff:6: END comes before all residues; correct their number"},
        {HEAD "1\nWLD 1\n" C3 O3 "END\n",
         "x.bhff:6: 'O.3' stands where END belongs; correct the numbers of residues and atoms"},
        {HEAD "2\nWLD 1\n" C3 "WLD 1\n" O3, "x.bhff:6: residue WLD is defined twice; remove one"},
        {HEAD "1\nWLD 1\nC.3 X 1 1 1 1 1 1 1\n",
         "x.bhff:5: C.3: 'X' is not an electrostatic class; F, D, E, P and - are known"},
        {HEAD "1\nWLD 1\nC.3 1.42 -0.15 30 6.5 1.3 1.0 0.0\n",
         "x.bhff:5: C.3: '1.42' is not an electrostatic class; F, D, E, P and - are known"},
        {HEAD "1\nWLD 1\nC.3 - 1.42 -0.15 30\n", "x.bhff:5: C.3 has 3 numbers; 7 are needed"},
        {HEAD "1\nWLD 1\nC.3 - 1.42 nan 30 6.5 1.3 1.0 0.0\n", "x.bhff:5: C.3: "},
        {HEAD "1\nWLD 1\nC.3 - 1.42 1 30 6.5 1.3 1.0 0.0 9\n",
         "x.bhff:5: C.3: '9' is too much on this line"},
        {HEAD "1\nWLD 1\nC.3 - -1.42 1 30 6.5 1.3 1.0 0.0\n", "x.bhff:5: WLD C.3: "},
        {HEAD "1\nWLD 2\n" C3 "C.3 - 1.5 1 30 6.5 1.3 1.0 0.0\n",
         "x.bhff:6: WLD C.3 is defined twice, and differently"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct berth_forcefield forcefield;
        struct remarks remarks;
        struct berth_error error;
        assert_int_equal(read_text(CASES[i].text, &forcefield, &remarks, &error), BERTH_E_FORMAT);
        assert_memory_equal(error.message, CASES[i].message, strlen(CASES[i].message));
        assert_null(forcefield.entries);
    }
}

static void missing_file_is_named(void **state)
{
    (void)state;
    struct berth_forcefield forcefield;
    struct berth_error error;
    assert_int_equal(berth_bhff_read("/nowhere/x.bhff", NULL, &forcefield, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/nowhere/x.bhff: "));
}

static const struct berth_type *find(const struct berth_forcefield *forcefield, const char *residue,
                                     const char *name)
{
    for (size_t i = 0; i < forcefield->entry_count; i++) {
        if (strcmp(forcefield->entries[i].residue, residue) == 0 &&
            strcmp(forcefield->entries[i].name, name) == 0) {
            return &forcefield->types[forcefield->entries[i].type];
        }
    }
    fail_msg("%s %s is missing", residue, name);
    return NULL;
}

/* The default set is there without any file, and has BUDE's figures. */
static void built_in_set(void **state)
{
    (void)state;
    struct berth_forcefield forcefield;
    struct berth_error error = {0};
    assert_int_equal(berth_bhff_read(NULL, NULL, &forcefield, &error), BERTH_OK);
    assert_string_equal(forcefield.name, "built-in");
    assert_int_equal(forcefield.entry_count, 44);
    assert_int_equal(forcefield.type_count, 36);
    const struct berth_type *aromatic = find(&forcefield, "WLD", "C.ar");
    assert_int_equal(aromatic->class, 'P');
    assert_true(aromatic->radius == 1.64 && aromatic->hydrophobic == -0.09309 &&
                aromatic->charge == -0.05469);
    berth_forcefield_clear(&forcefield);
}

static void built_in_set_is_budes(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    reference(path, "bude/forcefields/heavy_by-atom_2017-v1.bhff");
    struct berth_forcefield ours, theirs;
    struct berth_error error = {0};
    assert_int_equal(berth_bhff_read(NULL, NULL, &ours, &error), BERTH_OK);
    assert_int_equal(berth_bhff_read(path, NULL, &theirs, &error), BERTH_OK);
    assert_int_equal(ours.entry_count, theirs.entry_count);
    for (size_t i = 0; i < theirs.entry_count; i++) {
        const struct berth_type *a = &theirs.types[theirs.entries[i].type];
        const struct berth_type *b = find(&ours, "WLD", theirs.entries[i].name);
        assert_true(a->class == b->class && a->radius == b->radius &&
                    a->hydrophobic == b->hydrophobic && a->hardness == b->hardness &&
                    a->nonpolar_reach == b->nonpolar_reach && a->polar_reach == b->polar_reach &&
                    a->charge == b->charge);
    }
    berth_forcefield_clear(&ours);
    berth_forcefield_clear(&theirs);
}

static void reads_budes_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t entries, types;
    } FILES[] = {/* counted with awk; the hybrid sets repeat four entries */
                 {"force_field", 178, 42},
                 {"heavy_atom_060813", 34, 29},
                 {"heavy_by-atom_2016-v1", 44, 36},
                 {"heavy_by-atom_2017-v1", 44, 36},
                 {"heavy_by-residue_2016-v1", 275, 24},
                 {"heavy_by-residue_2017-v1", 269, 26},
                 {"heavy_hybrid_2016-v1", 315, 38},
                 {"heavy_hybrid_2017-v1", 309, 39}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        char name[PATH_SIZE], path[PATH_SIZE];
        snprintf(name, sizeof name, "bude/forcefields/%s.bhff", FILES[i].name);
        reference(path, name);
        struct berth_forcefield forcefield;
        struct remarks remarks = {"", 0};
        struct berth_log log = {remark, &remarks};
        struct berth_error error = {0};
        assert_int_equal(berth_bhff_read(path, &log, &forcefield, &error), BERTH_OK);
        assert_int_equal(forcefield.entry_count, FILES[i].entries);
        assert_int_equal(forcefield.type_count, FILES[i].types);
        assert_int_equal(remarks.count, 0);
        berth_forcefield_clear(&forcefield);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_entries),        cmocka_unit_test(warns_without_end),
        cmocka_unit_test(refuses_broken_files), cmocka_unit_test(missing_file_is_named),
        cmocka_unit_test(built_in_set),         cmocka_unit_test(built_in_set_is_budes),
        cmocka_unit_test(reads_budes_files)};
    return cmocka_run_group_tests_name("bhff", tests, NULL, NULL);
}
