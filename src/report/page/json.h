/* What the page's data is written with. */
#ifndef BERTH_REPORT_PAGE_JSON_H
#define BERTH_REPORT_PAGE_JSON_H

#include "format/output.h"

/* ,"name": */
void page_name(struct berth_output *output, const char *name);

/* A number with so many decimals; null where it is none. */
void page_number(struct berth_output *output, double value, int decimals);

/* A text that was escaped (see berth_text_escape), so that control characters are seen. */
void page_text(struct berth_output *output, const char *text);

/* An SVG as the address of a picture, which no style or script of the page reaches. */
void page_picture(struct berth_output *output, const unsigned char *svg, size_t size);

#endif
