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

/* How many fields there are up to the last one that the table has. */
static size_t end_of_fields(const struct berth_score_columns *columns)
{
    size_t end = BERTH_SCORE_FIELDS;
    while (!berth_score_name(end - 1, columns)) {
        end--;
    }
    return end;
}

void berth_score_table_begin(struct berth_output *output, const struct berth_score_columns *columns,
                             const char *const *properties, size_t count)
{
    const size_t end = end_of_fields(columns);
    for (size_t i = 0; i < end; i++) {
        const char *name = berth_score_name(i, columns);
        if (name) {
            berth_output_print(output, "%s%c", name, behind(i, end, count));
        }
    }
    print_properties(output, properties, count);
}

void berth_score_table_add(struct berth_output *output, const struct berth_score_row *row,
                           const char *const *values, size_t count)
{
    struct berth_score_texts texts;
    const struct berth_score_columns columns = berth_score_row_columns(row);
    const size_t end = end_of_fields(&columns);
    berth_score_row_texts(row, &texts);
    for (size_t i = 0; i < end; i++) {
        const char separator = behind(i, end, count);
        if (!berth_score_name(i, &columns)) {
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
