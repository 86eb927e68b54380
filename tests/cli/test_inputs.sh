#!/bin/sh
# What users have at hand goes into dock, screen and score as it would by way of prep: receptors,
# references, poses, ligands.
. tests/cli/lib.sh

crystal=demo/1hpv_ligand.mol2
site="--autobox_ligand $crystal"

# to_pdb FILE.mol2: its atoms as PDB, with a water and a sulfate behind them.
to_pdb() {
    awk '
        /^@/ { atom = /ATOM/; next }
        !atom || NF < 8 { next }
        {
            name = length($2) < 4 ? " " $2 : $2
            last = substr($8, 4)
            printf "ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n",
                $1, name, substr($8, 1, 3), last, $3, $4, $5, substr($2, 1, 1)
        }
        END {
            f = "HETATM%5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n"
            printf f, 9001, " O", "HOH", 901, 10, 16, 9, "O"
            printf f, 9002, " S", "SO4", 902, 12, 18, 9, "S"
            printf f, 9003, " O1", "SO4", 902, 13.4, 18, 9, "O"
        }' "$1"
}

to_pdb pocket.mol2 >receptor.pdb
gzip -c receptor.pdb >receptor.ent.gz
run "$BERTH" prep receptor receptor.pdb --out receptor.brec
check 'a receptor is prepared' all exited 0 -- holds stderr '1 HOH'

dock() { "$BERTH" dock $rigid --poses 256 --generations 2 --hops 0 "$@"; }

# The same from a .brec and from what it was made of.
run dock --receptor receptor.brec --ligand $crystal $site --out prepared.sdf --scores prepared.csv
check 'docked into the .brec' exited 0
for receptor in receptor.pdb receptor.ent.gz; do
    run dock --receptor $receptor --ligand $crystal $site --out direct.sdf --scores direct.csv --verbose
    check "docked into $receptor: the same bytes, and what was left out is said" all exited 0 -- same prepared.sdf direct.sdf -- \
        same prepared.csv direct.csv -- holds stderr '1 HOH' -- said "$receptor" "$receptor: prepared"
done
run "$BERTH" score --scoring bude --receptor receptor.brec --ligand $crystal --out prepared.csv
run "$BERTH" score --scoring bude --receptor receptor.pdb --ligand $crystal --out direct.csv
check 'score takes it, too' all exited 0 -- same prepared.csv direct.csv
run "$BERTH" prep ligands $crystal --out crystal.blib
run "$BERTH" screen --receptor receptor.brec --library crystal.blib $site --out prepared --scoring bude --search rigid_fast
run "$BERTH" screen --receptor receptor.pdb --library crystal.blib $site --out direct --scoring bude --search rigid_fast
check 'and so does screen' all exited 0 -- same prepared/scores.csv direct/scores.csv
grep -e HOH receptor.pdb >water.pdb
run dock --receptor water.pdb --ligand $crystal $site --out none.sdf
check 'what is no receptor, and who says so' all exited 1 -- said 'what is no receptor, and who says so' 'water.pdb: nothing'

# Ligands in the forms that are asked for: those of the library that prep makes.
if "$BERTH" doctor | grep -q '^ok  *RDKit'; then
    printf '%s\n' 'CC(O)C(N)C(=O)O open' 'OC(=O)c1cnc[nH]1 acid' >forms.smi
    run "$BERTH" prep ligands forms.smi --ph 4 --protomers 2 --stereo 3 --out forms.blib
    run dock --receptor pocket.mol2 --ligand forms.blib $site --num_modes 1 --out library.sdf --scores library.csv
    run dock --receptor pocket.mol2 --ligand forms.smi --ph 4 --protomers 2 --stereo 3 $site --num_modes 1 --out forms.sdf --scores forms.csv
    of_forms() { awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "smiles") k = i } { print $2, $5, $k }' "$1"; }
    check 'dock prepares ligands for a pH, in several states and isomers' all exited 0 -- [ "$(wc -l <forms.csv)" -gt 6 ] -- \
        [ "$(of_forms library.csv)" = "$(of_forms forms.csv)" ] -- grep -q '"prepare": "prep ligands --ph 4 --protomers 2 --stereo 3 ' forms.run.json
    printf 'CC(=O)[O-] ion\nCC(=O)O acid\n' >drawn.smi
    run dock --receptor pocket.mol2 --ligand drawn.smi --keep_protonation $site --num_modes 1 --out drawn.sdf --scores drawn.csv
    check 'or as they are drawn' all exited 0 -- [ "$(of_forms drawn.csv | cut -d ' ' -f 3 | sed 1d | paste -s -d ' ')" = 'CC(=O)[O-] CC(=O)O' ]
    run dock --receptor pocket.mol2 --ligand $crystal --stereo 2 $site --num_modes 1 --out drawn.sdf
    check 'of Mol2, which is docked as it is, this is said' all exited 0 -- grep -q "warning: $crystal .*stereo" stderr
else
    skip 'dock prepares ligands in several forms' 'RDKit is not installed'
fi

# References: the same molecule in other formats has the same RMSDs.
turned=demo/1hpv_ligand_turned.mol2
ligand_pdb() { # FILE.mol2: its heavy atoms
    awk '/^@/ { atom = /ATOM/; next }
        atom && NF > 5 && $6 != "H" {
            split($6, type, ".")
            printf "HETATM%5d %4s LIG B   1    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n",
                $1, $2, $3, $4, $5, type[1]
        }' "$1"
}
ligand_pdb $crystal >known.pdb
run dock --receptor receptor.brec --ligand $turned $site --reference $crystal --out poses.sdf --scores wanted.csv
columns wanted.csv rmsd >rmsds
check 'RMSDs to Mol2' all exited 0 -- sh -c '! grep -qvx "[0-9]*\.[0-9][0-9][0-9]" rmsds' -- [ -s rmsds ]
# rmsds_agree FILE: but for rounding of the coordinates
rmsds_agree() {
    columns "$1" rmsd | paste -d, rmsds - | awk -F, '{ d = $1 - $2; if ($1 == "" || $2 == "" || d > 0.002 || d < -0.002) bad = 1 }
        END { exit bad || !NR }'
}
run dock --receptor receptor.brec --ligand $turned $site --reference known.pdb --out poses.sdf --scores given.csv
check 'the same RMSDs to PDB' all exited 0 -- rmsds_agree given.csv
if command -v obabel >/dev/null; then
    obabel -imol2 $crystal -osdf -O known.sdf 2>/dev/null
    run dock --receptor receptor.brec --ligand $turned $site --reference known.sdf --out poses.sdf --scores given.csv
    check 'and to SDF' all exited 0 -- rmsds_agree given.csv
else
    skip 'and to SDF' 'obabel is not installed'
fi
sed 1d known.pdb >short.pdb
run dock --receptor receptor.brec --ligand $turned $site --reference short.pdb --out poses.sdf
check 'a reference that is another molecule' all exited 0 -- holds stderr 'short.pdb (34 heavy atoms)'
awk '{ print substr($0, 1, 30) sprintf("%8.3f", substr($0, 31, 8) + 4) substr($0, 39) }' known.pdb >moved.pdb
run dock --receptor receptor.brec --ligand $turned $site --reference moved.pdb --out poses.sdf
check 'a reference that overlaps the receptor' all exited 0 -- \
    grep -q 'moved.pdb overlaps .* of [A-Z]* [AB]:[0-9]*, [01]\.[0-9][0-9] Å' stderr
run dock --receptor receptor.brec --ligand $turned --autobox_ligand moved.pdb --out poses.sdf
check 'and what the site is about' all exited 0 -- [ "$(grep -c 'moved.pdb overlaps the receptor' stderr)" -eq 1 ]
run "$BERTH" screen --receptor receptor.brec --autobox_ligand moved.pdb --library $turned --out about $rigid --poses 64 --generations 2
check 'in a screen, too' all exited 0 -- [ "$(grep -c 'moved.pdb overlaps the receptor' stderr)" -eq 1 ]
run dock --receptor receptor.brec --ligand $turned --autobox_ligand moved.pdb --reference moved.pdb --out poses.sdf
check 'is told once where the site is about it' all exited 0 -- [ "$(grep -c 'moved.pdb overlaps the receptor' stderr)" -eq 1 ]

if ! command -v obabel >/dev/null; then
    skip 'poses of SDF, and ligands that are prepared' 'obabel is not installed'
    finish
fi

# Scored again from dock's own SDF.  Open Babel's type of the sulfone, as berth corrects it, is S.o2.
sed 's/ S\.O2 / S.o2 /' $turned >open.mol2
run dock --receptor receptor.brec --ligand open.mol2 $site --out poses.sdf --scores docked.csv
score() { "$BERTH" score --scoring bude --receptor receptor.brec "$@"; }
run score --ligand poses.sdf --out rescored.csv
check "scored again from dock's SDF: its energies (0.01)" \
    all exited 0 -- silent -- scores_agree docked.csv rescored.csv 0.01
gzip -c poses.sdf >poses.sdf.gz
run score --ligand poses.sdf.gz --out gz.csv
check 'from .sdf.gz: the same' all exited 0 -- same rescored.csv gz.csv
run score --ligand poses.sdf --minimize --out minimised.csv --out_poses minimised.sdf
check 'minimised from SDF' all exited 0 -- lines minimised.csv "$(wc -l <rescored.csv)"

# score_again DRUGS FUNCTION...: prepared, docked to SDF and Mol2 by these functions, and scored again.
score_again() {
    drugs=$1
    shift
    "$BERTH" prep ligands "$drugs" --conformers 1 --structures 1 --out drugs.blib --overwrite >/dev/null 2>&1
    for task in $(for function; do echo "$function/sdf" "$function/mol2"; done); do
        function=${task%/*} format=${task#*/}
        run "$BERTH" dock --receptor receptor.brec --ligand drugs.blib $site --scoring "$function" --search fast \
            --poses 48 --generations 2 --hops 1 --num_modes 1 --out "drugs.$format" --scores drugs.csv
        run "$BERTH" score --scoring "$function" --receptor receptor.brec --ligand "drugs.$format" --out again.csv
        # coordinates of four decimals cost 0.004 at most
        check "prepared, docked to $format by $function and scored again: the run's energies (0.005)" \
            all exited 0 -- silent -- lines again.csv $(($(wc -l <"$drugs") + 1)) -- \
            scores_agree drugs.csv again.csv 0.005
    done
}
# Those that RDKit and Open Babel type differently.
grep -E 'tipranavir|meloxicam|warfarin|metformin|pioglitazone|zidovudine' demo/drugs.smi >some.smi
score_again some.smi vina

slice preparation 'all drugs by all functions, records that are bad, other formats, ligands prepared on the way'
score_again demo/drugs.smi bude plp vina vinardo
# A nitrogen of four bonds without a charge.
obabel -:'C[N+](C)(C)C odd' --gen3d -osdf 2>/dev/null | sed -e '/^M  CHG/d' -e 's/ N   0  3 / N   0  0 /' >odd.sdf
run score --ligand odd.sdf --out odd.csv
check 'what RDKit refuses is refused' all exited 2 -- lines odd.csv 1
run env BERTH_PYTHON=/bin/false "$BERTH" score --scoring bude --receptor receptor.brec --ligand poses.sdf --out babel.csv
check 'without RDKit poses are typed by Open Babel' all exited 0 -- scores_agree rescored.csv babel.csv 0.01

# Records that fail cost themselves alone.
{
    for _ in 1 2 3 4 5; do cat poses.sdf; done
    sed '/^\$\$\$\$/q' poses.sdf | sed -e '1s/.*/flat/' -e 's/^\(  *[-0-9.]*  *[-0-9.]*\)  *[-0-9.]* \([CHNOS] \)/\1    0.0000 \2/'
    printf 'odd\n\n\nno counts here\nM  END\n$$$$\n'
    for _ in 1 2 3 4 5; do cat poses.sdf; done
} >many.sdf
run score --ligand many.sdf --out many.csv --failures failed.csv
for _ in 1 2 3 4 5 6 7 8 9 10; do sed 1d rescored.csv; done >wanted
sed 1d many.csv >given
check 'many records, two of them bad: all others as they were' all exited 2 -- same wanted given
check 'and the bad ones are listed with their places' all lines failed.csv 3 -- grep -q ',flat,"*many.sdf:[0-9]*: ' failed.csv -- \
    grep -q ',odd,"*many.sdf:[0-9]*: [^,]' failed.csv
: >empty.sdf
run score --ligand empty.sdf --out none.csv
check 'an empty file' all exited 1 -- said 'an empty file' -- absent none.csv
run score --ligand known.pdb --out pdb.csv
check 'scored from PDB, whose bonds Open Babel finds' all exited 0 -- lines pdb.csv 2 -- grep -q '^known.pdb,-' pdb.csv

obabel -imol2 $crystal -opdbqt -O known.pdbqt 2>/dev/null
{ echo 'REMARK SMILES CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1'; cat known.pdbqt; } >named.pdbqt
run score --ligand $crystal --out wanted.csv
for file in known named; do
    run score --ligand $file.pdbqt --out pdbqt.csv
    check "scored from PDBQT, where it lies: $file" all exited 0 -- lines pdbqt.csv 2 -- awk -F, '
        FNR == 2 && NR == 2 { wanted = $2 }
        FNR == 2 && NR > 2 { exit $2 - wanted > 0.05 || wanted - $2 > 0.05 }' wanted.csv pdbqt.csv
done

printf 'CCO\n' >ethanol.smi
for words in 'dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --out o.sdf --ligand' 'prep ligands --out o.blib'; do
    # shellcheck disable=SC2086
    refused_too "SMILES for a file: ${words%% *}" 'CC(=O)O' "$BERTH" $words 'CC(=O)O'
done
check 'which is said' said 'SMILES for a file'
refused 'SMILES have no poses' score --ligand ethanol.smi --out out/none.csv

# Ligands that are prepared on the way: as from a library made first.  Open Babel builds these the
# same each time.
cat >some.smi <<'END'
c1ccncc1 pyridine
C1CC[NH2+]CC1 piperidine
this_is_none bad one
[U] uranium
Fc1ccc2ccccc2c1 fluoronaphthalene
c1ccc2[nH]ccc2c1 indole
END
run "$BERTH" prep ligands some.smi --out some.blib --failures prepared_failures.csv
check 'a library' exited 2
# without_ordinal FILE...: ordinals are those of each file, which differ where a record fails.
without_ordinal() {
    for file; do
        sed -i -e '/^>  <ordinal>/,+2d' -e '/^# ordinal:/d' -e '/^[0-9]*,/s/^[0-9]*//' "$file"
    done
}
for format in sdf mol2; do
    run dock --receptor receptor.brec --ligand some.blib $site --out wanted.$format --scores wanted.csv
    check "docked from the library, $format" all exited 0 -- [ -s wanted.$format ]
    run dock --receptor receptor.brec --ligand some.smi $site --out given.$format --scores given.csv \
        --failures failed.csv
    columns given.csv ordinal >given
    check 'ordinals are those of the records' [ "$(sort -n given | uniq | tr '\n' ' ')" = '0 1 4 5 ' ]
    without_ordinal wanted.$format given.$format wanted.csv given.csv
    check 'docked from SMILES: the same bytes' \
        all exited 2 -- same wanted.$format given.$format -- same wanted.csv given.csv
done
check 'a rigid search is told that it wants ensembles' said 'a rigid search' 'some.smi: '
check 'what cannot be prepared fails as in prep ligands' same prepared_failures.csv failed.csv
run dock --receptor receptor.brec --ligand some.blib $site --out wanted.sdf --scores wanted.csv --strain_weight 1
printf '%s\n' 'CCO ethanol' 'CC(O)(F)C(=O)O "acid, open"' >known.smi
run dock --receptor receptor.brec --ligand known.smi $site --out known.sdf --scores known.csv --num_modes 2
check 'a charge that is not as drawn is told' holds stderr '1 of 2 '
check 'SMILES and properties are columns behind the others, as in screens, though the first ligand lacks one' all exited 0 -- \
    python3 - <<'END'
import csv
with open("known.csv") as file:
    names, *rows = csv.reader(file)
assert names[-4:] == ["device", "smiles", "input_smiles", "open_stereo"], names
assert {row[1]: row[-3:] for row in rows}["ethanol"] == ["CCO", "CCO", ""]
(name, known), = {row[1]: row[-3:] for row in rows if row[1] != "ethanol"}.items()
assert "acid, open" in name and "@" in known[0] and known[1:] == ["CC(O)(F)C(=O)O", "1"], (name, known)
assert len(rows) > 2 and all(len(row) == len(names) for row in rows), rows
END
run dock --receptor receptor.brec --ligand known.smi $site --out known.sdf --scores - --num_modes 2
check 'on standard output, too' all exited 0 -- same known.csv stdout
gzip -c some.smi >again.smi.gz
run dock --receptor receptor.brec --ligand again.smi.gz $site --out given.sdf --scores given.csv --strain_weight 1
without_ordinal wanted.csv given.csv
check 'ranked with strains, and from .smi.gz' all exited 2 -- same wanted.csv given.csv
obabel -ismi some.smi -osdf -O flat.sdf -l 2 2>/dev/null
run "$BERTH" prep ligands flat.sdf --out flat.blib
run dock --receptor receptor.brec --ligand flat.blib $site --out wanted.sdf --scores wanted.csv
run dock --receptor receptor.brec --ligand flat.sdf $site --out given.sdf --scores given.csv
check 'docked from SDF without coordinates' all exited 0 -- same wanted.sdf given.sdf
fragment phenol >phenol.mol2
ligand_pdb phenol.mol2 >phenol.pdb
run "$BERTH" prep ligands phenol.pdb --out phenol.blib
check 'of PDB, prep ligands says which bonds were perceived' holds stderr Oc1ccccc1
# Dock has no library, and of the store of fragments others, too, add to what is known.
spoken() { sed "s/in the library/in the poses' file/; s/, [0-9]* known$//" stderr; }
spoken >wanted
run dock --receptor receptor.brec --ligand phenol.blib $site --out wanted.sdf
run dock --receptor receptor.brec --ligand phenol.pdb $site --out given.sdf --verbose
check 'docked from PDB, with the warning that its bonds are guessed' \
    all exited 0 -- same wanted.sdf given.sdf -- \
    [ "$(spoken | grep -v 'a rigid search without an ensemble')" = "$(cat wanted)" ]
run "$BERTH" dock --scoring vina --poses 16 --generations 1 --receptor receptor.brec --ligand phenol.pdb $site --out given.sdf --verbose
check 'and nothing is said of rigid searches where torsions turn' \
    all exited 0 -- [ "$(spoken)" = "$(cat wanted)" ]
: >empty.smi
run dock --receptor receptor.brec --ligand empty.smi $site --out none.sdf
check 'no molecule' all exited 1 -- holds stderr empty.smi -- absent none.sdf

# Files that are something else than their names say.
other() { # NAME WHAT: the file's first bytes come from standard input
    cat >"$1"
    run dock --receptor receptor.brec --ligand "$1" $site --out none.sdf
    check "$1 that is $2" all said "$1" "$1:1: " -- absent none.sdf
}
printf '<!DOCTYPE html>\n<html>404</html>\n' | other page.smi 'a web page (HTML)'
printf '%%PDF-1.4\n' | other paper.sdf 'a PDF file'
printf 'PK\003\004xxxx' | other table.mol2 'a ZIP archive, or an office document'
printf 'BZh91AY' | other packed.smi 'packed by bzip2: unpack it (bunzip2), or pack it by gzip'
printf '<!DOCTYPE html>\n' >receptor.pdb
run dock --receptor receptor.pdb --ligand phenol.pdb $site --out none.sdf
check 'and a receptor' all exited 1 -- holds stderr 'receptor.pdb:1: '

finish
