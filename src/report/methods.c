#include "report/methods.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/embedded.h"
#include "dock/restraints/restraints.h"
#include "format/json.h"
#include "format/library/library.h"
#include "report/template.h"
#include "score/language/definition.h"

enum { WORD_SIZE = 256 };

/* What the template is filled with, on its way: one object. */
struct facts {
    const struct berth_methods_facts *of;
    const struct berth_run_card *run;
    struct berth_json json;
    char first[WORD_SIZE]; /* of the functions that searched and judged */
    size_t function_count;
};

/* --- Words --- */

/* A member of the card as the template has it: texts, numbers and lists of these by the names of
 * their rows, of metals what an open site is worth.  What is not known is left out. */
static void put_row(struct berth_json *json, const struct berth_run_card *card,
                    const struct berth_run_row *row)
{
    const void *member = (const char *)card + row->offset;
    const struct berth_term_names *words = member;
    const struct berth_run_metals *metals = member;
    const bool is_metals = row->kind == BERTH_RUN_METALS, is_words = row->kind == BERTH_RUN_WORDS,
               is_list = is_words || row->kind == BERTH_RUN_NUMBERS;
    const double *numbers = is_metals ? &metals->weight : member;
    if (row->kind == BERTH_RUN_TEXT) {
        berth_json_text(json, row->name, *(const char *const *)member);
    } else if (is_list) {
        berth_json_open(json, row->name, '[');
        for (size_t i = 0; is_words ? i < words->count : i < row->count && !isnan(numbers[i]);
             i++) {
            if (is_words) {
                berth_json_text(json, NULL, words->names[i]);
            } else {
                berth_json_print(json, NULL, "%.15g", numbers[i]);
            }
        }
        berth_json_close(json, ']');
    } else if ((is_metals || row->kind == BERTH_RUN_NUMBER) &&
               isfinite(is_metals ? metals->count : *numbers)) {
        berth_json_print(json, row->name, "%.15g", *numbers);
    }
}

/* Takes what stands there out of the line. */
static void cut(char *line, const char *what, bool all_behind)
{
    char *at = strstr(line, what);
    if (at) {
        const char *rest = all_behind ? "" : at + strlen(what);
        memmove(at, rest, strlen(rest) + 1);
    }
}

/* --- Ligands --- */

/* How the run's library was made, where it is still there; "": it is not. */
static void find_library(const struct berth_methods_facts *of, char note[PATH_MAX])
{
    const struct berth_run_card *run = of->run;
    char path[PATH_MAX] = "";
    struct berth_library_reader *library = NULL;
    struct berth_error ignored;
    note[0] = '\0';
    if (*run->identity.prepare && *of->folder &&
        berth_path_in(of->folder, "library.blib", path, PATH_MAX, &ignored)) {
        *path = '\0'; /* of a screen of molecules */
    }
    if (!*path) { /* of a docking: any file */
        snprintf(path, sizeof path, "%s",
                 *run->files.library ? run->files.library : run->files.molecules);
    }
    if (*path && !berth_library_open(path, NULL, &library, &ignored)) {
        snprintf(note, PATH_MAX, "%s", berth_library_info(library).note);
    }
    berth_library_close(library);
}

/* How they came about, of the options that made them: "prep ligands --ph 7.4 ...; RDKit 2022.09".
 * An option without a value is true. */
static void put_prepared(struct facts *facts, const char *note)
{
    static const char RDKIT[] = "; RDKit ";
    const char *rdkit = strstr(note, RDKIT);
    char name[WORD_SIZE], value[WORD_SIZE];
    berth_json_open(&facts->json, "prepared", '{');
    for (const char *at = strstr(note, " --"); at; at = strstr(at + 1, " --")) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 3, " ;"), at + 3);
        const char *next = at + 3 + strlen(name), *given = *next == ' ' ? next + 1 : "--";
        snprintf(value, sizeof value, "%.*s", (int)strcspn(given, " ;"), given);
        berth_json_text(&facts->json, name, strncmp(value, "--", 2) == 0 ? "true" : value);
    }
    if (rdkit) {
        rdkit += strlen(RDKIT);
        snprintf(value, sizeof value, "%.*s", (int)strcspn(rdkit, " ;"), rdkit);
        berth_json_text(&facts->json, "rdkit", value);
    }
    berth_json_close(&facts->json, '}');
}

/* Of a library, what was lost while it was prepared; a shard's is not known. */
static size_t lost_before(const struct facts *facts, double lost)
{
    const char *shard = facts->run->identity.shard;
    return (!*shard || strcmp(shard, "1/1") == 0) && lost > 0 ? (size_t)lost : 0;
}

/* What came of what the run was given: how much that was is known where a molecule is one ligand,
 * or one row of the failures. */
static void put_lost(struct facts *facts)
{
    const struct berth_methods_counts *counts = &facts->of->counts;
    const size_t before_failed = lost_before(facts, facts->run->files.prepare_failed),
                 before_dropped = lost_before(facts, facts->run->files.prepare_dropped);
    const size_t failed = counts->failed + before_failed,
                 dropped = counts->dropped + before_dropped;
    berth_json_open(&facts->json, "lost", '{');
    if (failed || dropped) {
        berth_json_count(&facts->json, "given",
                         counts->molecules == counts->ligands ? counts->molecules + failed + dropped
                                                              : 0);
        berth_json_bool(&facts->json, "library",
                        *facts->run->files.library && !before_failed && !before_dropped);
        berth_json_count(&facts->json, "failed", failed);
        berth_json_count(&facts->json, "dropped", dropped);
    }
    berth_json_close(&facts->json, '}');
}

static void put_ligands(struct facts *facts)
{
    const struct berth_methods_counts *counts = &facts->of->counts;
    const double docked = facts->run->result.ligands; /* that were to be */
    struct berth_json *json = &facts->json;
    char library[PATH_MAX];
    find_library(facts->of, library);
    const char *note = *library                        ? library
                       : *facts->run->identity.prepare ? facts->run->identity.prepare
                                                       : facts->run->files.prepare;
    const bool counted = facts->of->counted;
    put_prepared(facts, note);
    berth_json_count(json, "duplicates", counts->duplicates);
    berth_json_bool(json, "drop_duplicates", strstr(note, " --drop_duplicates"));
    berth_json_count(json, "repeated", counts->repeated);
    if (counted) {
        put_lost(facts);
        berth_json_count(json, "open_stereo", counts->open_stereo);
    }
    berth_json_count(json, "ligands", counted ? counts->ligands : docked > 0 ? (size_t)docked : 0);
    berth_json_count(json, "molecules",
                     counts->molecules < counts->ligands ? counts->molecules : 0);
}

/* --- The receptor and the place --- */

/* Whether a line of the preparation belongs into the paragraph. */
static bool is_told(const char *line)
{
    static const char *const TOLD[] = {"ligand",
                                       "kept",
                                       "left out",
                                       "pLDDT",
                                       "histidines",
                                       "hydrogens",
                                       "unusual forms",
                                       "the chain is broken",
                                       "chains are broken",
                                       "facing acids"};
    const size_t digits = strspn(line, "0123456789");
    bool told = digits && (strncmp(line + digits, " residue ", 9) == 0 ||
                           strncmp(line + digits, " residues ", 10) == 0);
    for (size_t i = 0; i < sizeof TOLD / sizeof *TOLD; i++) {
        told = told || strncmp(line, TOLD[i], strlen(TOLD[i])) == 0;
    }
    return told && !strstr(line, ", as perceived");
}

/* What became of a receptor's file when berth prepared it, in the words that it said then. */
static void put_receptor(struct facts *facts, const struct berth_run_named *receptor)
{
    static const char BETWEEN[] = " | ", LIGAND[] = "ligand: ";
    struct berth_json *json = &facts->json;
    char text[PATH_MAX], told[PATH_MAX + 32];
    bool any = false;
    snprintf(text, sizeof text, "%s", receptor->text);
    for (char *line = text, *next; line; line = next) {
        next = strstr(line, BETWEEN);
        if (next) {
            *next = '\0';
            next += strlen(BETWEEN);
        }
        if (!is_told(line)) {
            continue;
        }
        if (!any) {
            berth_json_open(json, NULL, '{');
            berth_json_text(json, "of", receptor->of);
            berth_json_open(json, "lines", '[');
        }
        cut(line, "; to change that, ", true);
        cut(line, "; call that one ", true);
        cut(line, " (where nothing says otherwise)", false);
        const bool ligand = strncmp(line, LIGAND, strlen(LIGAND)) == 0;
        snprintf(told, sizeof told, "%s%s", ligand ? "ligand cut out: " : "",
                 line + (ligand ? strlen(LIGAND) : 0));
        berth_json_text(json, NULL, told);
        any = true;
    }
    if (any) {
        berth_json_close(json, ']');
        berth_json_close(json, '}');
    }
}

/* Å, along each axis; nothing where they are not known. */
static void put_edges(struct facts *facts, const char *name, const double numbers[3])
{
    berth_json_open(&facts->json, name, '[');
    for (size_t i = 0; i < 3 && !isnan(numbers[i]); i++) {
        berth_json_number(&facts->json, NULL, numbers[i], 1);
    }
    berth_json_close(&facts->json, ']');
}

static void put_receptors(struct facts *facts)
{
    const struct berth_run_named *receptors = facts->run->files.prepared_receptor;
    berth_json_text(&facts->json, "docked_into", berth_file_name(facts->of->docked_into));
    berth_json_text(&facts->json, "made_from", berth_file_name(facts->of->made_from));
    if (strcmp(facts->run->files.site, "surface") != 0) {
        berth_json_open(&facts->json, "box", '{');
        berth_json_bool(&facts->json, "whole", facts->run->identity.maps[1] == 0); /* no margin */
        put_edges(facts, "size", facts->run->identity.size);
        put_edges(facts, "center", facts->run->identity.center);
        berth_json_close(&facts->json, '}');
    }
    berth_json_open(&facts->json, "receptors", '[');
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && receptors[i].of; i++) {
        put_receptor(facts, &receptors[i]);
    }
    berth_json_close(&facts->json, ']');
}

/* --- The search --- */

/* The residue that ligands were bonded to, and its atom: "CYS A:25 SG". */
static bool put_bond(struct facts *facts)
{
    char bond[PATH_MAX];
    snprintf(bond, sizeof bond, "%s", facts->run->identity.covalent);
    char *atom = strrchr(bond, ' ');
    if (atom) {
        *atom++ = '\0';
        berth_json_open(&facts->json, "bond", '{');
        berth_json_text(&facts->json, "residue", bond);
        berth_json_text(&facts->json, "atom", atom);
        berth_json_close(&facts->json, '}');
    }
    return atom;
}

/* The first functions of the run. */
static void put_functions(struct facts *facts, const char *name, size_t count)
{
    berth_json_open(&facts->json, name, '[');
    for (size_t i = 0; i < count; i++) {
        berth_json_text(&facts->json, NULL,
                        i ? facts->run->identity.functions.names[i] : facts->first);
    }
    berth_json_close(&facts->json, ']');
}

/* Side chains of the receptors; false: none moved. */
static bool put_moved(struct facts *facts)
{
    const struct berth_run_named *moved = facts->run->identity.side_chains;
    bool any = false;
    berth_json_open(&facts->json, "moved", '[');
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && moved[i].of; i++) {
        char text[PATH_MAX];
        snprintf(text, sizeof text, "%s", moved[i].text);
        for (char *rest = text, *part; (part = strtok_r(rest, ",", &rest)) != NULL; any = true) {
            berth_json_text(&facts->json, NULL, part + strspn(part, " "));
        }
    }
    berth_json_close(&facts->json, ']');
    return any;
}

/* The functions that search; gives how many. */
static size_t put_searching(struct facts *facts)
{
    const char *pool = facts->run->identity.pool;
    size_t count = 0;
    berth_json_open(&facts->json, "searched_by", '[');
    if (!pool) {
        berth_json_text(&facts->json, NULL, facts->first);
        count++;
    }
    for (const char *name = pool; name; count++) {
        char text[BERTH_TERM_NAME_SIZE];
        const size_t length = strcspn(name, ",");
        snprintf(text, sizeof text, "%.*s", (int)length, name);
        berth_json_text(&facts->json, NULL,
                        strcmp(text, facts->run->identity.functions.names[0]) == 0 ? facts->first
                                                                                   : text);
        name = name[length] ? name + length + 1 : NULL;
    }
    berth_json_close(&facts->json, ']');
    return count;
}

static void put_search(struct facts *facts)
{
    const bool bonded = put_bond(facts);
    const size_t searching = put_searching(facts);
    berth_json_bool(&facts->json, "several", searching > 1);
    berth_json_bool(&facts->json, "single", facts->run->identity.refine == 1);
    berth_json_bool(&facts->json, "torsions",
                    strcmp(facts->run->identity.refine_torsions, "yes") == 0 && !bonded);
}

/* False: there are none. */
static bool put_restraints(struct facts *facts, const char *name, bool required)
{
    bool any = false;
    berth_json_open(&facts->json, name, '[');
    for (size_t i = 0; i < berth_restraint_count(facts->run); i++) {
        const struct berth_run_restraint *item = &facts->run->files.restraint[i];
        if (!berth_restraint_is_metal(item) && item->required == required) {
            berth_json_open(&facts->json, NULL, '{');
            berth_json_text(&facts->json, "text", item->text);
            berth_json_bool(&facts->json, "avoided", item->avoided);
            berth_json_print(&facts->json, "radius", "%g", round(item->radius * 100) / 100);
            berth_json_close(&facts->json, '}');
            any = true;
        }
    }
    berth_json_close(&facts->json, ']');
    return any;
}

static void put_held(struct facts *facts)
{
    const struct berth_run_restraint *list = facts->run->files.restraint;
    const bool required = put_restraints(facts, "required", true),
               wished = put_restraints(facts, "wished", false);
    if (required || wished) {
        berth_json_print(&facts->json, "tolerance", "%g", BERTH_RESTRAINT_SLACK);
    }
    berth_json_open(&facts->json, "templates", '[');
    for (size_t i = 0; i < BERTH_RESTRAINTS_MAX && list[i].text; i++) {
        if (list[i].reference) {
            berth_json_text(&facts->json, NULL, berth_file_name(list[i].reference));
        }
    }
    berth_json_close(&facts->json, ']');
}

/* --- The judgement --- */

/* A ranking, without what is 0 where no side chain moves. */
static void put_ranking(struct facts *facts, const char *name, const char *ranking, bool moves)
{
    char text[PATH_MAX];
    snprintf(text, sizeof text, "%s", ranking);
    if (!moves) {
        cut(text, " + receptor_strain", false);
    }
    berth_json_text(&facts->json, name, text);
}

static void put_judgement(struct facts *facts, bool moves)
{
    const struct berth_run_card *run = facts->run;
    const char *function = facts->first, *shard = run->identity.shard;
    put_functions(facts, "functions", facts->function_count);
    berth_json_text(&facts->json, "function", function);
    berth_json_bool(&facts->json, "scored_by", facts->function_count > 1);
    put_ranking(facts, "rank_poses", run->identity.rank_poses, moves);
    put_ranking(facts, "rank_ligands", facts->of->counts.ranked ? run->identity.rank_ligands : "",
                moves);
    berth_json_bool(&facts->json, "vina",
                    strcmp(function, "vina") == 0 || strcmp(function, "vinardo") == 0);
    berth_json_text(&facts->json, "shard", strcmp(shard, "1/1") != 0 ? shard : "");
}

/* --- What it ran on, and where the functions are from --- */

/* Each name once. */
static void put_devices(struct facts *facts)
{
    const struct berth_run_used *devices = facts->run->devices;
    berth_json_count(&facts->json, "device_count", facts->run->device_count);
    berth_json_open(&facts->json, "devices", '[');
    for (size_t i = 0; i < facts->run->device_count; i++) {
        size_t k = 0;
        while (strcmp(devices[k].name, devices[i].name) != 0) {
            k++;
        }
        if (k == i) {
            berth_json_text(&facts->json, NULL, devices[i].name);
        }
    }
    berth_json_close(&facts->json, ']');
}

/* The papers of those functions that are known here; the first may be of a file of the user's,
 * whatever name is in it. */
static void put_sources(struct facts *facts)
{
    const struct berth_term_names *functions = &facts->run->identity.functions;
    const char *first = facts->run->identity.scoring;
    struct berth_error ignored;
    berth_json_open(&facts->json, "sources", '[');
    for (size_t i = 0; i < functions->count || (!i && *first); i++) {
        const struct berth_scoring_choice choice = {.scoring =
                                                        !i && *first ? first : functions->names[i]};
        struct berth_scoring scoring = {0};
        if (!berth_scoring_read(&choice, NULL, &scoring, &ignored) && scoring.definition->source) {
            berth_json_open(&facts->json, NULL, '{');
            berth_json_text(&facts->json, "name", berth_file_name(choice.scoring));
            berth_json_text(&facts->json, "source", scoring.definition->source);
            berth_json_close(&facts->json, '}');
        }
        berth_scoring_clear(&scoring);
    }
    berth_json_close(&facts->json, ']');
}

/* --- All of it --- */

/* The functions of the run; the first may be of a file of the user's, whatever name is in it. */
static void find_functions(struct facts *facts)
{
    const struct berth_term_names *functions = &facts->run->identity.functions;
    const char *scoring = facts->run->identity.scoring;
    const size_t length = strlen(scoring);
    const bool own =
        strchr(scoring, '/') || (length > 6 && strcmp(scoring + length - 6, ".score") == 0);
    facts->function_count = functions->count ? functions->count : length > 0;
    snprintf(facts->first, WORD_SIZE, own ? "a function of the user’s own (%.200s)" : "%.200s",
             own                ? berth_file_name(scoring)
             : functions->count ? functions->names[0]
                                : scoring);
}

/* What is found out here stands before the card's rows of the same name. */
static void put_facts(struct facts *facts)
{
    const struct berth_run_card told = berth_run_card_told(facts->run);
    berth_json_open(&facts->json, NULL, '{');
    put_ligands(facts);
    put_receptors(facts);
    put_search(facts);
    const bool moves = put_moved(facts);
    put_held(facts);
    put_judgement(facts, moves);
    put_devices(facts);
    put_sources(facts);
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT; i++) {
        put_row(&facts->json, &told, &BERTH_RUN_ROWS[i]);
    }
    berth_json_close(&facts->json, '}');
}

enum berth_status berth_methods_write(const struct berth_methods_facts *of, char **text,
                                      struct berth_error *error)
{
    struct facts facts = {.of = of, .run = of->run};
    struct berth_output *filled = NULL;
    char *json = NULL;
    size_t size;
    find_functions(&facts);
    BERTH_TRY(berth_output_create_memory(&json, &size, &facts.json.output, error));
    put_facts(&facts);
    enum berth_status status = berth_output_commit(facts.json.output, error);
    BERTH_THEN(berth_output_create_memory(text, &size, &filled, error));
    if (!status && facts.function_count) {
        berth_template_fill(berth_embedded_text("methods.txt"), json, BERTH_TEMPLATE_PROSE, filled);
    }
    status = berth_output_finish(filled, status, error);
    free(json);
    return status;
}
