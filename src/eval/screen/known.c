#include "eval/screen/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text_reader.h"
#include "prep/facts.h"
#include "eval/screen/scores.h"

/* A reading on its way. */
struct taking {
    const struct berth_known_reading *reading;
    struct berth_known_set *set;
};

static enum berth_status take(void *context, const struct berth_facts *facts,
                              struct berth_error *error)
{
    const struct taking *taking = context;
    struct berth_known_set *set = taking->set;
    if (!*facts->name) {
        return BERTH_OK; /* nothing could be found by it */
    }
    enum berth_status status =
        berth_reserve(&set->items, &set->capacity, set->count + 1, sizeof *set->items, error);
    if (status) {
        return status;
    }
    struct berth_known *item = &set->items[set->count];
    *item =
        (struct berth_known){.name = berth_copy_text(facts->name),
                             .heavy_atoms = facts->heavy_atoms,
                             .mass = facts->mass,
                             .scaffold = facts->scaffold ? berth_copy_text(facts->scaffold) : NULL,
                             .order = set->count};
    set->count++;
    if (!item->name || (facts->scaffold && !item->scaffold)) {
        return berth_out_of_memory(error, NULL);
    }
    if (taking->reading->states) {
        berth_cut_state(item->name);
    }
    return BERTH_OK;
}

/* Without blanks at either end. */
static char *trim(char *line)
{
    size_t length = strlen(line);
    while (length && strchr(" \t", line[length - 1])) {
        line[--length] = '\0';
    }
    return line + strspn(line, " \t");
}

static enum berth_status read_names(struct taking *taking, struct berth_error *error)
{
    struct berth_text_reader *reader = NULL;
    enum berth_status status = berth_text_reader_create(taking->reading->path, &reader, error);
    char *line = NULL;
    while (!status && !(status = berth_text_reader_next(reader, &line, error)) && line) {
        const struct berth_facts facts = {trim(line), NAN, NAN, NULL};
        status = take(taking, &facts, error);
    }
    berth_text_reader_destroy(reader);
    return status;
}

static int compare(const void *a, const void *b)
{
    const struct berth_known *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order ? order : (one->order > other->order) - (one->order < other->order);
}

static void clear_item(struct berth_known *item)
{
    free(item->name);
    free(item->scaffold);
}

/* One of each name, the first one. */
static void keep_first(struct berth_known_set *set)
{
    size_t kept = 0;
    qsort(set->items, set->count, sizeof *set->items, compare);
    for (size_t i = 0; i < set->count; i++) {
        if (kept && strcmp(set->items[kept - 1].name, set->items[i].name) == 0) {
            clear_item(&set->items[i]);
        } else {
            set->items[kept++] = set->items[i];
        }
    }
    set->count = kept;
}

enum berth_status berth_known_read(const struct berth_known_reading *reading,
                                   struct berth_known_set *set, struct berth_error *error)
{
    struct taking taking = {reading, set};
    const struct berth_facts_setup setup = {.path = reading->path,
                                            .rdkit = reading->rdkit,
                                            .scaffolds = reading->scaffolds,
                                            .log = reading->log,
                                            .take = take,
                                            .context = &taking};
    memset(set, 0, sizeof *set);
    const enum berth_status status = berth_facts_takes(reading->path)
                                         ? berth_facts_read(&setup, error)
                                         : read_names(&taking, error);
    if (!status && !set->count) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: names no molecule", reading->path);
    }
    if (!status) {
        keep_first(set);
    }
    return status;
}

static int compare_name(const void *key, const void *item)
{
    return strcmp(key, ((const struct berth_known *)item)->name);
}

const struct berth_known *berth_known_find(const struct berth_known_set *set, const char *name)
{
    return set->count ? bsearch(name, set->items, set->count, sizeof *set->items, compare_name)
                      : NULL;
}

void berth_known_clear(struct berth_known_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        clear_item(&set->items[i]);
    }
    free(set->items);
    memset(set, 0, sizeof *set);
}
