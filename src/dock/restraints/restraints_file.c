/* Reading a file of restraints. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "dock/restraints/restraints_internal.h"

const struct berth_subject BERTH_SUBJECTS[BERTH_SUBJECT_COUNT] = {
    {"donor", BERTH_FEATURE_DONOR, 3.3},     {"acceptor", BERTH_FEATURE_ACCEPTOR, 3.3},
    {"positive", BERTH_FEATURE_CATION, 4.5}, {"negative", BERTH_FEATURE_ANION, 4.5},
    {"ring", BERTH_FEATURE_RING, 4.5},       {"hydrophobic", BERTH_FEATURE_APOLAR, 4.5},
    {"ligator", BERTH_FEATURE_LIGATOR, 2.6}, {"halogen", BERTH_FEATURE_HALOGEN, 3.5},
    {"atom", BERTH_FEATURE_APOLAR, 4.0},     {"smarts", BERTH_FEATURE_APOLAR, 4.0},
    {"core", BERTH_FEATURE_APOLAR, 0.5}};

/* A line's words. */
struct words {
    struct berth_text_reader *reader;
    char *next;
};

/* The next word; NULL: there is none. */
static char *take_word(struct words *words)
{
    char *word = words->next + strspn(words->next, " \t");
    if (!*word) {
        return NULL;
    }
    words->next = word + strcspn(word, " \t");
    if (*words->next) {
        *words->next++ = '\0';
    }
    return word;
}

static bool read_real(const char *word, double *value)
{
    char *end;
    *value = word ? strtod(word, &end) : NAN;
    return word && end != word && !*end && isfinite(*value);
}

static bool copy_label(const char *from, size_t length, char to[BERTH_LABEL_SIZE])
{
    if (length >= BERTH_LABEL_SIZE) {
        return false;
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

/* A residue: letters and digits of its name, then its number ("MET793", "ZN300", "-4"). */
bool restraints_read_residue(const char *text, size_t length, struct berth_spot *spot)
{
    size_t begin = length;
    while (begin && isdigit((unsigned char)text[begin - 1])) {
        begin--;
    }
    if (begin == length || length - begin > 6) {
        return false;
    }
    begin -= begin && text[begin - 1] == '-';
    spot->number = atoi(text + begin);
    return copy_label(text, begin, spot->name);
}

bool berth_spot_read(const char *word, struct berth_spot *spot)
{
    const char *first = strchr(word, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    const size_t length = first ? (size_t)(first - word) : strlen(word);
    spot->residue = true;
    if (!first) {
        return restraints_read_residue(word, length, spot);
    }
    /* a chain, unless it is a residue's name with its number */
    const bool chain = second || length < 3 || !restraints_read_residue(word, length, spot);
    if (!chain) {
        return copy_label(first + 1, strlen(first + 1), spot->atom) && *spot->atom;
    }
    const size_t middle = second ? (size_t)(second - first - 1) : strlen(first + 1);
    return copy_label(word, length, spot->chain) &&
           restraints_read_residue(first + 1, middle, spot) &&
           (!second || (copy_label(second + 1, strlen(second + 1), spot->atom) && *spot->atom &&
                        !strchr(second + 1, ':')));
}

static enum berth_status read_spot(struct words *words, struct berth_restraint_rule *rule,
                                   struct berth_error *error)
{
    const char *word = take_word(words);
    if (rule->spot_count == BERTH_SPOTS_MAX) {
        return berth_text_reader_refuse(words->reader, error, "more than %d places",
                                        BERTH_SPOTS_MAX);
    }
    struct berth_spot *spot = &rule->spots[rule->spot_count++];
    if (read_real(word, &spot->position[0])) {
        if (!read_real(take_word(words), &spot->position[1]) ||
            !read_real(take_word(words), &spot->position[2])) {
            return berth_text_reader_refuse(words->reader, error,
                                            "a place has three coordinates: x y z in Å");
        }
        return BERTH_OK;
    }
    return word && berth_spot_read(word, spot)
               ? BERTH_OK
               : berth_text_reader_refuse(words->reader, error,
                                          "\"%s\" is no place: give x y z in Å, or an atom of the "
                                          "receptor as A:MET793:N",
                                          word ? word : "");
}

static int find_subject(const char *word)
{
    int subject = 0;
    while (subject < BERTH_SUBJECT_COUNT && strcmp(word, BERTH_SUBJECTS[subject].name) != 0) {
        subject++;
    }
    return subject;
}

static bool is_bonding(int subject)
{
    return subject < BERTH_SUBJECT_ATOM && (BERTH_SUBJECTS[subject].kind == BERTH_FEATURE_DONOR ||
                                            BERTH_SUBJECTS[subject].kind == BERTH_FEATURE_ACCEPTOR);
}

/* "donor or acceptor", of which the first word has been read. */
static enum berth_status read_either(struct words *words, struct berth_restraint_rule *rule,
                                     struct berth_error *error)
{
    const char *rest = words->next + strspn(words->next, " \t");
    if (strncmp(rest, "or", 2) != 0 || !strchr(" \t", rest[2])) {
        return BERTH_OK;
    }
    take_word(words);
    const char *word = take_word(words);
    const int other = word ? find_subject(word) : BERTH_SUBJECT_COUNT;
    rule->either = is_bonding(rule->subject) && is_bonding(other) && other != rule->subject;
    return rule->either ? BERTH_OK
                        : berth_text_reader_refuse(
                              words->reader, error,
                              "of what counts only donor or acceptor may stand together; "
                              "write a line for each of others");
}

static enum berth_status read_subject(struct words *words, struct berth_matcher **matcher,
                                      struct berth_restraint_rule *rule, struct berth_error *error)
{
    const char *word = take_word(words);
    rule->subject = find_subject(word);
    if (strcmp(word, "hbond") == 0 || strcmp(word, "hydrogen_bond") == 0) {
        return berth_text_reader_refuse(
            words->reader, error,
            "\"%s\": say what of the ligand is to make it: donor, to an acceptor of the receptor "
            "as A:ASP25:OD1, or acceptor, to a donor as A:MET793:N; donor or acceptor, to what is "
            "both, as A:SER195:OG",
            word);
    }
    if (rule->subject == BERTH_SUBJECT_COUNT) {
        return berth_text_reader_refuse(
            words->reader, error,
            "\"%s\" is nothing that a ligand has; known are donor, acceptor, positive, negative, "
            "ring, hydrophobic, ligator, halogen, atom, smarts PATTERN and core PATTERN",
            word);
    }
    if (rule->subject < BERTH_SUBJECT_SMARTS) {
        return read_either(words, rule, error);
    }
    word = take_word(words);
    if (!word) {
        return berth_text_reader_refuse(words->reader, error, "a pattern is missing");
    }
    struct berth_error why;
    const enum berth_status status = berth_pattern_read(matcher, word, &rule->core, &why);
    if (status) {
        return status == BERTH_E_FORMAT
                   ? berth_text_reader_refuse(words->reader, error, "%s", why.message)
                   : berth_fail(error, status, "%s", why.message);
    }
    size_t labels = 0;
    for (size_t i = 0; i < rule->core->count; i++) {
        labels += rule->core->labels[i] != 0;
    }
    return rule->subject == BERTH_SUBJECT_SMARTS && labels > BERTH_POINT_ATOMS
               ? berth_text_reader_refuse(words->reader, error,
                                          "%zu atoms with a label, of which a point has %d at most",
                                          labels, BERTH_POINT_ATOMS)
               : BERTH_OK;
}

/* What stands behind the places: "or" and a further one, or a setting. */
static enum berth_status read_rest(struct words *words, struct berth_restraint_rule *rule,
                                   struct berth_error *error)
{
    for (const char *word = take_word(words); word; word = take_word(words)) {
        double *number = strcmp(word, "radius") == 0   ? &rule->radius
                         : strcmp(word, "weight") == 0 ? &rule->weight
                                                       : NULL;
        if (strcmp(word, "or") == 0) {
            BERTH_TRY(read_spot(words, rule, error));
        } else if (number) {
            const double least = number == &rule->radius ? 0 : 1e-6;
            const char *value = take_word(words);
            if (!read_real(value, number) || *number < least || *number > 1000) {
                return berth_text_reader_refuse(words->reader, error,
                                                "%s takes a number of %g to 1000, not \"%s\"", word,
                                                least, value ? value : "");
            }
        } else if (strcmp(word, "required") == 0 || strcmp(word, "wished") == 0) {
            rule->required = *word == 'r';
        } else {
            return berth_text_reader_refuse(
                words->reader, error,
                "\"%s\" is not known; or, radius, weight, required and wished are", word);
        }
    }
    return BERTH_OK;
}

/* "on" and the reference; then settings. */
static enum berth_status read_core(struct words *words, const struct berth_restraints *restraints,
                                   struct berth_restraint_rule *rule, struct berth_error *error)
{
    const char *on = take_word(words), *path = take_word(words);
    if (!on || strcmp(on, "on") != 0 || !path) {
        return berth_text_reader_refuse(words->reader, error,
                                        "behind a core stands on, and the reference's file");
    }
    for (size_t i = 0; i + 1 < restraints->count; i++) {
        if (restraints->rules[i].reference) {
            return berth_text_reader_refuse(words->reader, error,
                                            "a second core; there can be one");
        }
    }
    rule->reference = berth_copy_text(path);
    if (!rule->reference) {
        return berth_out_of_memory(error, NULL);
    }
    BERTH_TRY(read_rest(words, rule, error));
    return rule->spot_count ? berth_text_reader_refuse(words->reader, error,
                                                       "a core has no places but the reference's")
                            : BERTH_OK;
}

static enum berth_status read_rule(struct words *words, struct berth_restraints *restraints,
                                   struct berth_error *error)
{
    if (restraints->count == BERTH_RESTRAINTS_MAX) {
        return berth_text_reader_refuse(words->reader, error, "more than %d restraints",
                                        BERTH_RESTRAINTS_MAX);
    }
    struct berth_restraint_rule *rule = &restraints->rules[restraints->count++];
    rule->line = berth_text_reader_line(words->reader);
    rule->radius = rule->weight = NAN;
    rule->required = true;
    rule->text = berth_copy_text(words->next);
    if (!rule->text) {
        return berth_out_of_memory(error, NULL);
    }
    BERTH_TRY(read_subject(words, &restraints->matcher, rule, error));
    if (rule->subject == BERTH_SUBJECT_CORE) {
        return read_core(words, restraints, rule, error);
    }
    const char *how = take_word(words);
    rule->over = how && strcmp(how, "over") == 0;
    rule->avoided = how && strcmp(how, "avoid") == 0;
    if (!rule->over && !rule->avoided && !(how && strcmp(how, "to") == 0)) {
        return berth_text_reader_refuse(words->reader, error,
                                        "behind what counts stands to, over or avoid, not \"%s\"",
                                        how ? how : "");
    }
    BERTH_TRY(read_spot(words, rule, error));
    BERTH_TRY(read_rest(words, rule, error));
    for (size_t i = 0; rule->over && i < rule->spot_count; i++) {
        if (!rule->spots[i].residue || *rule->spots[i].atom) {
            return berth_text_reader_refuse(words->reader, error,
                                            "over takes residues with a ring, as A:PHE82");
        }
    }
    return BERTH_OK;
}

static enum berth_status read_lines(const char *path, struct words *words,
                                    struct berth_restraints *restraints, struct berth_error *error)
{
    char *line = NULL;
    restraints->path = berth_copy_text(path);
    enum berth_status status = restraints->path ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_text_reader_next(words->reader, &line, error));
    while (!status && line) {
        words->next = line + strspn(line, " \t");
        if (*words->next && *words->next != '#') {
            status = read_rule(words, restraints, error);
        }
        BERTH_THEN(berth_text_reader_next(words->reader, &line, error));
    }
    berth_text_reader_destroy(words->reader);
    return status || restraints->count
               ? status
               : berth_fail(error, BERTH_E_FORMAT, "%s: no restraint in it", path);
}

enum berth_status berth_restraints_read(const char *path, struct berth_restraints *restraints,
                                        struct berth_error *error)
{
    struct words words = {0};
    BERTH_TRY(berth_text_reader_create(path, &words.reader, error));
    return read_lines(path, &words, restraints, error);
}

enum berth_status berth_restraints_read_memory(const char *name, const void *bytes, size_t size,
                                               struct berth_restraints *restraints,
                                               struct berth_error *error)
{
    struct words words = {0};
    BERTH_TRY(berth_text_reader_create_memory(name, bytes, size, &words.reader, error));
    return read_lines(name, &words, restraints, error);
}

void restraints_clear_template(struct berth_template *whole)
{
    if (whole) {
        berth_facts_clear(&whole->facts);
        berth_molecule_clear(&whole->molecule);
        free(whole);
    }
}

void berth_restraints_clear(struct berth_restraints *restraints)
{
    for (size_t i = 0; i < restraints->count; i++) {
        berth_pattern_destroy(restraints->rules[i].core);
        free(restraints->rules[i].text);
        free(restraints->rules[i].reference);
        free(restraints->rules[i].core_places);
        restraints_clear_template(restraints->rules[i].whole);
    }
    for (size_t k = 0; k < BERTH_RECEPTORS_MAX; k++) {
        free(restraints->places[k].places);
    }
    berth_matcher_destroy(restraints->matcher);
    free(restraints->path);
    memset(restraints, 0, sizeof *restraints);
}
