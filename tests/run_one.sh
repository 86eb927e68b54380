#!/bin/sh
# run_one.sh STATE SECONDS SOURCE: runs a test program or script for run.sh, prints what it reports (TAP:
# "ok", "not ok"; "# SKIP" on either, since cmocka writes a skipped test as "not ok N - name # SKIP"), and
# adds its line "passed failed skipped SOURCE seconds" to the file counts in the folder STATE, whose file
# sources lists all that there is to run.  SECONDS: what each took last time.
set -u
state=$1 seconds=$2 source=$3
SKIP='^\(not \)\{0,1\}ok.*# SKIP'

case $source in
*.c) command=$BUILD/${source%.c} ;;
*.sh) command="sh $source" ;;
esac
log=$BUILD/${source%.*}.log
mkdir -p "$(dirname "$log")"
start=$(date +%s)
$command >"$log" 2>&1
code=$?
skip=$(grep -c "$SKIP" "$log")
bad=$(grep -v "$SKIP" "$log" | grep -c '^not ok')
good=$(grep -v "$SKIP" "$log" | grep -c '^ok')
# A crash loses its own line: count it.
if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ] || [ $((good + bad + skip)) -eq 0 ]; then
    bad=$((bad + 1))
fi
# Where all of it is to be installed, a test that lacks a program has failed.
if [ -n "${BERTH_TEST_COMPLETE:-}" ]; then
    sed -i -e 's/^ok\(.*\) # SKIP\(.* not installed\)/not ok\1 #\2/' -e 's/^# \(.* is not installed\): skipped/not ok # \1/' "$log"
    bad=$(grep -v "$SKIP" "$log" | grep -c '^not ok')
    skip=$(grep -c "$SKIP" "$log")
fi
took=$(($(date +%s) - start))
echo "$good $bad $skip $source $took" >>"$state/counts"
number=$(grep -n " $source [0-9]*$" "$state/counts" | cut -d : -f 1)
# About how long the rest takes, where that is known of each: those that run now are counted whole.
left=$(awk -v jobs="$JOBS" '
    FILENAME == ARGV[1] { done[$4]; next }
    FILENAME == ARGV[2] { last[$1] = $2; next }
    !($1 in done) { left++; if ($1 in last) { sum += last[$1]; if (last[$1] > most) most = last[$1] } else unknown = 1 }
    END {
        time = sum / jobs > most ? sum / jobs : most
        if (left) printf "  %d left", left
        if (left && !unknown) printf ", about %d:%02d", time / 60, time % 60
    }' "$state/counts" "$seconds" "$state/sources")
# All of it at once: others print, too.
report=$(
    printf '[%2d/%d] %-38s %3d passed %d failed %d skipped %4ds%s\n' "$number" \
        "$(wc -l <"$state/sources")" "$source" "$good" "$bad" "$skip" "$took" "$left"
    [ "$bad" -eq 0 ] || sed -e '/^ok/d' -e 's/^/    /' "$log"
    [ "$bad" -ne 0 ] || grep "$SKIP" "$log" | sed 's/^/    /'
)
printf '%s\n' "$report"
