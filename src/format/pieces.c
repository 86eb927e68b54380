#include "format/pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/memory.h"

enum { PLACE = 30, PLACE_SIZE = 8 };

static enum berth_status add(struct berth_pieces *pieces, const struct berth_piece *piece,
                             struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&pieces->items, &pieces->capacity, pieces->count + 1,
                            sizeof *pieces->items, error));
    pieces->items[pieces->count++] = *piece;
    return BERTH_OK;
}

/* --- XYZ: a count, a comment, so many atoms --- */

static bool is_count(const char *line, size_t *count)
{
    char rest;
    return sscanf(line, " %6zu %c", count, &rest) == 1 && *count > 0 && !strchr(line, '-');
}

static bool is_xyz_atom(const char *line)
{
    char symbol[8];
    double place[3];
    return sscanf(line, " %7s %lf %lf %lf", symbol, place, place + 1, place + 2) == 4;
}

/* Reads on to the end of the molecule whose count is the current line, or of what is none: then up
 * to the next count that a comment and an atom follow. */
static bool skip_xyz(struct berth_lines *lines)
{
    size_t count;
    struct berth_lines atoms = *lines;
    bool good = is_count(lines->line, &count) && berth_lines_next(&atoms);
    for (size_t i = 0; good && i < count; i++) {
        good = berth_lines_next(&atoms) && is_xyz_atom(atoms.line);
    }
    struct berth_lines behind = atoms;
    if (good) {
        *lines = atoms;
        good = !berth_lines_next(&behind) || !is_xyz_atom(behind.line);
        if (good) {
            return true;
        }
    }
    for (struct berth_lines ahead = *lines;
         berth_lines_next(&ahead) && !berth_line_is_blank(ahead.line); *lines = ahead) {
        struct berth_lines further = ahead;
        if (is_count(ahead.line, &count) && berth_lines_next(&further) &&
            berth_lines_next(&further) && is_xyz_atom(further.line)) {
            break;
        }
    }
    return false;
}

static enum berth_status cut_xyz(struct berth_lines *lines, struct berth_pieces *pieces,
                                 struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (!status && berth_lines_next(lines)) {
        if (!berth_line_is_blank(lines->line)) {
            struct berth_piece piece = {.begin = lines->begin, .line = lines->number};
            piece.bad = !skip_xyz(lines);
            piece.end = lines->end;
            status = add(pieces, &piece, error);
        }
    }
    return status;
}

/* --- PDB: up to END or ENDMDL --- */

static bool is_pdb_atom(const char *line)
{
    return strncmp(line, "ATOM", 4) == 0 || strncmp(line, "HETATM", 6) == 0;
}

/* True where each of the three coordinates' columns hold a number. */
static bool has_place(const char *line)
{
    bool has = strlen(line) >= PLACE + 3 * PLACE_SIZE;
    for (size_t k = 0; has && k < 3; k++) {
        const size_t column = PLACE + k * PLACE_SIZE;
        const struct berth_field text = berth_field_columns(line, column, column + PLACE_SIZE);
        double place;
        has = berth_field_real(&text, &place);
    }
    return has;
}

static enum berth_status cut_pdb(struct berth_lines *lines, struct berth_pieces *pieces,
                                 struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    struct berth_piece piece = {.line = 1};
    bool atoms = false;
    for (bool more = true; !status && more;) {
        more = berth_lines_next(lines);
        if (more && is_pdb_atom(lines->line)) {
            atoms = true;
            piece.bad = piece.bad || !has_place(lines->line);
        }
        if (!more || strncmp(lines->line, "END", 3) == 0) {
            piece.end = lines->end;
            status = atoms ? add(pieces, &piece, error) : BERTH_OK;
            piece = (struct berth_piece){.begin = lines->end, .line = lines->number + 1};
            atoms = false;
        }
    }
    return status;
}

/* --- CML: elements called molecule; InChI: lines --- */

static enum berth_status cut_cml(struct berth_lines *lines, struct berth_pieces *pieces,
                                 struct berth_error *error)
{
    static const char BEGIN[] = "<molecule", END[] = "</molecule>";
    enum berth_status status = BERTH_OK;
    struct berth_piece piece = {0};
    for (bool inside = false; !status && berth_lines_next(lines);) {
        const char *begin = strstr(lines->line, BEGIN);
        if (begin && !inside) {
            inside = true;
            piece.begin = lines->begin + (size_t)(begin - lines->line);
            piece.line = lines->number;
        }
        const char *end = strstr(lines->line, END);
        if (end && inside) {
            inside = false;
            piece.end = lines->begin + (size_t)(end - lines->line) + sizeof END - 1;
            status = add(pieces, &piece, error);
        }
    }
    return status;
}

static enum berth_status cut_lines(struct berth_lines *lines, struct berth_pieces *pieces,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (!status && berth_lines_next(lines)) {
        const struct berth_piece piece = {lines->begin, lines->end, lines->number, false};
        status = berth_line_is_blank(lines->line) ? BERTH_OK : add(pieces, &piece, error);
    }
    return status;
}

/* CIF: data blocks. */
static enum berth_status cut_cif(struct berth_lines *lines, struct berth_pieces *pieces,
                                 struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    struct berth_piece piece = {0};
    while (!status && berth_lines_next(lines)) {
        if (strncasecmp(lines->line, "data_", 5) == 0) {
            status = piece.line ? add(pieces, &piece, error) : BERTH_OK;
            piece = (struct berth_piece){.begin = lines->begin, .line = lines->number};
        }
        piece.end = lines->end;
    }
    return status || !piece.line ? status : add(pieces, &piece, error);
}

enum berth_status berth_pieces_find(const char *format, const struct berth_bytes *text,
                                    struct berth_pieces *pieces, struct berth_error *error)
{
    static const struct {
        const char *format;
        enum berth_status (*cut)(struct berth_lines *, struct berth_pieces *, struct berth_error *);
    } CUTS[] = {{"xyz", cut_xyz}, {"pdb", cut_pdb},   {"ent", cut_pdb},  {"cml", cut_cml},
                {"cif", cut_cif}, {"mmcif", cut_cif}, {"mcif", cut_cif}, {"inchi", cut_lines}};
    struct berth_lines lines = {.data = (const char *)text->data, .size = text->count};
    enum berth_status status = BERTH_OK;
    memset(pieces, 0, sizeof *pieces);
    for (size_t i = 0; i < sizeof CUTS / sizeof *CUTS; i++) {
        if (strcasecmp(format, CUTS[i].format) == 0) {
            status = CUTS[i].cut(&lines, pieces, error);
            pieces->framed = CUTS[i].cut == cut_cml;
        }
    }
    if (status) {
        berth_pieces_clear(pieces);
    }
    return status;
}

void berth_pieces_clear(struct berth_pieces *pieces)
{
    free(pieces->items);
    memset(pieces, 0, sizeof *pieces);
}
