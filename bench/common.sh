# shellcheck shell=bash disable=SC2034
# common.sh: what the scripts under bench/ share; sourced, not run.

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
berth=$bench/../build/berth
data=${BERTH_REFERENCE_DATA:-$bench/../../shared/data}

die() { echo "$(basename "$(dirname "$0")")/$(basename "$0"): $1" >&2; exit 1; }

# The machine and the program, as lines of a Markdown list.
describe_machine() {
    local commit
    echo "- date: $(date -u +%Y-%m-%d)"
    echo "- machine: $(nproc) x $(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), Linux $(uname -r)"
    commit=$(git -C "$bench" rev-parse --short HEAD 2> /dev/null || true)
    echo "- program: $("$berth" -h | awk '{ print $1, $2; exit }' | tr -d :)${commit:+, sources at $commit}"
}

# describe_devices LOG: what `berth devices` says of the devices that the log of a run names.
describe_devices() {
    local number
    sed -n 's/^device \([0-9][0-9]*\): .*/\1/p' "$1" | while read -r number; do
        "$berth" devices | awk -v number="$number" '
            /^[* ] *[0-9]+ / { line = $0; sub(/^\*/, " ", line); split(line, word, " "); on = (word[1] == number) }
            on { sub(/^[* ] */, ""); text = text (text == "" ? "" : ", ") $0 }
            END { gsub(/  +/, " ", text); print "- device " text }'
    done
}

# need_reference: the 471 conformers are there, and so is a built library.
need_reference() {
    [ -f "$bench/../build/libberth.a" ] || die "no library at $bench/../build: run make"
    [ -d "$data/bude/1gcz/reference" ] || die "no bude/1gcz in $data: give --data"
}

# build_rates OUT: library/rates.c, the program that makes a library of Mol2 and times it.
build_rates() {
    ${CC:-cc} -O2 -std=c11 -D_DEFAULT_SOURCE -I"$bench/../include" -I"$bench/../src" -I"$bench/../kernels" -o "$1" \
        "$bench/library/rates.c" "$bench/../build/libberth.a" -lOpenCL -lz -lm -lpthread
}

# repeat_reference TIMES: BUDE's 471 conformers as Mol2, so often, under other names each time.
repeat_reference() {
    local copy
    for ((copy = 1; copy <= $1; copy++)); do
        cat "$data"/bude/1gcz/reference/ligand*.mol2 | awk -v copy="$copy" '
            title { sub(/^/, "copy" copy "_"); title = 0 }
            /^@<TRIPOS>MOLECULE/ { title = 1 } { print }'
    done
}
