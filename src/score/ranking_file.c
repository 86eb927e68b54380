#include "score/ranking_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "score/terms.h"

/* The line without comment and blanks at its ends. */
static char *trim(char *line)
{
    line[strcspn(line, "#\r\n")] = '\0';
    line += strspn(line, " \t");
    for (size_t end = strlen(line); end && strchr(" \t", line[end - 1]); end--) {
        line[end - 1] = '\0';
    }
    return line;
}

/* Takes a line. */
static enum berth_status take_line(char *line, const char *path, size_t number,
                                   struct berth_ranking_texts *texts, struct berth_error *error)
{
    const struct {
        const char *name;
        char **text;
    } known[] = {
        {"scoring", &texts->scoring}, {"poses", &texts->poses}, {"ligands", &texts->ligands}};
    char *name = trim(line), *value = strchr(name, '=');
    if (!*name) {
        return BERTH_OK;
    }
    if (value) {
        *value++ = '\0';
        name = trim(name);
        value = trim(value);
    }
    if (value && strcmp(name, "pool") == 0 && !texts->pool && strlen(value) == 1 && *value >= '1' &&
        *value <= '0' + BERTH_FUNCTIONS_MAX) {
        texts->pool = (size_t)(*value - '0');
        return BERTH_OK;
    }
    for (size_t i = 0; value && *value && i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0 && !*known[i].text) {
            if (known[i].text == &texts->scoring) {
                berth_text_trim_list(value);
            }
            *known[i].text = berth_copy_text(value);
            return *known[i].text ? BERTH_OK : berth_out_of_memory(error, path);
        }
    }
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s:%zu: expected one line each of `scoring = FUNCTIONS`, `pool = N` (1 to "
                      "%d), `poses = EXPRESSION` and `ligands = EXPRESSION`",
                      path, number, BERTH_FUNCTIONS_MAX);
}

static enum berth_status read_lines(struct berth_text_reader *reader, const char *path,
                                    struct berth_ranking_texts *texts, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    size_t number = 0;
    char *line = NULL;
    do {
        status = berth_text_reader_next(reader, &line, error);
        if (!status && line) {
            status = take_line(line, path, ++number, texts, error);
        }
    } while (!status && line);
    if (!status && (!texts->poses || !texts->ligands)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: there is no line `%s = EXPRESSION`", path,
                            texts->poses ? "ligands" : "poses");
    }
    return status;
}

enum berth_status berth_ranking_find(const char *rank, struct berth_ranking_texts *texts,
                                     struct berth_error *error)
{
    const struct berth_embedded *built_in = berth_embedded_rankings;
    const size_t length = strlen(rank);
    struct berth_text_reader *reader = NULL;
    memset(texts, 0, sizeof *texts);
    while (built_in->name && strcmp(built_in->name, rank) != 0) {
        built_in++;
    }
    if (!built_in->name && (length < 6 || strcmp(rank + length - 5, ".rank") != 0)) {
        texts->poses = berth_copy_text(rank);
        texts->ligands = berth_copy_text(rank);
        return texts->poses && texts->ligands ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    enum berth_status status =
        built_in->name
            ? berth_text_reader_create_memory(rank, built_in->text, built_in->size, &reader, error)
            : berth_text_reader_create(rank, &reader, error);
    BERTH_THEN(read_lines(reader, rank, texts, error));
    berth_text_reader_destroy(reader);
    return status;
}

void berth_ranking_names(char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (const struct berth_embedded *file = berth_embedded_rankings; file->name && used < size;
         file++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", file->name);
    }
}

void berth_ranking_texts_clear(struct berth_ranking_texts *texts)
{
    free(texts->scoring);
    free(texts->poses);
    free(texts->ligands);
    memset(texts, 0, sizeof *texts);
}
