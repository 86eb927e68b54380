#include "dock/score_table.h"

/* The separator behind field i: a line's last one is followed by `count` properties. */
static char behind(size_t i, size_t last, size_t count)
{
    return i + 1 < last || count ? ',' : '\n';
}

static void print_properties(struct berth_output *output, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        berth_output_csv(output, texts[i] ? texts[i] : "", behind(i, count, 0));
    }
}

void berth_score_table_begin(struct berth_output *output, const struct berth_term_names *terms,
                             const char *const *properties, size_t count)
{
    for (size_t i = 0; i < BERTH_SCORE_FIELDS; i++) {
        const char *name = berth_score_name(i, terms);
        if (name) {
            berth_output_print(output, "%s%c", name, behind(i, BERTH_SCORE_FIELDS, count));
        }
    }
    print_properties(output, properties, count);
}

void berth_score_table_add(struct berth_output *output, const struct berth_score_row *row,
                           const char *const *values, size_t count)
{
    struct berth_score_texts texts;
    berth_score_row_texts(row, &texts);
    for (size_t i = 0; i < BERTH_SCORE_FIELDS; i++) {
        const char separator = behind(i, BERTH_SCORE_FIELDS, count);
        if (!berth_score_name(i, row->names)) {
            continue;
        }
        if (*texts.numbers[i]) { /* needs no quotes: tables of screens are long */
            berth_output_print(output, "%s%c", texts.texts[i], separator);
        } else {
            berth_output_csv(output, texts.texts[i], separator);
        }
    }
    print_properties(output, values, count);
}
