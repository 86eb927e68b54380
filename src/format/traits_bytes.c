#include "format/traits_bytes.h"

enum { HETERO = 1, ACCEPTOR = 2, FLAGS = HETERO | ACCEPTOR };

void berth_put_traits(struct berth_bytes *bytes, const struct berth_traits *traits)
{
    berth_bytes_put8(bytes, traits->neighbours);
    berth_bytes_put8(bytes, traits->hydrogens);
    berth_bytes_put8(bytes,
                     (uint8_t)((traits->hetero ? HETERO : 0) | (traits->acceptor ? ACCEPTOR : 0)));
}

bool berth_get_traits(struct berth_cursor *cursor, struct berth_traits *traits)
{
    traits->neighbours = berth_cursor_get8(cursor);
    traits->hydrogens = berth_cursor_get8(cursor);
    const uint8_t flags = berth_cursor_get8(cursor);
    traits->hetero = flags & HETERO;
    traits->acceptor = flags & ACCEPTOR;
    return flags <= FLAGS && !cursor->failed;
}
