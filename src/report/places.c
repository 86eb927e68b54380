#include "report/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/csv.h"
#include "format/receptor_names.h"
#include "format/run_json.h"

/* "required 3.3 X Y Z X Y Z" or "wished avoided 4 X Y Z"; "avoided 4 X Y Z", as runs once said, is
 * required, as all are by default. */
static enum berth_status read_item(const char *line, struct berth_shown_restraint *item,
                                   struct berth_error *error)
{
    size_t capacity = 0;
    int used = 0;
    double at[3];
    char how[16];
    if (sscanf(line, "%15s%n", how, &used) != 1) {
        return BERTH_OK;
    }
    item->required = strcmp(how, "wished") != 0;
    item->avoided = berth_text_has_word(line, "avoided");
    line += item->avoided ? strcspn(line, "0123456789") : (size_t)used;
    if (sscanf(line, "%lf%n", &item->radius, &used) != 1) {
        return BERTH_OK;
    }
    for (line += used; sscanf(line, "%lf %lf %lf%n", &at[0], &at[1], &at[2], &used) == 3;
         line += used) {
        BERTH_TRY(berth_reserve(&item->at, &capacity, item->count + 1, sizeof *item->at, error));
        memcpy(item->at[item->count++], at, sizeof at);
    }
    return BERTH_OK;
}

/* The key of the receptor that the first restraint's places are told of first; "": none. */
static void find_key(const struct berth_bytes *json, char key[BERTH_RECEPTOR_KEY])
{
    static const char BEFORE[] = "\n    \"restraint_1_";
    const char *at = json->count ? strstr((const char *)json->data, BEFORE) : NULL;
    const char *begin = at ? at + sizeof BEFORE - 1 : "";
    snprintf(key, BERTH_RECEPTOR_KEY, "%.*s", (int)strcspn(begin, "\""), begin);
}

enum berth_status berth_shown_places_read(const struct berth_bytes *json, const char *key,
                                          struct berth_shown_places *places,
                                          struct berth_error *error)
{
    char first[BERTH_RECEPTOR_KEY];
    find_key(json, first);
    while (places->count < BERTH_RESTRAINTS_MAX) {
        struct berth_shown_restraint *item = &places->items[places->count];
        char name[32 + BERTH_RECEPTOR_KEY], text[PATH_MAX];
        snprintf(name, sizeof name, "restraint_%zu", places->count + 1);
        berth_run_json_find(json, "files", name, text);
        if (!*text) {
            break;
        }
        places->count++;
        item->text = berth_copy_text(text);
        item->metal = strncmp(text, BERTH_OPEN_SITE, strlen(BERTH_OPEN_SITE)) == 0;
        if (!item->text) {
            return berth_out_of_memory(error, NULL);
        }
        snprintf(name, sizeof name, "restraint_%zu_%s", places->count, key ? key : first);
        berth_run_json_find(json, "files", name, text);
        BERTH_TRY(read_item(text, item, error));
    }
    return BERTH_OK;
}

enum berth_status berth_shown_places_beside(const char *poses, struct berth_shown_places *places,
                                            struct berth_error *error)
{
    struct berth_bytes json = {0};
    enum berth_status status = berth_run_json_beside(poses, &json, error);
    BERTH_THEN(berth_shown_places_read(&json, "receptor", places, error));
    berth_bytes_clear(&json);
    return status;
}

void berth_shown_places_clear(struct berth_shown_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        free(places->items[i].text);
        free(places->items[i].at);
    }
    *places = (struct berth_shown_places){.count = 0};
}

double berth_shown_distance(const struct berth_read_pose *pose, size_t i)
{
    char name[32];
    snprintf(name, sizeof name, "restraint_%zu", i + 1);
    const char *text = berth_pose_tag(pose, name);
    return *text ? strtod(text, NULL) : NAN;
}

enum berth_standing_to berth_shown_stands(const struct berth_shown_restraint *restraint,
                                          double distance)
{
    const bool met = restraint->avoided ? !(distance < restraint->radius - BERTH_RESTRAINT_SLACK)
                                        : distance <= restraint->radius + BERTH_RESTRAINT_SLACK;
    return berth_restraint_stands(met, restraint->metal, distance);
}

enum berth_status berth_shown_places_count(const struct berth_shown_places *places,
                                           const char *table, struct berth_standing_counts *counts,
                                           struct berth_error *error)
{
    size_t columns[BERTH_RESTRAINTS_MAX];
    struct berth_csv *csv;
    bool end = false;
    *counts = (struct berth_standing_counts){.of = 0};
    BERTH_TRY(berth_csv_open(table, ',', &csv, error));
    for (size_t i = 0; i < places->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "restraint_%zu", i + 1);
        columns[i] = berth_csv_find(csv, name);
    }
    const size_t ligand = berth_csv_find(csv, "name");
    enum berth_status status = berth_csv_next(csv, &end, error);
    for (; !status && !end; status = berth_csv_next(csv, &end, error)) {
        for (size_t i = 0; i < places->count; i++) {
            double distance = NAN;
            if (columns[i] == SIZE_MAX || !berth_csv_real(csv, columns[i], &distance)) {
                distance = NAN;
            }
            berth_standing_count(counts, i, berth_shown_stands(&places->items[i], distance),
                                 ligand == SIZE_MAX ? "" : berth_csv_field(csv, ligand));
        }
        counts->of++;
    }
    berth_csv_close(csv);
    return status;
}
