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
