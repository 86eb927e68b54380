#!/bin/sh
# Ligands that are bonded to an atom of the receptor.
. tests/cli/lib.sh

# HIV protease as PDB: its two chains, which the Mol2 file has no names for.
python3 - <<'END'
lines = open("demo/1hpv_receptor.mol2").read().split("@<TRIPOS>ATOM\n")[1].split("@<TRIPOS>")[0]
with open("receptor.pdb", "w") as file:
    for line in lines.splitlines():
        serial, name, x, y, z, kind, residue, label = line.split()[:8]
        number = int(residue)
        chain, number = ("A", number) if number <= 99 else ("B", number - 99)
        file.write("ATOM  %5d %-4s %3s %s%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n" % (
            int(serial), " " + name if len(name) < 4 else name, label[:3], chain, number,
            float(x), float(y), float(z), kind.split(".")[0]))
END
run "$BERTH" prep receptor receptor.pdb --out receptor.brec
check 'a receptor with chains' exited 0

# What N-benzylacrylamide and a cysteine make, from CA on.
cat >adduct.mol2 <<'END'
@<TRIPOS>MOLECULE
benzyl
 32 32 0 0 0
SMALL
GASTEIGER

@<TRIPOS>ATOM
      1 C           5.3015    1.0489    0.5135 C.3     1  UNL1       -0.0562
      2 C           5.2724   -0.4498    0.2745 C.3     1  UNL1       -0.0091
      3 S           3.7936   -1.2373    0.9908 S.3     1  UNL1       -0.1605
      4 C           2.5263   -0.6126   -0.1648 C.3     1  UNL1        0.0019
      5 C           1.1912   -1.2858    0.1251 C.3     1  UNL1        0.0329
      6 C           0.1189   -0.7905   -0.8225 C.2     1  UNL1        0.2141
      7 O           0.3248    0.0354   -1.7049 O.2     1  UNL1       -0.2758
      8 N          -1.1072   -1.3745   -0.5924 N.am    1  UNL1       -0.3112
      9 C          -2.2964   -0.9548   -1.2992 C.3     1  UNL1        0.0368
     10 C          -3.1189   -0.0218   -0.4490 C.ar    1  UNL1       -0.0303
     11 C          -2.7864    1.3385   -0.3706 C.ar    1  UNL1       -0.0571
     12 C          -3.5294    2.2045    0.4326 C.ar    1  UNL1       -0.0615
     13 C          -4.6082    1.7190    1.1692 C.ar    1  UNL1       -0.0617
     14 C          -4.9432    0.3675    1.1057 C.ar    1  UNL1       -0.0615
     15 C          -4.2007   -0.5008    0.3032 C.ar    1  UNL1       -0.0571
     16 H           6.2398    1.4659    0.1325 H       1  UNL1        0.0238
     17 H           4.4851    1.5619   -0.0034 H       1  UNL1        0.0238
     18 H           5.2436    1.2868    1.5809 H       1  UNL1        0.0238
     19 H           6.1481   -0.9067    0.7466 H       1  UNL1        0.0374
     20 H           5.3254   -0.6747   -0.7954 H       1  UNL1        0.0374
     21 H           2.8432   -0.8243   -1.1916 H       1  UNL1        0.0381
     22 H           2.4334    0.4716   -0.0478 H       1  UNL1        0.0381
     23 H           0.8650   -1.0685    1.1495 H       1  UNL1        0.0366
     24 H           1.2724   -2.3731    0.0053 H       1  UNL1        0.0366
     25 H          -1.2387   -1.9058    0.2578 H       1  UNL1        0.1490
     26 H          -2.0383   -0.4756   -2.2502 H       1  UNL1        0.0512
     27 H          -2.8681   -1.8588   -1.5364 H       1  UNL1        0.0512
     28 H          -1.9406    1.7265   -0.9367 H       1  UNL1        0.0621
     29 H          -3.2642    3.2573    0.4840 H       1  UNL1        0.0618
     30 H          -5.1865    2.3943    1.7943 H       1  UNL1        0.0618
     31 H          -5.7835   -0.0101    1.6826 H       1  UNL1        0.0618
     32 H          -4.4745   -1.5527    0.2676 H       1  UNL1        0.0621
@<TRIPOS>BOND
     1     1     2    1
     2     2     3    1
     3     3     4    1
     4     4     5    1
     5     5     6    1
     6     6     7    2
     7     6     8   am
     8     8     9    1
     9     9    10    1
    10    10    11   ar
    11    11    12   ar
    12    12    13   ar
    13    13    14   ar
    14    14    15   ar
    15    15    10   ar
    16     1    16    1
    17     1    17    1
    18     1    18    1
    19     2    19    1
    20     2    20    1
    21     4    21    1
    22     4    22    1
    23     5    23    1
    24     5    24    1
    25     8    25    1
    26     9    26    1
    27     9    27    1
    28    11    28    1
    29    12    29    1
    30    13    30    1
    31    14    31    1
    32    15    32    1
END

# dock OUT OPTIONS...: the adduct, searched quickly.
dock() {
    dock_out=$1
    shift
    "$BERTH" dock --receptor "${receptor:-receptor.brec}" --ligand "${ligand:-adduct.mol2}" --scoring "${scoring:-vina}" \
        --poses 48 --generations 3 --refine 12 --hops 1 --check 1 --out "$dock_out.sdf" --scores "$dock_out.csv" "$@"
}

run dock one --covalent A:CYS67:SG
check 'an adduct, in a box about the atom, and what it is bonded to' all exited 0 -- \
    said 'what it is bonded to' 'SG of CYS A:67'
check 'which lies in it' lacks stderr 'outside the box'
run dock far --covalent A:CYS67:SG --center_x 40 --center_y 40 --center_z 40 --size_x 10 --size_y 10 --size_z 10
check 'a box far from the atom is warned of' said 'a box far from the atom' 'outside the box'
run "$BERTH" score --ligand one.sdf --receptor receptor.brec --out again.csv
check 'its poses and the receptor share atoms' all exited 1 -- [ ! -e again.csv ] -- said 'its poses and the receptor share atoms'
run "$BERTH" interactions --poses one.sdf --receptor receptor.brec --kinds contact --out contacts.csv
check 'the residue and its neighbours are no contacts of theirs' all exited 0 -- grep -q ',contact,' contacts.csv -- \
    sh -c '! grep -q ",CYS,A,67," contacts.csv' -- \
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["distance"] < 2.5 { bad = 1 } END { exit bad }' contacts.csv
run "$BERTH" show one.csv --poses --require 'contact A:CYS67 or hydrogen_bond A:CYS67'
check 'nor do they make what poses must make' all exited 0 -- grep -q ' 0 of [0-9]' stderr
run "$BERTH" report one.sdf
check 'the residue is no part of what others contribute, and its CA is marked' all exited 0 -- holds one.html '"root":' -- \
    sh -c '! grep -q "\"shares\":[^}]*\[\"CYS A:67\"" one.html'
if python3 -c 'import sqlite3' 2>/dev/null && run dock stored --covalent A:CYS67:SG --db runs.db; then
    check 'nor stand there in a database' all exited 0 -- python3 - <<'END'
import sqlite3
rows = sqlite3.connect("runs.db").execute("select kind, residue, chain, number from interaction").fetchall()
assert rows and not [row for row in rows if row[1:] == ("CYS", "A", "67")], rows
END
fi
mkdir alone
cp one.sdf alone/ # no run.json says there that they are bonded
run "$BERTH" interactions --poses alone/one.sdf --receptor receptor.brec --kinds contact --out contacts.csv
check 'where nothing says so they are' grep -q ',CYS,A,67,.*,0\.000,' contacts.csv
find_rdkit
if [ -n "$python" ]; then
    run env BERTH_PYTHON="$(command -v "$python")" "$BERTH" eval poses --poses one.sdf --receptor receptor.brec --conformers 0 --out checks.csv
    check 'nor too near' all exited 0 -- awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && !$at["receptor_distance"] { bad = 1 } END { exit bad || NR < 2 }' checks.csv
else
    skip 'nor too near' 'RDKit is not installed'
fi
# A complex of it: the first pose, whose sulfur is the cysteine's.  What is bonded to the atom is docked back, with
# RMSDs; a reference is the ligand, whether it has the side chain, or the residue, or not.
python3 - <<'END'
lines = open("one.sdf").read().split("$$$$")[0].splitlines()
atoms = [line.split()[:4] for line in lines[4:4 + int(lines[3][:3])]]
heavy = [atom for atom in atoms if atom[3] != "H"]
row = "%-6s%5d  %-3s %3s %s%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n"
sulfur = next(atom for atom in heavy if atom[3] == "S")
ligand = "".join(row % ("HETATM", 9000 + i, "%s%d" % (atom[3], i), "LIG", "A", 300, *map(float, atom[:3]), atom[3])
                 for i, atom in enumerate(heavy) if i > 1 and atom is not sulfur)
residue = ""
with open("bonded.pdb", "w") as file:
    for line in open("receptor.pdb"):
        if line[17:26] == "CYS A  67" and line[12:16].strip() == "SG":
            line = line[:30] + "%8.3f%8.3f%8.3f" % tuple(map(float, sulfur[:3])) + line[54:]
        residue += line if line[17:26] == "CYS A  67" and line[13] != "H" and line[12] != "H" else ""
        file.write(line)
    file.write(ligand)
open("without.pdb", "w").write(ligand)
open("with.pdb", "w").write(residue + ligand)
END
redock() { # OPTION...
    "$BERTH" dock --receptor bonded.pdb --covalent A:CYS67:SG --scoring vina --poses 48 --generations 3 --refine 12 \
        --hops 1 --out redock.sdf --scores redock.csv "$@"
}
rmsds() { awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { print $at["rmsd"] }' redock.csv; }
if [ -n "$python" ] && command -v obabel >/dev/null; then
    run redock
    rmsds >own
    check 'the ligand that is bonded there is docked back' all exited 0 -- grep -q '^[^ ]*[*][^ ]* LIG$' redock.ligand.smi -- \
        grep -q '^[0-9.][0-9.]*$' own -- sh -c '! grep -qv "^[0-9.]" own'
    for reference in without with; do
        run redock --ligand redock.ligand.smi --ligand_id LIG --reference $reference.pdb
        rmsds >given
        check "its RMSDs do not hang on what the reference holds: $reference the residue" all exited 0 -- same own given
    done
    run redock --ligand redock.ligand.smi
    check 'beside other ligands it is in the way' all exited 1 -- holds stderr 'ligand_id LIG:A:300'
else
    skip 'the ligand that is bonded there is docked back' 'RDKit or Open Babel is not installed'
    skip 'its RMSDs do not hang on what the reference holds: without the residue' 'RDKit or Open Babel is not installed'
    skip 'its RMSDs do not hang on what the reference holds: with the residue' 'RDKit or Open Babel is not installed'
    skip 'beside other ligands it is in the way' 'RDKit or Open Babel is not installed'
fi
run "$BERTH" dock --receptor receptor.pdb --covalent A:CYS67:SG --out redock.sdf
check 'where nothing is bonded, ligands are asked for' all exited 1 -- holds stderr 'no ligand is bonded'
# A zinc 2.3 Å from the sulfur, on the line from CB.
python3 - <<'END'
at = {line[12:16].strip(): [float(line[k:k + 8]) for k in (30, 38, 46)]
      for line in open("receptor.pdb") if line[17:26] == "CYS A  67"}
way = [s - c for s, c in zip(at["SG"], at["CB"])]
length = sum(x * x for x in way) ** 0.5
with open("zinc.pdb", "w") as file:
    file.write(open("receptor.pdb").read())
    file.write("HETATM 9999 ZN    ZN A 900    %8.3f%8.3f%8.3f  1.00  0.00          ZN\n" % tuple(
        s + 2.3 * x / length for s, x in zip(at["SG"], way)))
END
receptor=zinc.pdb run dock zinc --covalent A:CYS67:SG
check 'what a metal holds bonds to nothing' all exited 1 -- said 'what a metal holds' 'ZN A:900'
check 'hangs from the residue, and stays off the rest' python3 - <<'END'
import csv, math
rows = list(csv.DictReader(open("one.csv")))
records = open("one.sdf").read().split("$$$$\n")[:-1]
assert len(records) == len(rows) > 2
where = {line[12:16].strip(): [float(line[k:k + 8]) for k in (30, 38, 46)]
         for line in open("receptor.pdb") if line[17:26] == "CYS A  67"}
places = set()
for record, row in zip(records, rows):
    atoms = [[float(x) for x in line.split()[:3]] for line in record.splitlines()[4:36]]
    assert math.dist(atoms[0], where["CA"]) < 0.001 and math.dist(atoms[1], where["CB"]) < 0.05
    assert abs(math.dist(atoms[1], atoms[2]) - 1.83) < 0.03 and abs(math.dist(atoms[2], atoms[3]) - 1.83) < 0.05
    assert int(row["heavy_atoms"]) == 13 and float(row["clash"]) < 1, row
    places.add(tuple(atoms[2]))
assert len(places) > 1 # the residue's own torsion turns
END
sed '/^\$\$\$\$/q' one.sdf >first.sdf
run dock known --covalent A:CYS67:SG --reference first.sdf
check 'a known pose has its RMSD' all exited 0 -- python3 - <<'END'
import csv
assert float(next(csv.DictReader(open("known.csv")))["rmsd"]) < 0.01
END

refused 'a residue that is not there' dock out/x --covalent A:CYS68:SG
printf 'donor to A:CYS25:SG\n' >lacks.txt
refused 'a restraint to a residue that is another' dock out/x --covalent A:CYS67:SG --restraints lacks.txt
printf 'donor to C:ASP25:OD1\n' >lacks.txt
refused 'a restraint in a chain that is not there' dock out/x --covalent A:CYS67:SG --restraints lacks.txt
refused 'a place in both chains' dock out/x --covalent CYS67:SG
refused 'an atom that is not there' dock out/x --covalent A:CYS67:OG
refused 'an atom that is no nucleophile' dock out/x --covalent A:CYS67:CB
refused 'no atom at all' dock out/x --covalent A
refused 'a rigid search' dock out/x --covalent A:CYS67:SG --search rigid_fast
refused 'flexible side chains' dock out/x --covalent A:CYS67:SG --flexible_residues A:25
refused 'a whole surface' dock out/x --covalent A:CYS67:SG --site surface
receptor=demo/1hpv_receptor.mol2
refused 'a receptor without chains' dock out/x --covalent A:CYS67:SG
receptor=
sed 's/ S\.3 / O.3 /; s/ S  / O  /' adduct.mol2 >ether.mol2
ligand=ether.mol2
run dock none --covalent A:CYS67:SG
check 'no adduct of the residue is a row of what failed' all exited 2 -- lines none.failures.csv 2 -- said 'no adduct of the residue' 'no adduct'
ligand=

need_rdkit 'adducts that are made'
printf '%s\n' 'C=CC(=O)NCc1ccccc1 benzyl' 'CC=CC(=O)NC crotyl' 'CCO ethanol' 'C=CC(=O)NCCNC(=O)CCl both' '*CCC(=O)NC marked' >some.smi
# screen OUT OPTIONS...
screen() {
    screen_out=$1
    shift
    "$BERTH" screen --receptor receptor.brec --library "${library:-some.smi}" --covalent A:CYS67:SG \
        --scoring "${scoring:-vina}" --poses 48 --generations 2 --refine 4 --check 1 --out "$screen_out" "$@"
}
run screen first
check 'a screen of molecules with warheads has adducts in both configurations, hung from the residue' all exited 2 -- python3 - <<'END'
import csv, math
rows = {row["ligand"]: row for row in csv.DictReader(open("first/scores.csv"))}
assert set(rows) == {"benzyl", "crotyl_1", "crotyl_2", "marked"}, rows
where = {line[12:16].strip(): [float(line[k:k + 8]) for k in (30, 38, 46)]
         for line in open("receptor.pdb") if line[17:26] == "CYS A  67"}
for record in open("first/hits.sdf").read().split("$$$$\n")[:-1]:
    atoms = [[float(x) for x in line.split()[:3]] for line in record.splitlines()[4:7]]
    assert math.dist(atoms[0], where["CA"]) < 0.002 and math.dist(atoms[1], where["CB"]) < 0.05, record
    assert abs(math.dist(atoms[1], atoms[2]) - 1.82) < 0.03
END
check 'and says why others have none' all said 'no warhead' 'no warhead' -- said 'two warheads' 'two warheads'
"$BERTH" interactions --receptor receptor.brec --poses first/hits.sdf --kinds contact --out first.csv 2>/dev/null
touched=$(awk -F, '$4 == "contact" { print $6 ":" $5 $7 }' first.csv | sort | uniq -c | sort -n | awk 'NR == 1 { print $2 }')
run screen required --require "contact $touched"
"$BERTH" merge first --out later --require "contact $touched" >/dev/null 2>&1
check 'interactions can be required of them' all exited 2 -- same required/hits.sdf later/hits.sdf -- \
    [ "$(grep -c '^\$\$\$\$' required/hits.sdf)" -eq "$(grep -c "contact,$(echo "$touched" | sed 's/\(.*\):\(...\)\(.*\)/\2,\1,\3/')," first.csv)" ]
printf '%s\n' 'CCSCc1ccccc1 thioether' 'CSCC[C@H](N)C(=O)O methionine' >thioethers.smi
ligand=thioethers.smi
run dock thioethers --covalent A:CYS67:SG
check 'what holds an ethyl sulfide is no adduct of a cysteine' all exited 2 -- \
    [ "$(cut -d, -f2 thioethers.failures.csv | tr '\n' ' ')" = 'ligand thioether methionine ' ]
run "$BERTH" prep ligands thioethers.smi --out thioethers.blib
ligand=thioethers.blib
run dock thioethers --covalent A:CYS67:SG
check 'nor are ligands of a library without adducts' all exited 1 -- holds stderr 'covalent: thioethers.blib'
library=thioethers.blib
run screen plain
library=
check 'in a screen, either' all exited 1 -- holds stderr 'covalent: thioethers.blib'
run "$BERTH" prep ligands thioethers.smi --adducts CYS:given --failures refused.csv --out thioethers.blib --overwrite
run dock thioethers --covalent A:CYS67:SG
check 'unless it is said that they are' all exited 0 -- grep -q ',thioether,' thioethers.csv
ligand=
run "$BERTH" score --ligand first/hits.sdf --receptor receptor.brec --out again.csv
check 'its hits are bonded' all exited 1 -- holds stderr 'CYS A:67 SG'
cp adduct.mol2 first/
run "$BERTH" score --ligand first/adduct.mol2 --receptor receptor.brec --out again.csv
check 'another file in the folder is not' exited 0
rm first/adduct.mol2 again.csv
slice docking 'in batches, by several functions, killed and resumed, in shards, by libraries and reactions of their own'
run dock again --covalent A:67:SG
check 'the same, named otherwise' sh -c 'cmp one.sdf again.sdf && cmp one.csv again.csv'
sed 's/^benzyl/other/' adduct.mol2 | cat adduct.mol2 - >two.mol2
ligand=two.mol2
run dock apart --covalent A:CYS67:SG --batch 1
run dock beside --covalent A:CYS67:SG --batch 2
ligand=
check 'in batches of any size' cmp apart.csv beside.csv
scoring=vina,plp
run dock several --covalent A:CYS67:SG --pool vina,plp
scoring=
check 'by several functions' exited 0

for share in 1 3 5 7; do # of the time that all takes, in eighths
    "$BERTH" screen --receptor receptor.brec --library some.smi --covalent A:CYS67:SG --scoring vina --poses 48 \
        --generations 2 --refine 4 --check 1 --checkpoint 0 --batch 1 --out killed --resume >/dev/null 2>&1 &
    pid=$!
    sleep "$(sed -n 's/.*"seconds": \([0-9.]*\),.*/\1/p' first/run.json | awk -v share="$share" '{ print $1 * share / 8 }')"
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
done
run screen killed --resume
check 'killed and resumed gives the same bytes' sh -c '
    for file in scores.csv hits.sdf failures.csv; do cmp "first/$file" "killed/$file" || exit 1; done'
for part in 1 2; do screen "part$part" --shard $part/2 >/dev/null 2>&1; done
run "$BERTH" merge part1 part2 --out merged
check 'and so do shards' cmp first/scores.csv merged/scores.csv
scoring=vina,plp
run screen several --num_modes 3
check 'a screen by several functions' all exited 2 -- holds several/scores.csv ',vina,plp,'
scoring=
run "$BERTH" prep ligands some.smi --adducts CYS --all_warheads --out some.blib
check 'a library of adducts' test -s some.blib
library=some.blib
run screen second
check 'gives the same poses' python3 - <<'END'
import csv
first, second = ({row["ligand"]: row["energy"] for row in csv.DictReader(open(name + "/scores.csv"))}
                 for name in ("first", "second"))
assert {"both_1", "both_2"} <= set(second) and all(second[name] == first[name] for name in first), (first, second)
END
echo 'CYS broken' >bad.reactions
library=some.smi
run screen third --reactions bad.reactions
check 'a table that is none' said 'a table that is none' bad.reactions
ligand=some.smi
run dock smiles --covalent A:CYS67:SG
check 'docks molecules, too' sh -c 'grep -q crotyl_2 smiles.csv'
run dock every --covalent A:CYS67:SG --all_warheads
check 'each warhead of a molecule' grep -q both_2 every.csv
# A table of one's own: chloroacetamides alone.
grep ' halo_carbonyl ' "$root/data/covalent/covalent.reactions" >own.reactions
run dock own --covalent A:CYS67:SG --reactions own.reactions
check 'by reactions of their own' sh -c 'grep -q ,both, own.csv && ! grep -q crotyl own.csv'
run "$BERTH" prep ligands some.smi --reactions own.reactions --out none.blib
check 'reactions without a residue' all exited 1 -- said 'reactions without a residue' adducts
finish
