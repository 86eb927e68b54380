#!/bin/sh
# Drivers that are missing, devices that do not exist, do not build, have no memory or get lost:
# exit code 1, a message that says what to do, and no files.
. tests/cli/lib.sh

ligand=demo/1hpv_ligand_turned.mol2
dock() { quick_dock --ligand $ligand --out out/poses.sdf --scores out/scores.csv "$@"; }
score() { "$BERTH" score --receptor pocket.mol2 --ligand $ligand --out out/s.csv "$@"; }

run "$BERTH" devices
name=$(sed -n 's/^. 0  [A-Za-z]* *//p' stdout)
there=$(awk '/^. [0-9]+  / {
    number = $0; sub(/^. /, "", number); sub(/ .*/, "", number)
    sub(/^. [0-9]+  [A-Za-z]* */, "")
    printf "%s%s (%s)", list++ ? ", " : "", number, $0
}' stdout)
# Neither this machine's devices nor its user.
masked() { sed -i -e "s|device 0 ($name)|device 0|; s|$there|DEVICES|; s|berth-pocl-$(id -u)|berth-pocl-UID|; s|allocating [0-9]* bytes|allocating N bytes|" stderr; }

refused 'a number beyond the last device' dock --device 99
run score --device cray-1
check 'a name that no device has' exited 1
for numbers in -1 0,99 '0,'; do
    run dock --device $numbers
    check "numbers of no devices: $numbers" exited 1
done
refused 'one twice' dock --device 0,0
run dock --device "$(echo "$name" | cut -c 1-12 | tr '[:lower:]' '[:upper:]')"
check 'part of a name, letter case aside' exited 0

# No device: what failed, and what to do about it.
OCL_ICD_VENDORS=/nonexistent
export OCL_ICD_VENDORS
if "$BERTH" devices >/dev/null 2>&1; then
    skip 'no OpenCL platform' 'this ICD loader takes no notice of OCL_ICD_VENDORS'
else
    refused 'no OpenCL platform' "$BERTH" devices
    for command in dock score; do
        run $command
        check "no OpenCL platform: $command" exited 1
    done
    mkdir vendors
    OCL_ICD_VENDORS=$work/vendors
    echo "$work/libmissing.so" >vendors/one.icd
    refused "a driver's library is missing" "$BERTH" devices
    echo libc.so.6 >vendors/one.icd
    refused "a driver's library is no driver" "$BERTH" devices
    : >vendors/one.icd
    refused 'an empty file' "$BERTH" devices
fi
unset OCL_ICD_VENDORS

# Of 150 MB PoCL's libraries do not even fit into memory.
# shellcheck disable=SC3045 # dash and bash have it
little_memory() { (ulimit -v 150000 && "$BERTH" devices); }
if [ -n "$sanitize" ]; then
    skip 'memory is short' 'the sanitizers want terabytes of it'
elif little_memory >/dev/null 2>&1; then
    skip 'memory is short' 'it suffices here'
else
    run little_memory
    check 'memory is short' all exited 1 -- lines stderr 1 -- \
        holds stderr '(ulimit -v)'
fi

# PoCL without a place for its cache.
if "$BERTH" devices | grep '^  *platform ' | grep -q -v 'Portable Computing Language'; then
    skip "PoCL's cache folder" 'PoCL is not the only driver here'
else
    nowhere() { env -u POCL_CACHE_DIR -u XDG_CACHE_HOME HOME=/dev/null TMPDIR="$work/tmp" "$@"; }
    private=$work/tmp/berth-pocl-$(id -u)
    mkdir tmp
    rm -rf out
    mkdir out
    run nowhere "$BERTH" score --receptor pocket.mol2 --ligand demo/1hpv_ligand.mol2 --out out/s.csv
    masked
    check "PoCL's cache folder cannot be made: another takes its place" all exited 0 -- said "PoCL's cache folder" -- \
        [ "$(find "$private" -name '*.so' | wc -l)" -ge 1 ] -- \
        [ "$(stat -c %a "$private")" = 700 ]
    # One that others may write to, or put another in the place of, as /tmp/pocl without HOME is of whoever came first.
    mkdir -p theirs/pocl/kcache
    chmod 777 theirs
    run env -u POCL_CACHE_DIR XDG_CACHE_HOME="$work/theirs" TMPDIR="$work/tmp" "$BERTH" score --receptor pocket.mol2 \
        --ligand demo/1hpv_ligand.mol2 --out out/s.csv
    masked
    check "PoCL's cache folder can be written to by others" all exited 0 -- said "others' cache folder" "PoCL's cache" -- \
        nothing_in theirs/pocl/kcache
    run env POCL_CACHE_DIR="$work/theirs/pocl/kcache" TMPDIR="$work/tmp" "$BERTH" devices
    check 'also one that POCL_CACHE_DIR names' all exited 0 -- holds stderr "$work/theirs: " -- nothing_in theirs/pocl/kcache
    chmod 777 "$private"
    refused 'nor may the other be used' nowhere "$BERTH" devices
    run env -u POCL_CACHE_DIR XDG_CACHE_HOME="$work/theirs" TMPDIR="$work/tmp" "$BERTH" devices
    check 'then PoCL is not asked' all exited 1 -- holds stderr "$work/theirs: " -- nothing_in theirs/pocl/kcache
    run env POCL_CACHE_DIR=/dev/null/x "$BERTH" devices
    check "the user's own POCL_CACHE_DIR stays" all exited 1 -- holds stderr ' /dev/null/x: '
    mkdir -m 555 locked
    if [ -w locked ]; then
        skip 'a POCL_CACHE_DIR that is write-protected' 'root may write everywhere'
    else
        run env POCL_CACHE_DIR="$work/locked" "$BERTH" devices
        check 'a POCL_CACHE_DIR that is write-protected' all exited 0 -- holds stderr "$work/locked: "
    fi
fi

refused 'a vector width that does not exist' dock --variant vector_width=3
refused 'more memory than there is' \
    "$BERTH" dock --receptor pocket.mol2 --ligand $ligand --autobox_ligand demo/1hpv_ligand.mol2 $rigid \
    --out out/poses.sdf --device 0 --batch 1000000 --poses 60000000

if ! preload fail_opencl; then
    skip 'devices that fail' 'no compiler, or no dlsym'
    finish
fi

# Without the program cache: what is built is the source.
export BERTH_CACHE_DIR=

run failing 'clFinish 100000 -5' dock --device 0
check 'with the failing library, but without a failure' exited 0

refused 'no context' failing 'clCreateContext 1 -2' dock --device 0
for call in 1 2 6; do
    refused_too "memory runs out at allocation $call" 'CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)' \
        failing "clCreateBuffer $call -4" dock --device 0
done
refused 'lost at the first launch' failing 'clEnqueueNDRangeKernel 1 -5' dock --device 0
refused 'lost in the middle of a search' failing 'clEnqueueNDRangeKernel 7 -9999' dock --device 0
refused 'lost while atoms go there' failing 'clEnqueueWriteBuffer 6 -36' dock --device 0
refused 'lost while poses come back' failing 'clEnqueueReadBuffer 2 -5' dock --device 0
refused_too 'berth score: lost' ' CL_OUT_OF_RESOURCES (-5)' failing 'clEnqueueReadBuffer 1 -5' score --device 0

slice devices 'lost in the middle'
# With ten ligands done, of which nothing must be left.
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    fragment "number$number"
done >many.mol2
refused_too 'lost after some ligands were docked' ' CL_OUT_OF_RESOURCES (-5)' failing 'clEnqueueReadBuffer 31 -5' \
    quick_dock --ligand many.mol2 --batch 1 --device 0 --out out/p.mol2 --scores out/s.csv
check 'some had been docked' [ "$(grep -c '^number' stdout)" -ge 5 ]

run env POCL_DEVICES='pthread pthread' "$BERTH" devices
if grep -q '^. 1  CPU .*pthread' stdout; then
    rm -rf out
    mkdir out
    two_dock() {
        env POCL_DEVICES='pthread pthread' "$BERTH" dock --receptor pocket.mol2 \
            --autobox_ligand demo/1hpv_ligand.mol2 $rigid --poses 512 --generations 3 --ligand many.mol2 --batch 1 "$@"
    }
    run two_dock --device all --out whole.sdf
    run failing 'clEnqueueReadBuffer 20 -5 1' two_dock --device all --out out/p.sdf
    lost='^berth: .*device [01] (.*CL_OUT_OF_RESOURCES (-5)'
    sed -i 's/device [01] (.*): reading/device N: reading/' stderr
    check 'one of two devices lost: the other does its work' all exited 0 -- same whole.sdf out/p.sdf -- said 'one of two lost'
    rm -rf out
    mkdir out
    run failing 'clEnqueueReadBuffer 20 -5' two_dock --device all --out out/p.sdf
    check 'both lost' all exited 1 -- nothing_in out -- grep -q "$lost" stderr
    mkdir -p set/one
    ln -s "$root/tests/fixtures/pocket.mol2" set/one/receptor.mol2
    ln -s "$root/data/demo/1hpv_ligand.mol2" set/one/crystal.mol2
    printf 'pdb\tcenter_x\tcenter_y\tcenter_z\none\t9.9\t16.2\t8.8\n' >set/sites.tsv
    two_redock() {
        env POCL_DEVICES='pthread pthread' "$BERTH" eval redock set --mode crystal $rigid --poses 512 --generations 2 \
            --hops 0 --device all --out "$1"
    }
    run failing 'clEnqueueReadBuffer 1 -5 1' two_redock out
    check 'the same of redocking' all exited 0 -- lines out/redock.csv 2 -- [ -s out/one/crystal_poses.sdf ] -- \
        grep -q "$lost" stderr
else
    skip 'one of two devices lost: the other does its work' 'PoCL has no pthread devices here'
fi

rm -rf out
mkdir out
run failing 'clBuildProgram 1 -1' dock --device 0
check 'a program that the driver refuses: its options and its log' all exited 1 -- nothing_in out -- \
    grep -q '^berth: device 0 (.*, driver .*CL_BUILD_PROGRAM_FAILURE (-11); .*-DBERTH_PPWI=' stderr -- grep -q broken_on_purpose stderr
finish
