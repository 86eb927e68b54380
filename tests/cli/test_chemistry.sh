#!/bin/sh
# What berth prep ligands makes of a molecule by RDKit: protonation, stereo, and what it refuses.
. tests/cli/lib.sh

need_rdkit 'preparation by RDKit'

for part in protonate stereo valence adducts bonds; do
    run "$python" -B "$root/tests/chemistry/test_$part.py"
    check "the rules of $part.py (tests/chemistry)" exited 0
done

prep() { # NAME OPTIONS... : of NAME.smi; SMILES by name in NAME.csv
    prep_name=$1
    shift
    run "$BERTH" prep ligands "$prep_name.smi" --out "$prep_name.blib" --failures failed.csv --conformers 1 \
        --builder rdkit --jobs 1 --overwrite "$@"
    rm -f "$prep_name.csv"
    [ "$code" -eq 1 ] || "$BERTH" lib ls "$prep_name.blib" --full >"$prep_name.csv"
}
is() { # FILE NAME SMILES: this ligand has these SMILES
    [ "$(awk -F, -v name="$2" '$2 == name { print $6 }' "$1.csv")" = "$3" ]
}
failed() { [ "$(sed 1d failed.csv | cut -d, -f2 | tr '\n' ' ')" = "$1 " ]; } # NAMES

# --- Protonation
cat >states.smi <<'END'
C1CNCCN1 piperazine
CC(=O)[O-].[Na+] acetate
NCC(=O)O glycine
CC[NH3+] ethylamine
c1ccccc1O phenol
NC(=N)c1ccccc1 benzamidine
CN1CCN(CC1)C1=Nc2cc(Cl)ccc2Nc2ccccc12 clozapine
Nc1nc(N)nc(N)n1 melamine
Cc1nc[nH]c1CNC(C)=O imidazole
Cc1[nH]cnc1CNC(C)=O tautomer
END
prep states
check 'at pH 7.4: one charge on piperazine and clozapine, zwitterions, salts stripped' all exited 0 -- \
    is states piperazine 'C1C[NH2+]CCN1' -- is states acetate 'CC(=O)[O-]' -- \
    is states glycine '[NH3+]CC(=O)[O-]' -- is states ethylamine 'CC[NH3+]' -- is states phenol Oc1ccccc1 -- \
    is states benzamidine 'NC(=[NH2+])c1ccccc1' -- grep -q ',clozapine,.*\[NH+\]' states.csv -- \
    [ "$(grep -c '\[NH+\].*\[NH+\]' states.csv)" -eq 0 ]
check 'and none on melamine, nor on either tautomer of an imidazole' all \
    is states melamine 'Nc1nc(N)nc(N)n1' -- is states imidazole 'CC(=O)NCc1[nH]cnc1C' -- \
    is states tautomer 'CC(=O)NCc1nc[nH]c1C'
prep states --ph 2
check 'at pH 2: carboxylic acids keep their proton' all exited 0 -- is states acetate 'CC(=O)O' -- \
    is states piperazine 'C1C[NH2+]CC[NH2+]1'
prep states --keep_protonation
check '--keep_protonation' all exited 0 -- is states acetate 'CC(=O)[O-]' -- is states glycine 'NCC(=O)O' -- \
    is states ethylamine 'CC[NH3+]' -- is states piperazine C1CNCCN1

# Mol2 says charges by what is missing: O.2 and O.3 of a carboxylate, as DUD-E has them, and N.4.
cat >glycine.mol2 <<'END'
@<TRIPOS>MOLECULE
glycine
10 9 0 0 0
SMALL
USER_CHARGES

@<TRIPOS>ATOM
1 N -1.968 0.045 0.000 N.4 1 <0> 0.9
2 CA -0.637 -0.608 0.000 C.3 1 <0> 0.1
3 C 0.547 0.362 0.000 C.2 1 <0> 0.6
4 O1 0.392 1.578 0.000 O.2 1 <0> -0.8
5 O2 1.639 -0.213 0.000 O.3 1 <0> -0.8
6 H1 -2.710 -0.660 0.000 H 1 <0> 0.0
7 H2 -2.081 0.640 0.830 H 1 <0> 0.0
8 H3 -2.081 0.640 -0.830 H 1 <0> 0.0
9 H4 -0.570 -1.247 0.885 H 1 <0> 0.0
10 H5 -0.570 -1.247 -0.885 H 1 <0> 0.0
@<TRIPOS>BOND
1 1 2 1
2 2 3 1
3 3 4 2
4 3 5 1
5 1 6 1
6 1 7 1
7 1 8 1
8 2 9 1
9 2 10 1
END
run "$BERTH" prep ligands glycine.mol2 --out glycine.blib --failures failed.csv --rebuild --keep_protonation --jobs 1
"$BERTH" lib ls glycine.blib --full >glycine.csv
check 'the charges of Mol2 that is built anew' all exited 0 -- is glycine glycine '[NH3+]CC(=O)[O-]'
run "$BERTH" prep ligands glycine.mol2 --out smiles.blib --failures failed.csv --smiles --keep_protonation --jobs 1
"$BERTH" lib ls smiles.blib --full >smiles.csv
check 'or taken as it stands' all exited 0 -- is smiles glycine '[NH3+]CC(=O)[O-]'

printf 'CN1CCOCC1 morpholine\nCCCC butane\n' >several.smi
prep several --protomers 3
check '--protomers lists the most populated states, by number behind the name' all exited 0 -- \
    is several morpholine_1 'C[NH+]1CCOCC1' -- is several morpholine_2 CN1CCOCC1 -- is several butane CCCC -- \
    lines several.csv 4
check 'of how many ligands the charge was changed is said' said 'charges that are changed' '1 of 3'
check 'and says of each what it is a state of, and how much of that it is' all \
    holds several.csv 'input_smiles=CN1CCOCC1; state_of=morpholine; state_population=0.5573' -- \
    holds several.csv 'input_smiles=CN1CCOCC1; state_of=morpholine; state_population=0.4427' -- \
    holds several.csv 'input_smiles=CCCC; state_population=1.0000'
prep several --protomers 3 --min_population 0.45
check '--min_population leaves out those below it' all exited 0 -- is several morpholine 'C[NH+]1CCOCC1' -- \
    lines several.csv 3
prep several --protomers 3 --min_population 0.9
check 'but for the most populated one' all exited 0 -- is several morpholine 'C[NH+]1CCOCC1' -- lines several.csv 3
prep several --min_population 0.9
check 'where there may be several' all exited 1 -- said 'where there may be several'
run "$BERTH" prep ligands several.smi --out no.blib --builder openbabel --protomers 2
check 'which Open Babel cannot' all exited 1 -- absent no.blib -- said 'which Open Babel cannot'

slice preparation 'stereo, what is refused, large molecules, rarer elements, stereo that is hard to build, malformed input'
# --- Stereo
cat >stereo.smi <<'END'
C[C@H](O)c1ccccc1 given
C/C=C\c1ccccc1 cis
CC(O)c1ccccc1 open
CC(Cl)c1ccccc1 open_too
END
prep stereo
cp stereo.csv first.csv
check 'charges that stay are not spoken of' lacks stderr charge
check 'stereo that is given stays, what is open is chosen, and said once with a count' all exited 0 -- \
    is stereo given 'C[C@H](O)c1ccccc1' -- is stereo cis 'C/C=C\c1ccccc1' -- grep -q ',open,.*@' stereo.csv -- \
    [ "$(grep -c open_stereo=1 stereo.csv)" -eq 2 ] -- grep -q '^3,open_too,.*; open_stereo=1$' stereo.csv -- \
    said 'stereo that is given stays, what is open is chosen, and said once with a count'
prep stereo
check 'the same one each time' same first.csv stereo.csv
prep stereo --stereo 4
check '--stereo N: all there are, up to N' all exited 0 -- lines stereo.csv 7 -- is stereo given 'C[C@H](O)c1ccccc1' -- \
    grep -q ',open_1,' stereo.csv -- grep -q ',open_2,' stereo.csv -- [ "$(cut -d, -f 6 stereo.csv | sort -u | wc -l)" -eq 6 ] # one of the open ones is the given one
check 'and nothing is said of them, but that one is given, too' all grep -q 'open_2: .*given (record 1)' stderr -- \
    sh -c '! grep open_stereo stereo.csv'
echo 'CC(O)C(F)c1ccccc1 two_open' >>stereo.smi
echo 'CC(F)C(O)c1ccccc1 two_more' >>stereo.smi
prep stereo --stereo 2
check 'but of molecules, each counted once, of which some were left out' all exited 0 -- \
    [ "$(grep -c open_stereo=2 stereo.csv)" -eq 4 ] -- [ "$(grep -c open_stereo= stereo.csv)" -eq 4 ] -- \
    said 'isomers that are left out' two_open

# dock prepares them on its way, and says it, too.
run "$BERTH" dock --receptor pocket.mol2 --ligand stereo.smi --out stereo.sdf \
    --search fast --poses 16 --generations 1 --refine 1 --hops 1 --center_x 9.9 --center_y 16.2 --center_z 8.8 --size_x 15 --size_y 15 --size_z 15
check 'dock says the same of the molecules that it prepares, once' all exited 0 -- grep -q 'open: .* 3 more' stderr -- \
    [ "$(grep -c 'stereo=N' stderr)" -eq 1 ] -- grep -q '>  <open_stereo>' stereo.sdf
check 'run.json has the RDKit that built them' grep -q '"prepare": "prep ligands .*; RDKit [0-9]' stereo.run.json

# --- What is special
cat >special.smi <<'END'
[13CH3]C([2H])([2H])O isotopes
CC[O] radical
CC[CH2] carbon_radical
CCO.CCCCCCCCCC.CCCCCCCCC mixture
N[Pt](N)(Cl)Cl platinum
C[n+]1ccccc1.[Br-] pyridinium
*CC placeholder
c1ccccc1O.CC(=O)O.[Na+].[Cl-] salt
O=c1cc[nH]cc1 pyridone
Oc1ccncc1 hydroxypyridine
[Na+].[Cl-] ions
O.[Na+].[Cl-] solvate
[Na+] ion
END
prep special
check 'isotopes are left out, of a mixture or a salt the largest organic part stays, tautomers are as drawn' all exited 2 -- \
    is special isotopes CCO -- is special mixture CCCCCCCCCC -- is special salt Oc1ccccc1 -- \
    is special pyridinium 'C[n+]1ccccc1' -- is special pyridone 'O=c1cc[nH]cc1' -- is special hydroxypyridine Oc1ccncc1 -- \
    is special ion '[Na+]' -- said 'a mixture' mixture
check 'radicals, metal complexes, placeholders and salts of which nothing is left are refused' all \
    failed 'radical carbon_radical platinum placeholder ions solvate' -- said 'what is refused' 'failed: '

awk 'BEGIN { for (i = 0; i < 1001; i++) printf "C"; print " huge"; print "CCO fine" }' >huge.smi
prep huge
check 'more atoms than a ligand may have: at once, and the next one comes out' all exited 2 -- lines huge.csv 2 -- \
    failed huge -- said 'more atoms than a ligand may have' 'ligand huge'

# --- Elements that forcefields lack
cat >elements.smi <<'END'
CC[Hg]Cl mercury
CCCC[Sn](CCCC)(CCCC)OC(C)=O tin
OB(O)c1ccccc1 boron
C[Si](C)(C)c1ccccc1 silicon
C[Se]C[C@H](N)C(=O)O selenium
O=[As](O)(O)c1ccccc1 arsenic
Cl[Sb](Cl)(c1ccccc1)(c1ccccc1)c1ccccc1 antimony
CC(=O)O[Na] sodium
CN(C)C[C-]12C3=C4C5=C1[Fe++]23456789[C-]%10C6=C7C8=C9%10 ferrocene
O=[As]c1ccccc1 arsenoso
END
mercury() { is elements mercury 'CC[Hg]Cl' || is elements mercury 'C[CH2][Hg][Cl]'; } # as RDKit writes it up to 2023, and since
prep elements
check 'covalent molecules of other elements come out, protonated; complexes do not; a salt is one however it is drawn' \
    all exited 2 -- mercury -- grep -q ',tin,' elements.csv -- is elements boron 'OB(O)c1ccccc1' -- \
    is elements silicon 'C[Si](C)(C)c1ccccc1' -- is elements selenium 'C[Se]C[C@H]([NH3+])C(=O)[O-]' -- \
    is elements arsenic 'O=[As]([O-])(O)c1ccccc1' -- is elements sodium 'CC(=O)[O-]' -- \
    failed 'antimony ferrocene arsenoso' -- said 'no parameters' arsenoso
"$BERTH" lib get elements.blib mercury tin boron silicon arsenic --out elements.sdf >/dev/null
cat >lengths.py <<'END'
import sys
from rdkit import Chem
from rdkit.Chem import rdMolTransforms
WANTED = {'Hg': (2.07, 2.12), 'Sn': (2.12, 2.18), 'B': (1.53, 1.60), 'Si': (1.84, 1.92), 'As': (1.90, 1.98)}
seen = set()
for molecule in Chem.SDMolSupplier('elements.sdf', sanitize=False):
    for atom in molecule.GetAtoms():
        low, high = WANTED.get(atom.GetSymbol(), (0, 0))
        for other in atom.GetNeighbors():
            length = rdMolTransforms.GetBondLength(molecule.GetConformer(), atom.GetIdx(), other.GetIdx())
            if high and other.GetSymbol() == 'C' and not low <= length <= high:
                sys.exit(f'{atom.GetSymbol()}-C {length:.3f}')
        seen.add(atom.GetSymbol())
sys.exit(not seen.issuperset(WANTED))
END
check 'with the bond lengths that they have' "$BERTH_PYTHON" lengths.py
# --- Charges: SDF has RDKit's own, also where types do not tell them
cat >charged.smi <<'END'
[O-]c1c(Cl)c(Cl)c(Cl)c(Cl)c1Cl phenolate
c1nn[n-]n1 tetrazolide
Cc1nn2c(C(N)=O)c(C)[nH+]c2s1 imidazolium
CC[C+](C)C cation
C[Si-](C)(C)(C)C silanide
CC(=O)[O-] acetate
C[N+](=O)[O-] nitro
END
run "$BERTH" prep ligands charged.smi --keep_protonation --structures 1 --out charged.blib --overwrite
"$BERTH" lib get charged.blib --out charged.sdf >/dev/null
cat >charged.py <<'END'
import sys
from rdkit import Chem
wanted = dict(line.split()[::-1] for line in open('charged.smi'))
seen = 0
for molecule in Chem.SDMolSupplier('charged.sdf'):
    name = molecule.GetProp('_Name')
    if Chem.MolToSmiles(molecule) != Chem.CanonSmiles(wanted[name]):
        sys.exit(f'{name}: {Chem.MolToSmiles(molecule)}')
    seen += 1
sys.exit(seen < 7)
END
check 'charges of SDF are those of the SMILES' "$BERTH_PYTHON" charged.py
elements() { # SCORING FAILED...: what cannot be docked with it
    elements_scoring=$1
    shift
    run "$BERTH" screen --receptor "$root/data/demo/1hpv_receptor.mol2" --autobox_ligand "$root/data/demo/1hpv_ligand.mol2" \
        --library elements.blib --scoring "$elements_scoring" --poses 16 --generations 1 --refine 1 --out "screened_$elements_scoring"
    [ "$(cut -d, -f 2 "screened_$elements_scoring/failures.csv" | sed 1d | tr '\n' ' ')" = "$*" ]
}
check 'one library, and each function docks what it knows: vina' elements vina 'boron arsenic '
check 'the others are failures, with the reason, and their names once' all grep -q ',boron,"atom [0-9]* (B) .*vina.*plp' screened_vina/failures.csv -- \
    holds stderr 'ligand boron: atom '
check 'and bude' elements bude 'mercury arsenic '

# --- Stereo that is hard to build
cat >hard.smi <<'END'
CCN(CC)N=Nc1ccccc1 triazene
CC(C)(C#N)/N=N\C(C)(C)C#N cis_azo
N#CCCOCC=Cc1cccs1 alkene
CCCCCCCC[N+]12CN3CN(CN(C3)C1)C2 cage
C[C@H](CCO[P@@](O)OCC[C@H](C)CC(C)(C)C)CC(C)(C)C phosphite
C[P@@](CC)c1ccccc1 phosphine
END
prep hard
check 'azo groups are trans unless they are drawn otherwise; cages, pyramids of phosphorus; several tries' \
    all exited 0 -- is hard triazene 'CCN(CC)/N=N/c1ccccc1' -- is hard cis_azo 'CC(C)(C#N)/N=N\C(C)(C)C#N' -- \
    is hard cage 'CCCCCCCC[N+]12CN3CN(CN(C3)C1)C2' -- grep -q ',phosphite,.*\[P@@*\]' hard.csv -- \
    grep -q ',phosphine,.*\[P@@*\]' hard.csv -- lines hard.csv 7

# --- Malformed
cat >malformed.smi <<'END'
CC(=O)Oc1ccccc1C(=O parenthesis
c1cccc1 kekule
C(((( parentheses
CC= bond
C1CC ring
CN(C)(C)C valence
CCO fine
END
prep malformed
check 'SMILES that are none are refused, not mended' all exited 2 -- lines malformed.csv 2 -- \
    is malformed fine CCO -- failed 'parenthesis kekule parentheses bond ring valence' -- said 'SMILES that are none' 'failed: '
if command -v obabel >/dev/null; then
    grep -v valence malformed.smi >given.smi
    run "$BERTH" prep ligands given.smi --out given.blib --failures failed.csv --conformers 1 --builder openbabel --overwrite
    check 'by Open Babel, too' all exited 2 -- [ "$("$BERTH" lib ls given.blib | sed 1d | cut -d, -f 2)" = fine ] -- \
        failed 'parenthesis kekule parentheses bond ring'
else
    skip 'by Open Babel, too' 'Open Babel is not installed'
fi

printf 'three\n  x\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n%s\n%s\n%s\nM  END\n$$$$\n' \
    '    0.0000    0.0000    0.0000 C   0  0' '    1.5000    0.0000    0.0000 C   0  0' \
    '    2.2000    1.2000    0.0000 O   0  0' >counts.sdf
for builder in rdkit openbabel; do
    run "$BERTH" prep ligands counts.sdf --out no.blib --failures failed.csv --builder $builder
    check "an SDF whose counts line says 1 over 3 atoms, $builder" all exited 1 -- absent no.blib -- \
        failed three
done
check 'which is said' said 'a counts line that is wrong' counts.sdf:1

finish
