"""What a pose's own geometry costs by MMFF94s, for a host that lets it go downhill in a field of its own."""
import struct

import build
import reading
from outcome import Failed


class Pose(build.Molecule):
    """The molecule of an SDF record, with the hydrogens that it has."""

    def __init__(self, text):
        self.smiles = text
        graph = reading.molfile(text.decode("utf-8", "replace"), removeHs=False)
        if graph is None or not graph.GetNumAtoms():
            raise Failed("RDKit cannot read the pose")
        if any(atom.GetTotalNumHs() for atom in graph.GetAtoms()):
            raise Failed("it lacks hydrogens: to be relaxed, a pose needs all")
        self.take(graph)
        if self.parameters is None:
            raise Failed("MMFF94s has no parameters for all of its atoms")
        self.energies = self.field(-1)
        self.energies.Initialize()


last = [None]  # the pose that was asked for last


def run(options, text, positions):
    """At these positions (doubles) energy (kJ/mol) and its derivatives by them (kJ/mol/Å), as doubles; with free=1
    the energy alone, at the minimum that the molecule by itself comes to from there."""
    if last[0] is None or last[0].smiles != text:
        last[0] = Pose(text)
    pose, places = last[0], list(struct.unpack(f"<{len(positions) // 8}d", positions))
    if options.get("free"):
        conformer = pose.graph.GetConformer()
        for atom in range(conformer.GetNumAtoms()):
            conformer.SetAtomPosition(atom, places[3 * atom:3 * atom + 3])
        field = pose.field(-1)
        field.Minimize(maxIts=1000)
        values = [field.CalcEnergy()]
    else:
        values = [pose.energies.CalcEnergy(places), *pose.energies.CalcGrad(places)]
    return [struct.pack(f"<{len(values)}d", *(build.KJ_PER_KCAL * value for value in values))]
