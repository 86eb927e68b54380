#include "score/restraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chem/vectors.h"

void berth_restrained_clear(struct berth_restrained *restrained)
{
    free(restrained->pulls);
    free(restrained->ways);
    free(restrained->dihedrals);
    free(restrained->matches);
    memset(restrained, 0, sizeof *restrained);
}

double berth_pull_distance(const struct berth_places *places, const struct berth_pull *pull,
                           const struct berth_heavy_atoms *placed)
{
    double middle[3] = {0};
    for (size_t i = 0; i < pull->point.count; i++) {
        for (int k = 0; k < 3; k++) {
            middle[k] += placed->atoms[pull->point.atoms[i]].position[k] / pull->point.count;
        }
    }
    return berth_distance(middle, places->places[pull->place].position);
}

double berth_held_distance(const struct berth_places *places,
                           const struct berth_restrained *restrained,
                           const struct berth_heavy_atoms *placed)
{
    const size_t held = restrained->held;
    double least = INFINITY;
    for (size_t match = 0; match < restrained->match_count; match++) {
        const struct berth_pull *pull = restrained->pulls; /* the first of each atom, in turn */
        double sum = 0;
        for (size_t i = 0; i < held; i++) {
            while (pull->restraint != i) {
                pull++;
            }
            const size_t place = restrained->matches[match * held + i];
            const double off = berth_distance(placed->atoms[pull->point.atoms[0]].position,
                                              places->places[place].position);
            sum += off * off;
        }
        least = fmin(least, sum);
    }
    return sqrt(least / (double)held);
}

/* How far on the wrong side of its radius a place has a point, Å. */
static double beyond(const struct berth_place *place, double distance)
{
    return fmax(place->avoided ? place->radius - distance : distance - place->radius, 0);
}

static double energy_of(const struct berth_place *place, double off)
{
    const double square = off * off;
    return place->bounded ? place->weight * square / (1 + square)
                          : 2 * place->weight * (sqrt(1 + square) - 1);
}

const struct berth_pull *berth_pull_nearest(const struct berth_places *places,
                                            const struct berth_restrained *restrained, size_t first,
                                            const struct berth_heavy_atoms *placed, double *energy)
{
    const struct berth_pull *nearest = NULL;
    double best = INFINITY;
    for (size_t i = first; i < restrained->count &&
                           restrained->pulls[i].restraint == restrained->pulls[first].restraint;
         i++) {
        const struct berth_pull *pull = &restrained->pulls[i];
        const struct berth_place *place = &places->places[pull->place];
        const double off = beyond(place, berth_pull_distance(places, pull, placed));
        const double measure = place->avoided ? place->radius - off : off;
        if (!nearest || measure < best) {
            nearest = pull;
            best = measure;
            *energy = energy_of(place, off);
        }
    }
    return nearest;
}

double berth_restraint_energy(const struct berth_places *places,
                              const struct berth_restrained *restrained,
                              const struct berth_heavy_atoms *placed)
{
    double sum = 0, energy = 0;
    for (size_t i = 0; i < restrained->count; i++) {
        if (i == 0 || restrained->pulls[i].restraint != restrained->pulls[i - 1].restraint) {
            berth_pull_nearest(places, restrained, i, placed, &energy);
            sum += energy;
        }
    }
    return sum;
}
