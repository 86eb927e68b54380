#!/bin/sh
# berth screen when something fails: blocks of the library, devices, single results.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"
refine=0

run screen first
check 'a screen' all exited 0 -- lines first/scores.csv $((ligands + 1))

# spoil KIND: spoilt.blib is many.blib with a wrong byte in the second block of this kind, that of the
# ligands beta14 to beta31, ordinals 13 to 30.
spoil() {
    spoil_place=$(LC_ALL=C grep -abo "$1" many.blib | sed -n '2s/:.*//p')
    cp many.blib spoilt.blib
    printf '\252\125' | dd of=spoilt.blib bs=1 seek=$((spoil_place + 70)) conv=notrunc 2>/dev/null
}
spoil DOCK
library=spoilt.blib
run screen block
check 'a corrupt block: exit code 2' exited 2
unranked() { cut -d, -f 1,2,4- "$1"; }
unranked first/scores.csv | grep -v -e ',beta' >wanted
unranked block/scores.csv >given
check 'the others are docked as ever' same wanted given
check 'its ligands are in failures.csv' all lines block/failures.csv 19 -- awk -F, '
    FNR > 1 && ($1 != FNR + 11 || $2 != "" || $0 !~ /block 1 at byte .*ligands 13 to 30/) {
        print; bad = 1 }
    END { exit bad }' block/failures.csv
check 'it is said once' [ "$(grep -c 'spoilt.blib: block 1 ' stderr)" -eq 1 ]
# of legs that end in front of that block, in it and behind it
for seconds in 0.001 0.001 0.001 0.001; do
    screen legs --resume --time_limit $seconds --batch 8 --checkpoint 0 >/dev/null 2>&1
    wc -c <legs/journal >>legs.sizes
done
run screen legs --resume
check 'gone on with, its ligands fail once, too' all exited 2 -- same_results block legs -- [ "$(sort -u legs.sizes | wc -l)" -gt 1 ]
for number in 1 2 3; do
    run screen "block$number" --shard "$number/3"
done
run "$BERTH" merge block1 block2 block3 --out blocks
check 'in shards, too' all exited 2 -- same_results block blocks

spoil REST
run screen rest
check 'a corrupt block of the write-out stream: its ligands fail' all exited 2 -- \
    lines rest/scores.csv $((ligands + 1 - 18)) -- lines rest/failures.csv 19
run "$BERTH" merge first --library spoilt.blib --out again
check 'or have no structure, where they were docked before' all exited 2 -- same first/scores.csv again/scores.csv -- \
    lines again/failures.csv 19 -- [ "$(grep -c '^\$\$\$\$' again/hits.sdf)" -eq $((ligands - 18)) ] -- awk -F, '
    FNR > 1 && ($1 != FNR + 11 || $2 != "beta" FNR + 12) { print; bad = 1 }
    END { exit bad }' again/failures.csv
sed -n '2{ s/ at byte [0-9]*/ at byte N/; p; }' again/failures.csv >stderr
check 'which is their reason' said 'no structure' beta14
library=many.blib

if ! preload fail_opencl; then
    skip 'devices that fail' 'no compiler, or no dlsym'
    finish
fi
slice screening 'devices that fail'
# One device alone, and what is said of it.
failing_one() {
    failing_plan=$1
    shift
    failing "$failing_plan" screen "$@" --device "$standard"
}

# Three transfers come back of each batch: numbers of poses, transforms, terms.
run failing_one 'clEnqueueReadBuffer 10 1 1' nan --batch 1
check 'a conformer without finite energy: its ligand fails, no other' all exited 2 -- \
    lines nan/failures.csv 2 -- lines nan/scores.csv "$ligands" -- \
    grep -q '^[0-9]*,alpha[0-9]*,"*conformer [12]: ' nan/failures.csv
bad=$(sed -n '2s/,.*//p' nan/failures.csv)
unranked first/scores.csv | grep -v "^$bad," >wanted
unranked nan/scores.csv >given
check 'the others have their results' same wanted given

# What this machine alone has is no part of what is said.
masked() { sed -i -e 's/device [0-9]* (.*) \(computes\|has\)/device N \1/' -e 's/-*[0-9.e+]* kJ/E kJ/g; s/gives -*[0-9.e+]*/gives E/' stderr; }
run failing_one 'clEnqueueReadBuffer 3 1' wrong
masked
check 'a device that computes wrongly is not believed' all exited 1 -- absent wrong/scores.csv -- said 'computes wrongly' 'kJ/mol'
run failing_one 'clEnqueueReadBuffer 1 1 1' nothing --batch 4
masked
check 'nor one that gives no energies at all' all exited 1 -- absent nothing/scores.csv -- said 'no energies' ' 4 conformers'
run failing_one 'clEnqueueReadBuffer 6 1' late --batch 5 --check 1
check 'nor later' all exited 1 -- absent late/scores.csv -- holds stderr '`berth selftest`'
run screen late --resume
check 'what it computed wrongly is not in the journal' all exited 0 -- same_results first late

run failing_one 'clEnqueueNDRangeKernel 20 -5' lost --batch 4
check 'the only device is lost' all exited 1 -- absent lost/scores.csv -- holds stderr 'CL_OUT_OF_RESOURCES (-5)'
run screen lost --resume
check 'and back' all exited 0 -- same_results first lost

run failing_one 'clCreateBuffer 12 -4 1' memory
check 'memory that runs out halves the batch' all exited 0 -- same_results first memory
run failing_one 'clEnqueueNDRangeKernel 9 -4 1' memory2
check 'also in the middle of a run' all exited 0 -- same_results first memory2

run failing_one 'clGetEventInfo 4 1' hangs --batch 4 --batch_limit 2
masked
check 'a device that hangs' all exited 1 -- absent hangs/scores.csv -- said hangs ' 4 conformers in 2 s'
run screen hangs --resume
check 'and works again' all exited 0 -- same_results first hangs

POCL_DEVICES='pthread pthread'
export POCL_DEVICES
if [ "$(equal_devices)" -gt 1 ]; then
    run failing 'clCreateContext 2 -5 2' screen unopened --verbose
    warned='^berth: warning: device [0-9]* ('
    check 'one that cannot be opened: the other does its work' all exited 0 -- same_results first unopened -- \
        [ "$(grep -c '^device ' stdout)" -lt "$(equal_devices)" ] -- grep -q "$warned" stderr
    run failing 'clCreateContext 2 -5' screen none
    check 'nor can any' all exited 1 -- absent none/scores.csv
    run failing 'clEnqueueReadBuffer 20 -5 1' screen one --batch 3
    check 'one of two devices lost: the other does its work' all exited 0 -- same_results first one -- \
        grep -q "$warned" stderr -- grep -q '"failed": true' one/run.json
    run failing 'clEnqueueReadBuffer 3 1 1' screen fake --batch 3
    check 'one that computes wrongly' all exited 0 -- same_results first fake -- grep -q "$warned" stderr
else
    skip 'one of several devices lost' 'there is but one'
fi
unset POCL_DEVICES
finish
