#include "score/standin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* element, radius, hydrophobic, donor, acceptor */
static const struct { int element; double radius; int h, d, a; } KINDS[] = {
    {6, 1.9, 1, 0, 0}, {6, 1.9, 0, 0, 0}, {7, 1.8, 0, 0, 0}, {7, 1.8, 0, 1, 0}, {7, 1.8, 0, 0, 1},
    {7, 1.8, 0, 1, 1}, {8, 1.7, 0, 0, 0}, {8, 1.7, 0, 1, 0}, {8, 1.7, 0, 0, 1}, {8, 1.7, 0, 1, 1},
    {16, 2.0, 0, 0, 0}, {15, 2.1, 0, 0, 0}, {9, 1.5, 1, 0, 0}, {17, 1.8, 1, 0, 0},
    {35, 2.0, 1, 0, 0}, {53, 2.2, 1, 0, 0}, {14, 2.2, 1, 0, 0}, {0, 1.2, 0, 1, 0}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

void standin_use(struct berth_forcefield *forcefield)
{
    forcefield->types = realloc(forcefield->types, KIND_COUNT * sizeof *forcefield->types);
    memset(forcefield->types, 0, KIND_COUNT * sizeof *forcefield->types);
    forcefield->type_count = KIND_COUNT;
    for (int i = 0; i < KIND_COUNT; i++) {
        forcefield->types[i].class = '-';
        forcefield->types[i].radius = KINDS[i].radius;
        forcefield->types[i].hydrophobic = KINDS[i].h ? -1 : 0;
    }
    forcefield->scoring = BERTH_SCORING_VINA;
}

void standin_pair(int i, int j, double *contact, double *hydrophobic, double *bond)
{
    *contact = KINDS[i].radius + KINDS[j].radius;
    *hydrophobic = KINDS[i].h && KINDS[j].h ? -0.035069 : 0;
    *bond = (KINDS[i].d && KINDS[j].a) || (KINDS[i].a && KINDS[j].d) ? -0.587439 : 0;
}

static int metal(int e) { return e > 10 && !(e == 14 || e == 15 || e == 16 || e == 17 || e == 35 || e == 53); }

int standin_type(const struct berth_molecule *m, size_t i)
{
    const struct berth_atom *a = &m->atoms[i];
    int e = a->element, hydrogens = 0, hetero = 0, heavy = 0;
    for (size_t k = 0; k < m->atom_count; k++) {
        const struct berth_atom *b = &m->atoms[k];
        const double dx = a->position[0] - b->position[0], dy = a->position[1] - b->position[1], dz = a->position[2] - b->position[2];
        const double r2 = dx * dx + dy * dy + dz * dz;
        if (k == i || r2 > 4.6) continue;
        const double limit = b->element == 1 ? 1.2 : (b->element > 10 || e > 10) ? 2.1 : 1.75;
        if (r2 > limit * limit) continue;
        if (b->element == 1) hydrogens++;
        else { heavy++; hetero += b->element != 6 && !metal(b->element); }
    }
    int h = 0, d = 0, acc = 0;
    int bare = 1;
    for (size_t k = 0; k < m->atom_count && bare; k++) bare = m->atoms[k].element != 1;
    if (metal(e)) e = 0;
    if (e == 6) h = !hetero;
    if (e == 7) {
        d = hydrogens > 0;
        if (bare) {
            d = heavy < 3 || strcmp(a->type, "N.4") == 0 ;
            if (!strcmp(a->type, "N.ar") || !strcmp(a->type, "N.2") || !strcmp(a->type, "N.1")) { d = 0; acc = 1; }
        } else {
            acc = !d && (!strcmp(a->type, "N.ar") || !strcmp(a->type, "N.2") || !strcmp(a->type, "N.1") || !strcmp(a->type, "N.3"));
        }
    }
    if (e == 8) {
        acc = 1;
        d = hydrogens > 0;
        if (bare) d = !strcmp(a->type, "O.3") && heavy < 2;
    }
    if (e == 9 || e == 17 || e == 35 || e == 53 || e == 14) h = 1;
    for (int k = 0; k < KIND_COUNT; k++) {
        if (KINDS[k].element == e && (e == 0 || (KINDS[k].h == h && KINDS[k].d == d && KINDS[k].a == acc))) return k;
    }
    return 0;
}
