#include "format/pdb/origin.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"

/* Programs that write how sure they are of each residue in place of B factors, and what they are
 * called elsewhere. */
static const struct {
    const char *word, *program;
} PROGRAMS[] = {{"AlphaFold", "AlphaFold"}, {"AlphaFoldDB", "AlphaFold"},
                {"ColabFold", "ColabFold"}, {"ESMFold", "ESMFold"},
                {"Boltz", "Boltz"},         {"Chai", "Chai"},
                {"OpenFold", "OpenFold"},   {"OmegaFold", "OmegaFold"},
                {"Protenix", "Protenix"},   {"RoseTTAFold", "RoseTTAFold"}};

static const char *const THEORETICAL[] = {"theoretical model", "ab initio model", "homology model",
                                          "predicted", "prediction"};

/* The methods of _exptl, each in full. */
static const char *const METHODS[] = {
    "X-ray diffraction",   "neutron diffraction", "electron crystallography",
    "electron microscopy", "fiber diffraction",   "powder diffraction",
    "solution NMR",        "solid-state NMR",     "solution scattering"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Whether the word stands at this place, in any case, and not as the beginning of another one
 * ("CHAI" of "CHAIN"). */
static bool is_at(const char *text, size_t length, const char *word)
{
    if ((*text ^ *word) & ~0x20) { /* not the same letter, in any case: as most are */
        return false;
    }
    const size_t size = strlen(word);
    return size <= length && strncasecmp(text, word, size) == 0 &&
           (size == length || !isalpha((unsigned char)text[size]));
}

/* The same of a program, which no author is called ("Chai, J."). */
static bool is_program_at(const char *text, size_t length, const char *word)
{
    return is_at(text, length, word) && (strlen(word) == length || text[strlen(word)] != ',');
}

static void read_words(struct berth_structure_origin *origin, const char *text, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        const char *word = text + at;
        const size_t left = length - at;
        if (!isalpha((unsigned char)*word) ||
            (at && (isalnum((unsigned char)word[-1]) || word[-1] == '.'))) { /* "J.CHAI" */
            continue;
        }
        for (size_t i = 0; !origin->program && i < COUNT(PROGRAMS); i++) {
            origin->program =
                is_program_at(word, left, PROGRAMS[i].word) ? PROGRAMS[i].program : NULL;
        }
        for (size_t i = 0; !origin->theoretical && i < COUNT(THEORETICAL); i++) {
            origin->theoretical = is_at(word, left, THEORETICAL[i]);
        }
        origin->plddt = origin->plddt || is_at(word, left, "pLDDT");
    }
}

void berth_origin_read_edge(struct berth_structure_origin *origin, const char *text, size_t length)
{
    const struct berth_field field = {text, length};
    double edge;
    origin->cell = origin->cell || (berth_field_real(&field, &edge) && edge > 1);
}

void berth_origin_read_line(struct berth_structure_origin *origin, const char *line)
{
    enum { EDGE = 6, EDGE_END = 15, METHOD = 10, METHOD_END = 80 };
    read_words(origin, line, strlen(line));
    if (strncmp(line, "CRYST1", 6) == 0) {
        const struct berth_field edge = berth_field_columns(line, EDGE, EDGE_END);
        berth_origin_read_edge(origin, edge.text, edge.length);
    } else if (strncmp(line, "EXPDTA", 6) == 0) {
        const struct berth_field method = berth_field_columns(line, METHOD, METHOD_END);
        origin->experiment =
            origin->experiment || !is_at(method.text, method.length, THEORETICAL[0]);
    }
}

void berth_origin_read_value(struct berth_structure_origin *origin, const char *text, size_t length)
{
    if (!length || !isalpha((unsigned char)*text)) {
        return;
    }
    read_words(origin, text, length);
    for (size_t i = 0; !origin->experiment && i < COUNT(METHODS); i++) {
        origin->experiment =
            length == strlen(METHODS[i]) && strncasecmp(text, METHODS[i], length) == 0;
    }
}
