#include "base/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void berth_bytes_put(struct berth_bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || bytes->failed) {
        return;
    }
    if (size > SIZE_MAX - bytes->count ||
        berth_reserve(&bytes->data, &bytes->capacity, bytes->count + size, 1, NULL)) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->count, data, size);
    bytes->count += size;
}

void berth_bytes_put8(struct berth_bytes *bytes, uint8_t value)
{
    berth_bytes_put(bytes, &value, 1);
}

void berth_bytes_put16(struct berth_bytes *bytes, uint16_t value)
{
    berth_bytes_put8(bytes, (uint8_t)(value & 255));
    berth_bytes_put8(bytes, (uint8_t)(value >> 8));
}

void berth_bytes_put32(struct berth_bytes *bytes, uint32_t value)
{
    unsigned char word[4];
    for (int i = 0; i < 4; i++) {
        word[i] = (unsigned char)(value >> 8 * i);
    }
    berth_bytes_put(bytes, word, sizeof word);
}

void berth_bytes_put64(struct berth_bytes *bytes, uint64_t value)
{
    berth_bytes_put32(bytes, (uint32_t)value);
    berth_bytes_put32(bytes, (uint32_t)(value >> 32));
}

void berth_bytes_put_double(struct berth_bytes *bytes, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    berth_bytes_put64(bytes, word);
}

void berth_bytes_put_varint(struct berth_bytes *bytes, uint64_t value)
{
    unsigned char digits[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7) {
        digits[count++] = (unsigned char)(value | 0x80);
    }
    digits[count++] = (unsigned char)value;
    berth_bytes_put(bytes, digits, count);
}

void berth_bytes_put_signed(struct berth_bytes *bytes, int64_t value)
{
    const uint64_t twice = (uint64_t)value << 1;
    berth_bytes_put_varint(bytes, value < 0 ? ~twice : twice);
}

void berth_bytes_put_text(struct berth_bytes *bytes, const char *text)
{
    text = text ? text : "";
    berth_bytes_put(bytes, text, strlen(text) + 1);
}

void berth_bytes_print(struct berth_bytes *bytes, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    const size_t room = length < 0 ? 0 : (size_t)length + 1;
    if (bytes->failed || !room || room > SIZE_MAX - bytes->count ||
        berth_reserve(&bytes->data, &bytes->capacity, bytes->count + room, 1, NULL)) {
        bytes->failed = true;
    } else {
        vsnprintf((char *)bytes->data + bytes->count, room, format, again);
        bytes->count += room - 1;
    }
    va_end(again);
    va_end(arguments);
}

void berth_bytes_clear(struct berth_bytes *bytes)
{
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}

struct berth_cursor berth_cursor_over(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    return (struct berth_cursor){bytes, size ? bytes + size : bytes, false};
}

size_t berth_cursor_left(const struct berth_cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

const unsigned char *berth_cursor_take(struct berth_cursor *cursor, size_t size)
{
    if (cursor->failed || size > berth_cursor_left(cursor)) {
        cursor->failed = true;
        return NULL;
    }
    const unsigned char *taken = cursor->at;
    cursor->at += size;
    return taken;
}

uint8_t berth_cursor_get8(struct berth_cursor *cursor)
{
    const unsigned char *byte = berth_cursor_take(cursor, 1);
    return byte ? *byte : 0;
}

uint16_t berth_cursor_get16(struct berth_cursor *cursor)
{
    const uint16_t low = berth_cursor_get8(cursor);
    return (uint16_t)(low | berth_cursor_get8(cursor) << 8);
}

uint32_t berth_cursor_get32(struct berth_cursor *cursor)
{
    const unsigned char *word = berth_cursor_take(cursor, 4);
    uint32_t value = 0;
    for (int i = 0; word && i < 4; i++) {
        value |= (uint32_t)word[i] << 8 * i;
    }
    return value;
}

float berth_cursor_get_float(struct berth_cursor *cursor)
{
    const uint32_t word = berth_cursor_get32(cursor);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

uint64_t berth_cursor_get64(struct berth_cursor *cursor)
{
    const uint64_t low = berth_cursor_get32(cursor);
    return low | (uint64_t)berth_cursor_get32(cursor) << 32;
}

double berth_cursor_get_double(struct berth_cursor *cursor)
{
    const uint64_t word = berth_cursor_get64(cursor);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

uint64_t berth_cursor_get_varint(struct berth_cursor *cursor)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (cursor->failed || cursor->at == cursor->end) {
            break;
        }
        const unsigned char digit = *cursor->at++;
        value |= (uint64_t)(digit & 0x7f) << shift;
        if (digit < 0x80) {
            return value;
        }
    }
    cursor->failed = true;
    return 0;
}

int64_t berth_cursor_get_signed(struct berth_cursor *cursor)
{
    const uint64_t code = berth_cursor_get_varint(cursor);
    const int64_t half = (int64_t)(code >> 1);
    return code & 1 ? -half - 1 : half;
}

const char *berth_cursor_get_text(struct berth_cursor *cursor)
{
    const unsigned char *zero = cursor->failed || cursor->at == cursor->end
                                    ? NULL
                                    : memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
    if (!zero) {
        cursor->failed = true;
        return "";
    }
    const char *text = (const char *)cursor->at;
    cursor->at = zero + 1;
    return text;
}

bool berth_cursor_get_name(struct berth_cursor *cursor, char *name, size_t size)
{
    const char *text = berth_cursor_get_text(cursor);
    const size_t length = strlen(text);
    if (length >= size) {
        return false;
    }
    memcpy(name, text, length + 1);
    return true;
}
