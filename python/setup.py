"""Builds the module: its functions are those of include/berth.h, whose library it contains."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).parent))

from tree import version  # noqa: E402  (this folder's)

setup(
    version=version(),
    cffi_modules=["build_module.py:builder"],
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
