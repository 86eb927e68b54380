#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* line: what it is but for its text; without a kind it is of no kind but its own. */
static __attribute__((format(printf, 3, 0))) void send_line(const struct berth_log *log,
                                                            struct berth_log_line line,
                                                            const char *format, va_list arguments)
{
    if (!log || !log->take) {
        return;
    }
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    line.kind = line.kind ? line.kind : text;
    line.text = text;
    log->take(log->context, &line);
}

void berth_warn(const struct berth_log *log, const char *kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send_line(log, (struct berth_log_line){.level = BERTH_LOG_WARNING, .kind = kind}, format,
              arguments);
    va_end(arguments);
}

void berth_note(const struct berth_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send_line(log, (struct berth_log_line){.level = BERTH_LOG_NOTE}, format, arguments);
    va_end(arguments);
}

void berth_detail(const struct berth_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send_line(log, (struct berth_log_line){.level = BERTH_LOG_NOTE, .kind = "detail"}, format,
              arguments);
    va_end(arguments);
}

void berth_log_failure(const struct berth_log *log, const char *ligand, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    send_line(log, (struct berth_log_line){.level = BERTH_LOG_FAILURE, .ligand = ligand}, format,
              arguments);
    va_end(arguments);
}

/* --- Gathering --- */

struct berth_gathered {
    char *kind, *text; /* owned; text: of the first */
    size_t count;
    bool same; /* all of the kind had this text */
};

static void send_gathered(const struct berth_log *next, const struct berth_gathered *row)
{
    if (row->count == 1) {
        berth_warn(next, row->kind, "%s", row->text);
    } else if (row->same) {
        berth_warn(next, row->kind, "%s (%zu times)", row->text, row->count);
    } else {
        berth_warn(next, row->kind, "%s (and %zu more of this kind)", row->text, row->count - 1);
    }
}

static void clear_gathered(struct berth_gathered *row)
{
    free(row->kind);
    free(row->text);
}

/* Adds a row, whose texts it takes, to that of its kind; false where there is no memory. */
static bool add_gathered(struct berth_gatherer *gatherer, struct berth_gathered *added)
{
    for (size_t i = 0; i < gatherer->count; i++) {
        struct berth_gathered *row = &gatherer->rows[i];
        if (strcmp(row->kind, added->kind) == 0) {
            row->count += added->count;
            row->same = row->same && added->same && strcmp(row->text, added->text) == 0;
            clear_gathered(added);
            return true;
        }
    }
    if (berth_reserve(&gatherer->rows, &gatherer->capacity, gatherer->count + 1,
                      sizeof *gatherer->rows, NULL)) {
        return false;
    }
    gatherer->rows[gatherer->count++] = *added;
    return true;
}

static void gather_line(void *context, const struct berth_log_line *line)
{
    struct berth_gatherer *gatherer = context;
    const struct berth_log *next = gatherer->next;
    struct berth_gathered row = {NULL, NULL, 1, true};
    if (line->level == BERTH_LOG_WARNING) {
        row.kind = berth_copy_text(line->kind);
        row.text = berth_copy_text(line->text);
    }
    if (row.kind && row.text && add_gathered(gatherer, &row)) {
        return;
    }
    clear_gathered(&row); /* no warning, or no memory to count it */
    if (next && next->take) {
        next->take(next->context, line);
    }
}

void berth_gatherer_move(struct berth_gatherer *from, struct berth_gatherer *to)
{
    for (size_t i = 0; i < from->count; i++) {
        if (!add_gathered(to, &from->rows[i])) {
            send_gathered(to->next, &from->rows[i]);
            clear_gathered(&from->rows[i]);
        }
    }
    free(from->rows);
    *from = (struct berth_gatherer){.next = from->next};
}

struct berth_log berth_gather(struct berth_gatherer *gatherer)
{
    return (struct berth_log){gather_line, gatherer};
}

void berth_gatherer_flush(struct berth_gatherer *gatherer)
{
    for (size_t i = 0; i < gatherer->count; i++) {
        send_gathered(gatherer->next, &gatherer->rows[i]);
        clear_gathered(&gatherer->rows[i]);
    }
    free(gatherer->rows);
    *gatherer = (struct berth_gatherer){.next = gatherer->next};
}
