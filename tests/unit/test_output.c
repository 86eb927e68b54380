/* Files that appear whole or not at all. */
#include "io_support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/leftovers.h"
#include "base/text.h"
#include "base/input.h"
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

/* The same text twice is the same gzip file, without a time, and reads back. */
static void packs_gz(void **state)
{
    (void)state;
    enum { ROWS = 100000, SAME = 10 };
    static const unsigned char HEAD[SAME] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_error error = {0};
    struct berth_output *output;
    struct berth_bytes bytes = {0};
    make_scratch(directory);
    join(path, directory, "scores.csv.gz");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    for (int i = 0; i < ROWS; i++) {
        berth_output_print(output, "%d,", i);
        berth_output_csv(output, "a \"b\"", '\n');
    }
    berth_output_text(output, "end");
    assert_int_equal(berth_output_sync(output, &error), BERTH_OK);
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    char *packed = read_file(path);
    assert_memory_equal(packed, HEAD, SAME);
    free(packed);
    assert_int_equal(berth_input_read_all(path, NULL, &bytes, &error), BERTH_OK);
    const char *text = (const char *)bytes.data;
    assert_memory_equal(text, "0,\"a \"\"b\"\"\"\n1,", 14);
    assert_memory_equal(text + bytes.count - 19, "99999,\"a \"\"b\"\"\"\nend", 19);
    berth_bytes_clear(&bytes);
    unlink(path);
    rmdir(directory);
}

/* The name of a file that the process is writing, or was, of this host or another. */
static void name_temporary(char *path, const char *directory, const char *file, long process)
{
    char name[PATH_SIZE], host[49] = "";
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "%s.tmp.%s.%ld", file, host, process);
    join(path, directory, name);
}

/* The number of a process that was. */
static long find_ended_process(void)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    return (long)child;
}

/* A process that has the file locked until it is killed. */
static pid_t start_locking(const char *path)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int file = open(path, O_RDWR);
        const bool locked = file >= 0 && fcntl(file, F_SETLK, &whole) == 0;
        _exit(!locked || write(ends[1], "l", 1) != 1 || pause());
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return child;
}

/* A killed run leaves its file, which the next one removes; not so those that somebody may be
 * writing, here or on another host that shares the folder. */
static void removes_what_was_left(void **state)
{
    (void)state;
    enum { GONE, GONE_TOO, ALIVE, LOCKED, ELSEWHERE, OTHER, NOTES, COUNT };
    char directory[PATH_SIZE], path[PATH_SIZE], left[COUNT][PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "scores.csv");
    const long ended = find_ended_process();
    name_temporary(left[GONE], directory, "scores.csv", ended);
    snprintf(left[GONE_TOO], PATH_SIZE, "%.*s.1", PATH_SIZE - 3, left[GONE]);
    name_temporary(left[ALIVE], directory, "scores.csv", (long)getpid());
    snprintf(left[LOCKED], PATH_SIZE, "%.*s.2", PATH_SIZE - 3, left[GONE]);
    snprintf(left[ELSEWHERE], PATH_SIZE, "%.*s.tmp.elsewhere.invalid.%ld", 256, path, ended);
    name_temporary(left[OTHER], directory, "hits.sdf", ended);
    snprintf(left[NOTES], PATH_SIZE, "%.*s.notes", PATH_SIZE - 7, left[GONE]);
    for (int i = 0; i < COUNT; i++) {
        write_file(left[i], "left", 4);
    }
    const pid_t locking = start_locking(left[LOCKED]);
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    berth_output_print(output, "new");
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(access(left[i], F_OK), i <= GONE_TOO ? -1 : 0);
    }
    assert_int_equal(kill(locking, SIGKILL), 0);
    assert_int_equal(waitpid(locking, NULL, 0), locking);
    for (int i = ALIVE; i < COUNT; i++) {
        unlink(left[i]);
    }
    unlink(path);
    assert_int_equal(rmdir(directory), 0);
}

/* A signal that ends the process at once leaves no file in part; one that was forked from it leaves
 * it alone. */
static void a_signal_leaves_nothing(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], small[PATH_SIZE], inner[PATH_SIZE];
    struct berth_output *output, *kept;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "x.csv");
    join(small, directory, "small");
    join(inner, directory, "inner");
    assert_int_equal(berth_output_create(path, &kept, &error), BERTH_OK);
    assert_int_equal(berth_output_commit(kept, &error), BERTH_OK);
    assert_int_equal(berth_file_replace(small, "x", 1, &error), BERTH_OK);
    assert_int_equal(mkdir(inner, 0700), 0);
    join(path, inner, "x.csv");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        berth_leftovers_remove();
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_not_equal(rmdir(inner), 0);
    berth_leftovers_remove();
    assert_int_equal(rmdir(inner), 0);
    berth_output_discard(output);
    join(path, directory, "x.csv");
    assert_true(unlink(path) == 0 && unlink(small) == 0); /* whole */
    assert_int_equal(rmdir(directory), 0);
}

/* What cannot be removed is named. */
static void a_file_that_stays_is_named(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], moved[PATH_SIZE], temporary[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "x.csv");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    name_temporary(temporary, directory, "x.csv", (long)getpid());
    join(moved, directory, "moved");
    assert_int_equal(rename(temporary, moved), 0);
    assert_int_equal(mkdir(temporary, 0700), 0); /* which unlink refuses */
    const enum berth_status status = berth_fail(&error, BERTH_E_FORMAT, "why");
    assert_int_equal(berth_output_finish(output, status, &error), BERTH_E_FORMAT);
    assert_int_equal(strncmp(error.message, "why; ", 5), 0);
    assert_non_null(strstr(error.message, temporary));
    assert_true(rmdir(temporary) == 0 && unlink(moved) == 0);
    assert_int_equal(rmdir(directory), 0);
}

/* The file that these fields make; the caller frees it. */
static char *print_csv(const char *const *fields, int count)
{
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_output *output;
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "x.csv");
    assert_int_equal(berth_output_create(path, &output, &error), BERTH_OK);
    for (int i = 0; i < count; i++) {
        berth_output_csv(output, fields[i], i < count - 1 ? ',' : '\n');
    }
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    char *text = read_file(path);
    unlink(path);
    rmdir(directory);
    return text;
}

static void quotes_csv(void **state)
{
    (void)state;
    static const char *const FIELDS[] = {"plain", "", "a,b", "say \"no\"", "two\nlines", " blank "};
    char *text = print_csv(FIELDS, 6);
    assert_string_equal(text, "plain,,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\", blank \n");
    free(text);
}

/* No spreadsheet runs a field, no terminal obeys it, and nothing of it is lost. */
static void disarms_csv(void **state)
{
    (void)state;
    static const struct {
        const char *field, *shown;
    } CASES[] = {{"=1+1", "'=1+1"},
                 {"=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""},
                 {"+44", "+44"},
                 {"+44 0", "'+44 0"},
                 {"-12.3", "-12.3"},
                 {"-1e-5", "-1e-5"},
                 {"-", "-"},
                 {"'", "''"},
                 {"--", "'--"},
                 {"-nan", "'-nan"},
                 {"-2+3|cmd", "'-2+3|cmd"},
                 {"@SUM(1)", "'@SUM(1)"},
                 {"\t=1", "'\t=1"},
                 {"\r=1", "\\x0d=1"},
                 {"\n=1", "\"'\n=1\""},
                 {"'quoted", "''quoted"},
                 {"5'-AMP", "5'-AMP"},
                 {"a=b", "a=b"},
                 {"\033[31mred\007", "\\x1b[31mred\\x07"},
                 {"a\\b", "a\\b"},
                 {"C/C=C\\C", "C/C=C\\C"},
                 {"a\\x1b", "a\\x5cx1b"},
                 {"\xc3\xa9", "\xc3\xa9"},
                 {"\xe9", "\\xe9"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *text = print_csv(&CASES[i].field, 1);
        const size_t length = strlen(CASES[i].shown);
        assert_memory_equal(text, CASES[i].shown, length);
        assert_string_equal(text + length, "\n");
        if (*text != '"') { /* read back */
            text[length] = '\0';
            char *read = text + (*text == '\'');
            berth_text_unescape(read);
            assert_string_equal(read, CASES[i].field);
        }
        free(text);
    }
}

static void refuses_bad_places(void **state)
{
    (void)state;
    struct berth_output *output;
    struct berth_error error = {0};
    assert_int_equal(berth_output_create("/nowhere/x.csv", &output, &error), BERTH_E_IO);
    assert_null(output);
    assert_non_null(strstr(error.message, "/nowhere/x.csv: "));
    assert_int_equal(berth_output_create("/tmp", &output, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/tmp: "));
}

static void probes_places(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE], inner[PATH_SIZE];
    struct berth_error error = {0};
    make_scratch(directory);
    join(path, directory, "x.csv");
    join(inner, path, "y.csv");
    assert_int_equal(berth_output_probe("-", &error), BERTH_OK);
    assert_int_equal(berth_output_probe("/dev/null", &error), BERTH_OK);
    assert_int_equal(berth_output_probe("x.csv", &error), BERTH_OK);
    assert_int_equal(berth_output_probe(path, &error), BERTH_OK);
    assert_int_equal(count_entries(directory), 0);
    assert_int_equal(berth_output_probe(inner, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "x.csv/y.csv: "));
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(berth_output_probe(inner, &error), BERTH_OK);
    assert_int_equal(berth_output_probe(path, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "x.csv: "));
    rmdir(path);
    write_file(path, "", 0);
    assert_int_equal(berth_output_probe(inner, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "x.csv/y.csv: "));
    unlink(path);
    rmdir(directory);
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
    assert_non_null(strstr(error.message, "/dev/full: "));

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

static void refuses_what_standard_output_cannot_take(void **state)
{
    (void)state;
    struct berth_output *output;
    struct berth_error error = {0};
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO), closed = open("/dev/null", O_RDONLY);
    dup2(closed, STDOUT_FILENO);
    const enum berth_status probed = berth_output_probe("-", &error);
    const enum berth_status created = berth_output_create("-", &output, &error);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(closed);
    assert_int_equal(probed, BERTH_E_IO);
    assert_int_equal(created, BERTH_E_IO);
    assert_null(output);
    assert_string_equal(error.message, "standard output: cannot write: Bad file descriptor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(appears_at_commit),
                                       cmocka_unit_test(copies_parts_of_another),
                                       cmocka_unit_test(discard_leaves_the_old_file),
                                       cmocka_unit_test(packs_gz),
                                       cmocka_unit_test(removes_what_was_left),
                                       cmocka_unit_test(a_signal_leaves_nothing),
                                       cmocka_unit_test(a_file_that_stays_is_named),
                                       cmocka_unit_test(quotes_csv),
                                       cmocka_unit_test(disarms_csv),
                                       cmocka_unit_test(probes_places),
                                       cmocka_unit_test(refuses_bad_places),
                                       cmocka_unit_test(refuses_unwritable_directory),
                                       cmocka_unit_test(tells_a_full_disk),
                                       cmocka_unit_test(tells_a_failed_rename),
                                       cmocka_unit_test(writes_to_devices_directly),
                                       cmocka_unit_test(writes_to_standard_output),
                                       cmocka_unit_test(refuses_what_standard_output_cannot_take)};
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
