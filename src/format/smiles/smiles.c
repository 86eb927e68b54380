#include "format/smiles/smiles.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { RINGS = 100 };

struct scan {
    const char *text;
    size_t size, at;
    size_t depth;         /* of parentheses, */
    size_t outer;         /* of which the outermost stands here */
    bool atom;            /* one stands in front, to be bonded to */
    char pending;         /* the bond, dot or parenthesis in front that asks for an atom; 0: none */
    bool rings[RINGS];    /* those that are open, */
    size_t opened[RINGS]; /* and where */
};

static enum berth_status refuse(const struct scan *scan, const char *what,
                                struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "no valid SMILES: %s at character %zu", what,
                      scan->at + 1);
}

static bool is_bond(char c)
{
    return c && strchr("-=#$:/\\~", c);
}

/* Takes one atom without brackets, or none: the number of its characters. */
static size_t plain_symbol(const struct scan *scan)
{
    const char *at = scan->text + scan->at;
    const size_t left = scan->size - scan->at;
    if (left > 1 && (memcmp(at, "Cl", 2) == 0 || memcmp(at, "Br", 2) == 0)) {
        return 2;
    }
    return strchr("BCNOPSFIbcnops*", *at) ? 1 : 0;
}

static enum berth_status take_bracket(struct scan *scan, struct berth_error *error)
{
    const char *from = scan->text + scan->at;
    const char *end = memchr(from, ']', scan->size - scan->at);
    if (!end || end == from + 1) {
        return refuse(scan, end ? "an empty bracket" : "a bracket that is left open", error);
    }
    scan->at += (size_t)(end - from) + 1;
    scan->atom = true;
    scan->pending = 0;
    return BERTH_OK;
}

/* The number of a ring's bond: 1, %12 (%(123) counts as that many, too). */
static enum berth_status take_ring(struct scan *scan, struct berth_error *error)
{
    const char *at = scan->text + scan->at;
    const size_t left = scan->size - scan->at;
    const bool two = *at == '%';
    if (!scan->atom || scan->pending == '(' || scan->pending == '.' ||
        (two && (left < 3 || !isdigit((unsigned char)at[1]) || !isdigit((unsigned char)at[2])))) {
        return refuse(scan, "a ring's number that is out of place", error);
    }
    const int number = two ? 10 * (at[1] - '0') + at[2] - '0' : *at - '0';
    scan->rings[number] = !scan->rings[number];
    scan->opened[number] = scan->at;
    scan->pending = 0;
    scan->at += two ? 3 : 1;
    return BERTH_OK;
}

static enum berth_status take_mark(struct scan *scan, char c, struct berth_error *error)
{
    if (!scan->atom || (scan->pending && !(is_bond(c) && scan->pending == '('))) {
        return refuse(scan, "a bond, dot or parenthesis that is out of place", error);
    }
    if (c == ')') {
        if (!scan->depth) {
            return refuse(scan, "a parenthesis that was not opened", error);
        }
        scan->depth--;
    } else {
        scan->pending = c;
        scan->outer = c == '(' && !scan->depth ? scan->at : scan->outer;
        scan->depth += c == '(';
    }
    scan->at++;
    return BERTH_OK;
}

static enum berth_status take_symbol(struct scan *scan, struct berth_error *error)
{
    const char c = scan->text[scan->at];
    const size_t symbol = c ? plain_symbol(scan) : 0;
    if (symbol) {
        scan->at += symbol;
        scan->atom = true;
        scan->pending = 0;
        return BERTH_OK;
    }
    if (c == '[') {
        return take_bracket(scan, error);
    }
    if (isdigit((unsigned char)c) || c == '%') {
        return take_ring(scan, error);
    }
    return is_bond(c) || c == '(' || c == ')' || c == '.'
               ? take_mark(scan, c, error)
               : refuse(scan, "a symbol that SMILES do not have", error);
}

enum berth_status berth_smiles_check(const char *text, size_t size, struct berth_error *error)
{
    struct scan scan = {.text = text};
    while (scan.size < size && !strchr(" \t\r\n", text[scan.size])) {
        scan.size++;
    }
    enum berth_status status = BERTH_OK;
    if (scan.size == 2 && memcmp(text, "\"\"", 2) == 0) { /* as tables write an empty cell */
        return berth_fail(error, BERTH_E_FORMAT, "no SMILES: an empty cell");
    }
    while (!status && scan.at < scan.size) {
        status = take_symbol(&scan, error);
    }
    if (status || !scan.size) {
        return status;
    }
    if (scan.depth || scan.pending) {
        scan.at = scan.depth ? scan.outer : scan.size - 1;
        return refuse(&scan,
                      scan.depth ? "a parenthesis that is left open" : "a bond that is left open",
                      error);
    }
    for (int i = 0; i < RINGS; i++) {
        if (scan.rings[i]) {
            scan.at = scan.opened[i];
            return refuse(&scan, "a ring that is left open", error);
        }
    }
    return BERTH_OK;
}

const char *berth_smiles_hint(const char *path)
{
    return berth_smiles_check(path, strlen(path), NULL)
               ? ""
               : " (SMILES go into a file, a line each: echo 'SMILES NAME' >NAME.smi)";
}
