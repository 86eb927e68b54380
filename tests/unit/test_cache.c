/* The disk cache as files: what comes back, what is refused, and how large it grows. */
#include "io_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/own.h"
#include "device/cache.h"

enum { HEADER = 52 }; /* bytes before the binary: magic 8, key 32, size 8, CRC-32 4 */

static const unsigned char BINARY[] = "what a driver gave: \0\1\2\377 and so on";

/* A cache directory that does not exist yet, in a scratch directory. */
struct scratch {
    char base[PATH_SIZE], directory[PATH_SIZE];
};

static int set_up(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    assert_non_null(scratch);
    make_scratch(scratch->base);
    join(scratch->directory, scratch->base, "cache");
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

static struct berth_cache_key key_of(const char *text)
{
    return berth_cache_key(&text, 1);
}

/* The path at which the only entry lies. */
static void find_entry(const struct scratch *scratch, char *path)
{
    DIR *opened = opendir(scratch->directory);
    int count = 0;
    assert_non_null(opened);
    for (struct dirent *found; (found = readdir(opened));) {
        if (found->d_name[0] != '.') {
            join(path, scratch->directory, found->d_name);
            count++;
        }
    }
    closedir(opened);
    assert_int_equal(count, 1);
}

static int count_files(const char *directory)
{
    DIR *opened = opendir(directory);
    int count = 0;
    for (struct dirent *found; opened && (found = readdir(opened));) {
        count += found->d_name[0] != '.';
    }
    if (opened) {
        closedir(opened);
    }
    return count;
}

static bool is_there(const char *directory, const struct berth_cache_key *key)
{
    size_t size = 0;
    unsigned char *bytes = berth_cache_load(directory, key, &size);
    const bool right = bytes && size == sizeof BINARY && memcmp(bytes, BINARY, size) == 0;
    assert_true(right || !bytes);
    free(bytes);
    return right;
}

static void stored_bytes_come_back(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one"), other = key_of("two");
    struct stat facts;
    assert_false(is_there(scratch->directory, &key));
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    assert_true(is_there(scratch->directory, &key));
    assert_false(is_there(scratch->directory, &other));
    assert_int_equal(stat(scratch->directory, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
    berth_cache_store(scratch->directory, &other, BINARY, sizeof BINARY);
    assert_true(is_there(scratch->directory, &other));
    assert_int_equal(count_files(scratch->directory), 2);
}

static void missing_parents_are_made(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one");
    char deep[PATH_SIZE];
    join(deep, scratch->directory, "a//b/c/");
    berth_cache_store(deep, &key, BINARY, sizeof BINARY);
    assert_true(is_there(deep, &key));
}

static void keys_tell_texts_apart(void **state)
{
    (void)state;
    const char *const lists[][3] = {{"a", "b", "c"}, {"ab", "", "c"}, {"a", "bc", ""},
                                    {"", "ab", "c"}, {"b", "a", "c"}, {"a", "b", "d"}};
    const size_t count = sizeof lists / sizeof *lists;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            const struct berth_cache_key one = berth_cache_key(lists[i], 3);
            const struct berth_cache_key two = berth_cache_key(lists[j], 3);
            assert_int_equal(memcmp(&one, &two, sizeof one) == 0, i == j);
        }
    }
}

static void every_flipped_bit_is_seen(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one");
    char path[PATH_SIZE];
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    find_entry(scratch, path);
    char *whole = read_file(path);
    const size_t size = HEADER + sizeof BINARY;
    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            whole[i] = (char)(whole[i] ^ 1 << bit);
            write_file(path, whole, size);
            assert_false(is_there(scratch->directory, &key));
            whole[i] = (char)(whole[i] ^ 1 << bit);
        }
    }
    write_file(path, whole, size);
    assert_true(is_there(scratch->directory, &key));
    free(whole);
}

static void other_lengths_are_refused_and_replaced(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one");
    char path[PATH_SIZE];
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    find_entry(scratch, path);
    char *whole = read_file(path); /* with a 0 behind it */
    for (size_t size = 0; size <= HEADER + sizeof BINARY + 1; size++) {
        write_file(path, whole, size);
        assert_int_equal(is_there(scratch->directory, &key), size == HEADER + sizeof BINARY);
    }
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    assert_true(is_there(scratch->directory, &key));
    assert_int_equal(count_files(scratch->directory), 1);
    free(whole);
}

static void another_keys_entry_is_refused(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one"), other = key_of("two");
    char path[PATH_SIZE], copy[PATH_SIZE];
    berth_cache_store(scratch->directory, &other, BINARY, sizeof BINARY);
    find_entry(scratch, copy);
    char *whole = read_file(copy);
    unlink(copy);
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    find_entry(scratch, path);
    write_file(path, whole, HEADER + sizeof BINARY);
    assert_false(is_there(scratch->directory, &key));
    free(whole);
}

static void what_is_no_plain_file_is_refused(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one");
    char path[PATH_SIZE], elsewhere[PATH_SIZE];
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    find_entry(scratch, path);
    join(elsewhere, scratch->base, "elsewhere");
    assert_int_equal(rename(path, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, path), 0);
    assert_false(is_there(scratch->directory, &key));
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* must not wait for a writer */
    assert_false(is_there(scratch->directory, &key));
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(is_there(scratch->directory, &key));
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY); /* cannot be replaced */
    assert_false(is_there(scratch->directory, &key));
    assert_int_equal(count_files(scratch->directory), 1); /* and leaves nothing half-written */
}

static void another_users_entry_is_refused(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one");
    char path[PATH_SIZE];
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    find_entry(scratch, path);
    if (chown(path, 12345, (gid_t)-1) != 0) {
        skip(); /* only root can give files away */
    }
    assert_false(is_there(scratch->directory, &key));
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    assert_true(is_there(scratch->directory, &key));
}

static void what_others_may_write_is_refused(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one"), other = key_of("two");
    char path[PATH_SIZE];
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    find_entry(scratch, path);
    static const mode_t OPEN[] = {020, 002, 022};
    for (size_t i = 0; i < sizeof OPEN / sizeof *OPEN; i++) {
        chmod(path, 0600 | OPEN[i]);
        assert_false(is_there(scratch->directory, &key));
        chmod(path, 0644);
        assert_true(is_there(scratch->directory, &key));
        chmod(scratch->directory, 0700 | OPEN[i]);
        assert_false(is_there(scratch->directory, &key));
        berth_cache_store(scratch->directory, &other, BINARY, sizeof BINARY);
        chmod(scratch->directory, 0755);
        assert_true(is_there(scratch->directory, &key));
        assert_false(is_there(scratch->directory, &other)); /* nor stored there */
    }
    if (chown(scratch->directory, 12345, (gid_t)-1) == 0) { /* only root can give files away */
        assert_false(is_there(scratch->directory, &key));
    }
}

static void a_directory_that_cannot_be_used(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one");
    char below[PATH_SIZE];
    write_file(scratch->directory, "a file", 6);
    join(below, scratch->directory, "below");
    const char *const useless[] = {scratch->directory, below, "/proc/nothing/here", "/dev/null"};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        berth_cache_store(useless[i], &key, BINARY, sizeof BINARY);
        assert_false(is_there(useless[i], &key));
        berth_cache_trim(useless[i], 0, 0);
    }
    char *text = read_file(scratch->directory);
    assert_string_equal(text, "a file");
    free(text);
}

static void a_directory_that_may_not_be_written(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one"), other = key_of("two");
    const bool root = geteuid() == 0; /* may write everywhere: be somebody else meanwhile */
    if (root) {
        assert_int_equal(chown(scratch->base, 65534, (gid_t)-1), 0);
        assert_int_equal(seteuid(65534), 0);
    }
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    chmod(scratch->directory, 0500);
    berth_cache_store(scratch->directory, &other, BINARY, sizeof BINARY);
    assert_true(is_there(scratch->directory, &key));
    assert_false(is_there(scratch->directory, &other));
    assert_int_equal(count_files(scratch->directory), 1);
    chmod(scratch->directory, 0700);
    if (root) {
        assert_int_equal(seteuid(0), 0);
    }
}

static void a_full_disk_leaves_nothing(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one"), other = key_of("two");
    struct rlimit before, limit;
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = HEADER + 1; /* writes beyond it fail, and would raise SIGXFSZ */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    berth_cache_store(scratch->directory, &other, BINARY, sizeof BINARY);
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(is_there(scratch->directory, &key));
    assert_false(is_there(scratch->directory, &other));
    assert_int_equal(count_files(scratch->directory), 1);
}

/* Makes this the file's date of use: second i of a time in the past. */
static void date_entry(const char *path, int i)
{
    const struct timespec past = {1000000000 + i, 0}, times[2] = {past, past};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Stores entries "0" to "count - 1", each dated after the one before. */
static void store_dated(const struct scratch *scratch, int count)
{
    char path[PATH_SIZE], parked[PATH_SIZE], name[16];
    join(parked, scratch->base, "parked");
    assert_int_equal(mkdir(parked, 0700), 0);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%d", i);
        const struct berth_cache_key key = key_of(name);
        berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
        find_entry(scratch, path);
        date_entry(path, i);
        char to[PATH_SIZE];
        join(to, parked, strrchr(path, '/') + 1);
        assert_int_equal(rename(path, to), 0);
    }
    assert_int_equal(rmdir(scratch->directory), 0);
    assert_int_equal(rename(parked, scratch->directory), 0);
}

static void the_longest_unused_go_first(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key zero = key_of("0"), one = key_of("1"), two = key_of("2"),
                                 three = key_of("3");
    const uint64_t size = HEADER + sizeof BINARY;
    store_dated(scratch, 4);
    assert_true(is_there(scratch->directory, &one)); /* used now: the newest */
    berth_cache_trim(scratch->directory, 4, 4 * size);
    assert_int_equal(count_files(scratch->directory), 4);
    berth_cache_trim(scratch->directory, 3, 4 * size);
    assert_int_equal(count_files(scratch->directory), 3);
    assert_false(is_there(scratch->directory, &zero));
    berth_cache_trim(scratch->directory, 3, 3 * size - 1);
    assert_int_equal(count_files(scratch->directory), 2);
    assert_false(is_there(scratch->directory, &two));
    assert_true(is_there(scratch->directory, &one));
    assert_true(is_there(scratch->directory, &three));
    berth_cache_trim(scratch->directory, 3, 0);
    assert_int_equal(count_files(scratch->directory), 0);
}

static void storing_keeps_the_bound(void **state)
{
    const struct scratch *scratch = *state;
    char name[16];
    for (int i = 0; i < BERTH_CACHE_FILES_MAX + 5; i++) {
        snprintf(name, sizeof name, "%d", i);
        const struct berth_cache_key key = key_of(name);
        berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
        assert_true(is_there(scratch->directory, &key));
    }
    assert_int_equal(count_files(scratch->directory), BERTH_CACHE_FILES_MAX);
}

static void nothing_else_is_removed(void **state)
{
    const struct scratch *scratch = *state;
    const struct berth_cache_key key = key_of("one");
    static const char *const OTHERS[] = {
        "thesis.doc", "0123.bin",
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.bin.mine"};
    static const char STALE[] =
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.bin.tmp.1.0";
    static const char FRESH[] =
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.bin.tmp.1.1";
    char path[PATH_SIZE];
    berth_cache_store(scratch->directory, &key, BINARY, sizeof BINARY);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        join(path, scratch->directory, OTHERS[i]);
        write_file(path, "x", 1);
        date_entry(path, 0);
    }
    join(path, scratch->directory, FRESH);
    write_file(path, "x", 1);
    join(path, scratch->directory, STALE);
    write_file(path, "x", 1);
    date_entry(path, 0);
    berth_cache_trim(scratch->directory, 0, 0);
    assert_int_equal(access(path, F_OK), -1);
    assert_false(is_there(scratch->directory, &key));
    assert_int_equal(count_files(scratch->directory), 5);
}

static void assert_directory(const char *wanted)
{
    char *given = berth_cache_directory();
    if (wanted) {
        assert_non_null(given);
        assert_string_equal(given, wanted);
    } else {
        assert_null(given);
    }
    free(given);
}

static void the_directory_comes_from_the_environment(void **state)
{
    (void)state;
    setenv("BERTH_CACHE_DIR", "/a/b", 1);
    setenv("XDG_CACHE_HOME", "/x", 1);
    setenv("HOME", "/home/me", 1);
    assert_directory("/a/b");
    setenv("BERTH_CACHE_DIR", "", 1);
    assert_directory(NULL);
    unsetenv("BERTH_CACHE_DIR");
    assert_directory("/x/berth");
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_directory("/home/me/.cache/berth");
    unsetenv("XDG_CACHE_HOME");
    assert_directory("/home/me/.cache/berth");
    unsetenv("HOME");
    assert_directory(NULL);
}

static void a_failed_replacement_leaves_the_old_file(void **state)
{
    const struct scratch *scratch = *state;
    char path[PATH_SIZE];
    struct berth_error error = {0};
    assert_int_equal(berth_directory_make(scratch->directory, &error), BERTH_OK);
    assert_int_equal(berth_directory_make(scratch->directory, &error), BERTH_OK);
    join(path, scratch->directory, "file");
    assert_int_equal(berth_file_replace(path, "old", 3, &error), BERTH_OK);
    assert_int_equal(berth_file_replace(path, "new one", 7, &error), BERTH_OK);
    char *text = read_file(path);
    assert_string_equal(text, "new one");
    free(text);
    assert_int_equal(berth_file_replace("/proc/nothing/file", "x", 1, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "/proc/nothing/file: "));
    assert_int_equal(berth_directory_make(path, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, path));
    assert_int_equal(count_files(scratch->directory), 1);
}

/* The folder is refused for the sake of `culprit`, on the way there, and nothing is made. */
static void expect_unsafe(const char *folder, const char *culprit)
{
    struct berth_error error = {0};
    char head[PATH_SIZE + 2];
    snprintf(head, sizeof head, "%s: ", culprit);
    assert_int_equal(berth_directory_make_own(folder, &error), BERTH_E_IO);
    if (strncmp(error.message, head, strlen(head)) != 0) {
        fail_msg("%s is not blamed: %s", culprit, error.message);
    }
    assert_int_not_equal(access(folder, F_OK), 0);
}

static void expect_safe(const char *folder)
{
    struct berth_error error = {0};
    if (berth_directory_make_own(folder, &error)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* Who may replace a folder or a link on the way may put code where the way leads. */
static void each_step_of_the_way_is_looked_at(void **state)
{
    const struct scratch *scratch = *state;
    char way[PATH_SIZE], inner[PATH_SIZE], folder[PATH_SIZE], link[PATH_SIZE], linked[PATH_SIZE];
    struct stat facts;
    join(way, scratch->base, "way");
    join(inner, way, "inner");
    join(folder, inner, "cache");
    join(link, scratch->base, "link");
    join(linked, link, "cache");
    assert_true(mkdir(way, 0700) == 0 && mkdir(inner, 0700) == 0);
    assert_int_equal(symlink("way/inner", link), 0);
    expect_safe(folder);
    expect_safe(linked);
    chmod(way, 0777);
    expect_unsafe(folder, way);
    expect_unsafe(linked, way);
    chmod(way, 01777); /* as /tmp is */
    expect_safe(folder);
    chmod(way, 0770);
    assert_int_equal(stat(way, &facts), 0);
    if (geteuid() != 0 && facts.st_gid == facts.st_uid) { /* the user's own group */
        expect_safe(folder);
    } else {
        expect_unsafe(folder, way);
    }
    chmod(way, 0755);
    if (lchown(link, 12345, (gid_t)-1) == 0) { /* only root can give files away */
        expect_unsafe(linked, link);
        assert_int_equal(chown(way, 12345, (gid_t)-1), 0);
        expect_unsafe(folder, way);
        assert_int_equal(chown(way, 0, (gid_t)-1), 0);
    }
    unlink(link);
    assert_int_equal(symlink("link", link), 0); /* to itself */
    expect_unsafe(linked, link);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {IN_SCRATCH(stored_bytes_come_back),
                                       IN_SCRATCH(missing_parents_are_made),
                                       cmocka_unit_test(keys_tell_texts_apart),
                                       IN_SCRATCH(every_flipped_bit_is_seen),
                                       IN_SCRATCH(other_lengths_are_refused_and_replaced),
                                       IN_SCRATCH(another_keys_entry_is_refused),
                                       IN_SCRATCH(what_is_no_plain_file_is_refused),
                                       IN_SCRATCH(another_users_entry_is_refused),
                                       IN_SCRATCH(what_others_may_write_is_refused),
                                       IN_SCRATCH(each_step_of_the_way_is_looked_at),
                                       IN_SCRATCH(a_directory_that_cannot_be_used),
                                       IN_SCRATCH(a_directory_that_may_not_be_written),
                                       IN_SCRATCH(a_full_disk_leaves_nothing),
                                       IN_SCRATCH(the_longest_unused_go_first),
                                       IN_SCRATCH(storing_keeps_the_bound),
                                       IN_SCRATCH(nothing_else_is_removed),
                                       cmocka_unit_test(the_directory_comes_from_the_environment),
                                       IN_SCRATCH(a_failed_replacement_leaves_the_old_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
