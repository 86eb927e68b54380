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
refused 'a number beyond the last device' "--device: no such device as '99'; there is $there" \
    dock --device 99
refused 'a name that no device has' "--device: no such device as 'cray-1'; there is $there" \
    score --device cray-1
refused 'a negative number' "--device: no such device as '-1'; there is $there" dock --device -1
refused 'one of two is missing' "--device: no such device as '99'; there is $there" dock --device 0,99
refused 'nothing behind the comma' "--device: no such device as ''; there is $there" dock --device 0,
refused 'one twice' '--device: device 0 stands there twice' dock --device 0,0
run dock --device "$(echo "$name" | cut -c 1-12 | tr '[:lower:]' '[:upper:]')"
check 'part of a name, letter case aside' exited 0

# No device: what failed, and what to do about it.
none='no OpenCL device was found:'
no_driver="$none no driver is listed in /nonexistent (OCL_ICD_VENDORS): install one, for example"
no_driver="$no_driver \`apt-get install pocl-opencl-icd\` for the CPU or the GPU vendor's OpenCL package"
OCL_ICD_VENDORS=/nonexistent
export OCL_ICD_VENDORS
if "$BERTH" devices >/dev/null 2>&1; then
    skip 'no OpenCL platform' 'this ICD loader takes no notice of OCL_ICD_VENDORS'
else
    refused 'no OpenCL platform: devices' "$no_driver" "$BERTH" devices
    refused 'no OpenCL platform: dock' "$no_driver" dock
    refused 'no OpenCL platform: score' "$no_driver" score
    mkdir vendors
    OCL_ICD_VENDORS=$work/vendors
    echo "$work/libmissing.so" >vendors/one.icd
    refused "a driver's library is missing" \
        "$none $work/vendors/one.icd: the driver cannot be loaded ($work/libmissing.so: cannot open shared object file: No such file or directory): mend its installation, or give the process more memory (ulimit -v)" \
        "$BERTH" devices
    echo libc.so.6 >vendors/one.icd
    refused "a driver's library is no driver" \
        "$none $work/vendors/one.icd: libc.so.6 has no platform: is its device there, and may you use it?" \
        "$BERTH" devices
    : >vendors/one.icd
    refused 'an empty file' "$none $work/vendors/one.icd cannot be read: it is empty" \
        "$BERTH" devices
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
        grep -q "^berth: $none .*: the driver cannot be loaded (.*): .* (ulimit -v)" stderr
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
    check "PoCL's cache folder cannot be made: another takes its place" all exited 0 -- \
        stderr_is "berth: warning: PoCL's cache folder: /dev/null/.cache/pocl/kcache: cannot make the directory: Not a directory; $private takes its place (POCL_CACHE_DIR, or HOME, can name another)" -- \
        [ "$(find "$private" -name '*.so' | wc -l)" -ge 1 ] -- \
        [ "$(stat -c %a "$private")" = 700 ]
    cannot="$none platform Portable Computing Language: CL_DEVICE_NOT_FOUND (-1), for it cannot use its cache folder,"
    instead='set POCL_CACHE_DIR, or HOME, to a folder that you may write to'
    chmod 777 "$private"
    refused 'nor may the other be used' \
        "$cannot /dev/null/.cache/pocl/kcache: cannot make the directory: Not a directory: $instead" \
        nowhere "$BERTH" devices
    refused "the user's own POCL_CACHE_DIR stays" \
        "$cannot /dev/null/x: cannot make the directory: Not a directory: $instead" \
        env POCL_CACHE_DIR=/dev/null/x "$BERTH" devices
    mkdir -m 555 locked
    if [ -w locked ]; then
        skip 'a POCL_CACHE_DIR that is write-protected' 'root may write everywhere'
    else
        run env POCL_CACHE_DIR="$work/locked" "$BERTH" devices
        check 'a POCL_CACHE_DIR that is write-protected' all exited 0 -- \
            stderr_is "berth: warning: POCL_CACHE_DIR: $work/locked: cannot write to it: Permission denied; PoCL can build no kernels"
    fi
fi

refused 'a vector width that does not exist' 'vector width 3: it is 1, 2, 4, 8 or 16' \
    dock --variant vector_width=3
refused 'more memory than there is' "device 0 ($name): allocating 1440000000000000 bytes failed: CL_INVALID_BUFFER_SIZE (-61); the device's memory does not suffice: try a smaller batch or fewer poses" \
    "$BERTH" dock --receptor pocket.mol2 --ligand $ligand --autobox_ligand demo/1hpv_ligand.mol2 $rigid \
    --out out/poses.sdf --device 0 --batch 1000000 --poses 60000000

if ! ${CC:-cc} -std=c11 -shared -fPIC -o fail.so "$root/tests/cli/fail_opencl.c" -ldl 2>cc.log; then
    skip 'devices that fail' 'no compiler, or no dlsym'
    finish
fi

# failing PLAN COMMAND...: with the library of fail_opencl.c, which comes before a sanitizer's, and
# without the program cache, so that what is built is the source.
failing() {
    (
        FAIL_OPENCL=$1
        LD_PRELOAD="$work/fail.so${LD_PRELOAD:+ $LD_PRELOAD}"
        ASAN_OPTIONS=verify_asan_link_order=0
        BERTH_CACHE_DIR=
        export FAIL_OPENCL LD_PRELOAD ASAN_OPTIONS BERTH_CACHE_DIR
        shift
        "$@"
    )
}

here="device 0 ($name): "
memory="; the device's memory does not suffice: try a smaller batch or fewer poses"
either="; the device's memory may be exhausted (try a smaller batch or fewer poses), or the"
either="$either driver lost the device (see \`berth devices\` and \`berth selftest\`)"
lost='; the driver may have lost the device: see `berth devices` and `berth selftest`'

run failing 'clFinish 100000 -5' dock --device 0
check 'with the failing library, but without a failure' exited 0

refused 'no context' "${here}creating a context failed: CL_DEVICE_NOT_AVAILABLE (-2)$lost" \
    failing 'clCreateContext 1 -2' dock --device 0
for call in 1 2 6; do
    rm -rf out
    mkdir out
    run failing "clCreateBuffer $call -4" dock --device 0
    check "memory runs out at allocation $call" all exited 1 -- nothing_in out -- \
        sed -n "/^berth: device 0 (.*): allocating [0-9]* bytes failed: CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)$memory\$/q; q1" \
        stderr
done
refused 'lost at the first launch' \
    "${here}kernel generation_zero failed: CL_OUT_OF_RESOURCES (-5)$either" \
    failing 'clEnqueueNDRangeKernel 1 -5' dock --device 0
refused 'lost in the middle of a search' "${here}kernel metropolis failed: OpenCL error (-9999)$lost" \
    failing 'clEnqueueNDRangeKernel 7 -9999' dock --device 0
refused 'lost while atoms go there' \
    "${here}writing to the device failed: CL_INVALID_COMMAND_QUEUE (-36)$lost" \
    failing 'clEnqueueWriteBuffer 6 -36' dock --device 0
refused 'lost while poses come back' \
    "${here}reading from the device failed: CL_OUT_OF_RESOURCES (-5)$either" \
    failing 'clEnqueueReadBuffer 2 -5' dock --device 0
refused 'berth score: lost' "${here}reading from the device failed: CL_OUT_OF_RESOURCES (-5)$either" \
    failing 'clEnqueueReadBuffer 1 -5' score --device 0

slice devices 'lost in the middle'
# With ten ligands done, of which nothing must be left.
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    fragment "number$number"
done >many.mol2
refused 'lost after some ligands were docked' \
    "${here}reading from the device failed: CL_OUT_OF_RESOURCES (-5)$either" \
    failing 'clEnqueueReadBuffer 31 -5' quick_dock --ligand many.mol2 --batch 1 --device 0 \
    --out out/p.mol2 --scores out/s.csv
check 'some had been docked' [ "$(grep -c '  number' stdout)" -ge 5 ]

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
    check 'one of two devices lost: the other does its work' all exited 0 -- same whole.sdf out/p.sdf -- \
        lines stderr 1 -- \
        grep -q '^berth: warning: device [01] (.*): reading from the device failed: CL_OUT_OF_RES.*; going on without this device$' stderr
    rm -rf out
    mkdir out
    run failing 'clEnqueueReadBuffer 20 -5' two_dock --device all --out out/p.sdf
    check 'both lost' all exited 1 -- nothing_in out -- lines stderr 2 -- \
        grep -q '^berth: device [01] (.*): reading from the device failed: CL_OUT_OF_RES' stderr
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
        grep -q '^berth: warning: device [01] (.*): reading from the device failed: CL_OUT_OF_RES.*; going on without this device$' stderr
else
    skip 'one of two devices lost: the other does its work' 'PoCL has no pthread devices here'
fi

rm -rf out
mkdir out
run failing 'clBuildProgram 1 -1' dock --device 0
check 'a program that the driver refuses: its options and its log' all exited 1 -- nothing_in out -- \
    grep -q '^berth: device 0 (.*, driver .*) refused to build the kernels: CL_BUILD_PROGRAM_FAILURE (-11); options: .*-DBERTH_PPWI=' stderr -- \
    grep -q broken_on_purpose stderr
finish
