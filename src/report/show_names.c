/* Ligands that `berth show` is asked for by name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "eval/screen/ligands.h"
#include "report/show_internal.h"

/* Names with commas between, as a list.  Errors: BERTH_E_USAGE (an empty one), BERTH_E_MEMORY. */
static enum berth_status split_names(const char *text, const char *option,
                                     struct berth_named_ligands *ligands, struct berth_error *error)
{
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        const size_t length = (size_t)(end - at);
        BERTH_TRY(berth_reserve(&ligands->items, &ligands->capacity, ligands->count + 1,
                                sizeof *ligands->items, error));
        struct berth_named_ligand *ligand = &ligands->items[ligands->count];
        *ligand = (struct berth_named_ligand){0};
        BERTH_TRY(berth_make(&ligand->name, length + 1, 1, NULL, error));
        memcpy(ligand->name, at, length);
        berth_text_trim_list(ligand->name);
        ligands->count++;
        if (!*ligand->name) {
            return berth_fail_option(error, BERTH_E_USAGE, option, "%s: an empty name", option);
        }
    }
    berth_named_ligands_sort(ligands);
    return BERTH_OK;
}

enum berth_status names_read(struct show *show, const char *option, struct names *names,
                             struct berth_error *error)
{
    const bool excludes = strcmp(option, "exclude_names") == 0;
    const char *text = excludes ? show->settings->exclude_names : show->settings->names;
    if (!text) {
        return BERTH_OK;
    }
    if (show->ligand == SIZE_MAX) {
        return berth_fail_option(error, BERTH_E_FORMAT, option,
                                 "%s: the table has no column ligand or name", option);
    }
    const struct berth_known_setup setup = {.path = text, .log = show->settings->log};
    names->option = option;
    names->listed = access(text, F_OK) == 0 ? NULL : text;
    BERTH_TRY(!names->listed ? berth_known_read(&setup, &names->ligands, error)
                             : split_names(text, option, &names->ligands, error));
    return berth_make(&names->seen, names->ligands.count, sizeof *names->seen, NULL, error);
}

/* Whether one of the names is among these, which are marked as seen. */
static bool match(struct names *names, const struct berth_sql_call *call)
{
    bool has = false;
    for (int i = 0; names->seen && i < call->count; i++) {
        const struct berth_named_ligand *found =
            berth_ligand_find(&names->ligands, berth_call_text(call, i));
        if (found) {
            names->seen[found - names->ligands.items] = true;
            has = true;
        }
    }
    return has;
}

/* Both lists look at each row, whatever else leaves it out, since they tell which of their names
 * the table lacks. */
enum berth_status names_match(void *context, const struct berth_sql_call *call,
                              struct berth_error *error)
{
    struct show *show = context;
    const bool asked = match(&show->asked, call), excluded = match(&show->excluded, call);
    (void)error;
    berth_call_give_integer(call, (asked || !show->asked.seen) && !excluded);
    return BERTH_OK;
}

enum berth_status names_tell(const struct show *show, const struct names *names,
                             struct berth_error *error)
{
    size_t missing = 0;
    const char *first = NULL;
    for (size_t i = 0; names->seen && i < names->ligands.count; i++) {
        const char *name = names->ligands.items[i].name;
        const bool head = strcmp(name, "ligand") == 0 || strcmp(name, "name") == 0; /* of a table */
        if (!names->seen[i] && !head && !missing++) {
            first = name;
        }
    }
    if (missing && missing == names->ligands.count && names->listed) {
        return berth_fail_option(error, BERTH_E_USAGE, names->option,
                                 "%s: there is neither a file %s nor a ligand or molecule of %s in "
                                 "the table",
                                 names->option, names->listed,
                                 missing > 1 ? "these names" : "this name");
    }
    if (missing) {
        berth_warn(show->settings->log, NULL,
                   "%zu of the %zu names are in no row of the table (%s%s)", missing,
                   names->ligands.count, first, missing > 1 ? " ..." : "");
    }
    return BERTH_OK;
}

void names_clear(struct names *names)
{
    berth_named_ligands_clear(&names->ligands);
    free(names->seen);
    memset(names, 0, sizeof *names);
}
