#include "base/text_reader.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"

enum { BUFFER_SIZE = 2 * BERTH_LINE_MAX };

struct berth_text_reader {
    char *path;
    struct berth_input *input; /* owned */
    bool end;                  /* no more bytes behind those in the buffer */
    bool again;
    bool skip;          /* what is left of a line that was too long comes first */
    bool broken;        /* nothing more can be read */
    size_t line;        /* number of the line last given */
    char *current;      /* the line last given */
    size_t begin, fill; /* unread bytes are buffer[begin .. fill) */
    size_t room;        /* at most BUFFER_SIZE */
    char buffer[];      /* [room + 1] */
};

/* Makes a reader of an open input of at most so many bytes, which it takes over. */
static enum berth_status create_over(const char *path, struct berth_input *input, size_t most,
                                     struct berth_text_reader **reader, struct berth_error *error)
{
    const size_t room = most < BUFFER_SIZE ? most : BUFFER_SIZE;
    struct berth_text_reader *made = berth_alloc(1, sizeof *made + room + 1);
    char *name = berth_copy_text(path);
    if (!made || !name) {
        free(made);
        free(name);
        berth_input_close(input);
        return berth_out_of_memory(error, path);
    }
    made->path = name;
    made->input = input;
    made->room = room;
    *reader = made;
    return BERTH_OK;
}

enum berth_status berth_text_reader_create(const char *path, struct berth_text_reader **reader,
                                           struct berth_error *error)
{
    *reader = NULL;
    struct berth_input *input;
    struct berth_error why;
    const enum berth_status status = berth_input_open(path, &input, &why);
    return status ? berth_fail(error, status, "%s: %s", path, why.message)
                  : create_over(path, input, SIZE_MAX, reader, error);
}

enum berth_status berth_text_reader_create_memory(const char *name, const void *bytes, size_t size,
                                                  struct berth_text_reader **reader,
                                                  struct berth_error *error)
{
    *reader = NULL;
    struct berth_input *input;
    BERTH_TRY(berth_input_open_memory(bytes, size, &input, error));
    return create_over(name, input, size, reader, error);
}

uint64_t berth_text_reader_offset(const struct berth_text_reader *reader)
{
    return berth_input_offset(reader->input);
}

void berth_text_reader_stop_on(struct berth_text_reader *reader, const atomic_bool *stop)
{
    berth_input_stop_on(reader->input, stop);
}

enum berth_status berth_text_reader_refuse(const struct berth_text_reader *reader,
                                           struct berth_error *error, const char *format, ...)
{
    char reason[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s", reader->path, reader->line, reason);
}

/* Moves the unread bytes to the front of the buffer and reads more behind them. */
static enum berth_status refill(struct berth_text_reader *reader, struct berth_error *error)
{
    memmove(reader->buffer, reader->buffer + reader->begin, reader->fill - reader->begin);
    reader->fill -= reader->begin;
    reader->begin = 0;
    size_t got;
    struct berth_error why;
    const enum berth_status status = berth_input_read(reader->input, reader->buffer + reader->fill,
                                                      reader->room - reader->fill, &got, &why);
    reader->fill += got;
    reader->end = got == 0;
    reader->broken = status != BERTH_OK;
    return status == BERTH_OK ? BERTH_OK
           : status == BERTH_E_FORMAT
               ? berth_fail(error, status, "%s:%zu: %s", reader->path, reader->line + 1,
                            why.message)
               : berth_fail(error, status, "%s: %s", reader->path, why.message);
}

/* Finds the end of the next line; its length without the newline in *length. */
static enum berth_status find_line(struct berth_text_reader *reader, size_t *length,
                                   struct berth_error *error)
{
    size_t searched = 0;
    for (;;) {
        const char *start = reader->buffer + reader->begin;
        const char *newline =
            memchr(start + searched, '\n', reader->fill - reader->begin - searched);
        if (newline) {
            *length = (size_t)(newline - start);
            break;
        }
        searched = reader->fill - reader->begin;
        if (reader->end || searched > BERTH_LINE_MAX) {
            *length = searched;
            break;
        }
        BERTH_TRY(refill(reader, error));
    }
    return BERTH_OK;
}

/* Consumes the line of *size bytes, less the carriage returns at its end, and checks it; a bad one
 * is behind us, too. */
static enum berth_status take_line(struct berth_text_reader *reader, size_t *size,
                                   struct berth_error *error)
{
    const char *start = reader->buffer + reader->begin;
    const bool newline = reader->begin + *size < reader->fill;
    reader->line++;
    reader->begin += *size + (newline ? 1 : 0);
    while (*size && start[*size - 1] == '\r') {
        --*size;
    }
    const size_t length = *size;
    if (length > BERTH_LINE_MAX) {
        reader->skip = !newline;
        return berth_text_reader_refuse(reader, error,
                                        "a line of more than %d bytes; this is not a text file of "
                                        "a supported format",
                                        BERTH_LINE_MAX);
    }
    if (memchr(start, '\0', length)) {
        return berth_text_reader_refuse(reader, error,
                                        "a NUL byte; this is a binary file, not text");
    }
    if (memchr(start, '\r', length)) {
        return berth_text_reader_refuse(reader, error,
                                        "a carriage return inside the line; lines end with LF or "
                                        "CRLF: convert the file, for example with `tr '\\r' "
                                        "'\\n'`");
    }
    return BERTH_OK;
}

enum berth_status berth_text_reader_next(struct berth_text_reader *reader, char **line,
                                         struct berth_error *error)
{
    if (reader->again) {
        reader->again = false;
        *line = reader->current;
        return BERTH_OK;
    }
    *line = reader->current = NULL;
    size_t length = 0;
    /* Passes over what is left of a line that was too long. */
    while (reader->skip) {
        const char *start = reader->buffer + reader->begin;
        const char *newline = memchr(start, '\n', reader->fill - reader->begin);
        reader->begin = newline ? (size_t)(newline - reader->buffer) + 1 : reader->fill;
        reader->skip = !newline && !reader->end;
        if (reader->skip) {
            BERTH_TRY(refill(reader, error));
        }
    }
    BERTH_TRY(find_line(reader, &length, error));
    if (length == 0 && reader->begin == reader->fill) {
        return BERTH_OK;
    }
    char *start = reader->buffer + reader->begin;
    BERTH_TRY(take_line(reader, &length, error));
    start[length] = '\0';
    *line = reader->current = start;
    return BERTH_OK;
}

bool berth_text_reader_is_broken(const struct berth_text_reader *reader)
{
    return reader->broken;
}

void berth_text_reader_unread(struct berth_text_reader *reader)
{
    reader->again = true;
}

const char *berth_text_reader_path(const struct berth_text_reader *reader)
{
    return reader->path;
}

size_t berth_text_reader_line(const struct berth_text_reader *reader)
{
    return reader->line;
}

void berth_text_reader_destroy(struct berth_text_reader *reader)
{
    if (!reader) {
        return;
    }
    berth_input_close(reader->input);
    free(reader->path);
    free(reader);
}
