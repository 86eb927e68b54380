/* The card of a run: what determines its results, and what else is known of it.  run.json, and the
 * identity and facts of a journal, are this card as text; whoever wants to know something of a run
 * reads its card.  What stands on it is a table: run_card_rows.h.
 *
 * A card is started first and cleared in the end.  Its texts are borrowed, or kept by it.  A number
 * that is not known is NAN, a text "", a list empty. */
#ifndef BERTH_FORMAT_RUN_CARD_H
#define BERTH_FORMAT_RUN_CARD_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/error.h"
#include "chem/selection.h"
#include "chem/site.h"
#include "format/run_card_rows.h"
#include "score/terms.h"

/* Of a receptor or function: the line "row = text", or "row_OF = text" where there are several. */
struct berth_run_named {
    const char *of;   /* "": of the one; NULL: the list ends in front of it */
    const char *text; /* never NULL */
};

struct berth_run_metals {
    double count;          /* of open sites; NAN: there are none */
    double weight, radius; /* the function's unit, Å: see struct berth_judges */
    bool binding;
};

/* A restraint, and where it is in each receptor. */
struct berth_run_restraint {
    const char *text;      /* NULL: the list ends in front of it */
    const char *reference; /* the file of a core's; NULL: it is of no core */
    bool required, avoided;
    double radius; /* Å */
    struct berth_run_places {
        const char *of;  /* the receptor, "" where it is the one; NULL: the list ends here */
        double (*at)[3]; /* [count], Å */
        size_t count;
    } places[BERTH_RECEPTORS_MAX];
};

/* What a row's member is, and how it is written. */
enum berth_run_kind {
    BERTH_RUN_TEXT,
    BERTH_RUN_NUMBER,
    BERTH_RUN_NUMBERS, /* blanks between */
    BERTH_RUN_WORDS,   /* names with blanks between */
    BERTH_RUN_NAMED,
    BERTH_RUN_METALS,
    BERTH_RUN_RESTRAINTS /* "restraint_1 = text", "restraint_1_receptor_OF = places" */
};

#define BERTH_RUN_MEMBER_TEXT(name, count)       const char *name
#define BERTH_RUN_MEMBER_NUMBER(name, count)     double name
#define BERTH_RUN_MEMBER_NUMBERS(name, count)    double name[count]
#define BERTH_RUN_MEMBER_WORDS(name, count)      struct berth_term_names name
#define BERTH_RUN_MEMBER_NAMED(name, count)      struct berth_run_named name[count]
#define BERTH_RUN_MEMBER_METALS(name, count)     struct berth_run_metals name
#define BERTH_RUN_MEMBER_RESTRAINTS(name, count) struct berth_run_restraint name[count]
#define BERTH_RUN_MEMBER(name, kind, count, ...) BERTH_RUN_MEMBER_##kind(name, count);

/* How a message tells the options in which two runs differ. */
enum berth_run_rule {
    BERTH_RUN_FREE,   /* not at all: they may differ */
    BERTH_RUN_LINE,   /* where no option differs, by its own name and value */
    BERTH_RUN_VALUE,  /* by the values of its options */
    BERTH_RUN_HASH,   /* by the files that its options name, of which it is a hash */
    BERTH_RUN_SWITCH, /* by its being there: on or off */
    BERTH_RUN_BOX,    /* --box: maps have no margin where all atoms stay in the box */
    BERTH_RUN_NOTE,   /* by the options in "... --ph 7.4 --stereo 1": how molecules are prepared */
    BERTH_RUN_HINT,   /* by its value, where both have one; runs that agree otherwise are one */
};

/* Objects of run.json. */
enum berth_run_part {
    BERTH_RUN_IDENTITY,
    BERTH_RUN_FILES,
    BERTH_RUN_RESULT, /* the file itself */
    BERTH_RUN_WORK    /* this_run */
};

/* A device that docked; of those of one run, what it did. */
struct berth_run_used {
    const char *name, *platform, *driver, *variant;
    double index; /* which of equal ones: as `berth devices` numbers them */
    double conformers;
    bool failed; /* it was given up */
};

struct berth_run_kept; /* memory of a card */

struct berth_run_card {
    struct {
        BERTH_RUN_IDENTITY_ROWS(BERTH_RUN_MEMBER, BERTH_RUN_MEMBER)
    } identity;
    struct {
        BERTH_RUN_FILES_ROWS(BERTH_RUN_MEMBER, BERTH_RUN_MEMBER)
    } files;
    struct {
        BERTH_RUN_RESULT_ROWS(BERTH_RUN_MEMBER, BERTH_RUN_MEMBER)
    } result;
    struct {
        BERTH_RUN_WORK_ROWS(BERTH_RUN_MEMBER, BERTH_RUN_MEMBER)
    } work;
    struct berth_run_used *devices, *done; /* kept; of all of it; of this_run */
    size_t device_count, done_count;
    struct berth_run_other {
        enum berth_run_part part;
        const char *name, *text;
    } * others; /* kept; [other_count]: lines of other versions of berth, that no row is of */
    size_t other_count;
    const char *campaign;        /* of one: what run.json begins with; NULL: it is none */
    struct berth_run_kept *kept; /* owned */
    struct berth_bytes json;     /* the run.json that it was read from, and a 0; empty: none */
    bool failed;                 /* out of memory: something is missing */
};

void berth_run_card_start(struct berth_run_card *card);

/* A started or zeroed one is accepted. */
void berth_run_card_clear(struct berth_run_card *card);

/* Memory, zeroed, and a text (printf style) that live as long as the card; NULL and "" where there
 * is none, which card->failed says. */
void *berth_run_card_keep(struct berth_run_card *card, size_t count, size_t size);
const char *berth_run_card_text(struct berth_run_card *card, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Kept items, so many, with room for one more behind them; NULL: out of memory. */
void *berth_run_card_more(struct berth_run_card *card, void *items, size_t count, size_t size);

/* A kept text of a path: absolute, so that whoever reads it elsewhere finds the file; "-" stays. */
const char *berth_run_card_path(struct berth_run_card *card, const char *path);

/* The card as people are told it: of a search on maps, without what of the rigid one that does not
 * use.  Borrows all of it; not to be cleared. */
struct berth_run_card berth_run_card_told(const struct berth_run_card *card);

/* What the run asked for of the residues of this receptor ("": of its one).  Borrows of the card.
 */
struct berth_residues_asked berth_run_residues(const struct berth_run_card *card, const char *of);

/* The text that a list has of this receptor or function; "": none. */
const char *berth_run_named_find(const struct berth_run_named *list, size_t most, const char *of);

/* --- The table --- */

struct berth_run_row {
    const char *name;
    enum berth_run_part part;
    size_t offset; /* of the member */
    enum berth_run_kind kind;
    size_t count; /* of its items, at most */
    int digits;   /* of numbers; below 0: decimals */
    enum berth_run_rule rule;
    const char *options, *causes; /* see run_card_rows.h; "": none */
};

extern const struct berth_run_row BERTH_RUN_ROWS[];
extern const size_t BERTH_RUN_ROW_COUNT;

/* Is given the lines of a row, or of a part of the card, one after the other. */
typedef void (*berth_run_visit)(void *context, const char *name, const char *text);
void berth_run_row_each(const struct berth_run_card *card, const struct berth_run_row *row,
                        berth_run_visit visit, void *context);
void berth_run_card_each(const struct berth_run_card *card, enum berth_run_part part,
                         berth_run_visit visit, void *context);

/* Puts a line onto the card; false where it is one of the table's, and makes no sense there.  That,
 * and what is none of the table's, is among the others then. */
bool berth_run_card_put(struct berth_run_card *card, enum berth_run_part part, const char *name,
                        const char *text);

/* --- As lines "name = text", of journals --- */

/* Appends them, and a 0. */
void berth_run_card_lines(const struct berth_run_card *card, enum berth_run_part part,
                          struct berth_bytes *lines);

/* Reads them onto a card, which is started.  Errors: BERTH_E_FORMAT names the first line of the
 * identity that makes no sense, when all is read; BERTH_E_MEMORY. */
enum berth_status berth_run_card_read(const char *identity, const char *facts,
                                      struct berth_run_card *card, struct berth_error *error);

#endif
