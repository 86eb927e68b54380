#include "report/methods.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dock/restraints/restraints.h"

enum { WORD_SIZE = 256, NUMBER_SIZE = 32 };

/* The paragraph on its way. */
struct paragraph {
    const struct berth_methods_facts *facts;
    struct berth_bytes *text;
    const struct berth_run_card *run;
    char functions[BERTH_FUNCTIONS_MAX][WORD_SIZE]; /* that searched and judged */
    size_t function_count;
    bool mapped; /* the search had maps, and turned torsions */
    bool moves;  /* side chains of the receptor */
};

/* --- Words --- */

static void say(struct paragraph *paragraph, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct paragraph *paragraph, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = berth_text_format(format, arguments);
    va_end(arguments);
    paragraph->text->failed = paragraph->text->failed || !text;
    if (text) {
        berth_bytes_put(paragraph->text, text, strlen(text));
    }
    free(text);
}

/* Begins a sentence. */
static void begin(struct paragraph *paragraph)
{
    if (paragraph->text->count) {
        say(paragraph, " ");
    }
}

/* 12345 as "12,345". */
static const char *grouped(uint64_t number, char text[NUMBER_SIZE])
{
    char digits[NUMBER_SIZE];
    const size_t length =
        (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        text[used++] = digits[i];
        if ((length - i) % 3 == 1 && i + 1 < length) {
            text[used++] = ',';
        }
    }
    text[used] = '\0';
    return text;
}

/* "1 ligand", "12,345 ligands". */
static void say_count(struct paragraph *paragraph, uint64_t number, const char *word)
{
    char text[NUMBER_SIZE];
    say(paragraph, "%s %s%s", grouped(number, text), word, number == 1 ? "" : "s");
}

/* What stands between item i of so many: "a, b and c". */
static const char *joint(size_t i, size_t count)
{
    return i == 0 ? "" : i + 1 == count ? " and " : ", ";
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A number of the card as a count; 0: not known. */
static uint64_t count_of(double number)
{
    return number > 0 ? (uint64_t)number : 0;
}

/* --- Ligands --- */

/* The value of an option in the note of who prepared them; false: it has none. */
static bool find_option(const char *note, const char *option, char value[WORD_SIZE])
{
    char key[WORD_SIZE];
    snprintf(key, sizeof key, "--%s ", option);
    const char *at = strstr(note, key);
    value[0] = '\0';
    if (at) {
        at += strlen(key);
        snprintf(value, WORD_SIZE, "%.*s", (int)strcspn(at, " ;"), at);
    }
    return *value;
}

static void say_forms(struct paragraph *paragraph, const char *note)
{
    static const char *const FORMS[][2] = {{"protomers", "protonation state"},
                                           {"stereo", "stereoisomer"}};
    char value[WORD_SIZE];
    bool any = false;
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (find_option(note, FORMS[i][0], value)) {
            say(paragraph, any ? " and " : ", with at most ");
            say_count(paragraph, strtoull(value, NULL, 10), FORMS[i][1]);
            any = true;
        }
    }
    if (any) {
        say(paragraph, " of each");
    }
    if (find_option(note, "min_population", value)) {
        say(paragraph, ", from a share of %s on", value);
    }
}

/* How they came about, of the options that made them: "prep ligands --ph 7.4 ...; RDKit 2022.09".
 */
static void say_prepared(struct paragraph *paragraph, const char *note)
{
    static const char RDKIT[] = "; RDKit ";
    char value[WORD_SIZE];
    const char *rdkit = strstr(note, RDKIT);
    if (!find_option(note, "ph", value)) {
        return;
    }
    begin(paragraph);
    say(paragraph, "Ligands were prepared for pH %s by berth", value);
    if (rdkit) {
        rdkit += strlen(RDKIT);
        say(paragraph, " and RDKit %.*s", (int)strcspn(rdkit, " ;"), rdkit);
    }
    if (find_option(note, "builder", value)) {
        say(paragraph, ", structures built by %s", value);
    }
    say_forms(paragraph, note);
    say(paragraph, ".");
}

/* Molecules that came before, by canonical SMILES: left out if asked, or else docked again. */
static void say_repeated(struct paragraph *paragraph, const char *note)
{
    const size_t dropped = paragraph->facts->duplicates, same = paragraph->facts->repeated;
    if (dropped || strstr(note, " --drop_duplicates")) {
        begin(paragraph);
        if (dropped) {
            say_count(paragraph, dropped, "molecule");
        } else {
            say(paragraph, "Molecules");
        }
        say(paragraph, " whose canonical SMILES came before %s dropped.",
            dropped == 1 ? "was" : "were");
    } else if (same) {
        begin(paragraph);
        say_count(paragraph, same, "ligand");
        say(paragraph, " %s the canonical SMILES of another; %s were docked.",
            same == 1 ? "has" : "have", same == 1 ? "both" : "all");
    }
}

/* Of a library, what was lost while it was prepared; a shard's is not known. */
static size_t lost_before(const struct paragraph *paragraph, double lost)
{
    const char *shard = paragraph->run->identity.shard;
    return !*shard || strcmp(shard, "1/1") == 0 ? (size_t)count_of(lost) : 0;
}

/* What came of what the run was given: how much that was is known where a molecule is one ligand,
 * or one row of the failures. */
static void say_given(struct paragraph *paragraph)
{
    const struct berth_methods_facts *facts = paragraph->facts;
    const size_t before_failed = lost_before(paragraph, paragraph->run->files.prepare_failed),
                 before_dropped = lost_before(paragraph, paragraph->run->files.prepare_dropped);
    const size_t failed = facts->failed + before_failed, dropped = facts->dropped + before_dropped;
    char text[NUMBER_SIZE];
    if (failed || dropped) {
        begin(paragraph);
        if (facts->molecules == facts->ligands) {
            say(paragraph, "Of %s ", grouped(facts->molecules + failed + dropped, text));
        } else {
            say(paragraph, "Of the ");
        }
        say(paragraph, "%s ",
            *paragraph->run->files.library && !before_failed && !before_dropped
                ? "ligands of the library"
                : "molecules given");
        if (failed) {
            say(paragraph, "%s failed", grouped(failed, text));
        }
        if (dropped) {
            say(paragraph, "%s%s %s dropped", failed ? " and " : "", grouped(dropped, text),
                dropped == 1 ? "was" : "were");
        }
        say(paragraph, ".");
    }
    if (facts->open_stereo) {
        begin(paragraph);
        say(paragraph, "Of ");
        say_count(paragraph, facts->open_stereo, "molecule");
        say(paragraph, " the input left stereo open; of their isomers only some, chosen at random, "
                       "were docked.");
    }
}

/* --- The docking --- */

static void say_box(struct paragraph *paragraph, const double numbers[3], const char *between)
{
    for (size_t i = 0; i < 3 && !isnan(numbers[i]); i++) {
        say(paragraph, "%s%.1f", i ? between : "", numbers[i]);
    }
}

/* Where atoms were free to be. */
static void say_place(struct paragraph *paragraph, uint64_t ligands)
{
    if (strcmp(paragraph->run->files.site, "surface") == 0) {
        say(paragraph, "over its whole surface");
        return;
    }
    const bool whole = paragraph->run->identity.maps[1] == 0; /* no margin */
    say(paragraph, "%s in a box of ",
        ligands == 1 ? (whole ? "all its heavy atoms" : "its centroid")
        : whole      ? "all their heavy atoms"
                     : "their centroids");
    say_box(paragraph, paragraph->run->identity.size, " × ");
    say(paragraph, " Å about (");
    say_box(paragraph, paragraph->run->identity.center, ", ");
    say(paragraph, ")");
}

static void say_docked(struct paragraph *paragraph)
{
    const struct berth_methods_facts *facts = paragraph->facts;
    /* run.json counts those that were to be docked */
    const uint64_t ligands =
                       facts->counted ? facts->ligands : count_of(paragraph->run->result.ligands),
                   conformers = count_of(paragraph->run->result.conformers);
    begin(paragraph);
    if (facts->counted && facts->molecules < facts->ligands) {
        say_count(paragraph, facts->ligands, "form");
        say(paragraph, " of ");
        say_count(paragraph, facts->molecules, "molecule");
        say(paragraph, " of the input");
    } else {
        say_count(paragraph, ligands, "ligand");
    }
    if (conformers) {
        say(paragraph, " (");
        say_count(paragraph, conformers, "conformer");
        say(paragraph, ")");
    }
    say(paragraph, " %s docked into ", ligands == 1 ? "was" : "were");
    if (*facts->made_from) {
        say(paragraph, "%s (%s)", file_of(facts->made_from), file_of(facts->docked_into));
    } else {
        say(paragraph, "%s", file_of(facts->docked_into));
    }
    say(paragraph, " with berth %s, ", paragraph->run->identity.berth);
    say_place(paragraph, ligands);
    say(paragraph, ".");
}

/* --- The receptor --- */

/* Whether a line of the preparation belongs into the paragraph. */
static bool is_told(const char *line)
{
    static const char *const TOLD[] = {"ligand",
                                       "kept",
                                       "left out",
                                       "histidines",
                                       "not as at pH",
                                       "the chain is broken",
                                       "chains are broken",
                                       "acids that face each other"};
    const size_t digits = strspn(line, "0123456789");
    bool told = digits && (strncmp(line + digits, " residue ", 9) == 0 ||
                           strncmp(line + digits, " residues ", 10) == 0);
    for (size_t i = 0; i < sizeof TOLD / sizeof *TOLD; i++) {
        told = told || strncmp(line, TOLD[i], strlen(TOLD[i])) == 0;
    }
    return told && !strstr(line, ", as perceived");
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

/* What became of a receptor's file when berth prepared it, in the words that it said then. */
static void say_receptor(struct paragraph *paragraph, const struct berth_run_named *receptor)
{
    static const char BETWEEN[] = " | ", LIGAND[] = "ligand: ";
    char text[PATH_MAX];
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
            begin(paragraph);
            say(paragraph, "Receptor%s%s, as prepared by berth: ", *receptor->of ? " " : "",
                receptor->of);
        }
        cut(line, "; to change that, ", true);
        cut(line, "; call that one ", true);
        cut(line, " (where nothing says otherwise)", false);
        const bool ligand = strncmp(line, LIGAND, strlen(LIGAND)) == 0;
        say(paragraph, "%s%s%s", any ? "; " : "", ligand ? "ligand cut out: " : "",
            line + (ligand ? strlen(LIGAND) : 0));
        any = true;
    }
    if (any) {
        say(paragraph, ".");
    }
}

/* --- The search --- */

static void say_side_chains(struct paragraph *paragraph, const char *residues)
{
    char text[PATH_MAX];
    snprintf(text, sizeof text, "%s", residues);
    if (!paragraph->moves) {
        begin(paragraph);
        say(paragraph, "Side chains of the receptor that moved: ");
    }
    for (char *rest = text, *part; (part = strtok_r(rest, ",", &rest)) != NULL;) {
        say(paragraph, "%s%s", paragraph->moves ? ", " : "", part + strspn(part, " "));
        paragraph->moves = true;
    }
}

static void say_restraints(struct paragraph *paragraph, bool required)
{
    const struct berth_shown_places *places = paragraph->facts->places;
    bool any = false;
    for (size_t i = 0; i < places->count; i++) {
        const struct berth_shown_restraint *item = &places->items[i];
        if (item->metal || item->required != required) {
            continue;
        }
        char radius[NUMBER_SIZE];
        snprintf(radius, sizeof radius, "%.2f", item->radius);
        if (!any) {
            begin(paragraph);
            say(paragraph, "Restraints %s: ", required ? "required" : "wished");
        }
        say(paragraph, "%s%s, %s %g Å", any ? "; " : "", item->text,
            item->avoided ? "beyond" : "within", strtod(radius, NULL));
        any = true;
    }
    if (any) {
        say(paragraph, ".");
    }
}

static bool has_restraints(const struct paragraph *paragraph, bool required_alone)
{
    const struct berth_shown_places *places = paragraph->facts->places;
    for (size_t i = 0; i < places->count; i++) {
        const struct berth_shown_restraint *item = &places->items[i];
        if (!item->metal && (item->required || !required_alone)) {
            return true;
        }
    }
    return false;
}

/* The residue that ligands were bonded to, and its atom: "CYS A:25 SG". */
static bool say_bond(struct paragraph *paragraph)
{
    char bond[PATH_MAX];
    snprintf(bond, sizeof bond, "%s", paragraph->run->identity.covalent);
    char *atom = strrchr(bond, ' ');
    if (!atom) {
        return false;
    }
    *atom++ = '\0';
    begin(paragraph);
    say(paragraph,
        "Ligands were bonded to %s of %s; the bonds from its CA on turned, and nothing else "
        "moved.",
        atom, bond);
    return true;
}

static void say_search(struct paragraph *paragraph, bool bonded)
{
    const struct berth_run_card run = berth_run_card_told(paragraph->run);
    const uint64_t pool = count_of(run.identity.pool);
    const size_t most = pool ? (size_t)pool : 1,
                 both = most < paragraph->function_count ? most : paragraph->function_count;
    begin(paragraph);
    for (size_t i = 0; i < both; i++) {
        say(paragraph, "%s%s", joint(i, both), paragraph->functions[i]);
    }
    say(paragraph, " searched%s, by Evolutionary Monte Carlo over %s%s: ",
        both > 1 ? ", one after the other" : "",
        bonded              ? "torsions alone"
        : paragraph->mapped ? "rotation, translation and torsions"
                            : "rotation and translation",
        paragraph->mapped ? ", on maps of the energy" : "");
    say_count(paragraph, count_of(run.identity.poses), "pose");
    say(paragraph, " × ");
    say_count(paragraph, count_of(run.identity.generations), "generation");
    say(paragraph, "%s, seed %s.", both > 1 ? " each" : "", run.identity.seed);
}

static void say_held(struct paragraph *paragraph)
{
    const struct berth_run_restraint *list = paragraph->run->files.restraint;
    say_restraints(paragraph, true);
    say_restraints(paragraph, false);
    if (has_restraints(paragraph, false)) {
        begin(paragraph);
        say(paragraph, "They are met within a tolerance of %g Å.", BERTH_RESTRAINT_SLACK);
    }
    for (size_t i = 0; i < BERTH_RESTRAINTS_MAX && list[i].text; i++) {
        if (list[i].reference) {
            begin(paragraph);
            say(paragraph, "The template was %s.", file_of(list[i].reference));
        }
    }
}

static void say_refined(struct paragraph *paragraph, bool bonded)
{
    const uint64_t refined = count_of(paragraph->run->identity.refine);
    if (refined) {
        begin(paragraph);
        if (refined == 1) {
            say(paragraph, "The best pose was refined");
        } else {
            say(paragraph, "The best %llu poses were refined", (unsigned long long)refined);
        }
        say(paragraph, " by exact energies%s.",
            strcmp(paragraph->run->identity.refine_torsions, "yes") == 0 && !bonded
                ? ", with torsions"
                : "");
    }
    if (!isnan(paragraph->run->identity.relax)) {
        begin(paragraph);
        say(paragraph, "Modes were then relaxed in all their coordinates, by the energy with the "
                       "receptor and MMFF94s.");
    }
}

/* --- The judgement --- */

static void say_functions(struct paragraph *paragraph)
{
    const struct berth_term_names *learned = &paragraph->run->identity.learned;
    const size_t count = paragraph->function_count;
    begin(paragraph);
    for (size_t i = 0; count > 1 && i < count; i++) {
        say(paragraph, "%s%s", joint(i, count), paragraph->functions[i]);
    }
    if (count > 1) {
        say(paragraph, " scored the poses.");
    } else {
        say(paragraph, "Scoring function: %s.", paragraph->functions[0]);
    }
    for (size_t i = 0; i < learned->count; i++) {
        say(paragraph, "%s%s", i ? joint(i, learned->count) : " A learned function said ",
            learned->names[i]);
    }
    if (learned->count) {
        const uint64_t top = count_of(paragraph->run->identity.rescore_top);
        if (top) {
            say(paragraph, " of the best ");
            say_count(paragraph, top, "ligand");
        }
        say(paragraph, ".");
    }
}

static void say_parts(struct paragraph *paragraph)
{
    const struct berth_run_card *run = paragraph->run;
    const double *waters = run->identity.displacement;
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && !isnan(waters[i]); i++) {
        say(paragraph, "%s%.9g", i ? ", " : " Water that a pose's receptor lacks cost ", waters[i]);
    }
    say(paragraph, isnan(waters[0]) ? "" : ".");
    if (!isnan(run->identity.twists)) {
        begin(paragraph);
        say(paragraph,
            "Strain has up to %g for a carbonyl group out of the plane of the ring or double bond "
            "that it is conjugated with.",
            run->identity.twists);
    }
    if (!isnan(run->identity.metal_sites.count)) {
        begin(paragraph);
        say(paragraph,
            "To each function’s energy, in its own unit, and to score, coordination is added: up "
            "to −%g for each "
            "open site of a metal, less the farther the nearest donor is off it.",
            run->identity.metal_sites.weight);
    }
    if (has_restraints(paragraph, true)) {
        begin(paragraph);
        say(paragraph,
            "Of a ligand’s poses those that meet more of the required restraints come first, and "
            "those that miss as many by %s’s score with what restraints cost.",
            paragraph->functions[0]);
    }
}

/* A ranking, without what is 0 where no side chain moves. */
static void say_ranking(struct paragraph *paragraph, const char *ranking, const char *before)
{
    char text[PATH_MAX];
    snprintf(text, sizeof text, "%s", ranking);
    if (!paragraph->moves) {
        cut(text, " + receptor_strain", false);
    }
    say(paragraph, "%s%s", before, text);
}

static void say_ranked(struct paragraph *paragraph)
{
    const struct berth_run_card *run = paragraph->run;
    const char *function = paragraph->functions[0], *shard = run->identity.shard;
    const double strain = run->identity.strain_weight;
    begin(paragraph);
    if (*run->identity.rank_poses) {
        say_ranking(paragraph, run->identity.rank_poses, "Poses are ranked by ");
        if (paragraph->facts->ligands_ranked) {
            say_ranking(paragraph, run->identity.rank_ligands, ", ligands by ");
        }
    } else {
        say(paragraph, "Poses are ranked by score");
        if (strcmp(function, "vina") == 0 || strcmp(function, "vinardo") == 0) {
            say(paragraph,
                " (energy, and strain above that of the ligand’s pose that is lowest by %s, "
                "divided by 1 + 0.05846 × rotors%s)",
                paragraph->moves ? "score with all its strain" : "both",
                paragraph->moves ? ", and receptor_strain undivided" : "");
        }
        if (!isnan(strain) && strain != 0) {
            say(paragraph, ", with %g × conformer_strain", strain);
        }
    }
    say(paragraph, "; lower is better.");
    if (*shard && strcmp(shard, "1/1") != 0) {
        say(paragraph, " This is shard %s of the library.", shard);
    }
}

/* --- What it ran on, and where the functions are from --- */

/* Each name once. */
static void say_devices(struct paragraph *paragraph)
{
    const struct berth_run_used *devices = paragraph->run->devices;
    const size_t count = paragraph->run->device_count;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (strcmp(devices[k].name, devices[i].name) != 0) {
            k++;
        }
        if (!i) {
            begin(paragraph);
            say(paragraph, count == 1 ? "Device:" : "Devices:");
        }
        if (k == i) {
            say(paragraph, "%s%s", i ? ", " : " ", devices[i].name);
        }
    }
    say(paragraph, count ? "." : "");
}

static void say_sources(struct paragraph *paragraph)
{
    const struct berth_methods_facts *facts = paragraph->facts;
    for (size_t i = 0; i < facts->source_count; i++) {
        if (i == 0) {
            begin(paragraph);
        }
        say(paragraph, "%s%s: %s", i ? "; " : "References: ", file_of(facts->sources[i].name),
            facts->sources[i].source);
    }
    say(paragraph, facts->source_count ? "." : "");
}

/* --- All of it --- */

/* The functions of the run; the first may be of a file of the user's, whatever name is in it. */
static void find_functions(struct paragraph *paragraph)
{
    const struct berth_term_names *functions = &paragraph->run->identity.functions;
    const char *scoring = paragraph->run->identity.scoring;
    const size_t length = strlen(scoring);
    paragraph->function_count = functions->count ? functions->count : length > 0;
    for (size_t i = 0; i < functions->count; i++) {
        snprintf(paragraph->functions[i], WORD_SIZE, "%s", functions->names[i]);
    }
    if (strchr(scoring, '/') || (length > 6 && strcmp(scoring + length - 6, ".score") == 0)) {
        snprintf(paragraph->functions[0], WORD_SIZE, "a function of the user’s own (%.200s)",
                 file_of(scoring));
    } else if (!functions->count) {
        snprintf(paragraph->functions[0], WORD_SIZE, "%s", scoring);
    }
}

enum berth_status berth_methods_write(const struct berth_methods_facts *facts,
                                      struct berth_bytes *text, struct berth_error *error)
{
    struct paragraph paragraph = {.facts = facts, .text = text, .run = facts->run};
    const struct berth_run_named *receptors = facts->run->files.prepared_receptor,
                                 *moved = facts->run->identity.side_chains;
    find_functions(&paragraph);
    if (!paragraph.function_count) {
        return BERTH_OK;
    }
    paragraph.mapped = !isnan(facts->run->identity.mapped[0]);
    const char *note = *facts->prepared                ? facts->prepared
                       : *facts->run->identity.prepare ? facts->run->identity.prepare
                                                       : facts->run->files.prepare;
    say_prepared(&paragraph, note);
    say_repeated(&paragraph, note);
    if (facts->counted) {
        say_given(&paragraph);
    }
    say_docked(&paragraph);
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && receptors[i].of; i++) {
        say_receptor(&paragraph, &receptors[i]);
    }
    const bool bonded = say_bond(&paragraph);
    say_search(&paragraph, bonded);
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && moved[i].of; i++) {
        say_side_chains(&paragraph, moved[i].text);
    }
    say(&paragraph, paragraph.moves ? "." : "");
    say_held(&paragraph);
    say_refined(&paragraph, bonded);
    say_functions(&paragraph);
    say_parts(&paragraph);
    say_ranked(&paragraph);
    say_devices(&paragraph);
    say_sources(&paragraph);
    return text->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}
