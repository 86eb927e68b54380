/* Contents: writing; reading; the run.json of some poses. */
#include "format/run_json.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input.h"
#include "score/receptor_names.h"

/* --- Writing --- */

struct writing {
    struct berth_output *output;
    const char *comma; /* and what else stands in front of the next member */
    bool quoted;       /* values are texts */
};

static void print_member(void *context, const char *name, const char *text)
{
    struct writing *writing = context;
    berth_output_print(writing->output, "%s", writing->comma);
    berth_output_json(writing->output, name);
    berth_output_print(writing->output, ": ");
    if (writing->quoted) {
        berth_output_json(writing->output, text);
    } else {
        berth_output_print(writing->output, "%s", text);
    }
    writing->comma = ",\n    ";
}

static void print_object(const struct berth_run_card *card, enum berth_run_part part,
                         const char *name, struct berth_output *output)
{
    struct writing writing = {.output = output, .comma = "\n    ", .quoted = true};
    berth_output_print(output, "  \"%s\": {", name);
    berth_run_card_each(card, part, print_member, &writing);
    berth_output_print(output, "\n  },\n");
}

/* The file's own texts, or numbers. */
static void print_result(const struct berth_run_card *card, bool texts, struct berth_output *output)
{
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT; i++) {
        const struct berth_run_row *row = &BERTH_RUN_ROWS[i];
        struct writing writing = {.output = output, .comma = "  ", .quoted = texts};
        if (row->part == BERTH_RUN_RESULT && (row->kind == BERTH_RUN_TEXT) == texts) {
            berth_run_row_each(card, row, print_member, &writing);
            berth_output_print(output, *writing.comma == ',' ? ",\n" : "");
        }
    }
}

/* A member of an object in one line. */
static void print_text(struct berth_output *output, const char *before, const char *text)
{
    berth_output_print(output, "%s: ", before);
    berth_output_json(output, text);
}

/* All devices that docked something, in this run or earlier ones.  Unlike ones round differently.
 */
static void print_devices(const struct berth_run_card *card, struct berth_output *output)
{
    berth_output_print(output, "  \"devices\": [");
    for (size_t i = 0; i < card->device_count; i++) {
        const struct berth_run_used *device = &card->devices[i];
        print_text(output, i ? ",\n    {\"name\"" : "\n    {\"name\"", device->name);
        print_text(output, ", \"platform\"", device->platform);
        print_text(output, ", \"driver\"", device->driver);
        print_text(output, ", \"variant\"", device->variant);
        berth_output_print(output, "}");
    }
    berth_output_print(output, "\n  ],\n  \"unlike_devices\": %s",
                       card->device_count > 1 ? "true" : "false");
}

static void print_work(const struct berth_run_card *card, struct berth_output *output)
{
    struct writing writing = {.output = output, .comma = "\n    ],\n    "};
    berth_output_print(output, ",\n  \"this_run\": {\n    \"devices\": [");
    for (size_t i = 0; i < card->done_count; i++) {
        const struct berth_run_used *done = &card->done[i];
        berth_output_print(output, "%s\n      {\"index\": %.0f", i ? "," : "", done->index);
        print_text(output, ", \"name\"", done->name);
        print_text(output, ", \"variant\"", done->variant);
        berth_output_print(output, ", \"conformers\": %.0f, \"failed\": %s}", done->conformers,
                           done->failed ? "true" : "false");
    }
    berth_run_card_each(card, BERTH_RUN_WORK, print_member, &writing);
    berth_output_print(output, "\n  }");
}

enum berth_status berth_run_json_print(struct berth_output *output,
                                       const struct berth_run_card *card, struct berth_error *error)
{
    const struct berth_run_card told = berth_run_card_told(card);
    berth_output_print(output, "{\n%s", card->campaign ? card->campaign : "");
    print_result(card, true, output);
    print_object(&told, BERTH_RUN_IDENTITY, "identity", output);
    print_object(&told, BERTH_RUN_FILES, "files", output);
    print_result(card, false, output);
    print_devices(card, output);
    if (!isnan(card->work.seconds)) {
        print_work(card, output);
    }
    berth_output_print(output, "\n}\n");
    return card->failed ? berth_out_of_memory(error, NULL) : berth_output_check(output, error);
}

enum berth_status berth_run_json_write(const char *path, const struct berth_run_card *card,
                                       struct berth_error *error)
{
    struct berth_output *output = NULL;
    BERTH_TRY(berth_output_create(path, &output, error));
    return berth_output_finish(output, berth_run_json_print(output, card, error), error);
}

/* --- Reading --- */

#define HEX_DIGITS "0123456789abcdefABCDEF"

/* What stands between the quotes that *at begins with, without escapes, in its place; NULL: it is
 * none.  *at: gets what is behind it. */
static char *take_text(char **at)
{
    char *text = *at + 1, *to = text, *from = text;
    if (**at != '"') {
        return NULL;
    }
    for (; *from && *from != '"'; from++) {
        unsigned code;
        if (from[0] == '\\' && from[1] == 'u' && strspn(from + 2, HEX_DIGITS) >= 4 &&
            sscanf(from + 2, "%4x", &code) == 1 && code < 256) {
            *to++ = (char)code;
            from += 5;
        } else {
            from += *from == '\\' && from[1];
            *to++ = *from;
        }
    }
    *at = from + (*from == '"');
    const bool whole = *from;
    *to = '\0';
    return whole ? text : NULL;
}

/* The member that *at begins with: its name, and its value; quoted: that is a text.  False where
 * there is none, or it is an object or a list. */
static bool take_member(char **at, char **name, char **value, bool *quoted)
{
    *name = take_text(at);
    if (!*name || strncmp(*at, ": ", 2) != 0) {
        return false;
    }
    *at += 2;
    *quoted = **at == '"';
    *value = *quoted ? take_text(at) : *at;
    if (!*value || (!*quoted && (**at == '{' || **at == '['))) {
        return false;
    }
    *at += strcspn(*at, ",}");
    char *end = *at;
    *at += **at ? 1 + strspn(*at + 1, " ") : 0;
    *end = '\0';
    return true;
}

/* Adds a device to a list of so many. */
static void read_device(struct berth_run_card *card, char *at, struct berth_run_used **list,
                        size_t *count)
{
    struct berth_run_used device = {.name = "", .platform = "", .driver = "", .variant = ""};
    struct berth_run_used *more = berth_run_card_more(card, *list, *count, sizeof device);
    char *name, *value;
    bool quoted;
    while (take_member(&at, &name, &value, &quoted)) {
        if (strcmp(name, "name") == 0) {
            device.name = value;
        } else if (strcmp(name, "platform") == 0) {
            device.platform = value;
        } else if (strcmp(name, "driver") == 0) {
            device.driver = value;
        } else if (strcmp(name, "variant") == 0) {
            device.variant = value;
        } else if (strcmp(name, "index") == 0) {
            device.index = strtod(value, NULL);
        } else if (strcmp(name, "conformers") == 0) {
            device.conformers = strtod(value, NULL);
        } else if (strcmp(name, "failed") == 0) {
            device.failed = strcmp(value, "true") == 0;
        }
    }
    if (more) {
        *list = more;
        more[(*count)++] = device;
    }
}

/* object: which the line is in; gets the one that it begins. */
static void read_line(struct berth_run_card *card, char *line, const char **object)
{
    const size_t indent = strspn(line, " ");
    char *at = line + indent, *name, *value;
    bool quoted;
    if (*at == '{' && indent > 2) {
        if (indent == 6) {
            read_device(card, at + 1, &card->done, &card->done_count);
        } else if (strcmp(*object, "devices") == 0) {
            read_device(card, at + 1, &card->devices, &card->device_count);
        }
        return;
    }
    if (!take_member(&at, &name, &value, &quoted)) {
        *object = name && indent == 2 ? name : *object;
    } else if (indent == 2) {
        berth_run_card_put(card, BERTH_RUN_RESULT, name, value);
    } else if (indent == 4 && quoted && strcmp(*object, "identity") == 0) {
        berth_run_card_put(card, BERTH_RUN_IDENTITY, name, value);
    } else if (indent == 4 && quoted && strcmp(*object, "files") == 0) {
        berth_run_card_put(card, BERTH_RUN_FILES, name, value);
    } else if (indent == 4 && strcmp(*object, "this_run") == 0) {
        berth_run_card_put(card, BERTH_RUN_WORK, name, value);
    }
}

void berth_run_json_parse(struct berth_run_card *card)
{
    const char *object = "";
    char *text = card->json.failed ? NULL : berth_run_card_keep(card, card->json.count, 1);
    card->failed = card->failed || card->json.failed;
    if (text) {
        memcpy(text, card->json.data, card->json.count);
    }
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        read_line(card, line, &object);
    }
}

enum berth_status berth_run_json_read(const char *path, const atomic_bool *stop,
                                      struct berth_run_card *card, struct berth_error *error)
{
    berth_run_card_start(card);
    BERTH_TRY(berth_file_check_plain(path, error));
    if (berth_input_read_all(path, stop, &card->json, error)) {
        return berth_fail_in(error, path);
    }
    berth_bytes_put8(&card->json, 0);
    berth_run_json_parse(card);
    return card->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* --- The run.json of some poses --- */

enum berth_status berth_run_json_beside(const char *poses, struct berth_run_card *card,
                                        struct berth_error *error)
{
    char path[PATH_MAX];
    berth_run_card_start(card);
    berth_output_beside(poses, "run.json", path, sizeof path);
    if (access(path, R_OK)) {
        snprintf(path, sizeof path, "%.*srun.json", (int)(berth_file_name(poses) - poses), poses);
    }
    return access(path, R_OK) ? BERTH_OK : berth_run_json_read(path, NULL, card, error);
}

/* The run.json of a folder tells of its hits; what else lies there may be anybody's. */
static bool is_told_of(const char *poses)
{
    char path[PATH_MAX];
    berth_output_beside(poses, "run.json", path, sizeof path);
    return !access(path, R_OK) || strncmp(berth_file_name(poses), "hits.", 5) == 0;
}

/* Whether the run's file and the one given are the same receptor, as far as it can be told. */
static bool is_same_receptor(const char *docked, const char *given)
{
    struct berth_bytes one = {0}, other = {0};
    struct berth_error ignored;
    char names[2][BERTH_RECEPTOR_NAME_SIZE];
    if (berth_is_same_file(docked, given)) {
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

void berth_run_check_receptor(const struct berth_run_card *card, const char *receptor,
                              const struct berth_log *log)
{
    char name[BERTH_RECEPTOR_NAME_SIZE];
    const char *docked = berth_run_named_find(card->files.receptor, BERTH_RECEPTORS_MAX, "");
    if (!*docked) {
        berth_receptor_name_of(receptor, name);
        docked = berth_run_named_find(card->files.receptor, BERTH_RECEPTORS_MAX, name);
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
    struct berth_run_card card;
    berth_run_card_start(&card);
    const enum berth_status status =
        is_told_of(poses) ? berth_run_json_beside(poses, &card, error) : BERTH_OK;
    if (!status) {
        berth_run_check_receptor(&card, receptor, log);
    }
    berth_run_card_clear(&card);
    return status;
}

enum berth_status berth_run_json_in(const char *poses, const char *receptor,
                                    struct berth_run_card *card, struct berth_error *error)
{
    berth_run_card_start(card);
    BERTH_TRY(is_told_of(poses) ? berth_run_json_beside(poses, card, error) : BERTH_OK);
    if (!berth_is_same_file(berth_run_named_find(card->files.receptor, BERTH_RECEPTORS_MAX, ""),
                            receptor)) {
        berth_run_card_clear(card);
        berth_run_card_start(card);
    }
    return BERTH_OK;
}
