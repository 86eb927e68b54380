#include "chem/surface.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"
#include "chem/radii.h"
#include "chem/vectors.h"

#define PI 3.14159265358979323846

/* Å: cells that neighbours are looked up in. */
#define CELL 6.0

/* Points of an atom's sphere for each that could be kept, so that few places are missed. */
#define CANDIDATES 4.0

/* Spheres about whose centres neighbours are looked for. */
struct body {
    const struct berth_spheres *spheres; /* borrowed */
    struct berth_cells cells;
    double largest; /* radius, Å */
    size_t *near;   /* owned; [near_count]: what was found last */
    size_t near_count;
    size_t self; /* the atom that is no neighbour; SIZE_MAX: none */
};

enum berth_status berth_spheres_of(const struct berth_molecule *molecule,
                                   struct berth_spheres *spheres, struct berth_error *error)
{
    const size_t count = berth_heavy_count(molecule);
    *spheres = (struct berth_spheres){.centers = berth_alloc(count, sizeof *spheres->centers),
                                      .radii = berth_alloc(count, sizeof *spheres->radii)};
    if (!spheres->centers || !spheres->radii) {
        berth_spheres_clear(spheres);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", count);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            memcpy(spheres->centers[spheres->count], molecule->atoms[i].position,
                   sizeof *spheres->centers);
            spheres->radii[spheres->count++] = berth_vdw_radius(molecule->atoms[i].element);
        }
    }
    return BERTH_OK;
}

void berth_spheres_clear(struct berth_spheres *spheres)
{
    free(spheres->centers);
    free(spheres->radii);
    memset(spheres, 0, sizeof *spheres);
}

void berth_sphere_point(size_t i, size_t count, double point[3])
{
    const double golden = PI * (3 - sqrt(5));
    const double z = 1 - (2 * (double)i + 1) / (double)count, ring = sqrt(1 - z * z);
    point[0] = ring * cos(golden * (double)i);
    point[1] = ring * sin(golden * (double)i);
    point[2] = z;
}

static enum berth_status open_body(const struct berth_spheres *spheres, struct body *body,
                                   struct berth_error *error)
{
    *body =
        (struct body){.spheres = spheres, .near = berth_alloc(spheres->count, sizeof *body->near)};
    for (size_t i = 0; i < spheres->count; i++) {
        body->largest = fmax(body->largest, spheres->radii[i]);
    }
    return body->near ? berth_cells_create((const double(*)[3])spheres->centers, spheres->count,
                                           CELL, &body->cells, error)
                      : berth_out_of_memory(error, NULL);
}

static void close_body(struct body *body)
{
    berth_cells_clear(&body->cells);
    free(body->near);
}

static void take_near(void *context, size_t index, double squared)
{
    struct body *body = context;
    (void)squared;
    if (index != body->self) {
        body->near[body->near_count++] = index;
    }
}

/* Notes the body's atoms whose spheres, wider by the probe, may cover points of one about `at`. */
static void find_near(struct body *body, const double at[3], double radius, double probe,
                      size_t self)
{
    body->near_count = 0;
    body->self = self;
    berth_cells_each(&body->cells, at, radius + body->largest + 2 * probe, take_near, body);
}

/* True where one of those covers the place; the one that does comes to the front, since it often
 * covers the next one, too. */
static bool is_covered(const struct body *body, const double place[3], double probe)
{
    for (size_t k = 0; k < body->near_count; k++) {
        const size_t i = body->near[k];
        const double reach = body->spheres->radii[i] + probe;
        const double *center = body->spheres->centers[i];
        const double x = place[0] - center[0], y = place[1] - center[1], z = place[2] - center[2];
        if (x * x + y * y + z * z < reach * reach) {
            body->near[k] = body->near[0];
            body->near[0] = i;
            return true;
        }
    }
    return false;
}

/* Point `number` of count on the sphere of atom i, wider by the probe. */
static void place_point(const struct berth_spheres *spheres, size_t i, double probe,
                        const size_t number[2], struct berth_surface_point *point)
{
    berth_sphere_point(number[0], number[1], point->normal);
    point->atom = i;
    berth_add_scaled(spheres->centers[i], spheres->radii[i] + probe, point->normal, point->place);
}

/* The area that one point stands for, Å^2. */
static double area_of_point(double radius)
{
    return 4 * PI * radius * radius / BERTH_SURFACE_POINTS;
}

enum berth_status berth_surface_areas(const struct berth_spheres *spheres, double probe,
                                      double *areas, struct berth_error *error)
{
    struct body body;
    const enum berth_status status = open_body(spheres, &body, error);
    for (size_t i = 0; !status && i < spheres->count; i++) {
        find_near(&body, spheres->centers[i], spheres->radii[i], probe, i);
        areas[i] = 0;
        for (size_t k = 0; k < BERTH_SURFACE_POINTS; k++) {
            struct berth_surface_point point;
            place_point(spheres, i, probe, (size_t[]){k, BERTH_SURFACE_POINTS}, &point);
            if (!is_covered(&body, point.place, probe)) {
                areas[i] += area_of_point(spheres->radii[i] + probe);
            }
        }
    }
    close_body(&body);
    return status;
}

/* The part of a's own surface that b covers. */
static double covered_by(struct body *a, struct body *b, double probe)
{
    const struct berth_spheres *spheres = a->spheres;
    double sum = 0;
    for (size_t i = 0; i < spheres->count; i++) {
        find_near(b, spheres->centers[i], spheres->radii[i], probe, SIZE_MAX);
        if (!b->near_count) {
            continue;
        }
        find_near(a, spheres->centers[i], spheres->radii[i], probe, i);
        for (size_t k = 0; k < BERTH_SURFACE_POINTS; k++) {
            struct berth_surface_point point;
            place_point(spheres, i, probe, (size_t[]){k, BERTH_SURFACE_POINTS}, &point);
            if (is_covered(b, point.place, probe) && !is_covered(a, point.place, probe)) {
                sum += area_of_point(spheres->radii[i] + probe);
            }
        }
    }
    return sum;
}

enum berth_status berth_surface_buried(const struct berth_spheres *a, const struct berth_spheres *b,
                                       double probe, double *buried, struct berth_error *error)
{
    struct body first, second = {0};
    enum berth_status status = open_body(a, &first, error);
    BERTH_THEN(open_body(b, &second, error));
    if (!status) {
        *buried = covered_by(&first, &second, probe) + covered_by(&second, &first, probe);
    }
    close_body(&first);
    close_body(&second);
    return status;
}

/* Places that were kept, in cells as wide as the spacing. */
struct kept {
    struct berth_surface_points *points;
    double low[3], edge, squared; /* Å, Å^2: of the spacing */
    size_t counts[3];
    size_t *first; /* owned; [cells]: number of the last place kept there plus 1; 0: none */
    size_t *next;  /* owned; [capacity]: the one before it in its cell, likewise */
    size_t capacity;
};

static enum berth_status open_kept(const struct berth_spheres *spheres, double beyond,
                                   struct kept *kept, struct berth_error *error)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    size_t cells = 1;
    for (int k = 0; k < 3; k++) {
        kept->low[k] = INFINITY;
        for (size_t i = 0; i < spheres->count; i++) {
            const double reach = spheres->radii[i] + beyond;
            kept->low[k] = fmin(kept->low[k], spheres->centers[i][k] - reach);
            high[k] = fmax(high[k], spheres->centers[i][k] + reach);
        }
        kept->counts[k] = spheres->count ? (size_t)((high[k] - kept->low[k]) / kept->edge) + 1 : 1;
        cells *= kept->counts[k];
    }
    kept->first = berth_alloc(cells, sizeof *kept->first);
    return kept->first ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static size_t cell_of(const struct kept *kept, const long long at[3])
{
    return ((size_t)at[2] * kept->counts[1] + (size_t)at[1]) * kept->counts[0] + (size_t)at[0];
}

static void find_cell(const struct kept *kept, const double place[3], long long at[3])
{
    for (int k = 0; k < 3; k++) {
        const long long last = (long long)kept->counts[k] - 1;
        const long long cell = (long long)((place[k] - kept->low[k]) / kept->edge);
        at[k] = cell < 0 ? 0 : cell > last ? last : cell;
    }
}

static bool is_near_in_cell(const struct kept *kept, size_t cell, const double place[3])
{
    for (size_t k = kept->first[cell]; k; k = kept->next[k - 1]) {
        const double *other = kept->points->points[k - 1].place;
        const double x = place[0] - other[0], y = place[1] - other[1], z = place[2] - other[2];
        if (x * x + y * y + z * z < kept->squared) {
            return true;
        }
    }
    return false;
}

static bool is_near_kept(const struct kept *kept, const double place[3])
{
    long long at[3];
    find_cell(kept, place, at);
    for (int n = 0; n < 27; n++) {
        const long long cell[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            inside = inside && cell[k] >= 0 && cell[k] < (long long)kept->counts[k];
        }
        if (inside && is_near_in_cell(kept, cell_of(kept, cell), place)) {
            return true;
        }
    }
    return false;
}

static enum berth_status keep(struct kept *kept, const struct berth_surface_point *point,
                              struct berth_error *error)
{
    struct berth_surface_points *points = kept->points;
    enum berth_status status = berth_reserve(&points->points, &points->capacity, points->count + 1,
                                             sizeof *points->points, error);
    BERTH_THEN(
        berth_reserve(&kept->next, &kept->capacity, points->count + 1, sizeof *kept->next, error));
    if (!status) {
        long long at[3];
        find_cell(kept, point->place, at);
        const size_t cell = cell_of(kept, at);
        points->points[points->count++] = *point;
        kept->next[points->count - 1] = kept->first[cell];
        kept->first[cell] = points->count;
    }
    return status;
}

/* Keeps what there is room for of one atom's sphere. */
static enum berth_status keep_of_atom(const struct body *body, size_t i, double probe,
                                      struct kept *kept, struct berth_error *error)
{
    const double radius = body->spheres->radii[i] + probe;
    const size_t candidates = 12 + (size_t)(CANDIDATES * 4 * PI * radius * radius / kept->squared);
    enum berth_status status = BERTH_OK;
    for (size_t k = 0; !status && k < candidates; k++) {
        struct berth_surface_point point;
        place_point(body->spheres, i, probe, (size_t[]){k, candidates}, &point);
        if (!is_covered(body, point.place, probe) && !is_near_kept(kept, point.place)) {
            status = keep(kept, &point, error);
        }
    }
    return status;
}

enum berth_status berth_surface_points(const struct berth_spheres *spheres, double probe,
                                       double spacing, struct berth_surface_points *points,
                                       struct berth_error *error)
{
    struct body body;
    struct kept kept = {.points = points, .edge = spacing, .squared = spacing * spacing};
    memset(points, 0, sizeof *points);
    enum berth_status status = open_body(spheres, &body, error);
    BERTH_THEN(open_kept(spheres, probe, &kept, error));
    for (size_t i = 0; !status && i < spheres->count; i++) {
        find_near(&body, spheres->centers[i], spheres->radii[i], probe, i);
        status = keep_of_atom(&body, i, probe, &kept, error);
    }
    close_body(&body);
    free(kept.first);
    free(kept.next);
    if (status) {
        berth_surface_points_clear(points);
    }
    return status;
}

void berth_surface_points_clear(struct berth_surface_points *points)
{
    free(points->points);
    memset(points, 0, sizeof *points);
}
