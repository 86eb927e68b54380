"""How a molecule may end, other than well: what these say is the reason that the user reads."""


class Failed(Exception):
    """The molecule cannot be prepared."""


class Dropped(Exception):
    """A filter refuses the molecule; that is no failure."""
