#!/bin/sh
# berth serve: requests as EasyDock sends them, whose answers have the scores and poses of `berth dock` and `berth screen`;
# what cannot be done is an answer, too.
. tests/cli/lib.sh

mkdir tmp
TMPDIR=$work/tmp
export TMPDIR
box="--receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --search fastest"
client() { run /usr/bin/python3 "$root/tests/cli/serve_client.py" "$@"; }
celecoxib='Cc1ccc(-c2cc(C(F)(F)F)nn2-c2ccc(S(N)(=O)=O)cc2)cc1'
acid='CC(=O)Oc1ccccc1C(=O)O'
printf '%s\n' "$celecoxib celecoxib" "$acid acid é" >two.smi

# shellcheck disable=SC2086 # options
"$BERTH" dock $box --rank screening --num_modes 2 --ligand two.smi --out docked.sdf --scores docked.csv >/dev/null 2>&1
# shellcheck disable=SC2086
"$BERTH" screen $box --library two.smi --out screened >/dev/null 2>&1
ranking() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { print $at["ligand"], sprintf("%.4f", $at["ranking"]) }' "$1"; }
ranking screened/scores.csv | LC_ALL=C sort >expected

cat >requests <<END
{"command": "info", "payload": {}}
{"command": "init", "payload": {"receptor": "pocket.mol2", "autobox_ligand": "demo/1hpv_ligand.mol2", "search": "fastest", "num_modes": 2, "seed": null, "relax": false}}
{"command": "dock", "payload": {"celecoxib": "$celecoxib", "acid é": "$acid"}}
{"command": "info", "payload": {}}
{"command": "dock", "payload": {"acid é": "$acid"}}
{"command": "dock", "payload": {}}
END
client requests "$BERTH" serve
check 'info, before a docking is open and behind that' all exited 0 -- \
    holds stdout '1 status=ok program=berth batch_size=100 ligand_in_format=smiles ligand_out_format=sdf score_mode=min' -- \
    holds stdout '4 status=ok program=berth' -- holds stdout '2 status=ok' -- holds stdout '6 status=ok'
sed -n 's/^3 \(.* -\)/\1/p' stdout | LC_ALL=C sort >served
check 'scores are those of a screen' same served expected
check 'of one ligand alone, too' [ "$(sed -n 's/^5 \(.* -\)/\1/p' stdout)" = "$(grep acid expected)" ]
check 'poses are those of a docking, byte for byte' same served-3.sdf docked.sdf
# the best of a ligand, up to its tags: a screen adds ranks
best() { awk -v RS='[$][$][$][$]\n' -v name="$2" 'index($0, name "\n") == 1' "$1" | sed '/^M  END/q'; }
best screened/hits.sdf celecoxib >a
best served-3.sdf celecoxib >b
check 'and so is the best of a screen' all [ -s a ] -- same a b

# What goes wrong is said, and those that follow are answered.
printf 'CC(C bad\n%s acid\n' "$acid" >bad.smi
# shellcheck disable=SC2086
"$BERTH" dock $box --ligand bad.smi --out bad.sdf >/dev/null 2>&1
reason=$(sed -n 's/^[0-9]*,bad,bad.smi:1: //p' bad.failures.csv)
cat >requests <<END
{"command": "dock", "payload": {"bad": "CC(C", "acid": "$acid", "cut\\nin two": "CC", " blank": "CC", "two": "CC CC", "block": "\\n  x\\n\\n  0  0\\nM  END\\n", "empty": ""}}
{"command": "dock", "payload": {"bad": "CC(C"}}
{"command": "dock", "payload": {"empty": ""}}
{"command": "dock", "payload": ["CC"]}
{"command": "dock", "payload": {"number": 1}}
{"command": "dock"}
{"command": "halt", "payload": {}}
{"payload": {}}
nonsense
{"command": "dock", "payload": {"acid": "$acid"}}
{"command": "init", "payload": {"search": "fastest", "autobox": [1]}}
{"command": "init", "payload": {"sed": 1}}
{"command": "init", "payload": {"seed": "x"}}
{"command": "init", "payload": {"out": "x.sdf"}}
{"command": "init", "payload": 3}
{"command": "init", "payload": {"receptor": "none.mol2"}}
{"command": "init", "payload": {"rank": "nonsense"}}
{"command": "dock", "payload": {"acid": "$acid"}}
END
printf '{"id": "7", "command": "dock", "payload": {"same": "CC", "same": "CCC"}}\n["x"]\n7\n' >plain
# shellcheck disable=SC2086
run "$BERTH" serve $box <plain
check 'ids are texts, too; each line has an answer' all exited 0 -- lines stdout 3 -- \
    holds stdout '{"id":"7","payload":{"status":"error","error":"payload: the ligand same is there twice"}}' -- holds stdout '{"id":null,'
# shellcheck disable=SC2086
client requests "$BERTH" serve $box
check 'failures are answers' all exited 0 -- holds stdout "1 bad $reason" -- holds stdout "2 bad $reason"
cp stdout stderr
sed -i 's/-[0-9.]*$/SCORE/' stderr
check 'and each says what is wrong' said serve
check 'a docking goes on behind them' [ "$(grep -c ' acid -' stdout)" -eq 3 ]

refused 'a receptor that is not there is refused at once' "$BERTH" serve --receptor none.mol2
run "$BERTH" serve </dev/null
check 'the end of the input is the end' all exited 0 -- stdout_is_empty -- silent
check 'nothing is left behind' [ -z "$(ls tmp)" ]
mkfifo pipe
"$BERTH" serve <pipe >/dev/null 2>&1 &
exec 3>pipe
until [ -n "$(ls tmp)" ]; do sleep 0.1; done
kill $!
wait $!
exec 3>&-
check 'nor by a signal, with which EasyDock ends it' [ -z "$(ls tmp)" ]
printf '{"id": 1, "command": "info", "payload": {}}' >half
run "$BERTH" serve <half
check 'the last line needs no end' lines stdout 1

# The package itself docks a hundred molecules, without its protonation and with it.
python=${BERTH_POSEBUSTERS:-$root/build-python/bin/python}
if in_slice screening 'EasyDock'; then
    if "$python" -c 'import easydock, vina' 2>/dev/null; then
        cut -f 1,2 demo/drugs.smi | head -n 100 >hundred.smi
        run env PYTHON="$python" BERTH="$BERTH" bash "$root/bench/easydock/run.sh" out pocket.mol2 demo/1hpv_ligand.mol2 hundred.smi 'search: fastest'
        check 'EasyDock docks a hundred molecules, as a screen does' all exited 0 -- \
            [ "$(grep -c '^100 docked, 100 scores and 100 poses are those of the screen' stdout)" -eq 2 ]
    else
        skip 'EasyDock' 'EasyDock and Vina are not installed for it'
    fi
fi
finish
