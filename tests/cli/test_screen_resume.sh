#!/bin/sh
# berth screen --resume: whatever ends a run, it goes on, and the results are those of a run that
# nobody disturbed.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

run screen first
check 'a screen' all exited 0 -- lines first/scores.csv $((ligands + 1))
as_first() { check "$1" all exited 0 -- same_results first "$2"; }
size=$(wc -c <first/journal)

refused 'a run is there' screen first
touch first/scores.csv.tmp.1 first/hits.unranked.tmp.1.2 first/notes
run screen first --resume
as_first 'a run that is finished can be resumed' first
check 'what a killed run left is gone, the user'"'"'s own is not' \
    [ "$(echo first/*)" = 'first/failures.csv first/hits.sdf first/journal first/notes first/run.json first/scores.csv' ]
cp -r first top
run screen top --resume --top 3
check 'for other hits, say' all exited 0 -- [ "$(grep -c '^\$\$\$\$' top/hits.sdf)" -eq 3 ] -- \
    same first/scores.csv top/scores.csv
run screen fresh --resume
as_first '--resume begins what is not there' fresh

# Other tuning rounds otherwise: the journal knows of it.
name=$("$BERTH" devices | sed -n "s/^\* *[0-9]* *[A-Z]* *//p")
driver=$("$BERTH" devices | sed -n '/^\*/,$s/.*, driver //p' | head -n 1)
mkdir tuned
printf '%s\t%s\tppwi=1 wgsize=3\n' "$name" "$driver" >tuned/tuning.tsv
cp -r first retuned
(
    BERTH_CACHE_DIR=$work/tuned
    export BERTH_CACHE_DIR
    screen retuned --resume
) >stdout 2>stderr
check 'a run of kernels tuned otherwise says so' all said 'tuned otherwise' tuned -- \
    holds retuned/run.json '"unlike_devices": true' -- \
    [ "$(grep -c '^    {"name".*"variant": "vector' retuned/run.json)" -eq 2 ]

# Standard streams that are closed do not make way for files of ours.
(screen closed >&- 2>&- <&-)
run screen closed --resume
as_first 'with standard streams closed' closed

# What was done, and how long it took, is said of all legs; of a journal that lost some of it, nothing.
# told_of_all DIR: time, and each conformer by a device.
not_told() { ! grep -q this_run "$1/run.json"; }
told_of_all() {
    grep -q '^    "seconds": [0-9]*\.[0-9]*,$' "$1/run.json" &&
        [ "$(grep '^      {"index"' "$1/run.json" | sed 's/.*"conformers": \([0-9]*\), "failed": false}.*/\1/' | awk '{ n += $1 } END { print n }')" -eq \
            "$(sed -n 's/^  "conformers": \([0-9]*\),$/\1/p' "$1/run.json")" ]
}
check 'a run says its conformers: those of the ligands in the table' all told_of_all first -- \
    [ "$(sed -n 's/^  "conformers": \([0-9]*\),$/\1/p' first/run.json)" -eq \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "conformers") at = i; next } { sum += $at } END { print sum }' first/scores.csv)" ]
screen legs --time_limit 0.001 --batch 1 --checkpoint 0 >/dev/null 2>&1
run screen legs --resume
as_first 'a run of two legs' legs
check 'is told of as of one' told_of_all legs
run screen legs --resume --top 3
check 'also if nothing was left to dock' told_of_all legs

# What does not belong together.
refused 'another seed' screen first --resume --seed 2
screen257() { (
    poses=257
    screen "$@"
); }
refused_too 'other poses' ' poses 256, now 257' screen257 first --resume
other_search() { # the level is named, not the numbers that it stands for
    "$BERTH" screen --receptor pocket.mol2 --library "$library" --out first --resume --scoring "$scoring" \
        --center_x 1 --center_y 16 --center_z 8.5 --size_x 12 --size_y 12 --size_z 12 --search balanced --num_modes 3
}
run other_search
check 'another search in another box' all exited 1 -- holds stderr ' search rigid_fast, now balanced; center_x 9.92' -- \
    holds stderr ', now 1; center_y 16.2' -- holds stderr ', now 12; num_modes 1, now 3'
other_scoring() { # DIR
    scoring=plp
    screen "$1" --resume
}
refused_too 'another scoring' ' scoring bude, now plp' other_scoring first
another_function() {
    cp "$root/tests/fixtures/scoring/lennard_jones.score" own.score
    scoring=own.score
    run screen own
    check 'a function of one'"'"'s own' exited 0
    sed -i 's/^cutoff  8/cutoff  7/' own.score
    run screen own --resume
    check 'another function under the same name' all exited 1 -- \
        said 'another function'
}
if in_slice screening "a function of one's own"; then another_function; fi
scoring=bude
refused_too 'another shard' ' shard 1/1, now 1/2' screen first --resume --shard 1/2
library=drugs.blib
run screen first --resume
check 'another library' all exited 1 -- holds stderr "many.blib, now $work/drugs.blib"
library=many.blib
mkdir odd
echo 'no journal, but text' >odd/journal
run screen odd --resume
check 'what is no journal' all exited 1 -- \
    said 'no journal' -- \
    grep -q '^no journal' odd/journal

# What a crash may leave: the journal's first bytes, any number of them; or bytes that are wrong.
run_cut() { # BYTES
    rm -rf cut
    mkdir cut
    head -c "$1" first/journal >cut/journal
    run screen cut --resume
    as_first "a journal of $1 bytes of $size" cut
}
run_cut 0
run_cut 5
run_cut 900
run_cut $((size - 1))
sed -i 's/ [1-9][0-9]* bytes/ N bytes/' stderr
check 'what is cut off is said' said 'cut off' cut/journal
run_cut $((size / 2))
check 'the time of ligands before the cut is not known, and not told' all not_told cut -- holds cut/run.json '"conformers"'
for part in 3 5 11; do
    run_cut $((size * part / 13))
done
for part in 2 7; do
    place=$((1500 + (size - 1500) * part / 9))
    rm -rf wrong
    mkdir wrong
    cp first/journal wrong/
    printf '\0\377\0' | dd of=wrong/journal bs=1 seek=$place conv=notrunc 2>/dev/null
    run screen wrong --resume
    as_first "wrong bytes at $place of $size" wrong
done
rm -rf zeros
mkdir zeros
{
    head -c 2000 first/journal
    head -c 3000 /dev/zero
} >zeros/journal
run screen zeros --resume
as_first 'a tail of zeros' zeros

slice screening 'killed at any moment, signals, a full disk'
for round in 1 2 3; do
    rm -rf killed
    tries=0
    while [ $tries -lt 4 ]; do
        tries=$((tries + 1))
        start_screen killed --resume --checkpoint 0 --batch 2
        sleep "0.$((round * tries * 3 % 10))"
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
    done
    run screen killed --resume
    as_first "killed $tries times, round $round" killed
    check 'and the time of all is told' told_of_all killed
done

# A run of minutes, on GPUs too.
"$BERTH" lib merge many.blib many.blib many.blib many.blib --out long.blib >/dev/null 2>&1
await() { # FILE SIZE: until it has more bytes
    waited=0
    until [ -e "$1" ] && [ "$(wc -c <"$1")" -gt "$2" ] || [ $waited -eq 12000 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
}
library=long.blib poses=30000 generations=6
! "$BERTH" devices | grep -q '^\* *[0-9]* *GPU' || poses=2000000
start_screen signal --batch 1 --checkpoint 0
await signal/journal 1500
run screen signal --resume
check 'a second process is refused' all exited 1 -- \
    said 'a second process'
run "$BERTH" merge signal --out out
check 'and so is a merge' exited 1
kill -TERM $pid
wait $pid
code=$?
check 'a signal ends a run in good order' all exited 1 -- absent signal/scores.csv -- \
    grep -q '^berth: .* [0-9]* of 164 ligands; .*--resume' started.err
check 'with something done' [ "$(wc -c <signal/journal)" -gt 1500 ]
run screen signal --resume --time_limit 1 --batch 1
check 'so does the time limit' all exited 1 -- grep -q '^berth: .* [0-9]* of 164 ligands; .*--resume' stderr
check 'it went on where the signal had come' grep -q '164 ligands, [1-9][0-9]* done' stdout

library=many.blib poses=256 generations=2

# A disk that is full, in the middle of a record.
if preload full_disk; then
    run preloaded full_disk env FULL_DISK=2500 \
        "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --library many.blib --scoring bude --search rigid_fast --poses 256 --generations 2 --refine 2 --refine_evaluations 20 --refine_torsions \
        --out full --checkpoint 0 --batch 2
    check 'a full disk' all exited 1 -- said 'a full disk' full/journal -- absent full/scores.csv
    run screen full --resume
    as_first 'and on, once there is room' full
else
    skip 'a full disk' 'no compiler, or no dlsym'
fi
finish
