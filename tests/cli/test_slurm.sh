#!/bin/sh
# tools/slurm: a screen in 8 shards, on a real Slurm that loses a node and a task midway, gives what a
# plain screen gives; and tasks that fail, are cancelled or come near their time limit.
. tests/cli/lib.sh
. "$root/tests/cli/slurm.sh"
submit=$root/tools/slurm/submit.sh

# What is refused, in front of any Slurm.
refuses() { # NAME OPTION...
    refuses_name=$1
    shift
    run "$submit" "$@"
    check "refuses: $refuses_name" all exited 1 -- stdout_is_empty -- said "$refuses_name"
}
echo library >empty.blib
refuses 'no --out' --library empty.blib --shards 8
refuses 'no number' --out o --shards 8 --attempts=two
for shards in '' 08; do
    run "$submit" --out o --shards "$shards"
    check "refuses: --shards '$shards'" all exited 1 -- stdout_is_empty
done
refuses 'a receptor that is not there' --receptor empty.blib,none.brec --out o --shards 8
run "$submit" --library none.blib --out o --shards 8
check 'refuses: a library that is not there' all exited 1 -- stdout_is_empty
refuses 'no value' --out o --shards 8 --library
refuses 'an option of the tasks' --out o --shards 8 --resume
run env PATH=/nowhere /bin/sh "$submit" --out o --shards 8
check 'no Slurm at all: says what to do, and makes nothing' all exited 1 -- absent o -- said 'no Slurm'

slice slurm 'a screen on a Slurm cluster'
if ! start_slurm; then
    skip 'a screen on a Slurm cluster' "$why"
    finish
fi

# What a submission to a folder has come to.
jobs() { cat "$1/log/jobs"; }
array() { jobs "$1" | sed 's/,.*//'; }
on_queue() { # FOLDER OPTION...
    queued=$(jobs "$1")
    shift
    squeue -h -j "$queued" "$@"
}
ended() { [ -z "$(on_queue "$1" -o %A 2>/dev/null)" ]; }
all_ended() { for folder; do ended "$folder" || return 1; done; }
is() { scontrol show job -o "$1" | grep -q " $2 "; } # JOB FIELD=VALUE


# A library of 43 ligands, five or six a shard.
seq 43 | while read -r i; do
    sed "2s/.*/ligand_$i/" demo/1hpv_ligand_turned.mol2
done >ligands.mol2
run "$BERTH" prep ligands ligands.mol2 --out library.blib
check 'a library' exited 0
screen='--receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2
    --library library.blib --top 5 --scoring bude --search rigid_fast --poses 1024 --batch 1 --checkpoint 0'
# shellcheck disable=SC2086
"$BERTH" screen $screen --out plain >plain.log 2>&1 &
plain=$!
daemons="$daemons $plain"

# Stand-ins for berth: itself, but the first two screens stop when a ligand is in their journals, so
# that they are midway however quick the machine; one that always fails; one that works until it is
# told to stop; one that has finished although some ligands failed.
cat >midway <<END
#!/bin/sh
mkdir "$work/first" 2>/dev/null || mkdir "$work/second" 2>/dev/null || exec "$BERTH" "\$@"
"$BERTH" "\$@" &
begun=''
while kill -0 \$! 2>/dev/null; do # \$3 is the shard's folder
    size=\$(wc -c <"\$3/journal") 2>/dev/null || continue
    begun=\${begun:-\$size}
    [ "\$size" -eq "\$begun" ] || break
    sleep 0.01
done
kill -STOP \$! && echo \$! >"\$3.stopped"
wait \$!
END
cat >failing <<'END'
#!/bin/sh
echo 'out of luck' >&2
exit 1
END
cat >patient <<'END'
#!/bin/sh
trap 'echo stopped >&2; exit 1' TERM
echo working
while :; do sleep 0.2; done
END
printf '#!/bin/sh\nexit 2\n' >finished
chmod +x midway failing patient finished

# shellcheck disable=SC2086
run env BERTH=./midway "$submit" $screen --out cluster --shards 8 -- --gres=gpu:1
check 'submits 8 shards and the merge' all exited 0 -- silent -- holds stdout '8 shards'
# shellcheck disable=SC2086
run "$submit" $screen --out cluster --shards 8
check 'a second submission to one folder is refused' all exited 1 -- holds stderr ': scancel '
run env BERTH=./failing "$submit" --out failed --shards 2 --attempts 2 -- --nodelist=n0
run env BERTH=./patient "$submit" --out 'st o%pped' --shards 1 -- --nodelist=n0
stopped=$(array 'st o%pped')_1

# With one GPU a node, two tasks run: that on n0 is killed, and the node n1 dies with the other.
two_run() { [ "$(on_queue cluster -t R | wc -l)" -eq 2 ]; }
check 'one task on each GPU' wait_for 900 two_run
task_on() { on_queue cluster -t R -w "$1" -o %K; }
first=$(task_on n0) second=$(task_on n1)
are_stopped() { [ -e "cluster/shards/$first-of-8.stopped" ] && [ -e "cluster/shards/$second-of-8.stopped" ]; }
check 'both are midway' wait_for 900 are_stopped
check 'neither has results' absent "cluster/shards/$first-of-8/scores.csv" \
    "cluster/shards/$second-of-8/scores.csv"
kill_node n1
died=$(date +%s)
kill -KILL "$(cat "cluster/shards/$first-of-8.stopped")"

wait_for 900 holds 'st o%pped/log/shard-1-of-1.log' working
scancel --batch --signal=USR1 "$stopped"
check 'a task at its time limit requeues itself' wait_for 900 is "$stopped" Restarts=1
check 'its screen was told to stop, its log says why' all \
    holds 'st o%pped/log/shard-1-of-1.log' stopped -- \
    holds 'st o%pped/log/shard-1-of-1.log' 'exit code 1'
wait_for 900 is "$stopped" JobState=RUNNING
# Slurm may lose what it is asked for while it starts a task: it is asked again, as a user would.
for _ in 1 2 3; do
    scancel "$stopped"
    wait_for 60 ended 'st o%pped' && break
done
check 'a cancelled task stays cancelled, and so is the merge' all \
    ended 'st o%pped' -- is "$stopped" JobState=CANCELLED
ended 'st o%pped' || scontrol show job | sed 's/^/# /'

check 'tasks that always fail end all the same' wait_for 900 ended failed
for shard in 1 2; do
    log=failed/log/shard-$shard-of-2.log
    check "shard $shard was tried twice, and its log says so" all \
        [ "$(grep -c '^out of luck' $log)" -eq 2 ] -- holds $log ': 2 starts '
done
check 'and nothing was merged' absent failed/log/merge.log
run env BERTH=./finished "$submit" --out failed --shards 2 -- --nodelist=n0
check 'the same command again' exited 0

# The controller asks after a task only where it should have run for 11 s.
while [ "$(date +%s)" -lt $((died + 12)) ]; do sleep 1; done
start_node n1
check 'all jobs end' wait_for 900 all_ended cluster failed
check 'what had failed is done, exit code 2 or not' holds failed/log/merge.log '2 shards, exit code 0'
for shard in "$first" "$second"; do
    log=cluster/log/shard-$shard-of-8.log
    check "shard $shard was begun and resumed" all [ "$(grep -c ': start [01] on' $log)" -eq 2 ] -- \
        grep -q ' shard.*, [1-5] done' $log
done
check 'the first because its screen was killed' \
    holds "cluster/log/shard-$first-of-8.log" 'exit code 137'
wait $plain
check 'a plain screen ends too' [ $? -eq 0 ]
for file in scores.csv hits.sdf failures.csv; do
    check "$file is that of the plain screen" same plain/$file cluster/$file
done
[ "$failures" -eq 0 ] || tail -n 50 ./*/log/*.log "$cluster"/*.log | sed 's/^/# /'
finish
