/* berth serve: a process that docks what it is asked for, line by line, in the protocol of
 * EasyDock's docking servers: JSON on standard input and output.
 *
 *     {"id": 1, "command": "info", "payload": {}}
 *     {"id": 2, "command": "init", "payload": {"receptor": "site.brec", "seed": 2}}
 *     {"id": 3, "command": "dock", "payload": {"aspirin": "CC(=O)Oc1ccccc1C(=O)O"}}
 *
 * Each gets a line with its id and a payload, whose status is "ok" or "error". */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/leftovers.h"
#include "base/memory.h"
#include "cli/common.h"
#include "cli/receptors.h"
#include "cli/run_lines.h"
#include "cli/serve_batch.h"
#include "format/json.h"

static const struct cli_usage USAGE = {
    "serve", "[--receptor R.pdb|R.brec] [options]",
    "Docks ligands as they are asked for, with devices, receptor and maps kept ready: requests of\n"
    "EasyDock's servers on standard input (info, init, dock: a line of JSON each), an answer each\n"
    "on standard output.  init may have the options, too; names and defaults are the same.  "
    "Ligands\n"
    "are SMILES, and the results those of `berth screen`."};

enum {
    LINE_MAX_BYTES = 1 << 28,
    BATCH = 100 /* ligands that a client is told to ask for at a time */
};

/* What the command holds. */
struct server {
    const struct berth_options *given; /* on the command line */
    struct berth_options options;      /* these, with those of init; of an open docking */
    struct cli_receptors receptors;
    berth_devices *devices;
    berth_docking *docking; /* NULL: none is open */
    struct berth_log log;
    struct serve_batch *batch; /* that is being docked; NULL: none is */
    char path[PATH_MAX];       /* of the file of its SMILES */
    bool stuck;                /* a device hangs */
};

/* --- The docking --- */

/* What fails of a batch is a part of its answer. */
static void take_line(void *context, const struct berth_log_line *line)
{
    const struct server *server = context;
    if (line->level == BERTH_LOG_FAILURE && line->ligand && server->batch) {
        serve_batch_fail(server->batch, line->ligand, line->text);
    }
    cli_log()->take(cli_log()->context, line);
}

static void close_docking(struct server *server)
{
    server->stuck = server->stuck || berth_docking_is_stuck(server->docking);
    if (!server->stuck) { /* else freeing it may take forever */
        berth_docking_free(server->docking);
        berth_devices_free(server->devices);
    }
    server->docking = NULL;
    server->devices = NULL;
    cli_receptors_clear(&server->receptors);
    server->receptors = (struct cli_receptors){.text = NULL};
    berth_options_clear(&server->options);
}

/* The value as an option takes it; NULL: its default. */
static enum berth_status option_text(const struct berth_json_value *value, const char **text,
                                     struct berth_error *error)
{
    switch (value->kind) {
    case BERTH_JSON_LIST:
    case BERTH_JSON_OBJECT:
        return berth_fail(error, BERTH_E_USAGE,
                          "%s: an option takes a text, a number, true or false", value->name);
    case BERTH_JSON_TRUE:
        *text = "true";
        return BERTH_OK;
    case BERTH_JSON_FALSE:
        *text = "false";
        return BERTH_OK;
    default:
        *text = value->text;
        return BERTH_OK;
    }
}

/* Those of the command line, with what init says. */
static enum berth_status set_options(struct server *server, const struct berth_json_value *payload,
                                     struct berth_error *error)
{
    struct berth_options *options = &server->options;
    BERTH_TRY(berth_options_copy(server->given, options, error));
    for (const struct berth_json_value *value = NULL;
         payload && (value = berth_json_next(payload, value));) {
        const char *text = NULL;
        BERTH_TRY(option_text(value, &text, error));
        BERTH_TRY(
            berth_options_put(options->rows, options, &options->parsed, value->name, text, error));
    }
    options->sdf = true;
    return options->receptor ? BERTH_OK
                             : berth_fail_option(error, BERTH_E_USAGE, "receptor",
                                                 "receptor: what to dock into is not said");
}

static enum berth_status open_docking(struct server *server, const struct berth_json_value *payload,
                                      struct berth_error *error)
{
    struct cli_receptors *receptors = &server->receptors;
    struct berth_options *options = &server->options;
    BERTH_TRY(set_options(server, payload, error));
    BERTH_TRY(cli_receptors_split(options->receptor, receptors, error));
    BERTH_TRY(cli_receptors_load_ranked(receptors, options, error));
    BERTH_TRY(berth_devices_find(options, cli_log(), &server->devices, error));
    return berth_docking_open((const berth_receptor *const *)receptors->handles, receptors->count,
                              server->devices, options, &server->log, &server->docking, error);
}

/* Opens it anew; payload NULL: by the command line alone. */
static enum berth_status reopen(struct server *server, const struct berth_json_value *payload,
                                struct berth_error *error)
{
    close_docking(server);
    const enum berth_status status = open_docking(server, payload, error);
    if (status) {
        close_docking(server);
    }
    return status;
}

static bool take(void *context, const struct berth_docked_ligand *ligand)
{
    return serve_batch_take(((struct server *)context)->batch, ligand);
}

/* Docks what can be read of the batch.  A file in which nothing can be read is an error of a
 * docking, but here each ligand has its own. */
static enum berth_status dock(struct server *server, struct serve_batch *batch,
                              struct berth_error *error)
{
    const struct berth_ligand_calls calls = {take, NULL, server};
    BERTH_TRY(serve_batch_write(batch, server->path, error));
    if (!batch->written_count) {
        return BERTH_OK;
    }
    server->batch = batch;
    const enum berth_status status =
        berth_docking_file(server->docking, server->path, &calls, error);
    server->batch = NULL;
    if (batch->starved) {
        return berth_out_of_memory(error, NULL);
    }
    if (status && !serve_batch_is_whole(batch)) {
        close_docking(server); /* what has failed may be a device: the next request opens it anew */
        return status;
    }
    return BERTH_OK;
}

/* --- Answers --- */

/* An answer that is being written; its payload is open. */
struct answer {
    struct berth_json json;
    char *text; /* owned, once it is committed */
    size_t size;
};

static enum berth_status begin_answer(struct answer *answer, const struct berth_json_value *id,
                                      struct berth_error *error)
{
    *answer = (struct answer){.text = NULL};
    struct berth_json *json = &answer->json;
    BERTH_TRY(berth_output_create_memory(&answer->text, &answer->size, &json->output, error));
    berth_json_open(json, NULL, '{');
    if (id && id->kind == BERTH_JSON_TEXT) {
        berth_json_text(json, "id", id->text);
    } else {
        berth_json_print(json, "id", "%s", id && id->text ? id->text : "null");
    }
    berth_json_open(json, "payload", '{');
    return BERTH_OK;
}

/* Sends the answer, or where status says so, that there is none but the error.  Errors: no answer
 * can be given. */
static enum berth_status end_answer(struct answer *answer, struct berth_error *error)
{
    berth_json_close(&answer->json, '}');
    berth_json_close(&answer->json, '}');
    berth_output_print(answer->json.output, "\n");
    const enum berth_status status = berth_output_commit(answer->json.output, error);
    const bool sent = !status && fwrite(answer->text, 1, answer->size, stdout) == answer->size &&
                      fflush(stdout) == 0;
    free(answer->text);
    return status || sent ? status
                          : berth_fail(error, BERTH_E_IO, "no answer can be written any more");
}

static enum berth_status answer_error(const struct berth_json_value *id, const char *why,
                                      struct berth_error *error)
{
    struct answer answer;
    cli_say("%s", why);
    BERTH_TRY(begin_answer(&answer, id, error));
    berth_json_text(&answer.json, "status", "error");
    berth_json_shown(&answer.json, "error", why);
    return end_answer(&answer, error);
}

static void put_ligand(const struct serve_ligand *ligand, struct berth_json *json)
{
    static const char END[] = "M  END\n";
    berth_json_open(json, ligand->name, '{');
    if (ligand->poses.count) {
        char *poses = (char *)ligand->poses.data, *end = strstr(poses, END);
        berth_json_number(json, "docking_score", ligand->score, 4);
        berth_json_text(json, "raw_block", poses);
        if (end) {
            end[sizeof END - 1] = '\0';
            berth_json_text(json, "mol_block", poses);
        }
    } else {
        berth_json_shown(json, "error", ligand->failure ? ligand->failure : "it was not read");
    }
    berth_json_close(json, '}');
}

static void put_info(struct berth_json *json)
{
    berth_json_text(json, "program", "berth");
    berth_json_text(json, "version", berth_version());
    berth_json_count(json, "batch_size", BATCH);
    berth_json_text(json, "ligand_in_format", "smiles");
    berth_json_text(json, "ligand_out_format", "sdf");
    berth_json_text(json, "score_mode", "min");
}

/* --- Requests --- */

static enum berth_status work_on_batch(struct server *server,
                                       const struct berth_json_value *payload,
                                       struct serve_batch *batch, struct berth_error *error)
{
    BERTH_TRY(server->docking ? BERTH_OK : reopen(server, NULL, error));
    BERTH_TRY(serve_batch_create(payload, server->options.rank != NULL, batch, error));
    return dock(server, batch, error);
}

static void put_results(const struct serve_batch *batch, struct berth_json *json)
{
    berth_json_open(json, "results", '{');
    for (size_t i = 0; i < batch->count; i++) {
        put_ligand(&batch->ligands[i], json);
    }
    berth_json_close(json, '}');
}

/* Does what a request says.  batch: zeroed, the caller's to clear. */
static enum berth_status work(struct server *server, const struct berth_json_value *request,
                              struct serve_batch *batch, struct berth_error *error)
{
    const struct berth_json_value *command = berth_json_member(request, "command");
    const struct berth_json_value *payload = berth_json_member(request, "payload");
    const char *name = command && command->kind == BERTH_JSON_TEXT ? command->text : "";
    if (strcmp(name, "info") == 0) {
        return BERTH_OK;
    }
    if (strcmp(name, "init") == 0) {
        return !payload || payload->kind == BERTH_JSON_OBJECT
                   ? reopen(server, payload, error)
                   : berth_fail(error, BERTH_E_FORMAT, "payload: an object of options is needed");
    }
    return strcmp(name, "dock") == 0
               ? work_on_batch(server, payload, batch, error)
               : berth_fail(error, BERTH_E_FORMAT, "command: info, init or dock, not \"%s\"", name);
}

/* Answers a request.  Errors: no answer can be given. */
static enum berth_status serve(struct server *server, const struct berth_json_value *request,
                               struct berth_error *error)
{
    const struct berth_json_value *id = berth_json_member(request, "id");
    const struct berth_json_value *command = berth_json_member(request, "command");
    struct serve_batch batch = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct berth_error why;
    struct answer answer;
    enum berth_status status = work(server, request, &batch, &why);
    if (status) {
        status = answer_error(id, why.message, error);
    } else {
        status = begin_answer(&answer, id, error);
        if (!status) {
            berth_json_text(&answer.json, "status", "ok");
            if (strcmp(command->text, "info") == 0) {
                put_info(&answer.json);
            } else if (strcmp(command->text, "dock") == 0) {
                put_results(&batch, &answer.json);
            }
            status = end_answer(&answer, error);
        }
    }
    serve_batch_clear(&batch);
    return status;
}

static enum berth_status serve_line(struct server *server, const struct berth_bytes *line,
                                    bool whole, struct berth_error *error)
{
    struct berth_json_tree tree = {.values = NULL};
    struct berth_error why;
    enum berth_status status =
        line->failed ? berth_out_of_memory(&why, "request")
        : whole
            ? berth_json_read((const char *)line->data, line->count, &tree, &why)
            : berth_fail(&why, BERTH_E_FORMAT, "a request has %d MB at most", LINE_MAX_BYTES >> 20);
    status = status ? answer_error(NULL, why.message, error) : serve(server, tree.values, error);
    berth_json_tree_clear(&tree);
    return status;
}

/* Reads a line without its end; *whole is false where it is too long.  False: at the end. */
static bool read_line(struct berth_bytes *line, bool *whole)
{
    int byte;
    line->count = 0;
    *whole = true;
    while ((byte = getc(stdin)) != EOF && byte != '\n') {
        *whole = *whole && line->count < LINE_MAX_BYTES;
        if (*whole) {
            berth_bytes_put8(line, (unsigned char)byte);
        }
    }
    return byte != EOF || line->count;
}

/* --- The command --- */

/* A file that nobody else has, whose ending says what is in it. */
static enum berth_status make_file(struct server *server, struct berth_error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/berth-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = mkstemp(path);
    if (file < 0 || close(file) != 0 ||
        snprintf(server->path, sizeof server->path, "%s.smi", path) >= PATH_MAX ||
        rename(path, server->path) != 0) {
        return berth_fail(error, BERTH_E_IO, "%s: no file can be made there (TMPDIR)", path);
    }
    berth_leftovers_add(server->path);
    return BERTH_OK;
}

static enum berth_status serve_all(void *values, int *code, struct berth_error *error)
{
    struct server server = {.given = values};
    struct berth_bytes line = {.data = NULL};
    bool whole;
    server.log = (struct berth_log){take_line, &server};
    if (!server.given->verbose) {
        cli_log_be_brief(false);
    }
    cli_set_environment();
    enum berth_status status = make_file(&server, error);
    /* what the command line says shows itself wrong at once */
    if (!status && server.given->receptor) {
        status = reopen(&server, NULL, error);
    }
    while (!status && !server.stuck && read_line(&line, &whole)) {
        status = serve_line(&server, &line, whole, error);
    }
    close_docking(&server);
    berth_bytes_clear(&line);
    if (*server.path) {
        remove(server.path);
        berth_leftovers_forget(server.path);
    }
    if (server.stuck) {
        cli_leave_devices(CLI_FATAL);
    }
    *code = CLI_DONE;
    return status;
}

int cmd_serve(int argc, char **argv)
{
    return cli_run_options(&USAGE, serve_all, argc, argv);
}
