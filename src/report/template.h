/* Texts with places to fill in: the paragraph for methods, scripts for viewers (data/report).
 *
 *     {{name}}            the value of this name; of a list its items, as "a, b and c"
 *     {{name|; }}         a list, with that between; a whole number, between groups of three digits
 *     {{name|one|many}}   one of two words, by whether the number is 1
 *     {{#name}} ... {{/name}}   what is between, where the value is more than nothing, 0, false or
 *                               empty; of a list once for each item; {{#name|, }}: with that
 * between
 *     {{?name}} ... {{/name}}   once, whatever it is of; {{^name}}: where it is nothing
 *     {{.}}               the value of the section
 *
 * Names are those of the section's value, or else of what is about it. */
#ifndef BERTH_REPORT_TEMPLATE_H
#define BERTH_REPORT_TEMPLATE_H

#include "format/output.h"

/* What the text is, and so how values are written in it. */
enum berth_template_target {
    BERTH_TEMPLATE_PROSE, /* as they are; the template's line ends are
                             blanks; of blanks that meet one stays, and none in front of , . ; : )
                             nor around the text: so what has nothing to say leaves no gap */
    BERTH_TEMPLATE_SCRIPT /* texts for "..." in Python and in a command of ChimeraX */
};

/* Fills a template with JSON as berth_json writes it (no blanks between), and appends it.  In other
 * targets than prose lines with nothing but the tag of a section are left out. */
void berth_template_fill(const char *text, const char *json, enum berth_template_target target,
                         struct berth_output *output);

#endif
