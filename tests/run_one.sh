#!/bin/sh
# run_one.sh COUNTS SOURCE: runs a test program or script for run.sh, prints what it reports (TAP: "ok",
# "not ok"; "# SKIP" on either, since cmocka writes a skipped test as "not ok N - name # SKIP"), and
# adds its line "passed failed skipped" to the file COUNTS.
set -u
counts=$1 source=$2
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
# LeakSanitizer itself dies now and then at the end of a process with PoCL's threads: ask again.
if grep -q 'LeakSanitizer has encountered a fatal error' "$log"; then
    $command >"$log" 2>&1
    code=$?
fi
skip=$(grep -c "$SKIP" "$log")
bad=$(grep -v "$SKIP" "$log" | grep -c '^not ok')
good=$(grep -v "$SKIP" "$log" | grep -c '^ok')
# A crash loses its own line: count it.
if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ] || [ $((good + bad + skip)) -eq 0 ]; then
    bad=$((bad + 1))
fi
# All of it at once: others print, too.
report=$(
    printf '%-44s %3d passed %d failed %d skipped  %ds\n' "$source" "$good" "$bad" "$skip" \
        $(($(date +%s) - start))
    [ "$bad" -eq 0 ] || sed -e '/^ok/d' -e 's/^/    /' "$log"
    [ "$bad" -ne 0 ] || grep "$SKIP" "$log" | sed 's/^/    /'
)
printf '%s\n' "$report"
echo "$good $bad $skip" >>"$counts"
