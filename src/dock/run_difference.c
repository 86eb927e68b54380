#include "dock/run_difference.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/journal.h"
#include "format/receptor_names.h"

enum { VALUE = 2 * PATH_MAX, OPTIONS_MAX = 64 };

/* How a line of an identity tells of options. */
enum kind {
    FACT,   /* it is a fact, and the value of the option */
    WHOLE,  /* it is the value */
    FIELDS, /* its fields are the values of options; "-": no option's */
    HASH,   /* of files, which facts of the options' names tell */
    SWITCH, /* it is there or not: on or off */
    BOX,    /* of maps, which have no margin where all atoms stay in the box */
    NOTE    /* "... --ph 7.4 --stereo 1": how molecules are prepared */
};

/* The lines that options decide; of an option that several lines tell of, the first one does. */
static const struct row {
    const char *line;
    enum kind kind;
    const char *options; /* blanks between */
    const char *causes; /* options that change this line, too: one of them that differs is enough */
} ROWS[] = {{"berth", WHOLE, "berth", NULL},
            {"search", FACT, "search", NULL},
            {"functions", WHOLE, "scoring", NULL},
            {"scoring", WHOLE, "scoring", NULL},
            {"function", HASH, "scoring", NULL},
            {"forcefield", HASH, "forcefield", "scoring"},
            {"receptor", HASH, "receptor ligand_id", "scoring"},
            {"maps", BOX, "box", NULL},
            {"center", FIELDS, "center_x center_y center_z", "ligand_id box"},
            {"size", FIELDS, "size_x size_y size_z", "ligand_id box"},
            {"library", HASH, "library", NULL},
            {"prepare", NOTE, "library", NULL},
            {"input_hash", HASH, "library", NULL},
            {"shard", WHOLE, "shard", NULL},
            {"seed", WHOLE, "seed", NULL},
            {"mapped", FIELDS, "poses generations parents hops -", "search"},
            {"poses", WHOLE, "poses", "search"},
            {"generations", WHOLE, "generations", "search"},
            {"parents", WHOLE, "parents", "search"},
            {"refine", WHOLE, "refine", "search"},
            {"refine_evaluations", WHOLE, "refine_evaluations", "search"},
            {"hops", WHOLE, "hops", "search"},
            {"refine_torsions", WHOLE, "refine_torsions", "search"},
            {"num_modes", WHOLE, "num_modes", NULL},
            {"min_rmsd", WHOLE, "min_rmsd", NULL},
            {"strain_weight", WHOLE, "strain_weight", NULL},
            {"rank_ligands", WHOLE, "rank", NULL},
            {"rank_poses", WHOLE, "rank", NULL},
            {"pool", WHOLE, "pool", "rank"},
            {"model", HASH, "rescore", NULL},
            {"rescore_top", WHOLE, "rescore_top", "rescore"},
            {"side_chains", WHOLE, "flexible_residues", NULL},
            {"covalent", WHOLE, "covalent", NULL},
            {"metal_sites", SWITCH, "metal_sites", NULL},
            {"restraints", HASH, "restraints", "metal_sites"},
            {"soft_core", FIELDS, "- core_tolerance core_weight", "restraints"},
            {"displacement", WHOLE, "water_price", NULL},
            {"twists", WHOLE, "price_of_twists", NULL}, /* earlier versions have none */
            {"variant", WHOLE, "variant", NULL}};

/* What is found so far. */
struct found {
    const char *between;
    char *text; /* borrowed; [BERTH_RUN_DIFFERENCE] */
    size_t used;
    char options[OPTIONS_MAX][32]; /* [count] */
    size_t count;
};

static bool is_found(const struct found *found, const char *option)
{
    for (size_t i = 0; i < found->count; i++) {
        if (strcmp(found->options[i], option) == 0) {
            return true;
        }
    }
    return false;
}

/* Cuts the next word of words into word; false at their end. */
static bool next_word(const char **words, char word[VALUE])
{
    const size_t length = strcspn(*words, " ");
    snprintf(word, VALUE, "%.*s", (int)length, *words);
    *words += length + strspn(*words + length, " ");
    return length;
}

static bool is_any_found(const struct found *found, const char *options)
{
    char option[VALUE];
    while (options && next_word(&options, option)) {
        if (is_found(found, option)) {
            return true;
        }
    }
    return false;
}

/* A value as people write it: 0.1, not 0.10000000000000001. */
static void write_value(const char *value, char text[VALUE])
{
    char *end;
    const double number = strtod(value, &end);
    if (*value && !*end && strchr(value, '.')) {
        snprintf(text, VALUE, "%.10g", number);
    } else {
        snprintf(text, VALUE, "%s", *value ? value : "none");
    }
}

/* Two values of an option; where they are the same, they name files. */
static void add(struct found *found, const char *option, const char *one, const char *other)
{
    char a[VALUE], b[VALUE];
    char *end = found->text + found->used;
    const size_t left = BERTH_RUN_DIFFERENCE - found->used;
    if (is_found(found, option) || found->count == OPTIONS_MAX) {
        return;
    }
    write_value(one, a);
    write_value(other, b);
    snprintf(found->options[found->count], sizeof *found->options, "%s", option);
    const char *before = found->count++ ? "; " : "";
    const int size = strcmp(one, other) != 0
                         ? snprintf(end, left, "%s%s %s%s%s", before, option, a, found->between, b)
                         : snprintf(end, left, "%s%s %s, whose content differs", before, option, a);
    found->used += (size_t)size < left ? (size_t)size : left - 1;
}

/* The value of a line as an option has it, with commas between several functions or receptors; "":
 * there is none. */
static void value_of(const char *lines, const char *name, char value[VALUE])
{
    struct berth_receptor_names names;
    *value = '\0';
    if (strcmp(name, "functions") == 0 && !berth_journal_value(lines, name, value, VALUE)) {
        name = "scoring"; /* one alone */
    }
    const bool receptor = strcmp(name, "receptor") == 0;
    if (!receptor && strcmp(name, "side_chains") != 0) {
        berth_journal_value(lines, name, value, VALUE);
        for (char *c = value; *c && strcmp(name, "functions") == 0; c++) {
            *c = (char)(*c == ' ' ? ',' : *c);
        }
        return;
    }
    berth_receptor_names_read(lines, &names);
    for (size_t i = 0, used = 0; i < (names.count ? names.count : 1) && used < VALUE; i++) {
        char key[BERTH_RECEPTOR_KEY], one[VALUE] = "";
        berth_receptor_own_key(&names, i, name, key);
        berth_journal_value(lines, key, one, sizeof one);
        used += (size_t)snprintf(value + used, VALUE - used, "%s%s",
                                 !i || !*one ? ""
                                 : receptor  ? ","
                                             : " and ",
                                 one);
    }
}

static void add_fields(struct found *found, const char *options, const char *one, const char *other)
{
    char option[VALUE], a[VALUE], b[VALUE];
    while (next_word(&options, option)) {
        next_word(&one, a);
        next_word(&other, b);
        if (*option != '-' && strcmp(a, b) != 0) {
            add(found, option, a, b);
        }
    }
}

/* What names the files of an option; "": nothing does. */
static void file_of(const struct berth_run_lines *run, const char *option, char value[VALUE])
{
    if (strcmp(option, "scoring") == 0) {
        value_of(run->identity, option, value);
    } else {
        value_of(run->facts, strcmp(option, "restraints") == 0 ? "restraint_1" : option, value);
    }
    if (!*value && strcmp(option, "library") == 0) { /* it is made of molecules */
        value_of(run->facts, "molecules", value);
    }
}

/* The files of options, or of the first option what their name does not tell. */
static void add_files(struct found *found, const struct row *row, const struct berth_run_lines *one,
                      const struct berth_run_lines *other)
{
    char option[VALUE], a[VALUE], b[VALUE];
    bool any = false;
    for (const char *rest = row->options; next_word(&rest, option);) {
        file_of(one, option, a);
        file_of(other, option, b);
        if (strcmp(a, b) != 0) {
            add(found, option, a, b);
            any = true;
        }
    }
    if (!any) {
        const char *rest = row->options;
        char hashes[2][VALUE];
        next_word(&rest, option);
        file_of(one, option, a);
        value_of(one->identity, row->line, hashes[0]);
        value_of(other->identity, row->line, hashes[1]);
        const char *named = *a ? a : "file";
        add(found, option, *hashes[0] ? named : "", *hashes[1] ? named : "");
    }
}

/* The value behind " --name" in a note; false where it is not there. */
static bool find_in_note(const char *note, const char *name, char value[VALUE])
{
    char key[VALUE];
    snprintf(key, sizeof key, " --%s", name);
    const size_t length = strlen(key);
    const char *at = strstr(note, key);
    while (at && at[length] && at[length] != ' ') {
        at = strstr(at + 1, key);
    }
    if (at) {
        const char *begin = at + length, *end = strstr(begin, " --");
        end = end ? end : begin + strlen(begin);
        begin += begin < end;
        snprintf(value, VALUE, "%.*s", (int)(end - begin), begin);
    }
    return at;
}

/* The options of `one` in whose values the notes differ. */
static void add_note(struct found *found, const char *one, const char *other, bool swapped)
{
    for (const char *at = one; (at = strstr(at, " --")); at += 3) {
        char name[VALUE], a[VALUE] = "", b[VALUE] = "";
        const char *words = at + 3;
        next_word(&words, name);
        find_in_note(one, name, a);
        const bool there = find_in_note(other, name, b);
        const char *given = *a ? a : "on";
        if (there && strcmp(a, b) != 0) {
            add(found, name, a, b);
        } else if (!there) {
            add(found, name, swapped ? "" : given, swapped ? given : "");
        }
    }
}

static const char *box_of(const char *maps)
{
    double margin = 0;
    return sscanf(maps, "%*f %lf", &margin) == 1 && margin > 0 ? "centroid" : "atoms";
}

/* Compares what a row is about. */
static void look_at(struct found *found, const struct row *row, const struct berth_run_lines *one,
                    const struct berth_run_lines *other)
{
    char a[VALUE], b[VALUE];
    const bool fact = row->kind == FACT;
    value_of(fact ? one->facts : one->identity, row->line, a);
    value_of(fact ? other->facts : other->identity, row->line, b);
    if (strcmp(a, b) == 0 || is_any_found(found, row->causes)) {
        return;
    }
    if (row->kind == HASH) {
        add_files(found, row, one, other);
    } else if (row->kind == FIELDS) {
        add_fields(found, row->options, a, b);
    } else if (row->kind == SWITCH) {
        add_fields(found, row->options, *a ? "on" : "off", *b ? "on" : "off");
    } else if (row->kind == BOX && *a && *b) { /* both on maps */
        add_fields(found, row->options, box_of(a), box_of(b));
    } else if (row->kind == NOTE && *a && *b) {
        if (strcspn(a, "(") != strcspn(b, "(") || strncmp(a, b, strcspn(a, "(")) != 0) {
            add_files(found, row, one, other);
        }
        add_note(found, a, b, false);
        add_note(found, b, a, true);
    } else if (row->kind == WHOLE || (fact && *a && *b)) { /* older journals lack the fact */
        add(found, row->options, a, b);
    }
}

/* The first line in which the identities differ: of what no option decides. */
static void add_line(struct found *found, const char *a, const char *b)
{
    while (*a && strcspn(a, "\n") == strcspn(b, "\n") && strncmp(a, b, strcspn(a, "\n")) == 0) {
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a != '\0';
        b += *b != '\0';
    }
    snprintf(found->text, BERTH_RUN_DIFFERENCE, "`%.*s`%s`%.*s`", (int)strcspn(a, "\n"), a,
             found->between, (int)strcspn(b, "\n"), b);
}

void berth_run_difference(const struct berth_run_lines *one, const struct berth_run_lines *other,
                          const char *between, char text[BERTH_RUN_DIFFERENCE])
{
    struct found found = {.between = between, .text = text};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        look_at(&found, &ROWS[i], one, other);
    }
    if (!found.count) {
        add_line(&found, one->identity, other->identity);
    }
}
