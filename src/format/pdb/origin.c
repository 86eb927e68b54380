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

/* Whether the word stands in the text by itself, in any case: neither within another one ("CHAI" in
 * "CHAIN") nor as an author's name ("J.CHAI", "Chai, J."). */
static bool has_word(const char *text, size_t length, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++) {
        const char before = i ? text[i - 1] : ' ', after = i + size < length ? text[i + size] : ' ';
        if (strncasecmp(text + i, word, size) == 0 && !isalnum((unsigned char)before) &&
            before != '.' && !isalpha((unsigned char)after) && after != ',') {
            return true;
        }
    }
    return false;
}

static void read_words(struct berth_structure_origin *origin, const char *text, size_t length)
{
    for (size_t i = 0; !origin->program && i < COUNT(PROGRAMS); i++) {
        if (has_word(text, length, PROGRAMS[i].word)) {
            origin->program = PROGRAMS[i].program;
        }
    }
    for (size_t i = 0; !origin->theoretical && i < COUNT(THEORETICAL); i++) {
        origin->theoretical = has_word(text, length, THEORETICAL[i]);
    }
    origin->plddt = origin->plddt || has_word(text, length, "pLDDT");
}

void berth_origin_read_edge(struct berth_structure_origin *origin, const char *text, size_t length)
{
    const struct berth_field field = {text, length};
    double edge;
    origin->cell = origin->cell || (berth_field_real(&field, &edge) && edge > 1);
}

void berth_origin_read_line(struct berth_structure_origin *origin, const char *line)
{
    enum { EDGE = 6, EDGE_END = 15 };
    const size_t length = strlen(line);
    read_words(origin, line, length);
    if (strncmp(line, "CRYST1", 6) == 0) {
        const struct berth_field edge = berth_field_columns(line, EDGE, EDGE_END);
        berth_origin_read_edge(origin, edge.text, edge.length);
    } else if (strncmp(line, "EXPDTA", 6) == 0) {
        origin->experiment = origin->experiment || !has_word(line, length, "theoretical model");
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
