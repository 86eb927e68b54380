/* Failures by reason. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/csv.h"
#include "report/page/page_internal.h"

/* Reasons that are told apart; those that come later are one. */
enum { REASONS = 500, SHOWN = 12, REASON_SIZE = 200 };

struct reason {
    char text[REASON_SIZE];
    size_t count;
};

struct reasons {
    struct reason items[REASONS];
    size_t count, others, all;
};

/* Numbers and the ligand's own name tell the same reason apart: they become '#' and "...". */
static void generalise(const char *reason, const char *ligand, char text[REASON_SIZE])
{
    const size_t length = strlen(ligand);
    size_t used = 0;
    while (*reason && used + 4 < REASON_SIZE) {
        if (length > 1 && strncmp(reason, ligand, length) == 0) {
            memcpy(text + used, "...", 3);
            used += 3;
            reason += length;
        } else if (isdigit((unsigned char)*reason)) {
            text[used++] = '#';
            reason += strspn(reason, "0123456789.");
        } else {
            text[used++] = *reason++;
        }
    }
    text[used] = '\0';
}

static void count_reason(struct reasons *reasons, const char *text)
{
    reasons->all++;
    for (size_t i = 0; i < reasons->count; i++) {
        if (strcmp(reasons->items[i].text, text) == 0) {
            reasons->items[i].count++;
            return;
        }
    }
    if (reasons->count == REASONS) {
        reasons->others++;
        return;
    }
    strcpy(reasons->items[reasons->count].text, text);
    reasons->items[reasons->count++].count = 1;
}

static int compare_counts(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

static enum berth_status read_reasons(const struct page *page, struct reasons *reasons,
                                      struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    char text[REASON_SIZE];
    bool end = false;
    enum berth_status status = berth_csv_open(page->failures, &csv, error);
    const size_t reason = status ? SIZE_MAX : berth_csv_find(csv, "reason");
    const size_t ligand = status ? SIZE_MAX : berth_csv_find(csv, "ligand");
    while (!status && reason != SIZE_MAX && ligand != SIZE_MAX) {
        status = berth_csv_next(csv, &end, error);
        if (status || end) {
            break;
        }
        generalise(berth_csv_field(csv, reason), berth_csv_field(csv, ligand), text);
        count_reason(reasons, text);
    }
    berth_csv_close(csv);
    return status;
}

enum berth_status page_reasons_write(const struct page *page, struct berth_error *error)
{
    struct reasons *reasons = berth_alloc(1, sizeof *reasons);
    if (!reasons) {
        return berth_out_of_memory(error, NULL);
    }
    const enum berth_status status =
        *page->failures ? read_reasons(page, reasons, error) : BERTH_OK;
    qsort(reasons->items, reasons->count, sizeof *reasons->items, compare_counts);
    berth_output_print(page->output, ",\n\"failed\":%zu,\n\"failures\":[", reasons->all);
    for (size_t i = 0; i < reasons->count; i++) {
        if (i >= SHOWN) {
            reasons->others += reasons->items[i].count;
            continue;
        }
        berth_output_print(page->output, "%s[", i ? "," : "");
        berth_output_json(page->output, reasons->items[i].text); /* the table escaped it */
        berth_output_print(page->output, ",%zu]", reasons->items[i].count);
    }
    if (reasons->others) {
        berth_output_print(page->output, ",[\"other reasons\",%zu]", reasons->others);
    }
    berth_output_print(page->output, "]");
    free(reasons);
    return status;
}
