#include "chem/surface.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"
#include "chem/elements.h"
#include "chem/structure.h"
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
        return berth_out_of_memory(error, molecule->title);
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
    return body->near ? berth_cells_create(*spheres->centers, sizeof *spheres->centers,
                                           spheres->count, CELL, &body->cells, error)
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
        if (berth_distance_squared(place, body->spheres->centers[i]) < reach * reach) {
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

/* Points as they are kept, atom by atom. */
struct keeping {
    struct berth_surface_points *points; /* borrowed */
    double probe, spacing;               /* Å */
    struct body body;
    struct body about;   /* the atoms whose points may be within the spacing of one about this */
    size_t (*ranges)[2]; /* owned; [atoms]: an atom's points, begin and end */
};

static bool is_near_kept(const struct keeping *keeping, const double place[3])
{
    for (size_t k = 0; k < keeping->about.near_count; k++) {
        const size_t *range = keeping->ranges[keeping->about.near[k]];
        for (size_t i = range[0]; i < range[1]; i++) {
            if (berth_distance_squared(place, keeping->points->points[i].place) <
                keeping->spacing * keeping->spacing) {
                return true;
            }
        }
    }
    return false;
}

/* Keeps what there is room for of one atom's sphere. */
static enum berth_status keep_of_atom(struct keeping *keeping, size_t atom,
                                      struct berth_error *error)
{
    struct berth_surface_points *points = keeping->points;
    const struct berth_spheres *spheres = keeping->body.spheres;
    const double radius = spheres->radii[atom] + keeping->probe;
    const size_t candidates = 12 + (size_t)(CANDIDATES * 4 * PI * radius * radius /
                                            (keeping->spacing * keeping->spacing));
    find_near(&keeping->body, spheres->centers[atom], spheres->radii[atom], keeping->probe, atom);
    find_near(&keeping->about, spheres->centers[atom], spheres->radii[atom] + keeping->spacing,
              keeping->probe, SIZE_MAX);
    keeping->ranges[atom][0] = keeping->ranges[atom][1] = points->count;
    for (size_t k = 0; k < candidates; k++) {
        struct berth_surface_point point;
        place_point(spheres, atom, keeping->probe, (size_t[]){k, candidates}, &point);
        if (is_covered(&keeping->body, point.place, keeping->probe) ||
            is_near_kept(keeping, point.place)) {
            continue;
        }
        BERTH_TRY(berth_reserve(&points->points, &points->capacity, points->count + 1,
                                sizeof *points->points, error));
        points->points[points->count++] = point;
        keeping->ranges[atom][1] = points->count;
    }
    return BERTH_OK;
}

enum berth_status berth_surface_points(const struct berth_spheres *spheres, double probe,
                                       double spacing, struct berth_surface_points *points,
                                       struct berth_error *error)
{
    struct keeping keeping = {.points = points, .probe = probe, .spacing = spacing};
    memset(points, 0, sizeof *points);
    enum berth_status status = open_body(spheres, &keeping.body, error);
    BERTH_THEN(open_body(spheres, &keeping.about, error));
    BERTH_THEN(berth_make(&keeping.ranges, spheres->count, sizeof *keeping.ranges, NULL, error));
    for (size_t i = 0; !status && i < spheres->count; i++) {
        status = keep_of_atom(&keeping, i, error);
    }
    close_body(&keeping.body);
    close_body(&keeping.about);
    free(keeping.ranges);
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
