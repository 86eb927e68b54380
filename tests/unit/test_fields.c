/* The list of a pose's fields: that it makes sense, and that docs/formats.md has what it says.
 * BERTH_UPDATE_GOLDEN=1 rewrites the latter. */
#include "io_support.h"

#include "score/fields.h"

#define FORMATS "docs/formats.md"
#define BEGIN   "<!-- columns: tests/unit/test_fields.c -->\n"
#define END     "<!-- end of columns -->\n"

/* Names are there once, and places are 1, 2, ... */
static void makes_sense(void **state)
{
    (void)state;
    size_t recorded = 0, usual = 0;
    for (size_t i = 0; i < BERTH_FIELD_COUNT; i++) {
        const struct berth_pose_field *field = &BERTH_FIELDS[i];
        assert_true(!field->name != !field->names);
        assert_non_null(field->about);
        assert_true(!field->name || berth_field_named(field->name) == field);
        if (field->in[BERTH_IN_JOURNAL]) {
            assert_true(field->record && field->member != BERTH_NO_MEMBER);
        }
        recorded += field->record > 0;
        usual += field->usual > 0;
        for (size_t k = 0; k < i; k++) {
            assert_true(!field->record || BERTH_FIELDS[k].record != field->record);
            assert_true(!field->usual || BERTH_FIELDS[k].usual != field->usual);
        }
    }
    for (size_t i = 0; i < BERTH_FIELD_COUNT; i++) {
        assert_true(BERTH_FIELDS[i].record <= (int)recorded);
    }
    for (size_t i = 0; i < usual; i++) {
        assert_non_null(berth_field_usual(i));
    }
    assert_null(berth_field_usual(usual));
}

/* A run with everything, and the most of it, does not list more fields than there is room for. */
static void has_room(void **state)
{
    (void)state;
    struct berth_term_names terms = {.count = BERTH_TERMS_MAX};
    struct berth_receptor_names receptors = {.count = BERTH_RECEPTORS_MAX};
    struct berth_judges judges = {.count = BERTH_FUNCTIONS_MAX,
                                  .learned_count = BERTH_LEARNED_MAX,
                                  .ranked = BERTH_BOTH_RANKED,
                                  .confident = true,
                                  .twists = true,
                                  .receptor_moves = true,
                                  .restraints = BERTH_RESTRAINTS_MAX,
                                  .metals = 1,
                                  .binding = true,
                                  .displaces = true,
                                  .seeds = 2};
    const struct berth_score_columns run = {&terms, &receptors, &judges, BERTH_IN_SCORES, ~0u};
    for (int use = 0; use < BERTH_FIELD_USES; use++) {
        struct berth_known_field list[BERTH_KNOWN_FIELDS];
        assert_in_range(berth_fields_list(&run, (enum berth_field_use)use, list), 10,
                        BERTH_KNOWN_FIELDS);
    }
}

/* What fields need of a run is there where the run has it: callers say the rest alone. */
static void is_there_with_what_it_needs(void **state)
{
    (void)state;
    struct berth_term_names terms = {.count = BERTH_TERMS_MAX};
    struct berth_receptor_names receptors = {.count = BERTH_RECEPTORS_MAX};
    struct berth_judges judges = {.count = BERTH_FUNCTIONS_MAX,
                                  .learned_count = BERTH_LEARNED_MAX,
                                  .ranked = BERTH_BOTH_RANKED,
                                  .confident = true,
                                  .twists = true,
                                  .receptor_moves = true,
                                  .restraints = BERTH_RESTRAINTS_MAX,
                                  .metals = 1,
                                  .binding = true,
                                  .displaces = true,
                                  .seeds = 2};
    const unsigned callers = ~(BERTH_WITH_RECORDED - 1u);
    const struct berth_score_columns run = {&terms, &receptors, &judges, BERTH_IN_SCORES, callers};
    const struct berth_score_columns all = {&terms, &receptors, &judges, BERTH_IN_SCORES, ~0u};
    for (int use = 0; use < BERTH_FIELD_USES; use++) {
        struct berth_known_field list[BERTH_KNOWN_FIELDS], whole[BERTH_KNOWN_FIELDS];
        assert_int_equal(berth_fields_list(&run, (enum berth_field_use)use, list),
                         berth_fields_list(&all, (enum berth_field_use)use, whole));
    }
}

/* --- The reference --- */

static const char *where(unsigned needs)
{
    static const struct {
        unsigned what;
        const char *text;
    } WORDS[] = {{BERTH_WITH_RANKS, "`screen`, `merge`"},
                 {BERTH_WITH_RECEPTORS, "several receptors"},
                 {BERTH_WITH_RANKING, "a ranking"},
                 {BERTH_WITH_POSE_RANKING, "`dock` with a ranking"},
                 {BERTH_WITH_ANY_RANKING, "a ranking"},
                 {BERTH_WITH_FUNCTIONS, "several functions"},
                 {BERTH_WITH_MODEL, "`--rescore`"},
                 {BERTH_WITH_CONFIDENCE, "a ranking with it"},
                 {BERTH_WITH_RESTRAINTS, "restraints"},
                 {BERTH_WITH_COORDINATION, "metals, `--core_weight`"},
                 {BERTH_WITH_METALS, "metals"},
                 {BERTH_WITH_WATERS, "`--water_price`"},
                 {BERTH_WITH_SIDE_CHAINS, "side chains that move"},
                 {BERTH_WITH_TWISTS, "prepared molecules"},
                 {BERTH_WITH_SEEDS, "`--seeds`"}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (WORDS[i].what == needs) {
            return WORDS[i].text;
        }
    }
    return "?";
}

static void print_names(FILE *file, const struct berth_pose_field *field)
{
    const struct berth_score_columns none = {NULL, NULL, NULL, BERTH_IN_SCORES, 0};
    if (field->name || field->list) {
        fprintf(file, field->name ? "`%s`" : "%s", field->name ? field->name : field->list);
        return;
    }
    for (size_t k = 0; k < field->count; k++) {
        fprintf(file, "%s`%s`", k ? ", " : "", field->names(&none, field->first + k));
    }
}

/* " (Å; restraints)": what stands in brackets behind a column's name. */
static void print_brackets(FILE *file, const struct berth_pose_field *field)
{
    const unsigned needs = field->in[BERTH_IN_SCORES];
    const char *unit = !field->unit ? "" : strcmp(field->unit, "E") == 0 ? "energy" : field->unit;
    const char *what = needs && needs != BERTH_ALWAYS ? where(needs) : "";
    if (*unit || *what) {
        fprintf(file, " (%s%s%s)", unit, *unit && *what ? "; " : "", what);
    }
}

/* A line for each column of a run, tag and column of prepared ligands. */
static void print_columns(FILE *file)
{
    for (size_t i = 0; i < BERTH_FIELD_COUNT; i++) {
        const struct berth_pose_field *field = &BERTH_FIELDS[i];
        const unsigned *in = field->in;
        if (!in[BERTH_IN_SCORES] && (in[BERTH_IN_SCORE] || in[BERTH_IN_JOURNAL])) {
            continue;
        }
        fputs("- ", file);
        print_names(file, field);
        fprintf(file, "%s%s", in[BERTH_IN_RANKING] ? "\\*" : "", in[BERTH_IN_SCORE] ? "†" : "");
        print_brackets(file, field);
        fprintf(file, ": %s\n", field->about);
    }
}

/* The file's text with the columns as they are printed; owned. */
static char *with_columns(char *text)
{
    char *made = NULL;
    size_t size;
    char *from = strstr(text, BEGIN), *to = strstr(text, END);
    assert_true(from && to);
    FILE *file = open_memstream(&made, &size);
    fwrite(text, 1, (size_t)(from - text) + strlen(BEGIN), file);
    print_columns(file);
    fprintf(file, "%s", to);
    fclose(file);
    free(text);
    return made;
}

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

static void docs_have_it(void **state)
{
    (void)state;
    char *text = read_all(FORMATS);
    char *right = with_columns(read_all(FORMATS));
    if (getenv("BERTH_UPDATE_GOLDEN")) {
        FILE *file = fopen(FORMATS, "w");
        fputs(right, file);
        fclose(file);
    } else {
        assert_string_equal(text, right);
    }
    free(text);
    free(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(makes_sense), cmocka_unit_test(has_room),
                                       cmocka_unit_test(is_there_with_what_it_needs),
                                       cmocka_unit_test(docs_have_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
