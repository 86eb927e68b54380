#include "score/score_ref.h"

#include "chem/vectors.h"

struct berth_terms berth_score_ref_pair(const struct berth_scoring *scoring, int receptor,
                                        int ligand, double r)
{
    struct berth_terms terms;
    berth_score_evaluate(scoring->program, receptor, ligand, r, &terms, NULL);
    return terms;
}

double berth_score_ref_slope(const struct berth_scoring *scoring, int receptor, int ligand,
                             double r)
{
    struct berth_terms slopes;
    berth_score_evaluate(scoring->program, receptor, ligand, r, NULL, &slopes);
    return berth_terms_sum(&slopes);
}

struct berth_terms berth_score_ref(const struct berth_scoring *scoring,
                                   const struct berth_heavy_atoms *receptor,
                                   const struct berth_heavy_atoms *ligand)
{
    struct berth_terms sum = {{0}};
    for (size_t i = 0; i < receptor->count; i++) {
        for (size_t j = 0; j < ligand->count; j++) {
            const struct berth_heavy_atom *a = &receptor->atoms[i], *b = &ligand->atoms[j];
            const double r = berth_distance(a->position, b->position);
            if (r >= berth_score_reach(scoring->program, a->type, b->type)) {
                continue;
            }
            const struct berth_terms pair = berth_score_ref_pair(scoring, a->type, b->type, r);
            for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
                sum.values[k] += pair.values[k];
            }
        }
    }
    return sum;
}
