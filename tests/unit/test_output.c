/* Files that appear whole or not at all. */
#include "io_support.h"

#include <dirent.h>
#include <errno.h>

#include "format/output.h"

static int count_entries(const char *directory)
{
    DIR *open = opendir(directory);
    assert_non_null(open);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(open));) {
        count += entry->d_name[0] != '.';
    }
    closedir(open);
    return count;
}

static void appears_at_commit(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "scores.csv");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    berth_output_print(output, "%s,%d\n", "a", 1);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(count_entries(directory), 1);
    assert_int_equal(berth_output_check(output, &error), BERTH_OK);
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    char *text = read_file(path);
    assert_string_equal(text, "a,1\n");
    free(text);
    assert_int_equal(count_entries(directory), 1);
    unlink(path);
    rmdir(directory);
}

static void copies_parts_of_another(void **state)
{
    (void)state;
    char directory[PATH_SIZE], paths[2][PATH_SIZE];
    struct berth_output *from, *to;
    struct berth_error error = {0};
    make_scratch(directory);
    join(paths[0], directory, "from");
    join(paths[1], directory, "to");
    assert_int_equal(berth_output_create(paths[0], &from, &error), BERTH_OK);
    assert_int_equal(berth_output_create(paths[1], &to, &error), BERTH_OK);
    for (int i = 0; i < 10000; i++) { /* more than a buffer */
        berth_output_print(from, "%08d", i);
    }
    assert_int_equal(berth_output_size(from), 80000);
    berth_output_print(to, "first ");
    assert_int_equal(berth_output_copy(to, from, 79984, 80000, &error), BERTH_OK);
    assert_int_equal(berth_output_copy(to, from, 0, 80000, &error), BERTH_OK);
    assert_int_equal(berth_output_copy(to, from, 12, 12, &error), BERTH_OK);
    assert_int_equal(berth_output_size(to), 6 + 16 + 80000);
    berth_output_print(from, "more");
    assert_int_equal(berth_output_copy(to, from, 80000, 80004, &error), BERTH_OK);
    assert_int_equal(berth_output_copy(to, from, 80000, 80005, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "cannot read back"));
    assert_int_equal(berth_output_commit(to, &error), BERTH_OK);
    berth_output_discard(from);
    char *text = read_file(paths[1]);
    assert_memory_equal(text, "first 0000999800009999000000000000000100000002", 46);
    assert_memory_equal(text + 6 + 16 + 79992, "00009999moremore", 16);
    free(text);
    assert_int_equal(count_entries(directory), 1);
    unlink(paths[1]);
    rmdir(directory);
}

static void discard_leaves_the_old_file(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "scores.csv");
    write_file(path, "old", 3);
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    berth_output_print(output, "new");
    berth_output_discard(output);
    berth_output_discard(NULL);
    char *text = read_file(path);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(count_entries(directory), 1);

    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    berth_output_print(output, "new");
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    text = read_file(path);
    assert_string_equal(text, "new");
    free(text);
    unlink(path);
    rmdir(directory);
}

/* A killed run leaves its file, and in a container its process id comes again. */
static void leftovers_do_not_matter(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], name[64], leftover[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "scores.csv");
    snprintf(name, sizeof name, "scores.csv.tmp.%ld", (long)getpid());
    join(leftover, directory, name);
    write_file(leftover, "left", 4);
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    berth_output_print(output, "new");
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    char *text = read_file(leftover);
    assert_string_equal(text, "left");
    free(text);
    unlink(leftover);
    unlink(path);
    assert_int_equal(rmdir(directory), 0);
}

static void quotes_csv(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "x.csv");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    static const char *const FIELDS[] = {"plain", "", "a,b", "say \"no\"", "two\nlines", " blank "};
    for (int i = 0; i < 6; i++) {
        berth_output_csv(output, FIELDS[i], i < 5 ? ',' : '\n');
    }
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    char *text = read_file(path);
    assert_string_equal(text, "plain,,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\", blank \n");
    free(text);
    unlink(path);
    rmdir(directory);
}

static void refuses_bad_places(void **state)
{
    (void)state;
    struct berth_output *output;
    struct berth_error error = {0};
    assert_int_equal(berth_output_create("/nowhere/x.csv", &output, &error), BERTH_E_IO);
    assert_null(output);
    assert_string_equal(error.message, "/nowhere/x.csv: cannot create: No such file or directory");
    assert_int_equal(berth_output_create("/tmp", &output, &error), BERTH_E_IO);
    assert_string_equal(error.message, "/tmp: is a directory, a file is needed");
}

static void refuses_unwritable_directory(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], message[PATH_SIZE + 100];
    struct berth_output *output;
    struct berth_error error = {0};
    if (geteuid() == 0) {
        /* Root may write anywhere but here. */
        snprintf(path, sizeof path, "/proc/x.csv");
        assert_int_equal(berth_output_create(path, &output, &error), BERTH_E_IO);
        assert_memory_equal(error.message, "/proc/x.csv: cannot create: ", 28);
        return;
    }
    make_scratch(directory);
    join(path, directory, "x.csv");
    assert_int_equal(chmod(directory, 0500), 0);
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_E_IO);
    snprintf(message, sizeof message, "%s: cannot create: Permission denied", path);
    assert_string_equal(error.message, message);
    rmdir(directory);
}

static void tells_a_full_disk(void **state)
{
    (void)state;
    struct berth_output *output;
    struct berth_error error = {0};
    if (access("/dev/full", W_OK) != 0) {
        print_message("# /dev/full is absent: skipped\n");
        skip();
    }
    assert_int_equal(berth_output_create("/dev/full", &output, &error), BERTH_OK);
    berth_output_print(output, "short");
    assert_int_equal(berth_output_commit(output, &error), BERTH_E_IO);
    assert_string_equal(error.message, "/dev/full: cannot write: No space left on device");

    assert_int_equal(berth_output_create("/dev/full", &output, &error), BERTH_OK);
    for (int i = 0; i < 100000; i++) {
        berth_output_print(output, "%d\n", i);
    }
    assert_int_equal(berth_output_check(output, &error), BERTH_E_IO);
    berth_output_discard(output);
    assert_int_equal(access("/dev/full", F_OK), 0);
}

/* The final name became a directory meanwhile: told, and nothing is left. */
static void tells_a_failed_rename(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], message[PATH_SIZE + 100];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "x.csv");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    berth_output_print(output, "text");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(berth_output_commit(output, &error), BERTH_E_IO);
    snprintf(message, sizeof message, "%s: cannot create: %s", path, strerror(EISDIR));
    assert_string_equal(error.message, message);
    assert_int_equal(count_entries(directory), 1);
    rmdir(path);
    rmdir(directory);
}

static void writes_to_devices_directly(void **state)
{
    (void)state;
    struct berth_output *output;
    struct berth_error error = {0};
    assert_int_equal(berth_output_create("/dev/null", &output, &error), BERTH_OK);
    berth_output_print(output, "gone");
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    struct stat facts;
    assert_int_equal(stat("/dev/null", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
}

static void writes_to_standard_output(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "out");
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    dup2(fileno(file), STDOUT_FILENO);
    enum berth_status created = berth_output_create("-", &output, &error);
    berth_output_print(output, "hello\n");
    enum berth_status committed = berth_output_commit(output, &error);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    fclose(file);
    assert_int_equal(created, BERTH_OK);
    assert_int_equal(committed, BERTH_OK);
    char *text = read_file(path);
    assert_string_equal(text, "hello\n");
    free(text);
    unlink(path);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(appears_at_commit),
                                       cmocka_unit_test(copies_parts_of_another),
                                       cmocka_unit_test(discard_leaves_the_old_file),
                                       cmocka_unit_test(leftovers_do_not_matter),
                                       cmocka_unit_test(quotes_csv),
                                       cmocka_unit_test(refuses_bad_places),
                                       cmocka_unit_test(refuses_unwritable_directory),
                                       cmocka_unit_test(tells_a_full_disk),
                                       cmocka_unit_test(tells_a_failed_rename),
                                       cmocka_unit_test(writes_to_devices_directly),
                                       cmocka_unit_test(writes_to_standard_output)};
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
