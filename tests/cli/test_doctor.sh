#!/bin/sh
# berth doctor: what it says where all is well, and where something is not.
. tests/cli/lib.sh

# found STATE WHAT: so it is said.
found() { grep -q "^$1  *$2  *[^ ]" stdout; }
# mended WHAT COMMAND: what mends it stands under it.
mended() { awk -v what="$1" -v command="$2" '
    at && NR == at + 1 && index($0, "> " command) { seen = 1 }
    index($0, what) { at = NR }
    END { exit !seen }' stdout; }

run "$BERTH" doctor
check 'berth doctor' all silent -- found ok OpenCL -- found ok 'device 0' -- found ok 'cache folder' -- found ok memory
if needs obabel 'all is well'; then
    check 'all is well' all exited 0 -- found ok 'Open Babel' -- said 'all is well' 'berth can'
fi
python=$(command -v python3)
if rdkit=$("$python" -c 'import rdkit; print(rdkit.__version__)' 2>/dev/null); then
    run env BERTH_PYTHON="$python" "$BERTH" doctor
    check 'which RDKit prepares ligands, and of which Python' holds stdout "$rdkit ($python)"
fi
find_rdkit
if [ -n "$python" ]; then
    mkdir hidden
    echo 'raise ImportError' >hidden/gemmi.py
    run env BERTH_PYTHON="$(command -v "$python")" PYTHONPATH="$work/hidden" "$BERTH" doctor
    check 'that this lacks gemmi' all found warning gemmi -- mended gemmi 'apt-get install python3-gemmi'
fi

mkdir none bin
run env OCL_ICD_VENDORS="$work/none" "$BERTH" doctor
check 'no OpenCL driver' all exited 1 -- found PROBLEM OpenCL -- mended 'no driver is listed' 'unset OCL_ICD_VENDORS' -- \
    said 'a problem' 'each PROBLEM'
# The words behind -c are for the shell in there.
# shellcheck disable=SC2016
if unshare -r -m sh -c 'mount -t tmpfs tmpfs /sys' 2>/dev/null; then
    without_sys() { unshare -r -m sh -c 'mount -t tmpfs tmpfs /sys && mkdir -p /sys/devices/system/cpu && exec "$@"' sh "$@"; }
    run without_sys "$BERTH" doctor
    check 'no /sys, without which PoCL ends the program: it is said' all exited 1 -- found warning system -- found PROBLEM OpenCL -- \
        mended 'system ' 'mount -t sysfs sysfs /sys'
    run without_sys "$BERTH" score --receptor pocket.mol2 --ligand demo/1hpv_ligand.mol2 --out none.csv
    check 'and by what would dock' all exited 1 -- absent none.csv -- holds stderr /sys
else
    skip 'no /sys' 'no namespaces here'
fi
slice devices 'other drivers and Pythons, caches and limits'
echo libnothing.so.1 >none/nothing.icd
run env OCL_ICD_VENDORS="$work/none" "$BERTH" doctor
check 'a driver that cannot be loaded' all exited 1 -- found PROBLEM OpenCL -- holds stdout 'libnothing.so.1'

run env -u VIRTUAL_ENV -u BERTH_PYTHON PATH="$work/bin" "$BERTH" doctor
check 'neither RDKit nor Open Babel: nothing can be prepared' all exited 1 -- found PROBLEM RDKit -- \
    found PROBLEM 'Open Babel' -- mended RDKit 'apt-get install python3-rdkit' -- \
    mended 'Open Babel' 'apt-get install openbabel'
printf '#!/bin/sh\necho "Open Babel 3.1.0"\n' >bin/obabel
chmod +x bin/obabel
run env -u VIRTUAL_ENV -u BERTH_PYTHON PATH="$work/bin" "$BERTH" doctor
check 'Open Babel alone will do' all exited 0 -- found warning RDKit -- found ok 'Open Babel' -- holds stdout "$work/bin/obabel"
run env BERTH_PYTHON=/nonexistent/python3 PATH="$work/bin" "$BERTH" doctor
check 'BERTH_PYTHON without RDKit' mended RDKit 'unset BERTH_PYTHON'

touch file
run env BERTH_CACHE_DIR="$work/file/cache" "$BERTH" doctor
check 'a cache folder that cannot be' all found warning 'cache folder' -- holds stdout "$work/file/cache" -- \
    mended 'cache folder' 'export BERTH_CACHE_DIR=FOLDER'
run env BERTH_CACHE_DIR= "$BERTH" doctor
check 'no cache folder' all found warning 'cache folder' -- mended 'cache folder' 'unset BERTH_CACHE_DIR'
mkdir open
chmod 777 open
run env BERTH_CACHE_DIR="$work/open" "$BERTH" doctor
check 'a cache folder that others may write to' all found warning 'cache folder' -- \
    holds stdout "$work/open: " -- mended 'cache folder' 'export BERTH_CACHE_DIR=FOLDER'

run sh -c 'ulimit -n 100 && exec "$1" doctor' sh "$BERTH"
check 'a limit that matters' all found warning limits -- mended 'at most 100 open files' 'ulimit -n 1024'
run "$BERTH" doctor extra
check 'takes no arguments' all exited 1 -- stdout_is_empty
finish
