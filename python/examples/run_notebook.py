"""Runs the code of a notebook, without Jupyter: python3 run_notebook.py NOTEBOOK.ipynb
With --print in front of its name it prints the code, as a script."""

import json
import os
import sys
from pathlib import Path


def code(notebook: Path) -> str:
    """All code cells, one after the other."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code") + "\n"


def main() -> None:
    notebook = Path(sys.argv[-1]).resolve()
    if "--print" in sys.argv:
        print(code(notebook), end="")
        return
    os.environ.setdefault("MPLBACKEND", "agg")  # plots are drawn, and shown nowhere
    os.chdir(notebook.parent)
    exec(compile(code(notebook), str(notebook), "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    main()
