#include "score/pose.h"

#include <math.h>

struct berth_pose berth_pose_of(double value, double energy, const struct berth_terms *terms)
{
    struct berth_pose pose = {.terms = *terms,
                              .value = value,
                              .scores = {energy},
                              .energy = energy,
                              .ranking = NAN,
                              .confidence = NAN,
                              .rotors = NAN,
                              .conformer_strain = NAN,
                              .rmsd = -1,
                              .clash = NAN,
                              .metal = {NAN, NAN},
                              .twist = NAN};
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        pose.parts[k] = NAN;
    }
    berth_pose_unlearn(&pose);
    return pose;
}

void berth_pose_unlearn(struct berth_pose *pose)
{
    for (size_t k = 0; k < BERTH_LEARNED_MAX; k++) {
        pose->learned[k] = NAN;
    }
}

float berth_pose_energy(const struct berth_pose *pose)
{
    float sum = (float)pose->terms.values[0];
    for (size_t i = 1; i < BERTH_TERMS_MAX; i++) {
        sum += (float)pose->terms.values[i];
    }
    return sum;
}

double berth_pose_coordination(const struct berth_pose *pose, const struct berth_judges *judges)
{
    double sum = 0;
    for (size_t i = judges->restraints - judges->metals; i < judges->restraints; i++) {
        const double off = fmax((double)pose->distances[i] - judges->metal_radius, 0);
        sum -= isnan(pose->distances[i]) ? 0 : judges->metal_weight / (1 + off * off);
    }
    if (judges->core && !isnan(pose->distances[judges->core - 1])) {
        const double off = fmax((double)pose->distances[judges->core - 1] - judges->core_radius, 0);
        sum += judges->core_weight * off * off / (1 + off * off);
    }
    return sum;
}

double berth_pose_metal_cost(const struct berth_pose *pose, const struct berth_judges *judges)
{
    double sum = 0;
    for (size_t i = judges->restraints - judges->metals; i < judges->restraints; i++) {
        const double off = fmax((double)pose->distances[i] - judges->metal_radius, 0);
        sum += isnan(pose->distances[i]) ? 0 : judges->metal_weight * off * off / (1 + off * off);
    }
    return sum;
}

float berth_pose_total(const struct berth_pose *pose)
{
    float sum = berth_pose_energy(pose);
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        sum += (float)pose->parts[k];
    }
    return sum;
}
