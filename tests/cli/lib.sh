# What the scripts of tests/cli share; each begins with `. tests/cli/lib.sh` and ends with `finish`.
#
# They run in a folder of their own, $work, where demo/ leads to the demo data, pocket.mol2 to what lies
# about the site of its receptor (which is searched as well, in a third of the time) and golden/ to the
# expected texts, and print TAP.  Exact texts are compared with paths relative to $work.
# BERTH is the program, BERTH_REFERENCE_DATA the reference data, BUILD the build folder (all set by
# tests/run.sh).  A check runs each time, or in a slice (tests/slices.sh says which there are): those that
# BERTH_TEST_SLICE names, with blanks between; all: every one.
# BERTH_UPDATE_GOLDEN=1 rewrites tests/golden from what the program says now.
# shellcheck shell=sh disable=SC2034
set -u
umask 022 # berth takes nothing from caches that others may write to
root=$PWD
BUILD=${BUILD:-build}
BERTH=${BERTH:-$root/$BUILD/berth}
reference=$(cd "${BERTH_REFERENCE_DATA:-../shared/data}" 2>/dev/null && pwd)
case $BUILD in # what programs that link this build's library are compiled with
*sanitize*) sanitize='-fsanitize=address,undefined --coverage' ;;
*) sanitize= ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
ln -s "$root/data/demo" demo
ln -s "$root/tests/fixtures/pocket.mol2" pocket.mol2
ln -s "$root/tests/golden" golden
count=0 failures=0 code=0 skipped=
: >stdout
: >stderr

# run COMMAND...: leaves its output in the files stdout and stderr and its exit code in $code.  Taken
# out of stderr: the line with the device's name, what PoCL's compiler says of a build that fell over
# another process's files, and was tried again, and what gcov says where a process was killed or may not write.
run() {
    "$@" >stdout 2>stderr.raw
    code=$?
    grep -v -e '^berth: device [0-9]*: ' -e '^[0-9]* errors* generated\.$' -e '^libgcov profiling error:' stderr.raw >stderr
    return 0
}

ok() { # NAME
    count=$((count + 1))
    echo "ok $count - $1"
}

# not_ok NAME: and what the last run said.
not_ok() {
    count=$((count + 1)) failures=$((failures + 1))
    echo "not ok $count - $1"
    echo "# the last run: exit code $code"
    head -n 20 stdout | sed 's/^/# stdout: /'
    head -n 40 stderr.raw | sed 's/^/# stderr: /'
}

# True where a terminal can be had: containers may have none.
has_terminal() { command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; }

# in_slice NAME CHECKS: true where that slice runs; elsewhere CHECKS are skipped, with its name as the reason.
in_slice() {
    case " ${BERTH_TEST_SLICE:-} " in
    *" $1 "* | ' all ') return 0 ;;
    esac
    skip "$2" "slice $1"
    return 1
}

# slice NAME CHECKS: what follows are CHECKS of that slice; where it does not run the script ends here.
slice() { in_slice "$1" "$2" || finish; }

skip() { # NAME REASON
    count=$((count + 1)) skipped=1
    echo "ok $count - $1 # SKIP $2"
}

# needs PROGRAM CHECKS: true where it is installed; elsewhere CHECKS are skipped.
needs() {
    command -v "$1" >/dev/null && return
    skip "$2" "$1 is not installed"
    return 1
}

# check NAME COMMAND...: the command must succeed.
check() {
    check_name=$1
    shift
    if "$@" >check.log 2>&1; then
        ok "$check_name"
    else
        not_ok "$check_name"
        echo "# failed: $*"
        head -n 20 check.log | sed 's/^/# /'
    fi
}

finish() {
    [ ! -e said ] || check_said
    echo "1..$count"
    [ "$failures" -eq 0 ]
    exit
}

# preload NAME: compiles tests/cli/NAME.c, whose functions stand in front of the system's; false without a compiler.
preload() { ${CC:-cc} -std=c11 -shared -fPIC -o "$1.so" "$root/tests/cli/$1.c" -ldl -lpthread 2>cc.log; }

# preloaded NAME COMMAND...: with them in front.
preloaded() {
    (
        LD_PRELOAD="$work/$1.so${LD_PRELOAD:+ $LD_PRELOAD}"
        export LD_PRELOAD
        shift
        "$@"
    )
}

# failing PLAN COMMAND...: calls of OpenCL fail (tests/cli/fail_opencl.c says what a PLAN is).
failing() {
    (
        FAIL_OPENCL=$1
        export FAIL_OPENCL
        shift
        preloaded fail_opencl "$@"
    )
}

# The program that makes libraries of Mol2 files: ./rates IN.mol2 OUT.blib.
make_rates() {
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -D_DEFAULT_SOURCE $sanitize -I"$root/include" -I"$root/src" -I"$root/kernels" -o rates \
        "$root/bench/library/rates.c" "$root/$BUILD/libberth.a" -lOpenCL -lz -lm -lpthread
}

# The signals of these that are not ignored here, as SIGHUP is under nohup: children would ignore it, too.
heard() { # NAMES...
    case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' "/proc/$$/status") in
    [13579bdf]) printf '%s\n' "$@" | grep -v '^HUP$' ;;
    *) printf '%s\n' "$@" ;;
    esac
}

# For check and all.
same() { cmp "$1" "$2"; }
differ() { ! cmp -s "$1" "$2"; }
absent() { for file; do [ ! -e "$file" ] || return 1; done; }
lines() { [ "$(wc -l <"$1")" -eq "$2" ]; }           # FILE NUMBER
holds() { grep -q -F -e "$2" "$1"; }                 # FILE TEXT
lacks() { ! holds "$1" "$2"; }                       # FILE TEXT
exited() { [ "$code" -eq "$1" ]; }                   # CODE
stdout_is() { printf '%s\n' "$1" | diff - stdout; } # TEXT
stderr_is() { printf '%s\n' "$1" | diff - stderr; } # TEXT
silent() { [ ! -s stderr ]; }
stdout_is_empty() { [ ! -s stdout ]; }

# all COMMAND... -- COMMAND...: every one succeeds.
all() {
    while [ $# -gt 0 ]; do
        all_command=
        while [ $# -gt 0 ] && [ "$1" != -- ]; do
            all_command="$all_command $(quote "$1")"
            shift
        done
        [ $# -eq 0 ] || shift
        eval "$all_command" || {
            echo "failed:$all_command"
            return 1
        }
    done
}

quote() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

# refused NAME COMMAND...: the command must end with exit code 1, say why (said), and leave the folder out/ empty.
refused() {
    refused_name=$1
    shift
    rm -rf out
    mkdir out
    run "$@"
    masked
    check "$refused_name" all exited 1 -- said "$refused_name" -- nothing_in out
}

masked() { :; } # what differs between machines is taken out of stderr, by scripts that say such things

# refused_too NAME FACT COMMAND...: refused in words that another check pins; they are about FACT.
refused_too() {
    refused_name=$1 refused_fact=$2
    shift 2
    rm -rf out
    mkdir out
    run "$@"
    check "$refused_name" all exited 1 -- holds stderr "$refused_fact" -- nothing_in out
}

# said NAME [FACT]: the last run said something on stderr (with FACT: lines that hold it, of stdout where none of stderr
# does), which golden/messages has under NAME: the one place of each sentence.  Where another test has it already, the
# exit code and the files do (`exited`, `nothing_in`).
said() {
    grep -F -e "${2:-}" stderr >said.lines || { [ $# -eq 2 ] && grep -F -e "$2" stdout >said.lines; } || return
    sed -e "s|$work|WORK|g" -e "s|^|$1: |" said.lines >>said
}

# What was said is in golden/messages, and, where all checks of the script run and none is skipped, is all that is there.
# BERTH_UPDATE_GOLDEN=1, with BERTH_TEST_SLICE=all, writes it anew.
check_said() {
    pinned=golden/messages/$(basename "$0" .sh).txt
    if [ -n "${BERTH_UPDATE_GOLDEN:-}" ] && [ "${BERTH_TEST_SLICE:-}" = all ]; then
        cp said "$pinned"
    fi
    if [ "${BERTH_TEST_SLICE:-}" = all ] && [ -z "$skipped" ]; then
        check "what it says is in tests/$pinned" diff "$pinned" said
    else
        check "what it says is in tests/$pinned" not_found "$pinned" said
    fi
}
not_found() { ! grep -v -x -F -f "$1" "$2"; } # PATTERNS FILE: each line is one of them

nothing_in() { [ -z "$(ls -A "$1")" ]; }

# golden NAME FILE: FILE must be as golden/NAME.
golden() {
    if [ -n "${BERTH_UPDATE_GOLDEN:-}" ]; then
        cp "$2" "golden/$1"
    fi
    check "$1 is as in tests/golden" diff "golden/$1" "$2"
}

# scores_agree A B TOLERANCE: two CSV files with a header, the same names in the same order, and
# energies (the column called energy) no further apart than TOLERANCE.
scores_agree() {
    awk -F, -v tolerance="$3" '
        FNR == 1 { for (i = 1; i <= NF; i++) {
                if ($i == "energy") column[FILENAME] = i
                if ($i == "name" || $i == "ligand") at[FILENAME] = i
            }
            next }
        FILENAME == ARGV[1] { name[FNR] = $at[FILENAME]; energy[FNR] = $column[FILENAME]; rows = FNR; next }
        {
            d = $column[FILENAME] - energy[FNR]
            if (name[FNR] != $at[FILENAME] || d > tolerance || d < -tolerance) {
                print FNR ": " name[FNR] " " energy[FNR] " and " $0
                bad = 1
            }
            seen = FNR
        }
        END { exit bad || rows < 2 || seen != rows }' "$1" "$2"
}

# columns FILE NAME...: these columns of a CSV file without quoted commas in front of them, in this
# order, without the header.
columns() {
    columns_file=$1
    shift
    awk -F, -v wanted="$*" '
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; n = split(wanted, name, " "); next }
        { for (i = 1; i <= n; i++) printf "%s%s", $column[name[i]], i < n ? "," : "\n" }' "$columns_file"
}

# chained FILE: the demo's receptor as PDB, with HIV protease's two chains, which the Mol2 file has no
# names for.
chained() {
    python3 - "$1" <<'END'
import sys
for line in open(sys.argv[1]).read().split("@<TRIPOS>ATOM\n")[1].split("@<TRIPOS>")[0].splitlines():
    serial, name, x, y, z, kind, residue, label = line.split()[:8]
    number = int(residue)
    chain, number = ("A", number) if number <= 99 else ("B", number - 99)
    print("ATOM  %5d %-4s %3s %s%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s" % (
        int(serial), " " + name if len(name) < 4 else name, label[:3], chain, number,
        float(x), float(y), float(z), kind.split(".")[0]))
END
}

# fragment NAME [TYPE [X]]: a small ligand, phenol without hydrogens (7 heavy atoms), whose last atom
# has this type (O.3) and whose first has this x coordinate, shifted so that it lies in the demo's
# site.
fragment() {
    awk -v name="$1" -v type="${2:-O.3}" -v x="${3:-11.31}" 'BEGIN {
        print "@<TRIPOS>MOLECULE\n" name "\n 7 7 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM"
        for (i = 0; i < 6; i++)
            printf "%d C%d %s %.4f 8.8 C.ar 1 LIG 0\n", i + 1, i + 1,
                i ? sprintf("%.4f", 9.92 + 1.39 * cos(i * 1.0471976)) : x,
                16.23 + 1.39 * sin(i * 1.0471976)
        print "7 O1 12.68 16.23 8.8 " type " 1 LIG 0\n@<TRIPOS>BOND"
        for (i = 1; i <= 6; i++) print i, i, i % 6 + 1, "ar"
        print "7 1 7 1"
    }'
}

# By BUDE's function, rigid and exact: for what is about that search, or about files of earlier versions.
# Words of it are separate options.
rigid='--scoring bude --search rigid_balanced'

# A rigid search that takes no time, in the demo's site: further options follow.
hops=0 poses=512 generations=3
quick_dock() {
    "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        $rigid --poses $poses --generations $generations --hops $hops "$@"
}

# The demo's receptor, HIV-1 protease without hydrogens, as PDB.
protease_pdb() {
    awk '/^@<TRIPOS>/ { s = $1; next }
        s == "@<TRIPOS>ATOM" { split($6, type, "."); at[++n] = $0; element[n] = toupper(type[1]); next }
        s == "@<TRIPOS>SUBSTRUCTURE" && NF > 5 { chain[$1] = $6 }
        END {
            for (i = 1; i <= n; i++) {
                $0 = at[i]
                printf "ATOM  %5d  %-3s %3s %s%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n", i, $2, substr($8, 1, 3),
                    chain[$7], substr($8, 4), $3, $4, $5, element[i]
            }
        }' demo/1hpv_receptor.mol2
}

# The first Python that has RDKit, as $python; empty: none.
find_rdkit() {
    python=
    for candidate in "${BERTH_PYTHON:-}" python3 /usr/bin/python3; do
        if [ -z "$python" ] && "${candidate:-false}" -c 'import rdkit' 2>/dev/null; then
            python=$candidate
        fi
    done
}

# The same, for berth too; without one the test NAME is skipped, and all that follow.
need_rdkit() { # NAME
    find_rdkit
    if [ -z "$python" ]; then
        skip "$1" 'RDKit is not installed'
        finish
    fi
    BERTH_PYTHON=$(command -v "$python")
    export BERTH_PYTHON
}
