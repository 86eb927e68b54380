#!/bin/sh
# Signals end a run soon and in good order, also where they come twice at once, as `timeout` sends them
# (to the process and to its group), or say that the terminal is gone.
# shellcheck disable=SC2034 # what screen_lib.sh uses
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

receptor=demo/1hpv_receptor.mol2
ligand=demo/1hpv_ligand.mol2

await() { # COMMAND...: until it succeeds
    waited=0
    until "$@" || [ $waited -eq 12000 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
}
grown() { [ -e "$1" ] && [ "$(wc -c <"$1")" -gt "$2" ]; } # FILE BYTES

# begin COMMAND...: in the background as process $pid, killed if it takes a quarter of an hour.
begin() {
    : >stdout
    timeout -s KILL 900 "$@" >stdout 2>stderr.raw &
    pid=$!
}
# end SIGNAL: leaves what run does, without what PoCL's linker says of being interrupted.
end() {
    kill -"$1" $pid
    wait $pid
    code=$?
    grep -v -e '^berth: device [0-9]*: ' -e '^1 error generated\.$' stderr.raw >stderr
}

# A batch that takes half an hour, and is not waited for.
for signal in $(heard TERM HUP); do
    mkdir $signal
    begin "$BERTH" dock --receptor pocket.mol2 --autobox_ligand $ligand --ligand $ligand $rigid --poses 100000 \
        --generations 2000 --out $signal/p.sdf --scores $signal/s.csv
    await grep -q '^seed ' stdout
    end $signal
    check "dock, $signal" all exited 1 -- nothing_in $signal
done

# What was docked before is kept, and only that.
yes | head -n 300 | while read -r _; do cat $ligand; done >many.mol2
mkdir kept
begin "$BERTH" dock --receptor $receptor --autobox_ligand $ligand --ligand many.mol2 --separate $rigid --poses 4096 \
    --generations 3 --batch 1 --num_modes 1 --out kept/p.sdf --scores kept/s.csv
await grep -q '^amprenavir' stdout
end TERM
kept=$(grep -c '^[0-9]*,amprenavir,' kept/s.csv)
check 'dock of many keeps what is done, and says how many' all exited 1 -- [ "$kept" -lt 300 ] -- \
    [ "$kept" -eq "$(grep -c '^\$\$\$\$' kept/p.sdf)" ] -- holds stderr " $kept ligand"
sed -i 's/ [0-9]* ligands*,/ N ligands,/' stderr
check 'and where they are' said 'some were docked' kept/p.sdf

# Molecules that do not come.
mkdir score
mkfifo pipe
"$BERTH" score --receptor $receptor --ligand - --out score/s.csv <pipe >stdout 2>stderr.raw &
pid=$!
exec 3>pipe
cat $ligand >&3
await grep -q '^berth: device' stderr.raw
end TERM
exec 3>&-
check 'score' all exited 1 -- nothing_in score

# What waits for a list of names ends, and a database needs no files beside it.
fixture=$root/tests/fixtures/screen
if "$BERTH" merge "$fixture/part1" "$fixture/part2" --library "$fixture/library.blib" --out merged --db merged.db 2>db.log; then
    mkfifo names
    mkdir temporary
    for signal in $(heard HUP PIPE TERM); do
        TMPDIR=$work/temporary "$BERTH" show merged.db --names names >stdout 2>stderr.raw &
        pid=$!
        await grep -q merged /proc/$pid/cmdline
        kill -$signal $pid
        wait $pid
        code=$?
        check "show, $signal" all [ $code -gt 128 ] -- nothing_in temporary
    done
else
    skip 'show of a database' 'there is no SQLite'
fi

slice screening 'screens and redocking'
# A screen of minutes.
"$BERTH" lib merge many.blib many.blib many.blib many.blib --out long.blib >/dev/null 2>&1
library=long.blib poses=30000 generations=6
! "$BERTH" devices | grep -q '^\* *[0-9]* *GPU' || poses=2000000
for signal in $(heard TERM HUP); do
    start_screen $signal.screen --batch 1 --checkpoint 0
    await grown $signal.screen/journal 1500
    kill -$signal $pid
    while grep -q '^ShdPnd:.*[1-9a-f]' /proc/$pid/status 2>/dev/null; do :; done # it has come
    kill -$signal $pid
    wait $pid
    code=$?
    check "screen, $signal twice at once" all exited 1 -- grep -q ' [0-9]* of 164 ligands; .*--resume' started.err -- \
        absent $signal.screen/scores.csv
done
sed 's/ after [0-9]* / after N /' started.err >stderr
check 'and how to go on is said' said 'a screen' ' of 164 ligands; '

# Its folder vanishes, or goes elsewhere.
start_screen gone --batch 1 --checkpoint 0
await grown gone/journal 1500
rm -rf gone
wait $pid
code=$?
cp started.err stderr
check 'a folder that vanishes' all exited 1 -- said 'a folder vanished' gone/journal -- absent gone
start_screen moved --batch 1 --checkpoint 0
await grown moved/journal 1500
mv moved there
wait $pid
code=$?
cp started.err stderr
check 'one that is moved' all exited 1 -- said 'a folder was moved' moved/journal -- absent moved

if ! command -v obabel >/dev/null; then
    skip 'eval redock' 'obabel is not installed'
    finish
fi
# What is hashed for an hour: a file with a hole.
truncate -s 1T huge.smi
begin "$BERTH" prep ligands huge.smi --out huge.blib
await [ -e huge.blib.part ]
end TERM
sed -i '/ builds the structures /d' stderr
check 'molecules that are being hashed' all exited 1 -- said 'molecules that are being hashed' -- absent huge.blib.part
rm huge.smi

mkdir -p set/phenol
ln -s "$root/data/$receptor" set/phenol/receptor.mol2
fragment phenol >set/phenol/crystal.mol2
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\nphenol\t9.9\t16.2\t8.8\n' >set/sites.tsv
begin "$BERTH" eval redock set --out eval --builder openbabel $rigid --poses 1000000 --generations 200 --size 8
await [ -e eval/phenol/ligand.blib ]
end TERM
check 'eval redock' all exited 1 -- said 'eval redock' \
    -- [ "$(echo eval/*)" = 'eval/journal eval/phenol' ]
mkdir -p tables/redock.csv
run "$BERTH" eval redock set --out tables
check 'a folder in the place of its table' all exited 1 -- \
    holds stderr tables/redock.csv -- absent tables/phenol
finish
