#include "format/tagged.h"

#include <string.h>

const double *berth_tagged_position(const struct berth_tagged_molecule *tagged, size_t atom)
{
    return tagged->positions ? tagged->positions[atom] : tagged->molecule->atoms[atom].position;
}

void berth_print_on_line(struct berth_output *output, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\r\n");
        berth_output_print(output, "%.*s%s", (int)length, text, text[length] ? " " : "");
        text += length + (text[length] != '\0');
    }
}
