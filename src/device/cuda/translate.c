#include "device/cuda/nvrtc.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/embedded.h"

static void put(struct berth_bytes *text, const char *string)
{
    berth_bytes_put(text, string, strlen(string));
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool begins(const char *at, const char *with)
{
    return strncmp(at, with, strlen(with)) == 0;
}

/* (float3)( where `at` has it: writes it the other way and gives how much was read; 0: it is none.
 */
static size_t vector_literal(const char *at, struct berth_bytes *text)
{
    static const char *const TYPES[] = {"float", "int", "uint"};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        const size_t length = strlen(TYPES[i]);
        if (begins(at + 1, TYPES[i]) && strchr("234", at[length + 1]) &&
            begins(at + length + 2, ")(")) {
            berth_bytes_put(text, at + 1, length + 1);
            put(text, "(");
            return length + 4;
        }
    }
    return 0;
}

/* The same for (struct hop){ */
static size_t compound_literal(const char *at, struct berth_bytes *text)
{
    const char *end = begins(at, "(struct ") ? at + strlen("(struct ") : at;
    while (end > at && is_word(*end)) {
        end++;
    }
    if (end == at || !begins(end, "){")) {
        return 0;
    }
    put(text, "berth_compound<");
    berth_bytes_put(text, at + 1, (size_t)(end - at - 1));
    put(text, ">{");
    return (size_t)(end + 2 - at);
}

/* The same for what is a text alone: .xyz, which is a function there; clamp(fma(, whose two
 * functions are one instruction where berth_fma is told of it. */
static size_t plain_text(const char *at, struct berth_bytes *text)
{
    static const char *const TEXTS[][2] = {{".xyz", ".xyz()"}, {"clamp(fma(", "clamp(berth_fma("}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        const size_t length = strlen(TEXTS[i][0]);
        if (begins(at, TEXTS[i][0]) && !(is_word(at[length - 1]) && is_word(at[length]))) {
            put(text, TEXTS[i][1]);
            return length;
        }
    }
    return 0;
}

/* Writes what a kernel begins with for each of its arguments in local memory; the arguments stand
 * between head and end. */
static void place_arguments(const char *head, const char *end, struct berth_bytes *text)
{
    for (const char *at = strstr(head, "local "); at && at < end; at = strstr(at + 1, "local ")) {
        const char *name = at + strcspn(at, "*,)"), *behind = name + (*name == '*');
        while (is_word(*behind)) {
            behind++;
        }
        if (!is_word(at[-1]) && *name == '*') {
            const int length = (int)(behind - name - 1);
            char placed[160];
            snprintf(placed, sizeof placed, " %.*s = berth_local_argument(%.*s);", length, name + 1,
                     length, name + 1);
            put(text, placed);
        }
    }
}

/* Writes what stands at `at` the other way and gives how much was read; 0: it is the same. */
static size_t other_way(const char *at, struct berth_bytes *text)
{
    size_t read = *at == '(' ? vector_literal(at, text) : 0;
    read = read || *at != '(' ? read : compound_literal(at, text);
    return read ? read : plain_text(at, text);
}

char *berth_cuda_translate(const char *source)
{
    static const char *const PRELUDE[] = {"cuda.h"};
    struct berth_bytes text = {0};
    char *prelude = berth_embedded_source(PRELUDE, 1);
    text.failed = !prelude;
    put(&text, prelude ? prelude : "");
    free(prelude);
    const char *head = NULL; /* of the kernel whose body has not begun */
    for (const char *at = source; *at;) {
        if (begins(at, "kernel ") && (at == source || at[-1] == '\n')) {
            head = at;
        }
        const size_t otherwise = other_way(at, &text);
        if (!otherwise) {
            berth_bytes_put(&text, at, 1);
        }
        if (head && *at == '{') {
            place_arguments(head, at, &text);
            head = NULL;
        }
        at += otherwise ? otherwise : 1;
    }
    berth_bytes_put8(&text, 0);
    if (text.failed) {
        berth_bytes_clear(&text);
    }
    return (char *)text.data;
}
