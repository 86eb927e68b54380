"""A few molecules that between them use every call that the worker makes of RDKit: whether this RDKit does its work."""
import struct

from rdkit import Chem

import build
import cutting
import depict
import facts
import fragments
import network
import normalise
import patterns
import symmetry
import validity
from outcome import Dropped, Failed

# What each is for, its SMILES, and how many forms it gives with two of each kind.
SPECIMENS = (
    ("a double bond that is open", b"CC=C(F)Cl", 2),
    ("a double bond that is set", b"C/C=C/c1ccccc1", 1),
    ("a double bond in a ring", b"C1CCC=CCCC1", 1),
    ("a double bond between nitrogens", b"CN=NC", 1),
    ("a double bond to NH", b"CC(=N)C(F)(F)F", 1),
    ("a stereo centre that is open", b"CC(O)c1ccccc1", 2),
    ("a stereo centre that is set", b"C[C@H](O)c1ccccc1", 1),
    ("a cage", b"C[N+]12CN3CN(CN(C3)C1)C2", 2),
    ("protons", b"OC(=O)CN1CCNCC1", 2),
    ("an amidinium with a slip of the pen", b"N=[CH+](N)c1ccccc1", 2),
    ("a charge on an alkylated nitrogen", b"CN(C)C=[N+](C)C", 1),
    ("a salt, isotopes", b"[2H]C([2H])([2H])C(=O)O[Na]", 2),
    ("what MMFF94s has no parameters for", b"OB(O)c1ccccc1", 1),
    ("a sulfoxide", b"C[S@](=O)c1ccccc1", 1),
)
PYRAMID = "CC[P@](C)c1ccccc1"  # its stereo is read from the structure by ourselves
REFUSED = (b"C1CC", b"c1cccc1", b"CN(C)(C)C", b"C[CH2]", b"*CC", b"N[Pt](N)(Cl)Cl", b"[Np]")
OPTIONS = {"ph": "7.4", "protomers": "2", "stereo": "2", "conformers": "1", "structures": "3"}


def _expect(good, what):
    if not good:
        raise Failed(what)


def _block(smiles, positions):
    """The molecule as an SDF record, where its structure has it."""
    molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
    conformer = Chem.Conformer(molecule.GetNumAtoms())
    for atom in range(molecule.GetNumAtoms()):
        conformer.SetAtomPosition(atom, list(struct.unpack_from("<3d", positions, 24 * atom)))
    molecule.AddConformer(conformer)
    return Chem.MolToMolBlock(molecule).encode()


def _build(smiles):
    record, = build.run(OPTIONS, smiles.encode())
    atoms, bonds, _ = struct.unpack_from("<HHH", record)
    positions = record[6 + 8 * atoms + 6 * bonds:]
    _expect(positions, "no structure")
    energy, = struct.unpack("<d", build.run_energies(OPTIONS, smiles.encode(), positions)[0][:8])
    _expect(build.last[0].parameters is None or abs(energy) < 1e4, f"an energy of {energy}")
    return _block(smiles, positions)


def _look_at(block, smiles):
    """All that is done with a pose."""
    receptor = struct.pack("<3dBB", 30.0, 0.0, 0.0, 6, 0)
    said = validity.run({"smiles": smiles, "conformers": "2"}, block, receptor)[0]
    checks = dict(line.split("=") for line in said.splitlines())
    wrong = [name for name in ("chemistry", "connected", "bond_lengths", "stereo") if checks.get(name) != "1"]
    _expect(not wrong, f"a structure whose {' and '.join(wrong)} the checks of poses find wrong")
    _expect(depict.run({}, block)[0], "no drawing")
    facts.run({"scaffold": "yes"}, b"sdf", block)


def _prepare(smiles, count):
    answer = normalise.run(OPTIONS, b"smi", smiles, b"[N+](=O)[O-] nitro\n")
    forms = answer[::normalise.FORM_FIELDS]
    _expect(len(forms) == count, f"{len(forms)} forms instead of {count}")
    for form in forms:
        _look_at(_build(form), form)


def _refuse(smiles):
    try:
        normalise.run(OPTIONS, b"smi", smiles, b"")
    except Failed:
        return
    raise Failed("it is taken for a molecule")


def _join():
    """A molecule in fragments, with stereo, rings and a nitrogen that inverts."""
    record = cutting.run("C/C=C/CN(C)C[C@@H](F)C1CCN(Cc2ccccc2)CC1")
    keys = record[8:].split(b"\0")[:record[0]]
    _expect(b"@" in b".".join(keys) and b"/" in b".".join(keys), "no fragments, or none with its stereo")
    _expect(all(fragments.run_make(OPTIONS, b".".join(keys))), "a fragment that cannot be built")


def _exclude():
    try:
        normalise.run(OPTIONS, b"smi", b"CN(=O)=O", b"[N+](=O)[O-] nitro\n")
    except Dropped:
        return
    raise Failed("a pattern does not find it")


def run(options):
    """Fails with what does not work; the exceptions of the worker's own code and of RDKit's come out as they are.  Says how many there
    are, and which gemmi, reduce and PROPKA are beside RDKit."""
    for what, smiles, count in SPECIMENS:
        try:
            _prepare(smiles, count)
        except Failed as why:
            raise Failed(f"{smiles.decode()} ({what}): {why}") from None
    for smiles in REFUSED:
        try:
            _refuse(smiles)
        except Failed as why:
            raise Failed(f"{smiles.decode()}: {why}") from None
    _build(PYRAMID)
    _join()
    _exclude()
    return [str(len(SPECIMENS)), symmetry.version(), network.versions()[0]]
