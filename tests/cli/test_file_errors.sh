#!/bin/sh
# A full disk at every single operation on files in turn: the command ends with exit code 1 and a message
# that names the file, leaves nothing half written under a final name and nothing of its own beside it,
# and the run, gone on with, gives the same bytes.
. tests/cli/lib.sh
fixture=$root/tests/fixtures/screen
if ! preload fail_write; then
    skip 'file errors' 'no compiler, or no dlsym'
    finish
fi
if [ -n "$sanitize" ]; then
    skip 'file errors' "the sanitizers' own functions stand in front of those that fail"
    finish
fi
work_real=$(pwd -P)

slice preparation 'every operation on files'
# failing N COMMAND...: runs it with the N-th operation on files in out/ failing; the file note tells
# which that was.
failing() {
    failing_number=$1
    shift
    rm -f note
    run preloaded fail_write env ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" \
        FAIL_WRITE="$failing_number" FAIL_FOLDER="$work_real/out/" FAIL_NOTE="$work_real/note" "$@"
}

# complain TEXT: what is wrong at this operation; one line of the report.
complain() {
    echo "operation $number ($(cat note)), exit code $ended, $said: $1" >>complaints
}

# whole: what has its final name is as it should be (run.json has the date), and nothing else is there.
whole() {
    for path in out/*; do
        [ -e "$path" ] || continue
        file=${path#out/}
        case $file in
        *.part | *.part.failures | journal) ;; # to go on with
        run.json) grep -q '^}$' out/run.json || complain 'a part of run.json' ;;
        *.tmp.* | *.new | hits.unranked) complain "$file is left" ;;
        *.blib) # Open Babel's coordinates differ from run to run
            run "$BERTH" lib ls "out/$file"
            cp stdout now
            run "$BERTH" lib ls "good/$file"
            cmp -s stdout now || complain "$file is not what it should be"
            ;;
        *) cmp -s "out/$file" "good/$file" || complain "$file is not what it should be" ;;
        esac
    done
}

# each NAME RESUME COMMAND...: every operation of the command, which writes into out/; RESUME: the option
# that goes on with it, or none.
each() {
    each_name=$1 resume=$2
    shift 2
    rm -rf out good complaints
    mkdir out
    run "$@"
    each_code=$code
    cp -r out good
    number=0 failed=0
    : >complaints
    while :; do
        number=$((number + step))
        rm -rf out
        mkdir out
        failing $number "$@"
        [ -e note ] || break
        ended=$code said=$(tail -n 1 stderr.raw)
        if [ "$code" -eq "$each_code" ] && grep -q '^remove ' note; then # what nobody needs any more stays
            left=$(sed 's|.*/out/||' note)
            grep -q "warning: out/$left: cannot remove: No space left" stderr || complain 'nobody noticed'
            rm "out/$left"
        elif [ "$code" -eq "$each_code" ]; then
            [ "$(ls out)" = "$(ls good)" ] || complain 'a file is missing'
            # What files can do without: their folder's sync, the end of a scratch file, and what a
            # killed preparation would be gone on with.
            grep -q -e '^sync .*/out$' -e '^close .*/hits.unranked' \
                -e '/lib\.blib\.part\.failures' note || complain 'nobody noticed'
        elif [ "$code" -ne 1 ] || ! grep -q '^berth: out/[^ ]*: .*: No space left on device' stderr; then
            complain 'no message'
        else
            failed=$((failed + 1))
        fi
        whole
        if [ "$resume" ] && [ "$ended" -eq 1 ]; then
            run "$@" "$resume"
            { [ "$code" -eq "$each_code" ] && [ "$(ls out)" = "$(ls good)" ]; } ||
                complain 'it does not go on'
            whole
        fi
    done
    check "$each_name: each of $number operations may fail" all [ "$failed" -gt $((5 / step)) ] -- diff complaints /dev/null
}

step=1
site="--receptor $fixture/receptor.brec $rigid --poses 64 --generations 1 --refine 0 --check 0"
# shellcheck disable=SC2086
{
    each 'lib get' '' "$BERTH" lib get "$fixture/library.blib" --out out/all.sdf.gz
    each merge '' "$BERTH" merge "$fixture/part1" "$fixture/part2" --library "$fixture/library.blib" --out out
    each dock '' "$BERTH" dock $site --ligand "$fixture/library.blib" --out out/poses.sdf --scores out/scores.csv.gz
    each screen --resume "$BERTH" screen $site --library "$fixture/library.blib" --checkpoint 0 --out out
}
if command -v obabel >/dev/null; then
    fragment phenol >in.mol2
    fragment far O.3 20000 >>in.mol2
    fragment phenolate O.co2 >>in.mol2
    each 'prep ligands' --resume "$BERTH" prep ligands in.mol2 --conformers 1 --out out/lib.blib
else
    skip 'prep ligands' 'Open Babel is not installed'
fi

# A library that is given up is removed, or it is said that it stays.
rm -rf out && mkdir out
cp "$fixture/library.blib" damaged.blib
printf XXXX | dd of=damaged.blib bs=1 seek=600 conv=notrunc 2>/dev/null
run "$BERTH" lib merge "$fixture/library.blib" damaged.blib --out out/both.blib
check 'a library that is given up is removed' all exited 1 -- [ -z "$(ls out)" ]
number=0
while number=$((number + 1)) && [ "$number" -lt 100 ]; do
    failing "$number" "$BERTH" lib merge "$fixture/library.blib" damaged.blib --out out/both.blib
    if grep -q '^remove ' note; then break; fi
done
check 'or it is said that it stays' all exited 1 -- holds stderr 'both.blib.part stays, for it cannot be removed' -- [ -e out/both.blib.part ]
finish
