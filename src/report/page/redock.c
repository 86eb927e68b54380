/* What `berth eval redock` left, on the page: its table and its picture. */
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "format/csv.h"
#include "format/output.h"
#include "report/page/page_internal.h"

static void write_row(struct berth_output *output, const struct berth_csv *csv, bool head)
{
    for (size_t i = 0; i < berth_csv_columns(csv); i++) {
        berth_output_print(output, i ? "," : "[");
        /* the table has escaped what it holds */
        berth_output_json(output, head ? berth_csv_column(csv, i) : berth_csv_field(csv, i));
    }
    berth_output_print(output, "]");
}

enum berth_status page_table_write(const struct page *page, const struct page_table *table,
                                   struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    size_t rows = 0;
    bool end = false;
    enum berth_status status = berth_csv_open(table->path, &csv, error);
    if (status) {
        return status;
    }
    page_name(page->output, table->name);
    berth_output_print(page->output, "{\"columns\":");
    write_row(page->output, csv, true);
    berth_output_print(page->output, ",\"rows\":[");
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        if (rows++ < table->most) {
            berth_output_print(page->output, rows > 1 ? ",\n" : "");
            write_row(page->output, csv, false);
        }
    }
    berth_output_print(page->output, "],\"all\":%zu", rows);
    page_name(page->output, "file");
    page_text(page->output, table->path);
    berth_output_print(page->output, "}");
    berth_csv_close(csv);
    return status;
}

enum berth_status page_redock_write(const struct page *page, struct berth_error *error)
{
    struct berth_bytes svg = {0};
    char path[PATH_MAX];
    /* what the page says of redocking is of all complexes, of which nobody has many thousands */
    const struct page_table table = {"redock", page->redock, SIZE_MAX};
    enum berth_status status = page_table_write(page, &table, error);
    BERTH_THEN(berth_path_in(page->settings->folder, "redock.svg", path, sizeof path, error));
    if (!status && access(path, F_OK) == 0) {
        status = berth_input_read_all(path, page->settings->cancel, &svg, error);
    }
    if (!status && svg.count) {
        page_name(page->output, "picture");
        page_picture(page->output, svg.data, svg.count);
    }
    berth_bytes_clear(&svg);
    return status;
}
