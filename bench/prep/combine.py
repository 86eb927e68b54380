#!/usr/bin/env python3
"""Writes molecules as a make-on-demand library has them: an acid, a linker and an amine, joined by two amide bonds.

Usage: combine.py COUNT SEED > molecules.smi

The blocks are written here, as texts that may simply be put one behind the other (linkers number their rings 8 and 9,
substituents 7); aromatic rings are combined with substituents.  COUNT molecules, at most what the blocks give (1,003,392),
are drawn without repetition in an order that SEED says; a line is "SMILES mol<number of the combination>"."""
import random
import sys

# Aromatic rings that bear something ({}) opposite, or nearly, to where they are bonded.
RINGS = """c1ccc({})cc1 c1cccc({})c1 c1ccc({})nc1 c1cnc({})nc1 c1ccc({})s1 c1ccc({})o1 c1cc({})ccn1 c1nc({})cs1 c1nnc({})o1
c1cn({})nc1 c1cc2cc({})ccc2[nH]1 c1cc2ccc({})cc2o1 c1nc2cc({})ccc2s1 c1ccc2nc({})ccc2c1""".split()
# What they bear; those that are bonded to nitrogen begin with carbon.
BORNE = "C CC C(C)C OC C(F)(F)F C7CC7 CCO CC#N COC C(=O)N".split()
ON_CARBON = "F Cl C#N N(C)C OC(F)F S(=O)(=O)C N7CCOCC7 OCC".split()

PLAIN_ACIDS = """C CC CC(C) CC(C)(C) CC(C)C COC CSC C1CC1 C1CCC1 C1CCCC1 C1CCCCC1 C1CCOCC1 C1CCOC1 CN1CCCC1 CN1CCCCC1 CC(F)(F)F
CC#N CS(=O)(=O)C C1(C)CC1 C1CCN(C)CC1 CC1CCC(CC1) CN1CCCC1=O C1CC2CC2C1 C12CC(C1)C2""".split()
LINKERS = """NC{} N[C@@H](C){} N[C@H](C){} NCC{} N9CCC[C@H]9{} N9CCC[C@@H]9{} N9CCC({})CC9 N9CCCC({})C9 N9CC({})C9 NC9CCC({})CC9
NCC9CCC({})CC9 Nc9ccc({})cc9 Nc9cccc({})c9 NCc9ccc({})cc9 NCc9cccc({})c9 N[C@@H](Cc9ccccc9){} N[C@@H](CC(C)C){} N[C@@H](CO){}
N9CCN(C{})CC9 NC(C)(C){} NCCC{} Nc9ncc({})s9 Nc9cc({})n(C)n9 N9Cc8ccccc8C[C@H]9{}""".split()
AMINES = """N NC NCC NC(C)C NC1CC1 NC1CCCC1 NC1CCCCC1 N1CCCC1 N1CCCCC1 N1CCOCC1 N1CCN(C)CC1 NCCO NCCOC NCC1CC1 NCCN1CCOCC1 NCC(F)(F)F
N(C)C N1CC(F)(F)C1 N1CCC(O)CC1 N1CCC(F)CC1 NCCN(C)C NC1CCOCC1 NCC1CCCO1 NC1CCN(C)CC1 N1CCSCC1""".split()


def substituted():
    """Substituted rings, bonded by their first atom."""
    return [ring.format(what) for ring in RINGS
            for what in (BORNE if "n({})" in ring else BORNE + ON_CARBON)]


def blocks():
    """The acids without their OH, the linkers (with a place for what their acid is bonded to), the amines."""
    rings = substituted()
    acids = [f"O=C({acid})" for acid in PLAIN_ACIDS] + [f"O=C({ring})" for ring in rings]
    amines = AMINES + ["N" + ring for ring in rings[::5]] + ["NC" + ring for ring in rings[::3]]
    return acids, LINKERS, amines


def main(count, seed):
    acids, linkers, amines = blocks()
    total = len(acids) * len(linkers) * len(amines)
    if count > total:
        sys.exit(f"combine.py: there are {total} combinations; ask for no more")
    for number in random.Random(seed).sample(range(total), count):
        rest, amine = divmod(number, len(amines))
        acid, linker = divmod(rest, len(linkers))
        print(acids[acid] + linkers[linker].format(f"C(=O){amines[amine]}"), f"mol{number}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
