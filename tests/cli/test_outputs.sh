#!/bin/sh
# Outputs that cannot be written are errors, before the work where that can be known; names of others
# neither run in a spreadsheet nor on a terminal; what killed runs left is taken away.
# shellcheck disable=SC2034 # what screen_lib.sh uses
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

receptor=pocket.mol2
ligand=demo/1hpv_ligand.mol2
score() { "$BERTH" score --receptor $receptor --ligand $ligand "$@"; }
escape=$(printf '\033')

# Results replace files of their names; the folder of a screen is not replaced unasked.
replaced() { # FILE COMMAND...
    replaced_file=$1
    shift
    echo mine >"$replaced_file"
    run "$@"
    check "$replaced_file is replaced" all exited 0 -- sh -c "! grep -q mine $replaced_file"
}
replaced poses.sdf quick_dock --ligand $ligand --out poses.sdf
replaced scores.csv quick_dock --ligand $ligand --out poses.sdf --scores scores.csv
replaced energies.csv score --out energies.csv
replaced minimised.sdf score --minimize --out - --out_poses minimised.sdf
"$BERTH" prep ligands $ligand --out one.blib 2>/dev/null
replaced two.blib "$BERTH" lib merge one.blib --out two.blib
run "$BERTH" screen --receptor $receptor --autobox_ligand $ligand --library one.blib --out screened $rigid
run "$BERTH" screen --receptor $receptor --autobox_ligand $ligand --library one.blib --out screened $rigid --seed 2
check 'a screen stays' all exited 1 -- holds screened/run.json '"seed": "1"'
run "$BERTH" screen --receptor $receptor --autobox_ligand $ligand --library one.blib --out screened $rigid --seed 2 --overwrite
check 'a screen, --overwrite' all exited 0 -- holds screened/run.json '"seed": "2"'
run "$BERTH" screen --receptor $receptor --autobox_ligand $ligand --library one.blib --out screened $rigid --resume --overwrite
check 'which goes not with --resume' all exited 1 -- said '--resume and --overwrite'

# Standard output.
says() { # NAME COMMAND...: it must be closed, and full.
    says_name=$1
    shift
    run sh -c '"$@" >&-' sh "$@"
    check "$says_name, standard output closed" exited 1
    run sh -c '"$@" >/dev/full' sh "$@"
    check "$says_name, standard output full" exited 1
}
says 'help' "$BERTH" --help
says 'version' "$BERTH" --version
says 'help of a command' "$BERTH" dock -h
says 'devices' "$BERTH" devices
says 'show-kernel' "$BERTH" show-kernel
says 'lib ls' "$BERTH" lib ls alpha.blib
says 'lib info' "$BERTH" lib info alpha.blib
says 'lib verify' "$BERTH" lib verify alpha.blib
says 'lib get' "$BERTH" lib get alpha.blib --ordinal 0
says 'lib merge' "$BERTH" lib merge alpha.blib --out merged.blib
says 'tune, which does not begin' timeout 600 "$BERTH" tune --dry_run
old=$root/tests/fixtures/screen
says 'merge' "$BERTH" merge "$old/part1" "$old/part2" --library "$old/library.blib" --out joined
check 'whose results are there' [ -s joined/scores.csv ]
says 'score' "$BERTH" score --receptor $receptor --ligand $ligand --out -
says 'dock' "$BERTH" dock --receptor $receptor --ligand $ligand --autobox_ligand $ligand $rigid --poses 512 \
    --generations 3 --hops 0 --out p.sdf
check 'whose files are there' [ -s p.sdf ]
run sh -c '"$@" <&-' sh "$BERTH" score --receptor $receptor --ligand - --out s.csv
check 'standard input closed' all exited 1 -- said 'standard input closed'

# Folders in the place of results, and folders that are missing.
early() { # NAME FILE COMMAND...: nothing may be done before it is said.
    early_name=$1 early_file=$2
    shift 2
    run "$@"
    check "$early_name" all exited 1 -- [ "$(cut -d : -f 2 stderr)" = " $early_file" ] -- stdout_is_empty
}
mkdir folder folder.csv folder.sdf taken taken/scores.csv hits hits/hits.sdf
early 'dock --scores' folder.csv quick_dock --ligand $ligand --out p.sdf --scores folder.csv
said 'a folder for a file'
early 'dock --failures' folder quick_dock --ligand $ligand --out p.sdf --failures folder
early 'score --out' folder.csv score --out folder.csv
early 'score --failures' nodir/f.csv score --out s.csv --failures nodir/f.csv
said 'no such folder'
early 'screen' taken/scores.csv screen taken
check 'which began nothing' absent taken/journal
early 'screen, and its hits' hits/hits.sdf screen hits
early 'screen into no folder' nodir/out screen nodir/out
early 'screen into a file' alpha.blib screen alpha.blib
said 'a file for a folder'
early 'merge' taken/scores.csv "$BERTH" merge nowhere --out taken
early 'bench --csv' folder "$BERTH" bench --csv folder
early 'prep receptor --mol2' folder "$BERTH" prep receptor $receptor --out site.brec --mol2 folder
early 'prep ligands --failures' folder "$BERTH" prep ligands $ligand --out lib.blib --failures folder
check 'none of which wrote anything' absent site.brec lib.blib lib.blib.part s.csv
run screen new/
check 'slashes behind a folder that is new' all exited 0 -- [ -s new/scores.csv ]

# A limit on the size of files.
run sh -c 'ulimit -f 1; "$@"' sh "$BERTH" lib get many.blib --ordinal 40 --out big.sdf
check 'a file beyond the limit' all exited 1 -- \
    said 'too large' 'berth: ' -- [ "$(echo big.sdf*)" = 'big.sdf*' ]

# Names.
evil="=cmd|' /C calc'!A0"
clear="${escape}[2J"
{
    fragment "$evil"
    fragment "${clear}cleared"
    fragment "${clear}unknown" Xx.1
} >names.mol2
run quick_dock --ligand names.mol2 --num_modes 1 --out names.sdf --scores names.csv --failures f.csv
cut -d, -f 2 names.csv >given
printf '%s\n' ligand "'$evil" '\x1b[2Jcleared' >wanted
check 'scores.csv runs nothing' same wanted given
check 'nor do failures.csv' grep -q '^[0-9]*,\\x1b\[2Junknown,' f.csv
check 'a terminal is not obeyed' all exited 2 -- [ "$(cat stdout stderr f.csv | grep -c "$escape")" -eq 0 ] \
    -- holds stdout '  \x1b[2Jcleared' -- holds stdout "  $evil" -- \
    grep -q '\\x1b\[2Junknown' stderr
run quick_dock --ligand names.mol2 --num_modes 1 --out again.sdf --scores again.csv --failures f.csv
columns again.csv energy >energies
check 'energies stay numbers' awk '!/^-?[0-9.]+$/ { bad = 1 } END { exit bad || !NR }' energies
run "$BERTH" score --receptor $receptor --ligand names.mol2 --out -
check 'score' all exited 2 -- grep -q "^'=cmd|' /C calc'!A0,-*[0-9.]*," stdout -- \
    grep -q '^\\x1b\[2Jcleared,-*[0-9.]*,' stdout
fragment "$evil" >evil.mol2
fragment "${clear}cleared" >>evil.mol2
./rates evil.mol2 evil.blib >/dev/null
run "$BERTH" lib ls evil.blib
check 'lib ls' all exited 0 -- grep -q "^0,'=cmd|' /C calc'!A0," stdout -- \
    grep -q '^1,\\x1b\[2Jcleared,' stdout
library=evil.blib
run screen evil
check 'screen' all exited 0 -- grep -q "^0,'=cmd|' /C calc'!A0,[12],1,-*[0-9.]*," evil/scores.csv -- \
    grep -q '^1,\\x1b\[2Jcleared,[12],1,-*[0-9.]*,' evil/scores.csv
cp -r evil part
run "$BERTH" merge part --out joined
check 'merge gives the same' all exited 0 -- same_results evil joined
library=many.blib
run "$BERTH" lib info "$(printf 'no\nwhere')"
check 'line ends in a name end no line' all exited 1 -- \
    lines stderr 1 -- holds stderr ' no\x0awhere: '

# Tags by gnina's names.
has_gnina() { # SDF
    [ -s "$1" ] && awk '/^>  <score>/ { getline score } /^>  <minimizedAffinity>/ { getline theirs; seen++ }
        /^\$\$\$\$/ { if (score == "" || score != theirs || seen != 1) exit bad = 1; score = theirs = ""; seen = 0 }
        END { exit bad || !NR }' "$1"
}
run quick_dock --ligand $ligand --out own.sdf --out_also own.mol2
check 'no tags but our own, unasked' all exited 0 -- [ "$(grep -c minimizedAffinity own.sdf)" -eq 0 ]
run quick_dock --ligand $ligand --out gnina.sdf --out_also gnina.mol2 --scores gnina.csv --tags gnina
check "gnina's tags, in SDF alone" all exited 0 -- has_gnina gnina.sdf -- same gnina.mol2 own.mol2 -- \
    [ "$(grep -c CNN gnina.sdf)" -eq 0 ] -- [ "$(grep -c minimizedAffinity gnina.csv)" -eq 0 ]
sed '/^>  <minimizedAffinity>/,/^$/d' gnina.sdf >stripped.sdf
check 'beside our own' same stripped.sdf own.sdf
run score --out s.csv --out_poses scored.sdf --tags gnina
check 'of score' all exited 0 -- has_gnina scored.sdf
run screen gnina --tags gnina
cp -r gnina part_gnina
run "$BERTH" merge part_gnina --out joined_gnina
check 'of a screen, and what is merged of it' all exited 0 -- has_gnina gnina/hits.sdf -- same_results gnina joined_gnina
for names in smina gnina,smina; do
    run quick_dock --ligand $ligand --out none.sdf --tags $names
    check "no such tags: $names" all exited 1 -- said 'no such tags' '--tags' -- absent none.sdf
done
run score --out none.csv --tags smina
check 'of score' all exited 1 -- absent none.csv
run screen none --tags smina
check 'of a screen' all exited 1 -- absent none

# A run that was killed.
"$BERTH" dock --receptor $receptor --autobox_ligand $ligand --ligand $ligand $rigid --poses 1000000 \
    --generations 200 --out killed.sdf --scores killed.csv >stdout 2>stderr.raw &
pid=$!
waited=0
until grep -q '^seed ' stdout || [ $waited -eq 12000 ]; do
    sleep 0.05
    waited=$((waited + 1))
done
kill -9 $pid
wait $pid 2>/dev/null
check 'a killed run leaves files' [ "$(echo killed.*.tmp.* | wc -w)" -eq 3 ]
touch killed.sdf.tmp.elsewhere.invalid.1
run quick_dock --ligand $ligand --out killed.sdf --scores killed.csv
check 'which the next one takes away, but not those of other hosts' all exited 0 -- \
    [ "$(echo killed.*)" = 'killed.csv killed.failures.csv killed.run.json killed.sdf killed.sdf.tmp.elsewhere.invalid.1' ]
finish
