"""Adducts of a ligand and a residue's side chain, by a table of reactions (data/covalent.reactions)."""
import itertools

from rdkit import Chem
from rdkit.Chem import rdChemReactions

import reading
from outcome import Failed

# Side chains from CA on, which is marked by its isotope; last the atom that makes the bond.
MARK = 13
CHAINS = {"CYS": "[13CH3]CS", "SER": "[13CH3]CO", "THR": "[13CH3][C@H](C)O", "LYS": "[13CH3]CCCCN",
          "TYR": "[13CH3]Cc1ccc(cc1)O"}
# The same in an adduct, CA first, and of a cysteine without CA.
GIVEN = {"CYS": "[CX4]-!@[CX4;D2]-!@[S;D2]", "SER": "[CX4]-!@[CX4;D2]-!@[O;D2]",
         "THR": "[CX4]-!@[CX4;D3]([CX4;D1])-!@[O;D2]", "LYS": "[CX4]-!@[CX4;D2][CX4;D2][CX4;D2][CX4;D2]-!@[#7;D2,D3]",
         "TYR": "[CX4]-!@[CX4;D2]c1ccc(cc1)-!@[O;D2]"}
SHORT = "[CX4;D1][S;D2]"
# CA with the backbone: alone, or with what caps it.
BACKBONE = Chem.MolFromSmarts("[CX4;D3](-!@[#7;$([D1]),$([D2]-[CX3;D2,$(C[CX4;D1])]=O)])"
                              "-!@[CX3;$(C=[OX1]);D2,$(C-[#7,#8;D1]),$(C-[#7,#8;D2]-[CX4;D1])]")
BARE = Chem.MolFromSmarts("[CX4;D1]")
OUTCOMES = 16  # of a molecule, at most

tables = {}  # by their text


def read(text):
    """Triples of residues, name and reaction."""
    if text in tables:
        return tables[text]
    rows = []
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            residues, name, smarts = words
            reaction = rdChemReactions.ReactionFromSmarts(smarts)
            reaction.Initialize()
            fits = reaction.GetNumReactantTemplates() == 2 and reaction.GetNumProductTemplates() == 1
        except (ValueError, RuntimeError) as why:
            raise Failed(f"line {number}: no residues, name and reaction SMARTS") from why
        if not fits or not set(residues.split(",")) <= set(CHAINS):
            raise Failed(f"line {number}: a reaction has ligand and residue ({', '.join(CHAINS)}) and one product")
        rows.append((residues.split(","), name, reaction))
    return tables.setdefault(text, rows)


def check(options, text):
    """How many reactions there are."""
    return [str(len(read(text)))]


def _mapped(template):
    return [atom.GetIdx() for atom in template.GetAtoms() if 0 < atom.GetAtomMapNum() < 9]


def warheads(molecule, residue, table):
    """Groups of matches, (reaction, atoms, mapped atoms), that share an atom; and their names."""
    groups = []
    for residues, name, reaction in table:
        if residue not in residues:
            continue
        template = reaction.GetReactantTemplate(0)
        mapped = _mapped(template)
        for match in molecule.GetSubstructMatches(template, uniquify=False, maxMatches=1000):
            atoms = {match[i] for i in mapped}
            sharing = [group for group in groups if group[0] & atoms]
            merged = (atoms.union(*(group[0] for group in sharing)),
                      sum((group[1] for group in sharing), []) + [(name, reaction, match)])
            groups = [group for group in groups if group not in sharing] + [merged]
    return groups


def _isomers(product, changed):
    """In both configurations where the reaction leaves one open."""
    open_ones = [info for info in Chem.FindPotentialStereo(product)
                 if info.specified == Chem.StereoSpecified.Unspecified and
                 (info.centeredOn in changed if info.type == Chem.StereoType.Atom_Tetrahedral
                  else info.type == Chem.StereoType.Bond_Double and
                  {product.GetBondWithIdx(info.centeredOn).GetBeginAtomIdx(),
                   product.GetBondWithIdx(info.centeredOn).GetEndAtomIdx()} & changed)]
    for ways in itertools.islice(itertools.product((False, True), repeat=len(open_ones)), OUTCOMES):
        mol = Chem.Mol(product)
        for info, way in zip(open_ones, ways):
            if info.type == Chem.StereoType.Atom_Tetrahedral:
                mol.GetAtomWithIdx(info.centeredOn).SetChiralTag(
                    Chem.ChiralType.CHI_TETRAHEDRAL_CW if way else Chem.ChiralType.CHI_TETRAHEDRAL_CCW)
            else:
                ends = [[atom for atom in side if atom < mol.GetNumAtoms()]
                        for side in (list(info.controllingAtoms)[:2], list(info.controllingAtoms)[2:])]
                if all(ends):  # an imine's hydrogen moves
                    bond = mol.GetBondWithIdx(info.centeredOn)
                    bond.SetStereoAtoms(ends[0][0], ends[1][0])
                    bond.SetStereo(Chem.BondStereo.STEREOCIS if way else Chem.BondStereo.STEREOTRANS)
        yield mol


def _react(molecule, residue, group):
    """The products of one warhead, by their SMILES."""
    chain = Chem.MolFromSmiles(CHAINS[residue])
    found = {}
    for _, reaction, match in group[1]:
        ligand = Chem.Mol(molecule)
        for atom in ligand.GetAtoms():
            if atom.GetIdx() not in match:
                atom.SetProp("_protected", "1")
        for (product,) in reaction.RunReactants((ligand, chain)):
            if Chem.SanitizeMol(product, catchErrors=True):
                continue
            changed = {atom.GetIdx() for atom in product.GetAtoms() if atom.HasProp("old_mapno")}
            for atom in product.GetAtoms():
                if atom.HasProp("old_mapno") and atom.GetIntProp("old_mapno") == 9:
                    for other in atom.GetNeighbors():  # a reaction may invert what is bonded
                        if other.HasProp("old_mapno"):
                            other.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
            Chem.AssignStereochemistry(product, cleanIt=True, force=True)
            for mol in _isomers(product, changed):
                mol = Chem.MolFromSmiles(Chem.MolToSmiles(mol))
                if mol is not None:
                    found.setdefault(Chem.MolToSmiles(mol), mol)
    return [found[smiles] for smiles in sorted(found)][:OUTCOMES]


def _joined(molecule, dummy, residue):
    """The residue's side chain in the place of a placeholder."""
    mol = Chem.RWMol(molecule)
    (there,) = (atom.GetIdx() for atom in mol.GetAtomWithIdx(dummy).GetNeighbors())
    chain = Chem.MolFromSmiles(CHAINS[residue])
    first = mol.GetNumAtoms()
    mol.InsertMol(chain)
    mol.AddBond(there, first + chain.GetNumAtoms() - 1, Chem.BondType.SINGLE)
    mol.RemoveAtom(dummy)
    Chem.SanitizeMol(mol)
    return mol.GetMol()


def _firsts(molecule, pattern):
    """The first atoms of a pattern's matches."""
    return {match[0] for match in molecule.GetSubstructMatches(pattern)}


def _bare(molecule, alpha, beta):
    """The molecule with a methyl group that is marked in the place of CA and what hangs from it."""
    mol = Chem.RWMol(molecule)
    mol.GetAtomWithIdx(alpha).SetIsotope(MARK)
    for other in list(mol.GetAtomWithIdx(alpha).GetNeighbors()):
        if other.GetIdx() != beta:
            mol.RemoveBond(alpha, other.GetIdx())
    marked = mol.GetAtomWithIdx(alpha)
    marked.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    marked.SetNoImplicit(False)
    marked.SetNumExplicitHs(0)
    mol.UpdatePropertyCache(strict=False)
    (kept,) = (part for part in Chem.GetMolFrags(mol) if alpha in part)
    for index in reversed(range(mol.GetNumAtoms())):
        if index not in kept:
            mol.RemoveAtom(index)
    Chem.SanitizeMol(mol)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol.GetMol()


def _as_given(molecule, residue, alphas):
    """An adduct that is given as it is, its CA (one of alphas) marked; None where it is none."""
    matches = [match for match in molecule.GetSubstructMatches(Chem.MolFromSmarts(GIVEN[residue]), uniquify=False)
               if match[0] in alphas]
    if len({match[-1] for match in matches}) > 1:
        raise Failed(f"the side chain of {residue} is there twice: mark where it is bonded by a placeholder (*)")
    return _bare(molecule, *matches[0][:2]) if matches else None


def _as_short(molecule, residue, betas):
    """An adduct that is given without its CA, which is added to CB, one of betas; None where it is none."""
    short = [match for match in molecule.GetSubstructMatches(Chem.MolFromSmarts(SHORT)) if match[0] in betas]
    if residue != "CYS" or len(short) != 1:
        return None
    mol = Chem.RWMol(molecule)
    alpha = Chem.Atom(6)
    alpha.SetIsotope(MARK)
    mol.AddBond(short[0][0], mol.AddAtom(alpha), Chem.BondType.SINGLE)
    Chem.SanitizeMol(mol)
    return mol.GetMol()


def _without(molecule, dummies):
    """The molecule without its placeholders, and the atoms that these were on."""
    mol = Chem.RWMol(molecule)
    for index in dummies:
        for other in mol.GetAtomWithIdx(index).GetNeighbors():
            other.SetNoImplicit(False)
            other.SetNumRadicalElectrons(0)
            other.SetBoolProp("_held", True)
    for index in sorted(dummies, reverse=True):
        mol.RemoveAtom(index)
    Chem.SanitizeMol(mol)
    return mol.GetMol(), {atom.GetIdx() for atom in mol.GetAtoms() if atom.HasProp("_held")}


def _of_placeholders(molecule, dummies, residue):
    """Adducts with placeholders: for the backbone, on CA (or CB), or for the residue."""
    whole, held = _without(molecule, dummies)
    backbones = {atom for atom in range(whole.GetNumAtoms()) if held & {
        atom, *(other.GetIdx() for other in whole.GetAtomWithIdx(atom).GetNeighbors())}}
    given = _as_given(whole, residue, backbones & (_firsts(whole, BACKBONE) | held)) or _as_short(whole, residue, held)
    if given is not None:
        return given
    if len(dummies) != 1 or molecule.GetAtomWithIdx(dummies[0]).GetDegree() != 1:
        raise Failed("one placeholder (*) with one bond marks where the residue is bonded")
    return _joined(molecule, dummies[0], residue)


def make(molecule, options, text):
    """The adducts of a molecule, CA marked.  The option residue is CYS, or CYS:given, where the molecules are adducts
    as they are, without the backbone."""
    residue, _, given = options["residue"].partition(":")
    dummies = [atom.GetIdx() for atom in molecule.GetAtoms() if atom.GetAtomicNum() == 0]
    if dummies:
        return [_of_placeholders(molecule, dummies, residue)]
    if given:
        bare = _firsts(molecule, BARE)
        adduct = _as_given(molecule, residue, bare | _firsts(molecule, BACKBONE)) or _as_short(molecule, residue, bare)
        if adduct is None:
            raise Failed(f"no adduct of {residue}: it has to hold the side chain from CA on, and be bonded there")
        return [adduct]
    adduct = _as_given(molecule, residue, _firsts(molecule, BACKBONE))
    if adduct is not None:
        return [adduct]
    groups = warheads(molecule, residue, read(text))
    if len(groups) > 1 and "all_warheads" not in options:
        names = ", ".join(sorted(group[1][0][0] for group in groups))
        raise Failed(f"{'two' if len(groups) == 2 else len(groups)} warheads ({names}); --all_warheads takes each")
    products = [product for group in groups for product in _react(molecule, residue, group)]
    if groups and not products:
        raise Failed(f"no adduct came of its warhead ({groups[0][1][0][0]})")
    if not groups:
        raise Failed(f"no warhead that bonds to {residue}, and no adduct of it with its backbone; "
                     f"an adduct is told by a placeholder (*) on its CA, or by --adducts {residue}:given of prep ligands")
    return products


def read_ligand(kind, data):
    """As reading.read, but with placeholders."""
    whole, mended = reading.read_molecule(kind, data)
    molecule, remark = reading.largest_fragment(reading.without_salts(reading.without_isotopes(whole)))
    return molecule, "\n".join(filter(None, (mended, remark)))


def begun_at_alpha(smiles):
    """The SMILES without the mark, CA its first atom."""
    molecule = Chem.MolFromSmiles(smiles)
    alpha = next(atom for atom in molecule.GetAtoms() if atom.GetIsotope() == MARK)
    alpha.SetIsotope(0)
    Chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
    return Chem.MolToSmiles(molecule, rootedAtAtom=alpha.GetIdx())
