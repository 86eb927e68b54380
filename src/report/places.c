#include "report/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/csv.h"

struct berth_shown_places berth_shown_places_of(const struct berth_run_card *card, const char *of)
{
    struct berth_shown_places places = {.count = 0};
    for (; places.count < BERTH_RESTRAINTS_MAX; places.count++) {
        const struct berth_run_restraint *restraint = &card->files.restraint[places.count];
        struct berth_shown_restraint *item = &places.items[places.count];
        if (!restraint->text) {
            break;
        }
        *item = (struct berth_shown_restraint){
            .text = restraint->text,
            .required = restraint->required,
            .avoided = restraint->avoided,
            .metal = strncmp(restraint->text, BERTH_OPEN_SITE, strlen(BERTH_OPEN_SITE)) == 0,
            .radius = restraint->radius};
        for (size_t i = 0; i < BERTH_RECEPTORS_MAX && restraint->places[i].of; i++) {
            if (!item->at && (!of || strcmp(restraint->places[i].of, of) == 0)) {
                item->at = restraint->places[i].at;
                item->count = restraint->places[i].count;
            }
        }
    }
    return places;
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
