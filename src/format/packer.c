#include "format/packer.h"

#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST /* packs what is const */
#include <zlib.h>

#include "base/memory.h"

/* zlib's: a window of 32 KiB, with the head and the end of gzip. */
enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

struct berth_packer {
    z_stream stream;
    FILE *file;
    bool ended;
    unsigned char packed[1 << 15];
};

struct berth_packer *berth_packer_create(FILE *file)
{
    struct berth_packer *packer = berth_alloc(1, sizeof *packer);
    if (packer && deflateInit2(&packer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS,
                               MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(packer);
        return NULL;
    }
    if (packer) {
        packer->file = file;
    }
    return packer;
}

/* Packs what stands before the stream: all of it, as far as `flush` says. */
static bool pack(struct berth_packer *packer, int flush)
{
    z_stream *stream = &packer->stream;
    do {
        stream->next_out = packer->packed;
        stream->avail_out = sizeof packer->packed;
        deflate(stream, flush);
        const size_t made = sizeof packer->packed - stream->avail_out;
        if (fwrite(packer->packed, 1, made, packer->file) != made) {
            return false;
        }
    } while (stream->avail_out == 0);
    return true;
}

bool berth_packer_write(struct berth_packer *packer, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    while (size) {
        const size_t part = size < UINT_MAX ? size : UINT_MAX;
        packer->stream.next_in = next;
        packer->stream.avail_in = (uInt)part;
        if (!pack(packer, Z_NO_FLUSH)) {
            return false;
        }
        next += part;
        size -= part;
    }
    return true;
}

bool berth_packer_end(struct berth_packer *packer)
{
    if (!packer->ended) {
        packer->stream.avail_in = 0;
        packer->ended = pack(packer, Z_FINISH);
    }
    return packer->ended;
}

void berth_packer_destroy(struct berth_packer *packer)
{
    if (packer) {
        deflateEnd(&packer->stream);
        free(packer);
    }
}
