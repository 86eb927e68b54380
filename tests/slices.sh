#!/bin/sh
# The slices of the tests.  A check runs each time (make test, make sanitize), or in a slice, where it takes long and
# what daily changes seldom break: the tests name the slice (`slice`, `in_slice`).  Each landing runs one of them, in
# turn by the number of commits, and those whose own files it changed; `make test-all` runs all.
# Usage: sh tests/slices.sh         their names
#        sh tests/slices.sh due     those that this commit has to run
#        sh tests/slices.sh changed the tests with checks of slices that it changed, if they are few
#        sh tests/slices.sh check   the names that only the tests have, or only this list; exit code 1 where there are any
#        sh tests/slices.sh NAME    the tests that are of it (which also have the checks of each time that lead there)
set -eu
cd "$(dirname "$0")/.."

# A slice's name, and patterns of further files that are its own, for git.
table() {
    cat <<'END'
oclgrind-1   kernels tests/kernel/checks
documents    docs README.md
docking
viewers      src/report/viewer* data/page data/report
variants     kernels data/tuning
preparation  tools/rdkit
slurm        tools/slurm tools/cloud tools/workflows
rdkit        tools/rdkit/start.py tools/rdkit/worker.py
screening    src/format/journal.c src/screen/journal* src/eval/fit src/eval/screen tools/eval
oclgrind-2   kernels tests/kernel/checks
package      packaging tools/deb.sh tools/dist.sh tools/berth.pc.in tests/additions
python       python
functions    kernels data/scoring tests/fixtures/scoring
vina         data/scoring
faults       tests/faults
devices      src/device
posebusters  src/eval/validity* tools/rdkit/validity.py bench/posebusters
END
}

names() { table | awk '{ print $1 }'; }
# The tests that name it.
tests_of() { grep -lE "(^|[^a-z_])(in_)?slice[ (]+\"?$1(\"| |\$)" tests/cli/*.sh tests/kernel/*.c tests/kernel/*.sh tests/unit/*.c; }

# The commit that a session's landing begins from: sessions last three hours.
base() { git rev-list -1 --before="$(($(git log -1 --format=%ct) - 3 * 3600))" HEAD; }

changed() { ! git diff --quiet "$(base)" HEAD -- "$@"; } # PATTERN...

# The next in turn, and those whose own files changed: in turn, too, and two of them at most, so that a landing that
# touches everything keeps within CI's time.
due() {
    table | awk -v turn="$(git rev-list --count HEAD)" '{ row[NR - 1] = $0 } END { for (i = 0; i < NR; i++) print row[(turn + i) % NR] }' | {
        read -r name files
        echo "$name"
        count=0
        while [ $count -lt 2 ] && read -r name files; do
            # shellcheck disable=SC2086 # split into words on purpose
            if [ -n "$files" ] && changed $files; then
                echo "$name"
                count=$((count + 1))
            fi
        done
    }
}

# Ten at most: who changes more of them runs make test-all.
changed_tests() {
    for test in $(names | while read -r name; do tests_of "$name"; done | sort -u); do
        ! changed "$test" || echo "$test"
    done | awk '{ all = all $0 "\n" } END { if (NR <= 10) printf "%s", all }'
}

# Names that tests have and the table has not, or the other way round: their checks would run in no slice.
unknown() {
    {
        grep -ohE '(^|[^a-z_])(in_)?slice (-?[a-z0-9])+ ' tests/cli/test_*.sh tests/kernel/*.sh | sed 's/.*slice \(.*\) /\1/'
        grep -ohE '(^|[^a-z_])(in_)?slice\("[^"]*"' tests/kernel/*.c tests/unit/*.c | sed 's/.*"\(.*\)"/\1/'
    } | sort -u >"$1"
    names | sort | comm -3 - "$1" | grep . && return 1
    return 0
}

case ${1:-} in
'') names ;;
check)
    used=$(mktemp)
    trap 'rm -f "$used"' EXIT
    unknown "$used"
    ;;
due) due ;;
changed) changed_tests ;;
*) tests_of "$1" ;;
esac
