#include "report/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/csv.h"

size_t berth_restraint_count(const struct berth_run_card *card)
{
    size_t count = 0;
    while (card && count < BERTH_RESTRAINTS_MAX && card->files.restraint[count].text) {
        count++;
    }
    return count;
}

bool berth_restraint_is_metal(const struct berth_run_restraint *restraint)
{
    return strncmp(restraint->text, BERTH_OPEN_SITE, strlen(BERTH_OPEN_SITE)) == 0;
}

struct berth_run_places berth_restraint_places(const struct berth_run_restraint *restraint,
                                               const char *of)
{
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && restraint->places[i].of; i++) {
        if (strcmp(restraint->places[i].of, of) == 0) {
            return restraint->places[i];
        }
    }
    return (struct berth_run_places){.count = 0};
}

double berth_shown_distance(const struct berth_read_pose *pose, size_t i)
{
    char name[32];
    snprintf(name, sizeof name, "restraint_%zu", i + 1);
    const char *text = berth_pose_tag(pose, name);
    return *text ? strtod(text, NULL) : NAN;
}

enum berth_standing_to berth_shown_stands(const struct berth_run_restraint *restraint,
                                          double distance)
{
    const bool met = restraint->avoided ? !(distance < restraint->radius - BERTH_RESTRAINT_SLACK)
                                        : distance <= restraint->radius + BERTH_RESTRAINT_SLACK;
    return berth_restraint_stands(met, berth_restraint_is_metal(restraint), distance);
}

enum berth_status berth_shown_places_count(const struct berth_run_card *card, const char *table,
                                           struct berth_standing_counts *counts,
                                           struct berth_error *error)
{
    const size_t count = berth_restraint_count(card);
    size_t columns[BERTH_RESTRAINTS_MAX];
    struct berth_csv *csv;
    bool end = false;
    *counts = (struct berth_standing_counts){.of = 0};
    BERTH_TRY(berth_csv_open(table, ',', &csv, error));
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "restraint_%zu", i + 1);
        columns[i] = berth_csv_find(csv, name);
    }
    const size_t ligand = berth_csv_find(csv, "name");
    enum berth_status status = berth_csv_next(csv, &end, error);
    for (; !status && !end; status = berth_csv_next(csv, &end, error)) {
        for (size_t i = 0; i < count; i++) {
            double distance = NAN;
            if (columns[i] == SIZE_MAX || !berth_csv_real(csv, columns[i], &distance)) {
                distance = NAN;
            }
            berth_standing_count(counts, i, berth_shown_stands(&card->files.restraint[i], distance),
                                 ligand == SIZE_MAX ? "" : berth_csv_field(csv, ligand));
        }
        counts->of++;
    }
    berth_csv_close(csv);
    return status;
}
