#include "format/pieces.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/memory.h"

enum { SERIAL = 6, SERIAL_SIZE = 5, PLACE = 30, PLACE_SIZE = 8 };

static enum berth_status add(struct berth_pieces *pieces, const struct berth_piece *piece,
                             struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&pieces->items, &pieces->capacity, pieces->count + 1,
                            sizeof *pieces->items, error));
    pieces->items[pieces->count++] = *piece;
    return BERTH_OK;
}

/* Keeps a name without the blanks about it, cut to fit. */
static void set_name(struct berth_piece *piece, const char *text, size_t size)
{
    while (size && isspace((unsigned char)*text)) {
        text++;
        size--;
    }
    while (size && isspace((unsigned char)text[size - 1])) {
        size--;
    }
    size = size < sizeof piece->name ? size : sizeof piece->name - 1;
    memcpy(piece->name, text, size);
    piece->name[size] = '\0';
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
            struct berth_lines comment = *lines;
            if (berth_lines_next(&comment)) {
                set_name(&piece, comment.line, strlen(comment.line));
            }
            piece.bad = !skip_xyz(lines);
            piece.end = lines->end;
            status = add(pieces, &piece, error);
        }
    }
    return status;
}

/* --- PDB and PDBQT --- */

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

/* The piece of a PDB file that is being read. */
struct pdb {
    struct berth_piece piece;
    bool atoms;                                         /* it has some */
    char first[SERIAL_SIZE + 1], last[SERIAL_SIZE + 1]; /* their numbers */
};

static void serial_of(const char *line, char serial[SERIAL_SIZE + 1])
{
    const struct berth_field field = berth_field_columns(line, SERIAL, SERIAL + SERIAL_SIZE);
    berth_field_copy(&field, serial, SERIAL_SIZE + 1);
}

/* True where the line begins another molecule, though nothing ended the one before. */
static bool begins_pdb(const struct pdb *pdb, const char *line)
{
    static const char *const HEADS[] = {"HEADER", "TITLE ", "COMPND", "MODEL ", "CRYST1"};
    char serial[SERIAL_SIZE + 1] = "";
    for (size_t i = 0; pdb->atoms && i < sizeof HEADS / sizeof *HEADS; i++) {
        if (strncmp(line, HEADS[i], strlen(HEADS[i])) == 0) {
            return true;
        }
    }
    if (is_pdb_atom(line)) {
        serial_of(line, serial);
    }
    return pdb->atoms && *serial && strcmp(serial, pdb->first) == 0 &&
           strcmp(serial, pdb->last) != 0;
}

static void take_pdb_atom(struct pdb *pdb, const char *line)
{
    serial_of(line, pdb->last);
    if (!pdb->atoms) {
        serial_of(line, pdb->first);
    }
    pdb->atoms = true;
    pdb->piece.bad = pdb->piece.bad || !has_place(line);
}

/* Adds what was read up to a byte, and begins a piece there, in the line of this number. */
static enum berth_status end_pdb(struct pdb *pdb, size_t end, size_t line,
                                 struct berth_pieces *pieces, struct berth_error *error)
{
    pdb->piece.end = end;
    const enum berth_status status = pdb->atoms ? add(pieces, &pdb->piece, error) : BERTH_OK;
    *pdb = (struct pdb){.piece = {.begin = end, .line = line}};
    return status;
}

static enum berth_status cut_pdb(struct berth_lines *lines, struct berth_pieces *pieces,
                                 struct berth_error *error)
{
    struct pdb pdb = {.piece = {.line = 1}};
    enum berth_status status = BERTH_OK;
    while (!status && berth_lines_next(lines)) {
        if (begins_pdb(&pdb, lines->line)) {
            status = end_pdb(&pdb, lines->begin, lines->number, pieces, error);
        }
        if (is_pdb_atom(lines->line)) {
            take_pdb_atom(&pdb, lines->line);
        }
        if (!status && strncmp(lines->line, "END", 3) == 0) {
            status = end_pdb(&pdb, lines->end, lines->number + 1, pieces, error);
        }
    }
    return status ? status : end_pdb(&pdb, lines->end, lines->number, pieces, error);
}

/* Models, or ligands, each of which ends with its TORSDOF. */
static enum berth_status cut_pdbqt(struct berth_lines *lines, struct berth_pieces *pieces,
                                   struct berth_error *error)
{
    struct pdb pdb = {.piece = {.line = 1}};
    enum berth_status status = BERTH_OK;
    for (bool model = false; !status && berth_lines_next(lines);) {
        const bool ends = strncmp(lines->line, "ENDMDL", 6) == 0 ||
                          (!model && strncmp(lines->line, "TORSDOF", 7) == 0);
        model = (model || strncmp(lines->line, "MODEL", 5) == 0) && !ends;
        if (is_pdb_atom(lines->line)) {
            take_pdb_atom(&pdb, lines->line);
        }
        if (ends) {
            status = end_pdb(&pdb, lines->end, lines->number + 1, pieces, error);
        }
    }
    return status ? status : end_pdb(&pdb, lines->end, lines->number, pieces, error);
}

/* --- CML: elements called molecule --- */

/* A tag of a molecule's element. */
struct tag {
    size_t begin, end; /* bytes: "<" .. behind ">" */
    bool closes;       /* </molecule> */
    bool empty;        /* <molecule/> */
};

/* True where the element that begins at text[at], behind "<" or "</", is a molecule; in a
 * namespace, too ("cml:molecule"). */
static bool is_molecule(const char *text, size_t size, size_t at)
{
    static const char NAME[] = "molecule";
    size_t end = at;
    while (end < size && (isalnum((unsigned char)text[end]) || strchr("_-.:", text[end]))) {
        if (!text[end]) {
            return false;
        }
        at = text[end] == ':' ? end + 1 : at;
        end++;
    }
    return end - at == sizeof NAME - 1 && memcmp(text + at, NAME, sizeof NAME - 1) == 0;
}

/* Where wanted stands in size bytes of text; NULL: nowhere. */
static const char *find_text(const char *text, size_t size, const char *wanted)
{
    const size_t length = strlen(wanted);
    for (size_t at = 0; at + length <= size; at++) {
        if (memcmp(text + at, wanted, length) == 0) {
            return text + at;
        }
    }
    return NULL;
}

/* The next one from `at` on, comments passed over. */
static bool next_tag(const struct berth_lines *text, size_t at, struct tag *tag)
{
    const char *data = text->data;
    const size_t size = text->size;
    while (at < size) {
        const char *open = memchr(data + at, '<', size - at);
        if (!open) {
            return false;
        }
        const size_t begin = (size_t)(open - data);
        const bool comment = size - begin > 3 && memcmp(open, "<!--", 4) == 0;
        const char *close =
            comment ? find_text(open, size - begin, "-->") : memchr(open, '>', size - begin);
        const size_t end = close ? (size_t)(close - data) + (comment ? 3 : 1) : size;
        const bool closes = begin + 1 < size && data[begin + 1] == '/';
        if (!comment && is_molecule(data, size, begin + 1 + closes)) {
            *tag = (struct tag){begin, end, closes, !closes && end > 1 && data[end - 2] == '/'};
            return true;
        }
        at = end;
    }
    return false;
}

/* Finds where the element that this tag opens ends; false where a mark is missing, so that others
 * seem to be in it. */
static bool find_end(const struct berth_lines *text, const struct tag *first, size_t *end)
{
    enum { DEEPEST = 4 }; /* molecules may have parts */
    size_t depth = !first->empty, at = first->end;
    *end = first->end;
    for (struct tag tag; depth && depth <= DEEPEST && next_tag(text, at, &tag); at = tag.end) {
        depth += tag.closes ? -1 : !tag.empty;
        *end = tag.end;
    }
    return depth == 0;
}

/* The value of an attribute, title or else id, is its name. */
static void name_cml(const char *data, const struct tag *tag, struct berth_piece *piece)
{
    static const char *const NAMES[] = {" title=", " id="};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !*piece->name; i++) {
        const size_t length = strlen(NAMES[i]);
        const char *at = find_text(data + tag->begin, tag->end - tag->begin, NAMES[i]);
        const char *end = data + tag->end;
        if (at && at + length < end && strchr("'\"", at[length])) {
            const char *value = at + length + 1;
            const char *close = memchr(value, at[length], (size_t)(end - value));
            set_name(piece, value, close ? (size_t)(close - value) : 0);
        }
    }
}

static enum berth_status cut_cml(struct berth_lines *lines, struct berth_pieces *pieces,
                                 struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    size_t at = 0, line = 1, counted = 0;
    for (struct tag tag; !status && next_tag(lines, at, &tag);) {
        struct berth_piece piece = {.begin = tag.begin};
        struct tag next;
        at = tag.end;
        if (tag.closes) {
            continue;
        }
        piece.bad = !find_end(lines, &tag, &piece.end);
        if (piece.bad) {
            piece.end = next_tag(lines, tag.end, &next) ? next.begin : lines->size;
        }
        for (; counted < piece.begin; counted++) {
            line += lines->data[counted] == '\n';
        }
        piece.line = line;
        name_cml(lines->data, &tag, &piece);
        at = piece.end;
        status = add(pieces, &piece, error);
    }
    return status;
}

/* --- InChI: lines --- */

static enum berth_status cut_lines(struct berth_lines *lines, struct berth_pieces *pieces,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (!status && berth_lines_next(lines)) {
        const struct berth_piece piece = {
            .begin = lines->begin, .end = lines->end, .line = lines->number};
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
            set_name(&piece, lines->line + 5, strlen(lines->line + 5));
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
    } CUTS[] = {{"xyz", cut_xyz},  {"pdb", cut_pdb},     {"ent", cut_pdb},
                {"cml", cut_cml},  {"cif", cut_cif},     {"mmcif", cut_cif},
                {"mcif", cut_cif}, {"inchi", cut_lines}, {"pdbqt", cut_pdbqt}};
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
