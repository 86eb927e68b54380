#!/bin/sh
# The program cache from outside: where it lies, how it is turned off, and many processes that start
# at once.  Oclgrind is the device where it is installed, because PoCL is left to its own cache.
. tests/cli/lib.sh

# score OUT: the demo's energies.
score() {
    "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out "$1"
}

# at_once NUMBER COMMAND...: the command so many times at once, with OUT-1.csv ... in place of OUT;
# the exit codes that were not 0 go to codes.
at_once() {
    at_once_number=$1
    shift
    : >codes
    i=0
    while [ $i -lt "$at_once_number" ]; do
        i=$((i + 1))
        { "$@" "out-$i.csv" >"log-$i" 2>&1 || echo "$i: exit code $?" >>codes; } &
    done
    wait
}

# Every out-N.csv is as FILE; they are taken away.
all_are() { # NUMBER FILE
    i=0
    while [ $i -lt "$1" ]; do
        i=$((i + 1))
        cmp "$2" "out-$i.csv" || return 1
        rm "out-$i.csv"
    done
}

entries() { # DIRECTORY NUMBER: it holds so many entries and nothing else
    ls -A "$1" >list
    lines list "$2" && ! grep -v -x '[0-9a-f]\{64\}\.bin' list
}

nothing_in_file() { [ ! -s "$1" ]; }
same_size() { [ "$(wc -c <"$1")" -eq "$(wc -c <"$2")" ]; }

# That kernels are compiled is said, by each run that compiles some, though PoCL keeps them itself.
mkdir told_pocl
told() { # OPTIONS...: of score, with caches of its own
    BERTH_CACHE_DIR=$work/told POCL_CACHE_DIR=$work/told_pocl run "$BERTH" score --receptor pocket.mol2 \
        --ligand demo/1hpv_ligand.mol2 --scoring vina --out told.csv "$@"
}
compiles() { grep -q '^berth: device [0-9]*: compiling ' stderr.raw; }
silent_on_it() { ! grep -q compiling stderr.raw; }
told
check 'a first run says that it compiles kernels' all exited 0 -- compiles
told
check 'a second one compiles none' all exited 0 -- silent_on_it
told --minimize
check 'other kernels are compiled, which is said, too' all exited 0 -- compiles
told --minimize
check 'once' all exited 0 -- silent_on_it

slice devices 'many processes at once, and broken caches'
# The default device, whose driver's own cache is empty too.
BERTH_CACHE_DIR=$work/cache POCL_CACHE_DIR=$work/pocl
export BERTH_CACHE_DIR POCL_CACHE_DIR
mkdir pocl
many=32 some=8
at_once $many score
run score one.csv
check "$many processes at once, caches empty" all exited 0 -- grep -q '^amprenavir,-13\.9' one.csv -- \
    nothing_in_file codes -- all_are $many one.csv
at_once $some score
check "$some from the caches" all nothing_in_file codes -- all_are $some one.csv
unset POCL_CACHE_DIR

if ! command -v oclgrind >/dev/null 2>&1; then
    skip 'the cache on disk' 'oclgrind is not installed'
    finish
fi
if [ -n "$sanitize" ]; then
    skip 'the cache on disk' 'Oclgrind does not run under the sanitizers'
    finish
fi
# The simulator counts warnings on standard error, whatever it is asked for.
silent() { ! grep -v '^[0-9]* warnings generated\.$' stderr; }
simulated() { oclgrind "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out "$1"; }

rm -rf cache # PoCL's notes
BERTH_CACHE_DIR=
run simulated uncached.csv
check 'an empty BERTH_CACHE_DIR turns the cache off' all exited 0 -- absent cache/*.bin -- \
    grep -q '^amprenavir,-13\.9' uncached.csv
BERTH_CACHE_DIR=$work/cache
rm -rf cache
at_once $many simulated
check "$many processes at once, cache empty: the same energies" all nothing_in_file codes -- \
    all_are $many uncached.csv
check 'one entry, and nothing half-written' entries cache 1
cp cache/*.bin kept
at_once $some simulated
check "$some processes at once from the cache: the same energies" all nothing_in_file codes -- \
    all_are $some uncached.csv -- entries cache 1 -- same kept cache/*.bin

# Processes that find a broken entry mend it, whatever the others do meanwhile.
head -c 1000 kept >"$(echo cache/*.bin)"
at_once $some simulated
check "$some processes at once and a truncated entry" all nothing_in_file codes -- \
    all_are $some uncached.csv -- entries cache 1 -- same_size kept cache/*.bin

rm -rf cache
: >cache
run simulated file.csv
check 'a file where the directory should be' all exited 0 -- silent -- same uncached.csv file.csv
rm cache

unset BERTH_CACHE_DIR
XDG_CACHE_HOME=$work/xdg
export XDG_CACHE_HOME
run simulated xdg.csv
check 'without BERTH_CACHE_DIR it is in XDG_CACHE_HOME' all exited 0 -- entries xdg/berth 1
unset XDG_CACHE_HOME
(
    HOME=$work/home
    export HOME
    run simulated home.csv
)
check 'else in the home directory, made where it is missing' all entries home/.cache/berth 1 -- \
    same uncached.csv home.csv
finish
