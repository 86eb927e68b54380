#!/bin/sh
# --restraints: columns and tags of a docking, what it pulls to, lines that are refused, what no ligand has,
# and that runs without are as they were.
. tests/cli/lib.sh
need_rdkit 'restraints, of patterns too'
receptor=pocket.mol2
ligand=demo/1hpv_ligand.mol2
level=fast
dock() { # OUT OPTIONS...
    dock_out=$1
    shift
    "$BERTH" dock --receptor "$receptor" --ligand "$ligand" --autobox_ligand demo/1hpv_ligand.mol2 --scoring vina \
        --search "$level" --poses 48 --generations 2 --hops 1 --num_modes 2 --out "$dock_out.sdf" --scores "$dock_out.csv" --verbose "$@"
}

run dock plain
check 'no restraints, no columns' all exited 0 -- lacks plain.csv restraint -- lacks plain.csv unmet -- \
    lacks stdout restraint

# Where the ligand's first heavy atom lies: any atom is to come there.
place=$(awk '/^@/ { atoms = /ATOM/; next } atoms { print $3, $4, $5; exit }' "$ligand")
printf 'atom to %s radius 1 weight 20\nsmarts [Si] to 0 0 0\n' "$place" >some.txt
run dock some --restraints some.txt
check 'columns, and what is met' all exited 0 -- holds some.csv ',unmet,restraint_1,restraint_2,' -- \
    holds stdout 'restraint 1: met' -- said 'a restraint that is not met' '[Si]' -- said 'what no ligand has' some.txt:2 -- holds some.sdf '<restraint_1>'
columns some.csv restraint_1 >distances
check 'a point is drawn there' awk '!($1 <= 1.25) { exit 1 }' distances
columns some.csv unmet >unmet
check 'required ones that are not met are counted, which is said' all awk '$1 != 1 { exit 1 }' unmet -- \
    holds stdout ": atom to $place radius 1 weight 20 (within 1 + 0.25 Å)" -- said unmet 'column unmet' -- grep -q '^ mode unmet .* score ' stdout -- \
    grep -q '^    1     1 ' stdout
run "$BERTH" show some.csv --poses
check 'show has them, too' all exited 0 -- grep -q ' unmet  mode$' stdout
check 'nothing is said of places near the box' lacks stderr 'outside the box'
printf 'atom to 500 0 0 wished\natom avoid 0 -600 0 wished\n' >far.txt
run dock far --restraints far.txt
check 'of others that no pose is there' all exited 0 -- grep -q '^berth: warning: far.txt:1: .* 48[0-9] Å' stderr -- \
    grep -q '^berth: warning: far.txt:2: .* 6[0-9][0-9] Å' stderr -- said 'nothing is required' 'column unmet'

# Where they are is in the run's description, on the page and in the viewers' scripts.
first=$(awk '/^@/ { atoms = /ATOM/; next } atoms { printf "%.3f %.3f %.3f\n", $3, $4, $5; exit }' "$ligand")
check 'the description says where' all holds some.run.json "\"restraint_1\": \"atom to $place radius 1 weight 20\"" -- \
    holds some.run.json "\"restraint_1_receptor\": \"required 1 $first\""
run "$BERTH" report some.sdf --view chimerax
distance=$(sed -n '/<restraint_1>/ { n; p; q; }' some.sdf | awk '{ printf "%.2f", $1 }')
check 'the page has places, distances and what is met' all exited 0 -- holds some.html '"how":"required"' -- \
    holds some.html "\"restraints\":[[$distance,true],[null,false]]" -- holds some.html '["unmet","1"]' -- \
    [ "$(grep -c 'shape sphere radius 1.00 center .* name "restraint 1, .* A, met"' some.cxc)" -eq 1 ]
if in_slice viewers 'PyMOL shows them' && needs pymol 'PyMOL shows them'; then
    "$BERTH" interactions --receptor "$receptor" --poses some.sdf --out view.csv --view pymol >/dev/null 2>&1
    printf 'python\nprint("PLACE", cmd.count_states("restraint_1"), cmd.get_extent("restraint_1"))\npython end\n' >look.pml
    run env PATH=/usr/bin:/bin timeout 300 pymol -cq view.pml look.pml
    check 'PyMOL shows the place of each pose' all exited 0 -- holds stdout 'PLACE 2 [[' -- sh -c '! grep -i error stdout'
fi
if in_slice viewers 'a browser shows which are met' && needs chromium 'a browser shows which are met'; then
    awk '{ sub(/<\/body>/, "<script>document.querySelector(\"tr.hit\").click(); console.log(\"MET\", document.querySelector(\"tr.card\").textContent.includes(\"has nothing for it\"))</script></body>"); print }' some.html >looked.html
    timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/chromium" --virtual-time-budget=3000 \
        --enable-logging=stderr --dump-dom "file://$work/looked.html" >dom 2>log
    grep CONSOLE log >console || :
    check 'a browser shows which are met' all holds console 'MET true' -- lines console 1
fi

printf 'donor to ARG8:O\nacceptor to ARG8:O\n' >bad.txt
run dock bad --restraints bad.txt
check 'a hydrogen bond that an atom cannot make is refused' all exited 1 -- \
    said 'a hydrogen bond that an atom cannot make is refused'
cp pocket.mol2 other.mol2
receptor=pocket.mol2,other.mol2
run dock bad --restraints bad.txt
receptor=pocket.mol2
check 'of several receptors with the name of the one' all exited 1 -- holds stderr 'pocket: bad.txt:2: ARG8:O'
printf 'donor to ASP25:OD9\n' >bad.txt
run dock bad --restraints bad.txt
check 'an atom that the receptor lacks is refused' all exited 1 -- said 'an atom that the receptor lacks is refused'
printf 'donor to A:MET793:N or GLU25:OE1\n' >bad.txt
run dock bad --restraints bad.txt
check 'one without residue of that number likewise, and nothing is made up' all exited 1 -- \
    said 'one without residue of that number likewise, and nothing is made up'
printf '\ndonor beside 1 2 3\n' >bad.txt
run dock bad --restraints bad.txt
check 'a line that cannot be read is refused' all exited 1 -- said 'a line that cannot be read is refused' bad.txt:2
level=rigid_fast
run dock bad --restraints some.txt
check 'a rigid search refuses them' all exited 1 -- said 'a rigid search refuses them' rigid_fast
level=fast

slice docking 'screens, several ligands, kinds of meetings, what is refused'
# A journal keeps them: shards join to the whole, whose best poses are those of a docking.
screen() { # OUT OPTIONS...
    screen_out=$1
    shift
    "$BERTH" screen --receptor "$receptor" --library few.blib --autobox_ligand "$ligand" --scoring vina --search fast \
        --poses 48 --generations 2 --hops 1 --restraints some.txt --out "$screen_out" --verbose "$@"
}
zcat demo/ten_drugs.mol2.gz | awk '/^@<TRIPOS>MOLECULE/ { head = $0; getline; kept = /celecoxib|trimethoprim|haloperidol/; if (kept) print head }
    kept' >few.mol2
"$BERTH" prep ligands few.mol2 --out few.blib >/dev/null 2>&1
run screen whole
check 'a screen takes them' all exited 0 -- holds whole/scores.csv ',restraint,' -- \
    holds whole/scores.csv ',unmet,restraint_1,restraint_2,'
check 'and says by how many ligands each is met' all said 'met by how many ligands' 'restraint 1' -- \
    holds stdout 'met by 0 of 3 ligands'
columns whole/scores.csv restraint_1 >distances
check 'and draws each ligand' awk '!($1 <= 1.25) { exit 1 } END { exit NR < 2 }' distances
for shard in 1 2; do
    screen "part$shard" --shard "$shard/2" >/dev/null 2>&1
done
run "$BERTH" merge part1 part2 --out joined
check 'shards join to it' all exited 0 -- same whole/scores.csv joined/scores.csv
check 'and the merge says by how many each is met' all holds stdout 'met by 3 of 3 ligands' -- \
    holds stdout 'met by 0 of 3 ligands'
echo celecoxib >active.txt
run "$BERTH" eval screen joined --actives active.txt --out joined_masses
check 'eval screen finds the library by run.json of a merge' all exited 0 -- holds joined_masses/enrichment.csv 'mass,roc_area,'
mv few.blib moved.blib
run "$BERTH" eval screen joined --actives active.txt
check 'or, where it has moved, says what takes it' all exited 0 -- \
    grep -q '^no ranking by mass: it is not known of 3 ligands (.*the option ligands takes the library' stdout
run "$BERTH" merge part1 part2 --library moved.blib --out moved
run "$BERTH" eval screen moved --actives active.txt --out moved_masses
check 'a merge notes the library that is named' all exited 0 -- holds moved/run.json "\"library\": \"$work/moved.blib\"" -- \
    holds moved_masses/enrichment.csv 'mass,roc_area,'
mv moved.blib few.blib

single=$ligand
ligand=few.mol2
run dock several --restraints some.txt
check 'as a docking of several ligands does' all exited 0 -- holds stdout 'met by 3 of 3 ligands' -- \
    holds stdout 'met by 0 of 3 ligands'
printf 'acceptor to ARG8:NH1\nacceptor avoid ARG8:O\nring avoid ARG8:O wished\n' >bonds.txt
run dock bonds --restraints bonds.txt
check 'with the radius, and what judges the angle of hydrogen bonds' all exited 0 -- \
    holds stdout ': acceptor to ARG8:NH1 (within 3.3 + 0.25 Å)' -- holds stdout ': acceptor avoid ARG8:O (beyond 3 - 0.25 Å)' -- \
    said 'what judges the angle' --require
run "$BERTH" show bonds.csv --receptor "$receptor" --require 'strong hydrogen_bond ARG8:NH1'
check 'which show takes' exited 0
for line in 'donor or acceptor to ARG8:NH1' 'acceptor or donor to ARG8:O'; do
    echo "$line" >kinds.txt
    run dock kinds --restraints kinds.txt
    check "$line: either will do, of what the atom can make" all exited 0 -- holds stdout ": $line (within 3.3 + 0.25 Å)" -- \
        holds stdout "strong hydrogen_bond ${line##* }"
done
for pair in 'NH1 acceptor' 'O donor'; do # a donor of the ligand meets none of the receptor
    echo "donor or acceptor to ARG8:${pair% *}" >kinds.txt
    run dock kinds --restraints kinds.txt
    columns kinds.csv restraint_1 energy >wanted
    echo "${pair#* } to ARG8:${pair% *}" >kinds.txt
    run dock kinds --restraints kinds.txt
    columns kinds.csv restraint_1 energy >got
    check "either, of $pair, is what the atom can meet" all exited 0 -- [ -s got ] -- same wanted got
done
for line in 'ring or donor to ARG8:NH1' 'donor or donor to ARG8:NH1' 'donor or' 'donor or ring to ARG8:NH1'; do
    echo "$line" >kinds.txt
    refused_too "$line" kinds.txt:1 dock kinds --restraints kinds.txt
done
check 'which is said' said 'what does not stand together'
echo 'donor or acceptor to ARG8:CZ' >kinds.txt
refused 'what makes no hydrogen bond at all' dock kinds --restraints kinds.txt
echo 'smarts S(=O)(=O)[NH2:1] to 0 0 0 radius 1000' >some_have.txt
run dock some_have --restraints some_have.txt
check 'and who misses what all but a few meet' all exited 0 -- said 'met by all but a few' 'restraint 1'
printf 'acceptor to ARG8:NH1 or ARG8:NH2 or ARG8:NE weight 5\n' >either.txt
run dock either --restraints either.txt
say=$(sed -n "s/.* --require '\(.*\)' of .*/\1/p" stdout)
run "$BERTH" show either.csv --receptor "$receptor" --require "$say"
check 'of several atoms all, which show takes, too' all exited 0 -- \
    [ "$say" = 'strong hydrogen_bond ARG8:NH1 or strong hydrogen_bond ARG8:NH2 or strong hydrogen_bond ARG8:NE' ]
check 'the description says which is required' all holds bonds.run.json '"restraint_2_receptor": "required avoided 3 ' -- \
    holds bonds.run.json '"restraint_3_receptor": "wished avoided 3 '
ligand=$single
cp bonds.txt some.txt
run screen near
check 'as a screen does, from what it wrote' all exited 0 -- holds stdout '(within 3.3 + 0.25 Å)' -- \
    holds stdout '(beyond 3 - 0.25 Å)' -- holds stdout "'strong hydrogen_bond ARG8:NH1'"
run "$BERTH" merge near --out near_again
check 'and a merge' all exited 0 -- holds stdout 'restraint 1'
finish
