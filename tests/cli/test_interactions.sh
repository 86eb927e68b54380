#!/bin/sh
# `berth interactions`: hydrogen bonds and the rest, of poses with their receptor, and the viewers' scripts.
. tests/cli/lib.sh

# kinds FILE: "kind residue receptor_atoms ligand_atoms" of each row.
kinds() { columns "$1" kind residue number receptor_atoms ligand_atoms; }

run "$BERTH" interactions --receptor demo/1hpv_receptor.mol2 --poses demo/1hpv_ligand.mol2 --out a.csv
check 'of the crystal pose of amprenavir' all exited 0 -- silent -- holds a.csv \
    'pose,ligand,mode,kind,residue,chain,number,receptor_atoms,ligand_atoms,donor,distance,angle,offset,weak'
kinds a.csv >kinds
# What the paper of 1HPV (Kim et al. 1995) says of it: the hydroxyl at a catalytic aspartate, the aniline
# at Asp30, the tetrahydrofuran's oxygen at the amides of Asp29 and Asp30.
for bond in 'ASP,25,OD1,O31' 'ASP,30,OD2,N28' 'ASP,29,N,O34' 'ASP,30,N,O34'; do
    check "the hydrogen bond $bond" holds kinds "hydrogen_bond,$bond"
done
check 'who gives the hydrogen, and at which angle' holds a.csv 'ASP,A,25,OD1,O31,ligand,2.581,148.054,'
check 'hydrophobic contacts, each ligand atom once with a residue' \
    sh -c '[ "$(grep -c ^hydrophobic kinds)" -ge 8 ] && ! grep ^hydrophobic kinds | cut -d, -f2,3,5 | sort | uniq -d | grep "Z"'

# The pose, and twice where the receptor is.
awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 4 } { print }' demo/1hpv_ligand.mol2 >moved.mol2
cat demo/1hpv_ligand.mol2 moved.mol2 moved.mol2 >overlapping.mol2
run "$BERTH" interactions --receptor demo/1hpv_receptor.mol2 --poses overlapping.mol2 --out moved.csv
check 'poses that overlap the receptor are warned of: the first, and how many' all exited 0 -- \
    grep -q ' pose 1, .* [1-9][0-9]* pairs of heavy atoms' stderr -- said 'poses that overlap' ' 2 poses '

run "$BERTH" interactions --receptor demo/1hpv_receptor.mol2 --poses demo/1hpv_ligand.mol2 --kinds 'contact, metal' --out -
check 'contacts: one row a residue' all exited 0 -- holds stdout ',contact,ASP,A,25,' -- \
    sh -c '[ "$(grep -c ,contact, stdout)" -eq "$(grep ,contact, stdout | wc -l)" ] && ! grep hydrogen_bond stdout'
refused 'a kind that there is not' \
    "$BERTH" interactions --receptor demo/1hpv_receptor.mol2 --poses demo/1hpv_ligand.mol2 --kinds hbond --out out/a.csv

# The same through SDF and a receptor file.
"$BERTH" prep receptor demo/1hpv_receptor.mol2 --keep_types --autobox_ligand demo/1hpv_ligand.mol2 --out site.brec 2>/dev/null
"$BERTH" dock --scoring vina --receptor site.brec --ligand demo/1hpv_ligand.mol2 --search fast --out poses.sdf \
    --num_modes 2 >/dev/null 2>&1
# met POSE: how many residues it meets by more than hydrophobic contacts.
met() { awk -F, -v pose="$1" 'NR > 1 && $1 == pose && $4 != "hydrophobic" && !seen[$6 $7]++ { n++ } END { print n + 0 }' b.csv; }
run "$BERTH" interactions --receptor site.brec --poses poses.sdf --out b.csv --view pymol --reference demo/1hpv_ligand.mol2
check 'of docked poses, with a script' all exited 0 -- [ -s b.pml ] -- [ -s b_receptor.cif ] -- \
    holds b.csv '1,amprenavir,2,' -- [ "$(met 0)" -gt 0 ] -- [ "$(grep -c '^meets(.*, 1)$' b.pml)" -eq "$(met 0)" ]
# Another receptor: one that differs is said, one that no pose is at is refused.
run "$BERTH" interactions --receptor demo/1hpv_receptor.mol2 --poses poses.sdf --out other.csv
check 'a receptor that is not the one docked into' all exited 0 -- said 'another receptor'
run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand poses.sdf --out scored.csv
check 'and so says score' all exited 0 -- holds stderr 'demo/1hpv_receptor.mol2'
cp site.brec copy.brec
run "$BERTH" interactions --receptor copy.brec --poses poses.sdf --out copy.csv
check 'a copy of it is the same' all exited 0 -- silent -- same copy.csv b.csv
awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 200 } { print }' demo/1hpv_receptor.mol2 >far.mol2
run "$BERTH" interactions --receptor far.mol2 --poses poses.sdf --out far.csv
check 'one that no pose is at' all exited 1 -- absent far.csv
run "$BERTH" interactions --receptor site.brec --poses poses.sdf --out b.csv --view chimerax
check 'and one for ChimeraX' all exited 0 -- holds b.cxc 'open "b_receptor.cif"' -- holds b.cxc 'open "poses.sdf"' -- \
    holds b.cxc 'alias site_box shape box center' -- \
    [ "$(grep -c '^label #1/[AB]:[0-9]* residues ' b.cxc)" -eq "$(met 0)" ] -- holds b.cxc 'set bgColor white' -- holds b.cxc 'alias pocket_surface'
# A receptor's site without poses: the box, and the residues that reach into it.
run "$BERTH" prep receptor demo/1hpv_receptor.mol2 --keep_types --autobox_ligand demo/1hpv_ligand.mol2 --out seen.brec --view chimerax
check 'prep receptor --view: a script of the site, for ChimeraX' all exited 0 -- holds seen.cxc 'open "seen_receptor.cif"' -- \
    holds seen.cxc 'alias site_box shape box center 9.920,16.231,8.825 ' -- holds seen.cxc 'label #1/A:25 residues' -- \
    sh -c '! grep -e "label #1/A:99 residues" -e "#2" seen.cxc'
run "$BERTH" prep receptor demo/1hpv_receptor.mol2 --keep_types --autobox_ligand demo/1hpv_ligand.mol2 --out seen.brec --view pymol --overwrite
check 'and for PyMOL' all exited 0 -- [ "$(grep -c '^meets(.*, 1)$' seen.pml)" -eq "$(grep -c '^label #1' seen.cxc)" ] -- \
    holds seen.pml 'meets("B", "50", "ILE"' -- sh -c '! grep "[(, ]poses[,)]" seen.pml | grep -v "cmd.count_states\|and state"'
refused 'a scan has no view' \
    "$BERTH" prep receptor demo/1hpv_receptor.mol2 --site scan --out out/scan.brec --view pymol
if in_slice viewers 'PyMOL opens all of it' && needs pymol 'PyMOL opens all of it'; then
    cat >look.pml <<'END'
python
print("SEEN", sorted(cmd.get_names("objects")), cmd.count_atoms("meeting and name CA"), cmd.count_atoms("site_residues and name CA"))
surface(); print("SURFACE", "pocket_surface" in cmd.get_names("all", enabled_only=1))
print("BOX", "site" in cmd.get_names("all", enabled_only=1), cmd.count_atoms("residues"))
load, told = cmd.load_cgo, []
cmd.load_cgo = lambda shape, *rest, **more: (told.append(shape), load(shape, *rest, **more))
rewrite_labels()
led = [shape[n:n + 7] for shape in told for n in range(0, len(shape), 14)] # a residue's atom and its label, of each line
places = {number: cmd.get_coords("residues and resi %d" % number, 1)[0].tolist() for number in range(len(labels))}
begins = {number: line[1:4] for number, at in places.items() for line in led if math.dist(at, line[4:7]) < 0.01}
own = lambda number: cmd.get_coords("meeting and not elem H and " + labels[number][4], 1).tolist()
print("LED", len(begins) > 2, len(begins) == len(led), all(min(math.dist(at, atom) for atom in own(number)) < 0.01 for number, at in begins.items()))
print("BESIDE", all(min(math.dist(places[number], atom) for atom in own(number)) < 4 for number in places if number not in begins))
python end
END
    count=$(grep -c '^meets(' seen.pml)
    run env PATH=/usr/bin:/bin timeout 900 pymol -cq seen.pml look.pml
    check 'PyMOL opens that' all exited 0 -- holds stdout "SEEN ['leaders', 'meeting', 'receptor', 'residues', 'site'] $count $count" -- \
        holds stdout 'SURFACE True' -- holds stdout "BOX True $count" -- \
        holds stdout 'LED True True True' -- holds stdout 'BESIDE True' -- sh -c '! grep -i error stdout'
    cat >look.pml <<'END'
python
print("SEEN", cmd.count_states("poses"), cmd.count_atoms("receptor") > 1000, sorted(cmd.get_names("objects")))
def depths(): # of labels
    found = []
    cmd.iterate_state(1, "residues or near_residues or distances", "found.append(far((x, y, z)) - s.label_position[2] + 1)", space={"found": found, "far": far})
    return found
front = depths()
print("FRONT", len(front) > 3, all(cmd.get_view()[15] < at < min(map(far, shown(1))) for at in front), float(cmd.get("fog_start")) * (cmd.get_view()[16] - cmd.get_view()[15]) + cmd.get_view()[15] > max(map(far, shown(1))) - 0.01)
view, away = cmd.get_view(), min(map(far, shown(1))) - max(front)
for buffer in (3, 20):
    cmd.zoom("poses or residues", buffer, state=1)
    print("ZOOM", cmd.get_view()[15] < min(depths()), max(depths()) - min(depths()) < 0.01, abs(min(map(far, shown(1))) - max(depths()) - away) < 0.01)
cmd.set_view(view)
print("FIGURE", cmd.count_states("distances"), cmd.count_atoms("site_residues") > 50, cmd.get("cartoon_transparency"))
surface(); print("SURFACE", "pocket_surface" in cmd.get_names("all", enabled_only=1))
surface(); print("HIDDEN", "pocket_surface" not in cmd.get_names("all", enabled_only=1))
print("MET", cmd.count_states("meeting"), cmd.count_atoms("meeting and name CA and state 1"), cmd.count_atoms("near and state 2") < cmd.count_atoms("site_residues"))
print("CHAINS", sorted({text.split()[1][0] for _, text, _, _, own in labels if own != "none"}))
print("LABELS", cmd.count_atoms("residues and state 1"), cmd.count_atoms("residues and state 2"))
before = "site" in cmd.get_names("all", enabled_only=1)
box(); print("BOX", before, "site" in cmd.get_names("all", enabled_only=1))
toward = [cmd.get_view()[3 * k + 2] for k in range(3)]
depth = lambda places: sum(x * y for place in places for x, y in zip(place, toward)) / len(places)
print("VIEW", depth(bonded[1]) > depth(cmd.get_coords("poses", 1)), cmd.count_atoms("reference and elem H and rep sticks and neighbor elem C"), cmd.count_atoms("reference and rep sticks") > 30)
print("BONDS", cmd.count_states("hydrogen_bonds"), cmd.get_extent("site"))
print("NEAR", cmd.count_atoms("near_residues and state 1") > 0)
def drawn(of): # on the screen, in A; PyMOL lifts labels in depth alone
    view = cmd.get_view()
    seen = [[sum((at[k] - view[12 + k]) * view[3 * k + n] for k in range(3)) + view[9 + n] for n in range(3)] for at in cmd.get_coords(of, 1)]
    return [[part * view[11] / z for part in (x, y)] for x, y, z in seen]
def near(a, b, x, y):
    return abs(a[0] - b[0]) < x and abs(a[1] - b[1]) < y
cmd.pseudoatom("ends", pos=bonded[1][0])
print("BARE", not [1 for a in drawn("residues or distances") for b in drawn("ends or (poses and not elem H)") if near(a, b, 0.8, 0.4)])
cmd.delete("ends")
(_, *first), (_, *second) = [label for label in labels if label[0] == "residues" and label[3] == 1][:2]
def away(number, label): # of the middle of a label, from a residue's atoms on the screen
    return min(math.dist(a, b) for a in drawn("residues and resi %d" % number) for b in drawn("meeting and not elem H and " + label[3]))
labels[:] = [("residues", "ILE 50", second[1], 1, first[3]), ("residues", "ASP 25", first[1], 1, second[3])]
rewrite_labels() # each begins at the other's place
print("OWN", first[0] != second[0], away(0, first) < away(0, second), away(1, second) < away(1, first))
heavy = cmd.get_coords("poses and not elem H", 1)
middle = [sum(heavy[:, k]) / len(heavy) for k in range(3)]
out = [[at[k] + (at[k] - middle[k]) * 3 / math.dist(at, middle) for k in range(3)] for at in heavy]
labels[:] = [("residues", "ASN 137", [middle], 1, "none")]
dashed.clear()
bonds([(a, b, "hydrogen bond" if n % 3 else "weak hydrogen bond") for n, (a, b) in enumerate(zip(out, heavy.tolist()))], 1)
print("STRONG", len(labels) - 1 == len([n for n in range(len(heavy)) if n % 3]))
rewrite_labels()
flats, atoms = drawn("residues or distances"), drawn("poses and not elem H")
print("CLEAR", len(flats) > 5, not [1 for i, a in enumerate(flats) for b in flats[:i] if near(a, b, 0.9, 0.6)])
print("OFF", not [1 for a in drawn("distances") for b in atoms if near(a, b, 0.9, 0.5)])
python end
END
    run env PATH=/usr/bin:/bin timeout 900 pymol -cq b.pml look.pml # Debian starts it by the python3 of PATH
    check 'PyMOL opens all of it' all exited 0 -- holds stdout "SEEN 2 True" -- \
        holds stdout "['distances', 'further_contacts', 'hydrogen_bonds', 'leaders', 'meeting', 'near', 'near_residues', 'poses', 'receptor', 'reference', 'residues', 'site']" -- \
        holds stdout 'FIGURE 2 True 0.7' -- holds stdout 'VIEW True 0 True' -- holds stdout 'CLEAR True True' -- holds stdout 'OFF True' -- holds stdout 'FRONT True True True' -- [ "$(grep -c '^ZOOM True True True$' stdout)" -eq 2 ] -- holds stdout 'BARE True' -- holds stdout 'OWN True True True' -- holds stdout 'STRONG True' -- holds stdout 'NEAR True' -- holds stdout "MET 2 $(met 0) True" -- holds stdout "CHAINS ['A', 'B']" -- holds stdout "LABELS $(met 0) $(met 1)" -- holds stdout 'BOX False True' -- holds stdout 'SURFACE True' -- holds stdout 'HIDDEN True' -- sh -c '! grep -i error stdout'
fi
refused 'a viewer that there is not' \
    "$BERTH" interactions --receptor site.brec --poses poses.sdf --out out/b.csv --view vmd
# A run that names a pipe to which nobody writes as its receptor.
mkfifo pipe
cp poses.sdf piped.sdf
sed 's|"receptor": ".*"|"receptor": "'"$work"'/pipe"|' poses.run.json >piped.run.json
run timeout -k 1 20 "$BERTH" interactions --receptor site.brec --poses piped.sdf --out piped.csv
check 'a run whose receptor is a pipe' all exited 0 -- holds stderr "were docked into $work/pipe" -- same piped.csv b.csv
refused 'a pipe as the receptor' timeout -k 1 20 "$BERTH" interactions --receptor pipe --poses demo/1hpv_ligand.mol2 --out out/a.csv

# Chains that would end a text or a command in scripts.
chained demo/1hpv_receptor.mol2 >named.pdb
sed -i -e 's/^\(.\{21\}\)A/\1"/' -e 's/^\(.\{21\}\)B/\1;/' named.pdb
for viewer in pymol chimerax; do "$BERTH" interactions --receptor named.pdb --poses poses.sdf --out n.csv --view $viewer; done >log 2>&1
check 'chains called " and ;' all grep -q '^meets("_\(22\|3B\)", "' n.pml -- grep -q '^label #1/_\(22\|3B\):[0-9]* residues ' n.cxc -- \
    lacks n.pml '"""' -- lacks n.cxc '/;' -- lacks n.cxc '/"' -- grep -q ' "_22" [0-9]*$' n_receptor.cif
# Those that stand for several in what viewers choose atoms by.
sed -i -e 's/^\(.\{21\}\)"/\1*/' -e 's/^\(.\{21\}\);/\1+/' named.pdb
run "$BERTH" interactions --receptor named.pdb --poses poses.sdf --out n.csv --view pymol
check 'chains called * and +' all exited 0 -- grep -q '^meets("_2A", "' n.pml -- grep -q '^meets("_2B", "' n.pml
quoted='a"b\c.sdf'
cp poses.sdf "$quoted"
for viewer in pymol chimerax; do "$BERTH" interactions --receptor site.brec --poses "$quoted" --out q.csv --view $viewer; done >log 2>&1
check 'a name with quotes and a backslash' all holds q.pml 'load("a\x22b\x5cc.sdf", ' -- holds q.cxc 'open "a\x22b\x5cc.sdf"'
if in_slice viewers 'PyMOL opens it' && needs pymol 'PyMOL opens it'; then
    printf 'python\nprint("POSES", cmd.count_states("poses"))\npython end\n' >look.pml
    run env PATH=/usr/bin:/bin timeout 900 pymol -cq q.pml look.pml
    check 'PyMOL opens it' holds stdout "POSES $(grep -c '^\$\$\$\$' poses.sdf)"
fi
latin=$(printf 'a\351.sdf')
cp poses.sdf "$latin"
refused 'a name that no script can hold' \
    "$BERTH" interactions --receptor site.brec --poses "$latin" --out out/b.csv --view pymol

# What cannot be used costs the pose.
{
    printf 'bare\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n'
    printf '    9.9000   16.2000    8.8000 C   0  0  0  0  0  0  0  0  0  0  0  0\n'
    printf '   11.3000   16.2000    8.8000 O   0  0  0  0  0  0  0  0  0  0  0  0\n'
    printf '  1  2  1  0\nM  END\n$$$$\n'
    cat poses.sdf
} >bare.sdf
run "$BERTH" interactions --receptor site.brec --poses bare.sdf --out c.csv --failures failed.csv
check 'a pose without hydrogens is a row of the failures' all exited 2 -- \
    holds failed.csv '0,bare,' -- said 'no hydrogens' -- holds c.csv '1,amprenavir,1,'
refused 'neither poses nor a ligand' "$BERTH" interactions --receptor site.brec --out out/a.csv
cp poses.sdf poses.pdb
refused 'a PDB file of poses' "$BERTH" interactions --receptor site.brec --poses poses.pdb --out out/a.csv
refused 'a script without a file of poses' \
    "$BERTH" interactions --receptor x.pdb --ligand_id LIG --out out/a.csv --view pymol
refused "SMILES for poses" \
    "$BERTH" interactions --receptor site.brec --poses poses.sdf --ligand_smiles CC --out out/a.csv
refused 'a receptor file has no ligand' "$BERTH" interactions --receptor site.brec --ligand_id LIG --out out/a.csv
refused 'SMILES are no poses' sh -c \
    'cp demo/drugs.smi . && exec "$1" interactions --receptor site.brec --poses drugs.smi --out out/a.csv' sh "$BERTH"
finish
