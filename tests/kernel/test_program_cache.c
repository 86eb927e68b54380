/* Programs built with the disk cache: the same results from source, from the cache, and from a
 * cache that is broken in whatever way.  The device is the first one under another platform's name,
 * since PoCL is left to its own cache. */
#include "../unit/io_support.h"

#include <dirent.h>

#include "device/cache.h"
#include "device/program.h"

static const char SOURCE[] = "kernel void give(global int *to) { to[0] = ANSWER; }\n";

enum { HEADER = 52 }; /* bytes of an entry before the driver's binary */

struct fixture {
    char directory[PATH_SIZE]; /* the cache */
    struct berth_devices devices;
    struct berth_context *context;
};

static void clear_directory(const char *directory)
{
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct berth_error error;
    assert_non_null(fixture);
    make_scratch(fixture->directory);
    setenv("BERTH_CACHE_DIR", fixture->directory, 1);
    if (berth_devices_enumerate("all", NULL, &fixture->devices, &error)) {
        fail_msg("%s", error.message);
    }
    struct berth_device device = fixture->devices.devices[0];
    snprintf(device.platform, sizeof device.platform, "a platform without a cache");
    if (berth_context_create(&device, &fixture->context, &error)) {
        fail_msg("%s", error.message);
    }
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    berth_context_destroy(fixture->context);
    berth_devices_clear(&fixture->devices);
    clear_directory(fixture->directory);
    free(fixture);
    return 0;
}

/* Builds with these options and gives what the kernel does. */
static int answer(struct berth_context *context, const char *options)
{
    struct berth_program *program = NULL;
    struct berth_kernel *kernel = NULL;
    struct berth_buffer *buffer = NULL;
    struct berth_error error;
    int32_t given = 0;
    if (berth_program_create(context, SOURCE, options, &program, &error) ||
        berth_kernel_create(program, "give", &kernel, &error) ||
        berth_buffer_create(context, sizeof given, &buffer, &error)) {
        fail_msg("%s", error.message);
    }
    berth_kernel_set_buffer(kernel, 0, buffer);
    if (berth_kernel_launch(kernel, 1, 1, 1, NULL, &error) ||
        berth_buffer_read(buffer, &given, sizeof given, &error)) {
        fail_msg("%s", error.message);
    }
    berth_buffer_destroy(buffer);
    berth_kernel_destroy(kernel);
    berth_program_destroy(program);
    return given;
}

/* Number of entries; the path of the last one found. */
static int find_entries(const char *directory, char *path)
{
    DIR *opened = opendir(directory);
    int count = 0;
    for (struct dirent *found; opened && (found = readdir(opened));) {
        if (found->d_name[0] != '.') {
            join(path, directory, found->d_name);
            count++;
        }
    }
    if (opened) {
        closedir(opened);
    }
    return count;
}

static ino_t inode_of(const char *path)
{
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return facts.st_ino;
}

static void the_second_build_comes_from_the_cache(void **state)
{
    const struct fixture *fixture = *state;
    char path[PATH_SIZE];
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(find_entries(fixture->directory, path), 1);
    const ino_t first = inode_of(path);
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(find_entries(fixture->directory, path), 1);
    assert_int_equal(inode_of(path), first); /* not stored again: it was used */
}

/* Writes an entry that is whole and holds these bytes in place of the driver's. */
static void forge(const char *path, const char *bytes, size_t size)
{
    char *whole = read_file(path);
    struct berth_cache_key key;
    memcpy(key.hash, whole + 8, sizeof key.hash);
    free(whole);
    char directory[PATH_SIZE];
    snprintf(directory, sizeof directory, "%s", path);
    *strrchr(directory, '/') = '\0';
    berth_cache_store(directory, &key, bytes, size);
}

/* The entry of one program with the binary of another: the other one's answer says what ran. */
static void the_entry_is_what_runs(void **state)
{
    const struct fixture *fixture = *state;
    char path[PATH_SIZE];
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(find_entries(fixture->directory, path), 1);
    char *whole = read_file(path);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    unlink(path);
    assert_int_equal(answer(fixture->context, "-DANSWER=42"), 42);
    assert_int_equal(find_entries(fixture->directory, path), 1);
    forge(path, whole + HEADER, (size_t)facts.st_size - HEADER);
    free(whole);
    assert_int_equal(answer(fixture->context, "-DANSWER=42"), 41);
}

static void other_options_are_another_entry(void **state)
{
    const struct fixture *fixture = *state;
    char path[PATH_SIZE];
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(answer(fixture->context, "-DANSWER=42"), 42);
    assert_int_equal(find_entries(fixture->directory, path), 2);
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(answer(fixture->context, "-DANSWER=42"), 42);
    assert_int_equal(find_entries(fixture->directory, path), 2);
}

static void a_broken_entry_is_built_again_and_replaced(void **state)
{
    const struct fixture *fixture = *state;
    char path[PATH_SIZE];
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(find_entries(fixture->directory, path), 1);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    const size_t size = (size_t)facts.st_size, middle = size / 2;
    char *whole = read_file(path);
    const size_t lengths[] = {0, 1, HEADER - 1, HEADER, HEADER + 1, middle, size - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        write_file(path, whole, lengths[i]);
        assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
        assert_int_equal(stat(path, &facts), 0);
        assert_in_range(facts.st_size, middle + 1, 1 << 28);
    }
    whole[middle] = (char)(whole[middle] ^ 1);
    write_file(path, whole, size);
    const ino_t broken = inode_of(path);
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_not_equal(inode_of(path), broken);
    free(whole);
}

static void what_the_driver_refuses_is_built_again_and_replaced(void **state)
{
    const struct fixture *fixture = *state;
    char path[PATH_SIZE];
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(find_entries(fixture->directory, path), 1);
    static const char NONSENSE[4096] = "no driver's binary";
    forge(path, NONSENSE, sizeof NONSENSE);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_size, HEADER + sizeof NONSENSE);
    const ino_t forged = inode_of(path);
    assert_int_equal(answer(fixture->context, "-DANSWER=41"), 41);
    assert_int_equal(find_entries(fixture->directory, path), 1);
    assert_int_not_equal(inode_of(path), forged);
}

static void nothing_is_kept_where_nothing_can_be(void **state)
{
    const struct fixture *fixture = *state;
    char path[PATH_SIZE];
    const char *const useless[] = {"", "/proc/nothing", "/dev/null", "/dev/null/below"};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        setenv("BERTH_CACHE_DIR", useless[i], 1);
        assert_int_equal(answer(fixture->context, "-DANSWER=43"), 43);
    }
    assert_int_equal(find_entries(fixture->directory, path), 0);
}

static void a_refused_source_is_not_kept(void **state)
{
    const struct fixture *fixture = *state;
    char path[PATH_SIZE];
    struct berth_program *program;
    struct berth_error error = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            berth_program_create(fixture->context, SOURCE, "-DANSWER=nothing", &program, &error),
            BERTH_E_DEVICE);
        assert_null(program);
        assert_non_null(strstr(error.message, "nothing"));
    }
    assert_int_equal(find_entries(fixture->directory, path), 0);
}

static void pocl_is_left_to_its_own_cache(void **state)
{
    const struct fixture *fixture = *state;
    const struct berth_device *device = &fixture->devices.devices[0];
    char path[PATH_SIZE];
    struct berth_context *context;
    struct berth_error error;
    if (strcmp(device->platform, "Portable Computing Language") != 0) {
        skip();
    }
    assert_int_equal(berth_context_create(device, &context, &error), BERTH_OK);
    assert_int_equal(answer(context, "-DANSWER=44"), 44);
    /* no binary: the names of the kernels that were launched alone */
    struct stat facts;
    assert_int_equal(find_entries(fixture->directory, path), 1);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_size, HEADER + strlen(" give "));
    assert_int_equal(answer(context, "-DANSWER=44"), 44);
    assert_int_equal(inode_of(path), facts.st_ino);
    berth_context_destroy(context);
}

static void a_context_that_keeps_programs_gives_them_again(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_program *first, *again, *other;
    struct berth_error error;
    berth_context_keep_programs(fixture->context);
    assert_int_equal(berth_program_create(fixture->context, SOURCE, "-DANSWER=45", &first, &error),
                     BERTH_OK);
    berth_program_destroy(first);
    clear_directory(fixture->directory); /* so that the cache is not asked */
    assert_int_equal(berth_program_create(fixture->context, SOURCE, "-DANSWER=45", &again, &error),
                     BERTH_OK);
    assert_int_equal(berth_program_create(fixture->context, SOURCE, "-DANSWER=46", &other, &error),
                     BERTH_OK);
    assert_ptr_equal(first, again);
    assert_ptr_not_equal(first, other);
    assert_int_equal(answer(fixture->context, "-DANSWER=45"), 45);
    assert_int_equal(answer(fixture->context, "-DANSWER=46"), 46);
}

#define WITH_CACHE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CACHE(the_second_build_comes_from_the_cache),
        WITH_CACHE(the_entry_is_what_runs),
        WITH_CACHE(other_options_are_another_entry),
        WITH_CACHE(a_broken_entry_is_built_again_and_replaced),
        WITH_CACHE(what_the_driver_refuses_is_built_again_and_replaced),
        WITH_CACHE(nothing_is_kept_where_nothing_can_be),
        WITH_CACHE(a_refused_source_is_not_kept),
        WITH_CACHE(pocl_is_left_to_its_own_cache),
        WITH_CACHE(a_context_that_keeps_programs_gives_them_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
