"""The states of a molecule at a pH."""


def states(molecule, options):
    """The molecule as it is protonated at `ph`, the likeliest state first; `ph` absent: as it is."""
    return [molecule]
