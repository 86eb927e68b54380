"""Names and other texts of users in what is written.

Within the program a text is its bytes read as Latin-1: every file's names can be told apart and sorted like that, whatever
their encoding.  Here they become what can be shown: UTF-8, with nothing that moves a terminal's cursor or runs in a
spreadsheet, as src/base/text.c and src/format/output.c of the C side have it.
"""
import json
import re

UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]|\\(?=x[0-9a-fA-F]{2})")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def shown(text, plain=""):
    """Bytes of control characters (but for those in plain) and of what is no UTF-8 become \\xHH."""
    def escape(match):
        byte = match[0].encode("utf-8", "surrogateescape")
        return match[0] if match[0] in plain else "".join(f"\\x{value:02x}" for value in byte)

    return UNSHOWN.sub(escape, text.encode("latin-1").decode("utf-8", "surrogateescape"))


def field(text):
    """A field of CSV, with an apostrophe in front of what a spreadsheet would run."""
    text = shown(text, "\t\n")
    formula = text[:1] == "'" or (len(text) > 1 and text[0] in "=+-@\t\n" and not NUMBER.fullmatch(text))
    text = ("'" if formula else "") + text.replace('"', '""')
    return f'"{text}"' if re.search('[,"\n]', text) else text


def row(*fields):
    """A line of CSV; fields are numbers as text, or what `field` gave."""
    return ",".join(fields) + "\n"


def on_line(text):
    """Of a text of several lines one."""
    return re.sub(r"[\r\n]", " ", text).encode("latin-1").decode("utf-8", "surrogateescape")


def in_json(text):
    """A string of JSON that may stand within a page's script."""
    return json.dumps(shown(text), ensure_ascii=False).replace("<", "\\u003c")


def number(value):
    """Of a table."""
    return f"{value:.12g}"


def plural(count, one, many):
    return one if count == 1 else many
