"""What berth hands to `python3 -c`: takes a program's modules from standard input and starts it.

Each module comes as a frame of two fields, its name and its source, those that others import first, the program
itself last; an empty frame ends them.  (An argument may have 128 KiB on Linux, and a file would have to be found.)
"""
import os
import sys

# One thread a worker: the workers share the cores among themselves, and each thread costs memory.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
sys.path[:] = [path for path in sys.path if path]  # nothing from the current folder


def number(stream):
    return int.from_bytes(stream.read(4), "little")


def start(stream):
    module = type(sys)
    while number(stream):
        name = stream.read(number(stream)).decode()
        source = stream.read(number(stream))
        made = sys.modules[name] = module(name)
        exec(compile(source, name + ".py", "exec"), made.__dict__)
    made.main(stream)


start(sys.stdin.buffer)
