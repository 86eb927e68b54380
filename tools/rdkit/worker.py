"""The worker: what berth asks RDKit for.  Reads requests, writes answers, until its input ends.

Both are frames.  The first field of a request is what to do, the second its options (lines
`name=value`); of an answer, how it ended: ok, failed, dropped (with the reason), machine (what no
molecule is to blame for).
"""
import os
import sys
import traceback

import adducts
import bonds
import campaign
import normalise
import build
import depict
import diverse
import facts
import fragments
import missing
import network
import patterns
import properties
import specimens
import standing
import strain
import symmetry
import validity
from frames import put_fields, read_fields, read_frame, write_frame
from outcome import Dropped, Failed


def read_options(text):
    """The options of a request: lines `name=value`."""
    return dict(line.split("=", 1) for line in text.decode().splitlines())


OPERATIONS = {
    b"check_patterns": patterns.check,
    b"check_reactions": adducts.check,
    b"pattern": patterns.run_read,
    b"matches": patterns.run_match,
    b"normalise": normalise.run,
    b"bonds": bonds.run,
    b"lay_smiles": bonds.run_lay,
    b"place_smiles": bonds.run_place,
    b"build": build.run,
    b"energies": build.run_energies,
    b"make_fragments": fragments.run_make,
    b"validate": validity.run,
    b"depict": depict.run,
    b"facts": facts.run,
    b"diverse": diverse.run,
    b"properties": properties.run_properties,
    b"similarity": properties.run_similarity,
    b"substructure": properties.run_substructure,
    b"examine": specimens.run,
    b"stand": standing.run,
    b"smiles": standing.run_smiles,
    b"strain": strain.run,
    b"symmetry": symmetry.run,
    b"network": network.run,
    b"missing": missing.run,
    b"campaign": campaign.step,
}


def told(why):
    """An exception in words: RDKit's is the molecule's, one of our own code is a defect of ours, with its place.
    RDKit's C++ leaves no frame, and throws two kinds; the others are Python's, of what called it or of its own modules."""
    import rdkit

    text = f"{type(why).__name__}: {' '.join(str(why).split())[:300]}"
    frames = traceback.extract_tb(why.__traceback__)
    theirs = any(frame.filename.startswith(os.path.dirname(rdkit.__file__)) for frame in frames)
    if theirs or isinstance(why, (ValueError, RuntimeError)):
        return f"RDKit: {text}"
    own = os.path.dirname(told.__code__.co_filename)  # of all modules of ours
    at = [frame for frame in frames if os.path.dirname(frame.filename) == own][-1]
    place = f"{os.path.basename(at.filename)}:{at.lineno}"
    return f"this is a defect in berth: {place}: {text}; please report it, with the molecule"


def answer(operation, options, fields):
    try:
        return ["ok"] + OPERATIONS[operation](options, *fields)
    except Failed as why:
        return ["failed", str(why)]
    except Dropped as why:
        return ["dropped", str(why)]
    except MemoryError:
        return ["failed", "needs more memory than --memory_limit allows"]
    except OSError as why:
        return ["machine", str(why)]
    except Exception as why:
        return ["failed", told(why)]


def answer_many(options, operation, *common):
    """The same for many molecules at once.  The last field has their requests, frames of fields, behind which come the
    fields of all; so are the answers."""
    *fields, requests = common
    return [put_fields(answer(operation, options, (*read_fields(request), *fields))) for request in read_fields(requests)]


OPERATIONS[b"many"] = answer_many


def main(stream):
    from rdkit import RDLogger, __version__

    RDLogger.DisableLog("rdApp.*")
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    write_frame(output, ["ok", __version__, sys.executable or "python3"])
    try:
        while True:
            operation, options, *fields = read_frame(stream)
            write_frame(output, answer(operation, read_options(options), fields))
    except (EOFError, BrokenPipeError):
        os._exit(0)  # berth has ended, or is done with this worker
