#include "cli/warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct cli_warning {
    char *kind, *text; /* owned; text: of the first */
    size_t count;
    bool same; /* all of the kind had this text */
};

static void print(const struct cli_warning *warning)
{
    fprintf(stderr, "berth: warning: %s", warning->text);
    if (warning->count > 1 && warning->same) {
        fprintf(stderr, " (%zu times)", warning->count);
    } else if (warning->count > 1) {
        fprintf(stderr, " (and %zu more of this kind)", warning->count - 1);
    }
    fputc('\n', stderr);
}

static void clear(struct cli_warning *warning)
{
    free(warning->kind);
    free(warning->text);
}

static void gather(void *context, const char *kind, const char *text)
{
    struct cli_warnings *warnings = context;
    for (size_t i = 0; i < warnings->count; i++) {
        struct cli_warning *row = &warnings->rows[i];
        if (strcmp(row->kind, kind) == 0) {
            row->count++;
            row->same = row->same && strcmp(row->text, text) == 0;
            return;
        }
    }
    struct cli_warning row = {berth_copy_text(kind), berth_copy_text(text), 1, true};
    if (row.kind && row.text &&
        !berth_reserve(&warnings->rows, &warnings->capacity, warnings->count + 1,
                       sizeof *warnings->rows, NULL)) {
        warnings->rows[warnings->count++] = row;
    } else { /* no memory to count it */
        fprintf(stderr, "berth: warning: %s\n", text);
        clear(&row);
    }
}

struct berth_log cli_warnings_log(struct cli_warnings *warnings)
{
    return (struct berth_log){gather, warnings};
}

void cli_warn_torsions(const struct berth_log *log, const char *ligand,
                       const struct berth_flexible *flexible)
{
    berth_warn(log, "torsions",
               "%s: %zu of its %zu rotatable bonds do not turn: there is room for %d", ligand,
               flexible->fixed, flexible->fixed + flexible->tree.count,
               BERTH_FLEXIBLE_TORSIONS_MAX);
}

void cli_warnings_print(struct cli_warnings *warnings)
{
    for (size_t i = 0; i < warnings->count; i++) {
        print(&warnings->rows[i]);
        clear(&warnings->rows[i]);
    }
    free(warnings->rows);
    memset(warnings, 0, sizeof *warnings);
}
