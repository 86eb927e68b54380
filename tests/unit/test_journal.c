/* io/journal: what is synced stays, whatever a crash leaves behind it. */
#include "io_support.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "format/journal.h"

static char folder[PATH_SIZE], path[PATH_SIZE];

static const char IDENTITY[] = "seed = 1\nposes = 256\nshard = 1/1\n", FACTS[] = "top = 10\n";

enum { RECORDS = 20 };

static int set_up(void **state)
{
    (void)state;
    make_scratch(folder);
    join(path, folder, "journal");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove(path);
    return rmdir(folder);
}

static enum berth_status create(enum berth_journal_mode mode, const char *identity,
                                struct berth_journal **journal, struct berth_error *error)
{
    const struct berth_journal_setup setup = {path, identity, FACTS, mode};
    return berth_journal_create(&setup, journal, error);
}

static void demand(enum berth_status status, const struct berth_error *error)
{
    if (status) {
        fail_msg("%s", error->message);
    }
}

/* Record i: i + 1 bytes (7 * i the last one), each its number. */
static void add(struct berth_journal *journal, int i)
{
    struct berth_bytes content = {0};
    struct berth_error error;
    const int size = i + 1 < RECORDS ? i + 1 : 7 * i;
    for (int k = 0; k < size; k++) {
        berth_bytes_put8(&content, (uint8_t)(i + k));
    }
    demand(berth_journal_add(journal, &content, &error), &error);
    berth_bytes_clear(&content);
}

/* Reads records from number `first` on, and checks each; returns the number behind the last. */
static int read_records(struct berth_journal *journal, int first)
{
    struct berth_error error;
    for (int i = first;; i++) {
        struct berth_cursor content;
        bool end;
        demand(berth_journal_next(journal, &content, &end, &error), &error);
        if (end) {
            return i;
        }
        const int size = i + 1 < RECORDS ? i + 1 : 7 * i;
        assert_int_equal(berth_cursor_left(&content), size);
        for (int k = 0; k < size; k++) {
            assert_int_equal(berth_cursor_get8(&content), (uint8_t)(i + k));
        }
    }
}

static void write_all(void)
{
    struct berth_journal *journal;
    struct berth_error error;
    remove(path);
    demand(create(BERTH_JOURNAL_NEW, IDENTITY, &journal, &error), &error);
    assert_int_equal(read_records(journal, 0), 0);
    for (int i = 0; i < RECORDS; i++) {
        add(journal, i);
        if (i % 3 == 0) {
            demand(berth_journal_sync(journal, &error), &error);
        }
    }
    demand(berth_journal_sync(journal, &error), &error);
    berth_journal_rewind(journal);
    assert_int_equal(read_records(journal, 0), RECORDS);
    berth_journal_close(journal);
}

static void test_written_and_read(void **state)
{
    (void)state;
    write_all();
    struct berth_journal *journal;
    struct berth_error error;
    demand(berth_journal_open(path, &journal, &error), &error);
    assert_string_equal(berth_journal_identity(journal), IDENTITY);
    assert_string_equal(berth_journal_facts(journal), FACTS);
    assert_string_equal(berth_journal_path(journal), path);
    assert_int_equal(read_records(journal, 0), RECORDS);
    berth_journal_close(journal);
}

/* Cut at every byte, a journal is resumed with all its whole records, and completed. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    write_all();
    char *whole = read_file(path);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    const size_t size = (size_t)facts.st_size;
    int last = 0;
    for (size_t cut = 0; cut <= size; cut++) {
        struct berth_journal *journal;
        struct berth_error error;
        write_file(path, whole, cut);
        demand(create(BERTH_JOURNAL_RESUME, IDENTITY, &journal, &error), &error);
        const int first = read_records(journal, 0);
        assert_in_range(first, last, last + 1); /* it grows with the bytes */
        last = first;
        for (int i = first; i < RECORDS; i++) {
            add(journal, i);
        }
        demand(berth_journal_sync(journal, &error), &error);
        berth_journal_rewind(journal);
        assert_int_equal(read_records(journal, 0), RECORDS);
        berth_journal_close(journal);
        char *again = read_file(path);
        assert_memory_equal(again, whole, size);
        free(again);
    }
    assert_int_equal(last, RECORDS);
    free(whole);
}

/* With a wrong byte anywhere behind the head, what is in front of it is read, and nothing wrong. */
static void test_wrong_bytes(void **state)
{
    (void)state;
    write_all();
    char *whole = read_file(path);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    const size_t size = (size_t)facts.st_size;
    const size_t head = 24 + sizeof IDENTITY + sizeof FACTS;
    const unsigned seed = (unsigned)time(NULL);
    print_message("# seed %u\n", seed);
    srand(seed);
    for (size_t place = 0; place < size; place++) {
        struct berth_journal *journal;
        struct berth_error error;
        const char right = whole[place];
        whole[place] ^= (char)(1 + rand() % 255);
        write_file(path, whole, size);
        whole[place] = right;
        const enum berth_status status = berth_journal_open(path, &journal, &error);
        if (place < head) {
            assert_int_equal(status, BERTH_E_FORMAT);
        } else {
            demand(status, &error);
            assert_in_range(read_records(journal, 0), 0, RECORDS - 1);
        }
        berth_journal_close(status ? NULL : journal);
    }
    free(whole);
}

static void test_refused(void **state)
{
    (void)state;
    write_all();
    struct berth_journal *journal;
    struct berth_error error;
    assert_int_equal(create(BERTH_JOURNAL_NEW, IDENTITY, &journal, &error), BERTH_E_IO);
    assert_string_equal(error.option, "resume");
    assert_null(journal);
    assert_int_equal(create(BERTH_JOURNAL_RESUME, "seed = 1\n", &journal, &error), BERTH_OK);
    assert_string_equal(berth_journal_identity(journal), IDENTITY);
    berth_journal_close(journal);
    journal = NULL;
    remove(path);
    assert_int_equal(berth_journal_open(path, &journal, &error), BERTH_E_IO);
    write_file(path, "", 0);
    assert_int_equal(berth_journal_open(path, &journal, &error), BERTH_E_FORMAT);
    write_file(path, "poses,energy\n", 13);
    assert_int_equal(berth_journal_open(path, &journal, &error), BERTH_E_FORMAT);
    assert_int_equal(create(BERTH_JOURNAL_RESUME, IDENTITY, &journal, &error), BERTH_E_FORMAT);
}

/* A folder that vanishes under a run takes its journal along, and that is noticed. */
static void test_place(void **state)
{
    (void)state;
    struct berth_journal *journal;
    struct berth_error error;
    char moved[PATH_SIZE];
    join(moved, folder, "moved");
    remove(path);
    demand(create(BERTH_JOURNAL_NEW, IDENTITY, &journal, &error), &error);
    add(journal, 0);
    demand(berth_journal_sync(journal, &error), &error);
    assert_int_equal(berth_journal_place(journal), BERTH_JOURNAL_THERE);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(berth_journal_place(journal), BERTH_JOURNAL_MOVED);
    add(journal, 1);
    assert_int_equal(berth_journal_sync(journal, &error), BERTH_E_IO);
    write_file(path, "another", 7);
    assert_int_equal(berth_journal_place(journal), BERTH_JOURNAL_MOVED);
    assert_int_equal(rename(moved, path), 0);
    assert_int_equal(berth_journal_place(journal), BERTH_JOURNAL_THERE);
    demand(berth_journal_sync(journal, &error), &error);
    remove(path);
    assert_int_equal(berth_journal_place(journal), BERTH_JOURNAL_REMOVED);
    write_file(path, "another", 7);
    assert_int_equal(berth_journal_place(journal), BERTH_JOURNAL_REMOVED);
    berth_journal_close(journal);
}

/* Where a process forked from this one does something with the journal (NULL: waits for its end);
 * the child that waits. */
static pid_t fork_with(struct berth_journal *journal)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        berth_journal_close(journal);
        _exit(journal ? 0 : pause());
    }
    assert_true(!journal || waitpid(child, NULL, 0) == child);
    return child;
}

/* A journal is one handle's, of all threads and processes, until that is closed: what other handles
 * and what processes that were forked meanwhile do changes nothing about it. */
static void test_locked(void **state)
{
    (void)state;
    struct berth_journal *journal, *other;
    struct berth_error error;
    remove(path);
    demand(create(BERTH_JOURNAL_NEW, IDENTITY, &journal, &error), &error);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(create(BERTH_JOURNAL_RESUME, IDENTITY, &other, &error), BERTH_E_IO);
        assert_non_null(strstr(error.message, path));
        assert_int_equal(create(BERTH_JOURNAL_REPLACE, IDENTITY, &other, &error), BERTH_E_IO);
        assert_int_equal(berth_journal_open(path, &other, &error), BERTH_E_IO);
        fork_with(journal);
    }
    const pid_t child = fork_with(NULL);
    berth_journal_close(journal);
    demand(berth_journal_open(path, &journal, &error), &error);
    demand(berth_journal_open(path, &other, &error), &error); /* several may read */
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    berth_journal_close(journal);
    berth_journal_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_written_and_read),
                                       cmocka_unit_test(test_cut_anywhere),
                                       cmocka_unit_test(test_wrong_bytes),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_place),
                                       cmocka_unit_test(test_locked)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
