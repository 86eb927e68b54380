#include "format/run_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input.h"
#include "format/output.h"
#include "format/receptor_names.h"

/* What a device of the list begins with. */
static const char DEVICE[] = "\n    {\"name\": \"";

enum berth_status berth_run_json_read(const char *path, const atomic_bool *stop,
                                      struct berth_bytes *json, struct berth_error *error)
{
    BERTH_TRY(berth_file_check_plain(path, error));
    if (berth_input_read_all(path, stop, json, error)) {
        return berth_fail_in(error, path);
    }
    berth_bytes_put8(json, 0);
    return json->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Where an object or a list of the file begins, and *end, where it ends; NULL: it has none. */
static const char *find_object(const struct berth_bytes *json, const char *name, char open,
                               const char **end)
{
    char key[64];
    snprintf(key, sizeof key, "\n  \"%s\": %c", name, open);
    const char *at = json->count ? strstr((const char *)json->data, key) : NULL;
    *end = at ? strstr(at, open == '{' ? "\n  }" : "\n  ]") : NULL;
    return *end ? at : NULL;
}

#define HEX_DIGITS "0123456789abcdefABCDEF"

/* Reads a text up to its closing quote. */
static void read_text(const char *at, char text[PATH_MAX])
{
    size_t used = 0;
    for (; *at && *at != '"' && used + 1 < PATH_MAX; at++) {
        unsigned code;
        if (at[0] == '\\' && at[1] == 'u' && strspn(at + 2, HEX_DIGITS) >= 4 &&
            sscanf(at + 2, "%4x", &code) == 1 && code < 256) {
            text[used++] = (char)code;
            at += 5;
        } else {
            at += *at == '\\' && at[1];
            text[used++] = *at;
        }
    }
    text[used] = '\0';
}

void berth_run_json_find(const struct berth_bytes *json, const char *object, const char *name,
                         char text[PATH_MAX])
{
    char key[64 + BERTH_RECEPTOR_KEY];
    const char *end, *at = find_object(json, object, '{', &end);
    text[0] = '\0';
    snprintf(key, sizeof key, "\n    \"%s\": \"", name);
    at = at ? strstr(at, key) : NULL;
    if (at && at < end) {
        read_text(at + strlen(key), text);
    }
}

void berth_run_json_each(const struct berth_bytes *json, const char *object, const char *prefix,
                         berth_run_json_visit visit, void *context)
{
    static const char LINE[] = "\n    \"", VALUE[] = ": \"";
    char name[PATH_MAX], text[PATH_MAX];
    const char *end, *at = find_object(json, object, '{', &end);
    while (at && (at = strstr(at, LINE)) != NULL && at < end) {
        at += strlen(LINE);
        read_text(at, name);
        at = strchr(at, '"');
        if (!at) { /* cut off */
            return;
        }
        at++;
        if (strncmp(name, prefix, strlen(prefix)) == 0 && strncmp(at, VALUE, strlen(VALUE)) == 0) {
            read_text(at + strlen(VALUE), text);
            visit(context, name, text);
        }
    }
}

uint64_t berth_run_json_number(const struct berth_bytes *json, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\n  \"%s\": ", name);
    const char *at = json->count ? strstr((const char *)json->data, key) : NULL;
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* Whether one of the list's devices in front of `at` has this name. */
static bool was_named(const char *list, const char *at, const char *name)
{
    char other[PATH_MAX];
    while ((list = strstr(list, DEVICE)) != NULL && list < at) {
        list += strlen(DEVICE);
        read_text(list, other);
        if (strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

size_t berth_run_json_devices(const struct berth_bytes *json, berth_run_json_visit visit,
                              void *context)
{
    char name[PATH_MAX];
    size_t count = 0;
    const char *end, *const list = find_object(json, "devices", '[', &end);
    const char *at = list ? strstr(list, DEVICE) : NULL;
    for (; at && at < end; at = strstr(at + 1, DEVICE)) {
        read_text(at + strlen(DEVICE), name);
        if (visit && !was_named(list, at, name)) {
            visit(context, "name", name);
        }
        count++;
    }
    return count;
}

enum berth_status berth_run_json_beside(const char *poses, struct berth_bytes *json,
                                        struct berth_error *error)
{
    char path[PATH_MAX];
    const char *slash = strrchr(poses, '/');
    berth_output_beside(poses, "run.json", path, sizeof path);
    if (access(path, R_OK)) {
        snprintf(path, sizeof path, "%.*srun.json", slash ? (int)(slash + 1 - poses) : 0, poses);
    }
    return access(path, R_OK) ? BERTH_OK : berth_run_json_read(path, NULL, json, error);
}

/* The run.json of a folder tells of its hits; what else lies there may be anybody's. */
static bool is_told_of(const char *poses)
{
    char path[PATH_MAX];
    const char *slash = strrchr(poses, '/');
    berth_output_beside(poses, "run.json", path, sizeof path);
    return !access(path, R_OK) || strncmp(slash ? slash + 1 : poses, "hits.", 5) == 0;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return !stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Whether the run's file and the one given are the same receptor, as far as it can be told. */
static bool is_same_receptor(const char *docked, const char *given)
{
    struct berth_bytes one = {0}, other = {0};
    struct berth_error ignored;
    char names[2][BERTH_RECEPTOR_NAME_SIZE];
    if (is_same_file(docked, given)) {
        return true;
    }
    bool same;
    if (berth_file_check_plain(docked, &ignored) || berth_file_check_plain(given, &ignored) ||
        berth_input_read_all(docked, NULL, &one, &ignored) ||
        berth_input_read_all(given, NULL, &other, &ignored)) {
        berth_receptor_name_of(docked, names[0]);
        berth_receptor_name_of(given, names[1]);
        same = strcmp(names[0], names[1]) == 0;
    } else {
        same = one.count == other.count &&
               (!one.count || memcmp(one.data, other.data, one.count) == 0);
    }
    berth_bytes_clear(&one);
    berth_bytes_clear(&other);
    return same;
}

void berth_run_json_check_receptor(const struct berth_bytes *json, const char *receptor,
                                   const struct berth_log *log)
{
    char docked[PATH_MAX], name[BERTH_RECEPTOR_NAME_SIZE], key[BERTH_RECEPTOR_KEY];
    berth_run_json_find(json, "files", "receptor", docked);
    if (!*docked) {
        berth_receptor_name_of(receptor, name);
        snprintf(key, sizeof key, "receptor_%.*s", BERTH_RECEPTOR_NAME_SIZE, name);
        berth_run_json_find(json, "files", key, docked);
    }
    if (*docked && access(receptor, F_OK) == 0 && !is_same_receptor(docked, receptor)) {
        berth_warn(log, NULL,
                   "the poses were docked into %s (run.json), and %s is another file; what follows "
                   "is of the poses in that, which is right only where it is the same structure",
                   docked, receptor);
    }
}

enum berth_status berth_run_json_check_beside(const char *poses, const char *receptor,
                                              const struct berth_log *log,
                                              struct berth_error *error)
{
    struct berth_bytes json = {0};
    const enum berth_status status =
        is_told_of(poses) ? berth_run_json_beside(poses, &json, error) : BERTH_OK;
    if (!status) {
        berth_run_json_check_receptor(&json, receptor, log);
    }
    berth_bytes_clear(&json);
    return status;
}

enum berth_status berth_run_json_cut(const char *poses, const char *receptor,
                                     struct berth_run_cut *cut, struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_bytes json = {0};
    const enum berth_status status =
        is_told_of(poses) ? berth_run_json_beside(poses, &json, error) : BERTH_OK;
    cut->ligand_id[0] = cut->covalent[0] = cut->side_chains[0] = '\0';
    if (!status) {
        berth_run_json_find(&json, "files", "receptor", path);
        if (is_same_file(path, receptor)) {
            berth_run_json_find(&json, "files", "ligand_id", cut->ligand_id);
            berth_run_json_find(&json, "identity", "covalent", cut->covalent);
            berth_run_json_find(&json, "identity", "side_chains", cut->side_chains);
        }
    }
    berth_bytes_clear(&json);
    return status;
}
