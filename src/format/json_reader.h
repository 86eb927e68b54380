/* JSON (RFC 8259), read: a text as a tree of values, whoever wrote it. */
#ifndef BERTH_FORMAT_JSON_READER_H
#define BERTH_FORMAT_JSON_READER_H

#include <stddef.h>

#include "base/error.h"

enum berth_json_kind {
    BERTH_JSON_NULL,
    BERTH_JSON_FALSE,
    BERTH_JSON_TRUE,
    BERTH_JSON_NUMBER,
    BERTH_JSON_TEXT,
    BERTH_JSON_LIST,
    BERTH_JSON_OBJECT
};

struct berth_json_value {
    enum berth_json_kind kind;
    const char *name; /* of an object's member; NULL: it is none */
    const char
        *text;     /* of a TEXT what it says, in UTF-8; of a NUMBER as it is written; else NULL */
    size_t inside; /* values that a LIST or OBJECT holds, and they: they stand behind it */
};

/* Zeroed it is empty. */
struct berth_json_tree {
    struct berth_json_value *values; /* owned; [count]; the first one has all others inside */
    size_t count, capacity;
    char *texts; /* owned: what names and texts point to */
};

/* Reads size bytes of text, one value, to *tree, which the caller clears, also after an error.
 * Errors: BERTH_E_FORMAT (says at which byte, from 1; no JSON, no UTF-8, a text with U+0000, values
 * 64 levels deep), BERTH_E_MEMORY. */
enum berth_status berth_json_read(const char *text, size_t size, struct berth_json_tree *tree,
                                  struct berth_error *error);

/* What a list or an object holds, one after the other: the first one where `before` is NULL; NULL
 * behind the last. */
const struct berth_json_value *berth_json_next(const struct berth_json_value *within,
                                               const struct berth_json_value *before);

/* The object's first member of this name; NULL: there is none, or it is no object. */
const struct berth_json_value *berth_json_member(const struct berth_json_value *object,
                                                 const char *name);

void berth_json_tree_clear(struct berth_json_tree *tree);

#endif
