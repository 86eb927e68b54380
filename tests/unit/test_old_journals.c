/* Journals of other versions of berth, merged: those of earlier ones with what they have, and no
 * other.  tests/fixtures/screen has the journals that they are made of here. */
#include "unit/io_support.h"

#include "base/bytes.h"
#include "format/journal.h"
#include "unit/make_options.h"

#define FIXTURES "tests/fixtures/screen/"

enum { PARTS = 2, EXTRA_MAX = 64 };

static const char *const NAMES[] = {"scores.csv", "hits.sdf", "failures.csv", "run.json"};

/* How a journal differs from the fixture's. */
struct version {
    const char *berth; /* whose it is; NULL: this one */
    const char *lines; /* further ones of the identity, which the last end of line is left out of */
    unsigned char extra[EXTRA_MAX];
    size_t size; /* of extra, which each pose has before its torsions */
};

static char scratch[PATH_SIZE], merged[PATH_SIZE], parts[PARTS][PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    static const char *const FOLDERS[PARTS] = {"part1", "part2"};
    make_scratch(scratch);
    join(merged, scratch, "merged");
    for (int i = 0; i < PARTS; i++) {
        join(parts[i], scratch, FOLDERS[i]);
        assert_int_equal(mkdir(parts[i], 0700), 0);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    return system(command);
}

/* The fixture's identity with the version's lines. */
static void put_identity(const char *identity, const struct version *version, char *text,
                         size_t size)
{
    static const char BERTH[] = "berth = ", SHARD[] = "shard = ";
    const char *behind = strchr(identity, '\n'), *shard = strstr(identity, SHARD);
    assert_true(strncmp(identity, BERTH, sizeof BERTH - 1) == 0 && behind && shard);
    const int own = (int)(behind - identity);
    snprintf(text, size, "%s%s%.*s%s%s", version->berth ? BERTH : "",
             version->berth ? version->berth : "",
             (int)(shard - identity) - (version->berth ? own : 0),
             version->berth ? behind : identity, version->lines, shard);
}

/* Writes the fixture's journal of this part as the version would have. */
static void write_journal(int part, const struct version *version)
{
    static const char *const FIXTURE[PARTS] = {FIXTURES "part1/journal", FIXTURES "part2/journal"};
    char path[PATH_SIZE], identity[4096];
    struct berth_journal *from, *to;
    struct berth_cursor content;
    struct berth_error error;
    bool end = false;
    join(path, parts[part], "journal");
    assert_int_equal(berth_journal_open(FIXTURE[part], &from, &error), BERTH_OK);
    put_identity(berth_journal_identity(from), version, identity, sizeof identity);
    const struct berth_journal_setup setup = {path, identity, berth_journal_facts(from),
                                              BERTH_JOURNAL_REPLACE};
    assert_int_equal(berth_journal_create(&setup, &to, &error), BERTH_OK);
    while (berth_journal_next(from, &content, &end, &error) == BERTH_OK && !end) {
        struct berth_bytes record = {0};
        const size_t size = berth_cursor_left(&content);
        const unsigned char *bytes = berth_cursor_take(&content, size);
        const size_t tail = bytes[0] == 'L'; /* of its one pose, that it has no torsions */
        berth_bytes_put(&record, bytes, size - tail);
        berth_bytes_put(&record, version->extra, tail ? version->size : 0);
        berth_bytes_put(&record, bytes + size - tail, tail);
        assert_int_equal(berth_journal_add(to, &record, &error), BERTH_OK);
        berth_bytes_clear(&record);
    }
    assert_int_equal(berth_journal_sync(to, &error), BERTH_OK);
    berth_journal_close(to);
    berth_journal_close(from);
}

/* How many files of results there were. */
static int remove_results(void)
{
    int count = 0;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char path[PATH_SIZE];
        join(path, merged, NAMES[i]);
        count += unlink(path) == 0;
    }
    return count;
}

/* Merges journals of the version; where they are refused, for the fact (NULL: they are not). */
static void merge(const struct version *version, const char *fact)
{
    berth_options *options =
        make_options("merge", "library", FIXTURES "library.blib", "out", merged);
    struct berth_merge_counts counts;
    struct berth_error error;
    const char *const folders[PARTS] = {parts[0], parts[1]};
    for (int i = 0; i < PARTS; i++) {
        write_journal(i, version);
    }
    remove_results();
    const enum berth_status status = berth_screen_merge(folders, PARTS, options, &counts, &error);
    berth_options_free(options);
    if (fact) {
        assert_int_equal(status, BERTH_E_FORMAT);
        if (!strstr(error.message, fact) || !strstr(error.message, parts[0])) {
            fail_msg("'%s' is not in: %s", fact, error.message);
        }
        assert_int_equal(remove_results(), 0);
    } else if (status) {
        fail_msg("%s", error.message);
    }
}

/* The fields of the table's first row under this name; "-": there is no such column. */
static void expect_first(const char *name, const char *value)
{
    char path[PATH_SIZE], found[64] = "-";
    join(path, merged, "scores.csv");
    char *text = read_file(path), *row = strchr(text, '\n');
    assert_non_null(row);
    *row++ = '\0';
    for (char *head = text; head && row; head = strchr(head, ','), row = strchr(row, ',')) {
        head += *head == ',';
        row += *row == ',';
        if (strcspn(head, ",") == strlen(name) && strncmp(head, name, strlen(name)) == 0) {
            snprintf(found, sizeof found, "%.*s", (int)strcspn(row, ",\n"), row);
        }
    }
    free(text);
    assert_string_equal(found, value);
}

static void put_float(struct version *version, float value)
{
    memcpy(version->extra + version->size, &value, sizeof value);
    version->size += sizeof value;
}

/* A pose with one restraint, of a metal's site, 2 Å from it, and `count` distances behind that. */
static struct version of_metals(const char *line, size_t count)
{
    struct version version = {.lines = line};
    const double restraint = 0;
    memcpy(version.extra, &restraint, sizeof restraint);
    version.size = sizeof restraint + 1; /* none is unmet */
    put_float(&version, 2.0F);
    for (size_t i = 0; i < count; i++) {
        put_float(&version, 2.25F + (float)i);
    }
    return version;
}

static void of_this_version(void **state)
{
    (void)state;
    merge(&(struct version){.lines = ""}, NULL);
    expect_first("ligand", "amprenavir");
    expect_first("metal_1", "-");
    const struct version now = of_metals("restraint_count = 1\nmetal_sites = 1 3 0.5 binding\n", 2);
    merge(&now, NULL);
    expect_first("ligand", "amprenavir");
    expect_first("restraint_1", "2.0000");
    expect_first("metal_1", "2.25");
    expect_first("metal_2", "3.25");
}

static void of_an_earlier_version(void **state)
{
    (void)state;
    merge(&(struct version){.berth = "0.0.9", .lines = ""}, NULL);
    expect_first("ligand", "amprenavir");
    const struct version then = of_metals("restraint_count = 1\nmetal_sites = 1 3 0.5\n", 0);
    merge(&then, NULL);
    expect_first("restraint_1", "2.0000");
    expect_first("metal_1", "-");
}

static void of_a_later_version(void **state)
{
    (void)state;
    merge(&(struct version){.berth = "0.2.10", .lines = ""}, "journal of berth 0.2.10");
    merge(&(struct version){.berth = "12.0.0", .lines = ""}, "journal of berth 12.0.0");
    const struct version later =
        of_metals("restraint_count = 1\nmetal_sites = 1 3 0.5 binding angle\n", 3);
    merge(&later, "metal_sites = 1 3 0.5 binding angle");
    const struct version other = of_metals("restraint_count = 1\nmetal_sites = 1 3 0.5 angle\n", 2);
    merge(&other, "metal_sites = 1 3 0.5 angle");
}

/* Of whatever a record holds that no line of the identity tells. */
static void of_other_records(void **state)
{
    (void)state;
    for (size_t size = 1; size < 24; size++) {
        merge(&(struct version){.lines = "", .size = size}, "makes no sense");
    }
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(of_this_version), IN_SCRATCH(of_an_earlier_version),
        IN_SCRATCH(of_a_later_version), IN_SCRATCH(of_other_records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
