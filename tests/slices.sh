#!/bin/sh
# The slices of the tests.  A check runs each time (make test, make sanitize), or in a slice, where it takes long and
# what daily changes seldom break: the tests name the slice (`slice`, `in_slice`).  Each landing runs one of them, in
# turn by the number of commits, and those whose own files it changed; `make test-all` runs all.
# Usage: sh tests/slices.sh         their names
#        sh tests/slices.sh due     those that this commit has to run
#        sh tests/slices.sh changed the tests with checks of slices that changed
#        sh tests/slices.sh NAME    the tests that are of it (which also have the checks of each time that lead there)
set -eu
cd "$(dirname "$0")/.."

# A slice's name, and patterns of further files that are its own, for git.
table() {
    cat <<'END'
oclgrind-1   kernels tests/kernel/checks
documents    docs README.md
docking
viewers      src/report/viewer* data/page
variants     kernels data/tuning tests/faults
preparation  tools/rdkit
slurm        tools/slurm tools/cloud
rdkit        tools/rdkit/start.py tools/rdkit/worker.py
screening    src/format/journal.c src/dock/screen/journal*
oclgrind-2   kernels tests/kernel/checks
package      packaging tools/deb.sh tools/dist.sh tools/berth.pc.in tests/additions
python       python
vina         data/scoring
devices      src/device
posebusters  src/eval/validity* tools/rdkit/validity.py
END
}

names() { table | awk '{ print $1 }'; }

# The tests that name it.
tests_of() { grep -lE "(^|[^a-z_])(in_)?slice[ (]+\"?$1(\"| |\$)" tests/cli/*.sh tests/kernel/*.c tests/kernel/*.sh tests/unit/*.c; }

# The commit that a session's landing begins from: the last one four hours before this.
base() { git rev-list -1 --before="$(($(git log -1 --format=%ct) - 4 * 3600))" HEAD; }

# The next in turn, and those whose own files changed.
due() {
    since=$(base)
    table | awk -v turn="$(git rev-list --count HEAD)" '{ name[NR - 1] = $1 } END { print name[turn % NR] }'
    [ -n "$since" ] || return 0
    table | while read -r name files; do
        # shellcheck disable=SC2086 # split into words on purpose
        [ -z "$files" ] || git diff --quiet "$since" HEAD -- $files || echo "$name"
    done
}

changed() {
    since=$(base)
    [ -n "$since" ] || return 0
    for test in $(names | while read -r name; do tests_of "$name"; done | sort -u); do
        git diff --quiet "$since" HEAD -- "$test" || echo "$test"
    done
}

case ${1:-} in
'') names ;;
due) due | awk '!seen[$0]++' ;;
changed) changed ;;
*) tests_of "$1" ;;
esac
