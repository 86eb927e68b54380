/* libFuzzer: cutting text into its molecules: a line with the format, and the text. */
#include <string.h>

#include "format/pieces.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t rest;
    char *format = fuzz_line(bytes, size, &rest);
    struct berth_bytes text = {0};
    struct berth_pieces pieces = {0};
    berth_bytes_put(&text, bytes + rest, size - rest);
    demand(!berth_pieces_find(format, &text, &pieces, NULL));
    for (size_t i = 0, end = 0, line = 1; i < pieces.count; i++) {
        const struct berth_piece *piece = &pieces.items[i];
        for (size_t k = end; k < piece->begin; k++) {
            line += text.data[k] == '\n';
        }
        demand(piece->begin >= end && piece->begin < piece->end && piece->end <= text.count);
        demand(memchr(piece->name, 0, sizeof piece->name) && piece->line == line);
        for (end = piece->begin; end < piece->end; end++) {
            line += text.data[end] == '\n';
        }
    }
    berth_pieces_clear(&pieces);
    berth_bytes_clear(&text);
    free(format);
    return 0;
}
