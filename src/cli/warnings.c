#include "cli/warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/common.h"

struct cli_warning {
    char *kind, *text; /* owned; text: of the first */
    size_t count;
    bool same; /* all of the kind had this text */
};

static void print(const struct cli_warning *warning)
{
    if (warning->count == 1) {
        cli_say("warning: %s", warning->text);
    } else if (warning->same) {
        cli_say("warning: %s (%zu times)", warning->text, warning->count);
    } else {
        cli_say("warning: %s (and %zu more of this kind)", warning->text, warning->count - 1);
    }
}

static void clear(struct cli_warning *warning)
{
    free(warning->kind);
    free(warning->text);
}

static void gather(void *context, const struct berth_log_line *line)
{
    struct cli_warnings *warnings = context;
    const char *kind = line->kind, *text = line->text;
    if (line->level != BERTH_LOG_WARNING) {
        cli_log().take(NULL, line);
        return;
    }
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
        cli_say("warning: %s", text);
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
