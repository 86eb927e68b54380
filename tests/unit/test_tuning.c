/* Stored tunables as files: what is read back, what is refused, and that storing replaces. */
#include "io_support.h"

#include <dirent.h>

#include "device/tuning.h"

static const struct berth_device DEVICE = {.name = "Device A", .driver = "1.0"};
static const struct berth_device OTHER = {.name = "Device B", .driver = "1.0"};

/* A cache directory of the test's own, as BERTH_CACHE_DIR, and the file in it. */
struct scratch {
    char base[PATH_SIZE], directory[PATH_SIZE], file[PATH_SIZE];
};

static int set_up(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    assert_non_null(scratch);
    make_scratch(scratch->base);
    join(scratch->directory, scratch->base, "cache");
    join(scratch->file, scratch->directory, "tuning.tsv");
    setenv("BERTH_CACHE_DIR", scratch->directory, 1);
    *state = scratch;
    return 0;
}

static int tear_down(void **state)
{
    struct scratch *scratch = *state;
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch->base);
    assert_int_equal(system(command), 0);
    free(scratch);
    return 0;
}

/* Takes what begins with "good". */
static enum berth_status take(void *context, const char *tunables, struct berth_error *error)
{
    if (strncmp(tunables, "good", 4) != 0) {
        return berth_fail(error, BERTH_E_USAGE, "%s is not good", tunables);
    }
    snprintf(context, 64, "%s", tunables);
    return BERTH_OK;
}

static void hear(void *context, const struct berth_log_line *line)
{
    const char *text = line->text;
    char *heard = context;
    snprintf(heard + strlen(heard), 1024 - strlen(heard), "%s\n", text);
}

/* What is found for the device ("" for nothing) and what is said meanwhile. */
static void expect(const struct berth_device *device, const char *wanted, const char *remarks)
{
    char taken[64] = "", heard[1024] = "";
    const struct berth_tuning_taker taker = {take, taken};
    const struct berth_log log = {hear, heard};
    assert_int_equal(berth_tuning_find(device, &taker, &log), *wanted != '\0');
    assert_string_equal(taken, wanted);
    assert_string_equal(heard, remarks);
}

static void expect_problem(const char *wanted)
{
    char heard[1024] = "";
    const struct berth_log log = {hear, heard};
    berth_tuning_check(&log);
    if (*wanted ? !strstr(heard, wanted) : *heard) {
        fail_msg("not \"%s\" but: %s", wanted, heard);
    }
}

static void store(const struct berth_device *device, const char *tunables)
{
    struct berth_error error;
    if (berth_tuning_store(device, tunables, NULL, &error)) {
        fail_msg("%s", error.message);
    }
}

static void what_is_stored_is_found(void **state)
{
    const struct scratch *scratch = *state;
    struct berth_error error;
    char *path;
    expect(&DEVICE, "", "");
    expect_problem("");
    assert_int_equal(berth_tuning_store(&DEVICE, "good 1", &path, &error), BERTH_OK);
    assert_string_equal(path, scratch->file);
    free(path);
    store(&OTHER, "good 2");
    expect(&DEVICE, "good 1", "");
    store(&DEVICE, "good 3");
    expect(&DEVICE, "good 3", "");
    expect(&OTHER, "good 2", "");
    expect_problem("");
}

/* Refused rows, in a file whose lines end as Windows' do, do not hide those behind them. */
static void refused_rows_are_said(void **state)
{
    const struct scratch *scratch = *state;
    static const char TEXT[] = "# comment\r\n\r\nDevice A\t1.0\tbad\r\nno row\r\n"
                               "Device B\t1.0\tbad too\r\nDevice *\t*\tgood\r\n";
    char wanted[PATH_SIZE * 2];
    mkdir(scratch->directory, 0700);
    write_file(scratch->file, TEXT, sizeof TEXT - 1);
    snprintf(wanted, sizeof wanted, "%s:3: bad is not good; this row is ignored\n", scratch->file);
    expect(&DEVICE, "good", wanted);
    snprintf(wanted, sizeof wanted, "%s:4: ", scratch->file);
    expect_problem(wanted);
}

static void too_long_a_row_is_refused(void **state)
{
    const struct scratch *scratch = *state;
    char text[512], wanted[PATH_SIZE * 2];
    mkdir(scratch->directory, 0700);
    snprintf(text, sizeof text, "Device A\t*\tgood%*s\n", BERTH_TUNING_TEXT - 4, "x");
    write_file(scratch->file, text, strlen(text));
    snprintf(wanted, sizeof wanted, "%s:1: more than 255 characters; this row is ignored\n",
             scratch->file);
    expect(&DEVICE, "", wanted);
}

/* Whatever stands there: it is not taken, is said, and goes when something is stored. */
static void what_others_may_write_is_replaced(void **state)
{
    const struct scratch *scratch = *state;
    struct stat facts;
    store(&DEVICE, "good 1");
    chmod(scratch->file, 0602);
    expect(&DEVICE, "", "");
    expect_problem("(mode 602");
    store(&OTHER, "good 2");
    expect(&DEVICE, "", ""); /* its row was not taken over */
    expect(&OTHER, "good 2", "");
    unlink(scratch->file);
    assert_int_equal(mkfifo(scratch->file, 0600), 0); /* must not wait for a writer */
    expect(&OTHER, "", "");
    expect_problem("tuning.tsv: ");
    store(&OTHER, "good 3");
    expect(&OTHER, "good 3", "");
    expect_problem("");
    assert_int_equal(stat(scratch->file, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
}

static void a_directory_of_others_is_not_used(void **state)
{
    const struct scratch *scratch = *state;
    struct berth_error error;
    store(&DEVICE, "good 1");
    chmod(scratch->directory, 0770);
    expect(&DEVICE, "", "");
    expect_problem("cache: ");
    assert_int_equal(berth_tuning_store(&DEVICE, "good 2", NULL, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "(mode 770"));
    chmod(scratch->directory, 0700);
    expect(&DEVICE, "good 1", "");
    if (chown(scratch->directory, 12345, (gid_t)-1) == 0) { /* only root can give files away */
        expect(&DEVICE, "", "");
        expect_problem("cache: belongs to another user (12345)");
    }
}

static void nowhere_to_store(void **state)
{
    (void)state;
    struct berth_error error;
    setenv("BERTH_CACHE_DIR", "", 1);
    expect(&DEVICE, "", "");
    assert_int_equal(berth_tuning_store(&DEVICE, "good", NULL, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "there is no cache directory"));
    setenv("BERTH_CACHE_DIR", "/dev/null/cache", 1);
    assert_int_equal(berth_tuning_store(&DEVICE, "good", NULL, &error), BERTH_E_IO);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {IN_SCRATCH(what_is_stored_is_found),
                                       IN_SCRATCH(refused_rows_are_said),
                                       IN_SCRATCH(too_long_a_row_is_refused),
                                       IN_SCRATCH(what_others_may_write_is_replaced),
                                       IN_SCRATCH(a_directory_of_others_is_not_used),
                                       IN_SCRATCH(nowhere_to_store)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
