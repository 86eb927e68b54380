"""Builds the module: its functions are those of include/berth.h, whose library it contains; and berth's
program, which the package has beside it."""

import shutil
import subprocess
import sys
from pathlib import Path

try:
    import cffi  # noqa: F401  (without it setuptools would pass over cffi_modules, and leave the module out)
except ImportError:
    sys.exit(f"setup.py: the module is built by cffi, which {sys.executable} lacks: install it (pip install 'cffi>=1.15')")

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))

from tree import made, version  # noqa: E402  (this folder's)


class BuildWithProgram(build_py):
    """The package, and the program in its folder."""

    def run(self) -> None:
        super().run()
        folder = Path(self.build_lib) / "berth" / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(made("berth"), folder / "berth")
        if shutil.which("strip"):
            subprocess.run(["strip", folder / "berth"], check=True)


setup(
    version=version(),
    cmdclass={"build_py": BuildWithProgram},
    cffi_modules=["build_module.py:builder"],
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
