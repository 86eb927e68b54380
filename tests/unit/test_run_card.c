/* A run's card: each row of its table is written and read back, as lines and as run.json, and a
 * difference in it is told. */
#include "unit/io_support.h"

#include <math.h>

#include "format/run_difference.h"
#include "format/run_json.h"

enum { TEXT_SIZE = 1 << 16 };

static char scratch[PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    make_scratch(scratch);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    return system(command);
}

/* Adds lines of a row; other: other ones than without it. */
static void add_lines(const struct berth_run_row *row, bool other, char text[TEXT_SIZE])
{
    char *end = text + strlen(text);
    const size_t left = TEXT_SIZE - strlen(text);
    switch (row->kind) {
    case BERTH_RUN_TEXT:
        snprintf(end, left, "%s = some \\\"text\" %d\n", row->name, other);
        break;
    case BERTH_RUN_NUMBER:
    case BERTH_RUN_NUMBERS:
        snprintf(end, left, "%s = %d", row->name, 3 + other);
        for (size_t i = 1; i < row->count; i++) {
            strcat(end, other ? " 0.75" : " 0.5");
        }
        strcat(end, "\n");
        break;
    case BERTH_RUN_WORDS:
        snprintf(end, left, "%s = vina %s\n", row->name, other ? "plp" : "bude");
        break;
    case BERTH_RUN_NAMED:
        snprintf(end, left, "%s_a = one %d\n%s_b = two\n", row->name, other, row->name);
        break;
    case BERTH_RUN_METALS:
        snprintf(end, left, "%s = 1 3 0.5 binding\n", row->name);
        *end = other ? '\0' : *end;
        break;
    case BERTH_RUN_RESTRAINTS:
        snprintf(end, left,
                 "%s_1 = near 1 2 %d\ntemplate = /some/file.sdf\n"
                 "%s_1_receptor_a = wished avoided 3.5 1.000 -2.000 3.250 0.000 0.000 1.000\n"
                 "%s_1_receptor_b = wished avoided 3.5\n",
                 row->name, other, row->name, row->name);
        break;
    }
}

/* Lines of all rows of a part; of `changed` other ones. */
static void all_lines(enum berth_run_part part, const struct berth_run_row *changed,
                      char text[TEXT_SIZE])
{
    *text = '\0';
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT; i++) {
        if (BERTH_RUN_ROWS[i].part == part) {
            add_lines(&BERTH_RUN_ROWS[i], &BERTH_RUN_ROWS[i] == changed, text);
        }
    }
}

static void read_all(const struct berth_run_row *changed, struct berth_run_card *card)
{
    static char identity[TEXT_SIZE], files[TEXT_SIZE];
    struct berth_error error;
    all_lines(BERTH_RUN_IDENTITY, changed, identity);
    all_lines(BERTH_RUN_FILES, changed, files);
    if (berth_run_card_read(identity, files, card, &error)) {
        fail_msg("%s", error.message);
    }
}

static void expect_lines(const struct berth_run_card *card, enum berth_run_part part,
                         const char *text)
{
    struct berth_bytes lines = {0};
    berth_run_card_lines(card, part, &lines);
    assert_false(lines.failed);
    assert_string_equal((const char *)lines.data, text);
    berth_bytes_clear(&lines);
}

static void lines_are_read_back(void **state)
{
    (void)state;
    static char text[TEXT_SIZE];
    struct berth_run_card card;
    read_all(NULL, &card);
    assert_int_equal(card.other_count, 0);
    all_lines(BERTH_RUN_IDENTITY, NULL, text);
    expect_lines(&card, BERTH_RUN_IDENTITY, text);
    all_lines(BERTH_RUN_FILES, NULL, text);
    expect_lines(&card, BERTH_RUN_FILES, text);
    assert_true(card.identity.soft_core[2] == 0.5);
    assert_int_equal(card.files.restraint[0].places[0].count, 2);
    assert_true(card.files.restraint[0].places[0].at[0][2] == 3.25);
    assert_string_equal(berth_run_named_find(card.files.receptor, BERTH_RECEPTORS_MAX, "b"), "two");
    berth_run_card_clear(&card);
    berth_run_card_start(&card);
    expect_lines(&card, BERTH_RUN_IDENTITY, "");
    expect_lines(&card, BERTH_RUN_FILES, "");
    berth_run_card_clear(&card);
}

static void json_is_read_back(void **state)
{
    (void)state;
    static const char WORK[] = "seconds = 1.500\nligands_per_second = 2\n";
    struct berth_run_used devices[] = {{"one \"x\"", "p", "d", "v", 0, 0, false},
                                       {"two", "p", "d", "v", 1, 7, true}};
    struct berth_run_card card, again;
    struct berth_bytes lines = {0};
    struct berth_error error;
    char path[PATH_SIZE];
    join(path, scratch, "run.json");
    read_all(NULL, &card);
    card.devices = devices;
    card.device_count = 2;
    card.done = &devices[1];
    card.done_count = 1;
    card.result.stages = "0.1 fast";
    card.result.ligands = 12;
    card.work.seconds = 1.5;
    card.work.ligands_per_second = 2;
    assert_int_equal(berth_run_json_write(path, &card, &error), BERTH_OK);
    assert_int_equal(berth_run_json_read(path, NULL, &again, &error), BERTH_OK);
    const struct berth_run_card told = berth_run_card_told(&card);
    const enum berth_run_part parts[] = {BERTH_RUN_IDENTITY, BERTH_RUN_FILES};
    for (size_t i = 0; i < 2; i++) {
        berth_run_card_lines(&told, parts[i], &lines);
        expect_lines(&again, parts[i], (const char *)lines.data);
        berth_bytes_clear(&lines);
    }
    expect_lines(&again, BERTH_RUN_WORK, WORK);
    assert_true(again.identity.poses == again.identity.mapped[0]);
    assert_true(isnan(again.identity.exchange));
    assert_string_equal(again.result.stages, "0.1 fast");
    assert_true(again.result.ligands == 12);
    assert_int_equal(again.device_count, 2);
    assert_string_equal(again.devices[0].name, "one \"x\"");
    assert_string_equal(again.devices[1].variant, "v");
    assert_int_equal(again.done_count, 1);
    assert_true(again.done->conformers == 7 && again.done->failed && again.done->index == 1);
    berth_run_card_clear(&again);
    berth_run_card_clear(&card);
}

/* By an option that decides it, or by its own name. */
static void differences_are_told(void **state)
{
    (void)state;
    char text[BERTH_RUN_DIFFERENCE], option[64];
    struct berth_run_card card, other;
    read_all(NULL, &card);
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT; i++) {
        const struct berth_run_row *row = &BERTH_RUN_ROWS[i];
        const char *options = row->options + (*row->options == '-' ? 2 : 0);
        if (row->part != BERTH_RUN_IDENTITY || row->rule == BERTH_RUN_BOX ||
            row->rule == BERTH_RUN_NOTE) {
            continue;
        }
        read_all(row, &other);
        berth_run_difference(&card, &other, ", now ", text);
        snprintf(option, sizeof option, "%.*s", (int)strcspn(options, " "), options);
        const char *begin = *option ? option : row->name;
        if (strncmp(text, begin, strlen(begin)) != 0) {
            fail_msg("of %s is told: %s", row->name, text);
        }
        berth_run_card_clear(&other);
    }
    berth_run_card_clear(&card);
}

static void others_stay(void **state)
{
    (void)state;
    static const char IDENTITY[] = "seed = 7\nfashion = old\n";
    struct berth_run_card card;
    struct berth_error error;
    char text[BERTH_RUN_DIFFERENCE];
    assert_int_equal(berth_run_card_read(IDENTITY, "hat = on\n", &card, &error), BERTH_OK);
    expect_lines(&card, BERTH_RUN_IDENTITY, IDENTITY);
    expect_lines(&card, BERTH_RUN_FILES, "hat = on\n");
    struct berth_run_card other;
    assert_int_equal(berth_run_card_read("seed = 7\n", "", &other, &error), BERTH_OK);
    berth_run_difference(&card, &other, ", now ", text);
    assert_string_equal(text, "what this version of berth does not know");
    berth_run_card_clear(&card);
    berth_run_card_clear(&other);
    assert_int_equal(berth_run_card_read("seed = x\nparents = x\n", "", &card, &error),
                     BERTH_E_FORMAT);
    assert_string_equal(error.message, "parents = x: not of a run of this version of berth");
    berth_run_card_clear(&card);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_back),
        cmocka_unit_test_setup_teardown(json_is_read_back, set_up, tear_down),
        cmocka_unit_test(differences_are_told), cmocka_unit_test(others_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
