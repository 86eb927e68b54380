#include "format/run_json.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "format/output.h"
#include "format/receptor_names.h"

enum berth_status berth_run_json_read(const char *path, const atomic_bool *stop,
                                      struct berth_bytes *json, struct berth_error *error)
{
    if (berth_input_read_all(path, stop, json, error)) {
        return berth_fail_in(error, path);
    }
    berth_bytes_put8(json, 0);
    return json->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

void berth_run_json_find(const struct berth_bytes *json, const char *object, const char *name,
                         char text[PATH_MAX])
{
    char key[64 + BERTH_RECEPTOR_KEY];
    size_t used = 0;
    text[0] = '\0';
    if (!json->count) {
        return;
    }
    snprintf(key, sizeof key, "\n  \"%s\": {", object);
    const char *at = strstr((const char *)json->data, key);
    const char *end = at ? strstr(at, "\n  }") : NULL;
    snprintf(key, sizeof key, "\n    \"%s\": \"", name);
    at = at ? strstr(at, key) : NULL;
    if (!at || !end || at > end) {
        return;
    }
    for (at += strlen(key); *at && *at != '"' && used + 1 < PATH_MAX; at++) {
        unsigned code;
        if (at[0] == '\\' && at[1] == 'u' && sscanf(at + 2, "%4x", &code) == 1 && code < 256) {
            text[used++] = (char)code;
            at += 5;
        } else {
            at += *at == '\\' && at[1];
            text[used++] = *at;
        }
    }
    text[used] = '\0';
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
    if (berth_input_read_all(docked, NULL, &one, &ignored) ||
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
