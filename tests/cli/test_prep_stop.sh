#!/bin/sh
# berth prep that is stopped: one signal is enough, whatever it reads, and nothing of Open Babel stays
# behind; and two that want to write the same library.
. tests/cli/lib.sh

# Open Babel that never ends; it says who it is.
mkdir fake
cat >fake/obabel <<'END'
#!/bin/sh
case $* in -V) echo 'Open Babel'; exit ;; esac
echo $$ >started.new
mv started.new started
exec sleep 600
END
chmod +x fake/obabel
PATH=$PWD/fake:$PATH
export PATH
echo 'CCO ethanol' >one.smi
printf '1\n\nO 0 0 0\n' >one.xyz

start() { # COMMAND...: in the background, with that Open Babel, until it was called
    rm -f started
    "$@" >stdout 2>stderr.raw &
    pid=$!
    while [ ! -e started ] && kill -0 $pid 2>/dev/null; do sleep 0.1; done
    child=$(cat started)
}
runs() { grep -qs '^State:.*[^Z] (' "/proc/$1/status"; } # PID: it is there, and no zombie
# ended PID: within ten minutes, for machines that stand still now and then; otherwise it is ended here,
# and its state is what the check shows.
ended() {
    waited=0
    while runs "$1" && [ $waited -lt 6000 ]; do sleep 0.1; waited=$((waited + 1)); done
    runs "$1" || return 0
    head -n 10 "/proc/$1/status" >>stderr
    kill -KILL "$1"
    return 1
}
# finished: the program in the background ends by itself after its one signal.
finished() {
    stopped=true
    ended $pid || stopped=false
    wait $pid
    code=$?
    [ $stopped = false ] || cp stderr.raw stderr
}

for signal in $(heard HUP TERM INT KILL); do
    start "$BERTH" prep ligands one.smi --out $signal.blib --failures $signal.csv --jobs 1 --builder openbabel
    kill -$signal $pid
    finished
    check "$signal ends prep ligands and Open Babel with it" all $stopped -- ended "$child" -- absent $signal.blib
    [ $signal = KILL ] || check "and $signal is an orderly end" all exited 1 -- absent $signal.blib.part
done
for signal in $(heard HUP TERM KILL); do
    start "$BERTH" prep ligands one.xyz --out x$signal.blib --failures $signal.csv --jobs 1 --builder openbabel
    kill -$signal $pid
    finished
    check "$signal while Open Babel converts a file" all $stopped -- ended "$child" -- absent x$signal.blib
done
start nohup "$BERTH" prep ligands one.smi --out nohup.blib --jobs 1 --builder openbabel
kill -HUP $pid
sleep 0.5
check 'nohup is respected' runs $pid
kill -TERM $pid
finished

# Endless input.
for format in smi sdf mol2 pdbqt; do
    "$BERTH" prep ligands /dev/zero --format $format --out zero.blib \
        --failures failed.csv --jobs 1 --builder openbabel >stdout 2>stderr.raw &
    pid=$!
    while [ ! -e zero.blib.part ] && runs $pid; do sleep 0.1; done
    sleep 0.3 # to be at it
    kill -TERM $pid
    finished
    check "/dev/zero as $format: one signal ends it" all $stopped -- exited 1 -- absent zero.blib zero.blib.part
done
mkfifo pipe
for format in smi xyz; do
    "$BERTH" prep ligands pipe --format $format --out pipe.blib --failures failed.csv --jobs 1 --builder openbabel >stdout 2>stderr.raw &
    pid=$!
    exec 9<>pipe # and nothing comes
    while [ ! -e pipe.blib.part ] && runs $pid; do sleep 0.1; done
    sleep 0.3
    kill -TERM $pid
    finished
    exec 9>&-
    check "a pipe from which nothing comes, as $format" all $stopped -- exited 1 -- absent pipe.blib pipe.blib.part
done

# Two for one library.
start "$BERTH" prep ligands one.smi --out both.blib --failures first.csv --jobs 1 --builder openbabel
first=$pid
for option in '' --resume --overwrite; do
    run "$BERTH" prep ligands one.smi --out both.blib --failures second.csv --builder openbabel $option
    check "a second one on the same library${option:+, $option}" all exited 1 -- absent second.csv -- \
        [ -e both.blib.part ] -- runs "$first"
done
said 'another process'
kill -KILL "$first"
finished
ended "$child"
run "$BERTH" prep ligands one.smi --out both.blib --failures second.csv --builder openbabel
check 'and where the first one was killed' all exited 1 -- \
    said 'one that was killed'

# A library that is there is not replaced unasked.
"$BERTH" prep ligands demo/1hpv_ligand.mol2 --out there.blib >/dev/null 2>&1
cp there.blib before.blib
run "$BERTH" prep ligands demo/1hpv_ligand_turned.mol2 --out there.blib
check 'a library that is there already' all exited 1 -- same there.blib before.blib -- \
    said 'a library is there'
run "$BERTH" prep ligands demo/1hpv_ligand_turned.mol2 --out there.blib --overwrite
check '--overwrite' all exited 0 -- differ there.blib before.blib
finish
