"""An OpenCL driver for machines that have none: PoCL, from PyPI."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path


def offer_pocl() -> None:
    """Has the OpenCL loader, which must not have looked yet, take the PoCL of the package
    pocl-binary-distribution (`pip install "berth[cpu]"`) where the system has no driver registered,
    and the user names none.  It calls a linker, `ld`: where there is none, that of ziglang."""
    if "OCL_ICD_VENDORS" in os.environ or any(Path("/etc/OpenCL/vendors").glob("*.icd")):
        return
    spec = importlib.util.find_spec("pocl_binary_distribution")
    if spec is None or spec.origin is None:
        return
    found = sorted(Path(spec.origin).parent.parent.glob("pyopencl/.libs/libpocl*.so*"))
    if not found:
        return
    os.environ["OCL_ICD_VENDORS"] = str(found[0])
    if shutil.which("ld") is None and importlib.util.find_spec("ziglang") is not None:
        os.environ["BERTH_LINKER_PYTHON"] = sys.executable
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(__file__).parent / "linker")])
