"""Frames, in which berth speaks to its processes: their size, then fields, each with its size in front (32 bits,
little-endian)."""


def read_exactly(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def read_fields(frame):
    fields, at = [], 0
    while at < len(frame):
        begin = at + 4
        at = begin + int.from_bytes(frame[at:begin], "little")
        fields.append(frame[begin:at])
    return fields


def read_frame(stream):
    return read_fields(read_exactly(stream, int.from_bytes(read_exactly(stream, 4), "little")))


def put_fields(fields):
    """A frame, without its size."""
    parts = []
    for field in fields:
        field = field.encode("utf-8", "surrogateescape") if isinstance(field, str) else field
        parts += (len(field).to_bytes(4, "little"), field)
    return b"".join(parts)


def write_frame(stream, fields):
    frame = put_fields(fields)
    stream.write(len(frame).to_bytes(4, "little") + frame)
    stream.flush()
