#include "chem/coordination.h"

#include <math.h>
#include <string.h>

#include "chem/geometry.h"
#include "chem/vectors.h"

enum { N = 7, O = 8, S = 16, MG = 12, CA = 20, MN = 25, FE, CO, NI, CU, ZN };

/* Å: a donor may be so much farther than usual (Harding 2001 takes as much). */
#define LOOSE 0.75

/* Å: oxygens that are nearer are of one carboxylate (2.2), which takes one vertex: in the middle of
 * both, or where one is farther by so much, the nearer one's. */
#define CARBOXYLATE 2.4
#define ONE_SIDED   0.4

/* How much better (on a sphere of radius 1; 6 degrees) each next of a metal's polyhedra has to fit
 * than the one before. */
#define BETTER 0.1

/* Å: metals that are nearer share donors, such as water between them, which one of them alone does
 * not tell. */
#define CLUSTER 4.0

/* Å: an atom nearer to a vertex than this is in its way. */
#define ROOM 2.2

/* Donors that are looked at, at most: as many as no metal has. */
enum { DONORS_MAX = 12 };

const char *const BERTH_POLYHEDRON_NAMES[BERTH_POLYHEDRA] = {"tetrahedral", "trigonal bipyramidal",
                                                             "octahedral"};

#define A 0.57735026918962576 /* 1 / sqrt(3) */
#define H 0.86602540378443865 /* sqrt(3) / 2 */
static const struct {
    size_t count;
    double vertices[BERTH_VERTICES_MAX][3];
} POLYHEDRA[BERTH_POLYHEDRA] = {
    {4, {{A, A, A}, {A, -A, -A}, {-A, A, -A}, {-A, -A, A}}},
    {5, {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-0.5, H, 0}, {-0.5, -H, 0}}},
    {6, {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}}};

/* Å, and which polyhedra there are (bits), the first of which is preferred. */
static const struct metal {
    int element;
    double oxygen, nitrogen, sulphur;
    unsigned polyhedra;
} METALS[] = {{MG, 2.07, 0, 0, 4},       {CA, 2.36, 0, 0, 4},       {MN, 2.15, 2.21, 2.35, 4},
              {FE, 2.04, 2.16, 2.30, 7}, {CO, 2.05, 2.14, 2.25, 7}, {NI, 2.05, 2.14, 2.25, 4},
              {CU, 1.99, 2.02, 2.15, 7}, {ZN, 1.99, 2.03, 2.31, 7}};

static const struct metal *metal_of(int element)
{
    for (size_t i = 0; i < sizeof METALS / sizeof *METALS; i++) {
        if (METALS[i].element == element) {
            return &METALS[i];
        }
    }
    return NULL;
}

double berth_coordination_length(int metal, int donor)
{
    const struct metal *known = metal_of(metal);
    return !known       ? 0
           : donor == O ? known->oxygen
           : donor == N ? known->nitrogen
           : donor == S ? known->sulphur
                        : 0;
}

/* Atoms that may be bound to the metal; returns how many. */
static size_t find_bound(const struct berth_molecule *receptor, size_t metal,
                         const double *bound[DONORS_MAX])
{
    const struct berth_atom *center = &receptor->atoms[metal];
    const double oxygen = berth_coordination_length(center->element, O);
    size_t count = 0;
    for (size_t i = 0; i < receptor->atom_count && count < DONORS_MAX; i++) {
        const struct berth_atom *atom = &receptor->atoms[i];
        const bool donor = atom->element == N || atom->element == O || atom->element == S;
        const double usual = berth_coordination_length(center->element, atom->element);
        if (donor && berth_distance(atom->position, center->position) <
                         (usual > 0 ? usual : oxygen) + LOOSE) {
            bound[count++] = atom->position;
        }
    }
    return count;
}

/* Directions from the metal to its donors, to both oxygens of a carboxylate one; returns how many.
 */
static size_t find_donors(const struct berth_molecule *receptor, size_t metal,
                          double donors[DONORS_MAX][3])
{
    const double *center = receptor->atoms[metal].position, *bound[DONORS_MAX];
    const size_t count = find_bound(receptor, metal, bound);
    bool second[DONORS_MAX] = {false};
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        double place[3];
        memcpy(place, bound[i], sizeof place);
        for (size_t j = i + 1; j < count && !second[i]; j++) {
            const double farther =
                berth_distance(bound[j], center) - berth_distance(bound[i], center);
            if (berth_distance(bound[i], bound[j]) < CARBOXYLATE) {
                /* how much of the way to the other one */
                const double share = farther > ONE_SIDED ? 0 : farther < -ONE_SIDED ? 1 : 0.5;
                second[j] = true;
                for (int k = 0; k < 3; k++) {
                    place[k] += share * (bound[j][k] - bound[i][k]);
                }
            }
        }
        if (!second[i]) {
            berth_direction(center, place, donors[found++]);
        }
    }
    return found;
}

/* A polyhedron about the metal, and which of its vertices donors take. */
struct placed {
    size_t count;
    double vertices[BERTH_VERTICES_MAX][3];
    size_t taken[BERTH_VERTICES_MAX]; /* [donors]: the vertex of each */
};

/* Gives each donor the nearest vertex that is free; returns the mean square that they are off. */
static double assign(struct placed *placed, const double (*donors)[3], size_t count)
{
    bool used[BERTH_VERTICES_MAX] = {false};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t v = 0; v < placed->count; v++) {
            const double off = berth_distance_squared(donors[i], placed->vertices[v]);
            if (!used[v] && off < least) {
                least = off;
                best = v;
            }
        }
        used[best] = true;
        placed->taken[i] = best;
        sum += least;
    }
    return sum / (double)count;
}

/* Turns the polyhedron towards the donors. */
static void turn(struct placed *placed, const double (*donors)[3], size_t count)
{
    static const double NOWHERE[3] = {0};
    double axis[3] = {0}, across[3];
    for (size_t i = 0; i < count; i++) {
        berth_cross(placed->vertices[placed->taken[i]], donors[i], across);
        berth_add_scaled(axis, 1.0 / (double)count, across, axis);
    }
    const double angle = berth_length(axis);
    berth_normalise(axis);
    for (size_t v = 0; v < placed->count; v++) {
        berth_turn(NOWHERE, axis, sin(angle), cos(angle), placed->vertices[v]);
    }
}

/* The best of many starts; returns the root mean square that donors are off. */
static double fit(enum berth_polyhedron polyhedron, const double (*donors)[3], size_t count,
                  struct placed *best)
{
    enum { STARTS = 96, ROUNDS = 60 };
    double least = INFINITY;
    if (count > POLYHEDRA[polyhedron].count) {
        return INFINITY;
    }
    for (size_t s = 0; s < STARTS; s++) {
        struct placed placed = {.count = POLYHEDRA[polyhedron].count};
        double quaternion[4], rotation[9];
        berth_rotation_at(s, STARTS, quaternion);
        berth_rotation_matrix(quaternion, rotation);
        for (size_t v = 0; v < placed.count; v++) {
            berth_rotate(rotation, POLYHEDRA[polyhedron].vertices[v], placed.vertices[v]);
        }
        for (int round = 0; round < ROUNDS; round++) {
            assign(&placed, donors, count);
            turn(&placed, donors, count);
        }
        const double off = assign(&placed, donors, count);
        if (off < least - 1e-9) {
            least = off;
            *best = placed;
        }
    }
    return sqrt(least);
}

static bool has_room(const struct berth_molecule *receptor, size_t metal, const double vertex[3])
{
    for (size_t i = 0; i < receptor->atom_count; i++) {
        const struct berth_atom *atom = &receptor->atoms[i];
        if (i != metal && atom->heavy && !metal_of(atom->element) &&
            berth_distance_squared(atom->position, vertex) < ROOM * ROOM) {
            return false;
        }
    }
    return true;
}

static bool is_clustered(const struct berth_molecule *receptor, size_t metal)
{
    for (size_t i = 0; i < receptor->atom_count; i++) {
        if (i != metal && metal_of(receptor->atoms[i].element) &&
            berth_distance(receptor->atoms[i].position, receptor->atoms[metal].position) <
                CLUSTER) {
            return true;
        }
    }
    return false;
}

static void list_open(const struct berth_molecule *receptor, size_t metal,
                      const struct placed *placed, struct berth_coordination *coordination)
{
    const struct berth_atom *center = &receptor->atoms[metal];
    for (size_t v = 0; v < placed->count; v++) {
        double vertex[3];
        bool open = true;
        berth_add_scaled(center->position, berth_coordination_length(center->element, O),
                         placed->vertices[v], vertex);
        for (size_t i = 0; i < coordination->taken; i++) {
            open = open && placed->taken[i] != v;
        }
        if (open && has_room(receptor, metal, vertex)) {
            memcpy(coordination->open[coordination->open_count++], placed->vertices[v],
                   sizeof vertex);
        }
    }
}

/* Whether directions are all on one line. */
static bool in_line(const double (*donors)[3], size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (fabs(berth_dot(donors[0], donors[i])) < 0.94) { /* 20 degrees */
            return false;
        }
    }
    return true;
}

bool berth_coordination_find(const struct berth_molecule *receptor, size_t metal,
                             struct berth_coordination *coordination)
{
    const struct metal *known = metal_of(receptor->atoms[metal].element);
    double donors[DONORS_MAX][3];
    *coordination = (struct berth_coordination){.off = INFINITY};
    if (!known || is_clustered(receptor, metal)) {
        return false;
    }
    coordination->taken = find_donors(receptor, metal, donors);
    if (coordination->taken < 2 || in_line((const double(*)[3])donors, coordination->taken)) {
        return false;
    }
    struct placed best = {0};
    double least = INFINITY, handicap = 0;
    for (int p = 0; p < BERTH_POLYHEDRA; p++) {
        struct placed placed = {0};
        const double off = known->polyhedra >> p & 1
                               ? fit(p, (const double(*)[3])donors, coordination->taken, &placed)
                               : INFINITY;
        if (off + handicap < least) {
            least = off + handicap;
            coordination->off = off;
            coordination->polyhedron = p;
            best = placed;
        }
        handicap += known->polyhedra >> p & 1 ? BETTER : 0;
    }
    list_open(receptor, metal, &best, coordination);
    return best.count > 0;
}
