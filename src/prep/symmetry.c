#include "prep/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input.h"
#include "base/memory.h"

/* How far the product of a rotation and its transpose may be from one: files have six decimals. */
#define ROTATION_ERROR 0.01

void berth_place(const struct berth_placement *placement, const double point[3], double placed[3])
{
    for (int k = 0; k < 3; k++) {
        placed[k] = berth_dot(placement->rows[k], point) + placement->rows[k][3];
    }
}

void berth_symmetry_clear(struct berth_symmetry *symmetry)
{
    free(symmetry->assemblies);
    free(symmetry->parts);
    free(symmetry->images);
    memset(symmetry, 0, sizeof *symmetry);
}

/* --- The record --- */

/* Reads a placement whose numbers are no more than coordinates are; false where it is none. */
static bool read_placement(struct berth_cursor *cursor, struct berth_placement *placement)
{
    bool good = true;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 4; j++) {
            placement->rows[k][j] = berth_cursor_get_double(cursor);
            good = good && fabs(placement->rows[k][j]) <= BERTH_COORDINATE_MAX;
        }
    }
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j <= k; j++) {
            const double product = berth_dot(placement->rows[k], placement->rows[j]);
            good = good && fabs(product - (j == k)) <= ROTATION_ERROR;
        }
    }
    return good && !cursor->failed;
}

static enum berth_status refuse(const char *what, struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s by numbers that place nothing; write the file again", what);
}

static enum berth_status read_assembly(struct berth_cursor *cursor, struct berth_symmetry *symmetry,
                                       struct berth_error *error)
{
    struct berth_assembly *assembly = &symmetry->assemblies[symmetry->assembly_count++];
    if (!berth_cursor_get_name(cursor, assembly->name, sizeof assembly->name)) {
        return berth_worker_bad_answer(error);
    }
    size_t count = berth_cursor_get32(cursor);
    assembly->begin = symmetry->part_count;
    for (; count && !cursor->failed; count--) {
        BERTH_TRY(berth_reserve(&symmetry->parts, &symmetry->part_capacity,
                                symmetry->part_count + 1, sizeof *symmetry->parts, error));
        struct berth_assembly_part *part = &symmetry->parts[symmetry->part_count++];
        if (!berth_cursor_get_name(cursor, part->chain, sizeof part->chain)) {
            return berth_worker_bad_answer(error);
        }
        if (!read_placement(cursor, &part->placement) && !cursor->failed) {
            return refuse("an assembly is said", error);
        }
    }
    assembly->end = symmetry->part_count;
    return BERTH_OK;
}

static enum berth_status read_images(struct berth_cursor *cursor, struct berth_symmetry *symmetry,
                                     struct berth_error *error)
{
    size_t capacity = 0;
    symmetry->crowded = berth_cursor_get8(cursor);
    for (size_t count = berth_cursor_get32(cursor); count && !cursor->failed; count--) {
        BERTH_TRY(berth_reserve(&symmetry->images, &capacity, symmetry->image_count + 1,
                                sizeof *symmetry->images, error));
        if (!read_placement(cursor, &symmetry->images[symmetry->image_count++]) &&
            !cursor->failed) {
            return refuse("the crystal's symmetry is said", error);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_symmetry_parse(const void *record, size_t size,
                                       struct berth_symmetry *symmetry, struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(record, size);
    const size_t count = berth_cursor_get16(&cursor);
    memset(symmetry, 0, sizeof *symmetry);
    BERTH_TRY(berth_make(&symmetry->assemblies, count, sizeof *symmetry->assemblies, NULL, error));
    while (symmetry->assembly_count < count && !cursor.failed) {
        BERTH_TRY(read_assembly(&cursor, symmetry, error));
    }
    BERTH_TRY(read_images(&cursor, symmetry, error));
    return cursor.failed || berth_cursor_left(&cursor) ? berth_worker_bad_answer(error) : BERTH_OK;
}

/* --- What is asked for --- */

static bool begins(const char *line, const char *record)
{
    return strncmp(line, record, strlen(record)) == 0;
}

/* True for an operator's line that leaves a chain where it is. */
static bool is_still(const char *line)
{
    double row[4];
    int number;
    return sscanf(line, "REMARK 350 BIOMT%1d %*d %lf %lf %lf %lf", &number, &row[0], &row[1],
                  &row[2], &row[3]) == 5 &&
           row[0] == (number == 1) && row[1] == (number == 2) && row[2] == (number == 3) &&
           row[3] == 0;
}

/* Whether a line of a PDB file's header says what is asked for: the crystal's cell, which is one
 * of 1 Å where there is no crystal, and operators that move something, or all of an assembly that
 * is named. */
static bool says(const char *line, const struct berth_symmetry_request *asked)
{
    return asked->near && begins(line, "CRYST1")
               ? !begins(line, "CRYST1    1.000    1.000    1.000")
           : asked->named ? begins(line, "REMARK 350")
                          : begins(line, "REMARK 350   BIOMT") && !is_still(line);
}

/* How much of a PDB file stands in front of its atoms; *said: there is something to ask about. */
static size_t header_of(const char *text, const struct berth_symmetry_request *asked, bool *said)
{
    const char *line = text;
    while (*line && !begins(line, "ATOM  ") && !begins(line, "HETATM") && !begins(line, "MODEL ")) {
        *said = *said || says(line, asked);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return (size_t)(line - text);
}

/* The same of mmCIF, where one operator that is no row of a loop is the identity, if it says so. */
static bool has_symmetry(const char *text, const struct berth_symmetry_request *asked)
{
    static const char OPERATOR[] = "_pdbx_struct_oper_list.", LOOP[] = "loop_";
    const char *at = strstr(text, OPERATOR);
    while (at && at > text && strchr(" \t\r\n", at[-1])) {
        at--;
    }
    const size_t size = strlen(LOOP);
    const bool many = at && (size_t)(at - text) >= size && strncmp(at - size, LOOP, size) == 0;
    return (asked->near && strstr(text, "_cell.")) ||
           (asked->named && strstr(text, "_pdbx_struct_assembly")) ||
           (at && (many || !strstr(text, "identity operation")));
}

static void put_sphere(struct berth_bytes *options, const char *name, const double sphere[4])
{
    berth_bytes_print(options, "%s=%.17g %.17g %.17g %.17g\n", name, sphere[0], sphere[1],
                      sphere[2], sphere[3]);
}

static enum berth_status ask(struct berth_bond_finder *finder,
                             const struct berth_symmetry_request *asked,
                             const struct berth_field *text, struct berth_symmetry *symmetry,
                             struct berth_error *error)
{
    struct berth_answer answer = {0};
    struct berth_bytes options = {0};
    berth_bytes_print(&options, "heavy=%zu\n%s", asked->heavy, asked->cif ? "cif=\n" : "");
    if (asked->near) {
        put_sphere(&options, "around", asked->around);
        put_sphere(&options, "near", asked->near);
    }
    const struct berth_request request = {
        .fields = {berth_text_field("symmetry"), {options.data, options.count}, *text}, .count = 3};
    enum berth_status status = options.failed
                                   ? berth_out_of_memory(error, NULL)
                                   : berth_bond_finder_ask(finder, &request, 1, &answer, error);
    BERTH_THEN(berth_symmetry_parse(answer.fields[1].data, answer.fields[1].size, symmetry, error));
    berth_answer_clear(&answer);
    berth_bytes_clear(&options);
    return status;
}

enum berth_status berth_symmetry_read(struct berth_bond_finder *finder,
                                      const struct berth_symmetry_request *asked,
                                      struct berth_symmetry *symmetry, struct berth_error *error)
{
    struct berth_bytes bytes = {0};
    memset(symmetry, 0, sizeof *symmetry);
    if (strcmp(asked->path, "-") == 0) {
        return berth_fail(error, BERTH_E_FORMAT, "standard input can be read but once");
    }
    BERTH_TRY(berth_file_check_plain(asked->path, error));
    enum berth_status status = berth_input_read_all(asked->path, NULL, &bytes, error);
    berth_bytes_put8(&bytes, 0);
    if (!status && bytes.failed) {
        status = berth_out_of_memory(error, asked->path);
    }
    if (!status) {
        const char *all = (const char *)bytes.data;
        bool said = asked->cif && has_symmetry(all, asked);
        const struct berth_field text = {all,
                                         asked->cif ? strlen(all) : header_of(all, asked, &said)};
        status = said ? ask(finder, asked, &text, symmetry, error) : BERTH_OK;
    }
    berth_bytes_clear(&bytes);
    return status;
}
