"""The extension module berth._berth: every function of include/berth.h, by cffi."""

import sys
from pathlib import Path

from cffi import FFI

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tree import declarations, made, source  # noqa: E402  (this folder's)

# What the library calls back: see src/berth/_library.py.
CALLBACKS = """
extern "Python" {
    void berth_python_log(void *context, const struct berth_log_line *line);
    bool berth_python_ligand(void *context, const struct berth_docked_ligand *ligand);
    bool berth_python_progress(void *context, const struct berth_progress *progress);
    bool berth_python_name(void *context, uint64_t ordinal, const char *name);
    void berth_python_result(void *context, const struct berth_screen_result *result);
    void berth_python_text(void *context, const char *text);
    void berth_python_option(void *context, const struct berth_option_info *option);
}
"""

# See declarations.
POSITIONS = "const double *berth_python_positions(const struct berth_docked_pose *pose);"
SOURCE = """
#include "berth.h"

static const double *berth_python_positions(const struct berth_docked_pose *pose)
{
    return &pose->positions[0][0];
}
"""

archive = made("libberth.a")
builder = FFI()
builder.cdef(declarations() + POSITIONS + CALLBACKS)
builder.set_source(
    "berth._berth",
    SOURCE,
    include_dirs=[str(source() / "include")],
    extra_objects=[str(archive)],
    depends=[str(archive), str(source() / "include" / "berth.h")],
    # The library's own symbols stay inside: another libberth in the process is another.
    extra_link_args=["-Wl,--exclude-libs,ALL", "-Wl,--strip-debug"],
    libraries=["OpenCL", "z", "m", "pthread", "dl"],
)
